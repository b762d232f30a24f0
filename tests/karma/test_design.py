"""Create Your Karma: checked (K63), worded (K64), shared as a code (K65); and the vocabulary it is written in (K61)."""

import ast
import hashlib
import inspect
import string
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threefold.game import BadSetup, Json
from threefold.karma import powers as p
from threefold.karma.cards import PRINTED
from threefold.karma.design import (
    DESIGNS,
    LONGEST_CODE,
    LONGEST_NAME,
    PICTURES,
    Design,
    code_from_design,
    design_from_code,
    design_from_json,
    vocabulary_as_json,
    words,
)
from threefold.karma.powers import (
    POWER_NAMED,
    POWER_OF_CODE,
    VOCABULARY,
    CardPower,
    Power,
    card_power,
    code_of,
    first_parameter,
    may_decline,
    second_parameter,
)
from threefold.texts import catalogue, say

WIRE_CODES = {
    "reverse": 1,
    "rotate_seats": 2,
    "rotate_hands": 3,
    "exchange_hands": 4,
    "change_seats": 5,
    "give_pile": 6,
    "clear_pile": 7,
    "bottoms_up": 8,
    "ask_for": 9,
    "value_zero": 10,
    "lose_turns": 11,
    "give_cards": 12,
    "draw_cards": 13,
    "play_table_card": 14,
    "peek_face_down": 15,
    "swap_face_up": 16,
}
PARAMETERS = {
    "rotate_seats": {"n": (1, 11), "way": ("left", "right")},
    "rotate_hands": {"way": ("left", "right")},
    "ask_for": {"low": (1, 16), "high": (1, 16)},
    "lose_turns": {"n": (1, 3), "whom": ("one", "next", "everyone_else")},
    "give_cards": {"n": (1, 3)},
    "draw_cards": {"n": (1, 6), "whom": ("self", "one", "everyone_else")},
}
ABOUT_THE_PILE = {"give_pile", "clear_pile", "bottoms_up", "ask_for", "value_zero"}
MAY_DECLINE = {"lose_turns", "give_cards", "play_table_card", "peek_face_down", "swap_face_up"}


def design(*powers: Json, **fields: Json) -> Json:
    rows = [{"power": each} if isinstance(each, str) else each for each in powers]
    return {"name": "Test", "powers": rows, **fields}


def refusal(given: Json) -> BadSetup:
    with pytest.raises(BadSetup) as refused:
        design_from_json(given)
    assert refused.value.clause == "K63"
    return refused.value


def values_of(power: Power) -> dict[str, Json]:
    return {each.name: each.words[0] if each.words else each.least for each in power.parameters}


# ---------------------------------------------------------------- K61: the vocabulary


@pytest.mark.rule("K61")
def test_the_vocabulary_has_these_powers_with_these_limits() -> None:
    assert {power.name for power in VOCABULARY} == set(WIRE_CODES)
    for power in VOCABULARY:
        limits = {each.name: each.words or (each.least, each.most) for each in power.parameters}
        assert limits == PARAMETERS.get(power.name, {})
    assert {power.name for power in VOCABULARY if power.about_the_pile} == ABOUT_THE_PILE
    assert {power.name for power in VOCABULARY if power.may_decline} == MAY_DECLINE
    assert {power.name for power in VOCABULARY if power.stays} == {"ask_for", "value_zero"}


@pytest.mark.rule("K65")
def test_wire_codes_are_pinned_and_only_ever_appended() -> None:
    assert {power.name: power.code for power in VOCABULARY} == WIRE_CODES
    assert {power.code: power for power in VOCABULARY} == POWER_OF_CODE
    assert {power.name: power for power in VOCABULARY} == POWER_NAMED


@pytest.mark.rule("K61")
def test_card_makers_are_told_the_whole_vocabulary() -> None:
    happened = vocabulary_as_json()
    assert [row["power"] for row in happened] == list(WIRE_CODES)
    lose = next(row for row in happened if row["power"] == "lose_turns")
    assert lose == {
        "power": "lose_turns",
        "clause": "K48",
        "parameters": [
            {"name": "n", "least": 1, "most": 3},
            {"name": "whom", "words": ["one", "next", "everyone_else"]},
        ],
        "about_the_pile": False,
        "only_on_cards_that_stay": False,
    }


