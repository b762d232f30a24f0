"""HTTP bodies that several route modules use. All others stand beside their routes."""

import msgspec


class KindOfTime(msgspec.Struct, kw_only=True):
    """How fast a player found SETs that differ in `features` features."""

    features: int
    count: int
    best_ms: int | None
    median_ms: int | None
