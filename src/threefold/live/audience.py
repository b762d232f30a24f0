"""Audience: the one way out of a table. It knows what each connection has been sent, and sends each what is new.

No messages are queued. A connection that cannot take more for a while misses nothing: when it is writable again it is
sent the table as it is then.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import structlog

from threefold.game import Json, Viewer
from threefold.live.current_game import CurrentGame
from threefold.live.notices import Announcement
from threefold.live.presence import Presence
from threefold.live.race import Lag
from threefold.live.report import json_views
from threefold.live.state import TableState

NOTES = 64
"""Answers kept for a connection that does not read; the oldest are dropped first."""

EventsByMove = list[tuple[int, bytes]]
"""Log entry and events (a JSON list) of each move."""

_log = structlog.get_logger("threefold.live")


class Update(msgspec.Struct, gc=False):
    """Everything that one connection has to be sent now."""

    seq: int
    ack: int
    notes: Sequence[Any] = ()
    table: Json = None
    """The table report, if it has changed."""
    view: bytes | None = None
    """The View as JSON, if it has changed; the fields after it go with it."""
    events: EventsByMove | None = None
    """None: more was missed than is kept."""
    game: int = 0
    time: int = 0
    turn_ends: int | None = None
    closed: str | None = None
    closed_words: str = ""


class Subscriber:
    """One connection to a table: whose it is, and what it has been sent."""

    __slots__ = ("ack", "client", "closed", "closed_words", "guest", "lag", "notes", "seen", "send",
                 "sent_ack", "table_version", "view_version", "viewer", "writable")  # fmt: skip

    def __init__(self, guest: int, client: str, seen: int, ack: int, lag: Lag | None) -> None:
        self.guest = guest
        self.client = client
        self.seen = seen
        """The last log entry whose events it has been sent."""
        self.ack = ack
        """The last message that was dealt with: accepted and durable, or refused."""
        self.lag = lag
        """Its round trips; only where games are played against time."""
        self.send: Callable[[Update], None] | None = None
        """Set by the connection; called when there is something new."""
        self.writable = True
        """Cleared by the connection under backpressure; see `Audience.resume`."""
        self.notes: list[Any] = []
        self.closed: str | None = None
        self.closed_words = ""
        self.sent_ack = self.table_version = self.view_version = -1
        self.viewer: Viewer = None


class Scene:
    """The game after one change, serialised for everybody who sees it."""

    __slots__ = ("events", "game", "now", "time", "turn_ends", "views")

    def __init__(self, game: int, views: dict[Viewer, bytes], turn_ends: int | None) -> None:
        self.game = game
        self.views = views
        self.events: dict[int, dict[Viewer, EventsByMove | None]] = {}
        """The events after an entry, by viewer."""
        self.turn_ends = turn_ends
        self.now = self.time = -1
        """The game time at `now`."""


class Audience:
    """The connections to one table in this process."""

    def __init__(
        self, state: TableState, presence: Presence, now: Callable[[], int], report: Callable[[], Json]
    ) -> None:
        self._state = state
        self._presence = presence
        self._now = now
        self._report = report
        self.subscribers: set[Subscriber] = set()
        self._table_version = 0
        self._view_version = 0
        self._queue: dict[Subscriber, None] = {}
        """Subscribers with news, in order."""
        self._all_queued = False
        self._flush_scheduled = False
        self._viewers: list[Viewer] | None = None
        """Everybody who sees the game, each once; None: to be found out."""
        self._scene: Scene | None = None
        """The game as it is now; None: to be serialised when somebody needs it."""
        self._shown_table: Json = None
        """The table report as it is now; None: to be made when somebody needs it. A flush makes it once for all."""

    def add(self, subscriber: Subscriber) -> None:
        """A connection is open; it is sent everything as soon as it has set `send`."""
        self.subscribers.add(subscriber)
        self._viewers = self._scene = None

    def remove(self, subscriber: Subscriber) -> None:
        """A connection is gone."""
        self.subscribers.discard(subscriber)
        self._viewers = self._scene = None

    # ------------------------------------------------------------ News

    def view_changed(self) -> None:
        """The game looks different now: everybody gets a new View."""
        self._view_version += 1
        self._scene = None
        self._queue_all()

    def table_changed(self) -> None:
        """Something about the table has changed: everybody gets a new report."""
        self._table_version += 1
        self._viewers = self._scene = self._shown_table = None
        self._queue_all()

    def broadcast(self, announcement: Announcement) -> None:
        """Sends everybody an announcement."""
        for subscriber in self.subscribers:
            self.note(subscriber, announcement)

    def note(self, subscriber: Subscriber, note: Any) -> None:
        """Sends one connection a message."""
        subscriber.notes.append(note)
        del subscriber.notes[:-NOTES]
        self._queue_one(subscriber)

    def acknowledge(self, subscriber: Subscriber, n: int) -> None:
        """A connection's message is dealt with."""
        subscriber.ack = max(subscriber.ack, n)
        self._queue_one(subscriber)

    def close(self, subscriber: Subscriber, reason: str, words: str = "") -> None:
        """Ends a connection, after sending it the reason."""
        subscriber.closed, subscriber.closed_words = reason, words
        self._queue_one(subscriber)

    def close_all(self, reason: str, words: str = "") -> None:
        """Ends all connections."""
        for subscriber in self.subscribers:
            self.close(subscriber, reason, words)

    # ------------------------------------------------------------ Sending

    def resume(self, subscriber: Subscriber) -> None:
        """The connection can be written to (again)."""
        subscriber.writable = True
        self._send_all([subscriber])

    def _queue_all(self) -> None:
        self._all_queued = True
        self._flush_soon()

    def _queue_one(self, subscriber: Subscriber) -> None:
        self._queue[subscriber] = None
        self._flush_soon()

    def _flush_soon(self) -> None:
        """News of one turn of the event loop is sent together, after it."""
        if not self._flush_scheduled:
            self._flush_scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        queue = list(self.subscribers if self._all_queued else self._queue)
        self._queue, self._all_queued, self._flush_scheduled = {}, False, False
        self._send_all(queue)

    def _send_all(self, subscribers: Sequence[Subscriber]) -> None:
        now = self._now()
        for subscriber in subscribers:
            self._send(subscriber, now)
        self._shown_table = None

    def _send(self, subscriber: Subscriber, now: int) -> None:
        if subscriber.send is None or not subscriber.writable:
            return
        try:
            update = self.update_for(subscriber, now)
            if update is not None:
                subscriber.send(update)
        except Exception as problem:  # noqa: BLE001 (a failing connection must not stop the others)
            _log.error("an update could not be sent", table=self._state.code, problem=repr(problem))

    def update_for(self, subscriber: Subscriber, now: int) -> Update | None:
        """What is new for a connection, which counts as sent from now on; None: nothing."""
        update = Update(self._state.seq, subscriber.ack)
        new = subscriber.sent_ack != subscriber.ack
        if subscriber.table_version != self._table_version:
            self._report_to(subscriber, update)
            new = True
        if subscriber.view_version != self._view_version and self._show(subscriber, now, update):
            new = True
        if subscriber.notes:
            update.notes, subscriber.notes = subscriber.notes, []
            new = True
        if subscriber.closed is not None:
            update.closed, update.closed_words = subscriber.closed, subscriber.closed_words
            new = True
        if not new:
            return None
        subscriber.seen, subscriber.sent_ack = update.seq, update.ack
        return update

    def _report_to(self, subscriber: Subscriber, update: Update) -> None:
        """Puts the table report into an update. Only with the table can a guest become another viewer."""
        subscriber.table_version = self._table_version
        if self._shown_table is None:
            self._shown_table = self._report()
        update.table = {**self._shown_table, "you": subscriber.guest}
        viewer = self._state.viewer(subscriber.guest)
        if subscriber.viewer != viewer:
            subscriber.viewer, subscriber.view_version = viewer, -1

    def _show(self, subscriber: Subscriber, now: int, update: Update) -> bool:
        """Puts the View and the events since the last one into an update; False if there is no game to see."""
        current = self._state.current
        if current is None or current.table is None:
            return False
        scene = self._scene or self._serialise(current)
        if scene.now != now:
            scene.now, scene.time = now, current.time(now)
        viewer, since = subscriber.viewer, subscriber.seen
        update.view, update.game, update.time = scene.views[viewer], scene.game, scene.time
        update.turn_ends = scene.turn_ends
        events = scene.events.get(since)
        if events is None:
            events = scene.events[since] = self._events_after(current, since)
        update.events = events[viewer]
        subscriber.view_version = self._view_version
        return True

    def _serialise(self, current: CurrentGame) -> Scene:
        """Serialises the Views of everybody here at once."""
        if self._viewers is None:
            self._viewers = list({current.player_of(each.guest) for each in self.subscribers})
        views = dict(zip(self._viewers, json_views(current, self._viewers), strict=True))
        clock, turn_ends = self._state.settings.turn_clock_s, None
        if clock and not current.game.timed and not current.is_over:
            turn_ends = max(current.turn_since, self._presence.loaded) + 1000 * clock
        self._scene = Scene(current.number, views, turn_ends)
        return self._scene

    def _events_after(self, current: CurrentGame, since: int) -> dict[Viewer, EventsByMove | None]:
        """By viewer, the events of the moves after an entry; None if not all are kept, or the game is hidden."""
        viewers = self._viewers or []
        if current.hidden or not current.events.all_after(since):
            return dict.fromkeys(viewers)
        by_viewer: dict[Viewer, EventsByMove | None] = {}
        moves = [
            (seq, current.serialiser.json_events(events, viewers))
            for seq, events in current.events.after(since, current.table)
        ]
        for i, viewer in enumerate(viewers):
            by_viewer[viewer] = [(seq, current.events.with_reason(seq, events[i])) for seq, events in moves]
        return by_viewer