@pytest.mark.rule("K61", "K62")
def test_every_power_fits_one_number_and_comes_out_of_it_again() -> None:
    for power in VOCABULARY:
        for parameters in every_choice(power):
            each = card_power(power.name, **parameters)
            number = each.packed()
            again = CardPower(POWER_OF_CODE[code_of(number)], first_parameter(number), second_parameter(number))
            assert again == each
            assert again.parameters() == parameters


def every_choice(power: Power) -> list[dict[str, int | str]]:
    choices: list[dict[str, int | str]] = [{}]
    for each in power.parameters:
        values: list[int | str] = list(each.words) or list(range(each.least, each.most + 1))
        choices = [{**one, each.name: value} for one in choices for value in values]
    return choices


# ---------------------------------------------------------------- The vocabulary and the questions asked of it agree


@pytest.mark.rule("K32")
def test_what_may_be_declined_is_what_the_vocabulary_says() -> None:
    assert {power.name for power in VOCABULARY if may_decline(power.code)} == MAY_DECLINE


def named_in(function: object) -> set[str]:
    """The powers whose wire code a function asks for."""
    tree = ast.parse(inspect.getsource(function))  # type: ignore[arg-type]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return {power.name for power in VOCABULARY if power.name.upper() in used}


ON_THE_CARD = {"ask_for", "value_zero"}
"""These say what the card is on the pile; on the table they never wake."""
NEVER_ASK = {"reverse", "rotate_seats", "rotate_hands", "clear_pile", "bottoms_up"}
NEVER_ACT_BY_THEMSELVES = {"give_pile", "exchange_hands", "change_seats", "give_cards", "play_table_card"} | {
    "peek_face_down",
    "swap_face_up",
}
SOMETIMES_ASK = {"lose_turns", "draw_cards"}


@pytest.mark.rule("K62")
def test_every_power_is_in_each_question_that_is_asked_of_it() -> None:
    assert set(WIRE_CODES) == NEVER_ASK | NEVER_ACT_BY_THEMSELVES | SOMETIMES_ASK | ON_THE_CARD
    assert named_in(p.asks) == NEVER_ACT_BY_THEMSELVES | SOMETIMES_ASK
    assert named_in(p.act) == NEVER_ASK | SOMETIMES_ASK
    assert named_in(p.answer) == (NEVER_ACT_BY_THEMSELVES | SOMETIMES_ASK) - {"play_table_card"}  # the last branch
    assert named_in(p.list_answers) == {"play_table_card", "give_cards", "peek_face_down", "swap_face_up"}
    assert named_in(p.may_decline) == MAY_DECLINE


@pytest.mark.rule("K62")
@pytest.mark.parametrize("power", VOCABULARY, ids=lambda power: power.name)
def test_every_power_has_its_clause_its_words_and_its_name(power: Power) -> None:
    assert power.clause.startswith("K")
    assert {f"karma.power.{power.name}", f"power.{power.name}"} <= set(catalogue())


# ---------------------------------------------------------------- K63


@pytest.mark.rule("K63")
@pytest.mark.parametrize("power", VOCABULARY, ids=lambda power: power.name)
def test_every_power_makes_a_card_and_no_limit_of_its_can_be_passed(power: Power) -> None:
    good = {"power": power.name, **values_of(power)}
    made = design_from_json(design(good))
    assert [each.power for each in made.powers] == [power]
    for each in power.parameters:
        strange: list[Json] = [None, "", [], 1.5, True, "sideways"]
        strange += ["1"] if each.words else [each.least - 1, each.most + 1, 10**30]
        for value in strange:
            refused = refusal(design({**good, each.name: value}))
            assert f"design.powers[0].{each.name}" in refused.text.parameters["field"]
        without = {name: value for name, value in good.items() if name != each.name}
        assert refusal(design(without)).text.parameters["given"] == each.name
    assert refusal(design({**good, "strength": 3})).text.key == "setup.unknown_field"


@pytest.mark.rule("K63")
@pytest.mark.parametrize("power", ["explode", "", "REVERSE", None, 7, ["reverse"]])
def test_an_unknown_power_is_refused_and_the_known_ones_are_told(power: Json) -> None:
    refused = refusal(design({"power": power}))
    assert refused.text.key == "setup.not_one_of"
    assert "swap_face_up" in str(refused)


