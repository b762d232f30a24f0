"""Random legal moves for many tables at once, to drive a `Batch`."""

from typing import Any

from threefold.compiling import compiler
from threefold.shuffle import below

_compiled = compiler()


@_compiled
def choose_any(masks: Any, rs: Any, chosen: Any) -> None:
    """Chooses a random legal move at every table, all with the same probability."""
    for i in range(len(masks)):
        count = 0
        for number in range(masks.shape[1]):
            count += masks[i, number]
        nth = below(rs[0], count)
        for number in range(masks.shape[1]):
            if masks[i, number]:
                if nth == 0:
                    chosen[i] = number
                    break
                nth -= 1
