"""Handlers: what each message of a client does, except for moves."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from threefold.live import acts
from threefold.live.refusals import refuse
from threefold.live.session import Act, Session
from threefold.live.telling import Line
from threefold.live.thinking import stand_in
from threefold.web import protocol as p
from threefold.web.hall import Hall

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
"""Message type -> the act of such a message."""


async def handle(hall: Hall, session: Session, line: Line, person: str, message: p.Asked) -> None:
    """Does what a message asks for, or raises a refusal. The connection submits moves itself."""
    n = message.n
    act = ACTS.get(type(message))
    if act is not None:
        await session.submit(line.guest, act(message), line, n)
        if isinstance(message, p.Change) and message.settings is not None:
            await hall.lobby.store.relist(session.id, listed=message.settings.listed)
        return
    await HANDLERS[type(message)](hall, session, line, person, message)
    session.dealt_with(line, n)


Handler = Callable[[Hall, Session, Line, str, Any], Awaitable[None]]


async def _hello(_: Hall, session: Session, line: Line, person: str, message: p.Hello) -> None:
    raise refuse("hello_once", field="is")


async def _leave(_: Hall, session: Session, line: Line, person: str, message: p.Leave | p.Concede) -> None:
    await session.leave(line.guest, line, message.n, stays=isinstance(message, p.Concede))


async def _remove(_: Hall, session: Session, line: Line, person: str, message: p.Remove) -> None:
    await session.remove(line.guest, message.guest, line, message.n)


async def _ready(_: Hall, session: Session, line: Line, person: str, message: p.Ready) -> None:
    await session.set_ready(line.guest, ready=message.ready)


async def _close_table(hall: Hall, session: Session, line: Line, person: str, message: p.CloseTable) -> None:
    await hall.lobby.close_table(session, line.guest)


async def _words(hall: Hall, session: Session, line: Line, person: str, message: p.React | p.Phrase | p.Chat) -> None:
    """A reaction, a phrase, or free text where the host allows it."""
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
    if not hall.limits.allows("words", person):
        raise refuse("too_fast")
    session.say(p.Said(guest=line.guest, sort=sort, what=what, at=session.time.now()))


async def _explain(_: Hall, session: Session, line: Line, person: str, message: p.Explain) -> None:
    playing = acts.a_game_runs(session.sitting)
    player = playing.player_of(line.guest)
    if player is None:
        raise refuse("does_not_play")
    time = max(playing.time(session.time.now()), playing.latest) if playing.game.timed else None
    why = playing.game.explain(playing.table, player, message.move, time)
    reason = {"clause": None, "message": None, "text": None} if why is None else why.as_json(player)
    line.note(p.Explained(n=message.n, move=message.move[:200], legal=why is None, **reason))


async def _hint(hall: Hall, session: Session, line: Line, person: str, message: p.Hint) -> None:
    playing = acts.a_game_runs(session.sitting)
    player = playing.player_of(line.guest)
    if player is None:
        raise refuse("does_not_play")
    if not hall.limits.allows("thoughts", person):
        raise refuse("too_fast")
    if playing.paused_at is not None:
        raise refuse("paused")
    view = playing.game.view(playing.table, player)
    choice = await session.thinker.think(session.sitting.game, stand_in(session.sitting.game), view)
    line.note(p.Hinted(n=message.n, move=None if choice is None else choice.move))


async def _ping(_: Hall, session: Session, line: Line, person: str, message: p.Ping) -> None:
    line.note(p.Pong(n=message.n, sent=message.sent, now=session.time.now()))


async def _probed(_: Hall, session: Session, line: Line, person: str, message: p.Probed) -> None:
    if line.lag is not None:
        line.lag.answered(message.mark, milliseconds())


def milliseconds() -> float:
    """A clock for durations."""
    return 1000 * asyncio.get_running_loop().time()


HANDLERS: dict[type, Handler] = {
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