@pytest.mark.rule("K63")
@pytest.mark.parametrize(("low", "high", "fine"), [(1, 16, True), (7, 7, True), (8, 7, False), (16, 1, False)])
def test_an_impossible_range_is_refused(low: int, high: int, fine: bool) -> None:  # noqa: FBT001 (a parameter)
    asking = design({"power": "ask_for", "low": low, "high": high})
    if fine:
        assert design_from_json(asking).powers[0].parameters() == {"low": low, "high": high}
    else:
        assert refusal(asking).text.key == "karma.design.impossible_range"


@pytest.mark.rule("K63")
def test_only_one_power_moves_or_empties_the_pile_or_asks_for_a_value() -> None:
    for one in sorted(ABOUT_THE_PILE):
        for two in sorted(ABOUT_THE_PILE):
            rows = [{"power": each, **values_of(POWER_NAMED[each])} for each in (one, two)]
            refused = refusal(design(rows[0], "reverse", rows[1]))
            assert refused.text.key == "karma.design.two_about_the_pile"
            assert refused.text.parameters["powers"] == [one, two]


@pytest.mark.rule("K63")
def test_play_a_table_card_stands_on_a_card_once_and_other_powers_may_stand_twice() -> None:
    assert refusal(design("play_table_card", "reverse", "play_table_card")).text.key == "karma.design.two_table_cards"
    assert len(design_from_json(design("reverse", "reverse", "exchange_hands")).powers) == 3


@pytest.mark.rule("K63", "K61")
@pytest.mark.parametrize("count", [0, 4])
def test_a_card_has_one_to_three_powers(count: int) -> None:
    refused = refusal(design(*["reverse"] * count))
    assert (refused.text.key, refused.text.parameters["count"]) == ("karma.design.number_of_powers", count)


@pytest.mark.rule("K63")
@pytest.mark.parametrize("power", [{"power": "ask_for", "low": 1, "high": 2}, "value_zero"])
def test_a_card_that_leaves_asks_for_nothing_and_is_worth_nothing(power: Json) -> None:
    assert refusal(design(power, leaves=True)).text.key == "karma.design.leaves_but_asks"
    assert design_from_json(design(power, leaves=False)).leaves is False


@pytest.mark.rule("K63")
@pytest.mark.parametrize("name", ["x" * 25, "é" * 13, "🌀" * 7])
def test_a_name_that_is_too_long_is_refused_by_its_bytes(name: str) -> None:
    refused = refusal(design("reverse", name=name))
    assert refused.text.key == "karma.design.name_too_long"
    assert refused.text.parameters == {"most": 24, "count": len(name.encode())}


@pytest.mark.rule("K63")
@pytest.mark.parametrize("name", ["x" * 24, "é" * 12, "🌀" * 6, "  much   space  ", "e\u0301"])
def test_a_name_is_tidied_and_may_have_24_bytes(name: str) -> None:
    made = design_from_json(design("reverse", name=name)).name
    assert 1 <= len(made.encode()) <= LONGEST_NAME
    assert made == made.strip()
    assert "  " not in made
    assert design_from_json(design("reverse", name=made)).name == made


@pytest.mark.rule("K63")
@pytest.mark.parametrize("name", ["a\x00b", "a\tb", "a\u200bb", "a\u202eb", "a\u2028b", "\ue000", "a\x7fb", "\ud800"])
def test_a_name_with_characters_that_cannot_be_seen_is_refused(name: str) -> None:
    assert refusal(design("reverse", name=name)).text.key == "karma.design.name_with_control_characters"


@pytest.mark.rule("K63")
@pytest.mark.parametrize("name", ["", "   "])
def test_a_card_needs_a_name(name: str) -> None:
    assert refusal(design("reverse", name=name)).text.key == "karma.design.no_name"


@pytest.mark.rule("K63")
@pytest.mark.parametrize(
    ("given", "key"),
    [
        (None, "setup.not_an_object"),
        ([], "setup.not_an_object"),
        ({}, "setup.missing_field"),
        ({"powers": []}, "setup.missing_field"),
        ({"name": 7, "powers": []}, "setup.not_a_text"),
        ({"name": "x", "powers": {}}, "setup.not_a_list"),
        ({"name": "x", "powers": ["reverse"]}, "setup.not_an_object"),
        ({"name": "x", "powers": [{}]}, "setup.missing_field"),
        ({"name": "x", "powers": [], "colour": "red"}, "setup.unknown_field"),
        ({"name": "x", "powers": [], "leaves": 1}, "setup.not_true_or_false"),
        ({"name": "x", "powers": [], "picture": "💩"}, "setup.not_one_of"),
    ],
)
def test_what_is_no_design_at_all_is_refused(given: Json, key: str) -> None:
    assert refusal(given).text.key == key


