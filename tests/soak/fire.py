"""`./run soak --fire`: kills, hostile clients and long evenings at a large scale, with one report.

Everything runs on loopback against servers of its own, and is bounded in count and time.
"""

import asyncio
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import msgspec
import sqlalchemy as sa

from tests.rule_coverage import ROOT
from tests.soak.campaign import PLANS, Campaign, Report, Settings, as_words, combined, karma
from tests.soak.cluster import Cluster, Node, cluster
from tests.soak.hostile import Order, Tally
from tests.soak.people import Behaviour, a_cookie
from tests.storage.postgres import EMPTY, PostgreSQL, run_sql
from tests.waiting import until
from tests.web.server import Guest, cookie_of
from threefold.games import KITS
from threefold.live.bot_runner import choice_of
from threefold.storage import open_store
from threefold.storage.migrate import HEAD, upgrade

Json = Any
BUSY = Behaviour(
    think_s=0.004, stays_s=15.0, arrange_s=0.1, fill_seats_s=0.3, long_away=0.02, flood=0.0, concede=0.001, pause=0.001
)
GUESTS = Behaviour(
    think_s=0.02, stays_s=8.0, arrange_s=0.2, fill_seats_s=0.5, long_away=0.1, flood=0.0, concede=0.001, pause=0.001
)
QUICK_STAND_INS = {"grace_s": 1, "pace": "fast"}
"""Of twelve people somebody is nearly always away; the table must not wait for each of them."""
BUSY_PLANS = tuple(plan | (QUICK_STAND_INS if plan["game"] == "karma" else {}) for plan in PLANS)
RATES = {"THREEFOLD_RATES": "20"}
"""Busy people act faster than people do; the hostile ones meet the usual limits."""
BYSTANDER_P99_MS = 50.0
GROWTH = 1.15
"""The server may use this much more memory after the attack than after its first tenth, and 16 MB."""
SLACK_BYTES = 16_000_000
WAVE = 20
"""An attack comes in waves, so that memory can be compared."""
HOSTILE_PEOPLE = 24
THINK_S = 0.2
"""Between two moves of a bystander."""


@dataclass(frozen=True, slots=True)
class Fire:
    """The size of a campaign; each part also ends after `minutes`."""

    kills: int = 200
    """On each database, besides those during migrations."""
    rounds: int = 8
    """The kills and acts on a database come in this number of rounds, each with new tables."""
    migrations: int = 20
    """Kills during migrations, on each database."""
    acts: int = 1_000_000
    hostile: int = 1_000_000
    games: int = 100
    turns: int = 150
    """The turn limit of a game of the long evening."""
    minutes: float = 120.0
    tables: int = 24
    processes: int = 3
    seed: int = 1
    stale_s: float = 2.0
    p99_ms: float = BYSTANDER_P99_MS
    """Infinite where other work on the machine would decide."""
    calm_s: float = 2.0
    parts: tuple[str, ...] = ("sqlite", "postgresql", "hostile", "evening")


@dataclass(slots=True)
class Result:
    """What was done and measured, and what was broken."""

    words: list[str] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def take(self, name: str, report: Report) -> None:
        """Adds the report of a part."""
        self.words += [f"{name}:", *(f"  {line}" for line in as_words(report))]
        self.violations += [f"{name}: {each}" for each in (*report.violations, *report.complaints)]
        self.figures[f"{name}: acknowledged"] = report.acknowledged
        self.figures[f"{name}: stalest s"] = report.findings.stalest
        self.figures[f"{name}: games"] = report.findings.counts["games verified"]


def run_fire(fire: Fire) -> Result:
    """The whole campaign, part by part."""
    result = Result()
    for part in fire.parts:
        PARTS[part](fire, result)
    return result


# ---------------------------------------------------------------- Kills


