"""Server: everything that a running server holds, and how a request finds it."""

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State

from threefold.live.bans import Bans
from threefold.live.exchange import Exchange
from threefold.live.identity import Signer
from threefold.live.keys import Keys
from threefold.live.lobby import Lobby
from threefold.live.measures import Measures
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.session import Session
from threefold.live.telling import Line
from threefold.storage import Database
from threefold.web.limits import Limits
from threefold.web.settings import ServerSettings

if TYPE_CHECKING:
    from threefold.web.direct import Switchboard

HttpRequest = Request[Any, Any, State]
AsgiConnection = ASGIConnection[Any, Any, Any, State]
"""A request or a WebSocket."""


class NotReady(NotAllowed):
    """The server cannot help at the moment; later, or another process, can."""


@dataclass(slots=True)
class Server:
    """One running server process."""

    settings: ServerSettings
    lobby: Lobby
    signer: Signer
    limits: Limits
    keys: Keys
    store: Database
    measures: Measures
    exchange: Exchange | None = None
    """The other processes on the same database; None if the database cannot be shared."""
    bans: Bans = field(default_factory=Bans)
    bans_changed: asyncio.Event = field(default_factory=asyncio.Event)
    lines: dict[Line, tuple[Session, str, str]] = field(default_factory=dict)
    """Open table connections: the table's session, the person, the client's address."""
    answering: set[asyncio.Task[None]] = field(default_factory=set)
    """Tasks that handle messages of the table connections."""
    switchboard: "Switchboard | None" = None
    """State that the table connections share; None until the first one opens."""
    draining: bool = False
    """The server is shutting down: it accepts no requests and hands its connections over."""

    @property
    def sockets(self) -> int:
        """The number of open table connections."""
        return len(self.lines)

    def check_not_draining(self) -> None:
        """Refuses if the server is shutting down."""
        if self.draining:
            raise NotReady(refuse("server_goes").text)

    async def check_ready(self) -> None:
        """Refuses if a load balancer should send nobody here at the moment."""
        self.check_not_draining()
        if not await self.store.answers():
            raise NotReady(refuse("store_down").text)
        if self.exchange is not None and not self.exchange.wire.listening:
            raise NotReady(refuse("not_listening").text)


def server_of(connection: AsgiConnection) -> Server:
    """The server that handles a request or WebSocket."""
    server: Server = connection.app.state.server
    return server