@pytest.mark.rule("K63")
def test_a_design_says_whether_it_stays_or_leaves_and_stays_unless_it_says_so() -> None:
    assert design_from_json(design("reverse")).leaves is False
    assert design_from_json(design("reverse", leaves=True)).leaves is True
    assert design_from_json(design("reverse")).picture == PICTURES[0]


# ---------------------------------------------------------------- K64

WORDS = {
    "reverse": ["Play changes direction."],
    "rotate_seats": [
        "Everyone leaves all their cards and moves one seat to the left.",
        "Everyone leaves all their cards and moves one seat to the right.",
        "Everyone leaves all their cards and moves 2 seats to the left.",
    ],
    "rotate_hands": [
        "Everyone passes their hand to the left.",
        "Everyone passes their hand to the right.",
    ],
    "exchange_hands": ["Swap hands with any other player, even if one of you has no cards."],
    "change_seats": [
        "Swap seats with any other player, even one who has no cards left. All cards stay where they are."
    ],
    "give_pile": ["Give the whole pile to any other player, even one who has no cards left."],
    "clear_pile": ["Remove the whole pile from the game and play again."],
    "bottoms_up": ["The bottom card of the pile moves to the top, and the next player plays on it."],
    "ask_for": [
        "The next player must play a number from 1 to 1, or a karma card.",
        "The next player must play a number from 1 to 2, or a karma card.",
    ],
    "value_zero": ["It counts as zero, so any card can be played on it."],
    "lose_turns": [
        "You may choose another player who holds cards. They lose their next turn.",
        "The next player loses a turn.",
        "Everyone else who holds cards loses a turn.",
        "You may choose another player who holds cards. They lose their next 2 turns.",
        "The next player loses 2 turns.",
        "Everyone else who holds cards loses 2 turns.",
    ],
    "give_cards": [
        "You may give one of the cards you would play from next to any other player, even one who has no cards left.",
        (
            "You may give away up to 2 of the cards you would play from next, each to any other player, even one "
            "who has no cards left."
        ),
    ],
    "draw_cards": [
        "Draw a card.",
        "Choose another player to draw a card.",
        "Everyone else draws a card.",
        "Draw 2 cards.",
        "Choose another player to draw 2 cards.",
        "Everyone else draws 2 cards.",
    ],
    "play_table_card": [
        "You may play a table card now, or a hand card if you have no table cards. It doesn't have to fit."
    ],
    "peek_face_down": ["You may peek at one of your own face-down cards."],
    "swap_face_up": ["You may swap one of your face-up cards for a different card from your hand."],
}


@pytest.mark.rule("K64")
@pytest.mark.parametrize("power", VOCABULARY, ids=lambda power: power.name)
def test_the_rules_text_is_generated_from_the_powers(power: Power) -> None:
    said = []
    for parameters in every_choice(power):
        whole = design({"power": power.name, **parameters})
        if passes(whole):
            said.append(say(words(design_from_json(whole))[0]))
    expected = WORDS[power.name]
    assert said[: len(expected)] == expected
    assert len(set(said)) == len(said), "every choice has a sentence of its own"


@pytest.mark.rule("K64")
def test_the_rules_text_says_where_the_card_goes() -> None:
    texts = {
        "leaves": design_from_json(design("reverse", "give_pile", leaves=True)),
        "stays": design_from_json(design("reverse")),
        "zero": design_from_json(design("value_zero")),
        "asks": design_from_json(design("reverse", {"power": "ask_for", "low": 2, "high": 9})),
    }
    assert {name: [say(text) for text in words(made)] for name, made in texts.items()} == {
        "leaves": [
            "Play changes direction.",
            "Give the whole pile to any other player, even one who has no cards left.",
            "The card leaves the game.",
        ],
        "stays": ["Play changes direction.", "The card stays on the pile and counts as zero."],
        "zero": ["It counts as zero, so any card can be played on it."],
        "asks": [
            "Play changes direction.",
            "The next player must play a number from 2 to 9, or a karma card.",
        ],
    }


# ---------------------------------------------------------------- K65

