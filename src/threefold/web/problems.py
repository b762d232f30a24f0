"""Every mistake is answered in one form: a sentence, its key, and the field that is meant."""

import re
from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.openapi.datastructures import ResponseSpec

from threefold.game import Refusal
from threefold.live.bans import Banned
from threefold.live.refusals import NotFound
from threefold.live.store import StoreDown
from threefold.texts import Text, say
from threefold.web.hall import NoPerson, NotReady, WrongOrigin
from threefold.web.limits import TooOften
from threefold.web.metrics import NotOperator
from threefold.web.protocol import Problem

_log = structlog.get_logger("threefold.web")
AGAIN = {"retry-after": "1"}
HANG_UP = {"connection": "close"}
"""A client that exceeds a rate must connect anew: one that sends many requests at once is cut off."""
WHERE = re.compile(r" - at `\$?\.?(.*?)`$")
UNKNOWN = re.compile(r"unknown field `(.*?)`")
MISSING = re.compile(r"required field `(.*?)`")


def problem_of(refused: Refusal) -> Problem:
    """A refusal as it is answered."""
    field = getattr(refused, "field", None) or refused.text.parameters.get("field")
    return Problem(message=str(refused), text=refused.text.as_json(), field=field, clause=refused.clause)


def field_problem(words: str) -> tuple[str, str]:
    """Field and complaint, from what msgspec says of a message."""
    where = WHERE.search(words)
    field = where.group(1) if where is not None else ""
    complaint = WHERE.sub("", words)
    named = UNKNOWN.search(words) or MISSING.search(words)
    if named is not None:
        field = f"{field}.{named.group(1)}" if field else named.group(1)
    return field or "message", complaint


def status_of(refused: Refusal) -> int:
    """The HTTP status that says the same."""
    if isinstance(refused, NoPerson):
        return 401
    if isinstance(refused, WrongOrigin | Banned | NotOperator):
        return 403
    if isinstance(refused, NotReady):
        return 503
    if isinstance(refused, NotFound):
        return 404
    if isinstance(refused, TooOften):
        return 429
    return 400


def _answer(problem: Problem, status: int, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(problem, status_code=status, media_type="application/json", headers=headers)


def on_refusal(_: Request[Any, Any, Any], refused: Refusal) -> Response[Problem]:
    """Something was asked that cannot be."""
    status = status_of(refused)
    return _answer(problem_of(refused), status, {503: AGAIN, 429: HANG_UP}.get(status))


def on_store_down(_: Request[Any, Any, Any], problem: StoreDown) -> Response[Problem]:
    """The database does not answer just now."""
    return _answer(_said("store_down"), 503, AGAIN)


def _said(key: str, about: str | None = None, **parameters: str) -> Problem:
    text = Text(f"live.refusal.{key}", parameters)
    return Problem(message=say(text), text=text.as_json(), field=about)


def on_http(request: Request[Any, Any, Any], problem: HTTPException) -> Response[Problem]:
    """What the framework refuses: a body that does not fit, a page that is not there."""
    if isinstance(problem, NotFoundException):
        return _answer(_said("no_such_page", given=request.url.path[:60]), 404)
    if isinstance(problem, MethodNotAllowedException):
        return _answer(_said("wrong_method"), 405, dict(problem.headers or {}))
    if isinstance(problem, ValidationException):
        found = problem.extra if isinstance(problem.extra, list) else []
        first = found[0] if found and isinstance(found[0], dict) else {}
        if not first:
            return _answer(_said("bad_field", "body", field="body", given="JSON is needed here"), 400)
        words = str(first.get("message", problem.detail))
        key = str(first.get("key") or "data")
        field = field_problem(words)[0] if key == "data" else key
        return _answer(_said("bad_field", field, field=field, given=WHERE.sub("", words)), 400)
    if problem.status_code == 413:
        return _answer(_said("too_large", most="1000000"), 413)
    if isinstance(problem, ClientException) and problem.status_code == 400:
        return _answer(_said("not_json", "body", given=str(problem.detail)[:80]), 400)
    key = "broken" if problem.status_code >= 500 else "wrong_method"
    return _answer(_said(key), problem.status_code)


def on_surprise(request: Request[Any, Any, Any], problem: Exception) -> Response[Problem]:
    """What nobody thought of: noted here, told without details."""
    path = request.scope.get("path_template", "")
    _log.error("a request failed", path=path, problem=type(problem).__name__, exc_info=problem)
    return _answer(_said("broken"), 500)


def on_depth(_: Request[Any, Any, Any], problem: RecursionError) -> Response[Problem]:
    """JSON that is nested far too deep."""
    return _answer(_said("not_json", "body", given="nested too deep"), 400)


def on_decoding(_: Request[Any, Any, Any], problem: msgspec.ValidationError) -> Response[Problem]:
    """A body that does not fit."""
    field, complaint = field_problem(str(problem))
    return _answer(_said("bad_field", field, field=field, given=complaint), 400)


HANDLERS: Any = {
    Refusal: on_refusal,
    StoreDown: on_store_down,
    HTTPException: on_http,
    msgspec.ValidationError: on_decoding,
    RecursionError: on_depth,
    Exception: on_surprise,
}


def may_fail(*statuses: int) -> dict[int, ResponseSpec]:
    """For the OpenAPI page: the statuses with which a route answers with a Problem."""
    says = {
        400: "something in the request does not fit",
        401: "nobody knows who asks",
        403: "the page of another site asks, or somebody who may not",
        404: "not there",
        413: "too large",
        429: "too often",
        503: "not just now",
    }
    return {
        status: ResponseSpec(Problem, description=says[status], generate_examples=False)
        for status in (400, 429, *statuses)
    }
