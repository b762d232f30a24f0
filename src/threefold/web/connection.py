"""Connection: one client's conversation with its table after welcome. It knows messages, not sockets.

Messages are handled one after the other. A refusal is an answer; a client that sends too fast is refused, and then
disconnected. A client that does not read is sent nothing until it reads again, and then the latest state.
"""

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from time import perf_counter
from typing import Protocol

import structlog

from threefold.game import Refusal
from threefold.live.acts import Act
from threefold.live.audience import Subscriber, Update
from threefold.live.refusals import refuse
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.web import protocol as p
from threefold.web.close_codes import CloseCode
from threefold.web.encoding import decode, encode, encode_update, is_text, number_of, refused_message
from threefold.web.handlers import ANSWERS, RATE_OF, Client, act_of, handle, milliseconds
from threefold.web.limits import FLOOD
from threefold.web.server import Server

PROBES_S = (0.2, 0.2, 0.2, 0.4, 1.0)
PROBE_EVERY_S = 2.0
"""Pauses between probes of the round trip: short at first, then this one."""

_log = structlog.get_logger("threefold.web")


class Carrier(Protocol):
    """What carries the messages: a TableSocket."""

    def send(self, texts: Sequence[bytes], /) -> None:
        """Sends text messages, in this order."""

    def close(self, code: int, reason: str, /) -> None:
        """Ends the connection and drops messages that wait."""

    def pause(self) -> None:
        """Holds further messages back."""

    def resume(self) -> None:
        """Delivers what was held back."""


