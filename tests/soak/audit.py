"""The audit compares what clients recorded with the log. Each guarantee is one function:

- every acknowledged message is in the log exactly once, and no refused message is
- the log has no gap, and only messages that somebody sent; compaction (`live/compaction.py`) leaves gaps, but only
  among entries of an age that no campaign reaches
- every contested call is settled once, and the late players are told
- a message that was acknowledged before another was sent comes before it
- every View, table and event that was shown equals a replay of the log
- connected clients see every entry within two seconds, not counting the time in which the database was down, and the
  moments in which the campaign itself was held up
- finished games verify, and are filed as finished
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

from tests.karma.laws.walks import Picker
from tests.soak import history as h
from tests.web.leaks import exchanged
from threefold.game import Event, Refusal
from threefold.live import entries as e
from threefold.live.current_game import CurrentGame
from threefold.live.presence import Presence
from threefold.live.record import finished_game, record_of, verify
from threefold.live.report import shown_views, table_report
from threefold.live.state import TableState

STALE_S = 2.0
"""How old a table may be that somebody sees, unless a campaign says otherwise."""
WRITES = frozenset({"sit", "stand", "start", "move", "pause", "resume", "concede"})
"""Messages that become an entry of the log when accepted."""
QUICKER = "live.refusal.quicker"
"""The refusal of a bid that is in the log and lost the settlement."""
LEAKS_EVERY = 50
"""Every n-th View is checked for leaks: hidden cards are exchanged, and the View must stay the same."""
KEPT = 1000
"""The number of recent entries whose events a returning client gets."""

Down = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken guarantee."""

    table: str
    promise: str
    detail: str

    def __str__(self) -> str:
        return f"{self.table}: {self.promise}: {self.detail}"


@dataclass(slots=True)
class Findings:
    """The result of an audit, of one table or of several."""

    violations: list[Violation] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    stalest: float = 0.0
    where: str = ""

    def add(self, other: "Findings") -> None:
        """Adds the findings of another table."""
        self.violations += other.violations
        self.counts += other.counts
        if other.stalest > self.stalest:
            self.stalest, self.where = other.stalest, other.where


@dataclass(slots=True)
class Connection:
    """One connection, as its client recorded it."""

    opened: h.Opened
    shown: list[h.Shown] = field(default_factory=list)
    closed: float = float("inf")


