"""Every sentence of SET is there, is used, and asks for nothing it is not given."""

import json
from collections.abc import Iterator
from importlib.resources import files
from string import Formatter
from typing import Any

import pytest

from threefold.setgame import tape as codes
from threefold.setgame.cards import FRAME_VALUES, MEGA_FEATURES, NAMES, QUADS_FEATURES, VALUES
from threefold.setgame.events import EVENTS, EVENTS_WITH_CARDS
from threefold.setgame.refusals import REFUSALS
from threefold.texts import Text, say

SENTENCES: dict[str, Any] = json.loads(files("threefold.texts").joinpath("en", "set.json").read_text("utf-8"))
PUZZLE_EVENTS = {"puzzle_set_found", "puzzle_set_again", "puzzle_wrong_set", "puzzle_solved"}
OTHER_REFUSALS = {
    "not_a_move", "not_three_cards", "no_such_card", "no_such_player", "nobodys_move", "no_time",
    "not_in_puzzle", "puzzle_is_solved",
}  # fmt: skip
SETUPS = {"option_not_here", "unknown_card", "wrong_deck", "unknown_puzzle", "other_deck"}


def wanted() -> set[str]:
    keys = {f"card.{name}" for name in NAMES}
    keys |= {f"set.why_not.{feature}.uneven" for feature in QUADS_FEATURES} | {"set.why_not.of_4", "set.why_not.of_6"}
    for feature, values in zip(MEGA_FEATURES, (*VALUES, FRAME_VALUES), strict=True):
        keys |= {f"set.why_not.{feature}.{two}.{one}" for two in values for one in values if two != one}
        keys |= {f"set.why.{feature}.same", f"set.why.{feature}.different"}
    keys |= {f"set.hint.{cards}" for cards in (1, 2, 3)}
    keys |= {f"set.event.{row[0]}" for row in EVENTS.values()} | {f"set.event.{name}" for name in PUZZLE_EVENTS}
    keys |= {f"set.refusal.{key}" for *_, key in REFUSALS.values()} | {f"set.refusal.{key}" for key in OTHER_REFUSALS}
    return keys | {f"set.setup.{key}" for key in SETUPS}


def test_the_catalogue_has_every_sentence_and_no_other() -> None:
    brief = {key for key in SENTENCES if key.startswith("set.brief.")}
    assert set(SENTENCES) - brief == wanted()
    assert {key.replace("brief", "event") for key in brief} <= wanted(), "a short sentence is about an event"


def parameters(sentence: Any) -> Iterator[str]:
    """All parameters that a sentence may ask for."""
    if isinstance(sentence, str):
        yield from (name for _, name, _, _ in Formatter().parse(sentence) if name)
        return
    yield sentence["by"]
    for branch, each in sentence.items():
        if branch != "by":
            yield from parameters(each)


@pytest.mark.parametrize("code", EVENTS)
def test_an_event_is_told_by_its_facts(code: int) -> None:
    name, *facts = EVENTS[code]
    given = {*facts}
    if code in EVENTS_WITH_CARDS or code == codes.CARDS_MOVED:
        given |= {"cards"}
    if code == codes.WRONG_SET:
        given |= {"failing"}
    if code == codes.GAME_ENDED:
        given |= {"winners"}
    assert set(parameters(SENTENCES[f"set.event.{name}"])) <= given


def test_a_player_is_spoken_to() -> None:
    called = Text("set.event.called", {"player": 1, "deadline": 6000})
    assert say(called, viewer=1) == "You call SET!"
    assert say(called, viewer=0) == "Player 1 calls SET!"


def test_a_win_reads_as_a_win_a_tie_as_a_tie_and_a_loss_as_a_loss() -> None:
    def happened(*winners: int, viewer: int | None = None) -> str:
        return say(Text("set.event.game_ended", {"reason": "no_set_left", "winners": list(winners)}), viewer=viewer)

    assert happened() == "The deck wins this time. No SETs left."
    assert happened(2) == "Player 2 wins! No SETs left."
    assert happened(2, viewer=2) == "You win! No SETs left."
    assert happened(0, 2) == "It's a tie: player 0 and player 2 share the win! No SETs left."
    assert happened(0, 2, viewer=2) == "It's a tie: player 0 and you share the win! No SETs left."
