"""Limits for each person and each address: rates, sizes, open connections."""

import math
import time
from collections import Counter
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from threefold.game import Refusal
from threefold.live.refusals import refuse
from threefold.web.settings import ServerSettings

LARGEST_MESSAGE = 16_384
"""Bytes of one socket message; a larger one is refused."""
LARGEST_BODY = 1_000_000
"""Bytes of an HTTP request; records of finished games are the largest."""
FLOOD = 200
"""Messages on one socket that are refused as too fast before it is closed."""
NEARLY_FULL = 0.9
"""From this share of the possible connections on, only seated players are let in."""

RATES: dict[str, RateLimitItem] = {
    "requests": parse("600/minute"),
    "files": parse("3000/minute"),
    "people": parse("30/minute"),
    "tables": parse("20/minute"),
    "listings": parse("240/minute"),
    "previews": parse("60/minute"),
    "codes": parse("60/minute"),
    "heavy": parse("60/minute"),
    "puzzles": parse("240/minute"),
    "replays": parse("12/minute"),
    "messages": parse("60/2 seconds"),
    "words": parse("6/10 seconds"),
    "arrangements": parse("60/minute"),
    "pauses": parse("12/minute"),
    "guesses": parse("10/minute"),
    "thoughts": parse("20/10 seconds"),
}
"""Rate limits by what is counted, for each person or each address."""


class TooOften(Refusal):
    """A rate limit or a limit of connections is exceeded."""


SWEEP_AT = 10_000
"""Size at which expired counts are removed for the first time; afterwards at twice the remaining size."""


class Windows(Storage):
    """A storage for the limits library: counts by key, each until its window ends.

    The library's own storage in memory starts a timer thread at almost every count; this one starts none.
    """

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, tuple[int, float]] = {}
        self._sweep_at = SWEEP_AT

    @property
    def base_exceptions(self) -> type[Exception]:
        """Errors of the storage: there are none."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Adds to a count; begins at zero if the window is over."""
        now = time.monotonic()
        count, ends = self._counts.get(key, (0, 0.0))
        if ends <= now:
            count, ends = 0, now + expiry
            self._sweep(now)
        self._counts[key] = (count + amount, ends)
        return count + amount

    def _sweep(self, now: float) -> None:
        if len(self._counts) >= self._sweep_at:
            self._counts = {key: count for key, count in self._counts.items() if count[1] > now}
            self._sweep_at = max(SWEEP_AT, 2 * len(self._counts))

    def get(self, key: str) -> int:
        """The count; zero if the window is over."""
        count, ends = self._counts.get(key, (0, 0.0))
        return count if ends > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """The end of the window, in seconds since 1970."""
        return time.time() + self._counts.get(key, (0, 0.0))[1] - time.monotonic()

    def check(self) -> bool:
        """The storage always works."""
        return True

    def reset(self) -> int:
        """Removes all counts; gives their number."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Removes a count."""
        self._counts.pop(key, None)


class Limits:
    """The counts of this process."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._rates = {what: type(rate)(rate.amount * settings.rates, rate.multiples) for what, rate in RATES.items()}
        self._windows = Windows()
        self._limiter = FixedWindowRateLimiter(self._windows)
        self._by_address: Counter[str] = Counter()
        self._by_person: Counter[str] = Counter()
        rate = self._rates["messages"]
        self.messages: tuple[float, float] = (rate.amount if settings.rates else math.inf, float(rate.get_expiry()))
        """Limit of messages on one socket, and the seconds it holds for. Every connection counts its own."""
        self.most_connections: int | None = None
        """Limit by the operating system; None: there is none."""

    def allows(self, what: str, who: str) -> bool:
        """Counts one more; False if that exceeds the rate."""
        return not self._settings.rates or self._limiter.hit(self._rates[what], what, network_of(who))

    def check(self, what: str, who: str) -> None:
        """Counts one more; raises a refusal if that exceeds the rate."""
        if not self.allows(what, who):
            raise TooOften(refuse("too_many_requests").text)

    def check_left(self, what: str, who: str) -> None:
        """Raises a refusal if the rate is used up; counts nothing. For attempts of which only the wrong ones count."""
        if self._settings.rates and not self._limiter.test(self._rates[what], what, network_of(who)):
            raise TooOften(refuse("too_many_requests").text)

    def open_address(self, address: str) -> None:
        """Counts an open socket from this address, until `close_address`; refuses one too many."""
        _add(self._by_address, network_of(address), self._settings.sockets_per_address)

    def close_address(self, address: str) -> None:
        """The socket is closed."""
        _subtract(self._by_address, network_of(address))

    def open_person(self, person: str) -> None:
        """Counts an open socket of this person, until `close_person`; refuses one too many."""
        _add(self._by_person, person, self._settings.sockets_per_person)

    def close_person(self, person: str) -> None:
        """The socket is closed."""
        _subtract(self._by_person, person)

    def is_nearly_full(self, connections: int) -> bool:
        """Is the limit near, so that only seated players may connect?"""
        return self.most_connections is not None and connections > NEARLY_FULL * self.most_connections


def network_of(address: str) -> str:
    """The key under which an address is counted: for IPv6 the /64 network, which one customer has to themselves."""
    if ":" in address:
        with suppress(ValueError):
            parsed = IPv6Address(address)
            return str(parsed.ipv4_mapped or IPv6Network((parsed, 64), strict=False))
    return address


def _add(counts: Counter[str], key: str, most: int) -> None:
    if counts[key] >= most:
        raise TooOften(refuse("too_many_lines").text)
    counts[key] += 1


def _subtract(counts: Counter[str], key: str) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
