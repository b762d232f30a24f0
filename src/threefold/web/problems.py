"""Problem: the one form of every HTTP error, and the handlers that turn exceptions into it."""

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
from threefold.texts import Text, TextForm, say
from threefold.web.guards import NotOperator, WrongOrigin
from threefold.web.identity import NoPerson
from threefold.web.limits import TooOften
from threefold.web.server import NotReady

_log = structlog.get_logger("threefold.web")
RETRY = {"retry-after": "1"}
HANG_UP = {"connection": "close"}
"""A client that exceeds a rate must connect anew: one that sends many requests at once is cut off."""
WHERE = re.compile(r" - at `\$?\.?(.*?)`$")
UNKNOWN = re.compile(r"unknown field `(.*?)`")
MISSING = re.compile(r"required field `(.*?)`")


class Problem(msgspec.Struct, kw_only=True):
    """The body of every error: a sentence, its text key, the field and the rule's clause it is about."""

    message: str
    text: TextForm
    field: str | None = None
    clause: str | None = None


def problem_of(refused: Refusal) -> Problem:
    """A refusal as an HTTP body."""
    field = getattr(refused, "field", None) or refused.text.parameters.get("field")
    return Problem(message=str(refused), text=refused.text.as_json(), field=field, clause=refused.clause)


def field_problem(error: str) -> tuple[str, str]:
    """The field and the complaint in an error message of msgspec."""
    where = WHERE.search(error)
    field = where.group(1) if where is not None else ""
    complaint = WHERE.sub("", error)
    named = UNKNOWN.search(error) or MISSING.search(error)
    if named is not None:
        field = f"{field}.{named.group(1)}" if field else named.group(1)
    return field or "message", complaint


def status_of(refused: Refusal) -> int:
    """The HTTP status of a refusal."""
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
    """The rules, the table or the server refused the request."""
    status = status_of(refused)
    return _answer(problem_of(refused), status, {503: RETRY, 429: HANG_UP}.get(status))


def on_store_down(_: Request[Any, Any, Any], problem: StoreDown) -> Response[Problem]:
    """The database does not answer."""
    return _answer(_problem("store_down"), 503, RETRY)


def _problem(key: str, about: str | None = None, **parameters: str) -> Problem:
    text = Text(f"live.refusal.{key}", parameters)
    return Problem(message=say(text), text=text.as_json(), field=about)


def on_http(request: Request[Any, Any, Any], problem: HTTPException) -> Response[Problem]:
    """The framework refused the request: unknown path, wrong method, malformed body."""
    if isinstance(problem, NotFoundException):
        return _answer(_problem("no_such_page", given=request.url.path[:60]), 404)
    if isinstance(problem, MethodNotAllowedException):
        return _answer(_problem("wrong_method"), 405, dict(problem.headers or {}))
    if isinstance(problem, ValidationException):
        errors = problem.extra if isinstance(problem.extra, list) else []
        first = errors[0] if errors and isinstance(errors[0], dict) else {}
        if not first:
            return _answer(_problem("bad_field", "body", field="body", given="JSON is needed here"), 400)
        error = str(first.get("message", problem.detail))
        key = str(first.get("key") or "data")
        field = field_problem(error)[0] if key == "data" else key
        return _answer(_problem("bad_field", field, field=field, given=WHERE.sub("", error)), 400)
    if problem.status_code == 413:
        return _answer(_problem("too_large", most="1000000"), 413)
    if isinstance(problem, ClientException) and problem.status_code == 400:
        return _answer(_problem("not_json", "body", given=str(problem.detail)[:80]), 400)
    key = "broken" if problem.status_code >= 500 else "wrong_method"
    return _answer(_problem(key), problem.status_code)


def on_unexpected(request: Request[Any, Any, Any], problem: Exception) -> Response[Problem]:
    """A bug: logged with its traceback, answered without details."""
    path = request.scope.get("path_template", "")
    _log.error("a request failed", path=path, problem=type(problem).__name__, exc_info=problem)
    return _answer(_problem("broken"), 500)


def on_recursion(_: Request[Any, Any, Any], problem: RecursionError) -> Response[Problem]:
    """The JSON is nested too deep."""
    return _answer(_problem("not_json", "body", given="nested too deep"), 400)


def on_validation(_: Request[Any, Any, Any], problem: msgspec.ValidationError) -> Response[Problem]:
    """The body does not match its type."""
    field, complaint = field_problem(str(problem))
    return _answer(_problem("bad_field", field, field=field, given=complaint), 400)


HANDLERS: Any = {
    Refusal: on_refusal,
    StoreDown: on_store_down,
    HTTPException: on_http,
    msgspec.ValidationError: on_validation,
    RecursionError: on_recursion,
    Exception: on_unexpected,
}


def error_responses(*statuses: int) -> dict[int, ResponseSpec]:
    """For OpenAPI: the error statuses of a route; every route can answer 400 and 429."""
    descriptions = {
        400: "The request is malformed, or the rules refuse it.",
        401: "No cookie of a known person.",
        403: "Sent by a page of another site, by a banned person, or without the operator's token.",
        404: "Not found.",
        429: "Too many requests.",
        503: "Not available at the moment; try again.",
    }
    return {
        status: ResponseSpec(Problem, description=descriptions[status], generate_examples=False)
        for status in (400, 429, *statuses)
    }
