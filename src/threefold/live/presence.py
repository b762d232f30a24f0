"""Presence: who is at a table now, in any process, since when the others are away, and who is ready to play."""

from collections.abc import Iterable, Mapping

from threefold.live.notices import TablePresence


class Presence:
    """Merges what this process sees with what other processes report."""

    def __init__(self, now: int) -> None:
        self.here: set[int] = set()
        """Guests with a connection in any process."""
        self.since: dict[int, int] = {}
        """Absent guest -> since when."""
        self.loaded = now
        """When the first of the processes loaded the table: nobody is away for longer than that."""
        self.lag: dict[int, int] = {}
        """By guest connected to another process: the most that a call of theirs can gain, in milliseconds."""
        self.ready: set[int] = set()
        """Guests who are ready, in any process."""
        self.elsewhere: dict[str, TablePresence] = {}
        """By process: its report."""
        self._own_loaded = now
        self._own_ready: set[int] = set()

    def absent_since(self, guest: int) -> int | None:
        """Since when a guest is away; None if they are here."""
        return None if guest in self.here else self.since.get(guest, self.loaded)

    def set_ready(self, guest: int, *, ready: bool) -> None:
        """Notes whether a guest is ready. `update` takes it into account."""
        (self._own_ready.add if ready else self._own_ready.discard)(guest)

    def clear_ready(self) -> None:
        """A game has started: readiness is over."""
        self.ready.clear()
        self._own_ready.clear()

    def hear_of(self, process: str, report: TablePresence | None) -> None:
        """Takes the report of another process; None: it no longer has the table in memory."""
        if report is None:
            self.elsewhere.pop(process, None)
        else:
            self.elsewhere[process] = report

    def update(self, local: Iterable[int], guests: int, games: int, now: int) -> bool:
        """Works out who is here from the local connections and the reports. Has anything changed for people to see?"""
        reports = self.elsewhere.values()
        here = {guest for guest in set(local).union(*(each.here for each in reports)) if guest < guests}
        for guest in self.here - here:
            self.since[guest] = now
        for report in reports:
            for guest, since in report.away.items():
                self.since[guest] = max(since, self.since.get(guest, 0))
        for guest in here:
            self.since.pop(guest, None)
        self.lag = {guest: lag for each in reports for guest, lag in each.here.items() if lag is not None}
        self.loaded = min((self._own_loaded, *(each.loaded for each in reports)))
        self._own_ready &= here
        ready = self._own_ready.union(*(each.ready for each in reports if each.games == games))
        changed = here != self.here or ready != self.ready
        self.here, self.ready = here, ready
        return changed

    def report(self, table: str, version: int, games: int, local: Mapping[int, int | None]) -> TablePresence:
        """The report for other processes; `local` is by guest the most that a call of theirs can gain."""
        return TablePresence(
            table=table,
            version=version,
            connected=bool(local),
            loaded=self._own_loaded,
            games=games,
            here=dict(local),
            away=dict(self.since),
            ready=tuple(sorted(self._own_ready)),
        )

    def stands_back(self, me: str, *, connected: bool) -> bool:
        """Does another process look after clocks and bots? The oldest one with connections does, else the oldest."""
        own = (not connected, me)
        return any((not report.connected, process) < own for process, report in self.elsewhere.items())
