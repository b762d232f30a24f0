"""The socket of a table: messages in, what the table tells out. Thin: the table itself knows no sockets."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import chain, repeat
from time import perf_counter
from typing import Any, Literal

import msgspec
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from threefold.game import Json, Refusal
from threefold.live import acts
from threefold.live.calls import Lag, Lost
from threefold.live.identity import SeatToken
from threefold.live.refusals import refuse
from threefold.live.session import Act, Line, Session, Update
from threefold.live.store import StoreDown
from threefold.live.thinking import stand_in
from threefold.web import protocol as p
from threefold.web.hall import Hall, address_of, check_origin, hall_of, somebody
from threefold.web.limits import FLOOD, LARGEST_MESSAGE
from threefold.web.problems import field_problem, problem_of
from threefold.web.quick import quick_socket
from threefold.web.wire import longest_way

HELLO_WITHIN_S = 10
CLOSED, REFUSED, FLOODED, LATER, RESTART = 4000, 4001, 4008, 1013, 1012
TAKEN = ("set.refusal.taken", "set.refusal.somebody_has_control", "live.refusal.quicker")
"""Somebody was quicker: told apart from a mistake, and never punished."""
PROBES_S = (0.2, 0.2, 0.2, 0.4, 1.0)
PROBE_EVERY_S = 2.0
"""How long after one probe the next is sent: often at first, then every few seconds."""
LARGEST_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""

Socket = WebSocket[Any, Any, State]
_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[p.Asked] = msgspec.json.Decoder(p.Asked)


@websocket("/api/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: str) -> None:
    """One person's line to one table, from hello to goodbye."""
    hall = hall_of(socket)
    try:
        check_origin(socket)
        hall.limits.check("codes", address_of(socket))
    except Refusal:
        await socket.close(code=1008)
        return
    if hall.draining:  # the page tries again, and comes to another process or to the next server
        await socket.close(code=RESTART, reason="restart")
        return
    await socket.accept()
    try:
        await _converse(socket, hall, code)
    except Refusal as refused:
        await _goodbye(socket, refused)
    except StoreDown:  # the page comes back, and sends again what was not acknowledged
        await socket.close(code=LATER, reason="try again")
    except (WebSocketDisconnect, ConnectionError):
        return


async def _converse(socket: Socket, hall: Hall, code: str) -> None:
    try:
        async with asyncio.timeout(HELLO_WITHIN_S):
            first = read(await _receive(socket))
    except TimeoutError:
        raise refuse("hello_first") from None
    if not isinstance(first, p.Hello):
        raise refuse("hello_first", field="is")
    if first.protocol != p.PROTOCOL:
        raise refuse("other_protocol", field="protocol", given=first.protocol, allowed=p.PROTOCOL)
    if not 1 <= len(first.client) <= 40:
        raise refuse("bad_field", field="client", given="1 to 40 letters")
    session = await hall.lobby.session(code)
    token = await _who(socket, hall, session, first)
    hall.bans.check(token.person, address_of(socket), hall.lobby.time.now())
    with hall.limits.socket(address_of(socket), token.person):
        line = await session.attach(token.person, token.name, first.client, first.since, program=token.program)
        hall.lines[line] = session, token.person, address_of(socket)
        tasks: list[asyncio.Task[None]] = []
        teller: Teller | None = None
        try:
            if not token.program:
                await hall.lobby.store.visit(token.person, session.id)
            await _send(socket, _welcome(hall, session, line, token))
            teller = Teller(socket, session, line)
            if line.lag is not None and session.window:
                line.lag.longest = partial(longest_way, socket)
                tasks.append(asyncio.create_task(_probe(socket, line.lag)))
            await _listen(socket, hall, session, line, token.person)
        finally:
            session.detach(line)
            del hall.lines[line]
            if teller is not None:
                tasks += teller.stop()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _who(socket: Socket, hall: Hall, session: Session, hello: p.Hello) -> SeatToken:
    """Who speaks: by the token for this table, or by the cookie."""
    if hello.token is not None:
        token = hall.signer.read_seat(hello.token)
        if token is None or token.table != session.id:
            raise refuse("bad_token", field="token")
        if token.program:
            return token
        person = await hall.lobby.store.person(token.person)
        if person is None:
            raise refuse("bad_token", field="token")
    else:
        person = await somebody(socket)
    if person is None:
        raise refuse("no_person", field="token")
    return SeatToken(session.id, person.id, person.name, program=False)


