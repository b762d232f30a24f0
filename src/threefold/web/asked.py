"""What a page or program asks of a table: how it is read, and what it does."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

from threefold.live import acts
from threefold.live.refusals import refuse
from threefold.live.session import Act, Session
from threefold.live.telling import Line
from threefold.live.thinking import stand_in
from threefold.web import protocol as p
from threefold.web.limits import LARGEST_MESSAGE
from threefold.web.problems import field_problem
from threefold.web.server import Server

LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""

_decode: Callable[[bytes], p.ClientMessage] = msgspec.json.Decoder(p.union_of(p.ClientMessage)).decode


def read(text: bytes | None) -> p.ClientMessage:
    """The message that a text is; a refusal names the field that is wrong."""
    if text is None:
        raise refuse("not_text", field="message")
    if len(text) > LARGEST_MESSAGE:
        raise refuse("too_large", field="message", most=LARGEST_MESSAGE)
    try:
        message = _decode(text)
    except msgspec.ValidationError as problem:
        field, complaint = field_problem(str(problem))
        raise refuse("bad_field", field=field, given=complaint) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise refuse("not_json", field="message", given=str(problem)[:80]) from None
    if not 0 <= message.n <= LARGEST_NUMBER:
        raise refuse("bad_field", field="n", given=f"a number from 0 to {LARGEST_NUMBER}")
    return message


def number_of(text: bytes | None) -> int:
    """The number of a message that cannot be read, if it has one."""
    try:
        found = msgspec.json.decode(text or b"", type=dict[str, Any]).get("n", 0)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0
    return found if isinstance(found, int) and 0 <= found <= LARGEST_NUMBER else 0


ACTS: dict[type, Callable[[Any], Act]] = {
    p.Sit: lambda m: lambda s, by, at: acts.sit(s, by, at, m.seat),
    p.Stand: lambda _: acts.stand,
    p.BotSits: lambda m: lambda s, by, at: acts.bot_sits(s, by, at, m.seat, m.bot),
    p.BotStands: lambda m: lambda s, by, at: acts.bot_stands(s, by, at, m.seat),
    p.Change: lambda m: lambda s, by, at: acts.change(s, by, at, m.given, m.settings),
    p.PassHost: lambda m: lambda s, by, at: acts.pass_host(s, by, at, m.guest),
    p.Mute: lambda m: lambda s, by, at: acts.mute(s, by, at, m.guest, muted=m.muted),
    p.Start: lambda _: acts.start,
    p.Pause: lambda _: acts.pause,
    p.Resume: lambda _: acts.resume,
}
"""Message -> the act it asks for."""


async def do(server: Server, session: Session, line: Line, person: str, message: p.ClientMessage) -> None:
    """Does what is asked for; moves have a way of their own."""
    n = message.n
    act = ACTS.get(type(message))
    if act is not None:
        await session.submit(line.guest, act(message), line, n)
        if isinstance(message, p.Change) and message.settings is not None:
            await server.lobby.store.relist(session.id, listed=message.settings.listed)
        return
    await OTHERS[type(message)](server, session, line, person, message)
    session.dealt_with(line, n)


Other = Callable[[Server, Session, Line, str, Any], Awaitable[None]]


async def _hello(_: Server, session: Session, line: Line, person: str, message: p.Hello) -> None:
    raise refuse("hello_once", field="is")


async def _leave(_: Server, session: Session, line: Line, person: str, message: p.Leave | p.Concede) -> None:
    await session.leave(line.guest, line, message.n, stays=isinstance(message, p.Concede))


async def _remove(_: Server, session: Session, line: Line, person: str, message: p.Remove) -> None:
    await session.remove(line.guest, message.guest, line, message.n)


async def _ready(_: Server, session: Session, line: Line, person: str, message: p.Ready) -> None:
    await session.set_ready(line.guest, ready=message.ready)


async def _close_table(server: Server, session: Session, line: Line, person: str, message: p.CloseTable) -> None:
    await server.lobby.close_table(session, line.guest)


async def _words(
    server: Server, session: Session, line: Line, person: str, message: p.React | p.Phrase | p.Chat
) -> None:
    """A reaction, a phrase, or free words where the host allows them."""
    sort: Literal["reaction", "phrase", "chat"]
    if session.sitting.guests[line.guest].muted:
        raise refuse("muted")
    if isinstance(message, p.React):
        sort, what = "reaction", message.reaction
        if what not in p.REACTIONS:
            raise refuse("no_such_reaction", field="reaction", allowed=" ".join(p.REACTIONS))
    elif isinstance(message, p.Phrase):
        sort, what = "phrase", message.phrase
        if what not in p.PHRASES:
            raise refuse("no_such_phrase", field="phrase", given=what[:40], allowed=", ".join(p.PHRASES))
    else:
        sort, what = "chat", " ".join("".join(each for each in message.text if each.isprintable()).split())
        if not session.sitting.settings.chat:
            raise refuse("chat_is_off")
        if not what:
            raise refuse("empty_text", field="text")
        if len(what) > p.LONGEST_TEXT:
            raise refuse("text_too_long", field="text", most=p.LONGEST_TEXT)
    if not server.limits.allows("words", person):
        raise refuse("too_fast")
    session.say(p.Said(guest=line.guest, sort=sort, what=what, at=session.time.now()))


async def _explain(_: Server, session: Session, line: Line, person: str, message: p.Explain) -> None:
    playing = acts.a_game_runs(session.sitting)
    player = playing.player_of(line.guest)
    if player is None:
        raise refuse("does_not_play")
    time = max(playing.time(session.time.now()), playing.latest) if playing.game.timed else None
    why = playing.game.explain(playing.table, player, message.move, time)
    told = {"clause": None, "message": None, "text": None} if why is None else why.as_json(player)
    line.note(p.Explained(n=message.n, move=message.move[:200], legal=why is None, **told))


async def _hint(server: Server, session: Session, line: Line, person: str, message: p.Hint) -> None:
    playing = acts.a_game_runs(session.sitting)
    player = playing.player_of(line.guest)
    if player is None:
        raise refuse("does_not_play")
    if not server.limits.allows("thoughts", person):
        raise refuse("too_fast")
    if playing.paused_at is not None:
        raise refuse("paused")
    view = playing.game.view(playing.table, player)
    choice = await session.thinker.think(session.sitting.game, stand_in(session.sitting.game), view)
    line.note(p.Hinted(n=message.n, move=None if choice is None else choice.move))


async def _ping(_: Server, session: Session, line: Line, person: str, message: p.Ping) -> None:
    line.note(p.Pong(n=message.n, sent=message.sent, now=session.time.now()))


async def _probed(_: Server, session: Session, line: Line, person: str, message: p.Probed) -> None:
    if line.lag is not None:
        line.lag.answered(message.mark, milliseconds())


def milliseconds() -> float:
    """A clock that only measures how long things take."""
    return 1000 * asyncio.get_running_loop().time()


OTHERS: dict[type, Other] = {
    p.Hello: _hello,
    p.Leave: _leave,
    p.Concede: _leave,
    p.Remove: _remove,
    p.Ready: _ready,
    p.CloseTable: _close_table,
    p.React: _words,
    p.Phrase: _words,
    p.Chat: _words,
    p.Explain: _explain,
    p.Hint: _hint,
    p.Ping: _ping,
    p.Probed: _probed,
}
