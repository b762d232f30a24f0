"""HTTP routes for designed Karma cards: the available powers, and a design as code, JSON and rules text."""

import msgspec
from litestar import get, post

from threefold.game import Json
from threefold.karma.design import code_from_design, design_from_code, design_from_json, vocabulary_as_json, words
from threefold.texts import say
from threefold.web.problems import error_responses


class DesignGiven(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A designed card."""

    design: dict[str, Json]


class DesignShown(msgspec.Struct, kw_only=True):
    """A designed card with its share code and its rules in sentences."""

    code: str
    design: dict[str, Json]
    words: list[str]


@get("/api/designs", tags=["designs"], responses=error_responses())
async def powers() -> list[dict[str, Json]]:
    """All powers that a designed card can have, with their limits."""
    return list(vocabulary_as_json())


@post("/api/designs", tags=["designs"], responses=error_responses(403), status_code=200)
async def check_design(data: DesignGiven) -> DesignShown:
    """Checks a design and returns its share code and its rules."""
    design = design_from_json(data.design)
    return DesignShown(
        code=code_from_design(design), design=design.as_json(), words=[say(text) for text in words(design)]
    )


@get("/api/designs/{code:str}", tags=["designs"], responses=error_responses(404))
async def read_design(code: str) -> DesignShown:
    """The card behind a share code."""
    design = design_from_code(code)
    return DesignShown(code=code, design=design.as_json(), words=[say(text) for text in words(design)])


ROUTES = [powers, check_design, read_design]