class Audit:
    """The audit of one table: its log, and the notes of its clients."""

    def __init__(
        self, code: str, entries: Sequence[tuple[int, str]], notes: Iterable[h.Any_], stale_s: float = STALE_S
    ) -> None:
        self.code = code
        self.stale_s = stale_s
        self.found = Findings()
        self.seqs = [seq for seq, _ in entries]
        self.bodies = [body for _, body in entries]
        self.entries = [e.decode(body) for body in self.bodies]
        self.connections: dict[int, Connection] = {}
        self.sent: dict[tuple[str, int], h.Sent] = {}
        self.acks: dict[str, list[h.Acked]] = defaultdict(list)
        self.refused: dict[tuple[str, int], h.Refused] = {}
        self.waited: list[h.Waited] = []
        for each in notes:
            self._take(each)
        self.outcomes: dict[int, bool | None] = {}
        """Entry of a bid -> whether it won; None if the game ended before."""

    def _take(self, note: h.Any_) -> None:
        self.found.counts[type(note).__name__.lower()] += 1
        match note:
            case h.Opened():
                self.connections[note.connection] = Connection(note)
            case h.Closed() if note.connection in self.connections:
                self.connections[note.connection].closed = note.at
            case h.Sent():
                self.sent.setdefault((note.client, note.n), note)
            case h.Acked():
                acks = self.acks[note.client]
                if not acks or acks[-1].up_to < note.up_to:
                    acks.append(note)
            case h.Refused():
                self.refused[note.client, note.n] = note
            case h.Shown():
                self.connections[note.connection].shown.append(note)
            case h.Waited():
                self.waited.append(note)

    def latest(self) -> float:
        """The time of the last entry or acknowledgement."""
        acks = (each[-1].at for each in self.acks.values() if each)
        return max([*acks, *(each.at / 1000 for each in self.entries[-1:])], default=0.0)

    def wrong(self, promise: str, detail: str) -> None:
        """Records a violation."""
        self.found.violations.append(Violation(self.code, promise, detail))

    def run(self, downs: Sequence[Down] = (), stalls: Sequence[Down] = ()) -> Findings:
        """Runs all checks; `downs` are the times in which the database was down, `stalls` those of the campaign."""
        self.found.counts["entries"] = len(self.entries)
        self.numbers()
        if not self.found.violations:
            self.settled(sorted(downs), Stalls(stalls))
            self.acknowledged()
            self.answered()
            self.order()
            self.staleness(sorted(downs), Stalls(stalls))
            Replay(self).run()
        return self.found

    # ------------------------------------------------------------ Acks

    def numbers(self) -> None:
        """Entries are numbered from 1, without a gap and without a duplicate."""
        if self.seqs != list(range(1, len(self.seqs) + 1)):
            wrong = next(i for i, seq in enumerate(self.seqs, 1) if seq != i)
            self.wrong("gapless", f"entry {wrong} has the number {self.seqs[wrong - 1]}")

    def stamped(self) -> dict[tuple[str, int], list[int]]:
        """Client and message number -> the entries made from that message."""
        entries_of: dict[tuple[str, int], list[int]] = defaultdict(list)
        for seq, entry in enumerate(self.entries, 1):
            if entry.client and entry.n:
                entries_of[entry.client, entry.n].append(seq)
        return entries_of

    def acked_at(self, client: str, n: int) -> float | None:
        """The time of the first ack that covers this message."""
        first = self.first_ack(client, n)
        return None if first is None else first.at

    def first_ack(self, client: str, n: int) -> h.Acked | None:
        """The first ack that covers this message."""
        acks = self.acks.get(client, [])
        first = bisect_left(acks, n, key=lambda each: each.up_to)
        return acks[first] if first < len(acks) else None

    def acknowledged(self) -> None:
        """Acknowledged messages are in the log once; refused messages, and messages that nobody sent, are not."""
        stamped = self.stamped()
        for (client, n), seqs in stamped.items():
            if len(seqs) > 1:
                self.wrong("once", f"message {n} of {client} is in the log {len(seqs)} times: {seqs}")
            if (client, n) not in self.sent:
                self.wrong("sent", f"entry {seqs[0]} says it is message {n} of {client}, who never sent it")
            no = self.refused.get((client, n))
            if no is not None and (no.why != QUICKER or self.outcomes.get(seqs[0]) is not False):
                self.wrong("refused", f"message {n} of {client} was refused, and is entry {seqs[0]}")
        for (client, n), sent in self.sent.items():
            if sent.what not in WRITES or (client, n) in stamped or (client, n) in self.refused:
                continue
            ack = self.first_ack(client, n)
            if ack is not None and ack.welcome and ack.up_to > n:
                # Several messages were in flight when the connection broke, and a later one is in the log: this one was
                # refused before it, and the refusal was lost with the connection.
                self.found.counts["refusals lost with their connection"] += 1
            elif ack is not None:
                self.wrong("kept", f"message {n} of {client} ({sent.what}) was acknowledged, and is not in the log")
        self.found.counts["acknowledged"] = sum(
            self.acked_at(client, n) is not None for client, n in self.sent if n > 0
        )

    def settled(self, downs: Sequence[Down], stalls: "Stalls") -> None:
        """Every bid is in exactly one later settlement; late players are told; no bid stays open."""
        bids: dict[int, int] = {}
        for seq, entry in enumerate(self.entries, 1):
            match entry:
                case e.Bid():
                    if entry.player in bids:
                        self.wrong("settled", f"entry {seq}: player {entry.player} bids twice")
                    bids[entry.player] = seq
                case e.Settled():
                    if sorted(each.player for each in entry.calls) != sorted(bids):
                        self.wrong("settled", f"entry {seq} settles others than those who have bid")
                    for each in entry.calls:
                        self._outcome(bids.get(each.player, 0), entry, downs, stalls, played=each.played)
                    bids.clear()
                case e.Started() | e.Abandoned():
                    self.outcomes |= dict.fromkeys(bids.values())
                    bids.clear()
        latest = max((each.at for each in self.waited), default=0.0)
        for seq in bids.values():
            if self.entries[seq - 1].at / 1000 < latest - self.stale_s:
                self.wrong("settled", f"entry {seq} is a bid that was never settled")
        self.found.counts["calls settled"] = len(self.outcomes)

    def _outcome(self, seq: int, settled: e.Settled, downs: Sequence[Down], stalls: "Stalls", *, played: bool) -> None:
        """A bid wins, or another was faster; in that case its client is told, if it is still connected."""
        self.outcomes[seq] = played
        bid = self.entries[seq - 1]
        if not seq or played or not bid.n or (bid.client, bid.n) in self.refused:
            return
        at = settled.at / 1000
        if any(began < at + self.stale_s and ended > at for began, ended in downs):
            return
        for connection in self.connections.values():
            if connection.opened.client != bid.client or not connection.opened.at < at < connection.closed:
                continue
            if connection.closed - at - stalls.within(at, connection.closed) > self.stale_s:
                self.wrong(
                    "answered", f"message {bid.n} of {bid.client} was too late (entry {seq}), and nobody said so"
                )

    def answered(self) -> None:
        """A client that waited long enough got all its answers."""
        for each in self.waited:
            if each.n and self.acked_at(each.client, each.n) is None:
                self.wrong("answered", f"message {each.n} of {each.client} was never acknowledged")

    def order(self) -> None:
        """A message acknowledged before another was sent has the smaller entry number."""
        earliest, who = float("inf"), 0
        for seq in range(len(self.entries), 0, -1):
            entry = self.entries[seq - 1]
            sent = self.sent.get((entry.client, entry.n)) if entry.n else None
            if sent is None:
                continue
            if earliest < sent.at:
                self.wrong(
                    "order", f"entry {seq} was sent {sent.at - earliest:.3f} s after entry {who} was acknowledged"
                )
            at = self.acked_at(entry.client, entry.n)
            if at is not None and at < earliest:
                earliest, who = at, seq

    # ------------------------------------------------------------ Time

    def staleness(self, downs: Sequence[Down], stalls: "Stalls") -> None:
        """Every connection is shown an entry, or a later one, within two seconds."""
        dates = [entry.at / 1000 for entry in self.entries]
        latest = list(accumulate(dates, max))
        for connection in self.connections.values():
            first = max(0, bisect_left(latest, connection.opened.at) - 1)
            last = bisect_right(latest, connection.closed)
            self._stale(connection, list(enumerate(dates[first:last], first + 1)), downs, stalls)

    def _stale(
        self, connection: Connection, dated: Sequence[tuple[int, float]], downs: Sequence[Down], stalls: "Stalls"
    ) -> None:
        shown = [each.seq for each in connection.shown]
        if shown != sorted(shown):
            self.wrong(
                "forwards", f"connection {connection.opened.connection} was shown an older table after a newer one"
            )
            return
        for seq, date in dated:
            if hidden(self.entries[seq - 1]):
                continue
            since = max(date, connection.opened.at)
            at = bisect_left(shown, seq)
            until = connection.shown[at].at if at < len(shown) else connection.closed
            start = start_of_wait(since, until, downs, self.stale_s)
            waited = until - start - stalls.within(start, until)
            if at < len(shown):
                self.found.counts["sightings"] += 1
                if waited > self.found.stalest:
                    self.found.stalest = waited
                    self.found.where = f"{self.code}, entry {seq}, process {connection.opened.process}"
            if waited > self.stale_s:
                how_long = f"for {waited:.2f} s" + ("" if at < len(shown) else ", to the end of the connection")
                self.wrong("fresh", f"connection {connection.opened.connection} was not shown entry {seq} {how_long}")