FOR_EVER: dict[str, Json] = {
    "K1H6gAAQEAAFNwaW4": {"name": "Spin", "picture": "🌀", "leaves": False, "powers": [{"power": "reverse"}]},
    "K127IvgwILAQsDAw0GAcOcbsOvcXVlIOa8og": {
        "name": "Ünïque 漢",
        "picture": "🥁",
        "leaves": True,
        "powers": [
            {"power": "rotate_seats", "n": 11, "way": "right"},
            {"power": "lose_turns", "n": 3, "whom": "everyone_else"},
            {"power": "draw_cards", "n": 6, "whom": "one"},
        ],
    },
    "K1kFADAwkHBwwCABAAAFNldmVu": {
        "name": "Seven",
        "picture": "🎯",
        "leaves": False,
        "powers": [
            {"power": "ask_for", "low": 7, "high": 7},
            {"power": "give_cards", "n": 2},
            {"power": "swap_face_up"},
        ],
    },
    "K15iQqgwMAAA8AAA4AAEFsbCB0aGUgcmVzdA": {
        "name": "All the rest",
        "picture": "⚖️",
        "leaves": True,
        "powers": [{"power": "rotate_hands", "way": "left"}, {"power": "peek_face_down"}, {"power": "play_table_card"}],
    },
    "K1ZOUIgwYAAAQAAAUAAFBpbGU": {
        "name": "Pile",
        "picture": "🔥",
        "leaves": True,
        "powers": [{"power": "give_pile"}, {"power": "exchange_hands"}, {"power": "change_seats"}],
    },
    "K1bgsuAQgAAFVw": {"name": "Up", "picture": "🪁", "leaves": False, "powers": [{"power": "bottoms_up"}]},
    "K1-ZcEAQoAAFplcm8": {"name": "Zero", "picture": "🎲", "leaves": False, "powers": [{"power": "value_zero"}]},
    "K12qwhgQcAAENsZWFy": {"name": "Clear", "picture": "🧹", "leaves": True, "powers": [{"power": "clear_pile"}]},
}


def designs() -> st.SearchStrategy[Json]:
    """Designs that pass the check."""
    rows = [
        st.fixed_dictionaries(
            {
                "power": st.just(power.name),
                **{
                    each.name: st.sampled_from(each.words) if each.words else st.integers(each.least, each.most)
                    for each in power.parameters
                },
            }
        )
        for power in VOCABULARY
    ]
    whole = st.fixed_dictionaries(
        {
            "name": st.text(string.ascii_letters + "éß漢🌀 ", min_size=1, max_size=6).filter(str.strip),
            "picture": st.sampled_from(PICTURES),
            "leaves": st.booleans(),
            "powers": st.lists(st.one_of(rows), min_size=1, max_size=3),
        }
    )
    return whole.filter(passes)


def passes(given: Json) -> bool:
    try:
        design_from_json(given)
    except BadSetup:
        return False
    return True


@pytest.mark.rule("K65")
@given(designs())
def test_a_design_is_shared_as_a_code_of_at_most_80_characters_that_gives_the_same_card(given: Json) -> None:
    made = design_from_json(given)
    code = code_from_design(made)
    assert len(code) <= LONGEST_CODE
    assert code.startswith("K1")
    assert set(code) <= set(string.ascii_letters + string.digits + "-_")
    assert design_from_code(code) == made == design_from_json(made.as_json())
    assert code_from_design(design_from_code(code)) == code


@pytest.mark.rule("K65")
def test_the_longest_code_fits() -> None:
    rows = [{"power": "draw_cards", "n": 6, "whom": "everyone_else"}] * 3
    made = design_from_json(design(*rows, name="x" * LONGEST_NAME, picture=PICTURES[-1]))
    assert len(code_from_design(made)) == 52


@pytest.mark.rule("K65")
def test_a_code_with_one_wrong_character_is_refused() -> None:
    for code in list(FOR_EVER)[:3]:
        for at in range(len(code)):
            for wrong in string.ascii_letters + string.digits + "-_= é":
                if wrong != code[at]:
                    with pytest.raises(BadSetup) as refused:
                        design_from_code(code[:at] + wrong + code[at + 1 :])
                    assert (refused.value.text.key, refused.value.clause) == ("karma.design.not_a_code", "K63")


@pytest.mark.rule("K65")
@given(designs(), st.integers(0, 79), st.characters())
def test_a_damaged_code_is_refused_or_is_itself_the_code_of_a_card(given: Json, at: int, wrong: str) -> None:
    code = code_from_design(design_from_json(given))
    at %= len(code)
    damaged = code[:at] + wrong + code[at + 1 :]
    with suppress(BadSetup):
        assert code_from_design(design_from_code(damaged)) == damaged


