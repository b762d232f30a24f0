"""K25 to K27: what is open to all, what one player knows, and what nobody knows."""

import pytest

from tests.karma.rules.steps import (
    HOUSE,
    After,
    after,
    card_given,
    code,
    drew,
    gift_chosen,
    house,
    lay,
    peeked_at,
)
from threefold import karma
from threefold.game import BadSetup, Json

EVERYONE = (0, 1, 2, None)
TABLE = (
    f"{HOUSE}; 0 hand 7 8 up 3 . 12 down 5 . 2; 1 player 2 hand GIV; 2 player 1 up . BOT . down 4 6 .; turn 0; "
    "direction -1; lost 0 2 1; pile 5 9 TAB; draw 10 11"
)
PEEK = house(code("peek_face_down", leaves=True), code({"power": "draw_cards", "n": 2, "whom": "one"}, leaves=True))


def seen(position: str | After, viewer: int | None) -> Json:
    return karma.view(position.table if isinstance(position, After) else lay(position), viewer)


# ---------------------------------------------------------------- K25


@pytest.mark.rule("K25")
@pytest.mark.parametrize("viewer", EVERYONE)
def test_everybody_sees_face_up_cards_the_pile_what_was_removed_and_how_many_cards_lie_where(
    viewer: int | None,
) -> None:
    view = seen(TABLE, viewer)
    assert [seat["face_up"] for seat in view["seats"]] == [["3", None, "12"], [None] * 3, [None, "BOT", None]]
    assert [seat["hand_size"] for seat in view["seats"]] == [2, 1, 0]
    assert [[place is not None for place in seat["face_down"]] for seat in view["seats"]] == [
        [True, False, True],
        [False, False, False],
        [True, True, False],
    ]
    assert [seat["cards"] for seat in view["seats"]] == [6, 1, 3]
    assert [seat["player"] for seat in view["seats"]] == [0, 2, 1]
    assert view["discard_pile"] == ["5", "9", "TAB"]
    assert view["draw_pile"] == 2
    assert len(view["removed"]) == 84 - 10 - 3 - 2
    assert view["turn"] == 0
    assert view["direction"] == -1
    assert view["lost_turns"] == [0, 2, 1]
    assert view["out"] == []
    assert view["asks_for"] is None


@pytest.mark.rule("K25")
def test_when_all_is_over_a_game_can_be_seen_with_every_card_turned_up() -> None:
    table = lay(TABLE)
    opened, closed = karma.open_view(table), karma.view(table, None)
    assert [seat["hand"] for seat in opened["seats"]] == [["7", "8"], ["GIV"], []]
    assert [[place and place["card"] for place in seat["face_down"]] for seat in opened["seats"]] == [
        ["5", None, "2"],
        [None, None, None],
        ["4", "6", None],
    ]
    hidden = ("hand", "face_down")
    for seat, same in zip(opened["seats"], closed["seats"], strict=True):
        assert {name: value for name, value in seat.items() if name not in hidden} == {
            name: value for name, value in same.items() if name not in hidden
        }
    assert {**opened, "seats": None} == {**closed, "seats": None}


@pytest.mark.rule("K25")
@pytest.mark.parametrize("viewer", EVERYONE)
def test_everybody_sees_which_cards_were_removed(viewer: int | None) -> None:
    step = after("classic; 0 hand 7 7 7 8; 1 hand 9; 2 hand 4; turn 0; pile 3 5", 0, "play 7 7 7")
    before = seen("classic; 0 hand 7 7 7 8; 1 hand 9; 2 hand 4; turn 0; pile 3 5", viewer)["removed"]
    assert sorted([*before, "3", "5", "7", "7", "7"]) == sorted(seen(step, viewer)["removed"])


