"""Races in SET over real sockets: long ways, pages that come back, and two server processes on one PostgreSQL."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from tests.storage.postgres import EMPTY, run_sql
from tests.web.server import Guest, Server, cookie_of
from threefold.live import entries as e
from threefold.live.state import fold
from threefold.storage import open_store
from threefold.web.round_trip import _measured

Json = Any
TABLES = 100
AT_ONCE = 10
PROBES = 4
"""Answers by which the server knows a way well."""
RACES = 20
"""On a busy machine presses arrive late; one race of these must go as it should."""
OPTIONS = {"cooldown_ms": 0, "call_ms": 600_000}


class FarGuest(Guest):
    """Somebody whose messages are so many seconds under way, in both directions together."""

    def __init__(
        self, server: Server, code: str, *, cookie: str, round_trip: float, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(server, code, cookie=cookie, headers=headers)
        self.round_trip = round_trip
        self.answers: list[asyncio.Task[None]] = []

    async def probed(self, mark: str) -> None:
        self.answers = [each for each in self.answers if not each.done()]
        self.answers.append(asyncio.create_task(self._later(mark)))

    async def _later(self, mark: str) -> None:
        await asyncio.sleep(self.round_trip)
        with suppress(websockets.ConnectionClosed):  # the answer comes too late
            await super().probed(mark)

    async def close(self) -> None:
        for each in self.answers:
            each.cancel()
        await asyncio.gather(*self.answers, return_exceptions=True)
        await super().close()

    async def presses(self, move: str) -> None:
        """Sends a move, which is half the way from arriving."""
        await asyncio.sleep(self.round_trip / 2)
        await self.ask("move", move=move, game=1)


def made(host: httpx.Client, seats: int = 2) -> str:
    options = {"game": "set", "variant": "full", "seats": seats, "options": OPTIONS}
    code: str = host.post("/api/tables", json=options).raise_for_status().json()["code"]
    return code


def settled(guest: Guest) -> list[Json]:
    """Every settlement that this guest was told of."""
    batches = (batch for each in guest.received if each["is"] == "view" for batch in each["events"] or ())
    return [event for batch in batches for event in batch["events"] if event["event"] == "call_settled"]


def late(guest: Guest) -> list[Json]:
    return [each for each in guest.received if each["is"] == "refused" and each["taken"]]


@pytest.fixture(scope="module")
def far_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that tells nothing: how far away pages are it learns by their answers alone."""
    with Server(tmp_path_factory.mktemp("far"), THREEFOLD_RATES="0", THREEFOLD_PROXIED="1") as running:
        yield running


@asynccontextmanager
async def near_and_far(server: Server, headers: dict[str, str] | None = None) -> AsyncIterator[tuple[Guest, FarGuest]]:
    """Two at a table, one of them 180 ms away, as the server has measured by now."""
    with server.people("Near", "Far") as people:
        code = made(people[0])
        near = Guest(server, code, cookie=cookie_of(people[0]))
        far = FarGuest(server, code, cookie=cookie_of(people[1]), round_trip=0.18, headers=headers)
        for each in (near, far):
            await each.open()
        await far.ask("sit")
        await near.ask("start")
        for each in (near, far):
            await each.measured(PROBES)
        yield near, far
        for each in (near, far):
            await each.close()


async def race(near: Guest, far: FarGuest) -> int:
    """Far presses 60 ms before Near; gives who has control."""
    for each in (near, far):
        await each.until(lambda each=each: each.view is not None and each.view["view"]["control"] is None)  # type: ignore[misc]
        each.received.clear()
    before = near.view["view"]["points_lost"]
    pressed = asyncio.create_task(far.presses("call"))
    await asyncio.sleep(0.06)
    await near.ask("move", move="call", game=1)
    await pressed
    for each in (near, far):
        await each.until(lambda each=each: each.view["view"]["control"] is not None)  # type: ignore[misc]
    control: int = near.view["view"]["control"]
    assert near.view["view"]["points_lost"] == before, "being late costs nothing"
    return control


