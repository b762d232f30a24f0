"""The two databases, real ones."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.storage.postgres import EMPTY, run_sql, throw_away


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL for this test process."""
    with throw_away() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each sort."""
    if request.param == "sqlite":
        return str(tmp_path / "test.sqlite")
    server: str = request.getfixturevalue("postgresql")
    asyncio.run(run_sql(server, *EMPTY))
    return server
