"""The server as one application: its routes, what it opens at the start, what it says to browsers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import License
from litestar.types import ASGIApp

from threefold import __version__
from threefold.web import games, lessons, metrics, operator, page, people, puzzles, replays, tables
from threefold.web.hall import before_request
from threefold.web.handshake import table_socket
from threefold.web.headers import with_headers
from threefold.web.limits import LARGEST_BODY
from threefold.web.logs import write_logs
from threefold.web.opening import leave_on_signals, opened
from threefold.web.problems import HANDLERS
from threefold.web.process import freeze_loaded_objects, raise_file_limit, share_one_heap
from threefold.web.requests import with_request_ids
from threefold.web.settings import ServerSettings, settings_from_environment


def create_app(settings: ServerSettings | None = None) -> ASGIApp:
    """The server: the application, with what every answer says to browsers."""
    return with_request_ids(with_headers(application(settings)))


def application(settings: ServerSettings | None = None) -> Litestar:
    """The application; it opens its database when it starts, and closes it when it ends."""
    chosen = settings or settings_from_environment()
    write_logs(chosen.log, chosen.log_level)

    @asynccontextmanager
    async def open_hall(app: Litestar) -> AsyncIterator[None]:
        share_one_heap()
        async with opened(chosen) as hall:
            app.state.hall = hall
            hall.limits.most_connections = raise_file_limit()
            freeze_loaded_objects()
            put_back = leave_on_signals(hall)
            try:
                yield
            finally:
                put_back()

    return Litestar(
        route_handlers=[
            *people.ROUTES,
            *tables.ROUTES,
            *games.ROUTES,
            *lessons.ROUTES,
            *puzzles.ROUTES,
            *replays.ROUTES,
            *metrics.ROUTES,
            *operator.ROUTES,
            *page.ROUTES,
            table_socket,
        ],
        lifespan=[open_hall],
        before_request=before_request,
        exception_handlers=HANDLERS,
        request_max_body_size=LARGEST_BODY,
        state=State(),
        logging_config=None,
        openapi_config=OpenAPIConfig(
            title="Threefold",
            version=__version__,
            description="Tables, finished games, puzzles and designed cards. Who asks is known by the cookie of POST"
            " /api/me. The game itself is played on each table's socket: see docs/reference/live-protocol.md.",
            license=License(name="MIT"),
            path="/api/openapi",
            render_plugins=[JsonRenderPlugin(path="/json")],
        ),
    )
