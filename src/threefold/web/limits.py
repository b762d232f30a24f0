"""How often, how much, how many: limits for each person and each address."""

import math
import time
from collections import Counter

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from threefold.game import Refusal
from threefold.live.refusals import refuse
from threefold.web.settings import ServerSettings

LARGEST_MESSAGE = 16_384
"""Bytes of one message on a socket."""
LARGEST_BODY = 1_000_000
"""Bytes of a request; records of finished games are the largest."""
FLOOD = 200
"""So many messages too fast, and the socket is closed."""

RATES: dict[str, RateLimitItem] = {
    "requests": parse("600/minute"),
    "people": parse("30/minute"),
    "tables": parse("20/minute"),
    "codes": parse("60/minute"),
    "heavy": parse("60/minute"),
    "puzzles": parse("240/minute"),
    "replays": parse("12/minute"),
    "messages": parse("60/2 seconds"),
    "words": parse("6/10 seconds"),
    "guesses": parse("10/minute"),
    "thoughts": parse("20/10 seconds"),
}
"""What is counted -> how often it may be, for each person or each address."""


class TooOften(Refusal):
    """Somebody asks too often."""


SWEEP_AT = 10_000
"""With so many counts, those that are over are forgotten; then at twice as many as are left."""


class Windows(Storage):
    """Counts by key, each until its window ends. The library's own starts a thread at almost every count."""

    STORAGE_SCHEME = None

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[str, tuple[int, float]] = {}
        self._sweep_at = SWEEP_AT

    @property
    def base_exceptions(self) -> type[Exception]:
        """What can go wrong here: nothing of its own."""
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Counts on, or anew if the window is over."""
        now = time.monotonic()
        count, ends = self._counts.get(key, (0, 0.0))
        if ends <= now:
            count, ends = 0, now + expiry
            self._sweep(now)
        self._counts[key] = (count + amount, ends)
        return count + amount

    def _sweep(self, now: float) -> None:
        if len(self._counts) >= self._sweep_at:
            self._counts = {key: found for key, found in self._counts.items() if found[1] > now}
            self._sweep_at = max(SWEEP_AT, 2 * len(self._counts))

    def get(self, key: str) -> int:
        """The count of a window that is not over."""
        count, ends = self._counts.get(key, (0, 0.0))
        return count if ends > time.monotonic() else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, on the clock of the wall."""
        return time.time() + self._counts.get(key, (0, 0.0))[1] - time.monotonic()

    def check(self) -> bool:
        """It is always there."""
        return True

    def reset(self) -> int:
        """Forgets all; how many there were."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forgets one."""
        self._counts.pop(key, None)


class Limits:
    """Counts, in this process."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._rates = {what: type(rate)(rate.amount * settings.rates, rate.multiples) for what, rate in RATES.items()}
        self._windows = Windows()
        self._limiter = FixedWindowRateLimiter(self._windows)
        self._by_address: Counter[str] = Counter()
        self._by_person: Counter[str] = Counter()
        rate = self._rates["messages"]
        self.messages: tuple[float, float] = (rate.amount if settings.rates else math.inf, float(rate.get_expiry()))
        """So many messages on one line within so many seconds. Each line counts its own, as a move pays for it."""

    def allows(self, what: str, who: str) -> bool:
        """Counts one more; False if that is too often."""
        return not self._settings.rates or self._limiter.hit(self._rates[what], what, who)

    def check(self, what: str, who: str) -> None:
        """Counts one more; refuses what is too often."""
        if not self.allows(what, who):
            raise TooOften(refuse("too_many_requests").text)

    def open_socket(self, address: str, person: str) -> None:
        """Counts an open socket, until `close_socket`; refuses one too many."""
        most = self._settings
        if self._by_address[address] >= most.sockets_per_address or self._by_person[person] >= most.sockets_per_person:
            raise TooOften(refuse("too_many_lines").text)
        self._by_address[address] += 1
        self._by_person[person] += 1

    def close_socket(self, address: str, person: str) -> None:
        """It is open no more."""
        for counts, key in ((self._by_address, address), (self._by_person, person)):
            counts[key] -= 1
            if not counts[key]:
                del counts[key]