def kills_on(fire: Fire, result: Result, *, sqlite: bool) -> None:
    """SIGKILLs while people play, a quarter of them during hand-overs; then some during migrations.

    New tables are opened in each round, and closed after it: a server that starts reads the whole log of every table
    at which a game runs.
    """
    name = "kills on SQLite" if sqlite else f"kills on PostgreSQL, {fire.processes} processes"
    settings = Settings(
        processes=fire.processes, tables=fire.tables, sqlite=sqlite, calm_s=fire.calm_s, behaviour=BUSY,
        stale_s=fire.stale_s, plans=BUSY_PLANS,
    )  # fmt: skip
    dice = random.Random(f"{fire.seed}/{name}")  # noqa: S311 (the times of failures)
    ends = time.monotonic() + 60 * fire.minutes
    reports: list[Report] = []
    with temporary_cluster(settings, THREEFOLD_COMPILED="0") as (folder, site):
        for number in range(fire.rounds):
            kills, acts = (share(whole, number, fire.rounds) for whole in (fire.kills, fire.acts // 2))
            campaign = Campaign(replace(settings, seed=100 * fire.seed + number), site, folder)
            campaign.trouble = partial(kill_at_times, campaign, kills, acts, dice, ends)
            reports.append(asyncio.run(run_and_close(campaign)))
            progress(name, reports)
            if time.monotonic() > ends:
                break
        broken = kills_in_migrations(fire.migrations, folder, site, dice)
    report = combined(reports)
    result.take(name, report)
    killed = report.done["killed"] + report.done["killed while handing over"]
    result.figures[f"{name}: kills"] = killed + fire.migrations
    result.words.append(f"  {report.acknowledged} acts acknowledged; {fire.migrations} more kills during migrations")
    result.violations += [f"{name}: {each}" for each in broken]


async def run_and_close(campaign: Campaign) -> Report:
    """A round, after which no game runs."""
    report = await campaign.run()
    await campaign.close_tables()
    return report


def share(whole: int, number: int, parts: int) -> int:
    """The size of a part of something that is divided as evenly as possible."""
    return whole * (number + 1) // parts - whole * number // parts


def progress(name: str, reports: list[Report]) -> None:
    """Reports on standard error how far a long part has come."""
    done = reports[-1].done
    sys.stderr.write(
        f"{name}: round {len(reports)}: {sum(each.acknowledged for each in reports)} acts acknowledged in"
        f" {sum(each.seconds for each in reports):.0f} s, {done['killed'] + done['killed while handing over']} kills,"
        f" stalest {max(each.findings.stalest for each in reports):.2f} s,"
        f" {sum(len(each.violations) for each in reports)} violations\n"
    )


async def kill_at_times(
    campaign: Campaign, kills: int, acts: int, dice: random.Random, ends: float, site: Cluster
) -> None:
    """Kills one process after another, evenly over the acts."""
    for number in range(1, kills + 1):
        reached = acts * number / kills
        await in_time(lambda reached=reached: campaign.acknowledged >= reached, ends)  # type: ignore[misc]
        if time.monotonic() > ends:
            return
        how = site.kill_in_hand_over if dice.random() < 0.25 else site.kill
        await how(dice.choice(site.up), dice.uniform(0.0, 0.5))
    await in_time(lambda: campaign.acknowledged >= acts, ends)


async def in_time(condition: Callable[[], bool], ends: float) -> None:
    """Waits for a condition, but not longer than the campaign may take."""
    with suppress(AssertionError):
        await until(condition, seconds=max(0.0, ends - time.monotonic()))


class temporary_cluster(ExitStack):  # noqa: N801 (used like a function)
    """A cluster in a folder that is removed afterwards."""

    def __init__(self, settings: Settings, **environment: str) -> None:
        super().__init__()
        self._settings = settings
        self._environment = {**RATES, **environment}

    def __enter__(self) -> Any:
        folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="threefold-fire-")))
        chosen = self._settings
        return folder, self.enter_context(cluster(folder, chosen.processes, sqlite=chosen.sqlite, **self._environment))


def kills_in_migrations(times: int, folder: Path, site: Cluster, dice: random.Random) -> list[str]:
    """Kills servers while they bring a database up to date; the next start must find everything in order."""
    for node in site.nodes:
        node.kill()
    return [each for i in range(times) for each in _kill_in_migration(i, folder, site.nodes, site.database, dice)]


