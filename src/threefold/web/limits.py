"""How often, how much, how many: limits for each person and each address."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
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
    "thoughts": parse("20/10 seconds"),
}
"""What is counted -> how often it may be, for each person or each address."""


class TooOften(Refusal):
    """Somebody asks too often."""


class Limits:
    """Counts, in this process."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._sockets: Counter[str] = Counter()

    def allows(self, what: str, who: str) -> bool:
        """Counts one more; False if that is too often."""
        return not self._settings.rates or self._limiter.hit(RATES[what], what, who)

    def check(self, what: str, who: str) -> None:
        """Counts one more; refuses what is too often."""
        if not self.allows(what, who):
            raise TooOften(refuse("too_many_requests").text)

    @contextmanager
    def socket(self, address: str, person: str) -> Iterator[None]:
        """Counts an open socket while it is open."""
        limits = (
            (f"a {address}", self._settings.sockets_per_address),
            (f"p {person}", self._settings.sockets_per_person),
        )
        if any(self._sockets[key] >= most for key, most in limits):
            raise TooOften(refuse("too_many_lines").text)
        for key, _ in limits:
            self._sockets[key] += 1
        try:
            yield
        finally:
            for key, _ in limits:
                self._sockets[key] -= 1
                if not self._sockets[key]:
                    del self._sockets[key]
