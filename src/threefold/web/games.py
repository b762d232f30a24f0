"""Over HTTP: the games there are, finished games, puzzles, designed cards, and that the server lives."""

import asyncio
from datetime import date
from functools import lru_cache
from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.params import Parameter

from threefold import __version__
from threefold.bots import BOTS
from threefold.fields import refuse
from threefold.game import Json, event_text
from threefold.games import GAMES
from threefold.karma.design import code_from_design, design_from_code, design_from_json, vocabulary_as_json, words
from threefold.karma.editions import editions_as_json
from threefold.live.record import verify
from threefold.live.refusals import not_found
from threefold.setgame.puzzles import Puzzle, Solving, daily, day_of, guess
from threefold.setgame.variants import VARIANTS, options_of
from threefold.texts import Text, say
from threefold.web.hall import Asking, address_of, hall_of
from threefold.web.problems import may_fail
from threefold.web.protocol import (
    PROTOCOL,
    DesignGiven,
    DesignShown,
    GameOffered,
    Health,
    PuzzleTried,
    PuzzleTry,
    VerifiedShown,
)

FIRST_DAY = date(2020, 1, 1)
MOST_FOUND = 20
MOST_MOVES = 5000
"""Longer games are for `threefold verify`."""


@get("/api/health", tags=["server"], responses=may_fail())
async def health(request: Asking) -> Health:
    """That the server lives."""
    return Health(version=__version__, protocol=PROTOCOL, now=hall_of(request).lobby.time.now())


def _ways(game: str) -> list[dict[str, Json]]:
    """The editions or variants of a game, with what each may choose."""
    if game == "karma":
        return list(editions_as_json())
    return [
        {
            "variant": row.name,
            "players": [row.fewest_players, row.most_players],
            "options": options_of(row),
            "choices": {name: list(values) for name, values in row.choices.items()},
        }
        for row in VARIANTS.values()
    ]


@get("/api/openapi.json", include_in_schema=False)
async def interface(request: Asking) -> dict[str, Json]:
    """This interface, described."""
    return request.app.openapi_schema.to_schema()


@get("/api/games", tags=["games"], responses=may_fail())
async def games() -> list[GameOffered]:
    """The games, their editions or variants, and the bots that know them."""
    return [
        GameOffered(
            game=game.name,
            rules=game.rules_version,
            timed=game.timed,
            bots=list(BOTS[game.name]),
            ways=_ways(game.name),
        )
        for game in GAMES.values()
    ]


@get("/api/games/{game:str}", tags=["games"], responses=may_fail(404))
async def finished_game(request: Asking, game: str, *, download: bool = False) -> Response[dict[str, Json]]:
    """A finished game with all its cards and moves: for replays, for keeping, for `threefold verify`."""
    hall = hall_of(request)
    hall.limits.check("heavy", address_of(request))
    record = await hall.lobby.record(game)
    name = f'attachment; filename="threefold-{record["saved"]["game"]}-{record["id"]}.json"'
    return Response(record, headers={"content-disposition": name} if download else {})


@post("/api/verify", tags=["games"], responses=may_fail(403), status_code=200)
async def verify_record(request: Asking, data: dict[str, Json]) -> VerifiedShown:
    """Replays a whole record and says whether it is sound."""
    hall_of(request).limits.check("replays", address_of(request))
    saved = data.get("saved")
    moves = saved.get("moves") if isinstance(saved, dict) else None
    if isinstance(moves, list) and len(moves) > MOST_MOVES:
        raise refuse("too_many", field="saved.moves", most=MOST_MOVES, count=len(moves))
    found = await asyncio.to_thread(verify, data)
    keys = found.problems or ("sound",)
    return VerifiedShown(
        sound=not found.problems,
        messages=[say(Text(f"live.verify.{key}")) for key in keys],
        commitment=found.commitment,
        moves=len(found.replay.moves),
        ending=found.ending,
    )


@get("/api/puzzles/{kind:str}", tags=["puzzles"], responses=may_fail(404))
async def puzzle(
    request: Asking, kind: Literal["basic", "advanced"], day: Annotated[date | None, Parameter()] = None
) -> dict[str, Json]:
    """The daily puzzle, of today (UTC) or of a day before; never of one to come."""
    made = await _puzzle(request, kind, day)
    return {"day": (day or _today(request)).isoformat(), **made.as_json()}


def _today(request: Asking) -> date:
    return day_of(hall_of(request).lobby.time.now())


async def _puzzle(request: Asking, kind: str, day: date | None) -> Puzzle:
    hall_of(request).limits.check("puzzles", address_of(request))
    wanted = day or _today(request)
    if not FIRST_DAY <= wanted <= _today(request):
        raise not_found("no_such_puzzle", field="day", given=wanted.isoformat())
    return await asyncio.to_thread(_daily, kind, wanted)


@lru_cache(maxsize=256)
def _daily(kind: str, day: date) -> Puzzle:
    return daily(kind, day)


@post("/api/puzzles/{kind:str}", tags=["puzzles"], responses=may_fail(403, 404), status_code=200)
async def try_puzzle(
    request: Asking,
    kind: Literal["basic", "advanced"],
    data: PuzzleTry,
    day: Annotated[date | None, Parameter()] = None,
) -> PuzzleTried:
    """Tries three cards of a puzzle: a SET, one found before, or a wrong one, which is explained. Nothing is kept."""
    if len(data.found) > MOST_FOUND:
        raise refuse("too_many", field="found", most=MOST_FOUND, count=len(data.found))
    solving = Solving(await _puzzle(request, kind, day), 0)
    for cards in data.found:
        if solving.solved_in is None:
            solving, _ = guess(solving, cards, 0)
    after, events = guess(solving, data.cards, 0)
    told = [each.told(None) for each in events]
    said = [{**each, "says": say(event_text("set", each))} for each in told]
    return PuzzleTried(events=said, left=len(after.puzzle.sets) - len(after.found))


@get("/api/designs", tags=["designs"], responses=may_fail())
async def powers() -> list[dict[str, Json]]:
    """All powers a designed card can have, with their limits."""
    return list(vocabulary_as_json())


@post("/api/designs", tags=["designs"], responses=may_fail(403), status_code=200)
async def check_design(data: DesignGiven) -> DesignShown:
    """Checks a design; gives its code and its rules in words."""
    design = design_from_json(data.design)
    return DesignShown(
        code=code_from_design(design), design=design.as_json(), words=[say(text) for text in words(design)]
    )


@get("/api/designs/{code:str}", tags=["designs"], responses=may_fail(404))
async def read_design(code: str) -> DesignShown:
    """The card that a code stands for."""
    design = design_from_code(code)
    return DesignShown(code=code, design=design.as_json(), words=[say(text) for text in words(design)])


ROUTES = [health, interface, games, finished_game, verify_record, puzzle, try_puzzle, powers, check_design, read_design]
