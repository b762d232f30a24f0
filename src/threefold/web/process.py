"""Settings of the operating-system process: heaps, garbage collector, open files."""

import ctypes
import gc
import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource

M_ARENA_MAX = -8
"""glibc's name for the largest number of heaps that threads may have."""
GC_THRESHOLDS = (2_000, 10, 100)
"""Objects and collections until a collection of each generation. A young collection takes a millisecond or two. With a
threshold of 50,000, a flood of handshakes made it take up to 120 ms, during which the server answers nobody. The oldest
generation is collected only when it has grown by a quarter, too; with a threshold of 1,000 what connections left there
could reach hundreds of megabytes before."""
RESERVED_FILES = 128
"""Open files that are not connections: the database, pipes, listeners."""


def share_one_heap() -> None:
    """Lets all threads share one heap; call it before they start. Heaps of their own would never shrink."""
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    except (AttributeError, OSError, TypeError):  # not glibc
        return


def freeze_loaded_objects() -> None:
    """Exempts all objects of the start from garbage collection, and keeps collections short."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def raise_file_limit() -> int | None:
    """Raises the soft limit of open files to the hard limit; gives the limit of connections, None if there is none."""
    if sys.platform == "win32":
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS has a lower limit of its own
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else max(1, soft - RESERVED_FILES)
