"""The ASGI application: routes, lifespan, middleware, OpenAPI."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import License
from litestar.openapi.spec import Server as ApiServer
from litestar.types import ASGIApp, Receive, Scope, Send

from threefold import __version__
from threefold.live.keys import BadSecret
from threefold.live.store import StoreDown
from threefold.web import (
    designs,
    games,
    guides,
    health,
    lessons,
    matchmaking,
    metrics,
    operator,
    page,
    people,
    previews,
    puzzles,
    replays,
    tables,
)
from threefold.web.guards import check_request
from threefold.web.handshake import table_socket
from threefold.web.headers import with_headers
from threefold.web.http_connection import with_connection_limits
from threefold.web.lifespan import OtherKey, open_server
from threefold.web.limits import LARGEST_BODY
from threefold.web.logs import configure_logging
from threefold.web.pacing import with_pacing
from threefold.web.problems import HANDLERS
from threefold.web.process import freeze_loaded_objects, raise_file_limit, share_one_heap
from threefold.web.request_ids import with_request_ids
from threefold.web.root_path import with_root_path
from threefold.web.settings import ServerSettings, settings_from_environment
from threefold.web.shutdown import drain_on_signals

EXPECTED_FAILURES = (StoreDown, OtherKey, BadSecret)
"""Failures to start that the operator can mend, each with a sentence that says how."""
ROUTE_MODULES = (
    people,
    tables,
    matchmaking,
    games,
    designs,
    guides,
    lessons,
    puzzles,
    replays,
    health,
    metrics,
    operator,
    previews,
    page,
)


def create_app(settings: ServerSettings | None = None) -> ASGIApp:
    """The application with its middleware, for an ASGI server."""
    chosen = settings or settings_from_environment()
    failures: list[Exception] = []
    served = with_pacing(with_request_ids(with_headers(application(chosen, failures))))
    served = with_root_path(with_plain_failure(served, failures), chosen.root_path)
    return with_connection_limits(served, chosen)


def with_plain_failure(app: ASGIApp, failures: Sequence[Exception]) -> ASGIApp:
    """Middleware that reports the expected failures that kept the server from starting, instead of a traceback."""

    async def with_failure(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_plainly(message: Any) -> None:
            if message["type"] == "lifespan.startup.failed" and failures:
                message["message"] = f"cannot start: {failures[-1]}"
            await send(message)

        await app(scope, receive, send_plainly)

    return with_failure


def application(settings: ServerSettings, failures: list[Exception]) -> Litestar:
    """The application; its lifespan opens and closes the server, and adds an expected failure to `failures`."""
    configure_logging(settings.log, settings.log_level)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        share_one_heap()
        try:
            async with open_server(settings) as server:
                app.state.server = server
                server.limits.most_connections = raise_file_limit()
                freeze_loaded_objects()
                restore_handlers = drain_on_signals(server)
                try:
                    yield
                finally:
                    restore_handlers()
        except EXPECTED_FAILURES as failure:
            failures.append(failure)
            raise

    return Litestar(
        route_handlers=[*(route for module in ROUTE_MODULES for route in module.ROUTES), table_socket],
        lifespan=[lifespan],
        before_request=check_request,
        exception_handlers=HANDLERS,
        request_max_body_size=LARGEST_BODY,
        state=State(),
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Threefold",
            version=__version__,
            description="Tables, finished games, puzzles and designed cards. POST /api/me sets the cookie that"
            " identifies a person. Games are played on each table's socket: see docs/reference/live-protocol.md.",
            license=License(name="MIT"),
            servers=[ApiServer(url=settings.root_path or "/")],
            path="/api/openapi",
            render_plugins=[JsonRenderPlugin(path="/json")],
        ),
    )