@pytest.mark.rule("K25")
@pytest.mark.parametrize("viewer", EVERYONE)
@pytest.mark.parametrize(
    ("top", "asks"),
    [("", None), ("1", None), ("2", (2, 16)), ("16", (16, 16)), ("LOW", (1, 5)), ("711", (7, 11)), ("BOT", None)],
)
def test_everybody_sees_what_the_pile_asks_for(viewer: int | None, top: str, asks: tuple[int, int] | None) -> None:
    view = seen(f"{HOUSE}; 0 hand 7; 1 hand 8; 2 hand 9; turn 0; pile {top}", viewer)
    assert view["asks_for"] == (None if asks is None else {"low": asks[0], "high": asks[1]})


@pytest.mark.rule("K25")
@pytest.mark.parametrize("viewer", EVERYONE)
def test_everybody_sees_who_is_awaited_and_only_the_awaited_sees_the_moves(viewer: int | None) -> None:
    view = seen(f"{HOUSE}; 0 hand 7; 1 hand 8; 2 hand 9; turn 1; pile TAB; pending play_table_card", viewer)
    assert view["awaits"] == [{"player": 1, "question": "table_card", "power": "play_table_card"}]
    assert view["moves"] == (["play 8", "decline"] if viewer == 1 else [])
    assert view["anytime"] == ([] if viewer is None else ["offer draw"])


@pytest.mark.rule("K25", "K23")
@pytest.mark.parametrize("viewer", EVERYONE)
def test_everybody_sees_the_ending(viewer: int | None) -> None:
    step = after("classic; 0 hand 7; 1 hand 9; 2; turn 0; pile 5", 0, "play 7")
    ending = {"reason": "one_left", "winners": [0, 2], "losers": [1], "scores": None}
    assert seen(step, viewer)["ending"] == ending
    assert seen(step, viewer)["awaits"] == seen(step, viewer)["moves"] == []


# ---------------------------------------------------------------- K26


@pytest.mark.rule("K26")
def test_a_hand_is_known_to_the_player_at_that_seat_only() -> None:
    hands = {viewer: [seat["hand"] for seat in seen(TABLE, viewer)["seats"]] for viewer in EVERYONE}
    assert hands == {
        0: [["7", "8"], None, None],
        1: [None, None, []],
        2: [None, ["GIV"], None],
        None: [None, None, None],
    }


@pytest.mark.rule("K26", "K46")
def test_whoever_takes_a_seat_sees_its_hand_and_no_longer_the_one_left_behind() -> None:
    step = after("second_edition; 0 hand SEA 8; 1 hand 9; 2 hand 4; turn 0", 0, "play SEA", "choose 1")
    assert [seat["hand"] for seat in seen(step, 0)["seats"]] == [None, ["9"], None]
    assert [seat["hand"] for seat in seen(step, 1)["seats"]] == [["8"], None, None]


@pytest.mark.rule("K26")
def test_what_is_drawn_is_known_to_whom_draws_only() -> None:
    step = after("classic; 0 hand 7 8; 1 hand 9; 2 hand 4; turn 0; draw 5 6", 0, "play 7")
    assert step.seen_by(0)[1] == drew(0, "5 6")
    for viewer in (1, 2, None):
        assert step.seen_by(viewer)[1] == drew(0, None, 2)


@pytest.mark.rule("K26", "K61")
def test_what_another_draws_is_known_to_them_and_not_to_whose_card_it_was() -> None:
    step = after(f"{PEEK}; 0 hand D2 8 9 10; 1 hand 9; 2 hand 4; turn 0; draw 5 6", 0, "play D2", "choose 1")
    drawn = [each["event"] for each in step.events].index("cards_drawn")
    assert step.seen_by(1)[drawn] == drew(1, "5 6")
    for viewer in (0, 2, None):
        assert step.seen_by(viewer)[drawn] == drew(1, None, 2)


