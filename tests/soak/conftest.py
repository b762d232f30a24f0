"""One cluster for all short campaigns of a test process."""

from collections.abc import Iterator

import pytest

from tests.soak.cluster import Cluster, cluster


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three server processes on their own PostgreSQL."""
    with cluster(tmp_path_factory.mktemp("site"), 3) as found:
        yield found
