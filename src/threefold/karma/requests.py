"""The requests of the engine protocol that only Karma knows: its editions, and designed cards."""

from collections.abc import Mapping

from threefold.fields import a_text, refuse
from threefold.game import Json
from threefold.karma.design import design_as_json, design_from_code, design_from_json, vocabulary_as_json
from threefold.karma.editions import editions_as_json


def _editions(request: Mapping[str, Json]) -> dict[str, Json]:
    return {"editions": editions_as_json()}


def _design(request: Mapping[str, Json]) -> dict[str, Json]:
    if "code" in request and "design" in request:
        raise refuse("one_of_two", field="code", given="design")
    if "code" in request:
        design = design_from_code(a_text(request["code"], "code"))
    elif "design" in request:
        design = design_from_json(request["design"])
    else:
        return {"powers": vocabulary_as_json()}
    form = design_as_json(design)
    return {"code": form["code"], "design": form["design"], "words": form["words"]}


REQUESTS = {"editions": ((), _editions), "design": (("design", "code"), _design)}
"""Request -> the fields it takes, and its answer."""
