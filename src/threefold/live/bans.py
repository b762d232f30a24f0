"""Who is to stay away: bans as the database has them, looked up in memory at every hello and every request."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from threefold.live.refusals import NotAllowed, refuse
from threefold.live.store import BanRow

HOUR = 3_600_000


class Banned(NotAllowed):
    """Somebody who is to stay away asks."""


@dataclass(slots=True)
class Bans:
    """The bans that hold."""

    people: dict[str, BanRow] = field(default_factory=dict)
    addresses: dict[str, BanRow] = field(default_factory=dict)

    def take(self, rows: Iterable[BanRow]) -> None:
        """These are all there are."""
        rows = list(rows)
        self.people = {row.person: row for row in rows if row.person is not None}
        self.addresses = {row.address: row for row in rows if row.address is not None}

    def of(self, person: str | None, address: str | None, now: int) -> BanRow | None:
        """The ban that keeps somebody out, if one does."""
        for found in (self.people.get(person or ""), self.addresses.get(address or "")):
            if found is not None and (found.until is None or found.until > now):
                return found
        return None

    def check(self, person: str | None, address: str | None, now: int) -> None:
        """Refuses who is to stay away."""
        ban = self.of(person, address, now)
        if ban is not None:
            raise banned(ban, now)


def banned(ban: BanRow, now: int) -> Banned:
    """The sentence for who is to stay away."""
    if ban.until is None:
        return Banned(refuse("banned", words=ban.words).text)
    hours = max(1, -(-(ban.until - now) // HOUR))
    return Banned(refuse("banned_for", words=ban.words, hours=hours).text)
