"""All bots of a server share its workers: while many wait, those that think long are replaced by lighter ones."""

import asyncio
from collections.abc import Mapping

import pytest

from threefold import karma
from threefold.bots import Choice
from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kit
from threefold.live.bot_runner import MOST_WAITING, BotWorkers, Rests

KARMA = KITS["karma"]


class HeldWorkers(BotWorkers):
    """Workers that choose nothing before they have been asked so often."""

    def __init__(self, processes: int, count: int) -> None:
        super().__init__(processes)
        self.everybody = asyncio.Barrier(count)
        self.asked: list[str] = []

    async def _ask(self, _kit: Kit, bot: str, _view: Mapping[str, Json]) -> Choice | None:
        self.asked.append(bot)
        if len(self.asked) <= self.everybody.parties:
            await self.everybody.wait()
        return None


async def asked_for(bot: str, count: int, processes: int) -> list[str]:
    """The bots that really think when this one is asked so often at once; afterwards it thinks itself again."""
    workers = HeldWorkers(processes, count)
    await asyncio.gather(*(workers.choose(KARMA, bot, {}) for _ in range(count)))
    await workers.choose(KARMA, bot, {})
    assert workers.asked.pop() == bot
    return workers.asked


def test_while_many_wait_experts_are_replaced_step_by_step() -> None:
    for processes in (1, 2):
        room = MOST_WAITING * processes
        asked = asyncio.run(asked_for("expert", 4 * room, processes))
        assert asked == ["expert"] * room + ["hard"] * room + ["sharp"] * 2 * room


def test_bots_that_do_not_search_are_never_replaced() -> None:
    assert set(asyncio.run(asked_for("careful", 50, 1))) == {"careful"}


def test_a_lighter_bot_is_one_of_the_levels_below() -> None:
    for bot, lighter in KARMA.lighter_bots.items():
        assert KARMA.levels.index(lighter) < KARMA.levels.index(bot)


@pytest.mark.parametrize(
    ("processes", "share", "cores", "busy"),
    [(1, 100, 1, 1.0), (1, 50, 2, 1.0), (1, 50, 1, 0.5), (2, 25, 4, 0.5), (3, 10, 6, 0.2), (1, 50, 64, 1.0)],
)
def test_all_bots_together_use_at_most_their_share_of_the_machine(
    processes: int, share: float, cores: int, busy: float
) -> None:
    workers = BotWorkers(processes, share=share, cores=cores)
    assert workers.busy == pytest.approx(busy)
    assert workers.busy * processes <= share / 100 * cores + 1e-9


def test_a_worker_rests_after_its_work_before_it_begins_the_next() -> None:
    rests = Rests()
    assert rests.left(100.0) == 0
    rests.begin(0.3, 0.25, 100.3)
    assert [rests.left(now) for now in (100.3, 100.7, 101.3)] == [pytest.approx(0.9), pytest.approx(0.5), 0]
    rests.begin(0.3, 1.0, 101.6)
    assert rests.left(101.6) == 0


def test_a_worker_process_chooses_and_rests() -> None:
    workers = BotWorkers(share=5, cores=1)
    table = karma.new({"edition": "mini_round", "players": 2, "seed": "v1:rests"})
    try:
        choices = [asyncio.run(workers.choose(KARMA, "careful", karma.view(table, 0))) for _ in range(3)]
    finally:
        workers.close()
    assert all(each is not None and each.move.startswith("face up") for each in choices)
