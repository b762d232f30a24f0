"""Loads a table from its log: read in pages and folded in slices, so that a long log does not block other tables."""

import asyncio
from time import perf_counter

import structlog

from threefold.engines import PLAIN, Engines
from threefold.live import entries as e
from threefold.live.compaction import Numbered, compact
from threefold.live.state import TableState, folding
from threefold.live.store import Store

PAGE = 1000
"""Entries that are read at a time."""
SLICE_S = 0.004
"""After this long other tables get their turn."""
COMPACT_AFTER_MS = 86_400_000
"""Entries of this age are compacted: by then every process has read them."""
COMPACT_AT_LEAST = 500
"""A compaction that drops fewer entries is not worth it."""

_log = structlog.get_logger("threefold.live")


async def load_state(store: Store, table: str, now: int, engines: Engines = PLAIN) -> TableState:
    """The table that a log describes. Old arrangements that cancelled each other out are dropped from the log."""
    log = await _read(store, table)
    ends = perf_counter() + SLICE_S
    state = TableState(engines)
    for state in folding(log, engines):  # noqa: B007 (the last one is the table)
        if perf_counter() > ends:
            await asyncio.sleep(0)
            ends = perf_counter() + SLICE_S
    if len(log) >= COMPACT_AT_LEAST and log[COMPACT_AT_LEAST - 1][1].at < now - COMPACT_AFTER_MS:
        found = await asyncio.to_thread(compact, log, now - COMPACT_AFTER_MS)
        if len(found.gone) >= COMPACT_AT_LEAST:
            changed = [(seq, e.encode(entry)) for seq, entry in found.changed]
            await store.compact(table, found.gone, changed)
            _log.info("a log was compacted", table=state.code, dropped=len(found.gone), entries=len(log))
    return state


async def _read(store: Store, table: str) -> list[Numbered]:
    log: list[Numbered] = []
    while True:
        rows = await store.entries(table, log[-1][0] if log else 0, limit=PAGE)
        log += [(seq, e.decode(body)) for seq, body in rows]
        if len(rows) < PAGE:
            return log
