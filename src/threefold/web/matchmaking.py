"""HTTP routes for finding people to play with: the public list of tables, and quick matches."""

import msgspec
from litestar import get, post

from threefold.texts import TextForm
from threefold.web.identity import address_of, require_person
from threefold.web.problems import error_responses
from threefold.web.root_path import on_this_site
from threefold.web.server import HttpRequest, server_of


class ListedSeat(msgspec.Struct, kw_only=True):
    """A seat: a person's, a bot's (`bot` is its level), or free."""

    name: str | None
    bot: str | None


class ListedTable(msgspec.Struct, kw_only=True):
    """A table on the public list, to join or to watch: its game, host, rules in words, and seats."""

    code: str
    game: str
    host: str
    rules: list[TextForm]
    seats: list[ListedSeat]
    playing: bool


class FindMatch(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The game of a quick match."""

    game: str


class MatchFound(msgspec.Struct, kw_only=True):
    """The table where I have a seat; `waiting`: nobody else is there yet. Only connected people are matched."""

    code: str
    path: str
    waiting: bool


@get("/api/tables", responses=error_responses(), tags=["tables"])
async def listed_tables(request: HttpRequest) -> list[ListedTable]:
    """The public list of tables with a free seat or a game to watch, the newest first."""
    server = server_of(request)
    server.limits.check("listings", address_of(request))
    return [msgspec.json.decode(each, type=ListedTable) for each in await server.lobby.open_tables.read()]


@post("/api/match", responses=error_responses(401, 403), tags=["tables"])
async def find_match(request: HttpRequest, data: FindMatch) -> MatchFound:
    """Seats me at the table of a person who waits for a quick match, or at a new table where I wait."""
    server = server_of(request)
    person = await require_person(request)
    server.limits.check("tables", person.id)
    server.limits.check("tables", address_of(request))
    session, matched = await server.lobby.match(person, data.game)
    code = session.state.code
    return MatchFound(code=code, path=on_this_site(request, f"/t/{code}"), waiting=not matched)


ROUTES = [listed_tables, find_match]
