"""Every refusal of the catalogue: something real provokes it, it cites its clause, and nothing changes."""

from collections.abc import Callable, Iterator
from io import BytesIO
from string import Formatter
from typing import Any

import pytest

from tests.karma.rules.steps import HOUSE, code, house, lay
from threefold import karma, saved
from threefold.engine import MOST_TABLES, Engine, converse
from threefold.game import BadSetup, Event, IllegalMove, Json, Refusal
from threefold.games import KITS
from threefold.karma.design import design_from_code, design_from_json
from threefold.records import flat
from threefold.setgame.cards import format_card
from threefold.texts import DERIVED, catalogue, say

TURN = "classic; 0 hand 7 8 up 9 8 1 down 3 4 5; 1 hand 2; turn 0; pile 5"
SET_UP = "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 8 9 10 11 12; set-up"
CHOSEN = f"{SET_UP}; chosen 0 1 2 3"
FACE_DOWN = "classic; 0 down 3 . 5; 1 hand 2; turn 0; pile 5"
DRAWING = 'classic {"draw":"by hand"}; 0 hand 7; 1 hand 2; drawing; turn 0; pile 5; draw 4 6'
MUST_DRAW = 'second_edition {"draw":"by hand"}; 0 up 7 . .; 1 hand 2; must draw; turn 0; draw 4 6'
GIVING_PILE = "classic; 0 hand 7; 1 hand 2; turn 0; pile 5; pending give_pile"
LOSING = f"{HOUSE}; 0 hand 7; 1 hand 2; 2; turn 0; pile LOS; pending lose_turns 1 one"
OVER = "classic; 0; 1 hand 2; turn 0; ended one_left 1"

MOVES: dict[str, tuple[str, int | None, str, str | None]] = {
    "no_such_player": (TURN, 2, "play 7", None),
    "no_such_card": (TURN, 0, "play EXC", None),
    "not_a_move": (TURN, 0, "sing a song", None),
    "not_identical": (TURN, 0, "play 7 8", "K17"),
    "game_over": (OVER, 1, "play 2", "K23"),
    "already_chosen": (CHOSEN, 0, "face up 4 5 6", "K3"),
    "not_your_turn": (TURN, 1, "play 2", "K15"),
    "draw_without_cards": (LOSING, 2, "offer draw", "K24"),
    "draw_agreed_already": (f"{TURN}; agreed 0", 0, "agree draw", "K24"),
    "draw_offered_already": (f"{TURN}; agreed 0", 1, "offer draw", "K24"),
    "no_draw_offered": (TURN, 1, "agree draw", "K24"),
    "not_your_six": (SET_UP, 0, "face up 1 2 7", "K3"),
    "choose_face_up_first": (SET_UP, 0, "play 1", "K3"),
    "must_draw": (MUST_DRAW, 0, "play 7", "K12a"),
    "draw_or_end_turn": (DRAWING, 0, "play 7", "K12"),
    "nothing_to_pick_up": ("classic; 0 hand 7; 1 hand 2; turn 0", 0, "pick up", "K10"),
    "draw_at_the_end": (TURN, 0, "draw", "K11"),
    "face_up_cards_lie": (TURN, 0, "face up 9 8 1", "K3"),
    "nothing_to_answer": (TURN, 0, "choose 1", "K32"),
    "flip_instead": (FACE_DOWN, 0, "play 3", "K13"),
    "two_locations": (TURN, 0, "play 8 8", "K9"),
    "hand_first": (TURN, 0, "play 9", "K6"),
    "not_so_many": (TURN, 0, "play 7 7", "K9"),
    "too_low": (TURN.replace("pile 5", "pile 9"), 0, "play 8", "K7"),
    "not_asked_for": (TURN.replace("pile 5", "pile LOW"), 0, "play 8", "K43"),
    "no_card_there": (FACE_DOWN, 0, "flip 2", "K13"),
    "not_yet_face_down": (TURN, 0, "flip 1", "K6"),
    "may_not_decline": (GIVING_PILE, 0, "decline", "K32"),
    "another_player": (GIVING_PILE, 0, "choose 0", "K33"),
    "holds_no_cards": (LOSING, 0, "choose 2", "K33"),
    "answer_the_power": (GIVING_PILE, 0, "play 7", "K40"),
}
"""Key -> a position, and a player's move on it that is refused by this clause."""