async def won_by(player: int, near: Guest, far: FarGuest, as_expected: Callable[[], bool] = lambda: True) -> bool:
    """Does this player win one of a few races, as expected?"""
    for _ in range(RACES):
        control = await race(near, far)
        if control == player and as_expected():
            return True
        await (near, far)[control].ask("move", move="give up", game=1)
    return False


def by_sixty_ms(guest: Guest) -> bool:
    """Was the last call settled by about the 60 ms between the presses?"""
    return 20 <= (settled(guest)[0]["margin_ms"] or 0) <= 100


def test_who_pressed_first_far_away_wins_and_both_are_told_by_how_much(far_server: Server) -> None:
    async def test() -> None:
        async with near_and_far(far_server) as (near, far):
            assert await won_by(1, near, far, lambda: by_sixty_ms(near))
            await far.until(lambda: settled(far))
            assert settled(near) == settled(far)
            found = settled(near)[0]
            assert (found["player"], found["others"]) == (1, [0])
            await near.until(lambda: late(near))
            assert late(near)[0]["text"]["key"] == "live.refusal.quicker"
            assert late(near)[0]["text"]["parameters"] == {"player": 1, "n": found["margin_ms"]}
            assert late(far) == []

    asyncio.run(test())


@pytest.mark.parametrize("by", ["the connection", "the proxy"])
def test_who_holds_answers_back_wins_nothing_where_the_network_knows_the_way(
    by: str, server: Server, far_server: Server
) -> None:
    """Far answers as from far away, but sits as near as Near, and calls 60 ms later."""

    async def late_call(near: Guest, liar: FarGuest) -> int:
        first = asyncio.create_task(near.ask("move", move="call", game=1))
        await asyncio.sleep(0.06)
        await liar.ask("move", move="call", game=1)
        await first
        await near.until(lambda: near.view["view"]["control"] is not None)
        control: int = near.view["view"]["control"]
        await (near, liar)[control].ask("move", move="give up", game=1)
        for each in (near, liar):
            await each.until(lambda each=each: each.view["view"]["control"] is None)  # type: ignore[misc]
        return control

    async def test() -> None:
        headers = {"x-way-us": "150"} if by == "the proxy" else None
        async with near_and_far(far_server if headers else server, headers) as (near, liar):
            won = [await late_call(near, liar) for _ in range(5)]
            assert won.count(0) >= 4, "a busy machine may read both calls at once, and then either wins"
        if headers:  # where nobody tells, the lie wins up to the window
            async with near_and_far(far_server) as (near, liar):
                assert 1 in [await late_call(near, liar) for _ in range(5)]

    asyncio.run(test())


def test_without_the_window_who_sits_nearer_wins(tmp_path: Path) -> None:
    async def test(own: Server) -> None:
        async with near_and_far(own) as (near, far):
            assert await won_by(0, near, far)
            assert settled(near) == []
            assert [each["text"]["key"] for each in late(far)] == ["set.refusal.somebody_has_control"]

    with Server(tmp_path, THREEFOLD_RATES="0", THREEFOLD_FAIR_WINDOW_MS="0") as own:
        asyncio.run(test(own))


