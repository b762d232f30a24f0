"""One clock for all processes: each counts in the database's time, slewed towards it and never set back."""

import time

from threefold.live.clock import WallTime

SLEW = 0.05
"""A clock that is wrong by a second is right after twenty."""
JUMP_S = 2.0
"""A clock so far behind is set at once: the machine has slept. Backwards it is only ever slewed."""


class SharedTime(WallTime):
    """The machine's time until it is told by how much that is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self._aim = self._offset
        self._looked = time.monotonic()
        self._set = False

    def correct(self, ahead_ms: float) -> None:
        """The right clock is so many milliseconds ahead of `machine_ms`. The first time counts at once."""
        aim = time.time() - time.monotonic() + ahead_ms / 1000
        if not self._set or aim - self._offset > JUMP_S:
            self._offset = max(self._offset, aim) if self._set else aim
        self._set, self._aim = True, aim

    @property
    def error_ms(self) -> float:
        """How far it still has to go."""
        return (self._aim - self._offset) * 1000

    def now(self) -> int:
        """Milliseconds since 1970."""
        here = time.monotonic()
        if self._offset != self._aim:
            most = SLEW * (here - self._looked)
            self._offset += min(most, max(-most, self._aim - self._offset))
        self._looked = here
        return int((here + self._offset) * 1000)
