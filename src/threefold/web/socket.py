"""The socket of a table: hello and welcome. Thin: what follows is a talk, and the table itself knows no sockets."""

import asyncio
from typing import Any

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from threefold.game import Json, Refusal
from threefold.live.identity import SeatToken
from threefold.live.refusals import refuse
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.live.telling import Line
from threefold.web import protocol as p
from threefold.web.asked import read
from threefold.web.guards import check_origin
from threefold.web.identity import address_of, find_person
from threefold.web.quick import quick_socket
from threefold.web.server import Server, server_of
from threefold.web.talk import LATER, REFUSED, RESTART, Talk
from threefold.web.told import encode, refusal_note
from threefold.web.wire import longest_way

HELLO_WITHIN_S = 10

Socket = WebSocket[Any, Any, State]


@websocket("/api/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: str) -> None:
    """One person's line to one table, from hello to goodbye."""
    server = server_of(socket)
    try:
        check_origin(socket)
        server.limits.check("codes", address_of(socket))
    except Refusal:
        await socket.close(code=1008)
        return
    if server.draining:  # the page tries again, and comes to another process or to the next server
        await socket.close(code=RESTART, reason="restart")
        return
    await socket.accept()
    try:
        await _converse(socket, server, code)
    except Refusal as refused:
        await _goodbye(socket, refused)
    except StoreDown:  # the page comes back, and sends again what was not acknowledged
        await socket.close(code=LATER, reason="try again")
    except (WebSocketDisconnect, ConnectionError):
        return


async def _converse(socket: Socket, server: Server, code: str) -> None:
    """From hello to welcome. Where the server is ours the connection is then handed over, and this is done."""
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
    session = await server.lobby.session(code)
    token = await _who(socket, server, session, first)
    address = address_of(socket)
    server.bans.check(token.person, address, server.lobby.time.now())
    server.limits.open_socket(address, token.person)
    try:
        line = await session.attach(token.person, token.name, first.client, first.since, program=token.program)
    except BaseException:
        server.limits.close_socket(address, token.person)
        raise
    server.lines[line] = session, token.person, address
    talk: Talk | None = None
    try:
        if not token.program:
            await server.lobby.store.visit(token.person, session.id)
        await _send(socket, _welcome(server, session, line, token))
        if line.lag is not None:
            line.lag.longest = longest_way(socket)
        quick = quick_socket(socket.scope)
        if quick is not None:
            talk = quick.hand_over(server, session, line)
            del socket.receive, socket.send  # rings of references: without them all of it is gone at once
        else:
            talk = long = LongTalk(server, session, line, socket)
            await long.go_on()
    finally:
        if talk is None:
            Talk(server, session, line).leave()


async def _who(socket: Socket, server: Server, session: Session, hello: p.Hello) -> SeatToken:
    """Who speaks: by the token for this table, or by the cookie."""
    if hello.token is not None:
        token = server.signer.read_seat(hello.token)
        if token is None or token.table != session.id:
            raise refuse("bad_token", field="token")
        if token.program:
            return token
        person = await server.lobby.store.person(token.person)
        if person is None:
            raise refuse("bad_token", field="token")
    else:
        person = await find_person(socket)
    if person is None:
        raise refuse("no_person", field="token")
    return SeatToken(session.id, person.id, person.name, program=False)


def _welcome(server: Server, session: Session, line: Line, token: SeatToken) -> p.Welcome:
    return p.Welcome(
        protocol=p.PROTOCOL,
        code=session.sitting.code,
        you=line.guest,
        name=session.sitting.guests[line.guest].name,
        ack=line.dealt,
        now=session.time.now(),
        token=server.signer.seat(token),
    )


async def _receive(socket: Socket) -> bytes | None:
    """The next message; None for bytes, which nobody should send."""
    event: Json = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="gone")
    text: str | None = event.get("text")
    return None if text is None else text.encode()


async def _send(socket: Socket, message: p.ServerMessage) -> None:
    await socket.send_data(encode(message).decode(), mode="text")


async def _goodbye(socket: Socket, refused: Refusal) -> None:
    """Why the conversation could not begin."""
    try:
        await _send(socket, refusal_note(refused, 0))
        await socket.close(code=REFUSED, reason="refused")
    except (WebSocketDisconnect, ConnectionError, RuntimeError):
        return


class LongTalk(Talk):
    """A talk by way of any web server: one task hears, another tells."""

    __slots__ = ("_closing", "_reads", "_socket", "_texts", "_texts_wait")

    def __init__(self, server: Server, session: Session, line: Line, socket: Socket) -> None:
        super().__init__(server, session, line)
        self._socket = socket
        self._texts: list[bytes] = []
        self._texts_wait = asyncio.Event()
        self._reads = asyncio.Event()
        self._reads.set()
        self._closing: tuple[int, str] | None = None

    async def go_on(self) -> None:
        """Until one of both sides ends it."""
        tasks = [asyncio.create_task(each) for each in (self._hears(), self._tells())]
        try:
            self.begin()
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _hears(self) -> None:
        try:
            while True:
                await self._reads.wait()
                self.hear(await _receive(self._socket))
        except (WebSocketDisconnect, ConnectionError):
            return

    async def _tells(self) -> None:
        try:
            while True:
                await self._texts_wait.wait()
                texts, self._texts = self._texts, []
                for text in texts:
                    await self._socket.send_data(text.decode(), mode="text")
                if self._closing is not None:
                    await self._socket.close(code=self._closing[0], reason=self._closing[1])
                    return
                self._texts_wait.clear()
                self.stuck = False
                if self.line.woken:
                    self.tell()
        except (WebSocketDisconnect, ConnectionError, RuntimeError):  # whoever hears notices, too
            return

    def send(self, text: bytes) -> None:
        """After what was sent before."""
        self.send_all([text])

    def send_all(self, texts: list[bytes]) -> None:
        """As soon as the web server takes it; until then nothing more is told."""
        self._texts += texts
        self.stuck = True
        self._texts_wait.set()

    def close(self, code: int, reason: str) -> None:
        """After what was sent before."""
        self._closing = code, reason
        self._texts_wait.set()

    def read_on(self, *, reads: bool) -> None:
        """Whether more is asked for."""
        (self._reads.set if reads else self._reads.clear)()
