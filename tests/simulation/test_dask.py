"""The same chunks on a real Dask cluster: the same result, also when a worker is killed half-way."""

import os
import signal
import threading
from importlib import import_module

import pytest

from threefold.simulation import Progress, simulate
from threefold.simulation.jobs import CHUNK

distributed = import_module("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore"),  # of the cluster's own threads and sockets when a worker dies
]
GAMES = 12 * CHUNK
BOTS = ["careful", "random", "careful"]


def test_a_killed_worker_changes_nothing() -> None:
    here = simulate("karma", players=BOTS, games=GAMES, seed="cluster", workers=1, keep_games=True)
    killed = threading.Event()
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=0
    ) as cluster:
        workers = dict(distributed.Client(cluster).run(os.getpid))

        def kill_one(progress: Progress) -> None:
            if not killed.is_set() and progress.games >= GAMES // 3:
                killed.set()
                os.kill(next(iter(workers.values())), signal.SIGKILL)

        there = simulate(
            "karma",
            players=BOTS,
            games=GAMES,
            seed="cluster",
            dask=cluster.scheduler_address,
            keep_games=True,
            on_progress=kill_one,
        )
    assert killed.is_set()
    assert there.as_json() == here.as_json()
    assert there.rows == here.rows
