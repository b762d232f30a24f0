"""Advice for people: the reason for a hint, and the warning about a card that would be wasted."""

import pytest

from threefold.games import KITS
from threefold.karma import play, view
from threefold.karma.advice import ADVICE
from threefold.karma.positions import parse_position
from threefold.shuffle import random_from
from threefold.texts import LANGUAGES, Text, catalogue

OTHER = "1 hand 4 5"


@pytest.mark.parametrize(
    ("position", "move", "reason"),
    [
        (f"classic; 0 hand 7 9; {OTHER}; turn 0; pile 5", "play 7", "lowest"),
        (f"classic; 0 hand 3 9; {OTHER}; turn 0; pile 5", "play 9", "only_one"),
        (f"classic; 0 hand 9 GIV; {OTHER}; turn 0; pile 5", "play 9", "karma_waits"),
        (f"classic; 0 hand 2 GIV TAB; {OTHER}; turn 0; pile 5", "play GIV", "no_number"),
        (f"second_edition; 0 hand 2 711 ONE; {OTHER}; turn 0; pile 5", "play 711", "no_number"),
        (f"classic; 0 hand 3; {OTHER}; turn 0; pile 5", "pick up", "pick_up"),
        (f"classic; 0 down 3:0 . .; {OTHER}; turn 0; pile 2", "flip 1", "known"),
        (f"classic; 0 down 3 . .; {OTHER}; turn 0; pile 2", "flip 1", "gamble"),
        (f"classic; 0 hand 3; {OTHER}; turn 0; pile 2; pending give_pile", "choose 1", "closest_to_winning"),
        (f"second_edition; 0 hand 3; {OTHER}; turn 0; pending exchange_hands", "choose 1", "fewest_in_hand"),
        (f"second_edition; 0 hand 3; {OTHER}; turn 0; pending change_seats", "choose 1", "fewest_cards"),
        ("classic; 0 hand 1 2 3 4 5 6; 1 hand 4 5 6 7 8 9; set-up", "face up 4 5 6", "face_up"),
    ],
)
def test_a_hint_has_a_reason(position: str, move: str, reason: str) -> None:
    assert ADVICE.reason(view(parse_position(position), 0), move) == Text(f"karma.hint.{reason}")


@pytest.mark.parametrize(
    ("position", "move", "power"),
    [
        (f"classic; 0 hand 3 GIV; {OTHER}; turn 0", "play GIV", "give_pile"),
        (f"second_edition; 0 hand 3 CLR; {OTHER}; turn 0", "play CLR", "clear_pile"),
        (f"classic; 0 hand 3 GIV; {OTHER}; turn 0; pile 5", "play GIV", None),
        (f"second_edition; 0 hand 3 CLR; {OTHER}; turn 0; pile 5", "play CLR", None),
        (f"classic; 0 hand 3 7; {OTHER}; turn 0; pile 5", "play 7", None),
        (f"second_edition; 0 down CLR:0 . 3; {OTHER}; turn 0", "flip 1", "clear_pile"),
        (f"second_edition; 0 down CLR . 3; {OTHER}; turn 0", "flip 1", None),
        (f"second_edition; 0 down 3:0 . CLR; {OTHER}; turn 0", "flip 3", None),
    ],
)
def test_a_card_that_would_be_wasted_is_warned_about(position: str, move: str, power: str | None) -> None:
    table = parse_position(position)
    events = [each.seen_by(0) for each in play(table, 0, move).events]
    assert ADVICE.warning(view(table, 0), events) == (
        None if power is None else Text("karma.warning", {"power": power})
    )


def test_every_move_of_a_careful_player_has_its_reason_in_every_language() -> None:
    random = random_from("v1:advice", "bot")
    seen: set[str] = set()
    for edition in ("classic", "second_edition"):
        table = KITS["karma"].game.new({"edition": edition, "players": 4, "seed": "v1:advice"})
        while decisions := KITS["karma"].game.decisions(table):
            player = decisions[0].player
            seen_by = view(table, player)
            choice = KITS["karma"].bots["careful"](seen_by, random)
            assert choice is not None
            reason = ADVICE.reason(seen_by, choice.move)
            assert reason is not None
            seen.add(reason.key)
            table = play(table, player, choice.move).table
    for language in LANGUAGES:
        assert seen <= set(catalogue(language))