@dataclass(frozen=True, slots=True)
class Audited:
    """What a campaign needs to know of the audit of one table."""

    findings: Findings
    latest: float
    """The time of the last entry or acknowledgement."""
    seeds: list[str]
    """Of the games that ended, in order."""


def audit_table(
    code: str,
    entries: Sequence[tuple[int, str]],
    notes: Path,
    stale_s: float,
    downs: Sequence[Down],
    stalls: Sequence[Down],
) -> Audited:
    """Audits one table; a campaign does this in processes of their own."""
    audit = Audit(code, entries, h.read_notes(notes), stale_s)
    findings = audit.run(downs, stalls)
    seeds = [each.setup["seed"] for each in audit.entries if isinstance(each, e.Started)]
    return Audited(findings, audit.latest(), seeds[: findings.counts["games verified"]])


def hidden(entry: e.Entry) -> bool:
    """Is the entry invisible to clients? A bid is, until it is settled."""
    return isinstance(entry, e.Bid)


def start_of_wait(since: float, until: float, downs: Sequence[Down], stale_s: float = STALE_S) -> float:
    """From when the two seconds count: from the moment the database was back, if it was down meanwhile."""
    for began, ended in downs:
        if began < min(until, since + stale_s) and ended > since:
            since = min(ended, until)
    return since


class Stalls:
    """The times in which the campaign was held up, and noticed only afterwards what had arrived."""

    def __init__(self, stalls: Iterable[Down]) -> None:
        merged: list[Down] = []
        for began, ended in sorted(stalls):
            if merged and began <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], ended))
            else:
                merged.append((began, ended))
        self._stalls = merged

    def within(self, since: float, until: float) -> float:
        """The seconds of a time in which the campaign was held up."""
        first = bisect_right(self._stalls, since, key=lambda each: each[1])
        last = bisect_left(self._stalls, until, key=lambda each: each[0])
        return sum(min(ended, until) - max(began, since) for began, ended in self._stalls[first:last])