MORE_MOVES = [
    (TURN, None, "play 7", "no_such_player", None),
    (TURN, -1, "play 7", "no_such_player", None),
    (TURN, 0, "play", "not_a_move", None),
    (TURN, 0, "", "not_a_move", None),
    (TURN, 0, "flip 0", "not_a_move", None),
    (TURN, 0, "flip 4", "not_a_move", None),
    (TURN, 0, "flip ²", "not_a_move", None),
    (TURN, 0, "choose 12", "not_a_move", None),
    (TURN, 0, "choose -1", "not_a_move", None),
    (TURN, 0, "choose 1 1", "not_a_move", None),
    (TURN, 0, "face up 1 2", "not_a_move", None),
    (TURN, 0, "swap 1", "not_a_move", None),
    (TURN, 0, "give 1 2", "not_a_move", None),
    (TURN, 0, "play" + " 7" * 255, "not_a_move", None),
    (TURN, 0, "play" + " 7" * 254, "not_so_many", "K9"),
    (TURN, 0, "play 12", "not_so_many", "K9"),
    (TURN, 0, "end turn", "draw_at_the_end", "K11"),
    (TURN, 0, "decline", "nothing_to_answer", "K32"),
    (TURN, 0, "swap 9 7", "nothing_to_answer", "K32"),
    (TURN, 0, "peek 1", "nothing_to_answer", "K32"),
    (MUST_DRAW, 0, "flip 1", "must_draw", "K12a"),
    (MUST_DRAW, 0, "end turn", "must_draw", "K12a"),
    (DRAWING.replace("0 hand 7", "0"), 0, "end turn", "must_draw", "K12a"),
    (DRAWING, 0, "choose 1", "draw_or_end_turn", "K12"),
    (GIVING_PILE, 0, "choose 2", "no_such_player", "K33"),
    (GIVING_PILE, 1, "choose 0", "not_your_turn", "K15"),
    (LOSING, 2, "agree draw", "draw_without_cards", "K24"),
    (
        f"{HOUSE}; 0 hand 7; 1 hand 2; turn 0; pile ONE; pending give_cards 1",
        0,
        "choose 1",
        "answer_the_power",
        "K51",
    ),
    (
        f"{HOUSE}; 0 hand 7; 1 hand 2; turn 0; pile ONE; pending give_cards 1; giving hand 7",
        0,
        "give 7",
        "answer_the_power",
        "K51",
    ),
    (
        f"{house(code({'power': 'ask_for', 'low': 2, 'high': 3}))}; 0 hand 7; 1 hand 2; turn 0; pile D1",
        0,
        "play 7",
        "not_asked_for",
        "K61",
    ),
]
"""Other ways to the same refusals."""


def design(**fields: Json) -> Callable[[], object]:
    whole = {"name": "Test", "powers": [{"power": "reverse"}], **fields}
    return lambda: design_from_json(whole)


def new(**fields: Json) -> Callable[[], object]:
    return lambda: karma.new({"players": 2, "seed": "v1:a", **fields})


def asked(*requests: Json) -> Callable[[], object]:
    def ask() -> object:
        engine = Engine()
        return [engine.answer(request) for request in requests][-1]

    return ask


def one_table_too_many() -> object:
    engine = Engine()
    engine.answer({"do": "new", "players": 2})
    engine.tables = {f"t{i}": engine.tables["t1"] for i in range(MOST_TABLES)}
    return engine.answer({"do": "new", "players": 2})


def load(**fields: Json) -> Callable[[], object]:
    game = {"format": 1, "game": "karma", "rules": 2, "players": 2, "seed": "v1:a", "moves": [], **fields}
    return lambda: saved.load(game)


def answer_to(line: bytes) -> bytes:
    answers = BytesIO()
    converse(BytesIO(line), answers)
    return answers.getvalue()


STAYS = code("reverse", name="Stays")

