"""Does the player who pressed first get control? Two players of SET, 20 and 180 ms away, with and without compensation.

./run bench fairness            all figures
./run bench fairness --json     one object: presses, and for each way and spread right_with, right_without,
                                far_first_right_with, far_first_right_without (shares), wait_p50_ms, wait_p95_ms

Real tables, a real log (SQLite), the real bids and settlements; only the clock and the wires are made up. Both players
look at the same layout; who presses earlier, and by how much, is drawn from a normal distribution of each spread. What
they send arrives half a round trip later, and the server learns of the ways by its own probes alone, as it does on a
socket. `steady`: every message takes as long as the last. `jitter`: each takes longer by chance, on average 4 ms from
near and 20 ms from far. `uneven`: the far player's 180 ms are 60 to the server and 120 back, which nobody can tell who
trusts no foreign clock. `liar`: both are 20 ms away, one holds every answer back by a second, and the network itself
knows the way, but for the 40 ms that a system may take to confirm what it received; `unseen`: the same behind a proxy
that tells nothing.
"""

import argparse
import asyncio
import heapq
import json
import random
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, repeat
from pathlib import Path
from statistics import mean, median, quantiles
from typing import Any

from threefold.game import Refusal
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.calls import WINDOW_MS
from threefold.live.lobby import Lobby
from threefold.live.session import Session
from threefold.live.telling import Line
from threefold.live.thinking import Here
from threefold.storage import Database
from threefold.web.connection import PROBE_EVERY_S, PROBES_S
from threefold.web.round_trip import SLACK_MS

PRESSES = 2000
SPREADS_MS = (50, 100, 200, 400)
ROUND_MS = 6000
"""A round begins so long after the last: the players look, press, and the first gives up."""

Json = Any
Do = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Way:
    """From a player to the server and back, in milliseconds; jitter is added to each message, on average so much."""

    there: float
    back: float
    jitter: float = 0.0
    holds: float = 0.0
    """So long the player holds answers to probes back."""
    seen: bool = True
    """Whether the network knows how long the way is."""


NEAR, FAR = Way(10, 10), Way(90, 90)
WAYS = {
    "steady": (NEAR, FAR),
    "jitter": (Way(10, 10, jitter=4), Way(90, 90, jitter=20)),
    "uneven": (NEAR, Way(60, 120)),
    "liar": (Way(10, 10, holds=1000), NEAR),
    "unseen": (Way(10, 10, holds=1000, seen=False), NEAR),
}


