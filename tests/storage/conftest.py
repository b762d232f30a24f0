"""The two databases, real ones."""

import asyncio
from pathlib import Path

import pytest

from tests.storage.postgres import EMPTY, postgresql, run_sql

__all__ = ["postgresql"]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each sort."""
    if request.param == "sqlite":
        return str(tmp_path / "test.sqlite")
    server: str = request.getfixturevalue("postgresql")
    asyncio.run(run_sql(server, *EMPTY))
    return server