def _kill_in_migration(
    number: int, folder: Path, nodes: list[Node], database: PostgreSQL | None, dice: random.Random
) -> list[str]:
    if database is None:
        nodes[0].data_dir = folder / str(number)
        nodes[0].data_dir.mkdir()
        old_database(nodes[0].data_dir / "threefold.sqlite", dice.choice(("0001", "0003", "0004")))
        address = str(nodes[0].data_dir / "threefold.sqlite")
    else:
        asyncio.run(run_sql(database.address, *EMPTY))
        address = database.address
    for node in nodes:
        start_without_waiting(node)
    for node in nodes:
        time.sleep(dice.uniform(0.0, 0.25))
        kill_now(node)
    try:
        for node in nodes:
            node.start()
        ready = [httpx.get(f"{node.url}/api/ready", timeout=30).status_code for node in nodes]
    except AssertionError as problem:
        return [f"migration {number}: no start after a kill: {problem}"]
    finally:
        for node in nodes:
            node.kill()
    revision, entries = asyncio.run(_look(address))
    if set(ready) != {200} or revision != HEAD or (database is None and entries != OLD_ENTRIES):
        return [f"migration {number}: ready {ready}, revision {revision}, {len(entries)} entries"]
    return []


OLD_ENTRIES = [(seq, f'{{"n":{seq}}}') for seq in range(1, 200)]


def old_database(file: Path, revision: str) -> None:
    """A database of an earlier version, with a log in it."""
    with closing(sqlite3.connect(file)) as raw:
        raw.execute("PRAGMA journal_mode=WAL")
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        upgrade(connection, revision)
        rows = [{"seq": seq, "body": body} for seq, body in OLD_ENTRIES]
        connection.execute(sa.text("INSERT INTO log (table_id, seq, body) VALUES ('t', :seq, :body)"), rows)
    engine.dispose()


async def _look(address: str) -> tuple[str, list[tuple[int, str]]]:
    store = await open_store(address)
    try:
        return await store.revision(), await store.entries("t")
    finally:
        await store.close()


def start_without_waiting(node: Node) -> None:
    """Starts a server and learns its process id; it may still be migrating."""
    assert node.process is not None
    assert node.process.stdin is not None
    assert node.process.stdout is not None
    node.process.stdin.write(f"serve --port {node.port} --data-dir {node.data_dir}\n")
    node.process.stdin.flush()
    line = node.process.stdout.readline()
    while not line.strip().isdigit():
        line = node.process.stdout.readline()
    node.child = int(line)


def kill_now(node: Node) -> None:
    """Kills a server that was started without waiting."""
    assert node.process is not None
    assert node.process.stdout is not None
    os.kill(node.child, signal.SIGKILL)
    while node.process.stdout.readline() != "gone\n":
        pass


# ---------------------------------------------------------------- Hostile clients


def hostile_clients(fire: Fire, result: Result) -> None:
    """Hostile messages while two games go on: bystanders hardly notice, memory does not grow, no errors."""
    settings = Settings(sqlite=True)
    with temporary_cluster(settings, THREEFOLD_RATES="1", THREEFOLD_SOCKETS_PER_ADDRESS="100") as (_, site):
        asyncio.run(_hostile(fire, site, result))
        complaints = [line for node in site.nodes for line in node.complaints()]
    result.violations += [f"hostile clients: {each}" for each in complaints]
    result.words.append(f"  errors in the server's log: {len(complaints)}")


