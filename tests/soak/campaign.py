"""A campaign: tables of both games, clients that come and go, processes that are killed; then the audit."""

import asyncio
import ipaddress
import os
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.soak import history as h
from tests.soak.audit import STALE_S, Down, Findings, Violation, audit_table
from tests.soak.cluster import Cluster, cluster
from tests.soak.people import Behaviour, Visitor, a_cookie
from tests.waiting import PATIENCE_S, until
from threefold.live.record import game_id
from threefold.live.store import Store
from threefold.storage import open_store

Json = Any
AUDITORS = os.cpu_count() or 1
LINGER_S = 2.5
WATCH_S = 0.05
STALL_S = 0.02
"""A timer of this process that fires later than this proves that the process was held up."""
NOTED_WITHIN_S = PATIENCE_S
FIRST_ADDRESS = int(ipaddress.IPv4Address("127.1.0.1"))
"""Every client uses its own loopback address."""
QUICK = {"cooldown_ms": 200, "agreement_ms": 500, "call_ms": 3000}
HOUSE = {"karma": {"GIV": 1, "TAB": 1, "BOT": 1, "EXC": 1, "SEA": 1, "CLR": 1, "PAS": 1}, "numbers": {"copies": 2}}


Trouble = Callable[[Cluster], Awaitable[None]]


def karma(edition: Json, seats: int, *bots: str) -> Json:
    """A table of Karma."""
    plan = {"game": "karma", "edition": edition, "seats": seats, "bots": list(bots), "options": {"turn_limit": 150}}
    return {**plan, "grace_s": 5, "pace": "human"}


def set_game(variant: str, seats: int, *bots: str, **options: Json) -> Json:
    """A table of SET."""
    return {"game": "set", "variant": variant, "seats": seats, "bots": list(bots), "options": {**QUICK, **options}}


PLANS: list[Json] = [
    karma("mini_round", 2),
    set_game("full", 2),
    karma("classic", 3, "careful"),
    set_game("full", 3, call="with take"),
    karma("second_edition", 2),
    set_game("twenty_twenty", 3, "human3"),
    karma("classic_alternative_triples", 4, "careful", "random"),
    set_game("small_deck", 2, layout=9),
    karma(HOUSE, 3),
    set_game("full", 4, "human3", auto_deal=True),
    karma("classic", 2),
    set_game("longer_game", 2, call="with take"),
]
"""Every edition and variant for several players; both ways to call; with bots and without."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Duration, size and failure rates of a campaign."""

    seconds: float = 1200.0
    seed: int = 1
    processes: int = 3
    tables: int = 24
    sqlite: bool = False
    calm_s: float = 5.0
    """Time without failures at the end; the log must show moves in it."""
    kills_per_minute: float = 4.0
    database_stops_per_minute: float = 0.5
    cuts_per_minute: float = 3.0
    stale_s: float = STALE_S
    behaviour: Behaviour = field(default_factory=Behaviour)
    plans: tuple[Json, ...] = ()
    """The tables; empty: `PLANS`, in turn."""


@dataclass(slots=True)
class Report:
    """The report of a campaign."""

    settings: Settings
    findings: Findings
    done: dict[str, int]
    people: int
    connections: int
    reloads: int
    acknowledged: int
    """Acts that were acknowledged."""
    seconds: float
    database_down_s: float
    held_up_s: float
    """The longest stall of this process itself, which plays and measures."""
    complaints: list[str]
    """Errors in the logs of the servers."""

    @property
    def violations(self) -> list[Violation]:
        """All violations."""
        return self.findings.violations


def combined(reports: Sequence[Report]) -> Report:
    """The report of several campaigns on the same cluster, one after the other."""
    last, findings = reports[-1], Findings()
    for each in reports:
        findings.add(each.findings)
    return replace(
        last,
        findings=findings,
        people=sum(each.people for each in reports),
        connections=sum(each.connections for each in reports),
        reloads=sum(each.reloads for each in reports),
        acknowledged=sum(each.acknowledged for each in reports),
        seconds=sum(each.seconds for each in reports),
        held_up_s=max(each.held_up_s for each in reports),
    )


