"""HTTP routes for playing alone: daily puzzles against the clock, practice with hints, and my results in both.

The puzzles are those of the first game that has any. The server measures times itself, from the first look at the
cards. Without a cookie, a signed token carries that time.
"""

import asyncio
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.params import Parameter

from threefold.facts import PageType
from threefold.fields import a_seed, a_whole_number, one_of
from threefold.fields import refuse as refuse_field
from threefold.game import Event, Json, event_text
from threefold.kit import Kit, Kits
from threefold.live.refusals import not_found, refuse
from threefold.live.solo import ranking, standing
from threefold.puzzles import Puzzle, Puzzles, day_of
from threefold.shuffle import new_seed
from threefold.texts import TextForm, say
from threefold.web.identity import address_of, find_person, require_person
from threefold.web.problems import error_responses
from threefold.web.server import HttpRequest, server_of

FIRST_DAY = date(2020, 1, 1)
MOST_FOUND = 20
ANY = "any"
"""Practice with solutions of every sort."""
NO_STORE = {"cache-control": "no-store"}
"""Personal answers must not be cached."""
PuzzleKind = Annotated[str, Parameter(max_length=20)]
ShownTry = Annotated[dict[str, Json], PageType("PuzzleEvent")]
Day = Annotated[date | None, Parameter()]


def _now(request: HttpRequest) -> int:
    return server_of(request).lobby.clock.now()


def _today(request: HttpRequest) -> date:
    return day_of(_now(request))


def _game_with_puzzles(kits: Kits) -> tuple[Kit, Puzzles]:
    """The first game that has puzzles, and its puzzles."""
    offered = kits.offering(lambda kit: kit.puzzles)
    if offered is None:
        raise not_found("no_such_page", given="/api/puzzles")
    return offered


def _puzzles(request: HttpRequest) -> Puzzles:
    return _game_with_puzzles(server_of(request).kits)[1]


def _events_shown(request: HttpRequest, events: list[Event]) -> list[dict[str, Json]]:
    """Events as JSON, each with its sentence."""
    kit, _ = _game_with_puzzles(server_of(request).kits)
    public = [each.seen_by(None) for each in events]
    return [{**each, "says": say(event_text(kit.name, each))} for each in public]


# ---------------------------------------------------------------- Daily puzzles


class PuzzlesToday(msgspec.Struct, kw_only=True):
    """Today's date (UTC), when it ends, and the number of solutions of each kind of puzzle."""

    day: str
    ends: int
    now: int
    counts: dict[str, int]


class PuzzleShown(msgspec.Struct, kw_only=True):
    """A daily puzzle. `began` is the time of the first look; the signed token carries it for people without a cookie.

    Once a person has solved it, the answer contains their time and all `sets`.
    """

    day: str
    kind: str
    cards: list[str]
    count: int
    difficulty: int
    began: int
    now: int
    token: str
    milliseconds: int | None = None
    sets: list[list[str]] | None = None