@pytest.mark.rule("K65")
@given(st.one_of(st.text(max_size=100), st.text(string.ascii_letters + string.digits + "-_=", max_size=90)))
def test_what_is_no_code_is_refused_and_nothing_breaks(text: str) -> None:
    for code in (text, f"K1{text}"):
        with pytest.raises(BadSetup) as refused:
            design_from_code(code)
        assert refused.value.text.key == "karma.design.not_a_code"


@pytest.mark.rule("K65")
@pytest.mark.parametrize("ending", ["=", "A", " ", "\n", "AAAA"])
def test_a_code_has_nothing_before_or_after_it(ending: str) -> None:
    code = code_from_design(design_from_json(design("reverse")))
    for wrong in (code + ending, ending + code):
        with pytest.raises(BadSetup):
            design_from_code(wrong)


def forged(body: bytes) -> str:
    """A code with a right check over a wrong body."""
    from base64 import urlsafe_b64encode
    from zlib import crc32

    return "K1" + urlsafe_b64encode(crc32(body).to_bytes(4)[:2] + body).decode().rstrip("=")


@pytest.mark.rule("K65")
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00",
        b"\x00\x01",
        b"\x00\x01\x01\x00",
        bytes([99, 1, 1, 0, 0]) + b"x",  # no such picture
        bytes([0, 1, 99, 0, 0]) + b"x",  # no such power
        bytes([0, 0]) + b"x",  # no power
        bytes([0, 4, *[1, 0, 0] * 4]) + b"x",  # too many
        bytes([0, 1, 1, 7, 0]) + b"x",  # a parameter where there is none
        bytes([0, 1, 11, 9, 1]) + b"x",  # too many turns to lose
        bytes([0, 1, 11, 1, 9]) + b"x",  # nobody of that sort
        bytes([0, 1, 1, 0, 0]) + b"\xff",  # no name in UTF-8
        bytes([0, 1, 1, 0, 0]) + b" x ",  # a name that is not tidy
        bytes([0, 1, 1, 0, 0]),  # no name
        bytes([0, 129, 10, 0, 0]) + b"x",  # leaves, but counts as zero
    ],
)
def test_a_forged_code_is_refused_though_its_check_is_right(body: bytes) -> None:
    with pytest.raises(BadSetup) as refused:
        design_from_code(forged(body))
    assert refused.value.text.key == "karma.design.not_a_code"


@pytest.mark.rule("K65")
def test_a_right_body_is_no_forgery() -> None:
    made = design_from_code(forged(bytes([0, 1, 1, 0, 0]) + b"x"))
    assert made == Design("x", PICTURES[0], leaves=False, powers=(card_power("reverse"),))


@pytest.mark.rule("K65")
def test_pictures_are_only_ever_appended() -> None:
    assert len(set(PICTURES)) == len(PICTURES) >= 48
    digest = hashlib.sha256("|".join(PICTURES[:48]).encode()).hexdigest()
    assert digest[:16] == "c9bfa76762e20f06"


@pytest.mark.rule("K65")
def test_codes_of_today_are_codes_for_ever() -> None:
    """Made once and pinned: each must give the same card in every later version."""
    for code, pinned in FOR_EVER.items():
        made = design_from_code(code)
        assert made.as_json() == pinned
        assert code_from_design(made) == code


@pytest.mark.rule("K62", "K65")
@pytest.mark.parametrize("card", PRINTED, ids=lambda card: card.code)
def test_every_printed_card_could_be_shared_as_a_code(card: object) -> None:
    from threefold.karma.cards import KarmaCard, OnPile

    assert isinstance(card, KarmaCard)
    made = Design(card.code, PICTURES[1], card.on_pile is OnPile.LEAVES, card.powers)
    again = design_from_code(code_from_design(made))
    assert again.as_card(card.code).on_pile is card.on_pile
    assert again.as_card(card.code).powers == card.powers


@pytest.mark.rule("K64", "K65")
def test_a_kit_shows_a_design_with_its_code_its_mark_and_its_words() -> None:
    given = {"name": "Whirl", "picture": PICTURES[0], "leaves": True, "powers": [{"power": "reverse"}]}
    shown = DESIGNS.from_json(given)
    assert (shown["design"], shown["mark"]) == (given, "↗")
    assert shown["words"] == [say(text) for text in words(design_from_json(given))]
    assert DESIGNS.from_code(shown["code"]) == shown
    assert DESIGNS.powers() == vocabulary_as_json()