class Connection:
    """From welcome to goodbye. The carrier calls `receive`, `pause_writing`, `resume_writing` and `lost`."""

    __slots__ = ("_began", "_carrier", "_count", "_ended", "_message", "_refused_as_flood", "_server", "_session",
                 "_subscriber", "_window_ends")  # fmt: skip

    def __init__(self, server: Server, session: Session, subscriber: Subscriber, carrier: Carrier) -> None:
        self._server, self._session, self._subscriber, self._carrier = server, session, subscriber, carrier
        self._message: p.ClientMessage | None = None
        """The message that is being handled."""
        self._began = self._window_ends = 0.0
        self._count = self._refused_as_flood = 0
        self._ended = False
        """Nothing more is sent; the subscriber is released when the current message is done."""

    # ------------------------------------------------------------ Beginning and end

    def start(self) -> None:
        """Begins to send updates and to receive messages."""
        self._subscriber.send = self._send_update
        if self._subscriber.lag is not None and self._session.window:
            self._probe(chain(PROBES_S, repeat(PROBE_EVERY_S)))
        self._session.audience.resume(self._subscriber)
        self._carrier.resume()

    def lost(self) -> None:
        """The client has gone."""
        self._end()

    def hang_up(self, code: CloseCode, reason: str) -> None:
        """Ends the connection from this side."""
        if not self._ended:
            self._carrier.close(code, reason)
            self._end()

    def _end(self) -> None:
        self._ended = True
        self._subscriber.send = None
        if self._message is None:
            release(self._server, self._subscriber)

    # ------------------------------------------------------------ Messages

    def receive(self, text: bytes | None) -> None:
        """Handles a message; None stands for binary data. The next one waits until this one is done."""
        if self._ended or self._subscriber.closed is not None:
            return
        self._began = perf_counter()
        if self._is_too_fast(self._began):
            self._refuse_flood(text)
            return
        try:
            message = decode(text)
        except Refusal as refusal:
            self._refuse_unreadable(text, refusal)
            return
        self._message = message
        if message.n and message.n <= self._subscriber.ack:
            self._acknowledge(message.n)
            self._done(None)
        elif self._asks_too_often(message):
            self._done(refuse("too_fast"))
        elif (act := act_of(self._session, self._subscriber, message)) is not None:
            self._submit(act, message.n)
        elif (answer := ANSWERS.get(type(message))) is not None:
            answer(self._client, message)
            self._acknowledge(message.n)
            self._done(None)
        else:
            self._handle_in_task(message)
        if self._message is not None:
            self._carrier.pause()

    def _is_too_fast(self, now: float) -> bool:
        most, seconds = self._server.limits.messages
        if now >= self._window_ends:
            self._window_ends, self._count = now + seconds, 0
        self._count += 1
        return self._count > most

    def _asks_too_often(self, message: p.ClientMessage) -> bool:
        """Does this person exceed the limit for messages of this kind?"""
        kind = RATE_OF.get(type(message))
        return kind is not None and not self._server.limits.allows(kind, self._person)

    def _handle_in_task(self, message: p.ClientMessage) -> None:
        task = asyncio.create_task(self._handle(message))
        self._server.answering.add(task)
        task.add_done_callback(self._handled)

    async def _handle(self, message: p.ClientMessage) -> None:
        """Runs the handler. A refusal must be noted in the same step, before the message can be acknowledged."""
        try:
            await handle(self._client, message)
        except Refusal as refusal:
            self._done(refusal)
        else:
            self._done(None)

    def _handled(self, task: asyncio.Task[None]) -> None:
        self._server.answering.discard(task)
        problem = asyncio.CancelledError() if task.cancelled() else task.exception()
        if problem is not None:
            self._done(problem)

    def _done(self, problem: BaseException | None) -> None:
        """The current message was handled, or could not be."""
        message, self._message = self._message, None
        if problem is None:
            self._measure(message, None)
        else:
            self._failed(message, problem)
        if self._ended:
            release(self._server, self._subscriber)
        self._carrier.resume()

    def _measure(self, message: p.ClientMessage | None, refusal: str | None) -> None:
        table = self._session.state
        seconds = perf_counter() - self._began
        self._server.measures.handled(table.game, table.code, type(message).__name__, seconds, refusal)

    # ------------------------------------------------------------ Refusals and failures

    def _failed(self, message: p.ClientMessage | None, problem: BaseException) -> None:
        if isinstance(problem, Refusal):
            problem.__traceback__ = None  # its frames refer to it: without them it is freed at once
            n = 0 if message is None else message.n
            self._measure(message, problem.text.key)
            self._refuse(problem, n)
            self._acknowledge(n)
        elif isinstance(problem, StoreDown | asyncio.CancelledError):
            if isinstance(problem, StoreDown):
                self._carrier.send([encode(refused_message(refuse("store_down"), 0))])
            self.hang_up(CloseCode.TRY_LATER, "try again")  # the page sends unacknowledged messages again
        else:
            _log.error("message failed", exc_info=problem)
            self.hang_up(CloseCode.FAILED, "failed")

    def _refuse_unreadable(self, text: bytes | None, refusal: Refusal) -> None:
        """Refuses a message and acknowledges its number, if it has one. Text that is not UTF-8 ends the connection."""
        if text is not None and not is_text(text):
            self.hang_up(CloseCode.NOT_UTF8, "")
            return
        self._measure(None, refusal.text.key)
        n = number_of(text)
        self._refuse(refusal, n)
        self._acknowledge(n)

    def _refuse_flood(self, text: bytes | None) -> None:
        self._refused_as_flood += 1
        if self._refused_as_flood > FLOOD:
            self.hang_up(CloseCode.FLOOD, "flood")
        else:
            self._refuse_unreadable(text, refuse("too_fast"))

    # ------------------------------------------------------------ Contact with the session

    def _submit(self, act: Act, n: int) -> None:
        subscriber = self._subscriber
        self._session.submit_soon(subscriber.guest, act, self._done, subscriber=subscriber, n=n)

    @property
    def _client(self) -> Client:
        return Client(self._server, self._session, self._subscriber, self._person)

    @property
    def _person(self) -> str:
        return self._server.subscribers[self._subscriber][1]

    def _acknowledge(self, n: int) -> None:
        self._session.audience.acknowledge(self._subscriber, n)

    def _refuse(self, refusal: Refusal, n: int) -> None:
        self._session.audience.note(self._subscriber, refused_message(refusal, n))

    def pause_writing(self) -> None:
        """The client does not read, or not fast enough: updates wait."""
        self._subscriber.writable = False

    def resume_writing(self) -> None:
        """The client reads again, and is sent the present state."""
        self._session.audience.resume(self._subscriber)

    def _send_update(self, update: Update) -> None:
        self._carrier.send(encode_update(update))
        if update.closed is not None:
            self.hang_up(CloseCode.TABLE_CLOSED, update.closed)

    # ------------------------------------------------------------ Round trip

    def _probe(self, pauses: Iterator[float]) -> None:
        """Measures the round trip to this client, again and again until the end."""
        lag = self._subscriber.lag
        if self._ended or lag is None:
            return
        if self._subscriber.writable:
            self._carrier.send([encode(p.Probe(mark=lag.probe(milliseconds())))])
        asyncio.get_running_loop().call_later(next(pauses), partial(self._probe, pauses))


def release(server: Server, subscriber: Subscriber) -> None:
    """Takes a subscriber off its table and off the limits; does nothing the second time."""
    entry = server.subscribers.pop(subscriber, None)
    if entry is not None:
        session, person, address = entry
        session.detach(subscriber)
        server.limits.close_person(person)
        server.limits.close_address(address)