@dataclass(slots=True)
class World:
    """A clock that jumps from one event to the next; it is the table's Time."""

    time: float = 1_000_000.0
    events: list[tuple[float, int, Do]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def now(self) -> int:
        """Milliseconds, as the table counts them."""
        return int(self.time)

    async def wait(self, event: asyncio.Event, until: int | None) -> None:  # noqa: ARG002 (see below)
        """Waits for the event alone: what is due at a time is done by the world."""
        await event.wait()

    def later(self, ms: float, do: Do) -> None:
        """Something happens after a while."""
        heapq.heappush(self.events, (self.time + ms, next(self.numbers), do))

    async def run(self, session: Session, until: float) -> None:
        """Lets everything happen until then, settlements when they are due."""
        while True:
            upcoming = self.events[0][0] if self.events else until
            due = session.settles_at()
            if due is not None and due <= min(upcoming, until):
                self.time = max(self.time, due)
                await session.settle()
            elif upcoming <= until and self.events:
                self.time, _, do = heapq.heappop(self.events)
                await do()
            else:
                self.time = until
                return


@dataclass(slots=True)
class Player:
    """Somebody at the end of a wire."""

    world: World
    session: Session
    line: Line
    way: Way
    dice: random.Random
    n: int = 0

    def jitter(self) -> float:
        """By how much the next message takes longer."""
        return self.dice.expovariate(1 / self.way.jitter) if self.way.jitter else 0.0

    async def probed(self, pauses: Any = None) -> None:
        """The server measures the way, again and again."""
        pauses = pauses or chain(PROBES_S, repeat(PROBE_EVERY_S))
        assert self.line.lag is not None
        lag = self.line.lag
        if self.way.seen:
            lag.longest = lambda: self.way.there + self.way.back + self.way.jitter + SLACK_MS
        mark = lag.ask(self.world.time)

        async def answered() -> None:
            lag.answered(mark, self.world.time)

        self.world.later(self.way.back + self.jitter() + self.way.holds + self.way.there + self.jitter(), answered)
        self.world.later(1000 * next(pauses), lambda: self.probed(pauses))

    def presses(self, after: float, move: str) -> None:
        """The player does something after a while; later it is at the server."""
        self.n += 1
        n = self.n

        async def arrived() -> None:
            try:
                await self.session.move(self.line, move, None, n)
            except Refusal:
                self.session.dealt_with(self.line, n)

        self.world.later(after + self.way.there + self.jitter(), arrived)


@dataclass(frozen=True, slots=True)
class Race:
    """Who pressed first, who got control, and how long after the first call could have come in."""

    first: int
    control: int
    wait: float


def right(races: Sequence[Race]) -> float:
    """How often the first got control."""
    return mean(each.first == each.control for each in races)


async def table(world: World, folder: Path, window: int) -> tuple[Session, list[Line], Database]:
    """A table of two with a game of SET that has begun, on a log of its own."""
    store = Database(str(folder / f"{window}-{next(world.numbers)}.sqlite"))
    await store.open()
    lobby = Lobby(store, world, Here(), fair_window_ms=window)
    near, far = [await lobby.new_person(name) for name in ("Near", "Far")]
    given = {"variant": "full", "options": {"cooldown_ms": 0, "call_ms": 60_000}}
    made = await lobby.make(near, "set", given, e.Settings(seats=2))
    session = Session(made.id, store, world, Here(), window)
    await lobby.close()  # no clock of its own: the world does what is due
    await session.load()
    lines = [await session.attach(each.id, each.name, each.name, None) for each in (near, far)]
    await session.submit(1, lambda s, by, at: acts.sit(s, by, at, None))
    await session.submit(0, acts.start)
    return session, lines, store


async def played(ways: tuple[Way, Way], spread: float, window: int, presses: int, folder: Path) -> list[Race]:
    """So many races; the same ones whatever the window is."""
    world, dice = World(), random.Random(f"{ways} {spread}")  # noqa: S311 (a simulation)
    session, lines, store = await table(world, folder, window)
    wires = random.Random(f"wires {ways} {spread}")  # noqa: S311 (likewise)
    players = [Player(world, session, line, way, wires) for line, way in zip(lines, ways, strict=True)]
    for each in players:
        await each.probed()
    races = []
    for number in range(presses):
        begins = 1_000_000.0 + ROUND_MS * (number + 1)
        await world.run(session, begins)
        gap = dice.gauss(0, spread)
        pressed = [2000 + max(0.0, -gap), 2000 + max(0.0, gap)]
        for player, after in zip(players, pressed, strict=True):
            player.presses(after, "call")
        await world.run(session, begins + 4500)
        playing = session.sitting.playing
        assert playing is not None
        control = playing.game.view(playing.table, None)["control"]
        assert control is not None
        arrives = begins + min(after + way.there for after, way in zip(pressed, ways, strict=True))
        races.append(Race(int(gap < 0), control, playing.began + playing.latest - arrives))
        players[control].presses(0, "give up")
        await world.run(session, begins + 5500)
    await store.close()
    return races


async def measured(presses: int, folder: Path) -> list[Json]:
    """Every way and every spread, with compensation and without."""
    found = []
    for name, ways in WAYS.items():
        for spread in SPREADS_MS:
            fair = await played(ways, spread, WINDOW_MS, presses, folder)
            plain = await played(ways, spread, 0, presses, folder)
            waits = [each.wait for each in fair]
            found.append(
                {
                    "way": name,
                    "spread_ms": spread,
                    "right_with": right(fair),
                    "right_without": right(plain),
                    "far_first_right_with": right([each for each in fair if each.first == 1]),
                    "far_first_right_without": right([each for each in plain if each.first == 1]),
                    "wait_p50_ms": median(waits),
                    "wait_p95_ms": quantiles(waits, n=20)[-1],
                }
            )
    return found


def main() -> None:
    """Simulates and tells."""
    options = argparse.ArgumentParser(description="Does the player who pressed first get control?")
    options.add_argument("--json", action="store_true")
    options.add_argument("--presses", type=int, default=PRESSES)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measured(given.presses, Path(folder)))
    if given.json:
        print(json.dumps({"presses": given.presses, "window_ms": WINDOW_MS, "races": found}))
        return
    print(f"{given.presses} presses each; shares in which the true first presser got control")
    print("way      spread   without   with     far player first: without   with     control after, p50   p95")
    for each in found:
        print(
            f"{each['way']:8} {each['spread_ms']:3} ms  {each['right_without']:7.1%}  {each['right_with']:7.1%}"
            f"  {each['far_first_right_without']:25.1%}  {each['far_first_right_with']:7.1%}"
            f"  {each['wait_p50_ms']:14.0f} ms  {each['wait_p95_ms']:3.0f} ms"
        )


if __name__ == "__main__":
    main()
