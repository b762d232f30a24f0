"""Journal: SQLite's entries as they come, one row a commit; later they are filed in the log, many of a table together.

The log of a table lies together, so that it is read back from few pages. To write each entry there at once would touch
a page for every one, and write all of it twice. A row of the journal holds the entries of all tables that moved at the
same moment; when some have gathered for each table, they are filed. An entry is durable as soon as the journal has it.

A log has no gaps, so an entry is new if it comes after the last one of its table. Who appends has seen all rows of the
journal before: their number goes up by one, and a row that is not the next one is not written.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain

import msgspec

from threefold.storage.commits import Keys, Waiting

ADD = "INSERT INTO journal (id, entries) SELECT ?1 + 1, ?2 WHERE (SELECT coalesce(max(id), 0) FROM journal) = ?1"
SINCE = "SELECT id, entries FROM journal WHERE id > ? ORDER BY id"
LAST = "SELECT value, (SELECT coalesce(max(seq), 0) FROM log WHERE table_id = value) FROM json_each(?)"
TOGETHER = 50
ROWS = ", ".join(TOGETHER * ["(?, ?, ?)"])
FILE = f"INSERT INTO log (table_id, seq, body) VALUES {ROWS} ON CONFLICT DO NOTHING"  # noqa: S608 (question marks only)
"""One statement, always of the same length: it is made ready once."""
EMPTY_NEWEST = "UPDATE journal SET entries = '[]' WHERE id <= ? AND id = (SELECT max(id) FROM journal)"
DROP_OLDER = "DELETE FROM journal WHERE id <= ? AND id < (SELECT max(id) FROM journal)"
"""The newest row stays, empty, for its number."""
PER_TABLE = 40
"""So many entries of a table are filed together, on average."""
AT_LEAST = 2500
AT_ONCE = 250
"""So many are filed at a time: others wait to be written."""

Row = tuple[str, int, str]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(list[Row]).decode


class Journal:
    """The journal of one connection, and what of it is not filed yet."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self._newest = 0
        self._fresh: dict[str, list[Row]] = {}
        self._count = 0
        self._filing: dict[str, list[Row]] = {}
        """What is being filed, with all rows up to `_up_to`; `_left` are the tables that are not."""
        self._left: list[str] = []
        self._up_to = 0
        self._last: dict[str, int] = {}
        """By table: the last entry, where somebody has looked."""
        self._read_on()

    def append(self, batch: Sequence[Waiting]) -> Keys | None:
        """Writes entries in one commit; gives those that were new, None: all."""
        while True:
            new = self._new(batch)
            if not new:
                return set()
            given = (self._newest, _encode(new).decode())
            if self.connection.execute(ADD, given).rowcount == 1:
                break
            self._read_on()
        self._newest += 1
        self._take(new)
        return None if len(new) == len(batch) else {(table, seq) for table, seq, _ in new}

    def fresh(self, table: str) -> list[tuple[int, str]]:
        """The entries of a table that are perhaps not in the log yet, in order."""
        self._read_on()
        return [(seq, body) for _, seq, body in chain(self._filing.get(table, ()), self._fresh.get(table, ()))]

    @property
    def is_filing(self) -> bool:
        """Whether there is something to file now."""
        return bool(self._filing) or self._count >= max(AT_LEAST, PER_TABLE * len(self._fresh))

    def file_some(self) -> None:
        """Files a few more entries. What is filed twice, after a power cut perhaps, is filed once."""
        if not self._filing:
            self._filing, self._fresh, self._count = self._fresh, {}, 0
            self._left, self._up_to = sorted(self._filing, reverse=True), self._newest
        rows: list[Row] = []
        while self._left and len(rows) < AT_ONCE:
            rows += self._filing[self._left.pop()]
        if rows:
            self._file(rows)
        if not self._left:
            self._clear()

    def _file(self, rows: list[Row]) -> None:
        """The last one as often as it takes to fill the statement."""
        rows += (-len(rows) % TOGETHER) * rows[-1:]
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            for first in range(0, len(rows), TOGETHER):
                self.connection.execute(FILE, list(chain.from_iterable(rows[first : first + TOGETHER])))

    def file_all(self) -> None:
        """Files everything, and leaves nothing of it in the journal."""
        self._read_on()
        while self._filing or self._fresh:
            self.file_some()

    def close(self) -> None:
        """Lets go of the connection."""
        self.connection.close()

    def _clear(self) -> None:
        with self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            self.connection.execute(EMPTY_NEWEST, (self._up_to,))
            self.connection.execute(DROP_OLDER, (self._up_to,))
        self._filing = {}
        self._last = {}

    def _new(self, batch: Sequence[Waiting]) -> list[Row]:
        """Those that come after the last entry of their table, whoever wrote that."""
        last = self._last
        unknown = {each[0] for each in batch if each[0] not in last}
        if unknown:
            last.update(self.connection.execute(LAST, (_encode(list(unknown)).decode(),)))
            for table in unknown:
                for rows in (self._filing.get(table), self._fresh.get(table)):
                    last[table] = max(last[table], rows[-1][1]) if rows else last[table]
        new: list[Row] = []
        for table, seq, body, _ in batch:
            if seq > last[table]:
                last[table] = seq
                new.append((table, seq, body))
        return new

    def _take(self, rows: Iterable[Row]) -> None:
        fresh = self._fresh
        for row in rows:
            self._count += 1
            if row[0] in fresh:
                fresh[row[0]].append(row)
            else:
                fresh[row[0]] = [row]

    def _read_on(self) -> None:
        """Takes what another process has written; what it has filed by now is in the log."""
        for number, entries in self.connection.execute(SINCE, (self._newest,)).fetchall():
            self._newest = number
            self._take(_decode(entries))
            self._last = {}