async def _hostile(fire: Fire, site: Cluster, result: Result) -> None:
    async with AsyncExitStack() as stack:
        codes, order = await _tables_to_attack(fire, site, stack)
        players = [await _at_table(stack, site, code, cookie) for code, *cookies in codes for cookie in cookies]
        for guest in players[1::2]:
            await guest.ask("sit")
        watchers = [await _at_table(stack, site, code, cookie) for code, cookie, _ in codes]
        order.clients = [guest.client for guest in players]
        trips: list[float] = []
        tasks = [asyncio.create_task(_play_on(guest)) for guest in players]
        tasks += [asyncio.create_task(_measure(guest, trips)) for guest in watchers]
        try:
            await until(
                lambda: all(guest.table and guest.table["playing"] for guest in watchers), "for the games to begin"
            )
            total, memory = await _waves(fire, order, site.nodes[0].child)
            before = [guest.seq for guest in watchers]
            with suppress(AssertionError):
                await until(lambda: all(guest.seq > seq for guest, seq in zip(watchers, before, strict=True)))
            still = sum(guest.seq == seq for guest, seq in zip(watchers, before, strict=True))
            gave_up = [repr(task.exception()) for task in tasks if task.done() and task.exception() is not None]
            games = sum(guest.table["playing"]["number"] for guest in watchers)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    trips.sort()
    p99 = trips[int(0.99 * len(trips))] if trips else float("inf")
    early = memory[len(memory) // 10]
    result.words.append(
        f"hostile clients: {total.messages} messages on {total.connections} connections ({total.refused} not accepted),"
        f" {games} games meanwhile; bystanders' p99 {p99:.1f} ms of {len(trips)} round trips;"
        f" memory {early / 1e6:.0f} MB after a tenth, {memory[len(memory) // 2] / 1e6:.0f} MB after half,"
        f" {memory[-1] / 1e6:.0f} MB at the end"
    )
    result.figures |= {"hostile messages": total.messages, "bystanders' p99 ms": p99, "growth": memory[-1] / early}
    result.violations += [f"hostile clients: a player or watcher gave up: {each}" for each in gave_up]
    if p99 > fire.p99_ms:
        result.violations.append(f"hostile clients: bystanders' p99 is {p99:.1f} ms")
    if memory[-1] > GROWTH * early + SLACK_BYTES:
        result.violations.append(f"hostile clients: memory grew from {early} to {memory[-1]} bytes")
    if still:
        result.violations.append(f"hostile clients: {still} tables stood still")


async def _tables_to_attack(
    fire: Fire, site: Cluster, stack: AsyncExitStack
) -> tuple[list[tuple[str, str, str]], Order]:
    """Two tables, each with the cookies of its host and its guest; and the order for the attack on them."""

    async def person(name: str, address: str) -> httpx.AsyncClient:
        client = await a_cookie(site, name, address)
        stack.push_async_callback(client.aclose)
        return client

    hosts = [await person(f"Host {i}", f"127.2.0.{i + 1}") for i in range(2)]
    others = [await person(f"Guest {i}", f"127.2.1.{i + 1}") for i in range(2)]
    plans = (
        {"game": "karma", "seats": 3, "bots": ["careful"], "pace": "fast", "options": {"turn_limit": 150}},
        {"game": "set", "seats": 3, "bots": ["human3"], "pace": "fast"},
    )
    codes = [
        (await host.post("/api/tables", json=plan)).json()["code"] for host, plan in zip(hosts, plans, strict=True)
    ]
    spare = (await others[0].post("/api/tables", json=plans[0])).json()["code"]
    foreign = (await others[0].post(f"/api/tables/{spare}/tokens", json={"name": "Robot"})).json()
    people = [(f"127.3.{i // 200}.{i % 200 + 1}", f"Mallory {i}") for i in range(HOSTILE_PEOPLE)]
    order = Order(
        port=site.nodes[0].port, codes=codes, people=[(_cookie(await person(name, at)), at) for at, name in people],
        tokens=["forged.token", "x" * 200, foreign["token"]], clients=[], count=0, seed=fire.seed,
    )  # fmt: skip
    return list(zip(codes, map(_cookie, hosts), map(_cookie, others), strict=True)), order


def _cookie(client: httpx.AsyncClient) -> str:
    return cookie_of(client)  # type: ignore[arg-type]  # both kinds of client have cookies


class ForgetfulGuest(Guest):
    """Keeps only the latest state. With every message of an attack in memory, garbage collections would delay it."""

    def _take(self, raw: bytes, message: Json) -> None:
        super()._take(raw, message)
        self.raw.clear()
        self.received.clear()


async def _at_table(stack: AsyncExitStack, site: Cluster, code: str, cookie: str) -> Guest:
    guest = ForgetfulGuest(site.nodes[0], code, cookie=cookie)
    stack.push_async_callback(guest.close)
    return await guest.open()


async def _waves(fire: Fire, order: Order, process: int) -> tuple[Tally, list[int]]:
    """The attack: what was sent, and the memory of the server after each wave."""
    waves = max(2, min(WAVE, fire.hostile // 1000))
    total, memory = Tally(), []
    ends = time.monotonic() + 60 * fire.minutes
    order.count = fire.hostile // waves
    for wave in range(waves):
        order.seed = fire.seed + wave
        tally = await _wave(order)
        total.messages += tally.messages
        total.connections += tally.connections
        total.refused += tally.refused
        memory.append(memory_of(process))
        if wave and time.monotonic() > ends:
            break
    return total, memory


def memory_of(process: int) -> int:
    """Bytes in use."""
    return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def _wave(order: Order) -> Tally:
    """Attacks from a separate process, so that the attack does not disturb the measurement."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.soak.hostile", stdin=pipe, stdout=pipe, cwd=ROOT
    )
    out, _ = await child.communicate(msgspec.json.encode(order))
    return msgspec.json.decode(out, type=Tally)


async def _play_on(guest: Guest) -> None:
    """Plays one game after another, at a pace that the server's limits allow; what was refused is tried again."""
    while not guest.closed:
        await asyncio.sleep(THINK_S)
        playing = guest.table and guest.table["playing"]
        if not playing or playing["over"]:
            if guest.table and guest.table["host"] == guest.welcome["you"]:
                await guest.ask("start")
        elif guest.view and guest.view["game"] == playing["number"]:
            view = guest.view["view"]
            choice = choice_of(KITS[view["game"]].reference, "careful" if view["game"] == "karma" else "perfect", view)
            if choice is not None:
                await guest.ask("move", move=choice.move, game=playing["number"])


async def _measure(watcher: Guest, trips: list[float]) -> None:
    """Measures the round trips of a bystander who watches a game."""
    while not watcher.closed:
        began = time.perf_counter()
        await watcher.ask("ping")
        trips.append(1000 * (time.perf_counter() - began))
        await asyncio.sleep(0.1)


# ---------------------------------------------------------------- A long evening


def long_evening(fire: Fire, result: Result) -> None:
    """Twelve players of the Second Edition, game after game: they reload, are away, leave; once all are gone."""
    plan = {**karma("second_edition", 12), "options": {"turn_limit": fire.turns, "decks": 2}, **QUICK_STAND_INS}
    settings = Settings(
        seed=fire.seed, tables=1, sqlite=True, calm_s=fire.calm_s, behaviour=GUESTS, plans=(plan,), stale_s=fire.stale_s
    )
    dice = random.Random(f"{fire.seed}/evening")  # noqa: S311 (who does what)
    ends = time.monotonic() + 60 * fire.minutes
    with temporary_cluster(settings) as (folder, site):
        campaign = Campaign(settings, site, folder)
        happened = {"hosts left": 0, "all left": 0}

        async def trouble(_: Cluster) -> None:
            def games() -> int:
                shown = [each.table["playing"] for each in campaign.visitors if each.table and each.table["playing"]]
                return max((each["number"] - (not each["over"]) for each in shown), default=0)

            while games() < fire.games and time.monotonic() < ends:
                before = games()
                await in_time(lambda: games() >= min(fire.games, before + 2), ends)  # noqa: B023 (awaited here)
                host = next((each for each in campaign.visitors if each.table and each.table["host"] == each.you), None)
                if host is not None:
                    happened["hosts left"] += 1
                    await absent([host], dice.uniform(0.5, 2.0))
                if dice.random() < 0.3:
                    happened["all left"] += 1
                    await absent(campaign.visitors, dice.uniform(0.2, 1.0))

        campaign.trouble = trouble
        report = asyncio.run(campaign.run())
    result.take("evening", report)
    result.words.append("  " + ", ".join(f"{count} times {name}" for name, count in happened.items()))
    verified = report.findings.counts["games verified"]
    if verified < fire.games:
        result.violations.append(f"evening: {verified} games ended and verified, not {fire.games}")


async def absent(visitors: list[Any], seconds: float) -> None:
    """These people are away for a while."""
    for each in visitors:
        each.absent = True
    await asyncio.sleep(seconds)
    for each in visitors:
        each.absent = False


PARTS: dict[str, Callable[[Fire, Result], None]] = {
    "sqlite": lambda fire, result: kills_on(fire, result, sqlite=True),
    "postgresql": lambda fire, result: kills_on(fire, result, sqlite=False),
    "hostile": hostile_clients,
    "evening": long_evening,
}
