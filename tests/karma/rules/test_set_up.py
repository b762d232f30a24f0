"""K1 to K5: decks and players, the deal, the choice of face-up cards, who starts."""

import pytest

from tests.karma.rules.steps import after, face_up_chosen, face_up_shown, moves, refused, turn
from threefold import karma
from threefold.game import BadSetup, Json
from threefold.karma.editions import EDITIONS, Options, build, cards_of
from threefold.karma.notation import codes

LIMITS = {
    "classic": (6, 12),
    "classic_alternative_triples": (6, 12),
    "second_edition": (6, 12),
    "mini_round": (4, 8),
}


def dealt(players: int = 2, edition: Json = "classic", dealer: int = 0, **more: Json) -> karma.Table:
    return karma.new({"edition": edition, "players": players, "dealer": dealer, "seed": "v1:rules", **more})


def deck_in_order(edition: str = "classic", decks: int = 1) -> list[str]:
    row = build(EDITIONS[edition], Options(decks=decks))
    return codes(row, cards_of(row))


# ---------------------------------------------------------------- K1


@pytest.mark.rule("K1")
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("edition", LIMITS)
def test_a_table_seats_two_up_to_the_editions_limit_and_two_decks_double_it(edition: str, decks: int) -> None:
    limit = LIMITS[edition][decks - 1]
    for players in (2, limit):
        assert karma.players(dealt(players, edition, options={"decks": decks})) == players
    for players in (1, limit + 1):
        with pytest.raises(BadSetup) as refusal:
            dealt(players, edition, options={"decks": decks})
        assert refusal.value.clause == "K1"
        assert str(limit) in str(refusal.value)


@pytest.mark.rule("K1")
@pytest.mark.parametrize("edition", LIMITS)
def test_two_decks_combined_hold_every_card_twice_as_often(edition: str) -> None:
    one, two = deck_in_order(edition), deck_in_order(edition, decks=2)
    assert sorted(two) == sorted(one + one)


@pytest.mark.rule("K1")
def test_an_edition_too_small_for_two_players_cannot_be_dealt() -> None:
    with pytest.raises(BadSetup) as refusal:
        dealt(2, {"numbers": {"from": 1, "to": 2, "copies": 6}})
    assert refusal.value.clause == "K1"
    assert refusal.value.text.parameters == {"count": 12, "least": 18}


@pytest.mark.rule("K1")
def test_eighteen_cards_are_enough_for_two_and_seat_no_third() -> None:
    small = {"numbers": {"from": 1, "to": 3, "copies": 6}}
    state = karma.state(dealt(2, small))
    assert state["draw_pile"] == []
    with pytest.raises(BadSetup):
        dealt(3, small)


# ---------------------------------------------------------------- K2 to K4


@pytest.mark.rule("K2", "K3", "K4")
def test_cards_go_round_one_by_one_from_the_dealers_left_three_face_down_then_six_and_the_rest_is_drawn_from() -> None:
    deck = deck_in_order()
    state = karma.state(dealt(3, dealer=1, deck=deck))
    first_round, order = 9, (2, 0, 1)
    for i, seat in enumerate(order):
        assert state["seats"][seat]["face_down"] == deck[i:first_round:3]
        assert sorted(state["seats"][seat]["hand"]) == sorted(deck[first_round + i : 27 : 3])
        assert state["seats"][seat]["face_up"] == [None, None, None]
    assert state["draw_pile"] == deck[27:]
    assert state["discard_pile"] == state["removed"] == []


@pytest.mark.rule("K2", "K27")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_nobody_sees_a_face_down_card_its_owner_included(viewer: int | None) -> None:
    for seat in karma.view(dealt(), viewer)["seats"]:
        assert seat["face_down"] == [{"card": None}] * 3


@pytest.mark.rule("K4", "K27")
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_the_size_of_the_draw_pile_is_public_and_its_order_is_not(viewer: int | None) -> None:
    assert karma.view(dealt(), viewer)["draw_pile"] == 60 - 2 * 9


@pytest.mark.rule("K3")
def test_any_three_of_the_six_may_lie_face_up_identical_ones_too() -> None:
    position = "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 7 7 8 8 9; set-up"
    assert len(moves(position, 0)) == 20
    assert {"face up 1 2 3", "face up 4 5 6"} <= set(moves(position, 0))
    assert moves(position, 1) == [
        "face up 7 7 7",
        "face up 7 7 8",
        "face up 7 7 9",
        "face up 7 8 8",
        "face up 7 8 9",
        "face up 8 8 9",
    ]