class Campaign:
    """Runs the clients and the failures of a campaign at the same time."""

    def __init__(self, settings: Settings, site: Cluster, folder: Path, trouble: Trouble | None = None) -> None:
        self.settings = settings
        self.trouble = trouble
        """The failures to cause; None: random ones, at the rates of the settings."""
        self.site = site
        self.folder = folder
        self.dice = random.Random(f"{settings.seed}/chaos")  # noqa: S311 (the times of failures)
        self.books: dict[str, h.Notebook] = {}
        self.visitors: list[Visitor] = []
        self.stalls: list[Down] = []

    async def run(self) -> Report:
        """Opens the tables, plays under failures, then without, waits for every answer, and audits the log."""
        began = h.now()
        watch = asyncio.create_task(self._watch())
        async with self._playing():
            await asyncio.gather(*(self._open(i) for i in range(self.settings.tables)))
            living = [asyncio.create_task(each.live()) for each in self.visitors]
            await (self._fire(h.now() + self.settings.seconds) if self.trouble is None else self.trouble(self.site))
            calm = h.now()
            for each in self.visitors:
                each.back.set()
            await asyncio.sleep(self.settings.calm_s)
            await self._in_time(lambda: self._all_play_since(calm))
            for each in self.visitors:
                each.ending.set()
            await asyncio.gather(*living)
            linger = asyncio.Event()
            await asyncio.gather(self._linger(linger), *(each.say_goodbye(linger) for each in self.visitors))
        seconds = h.now() - began
        watch.cancel()
        return Report(
            settings=self.settings,
            findings=await self._audit(calm),
            done=self.site.done,
            people=len(self.visitors),
            connections=sum(each.opened for each in self.visitors),
            reloads=sum(each.reloads for each in self.visitors),
            acknowledged=self.acknowledged,
            seconds=seconds,
            database_down_s=sum(ended - start for start, ended in self.site.downs),
            held_up_s=max((ended - start for start, ended in self.stalls), default=0.0),
            complaints=[line for node in self.site.nodes for line in node.complaints(self.site.downs)],
        )

    async def close_tables(self) -> None:
        """The hosts close their tables, so that the next campaign on this cluster finds no running games."""
        hosts = [each for each in self.visitors if each.table and each.table["host"] == each.you]
        await asyncio.gather(*(each.close_table() for each in hosts))

    @property
    def acknowledged(self) -> int:
        """The acts that were acknowledged so far."""
        return sum(each.acknowledged for each in self.visitors)

    @asynccontextmanager
    async def _playing(self) -> AsyncIterator[None]:
        try:
            yield
        finally:
            for each in self.books.values():
                each.close()

    @staticmethod
    async def _in_time(condition: Callable[[], bool]) -> None:
        """Waits for a condition, with patience for a busy machine; the audit reports what never happened."""
        with suppress(AssertionError):
            await until(condition)

    def _all_play_since(self, calm: float) -> bool:
        """Was somebody answered at each table since?"""
        return all(any(each.answered_at > calm for each in self.visitors if each.code == code) for code in self.books)

    async def _linger(self, linger: asyncio.Event) -> None:
        await asyncio.sleep(LINGER_S)
        await self._in_time(lambda: not any(each.pending for each in self.visitors))
        linger.set()

    async def _watch(self) -> None:
        """Records stalls of this process: its clients cannot receive anything meanwhile."""
        while True:
            due = h.now() + WATCH_S
            await asyncio.sleep(WATCH_S)
            if h.now() > due + STALL_S:
                self.stalls.append((due, h.now()))

    # ------------------------------------------------------------ Tables

    async def _open(self, i: int) -> None:
        plans = self.settings.plans or PLANS
        plan = plans[i % len(plans)]
        people = plan["seats"] - len(plan["bots"])
        watchers = int(i % 4 == 0)
        clients = []
        for number in range(people + watchers):
            address = str(ipaddress.IPv4Address(FIRST_ADDRESS + 16 * i + number))
            clients.append((await a_cookie(self.site, f"P{i}-{number}", address), address))
        made = await clients[0][0].post("/api/tables", json=plan)
        made.raise_for_status()
        code = made.json()["code"]
        self.books[code] = h.Notebook(self.folder / f"{code}.notes")
        for number, (client, address) in enumerate(clients):
            cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            self.visitors.append(
                Visitor(
                    self.site,
                    self.books[code],
                    code,
                    cookie=cookie,
                    address=address,
                    dice=random.Random(f"{self.settings.seed}/{i}/{number}"),  # noqa: S311 (choices of a simulated player)
                    behaviour=self.settings.behaviour,
                    watches=number >= people,
                )
            )
            await client.aclose()

    # ------------------------------------------------------------ Trouble

    async def _fire(self, until: float) -> None:
        """Causes random failures at the rates of the settings, then repairs everything."""
        rates = {
            self._end_a_process: self.settings.kills_per_minute,
            self._stop_database: 0.0 if self.settings.sqlite else self.settings.database_stops_per_minute,
            self.site.cut_notices: 0.0 if self.settings.sqlite else self.settings.cuts_per_minute,
        }
        hands = [asyncio.create_task(self._again(what, rate, until)) for what, rate in rates.items() if rate]
        await asyncio.sleep(max(0.0, until - h.now()))
        await asyncio.gather(*hands)

    async def _again(self, what: Any, per_minute: float, until: float) -> None:
        while True:
            wait = self.dice.expovariate(per_minute / 60)
            if h.now() + wait > until - 1:
                return
            await asyncio.sleep(wait)
            await what()

    async def _end_a_process(self) -> None:
        up = self.site.up
        if len(up) > 1 or self.settings.sqlite:
            how = self.site.kill if self.dice.random() < 0.6 else self.site.hand_over
            await how(self.dice.choice(up), self.dice.uniform(0.0, 2.0))

    async def _stop_database(self) -> None:
        await self.site.stop_database(self.dice.uniform(0.5, 3.0), crash=self.dice.random() < 0.5)

    # ------------------------------------------------------------ The audit

    async def _audit(self, calm: float) -> Findings:
        """Audits table by table, on all cores."""
        address = self.site.database.address if self.site.database else str(self.folder / "threefold.sqlite")
        store = await open_store(address)
        found = Findings()
        places = asyncio.Semaphore(AUDITORS)  # so that few logs are in memory at the same time
        with ProcessPoolExecutor(AUDITORS, get_context("spawn")) as pool:
            try:
                async with asyncio.TaskGroup() as group:
                    for code, book in self.books.items():
                        group.create_task(self._audit_table(store, code, book, calm, found, pool, places))
            finally:
                await store.close()
        return found

    async def _audit_table(
        self,
        store: Store,
        code: str,
        book: h.Notebook,
        calm: float,
        found: Findings,
        pool: ProcessPoolExecutor,
        places: asyncio.Semaphore,
    ) -> None:
        async with places:
            row = await store.table(code)
            if row is None:
                found.violations.append(Violation(code, "kept", "the table is not there any more"))
                return
            entries, limit, downs, stalls = (
                await store.entries(row.id),
                self.settings.stale_s,
                self.site.downs,
                self.stalls,
            )
            audited = await asyncio.get_running_loop().run_in_executor(
                pool, audit_table, code, entries, book.file, limit, downs, stalls
            )
        found.add(audited.findings)
        if audited.latest < calm:
            found.violations.append(Violation(code, "alive", "nobody could play when all was well again"))
        found.violations += await self._not_noted(store, row.id, code, audited.seeds)

    @staticmethod
    async def _not_noted(store: Store, table: str, code: str, seeds: list[str]) -> list[Violation]:
        """Every finished game can be found, at the latest a while after its end."""
        until = h.now() + NOTED_WITHIN_S
        missing = []
        for number, seed in enumerate(seeds, 1):
            while await store.game(game_id(table, number, seed)) is None:
                if h.now() > until:
                    missing.append(Violation(code, "noted", f"game {number} is over and not noted"))
                    break
                await asyncio.sleep(0.2)
        return missing


