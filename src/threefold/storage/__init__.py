"""Storage: implements the protocols of `threefold.live.store`, in SQLite (`sqlite/`) or PostgreSQL (`postgres/`).

The statements that both understand are in this folder; each backend adds how it connects, appends and commits.
"""

from collections.abc import Awaitable, Callable

from threefold.live.store import Store
from threefold.storage.group_commit import INTERVAL_S
from threefold.storage.postgres import open_postgres
from threefold.storage.sqlite import open_sqlite

BACKENDS: dict[str, Callable[[str, float], Awaitable[Store]]] = {
    "": open_sqlite,
    "postgres": open_postgres,
    "postgresql": open_postgres,
}
"""By the scheme of an address; a path has none."""


async def open_store(address: str, commit_interval_s: float = INTERVAL_S) -> Store:
    """Opens the database at a path or URL, and brings its schema up to date."""
    scheme, separator, _ = address.partition("://")
    backend = BACKENDS.get(scheme if separator else "")
    if backend is None:
        raise ValueError(f"there is no storage for {scheme}://")
    return await backend(address, commit_interval_s)
