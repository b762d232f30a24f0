"""HTTP routes for monitoring (/api/health, /api/ready) and the OpenAPI description."""

import msgspec
from litestar import get

from threefold import __version__
from threefold.game import Json
from threefold.web.problems import error_responses
from threefold.web.protocol import PROTOCOL
from threefold.web.server import HttpRequest, server_of


class Health(msgspec.Struct, kw_only=True):
    """The server's version, the version of its socket protocol, and its clock."""

    version: str
    protocol: int
    now: int
    loading: int
    """Running games that a new server has not loaded yet; somebody who asks for one gets it at once."""


def _health(request: HttpRequest) -> Health:
    lobby = server_of(request).lobby
    return Health(version=__version__, protocol=PROTOCOL, now=lobby.clock.now(), loading=lobby.loading)


@get("/api/health", tags=["server"], responses=error_responses())
async def health(request: HttpRequest) -> Health:
    """Liveness: the process runs."""
    return _health(request)


@get("/api/ready", tags=["server"], responses=error_responses(503))
async def ready(request: HttpRequest) -> Health:
    """Readiness: the database answers, notices of other processes arrive, and the server is not shutting down."""
    await server_of(request).check_ready()
    return _health(request)


@get("/api/openapi.json", include_in_schema=False)
async def openapi(request: HttpRequest) -> dict[str, Json]:
    """The OpenAPI description of this interface."""
    return request.app.openapi_schema.to_schema()


ROUTES = [health, ready, openapi]