def test_a_call_sent_again_after_a_break_counts_once_and_its_outcome_is_told(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann", "Bob") as people:
            code = made(people[0])
            ann, bob = (Guest(server, code, cookie=cookie_of(each)) for each in people)
            for each in (ann, bob):
                await each.open()
            await bob.ask("sit")
            await ann.ask("start")
            await bob.until(lambda: bob.view)
            bob.n += 1
            bob.sent[bob.n] = {"is": "move", "n": bob.n, "move": "call", "game": 1}
            await bob.send(bob.sent[bob.n])
            await bob.drop()
            await ann.until(lambda: ann.view is not None and ann.view["view"]["control"] == 1)
            await bob.resume()
            await bob.until(lambda: bob.ack >= bob.n and settled(bob))
            assert (
                settled(bob)
                == settled(ann)
                == [{"event": "call_settled", "player": 1, "margin_ms": None, "others": []}]
            )
            assert late(bob) == []
            for each in (ann, bob):
                await each.close()

    asyncio.run(test())


@pytest.mark.slow
def test_two_processes_race_on_a_hundred_tables_and_each_has_one_winner(tmp_path: Path, postgresql: str) -> None:
    """One player of each table is on each process; both call at once. Every call is answered.

    Bob seems two seconds away, and the window is long: Ann's calls wait for his, however busy this machine is.
    """

    async def raced(first: Server, second: Server) -> list[str]:
        with first.people("Ann", "Bob") as (ann, bob):
            codes = [made(ann) for _ in range(TABLES)]
            pairs = []
            for some in (codes[i : i + AT_ONCE] for i in range(0, TABLES, AT_ONCE)):
                pairs += await asyncio.gather(*(seated(first, second, code, ann, bob) for code in some))
            await asyncio.gather(*(bob_there.measured(1) for _, bob_there in pairs))
            for racing in (pairs[i : i + AT_ONCE] for i in range(0, TABLES, AT_ONCE)):
                await asyncio.gather(*(call_at_once(*pair) for pair in racing))
            for pair in pairs:
                check(*pair)
            await asyncio.gather(*(guest.close() for pair in pairs for guest in pair))
            return codes

    async def check_log(codes: list[str]) -> None:
        store = await open_store(postgresql)
        contested = 0
        for code in codes:
            row = await store.table(code)
            assert row is not None
            bodies = [body for _, body in await store.entries(row.id)]
            found = [e.decode(body) for body in bodies]
            settlements = [each for each in found if isinstance(each, e.Settled)]
            assert len(settlements) == 1
            assert sum(each.played for each in settlements[0].calls) == 1
            contested += len(settlements[0].calls) == 2
            playing = fold(enumerate(bodies, 1)).running
            assert playing is not None
            assert playing.game.view(playing.table, None)["control"] == settlements[0].calls[0].player
        assert contested, "no two calls met"
        await store.close()

    async def test() -> None:
        await run_sql(postgresql, *EMPTY)
        shared = {
            "THREEFOLD_RATES": "0",
            "THREEFOLD_DATABASE": postgresql,
            "THREEFOLD_FAIR_WINDOW_MS": "3000",
            "THREEFOLD_PROXIED": "1",
        }
        with Server(tmp_path, **shared) as first, Server(tmp_path, **shared) as second:
            codes = await raced(first, second)
        await check_log(codes)

    asyncio.run(test())


async def seated(first: Server, second: Server, code: str, ann: httpx.Client, bob: httpx.Client) -> tuple[Guest, Guest]:
    """Ann on the first process, Bob on the second, and a game that has begun."""
    there = Guest(first, code, cookie=cookie_of(bob))
    here = Guest(first, code, cookie=cookie_of(ann))
    await there.open()
    await there.ask("sit")
    await there.close()
    await here.open()
    await here.ask("start")
    away = FarGuest(second, code, cookie=cookie_of(bob), round_trip=2.0)
    await away.open()
    await away.until(lambda: away.view or away.closed)
    return here, away


async def call_at_once(here: Guest, there: Guest) -> None:
    await asyncio.gather(*(each.ask("move", move="call", game=1) for each in (here, there)))
    for each in (here, there):
        await each.until(lambda each=each: late(each) or settled(each))  # type: ignore[misc]


def check(here: Guest, there: Guest) -> None:
    """One was told to be late, the other has won; it cost nobody anything."""
    assert here.ack == here.n
    assert there.ack == there.n
    assert len(late(here)) + len(late(there)) == 1
    loser = 0 if late(here) else 1
    for each in (here, there):
        if each.view["view"]["control"] is not None:
            assert each.view["view"]["control"] == 1 - loser
            assert each.view["view"]["points_lost"] == [0, 0]
    keys = {each["text"]["key"] for each in late(here) + late(there)}
    assert keys <= {"live.refusal.quicker", "set.refusal.somebody_has_control"}, json.dumps(sorted(keys))


def test_a_connection_that_was_closed_has_no_round_trip() -> None:
    class Closed:
        def getsockopt(self, *_: object) -> bytes:
            raise ValueError("negative file descriptor")  # as uvloop's sockets say

    assert _measured(Closed()) is None  # type: ignore[arg-type]
