"""Settings of the operating-system process: heaps, garbage collector, open files."""

import ctypes
import gc
import sys
from contextlib import suppress

if sys.platform != "win32":
    import resource

M_ARENA_MAX = -8
"""glibc's name for the largest number of heaps that threads may have."""
RESERVED_FILES = 128
"""Open files that are not connections: the database, pipes, listeners."""


def share_one_heap() -> None:
    """Lets all threads share one heap; call it before they start. Heaps of their own would never shrink."""
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    except (AttributeError, OSError, TypeError):  # not glibc
        return


def freeze_loaded_objects() -> None:
    """Exempts all objects of the start from garbage collection, and makes collections rare."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def raise_file_limit() -> int | None:
    """Raises the soft limit of open files to the hard limit; gives the limit of connections, None if there is none."""
    if sys.platform == "win32":
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS has a lower limit of its own
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return None if soft == resource.RLIM_INFINITY else max(1, soft - RESERVED_FILES)