SET_UPS: dict[str, tuple[Callable[[], object], str | None]] = {
    "karma.setup.own_card_must_leave": (new(edition="second_edition", options={"create_your_karma": STAYS}), "K44"),
    "karma.setup.too_few_cards": (new(edition={"numbers": {"to": 2}}), "K1"),
    "karma.setup.unknown_card": (new(deck=["17"]), None),
    "karma.setup.wrong_deck": (new(deck=["1"]), None),
    "karma.setup.no_own_card": (new(options={"create_your_karma": "reverse"}), "K44"),
    "setup.bad_position": (lambda: karma.new({"position": "classic; 0 hand 99; 1; turn 0"}), None),
    "setup.cannot_go_on": (lambda: karma.new({"position": "classic; 0 hand 9; 1"}), None),
    "setup.not_this_number": (load(format=2), None),
    "setup.card_not_a_text": (new(deck=[7]), None),
    "setup.missing_one_of": (asked({"do": "puzzle"}), None),
    "karma.design.no_name": (design(name="  "), "K63"),
    "karma.design.name_too_long": (design(name="x" * 25), "K63"),
    "karma.design.name_with_control_characters": (design(name="a\nb"), "K63"),
    "karma.design.number_of_powers": (design(powers=[]), "K63"),
    "karma.design.two_about_the_pile": (design(powers=[{"power": "give_pile"}, {"power": "clear_pile"}]), "K63"),
    "karma.design.two_table_cards": (design(powers=[{"power": "play_table_card"}] * 2), "K63"),
    "karma.design.impossible_range": (design(powers=[{"power": "ask_for", "low": 5, "high": 4}]), "K63"),
    "karma.design.leaves_but_asks": (
        design(leaves=True, powers=[{"power": "ask_for", "low": 1, "high": 4}]),
        "K63",
    ),
    "karma.design.not_a_code": (lambda: design_from_code("K1nonsense"), "K63"),
    "setup.not_an_object": (new(options=[]), None),
    "setup.unknown_field": (new(colour="red"), None),
    "setup.missing_field": (lambda: karma.new({}), None),
    "setup.not_a_number_between": (new(players=7), "K1"),
    "setup.not_true_or_false": (new(edition={"table_cards_need_empty_draw_pile": 1}), None),
    "setup.not_one_of": (new(edition="third"), None),
    "setup.not_a_list": (new(deck="7 8"), None),
    "setup.not_a_text": (new(seed=7), None),
    "setup.too_many": (new(edition={"designs": [{"code": STAYS}] * 49}), None),
    "karma.setup.too_many_kinds": (new(edition={"designs": [{"code": STAYS}] * 40}), "K63"),
    "setup.not_a_seed": (new(seed="v9:x"), None),
    "setup.too_many_tables": (one_table_too_many, None),
    "setup.no_such_table": (asked({"do": "state", "table": "t9"}), None),
    "setup.no_time": (
        asked(
            {"do": "new", "players": 2, "seed": "v1:a"},
            {"do": "play", "table": "t1", "player": 0, "move": "draw", "at": 5},
        ),
        None,
    ),
    "setup.one_of_two": (asked({"do": "design", "code": STAYS, "design": {}}), None),
    "setup.cards_twice": (asked({"do": "sets", "cards": [format_card(0)] * 2}), None),
    "setup.not_a_date": (asked({"do": "puzzle", "date": "tomorrow"}), None),
    "setup.other_rules": (load(rules=1), None),
    "saved.does_not_replay": (load(moves=[{"player": 0, "move": "play 17"}]), None),
}
"""Key -> what provokes it, and its clause."""

ANSWERED = {
    "setup.not_json": b"{\n",
    "setup.line_too_long": b" " * 8_000_001 + b"\n",
    "setup.nested_too_deep": b"[" * 100_000 + b"\n",
    "setup.number_too_large": b'{"id":1e400}\n',
}
"""Key -> a line that the engine answers with it."""
FAULTS = {"setup.fault", "setup.table_has_stopped"}
"""What only a fault inside the rules provokes: see tests/test_engine_faults.py."""


