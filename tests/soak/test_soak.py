"""Short campaigns: each sort of trouble by itself, then all of it at once. The long one is `./run soak`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.soak.campaign import Campaign, Report, Settings, Trouble, as_words
from tests.soak.cluster import Cluster
from tests.soak.people import Behaviour

pytestmark = pytest.mark.slow
STALE_S = 10.0
"""More than the two seconds of the long soak: here a busy machine must not matter, and unhealed is much longer."""
BRISK = Behaviour(think_s=0.25, stays_s=4.0, long_away=0.0, flood=0.01)
STEADY = Behaviour(think_s=0.25, stays_s=60.0, long_away=0.0, nonsense=0.0, illegal=0.01, flood=0.0, concede=0.0)


def campaign(site: Cluster, folder: Path, trouble: Trouble | None = None, **settings: Any) -> Report:
    """A campaign in which failures happened and every promise was kept."""
    wanted = {"tables": 6, "calm_s": 2.0, "behaviour": BRISK, "stale_s": STALE_S, **settings}
    site.done.update(dict.fromkeys(site.done, 0))
    report = asyncio.run(Campaign(Settings(**wanted), site, folder, trouble).run())
    print("\n".join(as_words(report)))  # noqa: T201 (the report, for whoever reads a failure)
    assert report.violations == []
    assert report.findings.counts["entries"] > 60
    assert report.findings.counts["views compared"] > 100
    return report


def test_the_database_is_stopped_and_crashes_under_load(site: Cluster, tmp_path: Path) -> None:
    async def trouble(site: Cluster) -> None:
        await asyncio.sleep(1)
        await site.stop_database(0.5, crash=False)
        await asyncio.sleep(1.5)
        await site.stop_database(0.2, crash=True)
        await asyncio.sleep(1)

    report = campaign(site, tmp_path, trouble, seed=1)
    assert report.done["database stopped"] == 2
    assert report.complaints == [], "the servers' logs have no errors besides the stopped database"
    assert any(node.complaints() for node in site.nodes), "which they do mention"
    assert report.findings.stalest <= STALE_S


def test_notices_are_lost_and_nobody_sees_an_old_table_for_long(site: Cluster, tmp_path: Path) -> None:
    async def trouble(site: Cluster) -> None:
        for _ in range(40):
            await site.cut_notices()
            await asyncio.sleep(0.1)

    report = campaign(site, tmp_path, trouble, seed=2, behaviour=STEADY)
    assert report.done["notices cut"] == 40
    assert 0 < report.findings.stalest <= STALE_S


def test_processes_are_killed_and_asked_to_end_in_the_middle_of_games(site: Cluster, tmp_path: Path) -> None:
    async def trouble(site: Cluster) -> None:
        await asyncio.sleep(1)
        for end in (site.kill, site.hand_over, site.kill):
            await end(site.up[0], 0.2)
            await asyncio.sleep(0.5)

    report = campaign(site, tmp_path, trouble, seed=3)
    assert (report.done["killed"], report.done["handed over"]) == (2, 1)


def test_a_short_soak_with_everything_at_once_keeps_every_promise(site: Cluster, tmp_path: Path) -> None:
    rough: dict[str, Any] = {"kills_per_minute": 20.0, "database_stops_per_minute": 8.0, "cuts_per_minute": 30.0}
    report = campaign(site, tmp_path, seconds=9.0, seed=4, tables=8, **rough)
    assert report.connections > report.people, "people came back"
