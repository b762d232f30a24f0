"""Server: everything that a running server holds, and how a request finds it."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State

from threefold.kit import Kits
from threefold.live.audience import Subscriber
from threefold.live.bans import Bans
from threefold.live.cluster import Cluster
from threefold.live.identity import Signer
from threefold.live.keys import Keys
from threefold.live.lobby import Lobby
from threefold.live.measures import Measures
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.session import Session
from threefold.live.store import Store
from threefold.web.limits import Limits
from threefold.web.settings import ServerSettings

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
    store: Store
    measures: Measures
    cluster: Cluster | None = None
    """The other processes on the same database; None if the database cannot be shared."""
    bans: Bans = field(default_factory=Bans)
    bans_changed: asyncio.Event = field(default_factory=asyncio.Event)
    subscribers: dict[Subscriber, tuple[Session, str, str]] = field(default_factory=dict)
    """Open table connections: the table's session, the person, the client's address."""
    answering: set[asyncio.Task[None]] = field(default_factory=set)
    """Tasks that handle messages of the table connections."""
    draining: bool = False
    """The server is shutting down: it accepts no requests and hands its connections over."""

    @property
    def kits(self) -> Kits:
        """The games on offer."""
        return self.lobby.engines.kits

    @property
    def sockets(self) -> int:
        """The number of open table connections."""
        return len(self.subscribers)

    def check_not_draining(self) -> None:
        """Refuses if the server is shutting down."""
        if self.draining:
            raise NotReady(refuse("server_goes").text)

    async def check_ready(self) -> None:
        """Refuses if a load balancer should send nobody here at the moment."""
        self.check_not_draining()
        if not await self.store.answers():
            raise NotReady(refuse("store_down").text)
        if self.cluster is not None and not self.cluster.bus.listening:
            raise NotReady(refuse("not_listening").text)


def server_of(connection: AsgiConnection) -> Server:
    """The server that handles a request or WebSocket."""
    server: Server = connection.app.state.server
    return server
