"""Over HTTP: what one does alone. Daily puzzles with their clock, practice with its hints, and how I do in both.

The server notes when somebody first looks and measures the time itself; who has no cookie carries a signed note of it.
"""

import asyncio
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import Parameter

from threefold.fields import a_seed, a_whole_number
from threefold.fields import refuse as refuse_field
from threefold.game import Event, Json, event_text
from threefold.live.alone import standing
from threefold.live.refusals import not_found, refuse
from threefold.setgame.cards import format_cards
from threefold.setgame.notation import card_of
from threefold.setgame.puzzles import KINDS, Puzzle, Solving, daily, day_of, guess, laid_out, training
from threefold.setgame.search import hint
from threefold.shuffle import new_seed
from threefold.texts import say
from threefold.web.hall import Asking, address_of, hall_of, person_of, somebody
from threefold.web.problems import may_fail
from threefold.web.protocol import (
    MyPuzzles,
    PracticeHint,
    PracticeHinted,
    PracticeShown,
    PracticeTimes,
    PracticeTried,
    PracticeTry,
    PuzzleShown,
    PuzzleStanding,
    PuzzlesToday,
    PuzzleTried,
    PuzzleTry,
)

FIRST_DAY = date(2020, 1, 1)
MOST_FOUND = 20
MINE = {"cache-control": "no-store"}
"""What is one person's own is not kept by browsers or proxies."""
PuzzleKind = Literal["basic", "advanced"]
Day = Annotated[date | None, Parameter()]


def _now(request: Asking) -> int:
    return hall_of(request).lobby.time.now()


def _today(request: Asking) -> date:
    return day_of(_now(request))


def _told(events: list[Event]) -> list[dict[str, Json]]:
    """Events with a sentence each."""
    told = [each.told(None) for each in events]
    return [{**each, "says": say(event_text("set", each))} for each in told]


# ---------------------------------------------------------------- Daily puzzles


@get("/api/puzzles", tags=["puzzles"], responses=may_fail())
async def puzzles_today(request: Asking) -> Response[PuzzlesToday]:
    """Which day it is for the puzzles (UTC), and when the next ones come."""
    today = _today(request)
    midnight = datetime.combine(today + timedelta(days=1), time_of_day(), tzinfo=UTC)
    shown = PuzzlesToday(
        day=today.isoformat(),
        ends=int(midnight.timestamp() * 1000),
        now=_now(request),
        counts={kind.name: kind.sets for kind in KINDS.values()},
    )
    return Response(shown, headers=MINE)


@get("/api/puzzles/{kind:str}", tags=["puzzles"], responses=may_fail(404))
async def puzzle(request: Asking, kind: PuzzleKind, day: Day = None) -> Response[PuzzleShown]:
    """The daily puzzle, of today (UTC) or of a day before; never of one to come. My first look starts my clock."""
    made, on = await _puzzle(request, kind, day)
    person = await somebody(request)
    now = _now(request)
    row = None if person is None else await hall_of(request).lobby.store.look_at_puzzle(person.id, kind, on, now)
    began = now if row is None else row.began
    solved = row is not None and row.milliseconds is not None
    shown = PuzzleShown(
        day=on,
        kind=kind,
        cards=format_cards(list(made.cards)),
        count=len(made.sets),
        difficulty=made.difficulty,
        began=began,
        now=now,
        token=hall_of(request).signer.look(f"{kind} {on}", began),
        milliseconds=None if row is None else row.milliseconds,
        sets=[format_cards(list(each)) for each in made.sets] if solved else None,
    )
    return Response(shown, headers=MINE)


async def _puzzle(request: Asking, kind: str, day: date | None) -> tuple[Puzzle, str]:
    """A puzzle and its day."""
    hall_of(request).limits.check("puzzles", address_of(request))
    wanted = day or _today(request)
    if not FIRST_DAY <= wanted <= _today(request):
        raise not_found("no_such_puzzle", field="day", given=wanted.isoformat())
    return await asyncio.to_thread(_daily, kind, wanted), wanted.isoformat()


@lru_cache(maxsize=256)
def _daily(kind: str, day: date) -> Puzzle:
    return daily(kind, day)


