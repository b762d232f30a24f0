"""Bans: kept in the database, looked up in memory at every handshake and request."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from threefold.live.refusals import NotAllowed, refuse
from threefold.live.store import BanRow

HOUR = 3_600_000


class Banned(NotAllowed):
    """The refusal of a banned person or address."""


@dataclass(slots=True)
class Bans:
    """All bans."""

    people: dict[str, BanRow] = field(default_factory=dict)
    addresses: dict[str, BanRow] = field(default_factory=dict)

    def replace(self, rows: Iterable[BanRow]) -> None:
        """Replaces all bans by these."""
        rows = list(rows)
        self.people = {row.person: row for row in rows if row.person is not None}
        self.addresses = {row.address: row for row in rows if row.address is not None}

    def of(self, person: str | None, address: str | None, now: int) -> BanRow | None:
        """The ban that applies, if any."""
        for ban in (self.people.get(person or ""), self.addresses.get(address or "")):
            if ban is not None and (ban.until is None or ban.until > now):
                return ban
        return None

    def check(self, person: str | None, address: str | None, now: int) -> None:
        """Refuses a banned person or address."""
        ban = self.of(person, address, now)
        if ban is not None:
            raise banned(ban, now)


def banned(ban: BanRow, now: int) -> Banned:
    """The refusal for a ban."""
    if ban.until is None:
        return Banned(refuse("banned", words=ban.words).text)
    hours = max(1, -(-(ban.until - now) // HOUR))
    return Banned(refuse("banned_for", words=ban.words, hours=hours).text)