CHOOSING = "classic; 0 hand 1 2 3 4 5 6 down 7 8 9; 1 hand 7 8 9 GIV TAB BOT down 1 2 3; set-up; dealer 1"


@pytest.mark.rule("K3")
def test_all_choose_at_the_same_time_in_any_order() -> None:
    assert [each.player for each in karma.decisions(karma.new({"position": CHOOSING}))] == [0, 1]
    for first, other, move in ((0, 1, "face up 4 5 6"), (1, 0, "face up GIV TAB BOT")):
        assert [each.player for each in karma.decisions(after(CHOOSING, first, move).table)] == [other]


@pytest.mark.rule("K3")
def test_a_choice_is_known_to_nobody_else_until_all_are_made() -> None:
    step = after(CHOOSING, 0, "face up 4 5 6")
    assert step.seen_by(0) == [face_up_chosen(0, "4 5 6")]
    assert step.seen_by(1) == step.seen_by(None) == [face_up_chosen(0, None)]
    assert karma.view(step.table, 0)["chosen"] == ["4", "5", "6"]
    for viewer in (1, None):
        seen = karma.view(step.table, viewer)
        assert seen["has_chosen"] == [0]
        assert "chosen" not in seen
        assert seen["seats"][0]["face_up"] == [None, None, None]
        assert seen["seats"][0]["hand_size"] == 6


@pytest.mark.rule("K3", "K5")
def test_when_the_last_has_chosen_all_are_shown_and_three_cards_stay_in_each_hand() -> None:
    step = after(after(CHOOSING, 1, "face up GIV TAB BOT"), 0, "face up 4 5 6")
    shown = [face_up_shown(0, "4 5 6"), face_up_shown(1, "GIV TAB BOT"), turn(0)]
    assert step.events == [face_up_chosen(0, "4 5 6"), *shown]
    assert step.seen_by(1) == [face_up_chosen(0, None), *shown]
    assert step.lies == ("0 hand 1 2 3 up 4 5 6 down 7 8 9; 1 hand 7 8 9 up GIV TAB BOT down 1 2 3; turn 0; dealer 1")


@pytest.mark.rule("K3")
def test_a_choice_is_final() -> None:
    assert refused(after(CHOOSING, 0, "face up 4 5 6"), 0, "face up 1 2 3") == "K3"


@pytest.mark.rule("K3")
def test_only_ones_own_six_cards_can_be_chosen_and_nothing_is_played_before() -> None:
    assert refused(CHOOSING, 0, "face up 4 5 7") == "K3"
    assert refused(CHOOSING, 0, "face up 4 4 5") == "K3"
    assert refused(CHOOSING, 0, "play 4") == "K3"


# ---------------------------------------------------------------- K5


@pytest.mark.rule("K5")
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_player_to_the_dealers_left_starts_and_so_after_a_rematch_the_next_one(dealer: int) -> None:
    table = dealt(3, dealer=dealer)
    assert (karma.view(table, None)["turn"], karma.view(table, None)["turns"]) == (None, 0)
    assert karma.view(table, 0)["anytime"] == ["offer draw"]
    for player in range(3):
        step = after(table, player, moves(table, player)[0])
        table = step.table
    assert step.events[-1] == turn((dealer + 1) % 3)
    assert karma.view(table, None)["turns"] == 1
    assert [each.player for each in karma.decisions(table)] == [(dealer + 1) % 3]


@pytest.mark.rule("K5")
def test_the_first_dealer_is_drawn_by_the_seed() -> None:
    seeds = [f"v1:{i}" for i in range(40)]
    drawn = [karma.setup(karma.new({"players": 3, "seed": seed}))["dealer"] for seed in seeds]
    assert set(drawn) == {0, 1, 2}
    assert drawn == [karma.setup(karma.new({"players": 3, "seed": seed}))["dealer"] for seed in seeds]


@pytest.mark.rule("K5")
def test_a_table_without_a_seed_gets_one_and_can_be_set_up_again_from_it() -> None:
    table = karma.new({"players": 4})
    assert karma.state(karma.new(karma.setup(table))) == karma.state(table)
    assert karma.setup(table)["seed"] != karma.setup(karma.new({"players": 4}))["seed"]