@pytest.mark.rule("K26", "K45", "K50")
@pytest.mark.parametrize(("card", "moves"), [("EXC", ("play EXC", "choose 1")), ("PAS", ("play PAS",))])
def test_hands_that_change_owners_are_not_told(card: str, moves: tuple[str, ...]) -> None:
    step = after(f"{HOUSE}; 0 hand {card} 13; 1 hand 14; 2 hand 15; turn 0; pile 5", 0, *moves)
    for viewer in EVERYONE:
        assert not {"13", "14", "15"} & set(str(step.seen_by(viewer)).split("'"))
        known = [seat["hand"] for seat in seen(step, viewer)["seats"] if seat["hand"] is not None]
        assert len(known) == (0 if viewer is None else 1)


# ---------------------------------------------------------------- K27


@pytest.mark.rule("K27")
@pytest.mark.parametrize("viewer", EVERYONE)
def test_nobody_knows_face_down_cards_or_the_order_of_the_draw_pile(viewer: int | None) -> None:
    view = seen(TABLE, viewer)
    places = [place for seat in view["seats"] for place in seat["face_down"] if place is not None]
    assert places == [{"card": None}] * 4
    assert view["draw_pile"] == 2


@pytest.mark.rule("K27", "K61")
def test_a_card_peeked_at_is_known_to_that_person_only() -> None:
    step = after(f"{PEEK}; 0 hand D1 8 down 5 6 2; 1 hand 9; 2 hand 4; turn 0", 0, "play D1", "peek 2")
    assert step.seen_by(0)[2] == peeked_at(0, 2, "6")
    for viewer in (1, 2, None):
        assert step.seen_by(viewer)[2] == peeked_at(0, 2, None)
    assert seen(step, 0)["seats"][0]["face_down"] == [{"card": None}, {"card": "6"}, {"card": None}]
    for viewer in (1, 2, None):
        assert seen(step, viewer)["seats"][0]["face_down"] == [{"card": None}] * 3


@pytest.mark.rule("K27", "K46")
def test_a_card_peeked_at_stays_known_to_the_person_after_seats_change_and_is_not_known_to_who_sits_there() -> None:
    step = after(f"{PEEK}; 0 hand SEA 8 down 5:0 6 2; 1 hand 9; 2 hand 4; turn 0", 0, "play SEA", "choose 1")
    assert seen(step, 0)["seats"][0]["face_down"][0] == {"card": "5"}
    assert seen(step, 1)["seats"][0]["face_down"][0] == {"card": None}


@pytest.mark.rule("K27")
def test_two_persons_can_know_the_same_card() -> None:
    position = f"{PEEK}; 0 player 1 hand D1 8 down 5:0 . .; 1 player 0 hand 9; 2 hand 4; turn 1"
    step = after(position, 1, "play D1", "peek 1")
    assert step.lies == "0 player 1 hand 8 down 5:0,1 . .; 1 player 0 hand 9; 2 hand 4; turn 0"
    assert [seen(step, viewer)["seats"][0]["face_down"][0]["card"] for viewer in EVERYONE] == ["5", "5", None, None]


@pytest.mark.rule("K27")
def test_a_place_that_was_peeked_at_is_forgotten_with_its_card() -> None:
    step = after(f"{PEEK}; 0 down 5:0,1 6 .; 1 hand 9; 2 hand 4; turn 0; pile 5", 0, "flip 1")
    assert step.table.peeked[0] == [0, 0, 0]


@pytest.mark.rule("K27", "K51")
def test_a_hand_card_given_away_is_known_to_giver_and_receiver() -> None:
    position = f"{HOUSE}; 0 hand 7 8; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1"
    step = after(position, 0, "give 8", "choose 1")
    for viewer, chosen, given in ((0, "8", "8"), (1, None, "8"), (2, None, None), (None, None, None)):
        assert step.seen_by(viewer)[:2] == [gift_chosen(0, chosen), card_given(0, 1, given)]


@pytest.mark.rule("K27", "K51")
def test_a_face_up_card_given_away_is_known_to_all() -> None:
    position = f"{HOUSE}; 0 up 7 8 .; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1"
    step = after(position, 0, "give 8", "choose 1")
    for viewer in EVERYONE:
        assert step.seen_by(viewer)[:2] == [gift_chosen(0, "8", of="face_up"), card_given(0, 1, "8", of="face_up")]