def _welcome(hall: Hall, session: Session, line: Line, token: SeatToken) -> p.Welcome:
    return p.Welcome(
        protocol=p.PROTOCOL,
        code=session.sitting.code,
        you=line.guest,
        name=session.sitting.guests[line.guest].name,
        ack=line.dealt,
        now=session.time.now(),
        token=hall.signer.seat(token),
    )


# ---------------------------------------------------------------- In


async def _receive(socket: Socket) -> str | None:
    """The next message; None for bytes, which nobody should send."""
    quick = quick_socket(socket.scope)
    event: Json = await (socket.receive() if quick is None else quick.receive())
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="gone")
    text: str | None = event.get("text")
    return text


def read(text: str | None) -> p.Asked:
    """The message that a text is; a refusal names the field that is wrong."""
    if text is None:
        raise refuse("not_text", field="message")
    if len(text) > LARGEST_MESSAGE:
        raise refuse("too_large", field="message", most=LARGEST_MESSAGE)
    try:
        message = _decoder.decode(text)
    except msgspec.ValidationError as problem:
        field, complaint = field_problem(str(problem))
        raise refuse("bad_field", field=field, given=complaint) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        raise refuse("not_json", field="message", given=str(problem)[:80]) from None
    if not 0 <= message.n <= LARGEST_NUMBER:
        raise refuse("bad_field", field="n", given=f"a number from 0 to {LARGEST_NUMBER}")
    return message


async def _listen(socket: Socket, hall: Hall, session: Session, line: Line, person: str) -> None:
    """Takes messages one after the other, so that acks can be cumulative; a mistake is answered, a flood is not."""
    too_fast, in_time = 0, hall.limits.counter("messages", f"{person} {line.client}")
    while line.closed is None:
        text = await _receive(socket)
        n, message, began = 0, None, perf_counter()
        try:
            if not in_time():
                too_fast += 1
                if too_fast > FLOOD:
                    await socket.close(code=FLOODED, reason="flood")
                    return
                n = number_of(text)
                raise refuse("too_fast")
            message = read(text)
            n = message.n
            await _do(hall, session, line, person, message)
            measured(hall, session, message, began, None)
        except Refusal as refused:
            measured(hall, session, message, began, refused.text.key)
            line.note(refusal_note(refused, n or number_of(text)))
            session.dealt_with(line, n)


def measured(hall: Hall, session: Session, message: p.Asked | None, began: float, refusal: str | None) -> None:
    """One message more was dealt with."""
    table = session.sitting
    hall.measures.dealt(table.game, table.code, type(message).__name__, perf_counter() - began, refusal)


def number_of(text: str | None) -> int:
    """The number of a message that cannot be read, if it has one."""
    try:
        found = msgspec.json.decode(text or "", type=dict[str, Any]).get("n", 0)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0
    return found if isinstance(found, int) and 0 <= found <= LARGEST_NUMBER else 0


def refusal_note(refused: Refusal, n: int) -> p.Refused:
    """A refusal as the page is told."""
    problem = problem_of(refused)
    return p.Refused(
        n=n,
        clause=problem.clause,
        message=problem.message,
        text=problem.text,
        field=problem.field,
        taken=refused.text.key in TAKEN,
    )


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


async def _do(hall: Hall, session: Session, line: Line, person: str, message: p.Asked) -> None:
    n = message.n
    if n and n <= line.dealt:
        session.dealt_with(line, n)
        return
    if isinstance(message, p.Move):
        await session.move(line, message.move, message.game, n)
        return
    act = ACTS.get(type(message))
    if act is not None:
        await session.submit(line.guest, act(message), line, n)
        if isinstance(message, p.Change) and message.settings is not None:
            await hall.lobby.store.relist(session.id, listed=message.settings.listed)
        return
    await OTHERS[type(message)](hall, session, line, person, message)
    session.dealt_with(line, n)


