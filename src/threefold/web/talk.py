"""Talk: one line's messages, dealt with one after the other, and what its table tells. It knows no sockets."""

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import chain, repeat
from time import perf_counter

import structlog

from threefold.game import Refusal
from threefold.live.refusals import refuse
from threefold.live.session import Session
from threefold.live.store import StoreDown
from threefold.live.telling import Line
from threefold.web import protocol as p
from threefold.web.asked import do, milliseconds, number_of, read
from threefold.web.limits import FLOOD
from threefold.web.server import Server
from threefold.web.told import encode, messages_of, refusal_note

CLOSED, REFUSED, FLOODED, LATER, RESTART = 4000, 4001, 4008, 1013, 1012
NO_TEXT, FAILED = 1007, 1011
MOST_WAITING = 8
"""So many messages wait before no more are read."""
PROBES_S = (0.2, 0.2, 0.2, 0.4, 1.0)
PROBE_EVERY_S = 2.0
"""How long after one probe the next is sent: often at first, then every few seconds."""

_log = structlog.get_logger("threefold.web")


class Talk:
    """From welcome to goodbye. Who does not read is told nothing until they do, and then how things stand.

    What carries the messages says what is heard (`hear`), whether the other side reads (`stuck`), and that it has
    gone (`leave`); it sends texts, closes, and stops reading for a while.
    """

    __slots__ = (
        "_began",
        "_busy",
        "_count",
        "_going_on",
        "_message",
        "_until",
        "_waiting",
        "gone",
        "line",
        "server",
        "session",
        "stuck",
        "too_fast",
    )  # fmt: skip

    def __init__(self, server: Server, session: Session, line: Line) -> None:
        self.server, self.session, self.line = server, session, line
        self._busy = self._going_on = False
        self._message: p.ClientMessage | None = None
        self._began = self._until = 0.0
        self._count = self.too_fast = 0
        self._waiting: list[bytes | None] | None = None
        self.stuck = False
        self.gone = False
        """Nobody is there to be told anything; it ends when all is done that was sent before."""

    # ------------------------------------------------------------ What carries it

    def send(self, text: bytes) -> None:
        """Sends a text to the other side."""
        raise NotImplementedError

    def send_all(self, texts: list[bytes]) -> None:
        """Sends several, in this order."""
        raise NotImplementedError

    def close(self, code: int, reason: str) -> None:
        """Ends the connection, and says why."""
        raise NotImplementedError

    def read_on(self, *, reads: bool) -> None:
        """Whether more is to be read for now."""
        raise NotImplementedError

    # ------------------------------------------------------------ Coming and going

    def begin(self) -> None:
        """From now on the line is told what is new."""
        self.line.ring, self.line.show = self.tell, self.show
        if self.line.lag is not None and self.session.window:
            self._probe(chain(PROBES_S, repeat(PROBE_EVERY_S)))
        self.tell()

    def leave(self, *, at_once: bool = False) -> None:
        """The other side has gone, but what it has sent is still done; `at_once`: only what has begun."""
        self.gone = True
        self.line.ring = self.line.show = None
        if at_once:
            self._waiting = None
        if not self._busy and not self._going_on:
            self._go_on()

    def hang_up(self, code: int, reason: str) -> None:
        """The table's side ends it."""
        if not self.gone:
            self.close(code, reason)
            self.leave(at_once=True)

    def _end(self) -> None:
        """The line is no more."""
        found = self.server.lines.pop(self.line, None)
        if found is not None:
            self.session.detach(self.line)
            self.server.limits.close_socket(found[2], found[1])

    # ------------------------------------------------------------ In

    def hear(self, text: bytes | None) -> None:
        """A message; None for bytes, which nobody should send."""
        if self.gone:
            return
        if self._busy:
            if self._waiting is None:
                self._waiting = []
            self._waiting.append(text)
            if len(self._waiting) == MOST_WAITING + 1:
                self.read_on(reads=False)
            return
        self._deal(text)

    def _go_on(self) -> None:
        """Deals with what waits; then more may be read, or it is over."""
        self._going_on = True
        while self._waiting and not self._busy:
            self._deal(self._waiting.pop(0))
        self._going_on = False
        if self._busy:
            return
        if self._waiting is not None:
            self._waiting = None
            if not self.gone:
                self.read_on(reads=True)
        if self.gone:
            self._end()

    def _deal(self, text: bytes | None) -> None:
        """A mistake is answered, a flood is not."""
        line = self.line
        if line.closed is not None:
            return
        self._busy = True
        self._began = began = perf_counter()
        most, seconds = self.server.limits.messages
        if began >= self._until:
            self._until, self._count = began + seconds, 0
        self._count += 1
        if self._count > most:
            self._flooded(text)
            return
        try:
            message = read(text)
        except Refusal as refused:
            self._misread(text, refused, 0)
            return
        self._message = message
        n = message.n
        if n and n <= line.dealt:
            self.session.dealt_with(line, n)
            self._done(None)
        elif type(message) is p.Move:
            self.session.move_soon(line, message.move, message.game, n, self._done)
        else:
            self._ask(message)

    def _ask(self, message: p.ClientMessage) -> None:
        """What is rare may take a task."""
        task = asyncio.create_task(self._do(message))
        self.server.answering.add(task)
        task.add_done_callback(self._answered)

    async def _do(self, message: p.ClientMessage) -> None:
        """In one go to its end: a refusal must be there before anybody is told that the message was dealt with."""
        refused: Refusal | None = None
        try:
            await do(self.server, self.session, self.line, self.server.lines[self.line][1], message)
        except Refusal as found:
            refused = found
        self._done(refused)

    def _answered(self, task: asyncio.Task[None]) -> None:
        self.server.answering.discard(task)
        problem = asyncio.CancelledError() if task.cancelled() else task.exception()
        if problem is not None:
            self._done(problem)

    def _done(self, problem: BaseException | None) -> None:
        """A message was dealt with, or could not be."""
        message, self._message = self._message, None
        self._busy = False
        if problem is None:
            self._measure(message, None)
        else:
            self._failed(message, problem)
        if (self._waiting is not None or self.gone) and not self._going_on:
            self._go_on()

    def _measure(self, message: p.ClientMessage | None, refusal: str | None) -> None:
        """One message more was dealt with."""
        table = self.session.sitting
        took = perf_counter() - self._began
        self.server.measures.dealt(table.game, table.code, type(message).__name__, took, refusal)

    # ------------------------------------------------------------ What goes wrong

    def _failed(self, message: p.ClientMessage | None, problem: BaseException) -> None:
        if isinstance(problem, Refusal):
            n = 0 if message is None else message.n
            self._measure(message, problem.text.key)
            self.line.note(refusal_note(problem, n))
            self.session.dealt_with(self.line, n)
        elif isinstance(problem, StoreDown | asyncio.CancelledError):
            self.hang_up(LATER, "try again")  # the page comes back, and sends again what was not acknowledged
        else:
            _log.error("message failed", exc_info=problem)
            self.hang_up(FAILED, "failed")

    def _misread(self, text: bytes | None, refused: Refusal, n: int) -> None:
        """What is no text at all ends the conversation; other mistakes are answered."""
        self._busy = False
        if text is not None and not is_text(text):
            self.hang_up(NO_TEXT, "")
            return
        self._measure(None, refused.text.key)
        self.line.note(refusal_note(refused, n or number_of(text)))
        self.session.dealt_with(self.line, n)

    def _flooded(self, text: bytes | None) -> None:
        self.too_fast += 1
        if self.too_fast > FLOOD:
            self._busy = False
            self.hang_up(FLOODED, "flood")
        else:
            self._misread(text, refuse("too_fast"), number_of(text))

    # ------------------------------------------------------------ Out

    def tell(self) -> None:
        """Tells what is new, unless the other side does not read."""
        if self.stuck or self.gone:
            return
        update = self.session.update(self.line)
        if update is None:
            return
        self.send_all([encode(each) for each in messages_of(update)])
        if update.closed is not None:
            self.hang_up(CLOSED, update.closed)

    def show(self, view: bytes) -> bool:
        """Tells that the game has gone on; False if the other side does not read."""
        if self.stuck or self.gone:
            return False
        self.send(view)
        return True

    def _probe(self, pauses: Iterator[float]) -> None:
        """Measures the way to this page and back, again and again, as long as the line is open."""
        lag = self.line.lag
        if self.gone or lag is None:
            return
        if not self.stuck:
            self.send(encode(p.Probe(mark=lag.ask(milliseconds()))))
        asyncio.get_running_loop().call_later(next(pauses), partial(self._probe, pauses))


def is_text(found: bytes) -> bool:
    """Whether bytes are text at all."""
    try:
        found.decode()
    except UnicodeDecodeError:
        return False
    return True