@pytest.mark.rule("K27", "K51")
def test_a_face_down_card_given_away_is_seen_by_its_receiver_only() -> None:
    position = f"{HOUSE}; 0 down 7 8 .; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1"
    step = after(position, 0, "give face down 2", "choose 1")
    for viewer in EVERYONE:
        card = "8" if viewer == 1 else None
        assert step.seen_by(viewer)[:2] == [
            gift_chosen(0, None, of="face_down", place=2),
            card_given(0, 1, card, of="face_down", place=2),
        ]


@pytest.mark.rule("K27")
def test_a_picked_gift_shows_in_its_givers_view_alone_before_it_is_given() -> None:
    position = f"{HOUSE}; 0 hand 7 8; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1"
    picked = after(position, 0, "give 8")
    other = after(position, 0, "give 7")
    for viewer in EVERYONE:
        assert (seen(picked, viewer) == seen(other, viewer)) is (viewer != 0)
    assert seen(picked, 0)["giving"] == {"from": "hand", "card": "8", "place": None}
    assert seen(picked, None)["giving"] == {"from": "hand", "card": None, "place": None}


# ---------------------------------------------------------------- K28 and K29


def known(at: str | After, viewer: int | None) -> list[list[str]]:
    return [seat["known"] for seat in seen(at, viewer)["seats"]]


@pytest.mark.rule("K28")
def test_a_pile_that_is_picked_up_is_known_until_its_cards_are_played() -> None:
    picked = after(f"{HOUSE}; 0 hand 3 3 4; 1 hand 9; 2 hand 4 5; turn 0; pile 5 9 9", 0, "pick up")
    for viewer in (1, 2, None):
        assert known(picked, viewer) == [["5", "9", "9"], [], []]
    assert known(picked, 0) == [[], [], []]
    played = after(picked, 1, "play 9")
    assert known(after(after(played, 2, "pick up"), 0, "play 9"), 1) == [["5", "9"], [], ["9"]]


@pytest.mark.rule("K28")
def test_a_hand_is_remembered_by_whoever_held_it() -> None:
    position = f"{HOUSE}; 0 hand 7 8 8 EXC; 1 hand 3 3 4; 2 hand 5; turn 0; known 1 4"
    done = after(position, 0, "play EXC", "choose 1")
    assert known(done, 0) == [[], ["7", "8", "8"], []]
    assert known(done, 1) == [["3", "3", "4"], [], []]
    assert known(done, 2) == known(done, None) == [["4"], [], []]


@pytest.mark.rule("K29")
def test_a_gift_out_of_sight_can_be_any_card_of_the_hand() -> None:
    position = f"{HOUSE}; 0 hand 7 8 8 3; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1; known 0 7 8 8"
    given = after(position, 0, "give 8", "choose 1")
    assert known(given, 2) == known(given, None) == [["8"], [], []]
    assert known(given, 1) == [["7", "8"], [], []]
    assert known(given, 0) == [[], ["8"], []]


@pytest.mark.rule("K29")
def test_a_gift_from_a_hand_of_one_known_card_is_that_card() -> None:
    position = f"{HOUSE}; 0 hand 8 8; 1 hand 9; 2 hand 4; turn 0; pile ONE; pending give_cards 1; known 0 8 8"
    assert known(after(position, 0, "give 8", "choose 1"), 2) == [["8"], ["8"], []]


@pytest.mark.rule("K28")
@pytest.mark.parametrize("section", ["known 0 9", "known 0 by 0 7", "known 0 7 7"])
def test_a_position_in_which_somebody_knows_what_is_not_so_is_refused(section: str) -> None:
    with pytest.raises(BadSetup) as refused:
        lay(f"{HOUSE}; 0 hand 7 8; 1 hand 9; turn 0; {section}")
    assert refused.value.clause == "K28"
