"""Over HTTP: the games there are, finished games, designed cards, and that the server lives."""

import asyncio

from litestar import Response, get, post

from threefold import __version__
from threefold.bots import BOTS
from threefold.fields import refuse
from threefold.game import Json
from threefold.games import GAMES
from threefold.karma.design import code_from_design, design_from_code, design_from_json, vocabulary_as_json, words
from threefold.karma.editions import editions_as_json
from threefold.live.record import verify
from threefold.setgame.variants import VARIANTS, options_of
from threefold.texts import Text, say
from threefold.web.hall import Asking, address_of, hall_of, not_ready
from threefold.web.problems import may_fail
from threefold.web.protocol import (
    PROTOCOL,
    DesignGiven,
    DesignShown,
    GameOffered,
    Health,
    VerifiedShown,
)

MOST_MOVES = 5000
"""Longer games are for `threefold verify`."""


@get("/api/ready", tags=["server"], responses=may_fail(503))
async def ready(request: Asking) -> Health:
    """Whether people may be sent here: the database answers, notices are heard, and the server is not about to go."""
    problem = await hall_of(request).not_ready()
    if problem is not None:
        raise not_ready(problem)
    return _health(request)


def _health(request: Asking) -> Health:
    return Health(version=__version__, protocol=PROTOCOL, now=hall_of(request).lobby.time.now())


@get("/api/health", tags=["server"], responses=may_fail())
async def health(request: Asking) -> Health:
    """That the server lives."""
    return _health(request)


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


ROUTES = [health, ready, interface, games, finished_game, verify_record, powers, check_design, read_design]
