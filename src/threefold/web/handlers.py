"""What each message of a client does: acts, which a Connection submits, and handlers, which it runs in a task."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from threefold.live import acts
from threefold.live.acts import Act, Made
from threefold.live.audience import Subscriber
from threefold.live.notices import Remark, RemarkSort
from threefold.live.refusals import refuse
from threefold.live.session import Session
from threefold.live.state import TableState
from threefold.texts import Text, TextForm
from threefold.web import protocol as p
from threefold.web.server import Server

ACTS: dict[type, Callable[[Any], Act]] = {
    p.Sit: lambda m: lambda s, by, at: acts.sit(s, by, at, m.seat),
    p.Stand: lambda _: acts.stand,
    p.BotSits: lambda m: lambda s, by, at: acts.bot_sits(s, by, at, m.seat, m.bot),
    p.BotStands: lambda m: lambda s, by, at: acts.bot_stands(s, by, at, m.seat),
    p.PassHost: lambda m: lambda s, by, at: acts.pass_host(s, by, at, m.guest),
    p.Mute: lambda m: lambda s, by, at: acts.mute(s, by, at, m.guest, muted=m.muted),
    p.Skip: lambda _: acts.skip,
    p.Pause: lambda _: acts.pause,
    p.Resume: lambda _: acts.resume,
}
"""Message type -> the act of such a message; a Connection submits it without a task."""
RATE_OF: dict[type, str] = {
    **dict.fromkeys(
        (
            p.Sit,
            p.Stand,
            p.Leave,
            p.Concede,
            p.BotSits,
            p.BotStands,
            p.Change,
            p.PassHost,
            p.Mute,
            p.Ready,
            p.Start,
            p.StandIn,
            p.Skip,
        ),
        "arrangements",
    ),
    p.Pause: "pauses",
    p.Resume: "pauses",
}
"""Message type -> its rate limit, beside that of all messages: what the log keeps, and nobody needs often."""


@dataclass(frozen=True, slots=True)
class Client:
    """The sender of a message: where it is connected, and who it is."""

    server: Server
    session: Session
    subscriber: Subscriber
    person: str

    def answer(self, message: p.ServerMessage) -> None:
        """Sends a message to this client alone."""
        self.session.audience.note(self.subscriber, message)


def act_of(session: Session, subscriber: Subscriber, message: p.ClientMessage) -> Act | None:
    """The act that a message asks for; None if a handler has to look after it."""
    if isinstance(message, p.Move):
        return session.move(subscriber, message.move, message.game)
    if isinstance(message, p.Start):
        return session.start
    act = ACTS.get(type(message))
    return None if act is None else act(message)


async def handle(client: Client, message: p.ClientMessage) -> None:
    """Does what a message without an act asks for, or raises a refusal."""
    await HANDLERS[type(message)](client, message)
    client.session.audience.acknowledge(client.subscriber, message.n)


Handler = Callable[[Client, Any], Awaitable[None]]


async def _hello(client: Client, message: p.Hello) -> None:
    raise refuse("hello_once", field="is")


async def _change(client: Client, message: p.Change) -> None:
    session, subscriber = client.session, client.subscriber

    def act(s: TableState, by: int, at: int) -> Made:
        return acts.change(s, by, at, message.setup, message.settings)

    await session.submit(subscriber.guest, act, subscriber=subscriber, n=message.n)
    if message.settings is not None:
        await client.server.lobby.store.relist(session.id, listed=message.settings.listed)


async def _leave(client: Client, message: p.Leave | p.Concede) -> None:
    subscriber, stays = client.subscriber, isinstance(message, p.Concede)
    await client.session.leave(subscriber.guest, stays=stays, subscriber=subscriber, n=message.n)


async def _remove(client: Client, message: p.Remove) -> None:
    await client.session.remove(client.subscriber.guest, message.guest, subscriber=client.subscriber, n=message.n)


async def _stand_in(client: Client, message: p.StandIn) -> None:
    await client.session.stand_in(client.subscriber.guest, message.guest, subscriber=client.subscriber, n=message.n)


async def _ready(client: Client, message: p.Ready) -> None:
    await client.session.set_ready(client.subscriber.guest, ready=message.ready)


async def _close_table(client: Client, message: p.CloseTable) -> None:
    await client.server.lobby.close_table(client.session, client.subscriber.guest)


async def _words(client: Client, message: p.React | p.Phrase | p.Chat) -> None:
    """A reaction, a phrase, or free text where the host allows it."""
    sort: RemarkSort
    if client.session.state.guests[client.subscriber.guest].muted:
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
        if not client.session.state.settings.chat:
            raise refuse("chat_is_off")
        if not what:
            raise refuse("empty_text", field="text")
        if len(what) > p.LONGEST_TEXT:
            raise refuse("text_too_long", field="text", most=p.LONGEST_TEXT)
    if not client.server.limits.allows("words", client.person):
        raise refuse("too_fast")
    client.session.announce(Remark(client.subscriber.guest, sort, what, client.session.clock.now()))


async def _explain(client: Client, message: p.Explain) -> None:
    current = acts.a_game_runs(client.session.state)
    player = current.player_of(client.subscriber.guest)
    if player is None:
        raise refuse("does_not_play")
    if current.paused_at is not None:
        raise refuse("paused")
    time = current.move_time(client.session.clock.now()) if current.game.timed else None
    why = current.game.explain(current.table, player, message.move, time)
    reason = {"clause": None, "message": None, "text": None} if why is None else why.as_json(player)
    warning, advice = None, client.session.state.kit.advice
    if why is None and advice is not None:
        tried = current.game.play(current.table, player, message.move, time)
        view = current.game.view(current.table, player)
        warning = _as_json(advice.warning(view, [each.seen_by(player) for each in tried.events]))
    client.answer(p.Explained(n=message.n, move=message.move[:200], legal=why is None, **reason, warning=warning))


async def _hint(client: Client, message: p.Hint) -> None:
    current = acts.a_game_runs(client.session.state)
    player = current.player_of(client.subscriber.guest)
    if player is None:
        raise refuse("does_not_play")
    if not client.server.limits.allows("thoughts", client.person):
        raise refuse("too_fast")
    if current.paused_at is not None:
        raise refuse("paused")
    view = current.game.view(current.table, player)
    kit = client.session.state.kit
    choice = await client.session.bots.choose(kit, kit.hints_from or kit.stand_in, view)
    if kit.hints_from and choice is not None and choice.thought is None:
        choice = await client.session.bots.choose(kit, kit.stand_in, view)
    move = None if choice is None else choice.move
    why = None if choice is None or kit.advice is None else kit.advice.reason(view, choice.move, choice.thought)
    client.answer(p.Hinted(n=message.n, move=move, why=_as_json(why)))


def _as_json(text: Text | None) -> TextForm | None:
    return None if text is None else text.as_json()


def _ping(client: Client, message: p.Ping) -> None:
    client.answer(p.Pong(n=message.n, sent=message.sent, now=client.session.clock.now()))


def _probed(client: Client, message: p.Probed) -> None:
    if client.subscriber.lag is not None:
        client.subscriber.lag.answered(message.mark, milliseconds())


def milliseconds() -> float:
    """A clock for durations."""
    return 1000 * asyncio.get_running_loop().time()


HANDLERS: dict[type, Handler] = {
    p.Hello: _hello,
    p.Change: _change,
    p.Leave: _leave,
    p.Concede: _leave,
    p.Remove: _remove,
    p.StandIn: _stand_in,
    p.Ready: _ready,
    p.CloseTable: _close_table,
    p.React: _words,
    p.Phrase: _words,
    p.Chat: _words,
    p.Explain: _explain,
    p.Hint: _hint,
}
ANSWERS: dict[type, Callable[[Client, Any], None]] = {p.Ping: _ping, p.Probed: _probed}
"""Handlers that never wait: every open page sends these messages again and again, so they cost no task."""
