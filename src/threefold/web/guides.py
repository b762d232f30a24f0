"""HTTP route for the rules of a game as people read them: for a published way to play, or for the set-up of a table."""

from typing import Annotated

import msgspec
from litestar import get
from litestar.params import Parameter

from threefold.fields import one_of, refuse
from threefold.game import Json
from threefold.guide import Block, Group, Look, Section, Verdict
from threefold.texts import TextForm
from threefold.web.identity import address_of
from threefold.web.problems import error_responses
from threefold.web.server import HttpRequest, server_of

LONGEST_SETUP = 8000


class GuideGroup(msgspec.Struct, kw_only=True):
    """Cards that lie together in a figure, with the words below them. A card of null lies face down."""

    cards: list[str | None]
    words: list[TextForm]
    look: Look
    verdict: Verdict | None
    marked: list[str]


class GuideBlock(msgspec.Struct, kw_only=True):
    """A paragraph: its sentences, a title if it is about one thing, and a figure if it has one."""

    title: TextForm | None
    words: list[TextForm]
    figure: list[GuideGroup]


class GuideSection(msgspec.Struct, kw_only=True):
    """A heading and its paragraphs."""

    title: TextForm
    blocks: list[GuideBlock]


class GuideShown(msgspec.Struct, kw_only=True):
    """The guide of one way to play. `ways` are all published ones; the page has a guide for each."""

    ways: list[str]
    sections: list[GuideSection]


@get("/api/guides/{game:str}/{way:str}", tags=["rules"], responses=error_responses())
async def guide(
    request: HttpRequest,
    game: str,
    way: str,
    setup: Annotated[str, Parameter(max_length=LONGEST_SETUP, description="The set-up of a table, as JSON.")] = "{}",
) -> GuideShown:
    """The rules of a way to play, in sentences and figures. With a set-up, those of a table."""
    server_of(request).limits.check("heavy", address_of(request))
    kits = {name: kit.guides for name, kit in server_of(request).kits.items() if kit.guides is not None}
    guides = kits[one_of(game, "game", kits)]
    return GuideShown(ways=list(guides.ways()), sections=[_section(each) for each in guides.guide(way, _read(setup))])


def _read(setup: str) -> dict[str, Json]:
    try:
        return msgspec.json.decode(setup, type=dict[str, Json])
    except (msgspec.MsgspecError, RecursionError):
        raise refuse("not_an_object", field="setup", given=setup[:60]) from None


def _section(section: Section) -> GuideSection:
    return GuideSection(title=section.title.as_json(), blocks=[_block(each) for each in section.blocks])


def _block(block: Block) -> GuideBlock:
    return GuideBlock(
        title=None if block.title is None else block.title.as_json(),
        words=[each.as_json() for each in block.words],
        figure=[_group(each) for each in block.figure],
    )


def _group(group: Group) -> GuideGroup:
    return GuideGroup(
        cards=list(group.cards),
        words=[each.as_json() for each in group.words],
        look=group.look,
        verdict=group.verdict,
        marked=list(group.marked),
    )


ROUTES = [guide]
