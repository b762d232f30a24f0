"""Does the player who pressed first get control? Two players of SET, 20 and 180 ms away, with and without compensation.

./run bench fairness            all figures
./run bench fairness --json     one object: presses, and for each way and spread right_with, right_without,
                                far_first_right_with, far_first_right_without (shares), wait_p50_ms, wait_p95_ms

Tables, log (SQLite), bids and settlements are the real ones; only the clock and the network are simulated. Both players
look at the same layout; the difference between their press times has a normal distribution, one for each spread. A
message arrives half a round trip later, and the server measures round trips only by its own probes, as on a socket.
`steady`: all messages take the same time. `jitter`: each takes a random time longer, on average 4 ms near and 20 ms
far. `uneven`: the far player's 180 ms are 60 ms to the server and 120 ms back, which cannot be measured without
trusting the player's clock. `liar`: both are 20 ms away, one delays every probe answer by a second, and the TCP round
trip is known, apart from the 40 ms that a system may take to acknowledge; `unseen`: the same behind a proxy, without
TCP round trips.
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
from threefold.live.audience import Subscriber
from threefold.live.bot_runner import BotWorkers
from threefold.live.lobby import Lobby
from threefold.live.race import WINDOW_MS
from threefold.live.session import Session
from threefold.live.store import Store
from threefold.storage import open_store
from threefold.web.connection import PROBE_EVERY_S, PROBES_S
from threefold.web.round_trip import SLACK_MS

PRESSES = 2000
SPREADS_MS = (50, 100, 200, 400)
ROUND_MS = 6000
"""Milliseconds between rounds: the players look, press, and the first gives up."""

Json = Any
Do = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Way:
    """A player's times to the server and back, in milliseconds; `jitter` is the mean extra time of a message."""

    there: float
    back: float
    jitter: float = 0.0
    holds: float = 0.0
    """How long the player delays answers to probes."""
    seen: bool = True
    """Is the TCP round trip known?"""


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
    """A simulated clock that jumps from one event to the next; it implements the table's Time."""

    time: float = 1_000_000.0
    events: list[tuple[float, int, Do]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)

    def now(self) -> int:
        """The time in milliseconds."""
        return int(self.time)

    async def wait(self, event: asyncio.Event, until: int | None) -> None:  # noqa: ARG002 (see below)
        """Waits only for the event: the world runs everything that is due at a time."""
        await event.wait()

    def later(self, ms: float, do: Do) -> None:
        """Schedules an action."""
        heapq.heappush(self.events, (self.time + ms, next(self.numbers), do))

    async def run(self, session: Session, until: float) -> None:
        """Runs all actions until a time, and settlements when they are due."""
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
    """A player behind a simulated network."""

    world: World
    session: Session
    subscriber: Subscriber
    way: Way
    dice: random.Random
    n: int = 0

    def jitter(self) -> float:
        """The jitter of the next message."""
        return self.dice.expovariate(1 / self.way.jitter) if self.way.jitter else 0.0

    async def probed(self, pauses: Any = None) -> None:
        """The server measures the round trip repeatedly."""
        pauses = pauses or chain(PROBES_S, repeat(PROBE_EVERY_S))
        assert self.subscriber.lag is not None
        lag = self.subscriber.lag
        if self.way.seen:
            lag.longest = lambda: self.way.there + self.way.back + self.way.jitter + SLACK_MS
        mark = lag.probe(self.world.time)

        async def answered() -> None:
            lag.answered(mark, self.world.time)

        self.world.later(self.way.back + self.jitter() + self.way.holds + self.way.there + self.jitter(), answered)
        self.world.later(1000 * next(pauses), lambda: self.probed(pauses))

    def presses(self, after: float, move: str) -> None:
        """Sends the player's action after a while; it reaches the server later."""
        self.n += 1
        n = self.n

        async def arrived() -> None:
            try:
                act = self.session.move(self.subscriber, move, None)
                await self.session.submit(self.subscriber.guest, act, subscriber=self.subscriber, n=n)
            except Refusal:
                self.session.audience.acknowledge(self.subscriber, n)

        self.world.later(after + self.way.there + self.jitter(), arrived)


@dataclass(frozen=True, slots=True)
class Race:
    """One race: who pressed first, who got control, and how long that took after the first call could have arrived."""

    first: int
    control: int
    wait: float


def right(races: Sequence[Race]) -> float:
    """The share of races in which the first got control."""
    return mean(each.first == each.control for each in races)


async def table(world: World, folder: Path, window: int) -> tuple[Session, list[Subscriber], Store]:
    """A table of two with a game of SET that has begun, on a log of its own."""
    store = await open_store(str(folder / f"{window}-{next(world.numbers)}.sqlite"))
    lobby = Lobby(store, world, BotWorkers(), fair_window_ms=window)
    near, far = [await lobby.new_person(name) for name in ("Near", "Far")]
    setup = {"variant": "full", "options": {"cooldown_ms": 0, "call_ms": 60_000}}
    made = await lobby.make(near, "set", setup, e.Settings(seats=2))
    await lobby.close()  # no scheduler: the world does what is due
    session = await Session.load(made.id, store, world, BotWorkers(), window=window)
    subscribers = [await session.attach(each.id, each.name, each.name, None) for each in (near, far)]
    await session.submit(1, lambda s, by, at: acts.sit(s, by, at, None))
    await session.submit(0, acts.start)
    return session, subscribers, store


async def played(ways: tuple[Way, Way], spread: float, window: int, presses: int, folder: Path) -> list[Race]:
    """Runs races; they are the same for every window."""
    world, dice = World(), random.Random(f"{ways} {spread}")  # noqa: S311 (a simulation)
    session, subscribers, store = await table(world, folder, window)
    wires = random.Random(f"wires {ways} {spread}")  # noqa: S311 (likewise)
    players = [Player(world, session, each, way, wires) for each, way in zip(subscribers, ways, strict=True)]
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
        playing = session.state.current
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
    """Simulates every network and every spread, with and without compensation."""
    results = []
    for name, ways in WAYS.items():
        for spread in SPREADS_MS:
            fair = await played(ways, spread, WINDOW_MS, presses, folder)
            plain = await played(ways, spread, 0, presses, folder)
            waits = [each.wait for each in fair]
            results.append(
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
    return results


def main() -> None:
    """Simulates and prints."""
    options = argparse.ArgumentParser(description="Does the player who pressed first get control?")
    options.add_argument("--json", action="store_true")
    options.add_argument("--presses", type=int, default=PRESSES)
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        races = asyncio.run(measured(arguments.presses, Path(folder)))
    if arguments.json:
        print(json.dumps({"presses": arguments.presses, "window_ms": WINDOW_MS, "races": races}))
        return
    print(f"{arguments.presses} presses each; shares in which the true first presser got control")
    print("way      spread   without   with     far player first: without   with     control after, p50   p95")
    for each in races:
        print(
            f"{each['way']:8} {each['spread_ms']:3} ms  {each['right_without']:7.1%}  {each['right_with']:7.1%}"
            f"  {each['far_first_right_without']:25.1%}  {each['far_first_right_with']:7.1%}"
            f"  {each['wait_p50_ms']:14.0f} ms  {each['wait_p95_ms']:3.0f} ms"
        )


if __name__ == "__main__":
    main()
