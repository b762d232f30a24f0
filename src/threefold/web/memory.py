"""The memory of a process that serves for months."""

import ctypes
import gc

M_ARENA_MAX = -8
"""glibc's number for: how many heaps threads may have."""


def share_one_heap() -> None:
    """Threads that mostly wait for the disk need no heaps of their own, which never shrink; before they start."""
    try:
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
    except (AttributeError, OSError, TypeError):  # another C library: its threads share by themselves, or do not
        return


def keep_what_is_loaded() -> None:
    """What was loaded at the start stays: the collector need not look at it again, nor often at what comes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