@post("/api/puzzles/{kind:str}", tags=["puzzles"], responses=may_fail(403, 404), status_code=200)
async def try_puzzle(request: Asking, kind: PuzzleKind, data: PuzzleTry, day: Day = None) -> PuzzleTried:
    """Tries three cards of a puzzle: a SET, one found before, or a wrong one, which is explained.

    When the SETs found and this one are all there are, the puzzle is solved, and that is kept for the person.
    """
    if len(data.found) > MOST_FOUND:
        raise refuse_field("too_many", field="found", most=MOST_FOUND, count=len(data.found))
    made, on = await _puzzle(request, kind, day)
    now = _now(request)
    seen = _seen(request, data.token, f"{kind} {on}", now)
    person = await somebody(request)
    store = hall_of(request).lobby.store
    row = None if person is None else await store.look_at_puzzle(person.id, kind, on, seen)
    solving = Solving(made, seen if row is None else row.began)
    for cards in data.found:
        if solving.solved_in is None:
            solving, _ = guess(solving, cards, now)
    after, events = guess(solving, data.cards, now)
    if row is not None and person is not None and after.solved_in is not None:
        await store.solve_puzzle(person.id, replace(row, milliseconds=after.solved_in, solved=now))
    left = len(after.puzzle.sets) - len(after.found)
    return PuzzleTried(events=_told(events), left=left, milliseconds=after.solved_in)


def _seen(request: Asking, token: str | None, what: str, now: int) -> int:
    """Since when something has been looked at, as a token says; without one, since now."""
    if token is None:
        return now
    found = hall_of(request).signer.read_look(token)
    if found is None or found[0] != what:
        raise refuse("bad_look", field="token")
    return min(found[1], now)


@get("/api/me/puzzles", tags=["me"], responses=may_fail(401))
async def my_puzzles(request: Asking) -> Response[MyPuzzles]:
    """The daily puzzles I have solved: my times, days in a row, best and usual time, by kind."""
    person = await person_of(request)
    rows = await hall_of(request).lobby.store.puzzles_of(person.id)
    today = _today(request)
    kinds = {kind: msgspec.convert(asdict(standing(rows, kind, today)), PuzzleStanding) for kind in KINDS}
    return Response(MyPuzzles(day=today.isoformat(), kinds=kinds), headers=MINE)


# ---------------------------------------------------------------- Practice


@get("/api/practice", tags=["puzzles"], responses=may_fail())
async def practice(
    request: Asking,
    differing: Literal["1", "2", "3", "4", "any"] = "any",
    seed: Annotated[str | None, Parameter(max_length=80)] = None,
) -> Response[PracticeShown]:
    """A layout to practise with; another one each time, unless a seed is given."""
    hall = hall_of(request)
    hall.limits.check("puzzles", address_of(request))
    wanted = None if differing == "any" else int(differing)
    made = await asyncio.to_thread(training, wanted, new_seed() if seed is None else a_seed(seed))
    cards = format_cards(list(made.cards))
    token = hall.signer.look(" ".join(cards), _now(request))
    return Response(PracticeShown(cards=cards, differing=wanted, count=len(made.sets), token=token), headers=MINE)


@post("/api/practice", tags=["puzzles"], responses=may_fail(403), status_code=200)
async def try_practice(request: Asking, data: PracticeTry) -> PracticeTried:
    """Tries three cards of a layout. A SET found without a hint counts for my times."""
    hall = hall_of(request)
    hall.limits.check("puzzles", address_of(request))
    made, asked = _layout(request, data.token)
    now = _now(request)
    _, events = guess(Solving(made, asked), data.cards, now)
    told = _told(events[:1])  # whether other SETs are left is of no matter here
    differing = events[0].facts.get("difficulty")
    if differing is None:
        return PracticeTried(events=told)
    took = max(0, now - asked)
    person = await somebody(request)
    if person is not None and data.hints == 0:
        await hall.lobby.store.practise(person.id, differing, took, asked)
    return PracticeTried(events=told, differing=differing, milliseconds=took)


@post("/api/practice/hint", tags=["puzzles"], responses=may_fail(403), status_code=200)
async def hint_practice(request: Asking, data: PracticeHint) -> PracticeHinted:
    """One, two or three cards of a SET of the layout."""
    hall_of(request).limits.check("puzzles", address_of(request))
    made, _ = _layout(request, data.token)
    count = a_whole_number(data.count, "count", 1, 3)
    return PracticeHinted(cards=format_cards(list(hint(made.cards, count))))


def _layout(request: Asking, token: str) -> tuple[Puzzle, int]:
    """The layout that a token stands for, and since when it lies there."""
    found = hall_of(request).signer.read_look(token)
    if found is None or len(found[0].split()) != 12:
        raise refuse("bad_look", field="token")
    return laid_out([card_of(name) for name in found[0].split()]), found[1]


@get("/api/me/practice", tags=["me"], responses=may_fail(401))
async def my_practice(request: Asking) -> Response[dict[str, PracticeTimes]]:
    """My times in practice, by the number of features in which the cards of a SET differ."""
    person = await person_of(request)
    rows = await hall_of(request).lobby.store.practice_of(person.id)
    times = {
        str(row.differing): PracticeTimes(count=row.count, mean_ms=round(row.total_ms / row.count), best_ms=row.best_ms)
        for row in rows
    }
    return Response(times, headers=MINE)


ROUTES = [puzzles_today, puzzle, try_puzzle, my_puzzles, practice, try_practice, hint_practice, my_practice]
