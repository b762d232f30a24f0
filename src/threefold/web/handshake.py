"""The route of a table's socket: origin, limits, hello, identity, welcome. Then a Connection takes over."""

import asyncio
from typing import Any

import structlog
from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect

from threefold.game import Json, Refusal
from threefold.live.audience import Subscriber
from threefold.live.identity import SeatToken
from threefold.live.refusals import refuse
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.web import protocol as p
from threefold.web.close_codes import CloseCode
from threefold.web.connection import Connection, release
from threefold.web.encoding import decode, encode, refused_message
from threefold.web.guards import check_origin, find_table
from threefold.web.identity import address_of, find_person
from threefold.web.round_trip import longest_round_trip
from threefold.web.server import Server, server_of
from threefold.web.table_socket import TableSocket, table_socket_of

HELLO_WITHIN_S = 10

Socket = WebSocket[Any, Any, State]
_log = structlog.get_logger("threefold.web")


class NoPlace(Exception):
    """The server is nearly full, and the client has no seat at its table."""


@websocket("/api/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: str) -> None:
    """Opens one person's connection to one table."""
    server, carrier = server_of(socket), table_socket_of(socket.scope)
    if carrier is None:
        _log.error("the web server must be started with ws=threefold.web.table_socket:TableSocket")
        await socket.close(code=CloseCode.FAILED)
        return
    address = address_of(socket)
    try:
        check_origin(socket)
        server.limits.check("requests", address)
    except Refusal:
        await socket.close(code=CloseCode.FORBIDDEN)
        return
    if server.draining:  # the page connects again, to another process or to the next server
        await socket.close(code=CloseCode.RESTART, reason="restart")
        return
    await socket.accept()
    try:
        server.limits.open_address(address)
        await _open(socket, carrier, server, code, address)
    except Refusal as refusal:
        await _turn_away(socket, refusal)
    except (StoreDown, NoPlace):  # the page connects again later, and sends unacknowledged messages again
        await socket.close(code=CloseCode.TRY_LATER, reason="try again")
    except (WebSocketDisconnect, ConnectionError):
        return
    finally:
        del socket.receive, socket.send  # Litestar's reference cycles: without them the request is freed at once


async def _open(socket: Socket, carrier: TableSocket, server: Server, code: str, address: str) -> None:
    """From hello to welcome; then the connection is handed over, and this is done."""
    try:
        session, subscriber, token = await _attach(socket, carrier, server, code, address)
    except BaseException:
        server.limits.close_address(address)
        raise
    connection = Connection(server, session, subscriber, carrier)
    is_handed_over = False
    try:
        if not token.program:
            await server.lobby.store.visit(token.person, session.id)
        await _send(socket, _welcome(server, session, subscriber, token))
        if subscriber.lag is not None:
            subscriber.lag.longest = longest_round_trip(socket)
        is_handed_over = carrier.hand_over(connection)
    finally:
        if not is_handed_over:
            release(server, subscriber)
    if is_handed_over:
        connection.start()


async def _attach(
    socket: Socket, carrier: TableSocket, server: Server, code: str, address: str
) -> tuple[Session, Subscriber, SeatToken]:
    """Receives hello and makes the client a subscriber of its table."""
    hello = await _hello(socket)
    session = await find_table(socket, code)
    token = await _who(socket, server, session, hello)
    for person in (token.person, token.made_by):
        server.bans.check(person, address, server.lobby.clock.now())
    if server.limits.is_nearly_full(carrier.connection_count) and not _is_seated(session, token.person):
        raise NoPlace
    server.limits.open_person(token.person)
    try:
        subscriber = await session.attach(
            token.person, token.name, hello.client, hello.since, program=token.program, made_by=token.made_by
        )
    except BaseException:
        server.limits.close_person(token.person)
        raise
    server.subscribers[subscriber] = session, token.person, address
    return session, subscriber, token


async def _hello(socket: Socket) -> p.Hello:
    """The first message, which must come in time and speak our version of the protocol."""
    try:
        async with asyncio.timeout(HELLO_WITHIN_S):
            first = decode(await _receive(socket))
    except TimeoutError:
        raise refuse("hello_first") from None
    if not isinstance(first, p.Hello):
        raise refuse("hello_first", field="is")
    if first.protocol != p.PROTOCOL:
        raise refuse("other_protocol", field="protocol", given=first.protocol, allowed=p.PROTOCOL)
    if not 1 <= len(first.client) <= 40:
        raise refuse("bad_field", field="client", given="1 to 40 letters")
    return first


def _is_seated(session: Session, person: str) -> bool:
    guest = session.state.guest_of(person)
    return guest is not None and session.state.seat_of(guest) is not None


async def _who(socket: Socket, server: Server, session: Session, hello: p.Hello) -> SeatToken:
    """Identifies the client: by the token for this table, or by the cookie."""
    if hello.token is not None:
        token = server.signer.read_seat(hello.token)
        if token is None or not server.signer.is_for(token, session.id):
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
    return SeatToken(server.signer.table_mark(session.id), person.id, person.name, program=False)


def _welcome(server: Server, session: Session, subscriber: Subscriber, token: SeatToken) -> p.Welcome:
    return p.Welcome(
        protocol=p.PROTOCOL,
        code=session.state.code,
        you=subscriber.guest,
        name=session.state.guests[subscriber.guest].name,
        ack=subscriber.ack,
        now=session.clock.now(),
        token=server.signer.seat(token),
    )


async def _receive(socket: Socket) -> bytes | None:
    """The next message; None stands for binary data."""
    event: Json = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(detail="gone")
    text: str | None = event.get("text")
    return None if text is None else text.encode()


async def _send(socket: Socket, message: p.ServerMessage) -> None:
    await socket.send_data(encode(message).decode(), mode="text")


async def _turn_away(socket: Socket, refusal: Refusal) -> None:
    """Says why the conversation cannot begin, and closes."""
    try:
        await _send(socket, refused_message(refusal, 0))
        await socket.close(code=CloseCode.REFUSED, reason="refused")
    except (WebSocketDisconnect, ConnectionError, RuntimeError):
        return
