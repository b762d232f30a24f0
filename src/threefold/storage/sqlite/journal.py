"""Write-ahead journal of the log: one row per commit; a checkpoint later moves the entries to the log table.

The log table keeps the entries of each table together, so that a log is read from few pages. Writing every entry there
at once would change one page per table in every commit. A row of the journal holds the entries of all tables in one
commit, and a checkpoint writes many entries of a table at a time. An entry is durable as soon as it is in the journal.

A log has no gaps, so an entry is new if its number is higher than the last one of its table. Rows of the journal are
numbered without gaps too: a process that has not read the latest row cannot add the next one.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec

from threefold.storage.group_commit import Append, Keys

ADD = "INSERT INTO journal (id, entries) SELECT ?1 + 1, ?2 WHERE (SELECT coalesce(max(id), 0) FROM journal) = ?1"
NEWER = "SELECT id, entries FROM journal WHERE id > ? ORDER BY id"
LAST = "SELECT value, (SELECT coalesce(max(seq), 0) FROM log WHERE table_id = value) FROM json_each(?)"
ROWS_PER_INSERT = 50
ROWS = ", ".join(ROWS_PER_INSERT * ["(?, ?, ?)"])
INSERT = f"INSERT INTO log (table_id, seq, body) VALUES {ROWS} ON CONFLICT DO NOTHING"  # noqa: S608 (question marks only)
"""Always the same text, so that SQLite prepares it once."""
EMPTY_NEWEST = "UPDATE journal SET entries = '[]' WHERE id <= ? AND id = (SELECT max(id) FROM journal)"
DROP_OLDER = "DELETE FROM journal WHERE id <= ? AND id < (SELECT max(id) FROM journal)"
"""The newest row stays, empty: the next row's number follows from it."""
CHECKPOINT_PER_TABLE = 40
"""A checkpoint begins when the journal has this many entries per table, on average …"""
CHECKPOINT_AT_LEAST = 2500
"""… and this many in total."""
CHECKPOINT_STEP = 250
"""Entries that a checkpoint moves before it lets other jobs run."""

Entry = tuple[str, int, str]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[Entry]).decode


class WriteAheadJournal:
    """The journal as one connection sees it, with a copy of its entries in memory."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._newest = 0
        self._unfiled: dict[str, list[Entry]] = {}
        """By table: entries that no checkpoint has taken yet; `_count` of them."""
        self._count = 0
        self._moving: dict[str, list[Entry]] = {}
        """By table: entries of the running checkpoint, which covers the rows up to `_up_to`; `_left` are its tables."""
        self._left: list[str] = []
        self._up_to = 0
        self._last: dict[str, int] = {}
        """Cache: the last number in each table's log."""
        self._read_newer()

    def append(self, batch: Sequence[Append]) -> Keys | None:
        """Writes entries in one commit; returns the keys of those that were new, or None if all were."""
        while True:
            new = self._new(batch)
            if not new:
                return set()
            if self._connection.execute(ADD, (self._newest, _encode(new).decode())).rowcount == 1:
                break
            self._read_newer()
        self._newest += 1
        self._remember(new)
        return None if len(new) == len(batch) else {(table, seq) for table, seq, _ in new}

    def unfiled(self, table: str) -> list[tuple[int, str]]:
        """The entries of a table that may still be missing in the log, in order."""
        self._read_newer()
        return [(seq, body) for _, seq, body in chain(self._moving.get(table, ()), self._unfiled.get(table, ()))]

    @property
    def needs_checkpoint(self) -> bool:
        """Is a checkpoint running, or due?"""
        return bool(self._moving) or self._count >= max(CHECKPOINT_AT_LEAST, CHECKPOINT_PER_TABLE * len(self._unfiled))

    def checkpoint_some(self) -> None:
        """One step of a checkpoint. Repeating a step, for instance after a power cut, does no harm."""
        if not self._moving:
            self._moving, self._unfiled, self._count = self._unfiled, {}, 0
            self._left, self._up_to = sorted(self._moving, reverse=True), self._newest
        entries: list[Entry] = []
        while self._left and len(entries) < CHECKPOINT_STEP:
            entries += self._moving[self._left.pop()]
        if entries:
            self._insert(entries)
        if not self._left:
            self._finish_checkpoint()

    def checkpoint(self) -> None:
        """Moves all entries to the log and leaves the journal empty."""
        self._read_newer()
        while self._moving or self._unfiled:
            self.checkpoint_some()

    def _insert(self, entries: list[Entry]) -> None:
        """Inserts entries into the log. The last one is repeated to fill the statement."""
        entries += (-len(entries) % ROWS_PER_INSERT) * entries[-1:]
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for first in range(0, len(entries), ROWS_PER_INSERT):
                self._connection.execute(INSERT, list(chain.from_iterable(entries[first : first + ROWS_PER_INSERT])))

    def _finish_checkpoint(self) -> None:
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(EMPTY_NEWEST, (self._up_to,))
            self._connection.execute(DROP_OLDER, (self._up_to,))
        self._moving = {}
        self._last = {}

    def _new(self, batch: Sequence[Append]) -> list[Entry]:
        """Those entries of a batch that come after the last one of their table."""
        last = self._last
        unknown = {each.table for each in batch if each.table not in last}
        if unknown:
            last.update(self._connection.execute(LAST, (_encode(list(unknown)).decode(),)))
            for table in unknown:
                for entries in (self._moving.get(table), self._unfiled.get(table)):
                    last[table] = max(last[table], entries[-1][1]) if entries else last[table]
        new: list[Entry] = []
        for table, seq, body, _ in batch:
            if seq > last[table]:
                last[table] = seq
                new.append((table, seq, body))
        return new

    def _remember(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._count += 1
            self._unfiled.setdefault(entry[0], []).append(entry)

    def _read_newer(self) -> None:
        """Reads the rows that another process has added. Rows that it has removed are in the log."""
        for number, entries in self._connection.execute(NEWER, (self._newest,)).fetchall():
            self._newest = number
            self._remember(_decode(entries))
            self._last = {}
