"""Real networks are far, uneven and lossy, and sometimes silent. What was promised holds there too.

Each test says at the end by which means the trouble was made (see trouble.py; `pytest -rP` shows it).
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.network.trouble import Means, Packets, Proxy, Way, Weather, the_best_means
from tests.waiting import PATIENCE_S
from tests.web.leaks import log_of
from tests.web.server import Guest, Server, cookie_of
from threefold.live import entries as e
from threefold.live.record import verify

Json = Any
NEAR_S, FAR_S = 0.020, 0.180
"""Round trips."""
TABLES, ROUNDS = 8, 6
CLEARLY_S = 0.03
"""Presses closer than this may change places on a busy machine."""
PROBES = 4
"""Answers by which the server knows a way well."""
PING_S = 2.0
"""Everybody else has this long to answer a ping, also on a busy machine."""


@pytest.fixture
def means() -> Iterator[Packets | Proxy]:
    with the_best_means() as found:
        yield found
        print("by means of", found.name)  # noqa: T201 (said honestly, for whoever reads the output)


@pytest.fixture(params=[Packets, Proxy])
def each_means(request: pytest.FixtureRequest) -> Iterator[Packets | Proxy]:
    try:
        found = request.param()
    except OSError:
        pytest.skip("no right to make network namespaces here")
    yield found
    found.close()


def cookies(means: Means, server: Server, *names: str) -> list[str]:
    """People who have come in, in fine weather."""

    def come() -> list[str]:
        with server.people(*names) as people:
            return [cookie_of(each) for each in people]

    return means.at_home(come)


def a_table(means: Means, server: Server, cookie: str, plan: Json) -> str:
    """The code of a new table."""

    def make() -> str:
        with server.client(cookie) as client:
            made = client.post("/api/tables", json=plan)
            assert made.status_code == 201, made.text
            return str(made.json()["code"])

    return means.at_home(make)


def downloaded(server: Server, game: str) -> Json:
    """The file of a finished game."""
    with server.client() as client:
        return client.get(f"/api/games/{game}").json()


async def seated(server: Server, code: str, who: list[tuple[str, Way]]) -> list[Guest]:
    """People who have sat down and started a game, each by their own way."""
    found = [await Guest(server, code, cookie=cookie, reach=way.connect).open() for cookie, way in who]
    for each in found[1:]:
        await each.ask("sit")
    await found[0].ask("start")
    for each in found:
        await each.until(lambda each=each: each.view is not None)  # type: ignore[misc]
    return found


# ---------------------------------------------------------------- The means themselves


def test_a_way_is_as_long_as_its_weather_says(each_means: Packets | Proxy, tmp_path: Path) -> None:
    async def test(server: Server, way: Way) -> None:
        (cookie,) = cookies(each_means, server, "Ann")
        code = a_table(each_means, server, cookie, {"game": "karma", "edition": "mini_round", "seats": 2})
        guest = await Guest(server, code, cookie=cookie, reach=way.connect).open()
        fine = min([await round_trip(guest) for _ in range(10)])
        way.weather.delay_s = 0.05
        assert 0.1 <= min([await round_trip(guest) for _ in range(5)]) < 0.2 + fine
        way.weather.loss = 0.3
        async with asyncio.timeout(PATIENCE_S):
            while await round_trip(guest) < 0.28:  # what is lost is sent again, later; sooner or later something is
                pass
        way.weather.silent = True
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(round_trip(guest), 0.6)
        await guest.drop()

    server = Server(tmp_path, host=each_means.host, THREEFOLD_RATES="0")
    way = each_means.way(Weather())
    each_means.at_home(server.start)
    try:
        asyncio.run(test(server, way))
    finally:
        server.stop()


async def round_trip(guest: Guest) -> float:
    loop = asyncio.get_running_loop()
    began = loop.time()
    await guest.ask("ping", sent=1)
    return loop.time() - began


# ---------------------------------------------------------------- SET, near and far


async def a_race(pair: list[Guest], dice: random.Random) -> bool | None:
    """Both press at a moment of their own. Did the first get control? None: they pressed almost together."""
    near, far = pair
    for each in pair:
        await each.until(lambda each=each: "call" in (each.view["view"].get("moves") or ()))  # type: ignore[misc]
    loop = asyncio.get_running_loop()
    start = loop.time() + 0.2
    pressed: dict[int, float] = {}

    async def press(guest: Guest, after: float) -> None:
        await asyncio.sleep(start + after - loop.time())
        pressed[guest.view["view"]["viewer"]] = loop.time()
        await guest.ask("move", move="call")

    shown = len(near.received)
    await asyncio.gather(press(near, dice.uniform(0, 0.15)), press(far, dice.uniform(0, 0.15)))

    def in_control() -> int | None:
        views = (each["view"] for each in near.received[shown:] if each["is"] == "view")
        return next((view["control"] for view in views if view.get("control") is not None), None)

    await near.until(lambda: in_control() is not None)
    first, last = sorted(pressed, key=lambda player: pressed[player])
    return None if pressed[last] - pressed[first] < CLEARLY_S else in_control() == first


async def races(means: Means, server: Server, ways: list[Way]) -> float:
    """How often the first presser gets control, of all clear races at a few tables."""
    who = cookies(means, server, "Near", "Far")
    plan = {"game": "set", "variant": "full", "seats": 2, "options": {"call_ms": 1, "cooldown_ms": 0}}
    codes = [a_table(means, server, who[0], plan) for _ in range(TABLES)]
    tables = await asyncio.gather(*(seated(server, code, list(zip(who, ways, strict=True))) for code in codes))
    await asyncio.gather(*(guest.measured(PROBES) for pair in tables for guest in pair))

    async def evening(number: int, pair: list[Guest]) -> list[bool | None]:
        dice = random.Random(number)  # noqa: S311 (when they press)
        return [await a_race(pair, dice) for _ in range(ROUNDS)]

    played = await asyncio.gather(*map(evening, range(TABLES), tables))
    won = [each for found in played for each in found if each is not None]
    await asyncio.gather(*(guest.drop() for pair in tables for guest in pair))
    return sum(won) / len(won)


@pytest.mark.slow
def test_the_first_to_press_gets_control_though_the_other_is_nearer(means: Packets | Proxy, tmp_path: Path) -> None:
    servers = [
        Server(
            tmp_path / window,
            host=means.host,
            THREEFOLD_RATES="0",
            THREEFOLD_FAIR_WINDOW_MS=window,
            THREEFOLD_PROXIED=str(int(isinstance(means, Proxy))),
        )
        for window in ("0", "100")
    ]
    ways = [means.way(Weather(delay_s=trip / 2)) for trip in (NEAR_S, FAR_S)]

    async def both() -> list[float]:
        return await asyncio.gather(*(races(means, each, ways) for each in servers))

    try:
        for each in servers:
            means.at_home(each.start)
        by_arrival, by_press = asyncio.run(both())
    finally:
        for each in servers:
            each.stop()
    print(f"of the clear races among {TABLES * ROUNDS} each: {by_arrival:.0%} by arrival, {by_press:.0%} by press")  # noqa: T201
    assert by_press >= by_arrival + 0.15
    assert by_press >= 0.75


# ---------------------------------------------------------------- Karma in bad weather


@pytest.mark.slow
def test_a_game_in_bad_weather_is_played_to_the_end_and_nothing_is_lost(means: Packets | Proxy, tmp_path: Path) -> None:
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "options": {"turn_limit": 40}}
    ways = [means.way(Weather(0.02, 0.015, 0.06)), means.way(Weather(0.03, 0.02, 0.06))]

    async def test(server: Server) -> None:
        who = cookies(means, server, "Ann", "Bob")
        code = a_table(means, server, who[0], plan)
        pair = await seated(server, code, list(zip(who, ways, strict=True)))
        await asyncio.gather(*(each.play("careful") for each in pair))
        for each in pair:
            await each.until(lambda each=each: each.over and each.table["playing"]["id"])  # type: ignore[misc]
        written = [each for each in log_of(tmp_path, code) if isinstance(each, e.Moved)]
        for guest in pair:
            moves = [n for n, message in guest.sent.items() if message["is"] == "move"]
            refused = {each["n"] for each in guest.received if each["is"] == "refused"}
            assert guest.ack == guest.n
            assert [each.n for each in written if each.client == guest.client] == [n for n in moves if n not in refused]
        game = pair[0].table["playing"]["id"]
        record = means.at_home(lambda: downloaded(server, game))
        assert verify(record).problems == ()
        assert record["ending"] == pair[1].view["view"]["ending"]
        await asyncio.gather(*(each.drop() for each in pair))

    server = Server(tmp_path, host=means.host, THREEFOLD_RATES="0")
    means.at_home(server.start)
    try:
        asyncio.run(test(server))
    finally:
        server.stop()
    if isinstance(means, Packets):
        assert means.carrier.dropped > 10
        print(f"{means.carrier.carried} packets arrived, {means.carrier.dropped} did not")  # noqa: T201


# ---------------------------------------------------------------- Silence


def test_a_line_that_is_silently_dead_is_noticed_by_both_sides(means: Packets | Proxy, tmp_path: Path) -> None:
    """Within twice the time between pings the table says that the person is not here."""
    ways = [means.way(Weather()), means.way(Weather())]

    async def test(server: Server) -> None:
        who = cookies(means, server, "Ann", "Bob")
        code = a_table(means, server, who[0], {"game": "karma", "edition": "mini_round", "seats": 2})
        ann, bob = await seated(server, code, list(zip(who, ways, strict=True)))
        assert [each["here"] for each in ann.table["guests"]] == [True, True]
        ways[1].weather.silent = True
        loop = asyncio.get_running_loop()
        began = loop.time()
        await ann.until(lambda: [each["here"] for each in ann.table["guests"]] == [True, False])
        assert loop.time() - began > 0.5, "it was not told, it was noticed"
        ways[1].weather.silent = False
        await bob.drop()
        await bob.resume()
        await ann.until(lambda: [each["here"] for each in ann.table["guests"]] == [True, True])
        assert msgspec.json.encode(bob.view["view"])
        await asyncio.gather(ann.drop(), bob.drop())

    server = Server(tmp_path, host=means.host, THREEFOLD_RATES="0", THREEFOLD_PING_S=str(PING_S))
    means.at_home(server.start)
    try:
        asyncio.run(test(server))
    finally:
        server.stop()