class PuzzleTry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Cards that may be a solution, the solutions found before, and the token of the first look."""

    cards: list[str]
    found: list[list[str]] = []
    token: str | None = None


class PuzzleTried(msgspec.Struct, kw_only=True):
    """The outcome: events as in the games, each with a sentence (`says`), and the number of solutions left.

    `milliseconds` is the time from the first look to the last solution, by the server's clock, once all are found.
    """

    events: list[ShownTry]
    left: int
    milliseconds: int | None = None


class PuzzleStanding(msgspec.Struct, kw_only=True):
    """My daily puzzles of one kind: my time by day, the current and the longest streak, my best and my median time.

    A day counts for the streak if its puzzle was solved on that day, or within an hour after midnight.
    """

    days: dict[str, int]
    streak: int
    longest: int
    best_ms: int | None
    median_ms: int | None


class MyPuzzles(msgspec.Struct, kw_only=True):
    """My daily puzzles by kind; `day` is today."""

    day: str
    kinds: dict[str, PuzzleStanding]


class PuzzleRanking(msgspec.Struct, kw_only=True):
    """My time among those of all `count` people who have solved a daily puzzle; the fastest has place 1.

    `bars` count the times, from the slowest to the fastest; mine is in number `bar`.
    """

    count: int
    place: int
    fastest_ms: int
    slowest_ms: int
    bars: list[int]
    bar: int


@get("/api/puzzles", tags=["puzzles"], responses=error_responses())
async def puzzles_today(request: HttpRequest) -> Response[PuzzlesToday]:
    """The current day of the daily puzzles (UTC), and when the next one begins."""
    today = _today(request)
    midnight = datetime.combine(today + timedelta(days=1), time_of_day(), tzinfo=UTC)
    shown = PuzzlesToday(
        day=today.isoformat(),
        ends=int(midnight.timestamp() * 1000),
        now=_now(request),
        counts=dict(_puzzles(request).kinds),
    )
    return Response(shown, headers=NO_STORE)


@get("/api/puzzles/{kind:str}", tags=["puzzles"], responses=error_responses(404))
async def puzzle(request: HttpRequest, kind: PuzzleKind, day: Day = None) -> Response[PuzzleShown]:
    """The daily puzzle of today (UTC) or of an earlier day. My first look starts my clock."""
    server = server_of(request)
    wanted, day_name = await _puzzle(request, kind, day)
    person = await find_person(request)
    now = _now(request)
    row = None if person is None else await server.lobby.store.look_at_puzzle(person.id, kind, day_name, now)
    began = now if row is None else row.began
    solved = row is not None and row.milliseconds is not None
    form = wanted.as_json(solved=solved)
    shown = PuzzleShown(
        day=day_name,
        kind=kind,
        cards=form["cards"],
        count=form["count"],
        difficulty=form["difficulty"],
        began=began,
        now=now,
        token=server.signer.look(f"{kind} {day_name}", began),
        milliseconds=None if row is None else row.milliseconds,
        sets=[each["cards"] for each in form["sets"]] if solved else None,
    )
    return Response(shown, headers=NO_STORE)


async def _puzzle(request: HttpRequest, kind: str, day: date | None) -> tuple[Puzzle, str]:
    """The puzzle of a day (default: today), and the name of the day."""
    server_of(request).limits.check("puzzles", address_of(request))
    one_of(kind, "kind", _puzzles(request).kinds)
    wanted = day or _today(request)
    if not FIRST_DAY <= wanted <= _today(request):
        raise not_found("no_such_puzzle", field="day", given=wanted.isoformat())
    return await asyncio.to_thread(_daily, server_of(request).kits, kind, wanted), wanted.isoformat()


@lru_cache(maxsize=256)
def _daily(kits: Kits, kind: str, day: date) -> Puzzle:
    return _game_with_puzzles(kits)[1].daily(kind, day)


@post("/api/puzzles/{kind:str}", tags=["puzzles"], responses=error_responses(403, 404), status_code=200)
async def try_puzzle(request: HttpRequest, kind: PuzzleKind, data: PuzzleTry, day: Day = None) -> PuzzleTried:
    """Tries some cards of a puzzle: a solution, one found before, or a mistake, which is explained.

    When `found` and this solution are all there are, the puzzle is solved, and my time is stored.
    """
    if len(data.found) > MOST_FOUND:
        raise refuse_field("too_many", field="found", most=MOST_FOUND, count=len(data.found))
    wanted, day_name = await _puzzle(request, kind, day)
    now = _now(request)
    first_look = _first_look(request, data.token, f"{kind} {day_name}", now)
    person = await find_person(request)
    store = server_of(request).lobby.store
    row = None if person is None else await store.look_at_puzzle(person.id, kind, day_name, first_look)
    attempt = wanted.begin(first_look if row is None else row.began)
    for cards in data.found:
        if attempt.solved_in is None:
            attempt, _ = attempt.guess(cards, now)
    after, events = attempt.guess(data.cards, now)
    if row is not None and person is not None and after.solved_in is not None:
        await store.solve_puzzle(person.id, replace(row, milliseconds=after.solved_in, solved=now))
    return PuzzleTried(events=_events_shown(request, events), left=after.left, milliseconds=after.solved_in)


def _first_look(request: HttpRequest, token: str | None, subject: str, now: int) -> int:
    """The time of the first look, from a signed token; without a token, now."""
    if token is None:
        return now
    look = server_of(request).signer.read_look(token)
    if look is None or look[0] != subject:
        raise refuse("bad_look", field="token")
    return min(look[1], now)


@get("/api/puzzles/{kind:str}/ranking", tags=["puzzles"], responses=error_responses(401, 404))
async def puzzle_ranking(request: HttpRequest, kind: PuzzleKind, day: Day = None) -> Response[PuzzleRanking]:
    """My time in a daily puzzle among everybody's. I must have solved it."""
    person = await require_person(request)
    _, day_name = await _puzzle(request, kind, day)
    store = server_of(request).lobby.store
    times = await store.times_of_puzzle(kind, day_name)
    solved = (each for each in await store.puzzles_of(person.id) if (each.kind, each.day) == (kind, day_name))
    mine = next((each.milliseconds for each in solved if each.milliseconds is not None), None)
    if mine is None:
        raise refuse("puzzle_unsolved", field="day", given=day_name)
    found = ranking(times, mine)
    return Response(msgspec.convert(asdict(found), PuzzleRanking), headers=NO_STORE)


@get("/api/me/puzzles", tags=["me"], responses=error_responses(401))
async def my_puzzles(request: HttpRequest) -> Response[MyPuzzles]:
    """My solved daily puzzles by kind: times, streaks, best and median time."""
    person = await require_person(request)
    rows = await server_of(request).lobby.store.puzzles_of(person.id)
    today = _today(request)
    kinds = {
        kind: msgspec.convert(asdict(standing(rows, kind, today)), PuzzleStanding) for kind in _puzzles(request).kinds
    }
    return Response(MyPuzzles(day=today.isoformat(), kinds=kinds), headers=NO_STORE)


