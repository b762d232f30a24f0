"""Whole games of Karma by four people in four browsers, a reload in the middle, and nobody's page knows too much."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.people import Person
from threefold.games import KITS

Json = Any
People = Callable[..., list[Person]]
SLOW = pytest.mark.slow
KARMA = KITS["karma"].game
SHOWN = "threefold.open === 0 && !threefold.presenter?.playing"


def whole_game(seated: list[Person], *, reload_at: int = 20, most: int = 200) -> list[tuple[int, str]]:
    """Plays until the game is over; gives the moves."""
    moves: list[tuple[int, str]] = []
    while (view := seated[0].view())["ending"] is None:
        assert len(moves) < most, "this seed was chosen to end earlier"
        awaited = view["awaits"][0]["player"]
        player = seated[awaited]
        player.until("threefold.view.moves.length > 0 && threefold.open === 0")
        move = player.careful_move()
        player.play(move)
        moves.append((awaited, move))
        if len(moves) == reload_at:
            seated[1].page.reload()
            seated[1].until("globalThis.threefold?.view && threefold.presenter?.shown")
        for each in seated:
            each.until("seq => threefold.seq >= seq", player.page.evaluate("threefold.seq"))
    return moves


@pytest.mark.parametrize(
    ("setup", "seed"),
    [
        pytest.param({"edition": "mini_round"}, "g116", id="mini round"),
        pytest.param({"edition": "classic"}, "g141", id="classic", marks=SLOW),
        pytest.param({"edition": "classic_alternative_triples"}, "g123", id="other triples", marks=SLOW),
        pytest.param(
            {"edition": "second_edition", "options": {"create_your_karma": "move left"}},
            "g97",
            id="second edition",
            marks=SLOW,
        ),
    ],
)
def test_four_people_play_a_whole_game(people: People, new_page: Callable[..., Any], setup: Json, seed: str) -> None:
    seated = people(4, seed, **setup)
    code = seated[0].page.evaluate("threefold.code")
    spectator = Person(new_page(), "Zoe")
    spectator.be_somebody()
    spectator.come(f"/t/{code}")
    moves = whole_game(seated)
    spectator.until("threefold.view?.ending")
    spectator.page.get_by_role("heading", name="Game over").wait_for()
    for each in seated:
        ending = each.view()["ending"]
        won = each.view()["viewer"] in ending["winners"]
        each.page.get_by_role("heading", name="You win!" if won else "You lost").wait_for()
    for each in (*seated, spectator):
        each.until(SHOWN)
    stores = {each.view()["viewer"]: each.store() for each in (*seated, spectator)}
    compare_with_engine(setup, seed, moves, stores)

    for each in seated:
        each.page.get_by_role("button", name="Play again").click()
    seated[3].page.locator(".hand .group").nth(5).wait_for()


def compare_with_engine(setup: Json, seed: str, moves: list[tuple[int, str]], stores: dict[int | None, Json]) -> None:
    """What a page knows is what its View and its events tell, card for card; those obey the leak law."""
    table = KARMA.new({**setup, "players": 4, "seed": f"v1:{seed}"})
    happened: dict[int | None, list[Json]] = {viewer: [] for viewer in stores}
    for player, move in moves:
        step = KARMA.play(table, player, move, None)
        table = step.table
        for viewer, events in happened.items():
            events += [each.seen_by(viewer) for each in step.events]
    assert len(stores) == 5
    for viewer, store in stores.items():
        view = KARMA.view(table, viewer)
        assert set(store) == {"table", "view", "shown", "lines", "said"}
        assert store["view"] == view
        assert store["shown"] is None, "the end of a game shows no table"
        assert [each["event"] for each in store["lines"]] == happened[viewer][-len(store["lines"]) :]
        assert store["said"] == []
        report = {**store["table"], "playing": None, "setup": None}
        assert not {"hand", "face_up", "face_down", "draw_pile", "discard_pile"} & set(words_in(report))
        assert seed not in str({**store["table"], "playing": {**store["table"]["playing"], "seed": None}})


def words_in(value: Json) -> list[str]:
    """All names of fields, however deep."""
    if isinstance(value, dict):
        return [*value, *(each for inside in value.values() for each in words_in(inside))]
    return [each for inside in value for each in words_in(inside)] if isinstance(value, list) else []


def test_during_the_game_no_page_knows_a_card_it_may_not_know(people: People) -> None:
    seated = people(3, "leak", edition="second_edition")
    moves: list[tuple[int, str]] = []
    while len(moves) < 14:
        awaited = seated[0].view()["awaits"][0]["player"]
        seated[awaited].until("threefold.view.moves.length > 0 && threefold.open === 0")
        move = seated[awaited].careful_move()
        seated[awaited].play(move)
        moves.append((awaited, move))
        for each in seated:
            each.until("seq => threefold.seq >= seq", seated[awaited].page.evaluate("threefold.seq"))
    table = KARMA.new({"edition": "second_edition", "players": 3, "seed": "v1:leak"})
    for player, move in moves:
        table = KARMA.play(table, player, move, None).table
    for viewer, each in enumerate(seated):
        each.until(SHOWN)
        store = each.store()
        assert store["view"] == KARMA.view(table, viewer)
        assert store["shown"] == store["view"]
        assert store["table"]["playing"]["seed"] is None
        assert "v1:leak" not in str(store)
