"""All bots of a server share its workers: while many wait, those that think long are replaced by lighter ones."""

import asyncio
from collections.abc import Mapping

from threefold.bots import Choice
from threefold.game import Json
from threefold.games import KITS
from threefold.kit import Kit
from threefold.live.bot_runner import MOST_WAITING, BotWorkers

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
