"""One server for all tests of a process that do not need their own."""

from collections.abc import Iterator

import pytest

from tests.storage.postgres import postgresql
from tests.web.server import Server

__all__ = ["postgresql"]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without limits on how often; the limits have tests of their own."""
    with Server(tmp_path_factory.mktemp("server"), THREEFOLD_RATES="0") as running:
        yield running