# ---------------------------------------------------------------- Practice


class PracticeShown(msgspec.Struct, kw_only=True):
    """A layout for practice; its solutions all differ in `differing` features, or in any number of them (null).

    The token carries the layout and the time of the first look.
    """

    cards: list[str]
    differing: int | None
    count: int
    token: str


class PracticeTry(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Cards of a layout that may be a solution, and the number of hints used. With a hint no time is stored."""

    token: str
    cards: list[str]
    hints: int = 0


class PracticeTried(msgspec.Struct, kw_only=True):
    """The outcome; for a solution, the number of features in which it differs and the time it took."""

    events: list[ShownTry]
    differing: int | None = None
    milliseconds: int | None = None


class PracticeHint(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Asks for the first cards of a solution in a layout."""

    token: str
    count: int = 1


class PracticeHinted(msgspec.Struct, kw_only=True):
    """The first `count` cards of the easiest solution, always of the same one, and why they belong together."""

    cards: list[str]
    why: TextForm


class PracticeTimes(msgspec.Struct, kw_only=True):
    """My times in practice without hints, for solutions that differ in one number of features."""

    count: int
    mean_ms: int
    best_ms: int


@get("/api/practice", tags=["puzzles"], responses=error_responses())
async def practice(
    request: HttpRequest,
    differing: Annotated[str, Parameter(max_length=20)] = ANY,
    seed: Annotated[str | None, Parameter(max_length=80)] = None,
) -> Response[PracticeShown]:
    """A layout for practice; a new one each time, unless a seed is given."""
    server = server_of(request)
    server.limits.check("puzzles", address_of(request))
    choices = {str(each): each for each in _puzzles(request).differences}
    features = choices.get(one_of(differing, "differing", [*choices, ANY]))
    chosen = new_seed() if seed is None else a_seed(seed)
    layout = (await asyncio.to_thread(_puzzles(request).training, features, chosen)).as_json()
    cards: list[str] = layout["cards"]
    token = server.signer.look(" ".join(cards), _now(request))
    shown = PracticeShown(cards=cards, differing=features, count=layout["count"], token=token)
    return Response(shown, headers=NO_STORE)


@post("/api/practice", tags=["puzzles"], responses=error_responses(403), status_code=200)
async def try_practice(request: HttpRequest, data: PracticeTry) -> PracticeTried:
    """Tries some cards of a layout. A solution found without a hint counts for my times."""
    server = server_of(request)
    server.limits.check("puzzles", address_of(request))
    layout, first_look = _layout(request, data.token)
    now = _now(request)
    _, events = layout.begin(first_look).guess(data.cards, now)
    shown = _events_shown(request, events[:1])  # the next ones tell how many solutions are left
    differing = events[0].facts.get("difficulty")
    if differing is None:
        return PracticeTried(events=shown)
    milliseconds = max(0, now - first_look)
    person = await find_person(request)
    if person is not None and data.hints == 0:
        await server.lobby.store.practise(person.id, differing, milliseconds, first_look)
    return PracticeTried(events=shown, differing=differing, milliseconds=milliseconds)


@post("/api/practice/hint", tags=["puzzles"], responses=error_responses(403), status_code=200)
async def hint_practice(request: HttpRequest, data: PracticeHint) -> PracticeHinted:
    """The first cards of a solution in the layout."""
    server_of(request).limits.check("puzzles", address_of(request))
    layout, _ = _layout(request, data.token)
    count = a_whole_number(data.count, "count", 1, _puzzles(request).solution_size)
    return PracticeHinted(cards=layout.hint(count), why=layout.hint_reason(count).as_json())


def _layout(request: HttpRequest, token: str) -> tuple[Puzzle, int]:
    """The layout in a token, and the time of the first look at it."""
    look = server_of(request).signer.read_look(token)
    layout = None if look is None else _puzzles(request).laid_out(look[0].split())
    if look is None or layout is None:
        raise refuse("bad_look", field="token")
    return layout, look[1]


@get("/api/me/practice", tags=["me"], responses=error_responses(401))
async def my_practice(request: HttpRequest) -> Response[dict[str, PracticeTimes]]:
    """My times in practice, by the number of features in which the cards of a solution differ."""
    person = await require_person(request)
    rows = await server_of(request).lobby.store.practice_of(person.id)
    times = {
        str(row.differing): PracticeTimes(count=row.count, mean_ms=round(row.total_ms / row.count), best_ms=row.best_ms)
        for row in rows
    }
    return Response(times, headers=NO_STORE)


ROUTES = [
    puzzles_today,
    puzzle,
    try_puzzle,
    puzzle_ranking,
    my_puzzles,
    practice,
    try_practice,
    hint_practice,
    my_practice,
]
