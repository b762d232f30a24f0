"""The ASGI application: routes, lifespan, middleware, OpenAPI."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import License
from litestar.types import ASGIApp, Receive, Scope, Send

from threefold import __version__
from threefold.web import designs, games, health, lessons, metrics, operator, page, people, puzzles, replays, tables
from threefold.web.guards import check_request
from threefold.web.handshake import table_socket
from threefold.web.headers import with_headers
from threefold.web.http_connection import with_connection_limits
from threefold.web.lifespan import open_server
from threefold.web.limits import LARGEST_BODY
from threefold.web.logs import configure_logging
from threefold.web.pacing import with_pacing
from threefold.web.problems import HANDLERS
from threefold.web.process import freeze_loaded_objects, raise_file_limit, share_one_heap
from threefold.web.request_ids import with_request_ids
from threefold.web.settings import ServerSettings, settings_from_environment
from threefold.web.shutdown import drain_on_signals

EXPECTED_FAILURE = re.compile(r"(?:StoreDown|OtherKey|BadSecret): (.+)")
ROUTE_MODULES = (people, tables, games, designs, lessons, puzzles, replays, health, metrics, operator, page)


def create_app(settings: ServerSettings | None = None) -> ASGIApp:
    """The application with its middleware, for an ASGI server."""
    chosen = settings or settings_from_environment()
    served = with_pacing(with_request_ids(with_headers(with_connection_limits(application(chosen), chosen))))
    return with_plain_failure(served)


def with_plain_failure(app: ASGIApp) -> ASGIApp:
    """Middleware that reports an expected failure to start in one sentence, instead of a traceback."""

    async def with_failure(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_plainly(message: Any) -> None:
            if message["type"] == "lifespan.startup.failed":
                sentences = EXPECTED_FAILURE.findall(message["message"])
                message["message"] = f"cannot start: {sentences[-1]}" if sentences else message["message"]
            await send(message)

        await app(scope, receive, send_plainly)

    return with_failure


def application(settings: ServerSettings) -> Litestar:
    """The application; its lifespan opens and closes the server."""
    configure_logging(settings.log, settings.log_level)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        share_one_heap()
        async with open_server(settings) as server:
            app.state.server = server
            server.limits.most_connections = raise_file_limit()
            freeze_loaded_objects()
            restore_handlers = drain_on_signals(server)
            try:
                yield
            finally:
                restore_handlers()

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
            path="/api/openapi",
            render_plugins=[JsonRenderPlugin(path="/json")],
        ),
    )