class Replay:
    """Replays the log and compares every entry with what clients were shown."""

    def __init__(self, audit: Audit) -> None:
        self.audit = audit
        self.at: dict[int, list[tuple[Connection, h.Shown]]] = defaultdict(list)
        for connection in audit.connections.values():
            for each in connection.shown:
                if each.view or each.table:
                    self.at[each.seq].append((connection, each))
        self.state = TableState()
        self.events: dict[int, tuple[int, Sequence[Event]]] = {}
        self.tried = 0
        self.pick = Picker("v1:soak")

    def run(self) -> None:
        """Replays the whole log."""
        for seq, entry in enumerate(self.audit.entries, 1):
            try:
                self.state.apply(entry)
            except (AssertionError, IndexError, Refusal) as problem:
                self.audit.wrong("replay", f"entry {seq} cannot follow those before it: {problem}")
                return
            playing = self.state.current
            if playing is not None and (new := playing.events.after(seq - 1, playing.table)):
                self.events[seq] = (playing.number, new[0][1])
                self.events.pop(seq - KEPT, None)
            self._compare(seq)
        late = [seq for seq in self.at if seq > len(self.audit.entries)]
        if late:
            self.audit.wrong("kept", f"entry {max(late)} was shown, and the log ends at {len(self.audit.entries)}")
        for each in self.state.finished:
            self._finished(each)

    def _compare(self, seq: int) -> None:
        table = ""
        views: dict[int | None, str] = {}
        for connection, shown in self.at.get(seq, ()):
            if shown.table:
                table = table or h.digest(h.of_the_log(self._report()))
                self.audit.found.counts["tables compared"] += 1
                if shown.table != table:
                    self.audit.wrong("replay", f"the table shown at entry {seq} is not what the log gives")
            if shown.view:
                self._view(seq, connection, shown, views)

    def _report(self) -> Any:
        return table_report(self.state, Presence(0), game_id=None, repeated=False)

    def _view(self, seq: int, connection: Connection, shown: h.Shown, views: dict[int | None, str]) -> None:
        playing = self.state.current
        viewer = self.state.viewer(connection.opened.guest)
        if playing is None or playing.number != shown.game or viewer != shown.viewer:
            self.audit.wrong("replay", f"the View shown at entry {seq} is of another game or for another player")
            return
        if viewer not in views:
            views[viewer] = h.digest(shown_views(playing, [viewer])[0])
        self.audit.found.counts["views compared"] += 1
        if shown.view != views[viewer]:
            self.audit.wrong("replay", f"the View shown to player {viewer} at entry {seq} is not what the log gives")
        self._happened(seq, connection, shown)
        self._secret(seq, playing, viewer)

    def _happened(self, seq: int, connection: Connection, shown: h.Shown) -> None:
        """Events are shown once, without a gap, from the last entry shown before."""
        if shown.events is None:
            return
        earlier = bisect_left(connection.shown, seq, key=lambda each: each.seq)
        before = connection.shown[earlier - 1].seq if earlier else connection.opened.since
        happened = [(each, *self.events[each]) for each in range(before + 1, seq + 1) if each in self.events]
        wanted = [
            (number, h.digest([each.seen_by(shown.viewer) for each in events]))
            for number, game, events in happened
            if game == shown.game
        ]
        self.audit.found.counts["events compared"] += len(wanted)
        if [(each[0], each[1]) for each in shown.events] != wanted:
            seen = [each[0] for each in shown.events]
            number, right = connection.opened.connection, [n for n, _ in wanted]
            self.audit.wrong("events", f"connection {number} was shown {seen} at entry {seq}, not of {right}")

    def _secret(self, seq: int, playing: CurrentGame, viewer: int | None) -> None:
        """The leak law, on samples: with other cards where the viewer cannot see, they see the same."""
        self.tried += 1
        if self.tried % LEAKS_EVERY or (playing.paused_at is not None and playing.game.timed):
            return
        other = exchanged(playing.table, playing.game.name, viewer, self.pick)
        self.audit.found.counts["leak law tried"] += 1
        if h.digest(playing.game.view(other, viewer)) != h.digest(playing.game.view(playing.table, viewer)):
            self.audit.wrong("secret", f"player {viewer} could see at entry {seq} what they may not know")

    def _finished(self, playing: CurrentGame) -> None:
        row = finished_game("", self.state, playing)
        record = record_of(row, self.audit.bodies[row.first_seq - 1 : row.last_seq])
        problems = verify(record).problems
        self.audit.found.counts["games verified"] += 1
        if problems:
            self.audit.wrong("verify", f"game {playing.number}: {', '.join(problems)}")
