"""HTTP routes for designed Karma cards: the available powers, and a design as code, JSON and rules text."""

from typing import Annotated

import msgspec
from litestar import get, post

from threefold.facts import PageType
from threefold.game import Json
from threefold.karma.cards import mark_of
from threefold.karma.design import (
    Design,
    PowerForm,
    code_from_design,
    design_from_code,
    design_from_json,
    vocabulary_as_json,
    words,
)
from threefold.texts import say
from threefold.web.problems import error_responses

ShownDesign = Annotated[dict[str, Json], PageType("CardDesign")]


class DesignGiven(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A designed card."""

    design: ShownDesign


class DesignShown(msgspec.Struct, kw_only=True):
    """A designed card with its share code, its mark on the pile, and its rules in sentences."""

    code: str
    design: ShownDesign
    mark: str
    words: list[str]


@get("/api/designs", tags=["designs"], responses=error_responses())
async def powers() -> list[PowerForm]:
    """All powers that a designed card can have, with their limits."""
    return vocabulary_as_json()


@post("/api/designs", tags=["designs"], responses=error_responses(403), status_code=200)
async def check_design(data: DesignGiven) -> DesignShown:
    """Checks a design and returns its share code and its rules."""
    return _shown(design_from_json(data.design))


@get("/api/designs/{code:str}", tags=["designs"], responses=error_responses(404))
async def read_design(code: str) -> DesignShown:
    """The card behind a share code."""
    return _shown(design_from_code(code))


def _shown(design: Design) -> DesignShown:
    return DesignShown(
        code=code_from_design(design),
        design=design.as_json(),
        mark=mark_of(design.as_card("")),
        words=[say(text) for text in words(design)],
    )


ROUTES = [powers, check_design, read_design]