def refusal_of(provoke: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        provoke()
    return refused.value


def check_sentence(refusal: Refusal) -> None:
    """It can be said, every parameter that its sentences could need is there, and it reads as one sentence or two."""
    needed = set(parameters_in(catalogue()[refusal.text.key]))
    assert needed <= set(refusal.text.parameters), refusal.text
    assert str(refusal) == say(refusal.text) == refusal.as_json()["message"]
    assert str(refusal)[0].isupper() or not str(refusal)[0].isalpha()
    assert str(refusal)[-1] in ".!?"
    assert "{" not in str(refusal) or "{" in str(refusal.text.parameters)
    assert "None" not in str(refusal) or "None" in str(refusal.text.parameters)


def parameters_in(sentence: Json) -> Iterator[str]:
    """The parameters that a sentence needs; a derived one needs those that it is derived from."""
    if isinstance(sentence, str):
        for _, name, _, _ in Formatter().parse(sentence):
            if name:
                yield from sources_of(name)
    else:
        yield from sources_of(sentence["by"])
        for branch, each in sentence.items():
            if branch != "by":
                yield from parameters_in(each)


def sources_of(name: str) -> tuple[str, ...]:
    return DERIVED[name][0] if name in DERIVED else (name,)


# ---------------------------------------------------------------- Moves


@pytest.mark.parametrize("key", MOVES)
def test_a_refused_move_cites_its_clause_and_changes_nothing(key: str) -> None:
    position, player, move, clause = MOVES[key]
    check_move(position, player, move, key, clause)


@pytest.mark.parametrize(("position", "player", "move", "key", "clause"), MORE_MOVES)
def test_there_are_other_ways_to_the_same_refusals(
    position: str, player: int | None, move: str, key: str, clause: str | None
) -> None:
    check_move(position, player, move, key, clause)


def check_move(position: str, player: int | None, move: str, key: str, clause: str | None) -> None:
    table = lay(position)
    before = flat(table)
    explained = karma.explain(table, player, move)
    refusal = refusal_of(lambda: karma.play(table, player, move))
    assert isinstance(refusal, IllegalMove)
    assert isinstance(explained, IllegalMove)
    assert (refusal.text, refusal.clause) == (explained.text, explained.clause)
    assert (refusal.text.key, refusal.clause) == (f"karma.refusal.{key}", clause)
    assert flat(table) == before
    check_sentence(refusal)


def test_explain_says_nothing_about_a_legal_move() -> None:
    table = lay(TURN)
    before = flat(table)
    assert karma.explain(table, 0, "play 7") is None
    assert flat(table) == before


def test_a_long_move_is_quoted_short() -> None:
    assert len(str(karma.explain(lay(TURN), 0, "x" * 100_000))) < 250
    assert len(str(karma.explain(lay(TURN), 0, "play " + "x" * 100_000))) < 250


# ---------------------------------------------------------------- Set-ups, designs, saved games, requests


@pytest.mark.parametrize("key", SET_UPS)
def test_a_refused_set_up_cites_its_clause(key: str) -> None:
    provoke, clause = SET_UPS[key]
    refusal = refusal_of(provoke)
    assert isinstance(refusal, BadSetup)
    assert (refusal.text.key, refusal.clause) == (key, clause)
    check_sentence(refusal)


@pytest.mark.parametrize("key", ANSWERED)
def test_a_line_that_is_no_request_is_answered(key: str) -> None:
    assert f'"key":"{key}"'.encode() in answer_to(ANSWERED[key])


def test_every_refusal_of_the_catalogue_is_provoked() -> None:
    prefixes = ("karma.refusal.", "karma.setup.", "karma.design.", "setup.", "saved.")
    known = {key for key in catalogue() if key.startswith(prefixes)}
    provoked = {f"karma.refusal.{key}" for key in MOVES} | set(SET_UPS) | set(ANSWERED) | FAULTS
    assert known == provoked, "add to MOVES, SET_UPS or ANSWERED what provokes it"


# ---------------------------------------------------------------- The protocol of refusals


def test_a_refusal_travels_as_clause_message_key_and_parameters() -> None:
    refusal = karma.explain(lay(TURN), 1, "play 2")
    assert refusal is not None
    text = {"key": "karma.refusal.not_your_turn", "parameters": {"player": 0}}
    assert refusal.as_json() == {"clause": "K15", "message": "It's player 0's turn.", "text": text}


def test_an_event_without_secrets_is_the_same_for_all() -> None:
    event = Event("went_out", {"player": 1})
    assert event.seen_by(None) == event.seen_by(0) == event.whole() == {"event": "went_out", "player": 1}


def test_karma_is_one_of_the_games() -> None:
    game: Any = KITS["karma"].game
    assert (game.name, game.timed, game.rules_version) == ("karma", False, 2)