def soak(settings: Settings, keep: Path | None = None) -> Report:
    """Runs a whole campaign on its own cluster; `keep` is a folder for notes and logs."""
    with tempfile.TemporaryDirectory(prefix="threefold-soak-") as name:
        folder = Path(name)
        with cluster(folder, settings.processes, sqlite=settings.sqlite) as site:
            report = asyncio.run(Campaign(settings, site, folder).run())
            for node in site.nodes:
                node.hand_over()
            if keep is not None:
                shutil.copytree(folder, keep, dirs_exist_ok=True)
            return report


def as_words(report: Report) -> list[str]:
    """The report, line by line."""
    counts: Counter[str] = report.findings.counts
    settings = report.settings
    where = "SQLite, one process" if settings.sqlite else f"PostgreSQL, {settings.processes} processes"
    return [
        f"{settings.tables} tables, {report.people} people, {where}, seed {settings.seed}, {report.seconds:.0f} s",
        "trouble: "
        + ", ".join(f"{count} {name}" for name, count in report.done.items())
        + f"; the database was down for {report.database_down_s:.1f} s",
        (
            f"people: {report.connections} connections, {report.reloads} reloads, {counts['sent']} messages sent, "
            f"{counts['acknowledged']} acknowledged, {counts['refused']} of them refused"
        ),
        f"log: {counts['entries']} entries, {counts['games verified']} finished games, all replayed",
        (
            f"compared: {counts['views compared']} Views, {counts['tables compared']} tables, "
            f"{counts['events compared']} events; the leak law on {counts['leak law tried']} Views"
        ),
        (
            f"stalest: {report.findings.stalest:.2f} s of {counts['sightings']} sightings ({report.findings.where}); "
            f"this side was held up {report.held_up_s:.2f} s at most"
        ),
        f"errors in the servers' logs: {len(report.complaints)}",
        *(f"  {each[:300]}" for each in report.complaints[:10]),
        *(f"NOT KEPT  {each}" for each in report.violations[:50]),
        f"{len(report.violations)} promises not kept" if report.violations else "every promise was kept",
    ]