Other = Callable[[Hall, Session, Line, str, Any], Awaitable[None]]


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
    told = {"clause": None, "message": None, "text": None} if why is None else why.as_json(player)
    line.note(p.Explained(n=message.n, move=message.move[:200], legal=why is None, **told))


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
        line.lag.answered(message.mark, _milliseconds())


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


# ---------------------------------------------------------------- Out


async def _send(socket: Socket, message: p.Told) -> None:
    await socket.send_data(_encode(message).decode(), mode="text")


def _milliseconds() -> float:
    """A clock that only measures how long things take."""
    return 1000 * asyncio.get_running_loop().time()


async def _probe(socket: Socket, lag: Lag) -> None:
    """Measures the way to this page and back, again and again, as long as the line is open."""
    for pause in chain(PROBES_S, repeat(PROBE_EVERY_S)):
        await _send(socket, p.Probe(mark=lag.ask(_milliseconds())))
        await asyncio.sleep(pause)


class Teller:
    """Tells a line what is new. Who does not read is told nothing until they do, and then how things stand."""

    def __init__(self, socket: Socket, session: Session, line: Line) -> None:
        self._socket, self._session, self._line = socket, session, line
        self._loop = asyncio.get_running_loop()
        self._quick = quick_socket(socket.scope)
        self._patient: asyncio.Task[None] | None = None
        line.ring = self._tell
        self._loop.call_soon(self._tell)

    def stop(self) -> list[asyncio.Task[None]]:
        """Says nothing more; gives what has still to end."""
        self._line.ring = None
        return [] if self._patient is None else [self._patient]

    def _tell(self) -> None:
        """At once if that can be; where it may take its time, in a task of its own."""
        if self._line.ring is None or (self._patient is not None and not self._patient.done()):
            return
        if self._quick is None or not self._quick.free or self._line.closed is not None:
            self._patient = asyncio.create_task(self._tell_patiently())
            return
        update = self._session.update(self._line)
        if update is not None:
            self._quick.tell([_encode(message) for message in messages_of(update)])

    async def _tell_patiently(self) -> None:
        try:
            while self._line.woken:
                if self._quick is not None:
                    await self._quick.writable.wait()
                update = self._session.update(self._line)
                if update is None:
                    continue
                for message in messages_of(update):
                    await _send(self._socket, message)
                if update.closed is not None:
                    await self._socket.close(code=CLOSED, reason=update.closed)
        except (WebSocketDisconnect, ConnectionError, RuntimeError):  # whoever listens notices, too
            return


def messages_of(update: Update) -> list[p.Told]:
    """What a line has to be told, as messages; a refusal before the ack that covers it, for lines break in between."""
    told: list[p.Told] = [refusal_note(each.why, each.n) if isinstance(each, Lost) else each for each in update.notes]
    if update.table is not None:
        told.append(
            msgspec.convert({**update.table, "seq": update.seq, "ack": update.ack, "is": "table"}, p.TableShown)
        )
    if update.view is not None:
        told.append(
            p.ViewShown(
                seq=update.seq,
                ack=update.ack,
                game=update.number,
                view=msgspec.Raw(update.view),  # type: ignore[arg-type]  # encoded once for all who see the same
                events=None if update.happened is None else msgspec.Raw(update.happened),  # type: ignore[arg-type]
                time=update.time,
                turn_ends=update.turn_ends,
            )
        )
    if update.table is None and update.view is None:
        told.append(p.Ack(ack=update.ack, seq=update.seq))
    if update.closed is not None:
        told.append(p.Bye(reason=update.closed, words=update.words))
    return told


async def _goodbye(socket: Socket, refused: Refusal) -> None:
    """Why the conversation could not begin."""
    try:
        await _send(socket, refusal_note(refused, 0))
        await socket.close(code=REFUSED, reason="refused")
    except (WebSocketDisconnect, ConnectionError, RuntimeError):
        return
