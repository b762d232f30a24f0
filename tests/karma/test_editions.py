"""The editions are what the table on the rules page says, and a table filled in by people is checked field by field."""

import re
from collections.abc import Mapping

import pytest

from tests.karma.rules.steps import code
from tests.rule_coverage import RULES
from threefold import karma
from threefold.game import BadSetup, Json
from threefold.karma.cards import PRINTED_CODES
from threefold.karma.design import CLAUSES
from threefold.karma.editions import (
    EDITIONS,
    HOUSE_FIELDS,
    Options,
    build,
    cards_of,
    edition_row,
    editions_as_json,
    options_from,
)
from threefold.karma.fast import FAST_KARMA
from threefold.karma.page import options_in_force
from threefold.karma.table import HIGHEST, KINDS, Edition
from threefold.serialising import PlainSerialiser
from threefold.texts import say

NAMES = {
    "Give the Pile to a Friend": "GIV",
    "Play a Table Card": "TAB",
    "Bottoms Up": "BOT",
    "Five or Below": "LOW",
    "Create Your Karma": "OWN",
    "Exchange Hands": "EXC",
    "Change Your Seat": "SEA",
    "Clear the Pile": "CLR",
    "Lose a Turn": "LOS",
    "7 to 11": "711",
    "Pass to the Right": "PAS",
    "Give a Card": "ONE",
}
COLUMNS = ("classic", "classic_alternative_triples", "second_edition", "mini_round")


def page() -> dict[str, list[str]]:
    """Row -> its columns, of the table of editions on the rules page."""
    text = (RULES / "karma.md").read_text("utf-8").partition("## Editions")[2].partition("A **house edition**")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return {row[0]: row[1:] for row in rows if not row[0].startswith("---")}


def edition(given: Json = "classic", **options: Json) -> Edition:
    return build(edition_row(given), options_from(options))


def copies(made: Edition) -> dict[str, int]:
    return {card.code: made.copies[kind] for kind, card in enumerate(made.cards)}


def refusal(given: Json = "classic", players: Json = 2, **options: Json) -> BadSetup:
    with pytest.raises(BadSetup) as refused:
        karma.new({"edition": given, "players": players, "seed": "v1:a", "options": options})
    return refused.value


# ---------------------------------------------------------------- The page and the data


def test_the_clauses_of_create_your_karma_are_its_section_of_the_page() -> None:
    section = (RULES / "karma.md").read_text("utf-8").partition("## Create Your Karma")[2].partition("\n## ")[0]
    assert tuple(re.findall(r"^- \*\*(K\d+)\*\*", section, re.MULTILINE)) == CLAUSES


def test_the_pages_table_is_of_these_four_editions() -> None:
    assert page()[""] == ["Classic", "Classic, alternative triples", "Second Edition", "Mini Round"]
    assert tuple(EDITIONS) == COLUMNS


@pytest.mark.rule("K1")
@pytest.mark.parametrize("name", COLUMNS)
def test_the_number_cards_are_as_the_page_says(name: str) -> None:
    row = page()["number cards"]
    said = [row[0] if cell == "same" else cell for cell in row][COLUMNS.index(name)]
    found = re.fullmatch(r"1–16, (\d) of each", said)
    assert found
    numbers = {code: n for code, n in copies(edition(name)).items() if code not in PRINTED_CODES}
    assert numbers == {str(number): int(found[1]) for number in range(1, 17)}


@pytest.mark.rule("K1")
def test_the_karma_cards_are_as_the_page_says() -> None:
    classic, alternative, second, mini = page()["karma cards"]
    assert [code for name, code in NAMES.items() if name in classic] == ["GIV", "TAB", "BOT", "LOW"]
    assert "3 of each" in classic
    assert alternative == "the same without Give the Pile"
    assert [code for name, code in NAMES.items() if name in second] == list(PRINTED_CODES[4:])
    assert "3 of each, adjustable per kind when a table is made" in second
    assert mini == "as Classic, 2 of each"
    assert {name: dict(row.karma) for name, row in EDITIONS.items()} == {
        "classic": dict.fromkeys(("GIV", "TAB", "BOT", "LOW"), 3),
        "classic_alternative_triples": dict.fromkeys(("TAB", "BOT", "LOW"), 3),
        "second_edition": dict.fromkeys(PRINTED_CODES[4:], 3),
        "mini_round": dict.fromkeys(("GIV", "TAB", "BOT", "LOW"), 2),
    }


@pytest.mark.rule("K1", "K16", "K21")
@pytest.mark.parametrize("name", COLUMNS)
def test_cards_clearing_count_and_players_are_as_the_page_says(name: str) -> None:
    column = COLUMNS.index(name)
    assert len(cards_of(edition(name))) == int(page()["cards in one deck"][column])
    clears = page()["identical cards in a row that clear"][column]
    assert edition(name).clears_at == int(clears[0])
    assert bool(edition(name).after_clear) == ("given away" in clears)
    said = re.match(r"2–(\d+) / 2–(\d+)", page()["players, one deck / two decks combined"][column])
    assert said
    assert [edition(name, decks=decks).most_players for decks in (1, 2)] == [int(said[1]), int(said[2])]


@pytest.mark.rule("K6")
def test_only_in_the_second_edition_table_cards_wait_for_the_draw_pile() -> None:
    assert [name for name in COLUMNS if edition(name).table_cards_wait] == ["second_edition"]


def test_the_editions_are_listed_as_a_house_edition_would_be_written() -> None:
    rows = {row["edition"]: row for row in editions_as_json()}
    assert list(rows) == list(COLUMNS)
    assert rows["mini_round"] == {
        "edition": "mini_round",
        "numbers": {"from": 1, "to": 16, "copies": 2},
        "karma": {"GIV": 2, "TAB": 2, "BOT": 2, "LOW": 2},
        "clear": 2,
        "clear_does": "remove",
        "table_cards_need_empty_draw_pile": False,
        "cards": 40,
        "players": [4, 8],
    }
    for name in COLUMNS:
        house = edition({field: value for field, value in rows[name].items() if field in HOUSE_FIELDS})
        published = edition(name)
        assert copies(house) == copies(published)
        assert (house.clears_at, house.after_clear) == (published.clears_at, published.after_clear)
        assert house.table_cards_wait == published.table_cards_wait


# ---------------------------------------------------------------- House editions


@pytest.mark.rule("K1")
def test_a_house_edition_left_empty_is_numbers_that_clear_at_three() -> None:
    made = edition({})
    assert copies(made) == {str(number): 3 for number in range(1, 17)}
    assert (made.clears_at, made.after_clear, made.table_cards_wait, made.most_players) == (3, 0, 0, 5)


@pytest.mark.rule("K1", "K16", "K21")
def test_every_field_of_a_house_edition_counts() -> None:
    made = edition(
        {
            "numbers": {"from": 3, "to": 5, "copies": 6},
            "karma": {"ONE": 2, "GIV": 1, "BOT": 0},
            "designs": [{"code": code("reverse"), "card": "D1", "copies": 4}, {"code": code("clear_pile")}],
            "clear": 4,
            "clear_does": "give",
            "table_cards_need_empty_draw_pile": True,
        }
    )
    assert copies(made) == {"3": 6, "4": 6, "5": 6, "GIV": 1, "ONE": 2, "D1": 4, "D2": 3}
    assert made.clears_at == 4
    assert made.after_clear
    assert made.table_cards_wait


@pytest.mark.rule("K1")
@pytest.mark.parametrize(
    ("numbers", "decks", "most"), [(3, 1, 2), (4, 1, 2), (5, 1, 3), (9, 1, 6), (16, 1, 6), (16, 2, 12), (5, 2, 6)]
)
def test_players_are_limited_by_six_a_deck_and_nine_cards_each(numbers: int, decks: int, most: int) -> None:
    made = edition({"numbers": {"to": numbers, "copies": 6}}, decks=decks)
    assert made.most_players == most


DESIGNS = KINDS - HIGHEST - len(PRINTED_CODES)


@pytest.mark.rule("K1", "K63")
def test_the_largest_house_edition_can_be_played_with_two_decks() -> None:
    whole = {
        "numbers": {"copies": 6},
        "karma": dict.fromkeys(PRINTED_CODES, 6),
        "designs": [{"code": code("value_zero", name=f"Card {i}"), "copies": 6} for i in range(DESIGNS)],
    }
    table = karma.new({"edition": whole, "players": 12, "seed": "v1:a", "options": {"decks": 2}})
    assert table.deal.edition.kinds == KINDS
    assert table.draw_size == table.deal.edition.kinds * 12 - 12 * 9


@pytest.mark.rule("K63")
@pytest.mark.parametrize(("numbers", "printed"), [(16, 12), (16, 0), (1, 12), (1, 0)])
def test_a_house_edition_holds_as_many_designs_as_there_is_room_for_and_says_so_at_the_limit(
    numbers: int, printed: int
) -> None:
    room = KINDS - numbers - printed
    house = {"numbers": {"to": numbers, "copies": 1}, "karma": dict.fromkeys(PRINTED_CODES[:printed], 1)}
    designs = [{"code": code("reverse", name=f"Card {i}"), "copies": 1} for i in range(room + 1)]
    full = {"edition": {**house, "designs": designs[:room]}, "players": 2, "seed": "v1:a"}
    table = karma.new(full)
    assert table.deal.edition.kinds == KINDS
    assert FAST_KARMA.json_views(FAST_KARMA.new(full), [0]) == PlainSerialiser(karma.KARMA).json_views(table, [0])
    with pytest.raises(BadSetup, match=f"has {KINDS + 1} kinds of cards.*at most {KINDS}") as refused:
        karma.new({**full, "edition": {**house, "designs": designs}})
    assert refused.value.clause == "K63"


@pytest.mark.parametrize(
    ("given", "field", "clause"),
    [
        ({"colour": "red"}, "edition", None),
        ({"numbers": 16}, "edition.numbers", None),
        ({"numbers": {"least": 1}}, "edition.numbers", None),
        ({"numbers": {"from": 0}}, "edition.numbers.from", None),
        ({"numbers": {"from": 17}}, "edition.numbers.from", None),
        ({"numbers": {"from": 9, "to": 8}}, "edition.numbers.to", None),
        ({"numbers": {"to": 17}}, "edition.numbers.to", None),
        ({"numbers": {"copies": 7}}, "edition.numbers.copies", "K63"),
        ({"numbers": {"copies": -1}}, "edition.numbers.copies", "K63"),
        ({"numbers": {"copies": "3"}}, "edition.numbers.copies", "K63"),
        ({"karma": ["GIV"]}, "edition.karma", None),
        ({"karma": {"D1": 3}}, "edition.karma", None),
        ({"karma": {"GIV": 7}}, "edition.karma.GIV", "K63"),
        ({"clear": 1}, "edition.clear", None),
        ({"clear": 100}, "edition.clear", None),
        ({"clear": 2.0}, "edition.clear", None),
        ({"clear_does": "burn"}, "edition.clear_does", None),
        ({"table_cards_need_empty_draw_pile": "yes"}, "edition.table_cards_need_empty_draw_pile", None),
        ({"designs": {}}, "edition.designs", None),
        ({"designs": ["K1"]}, "edition.designs[0]", None),
        ({"designs": [{}]}, "edition.designs[0]", None),
        ({"designs": [{"code": 7}]}, "edition.designs[0].code", None),
        ({"designs": [{"code": code("reverse"), "card": "D2"}]}, "edition.designs[0].card", None),
        ({"designs": [{"code": code("reverse"), "copies": 7}]}, "edition.designs[0].copies", "K63"),
        (7, "edition", None),
        (None, "edition", None),
    ],
)
@pytest.mark.rule("K63")
def test_a_wrong_field_of_a_house_edition_is_named(given: Json, field: str, clause: str | None) -> None:
    refused = refusal(given)
    assert (refused.text.parameters["field"], refused.clause) == (field, clause)


# ---------------------------------------------------------------- Options


@pytest.mark.rule("K1")
def test_copies_are_adjustable_per_kind_and_a_kind_without_copies_is_not_there() -> None:
    made = edition("second_edition", copies={"OWN": 1, "EXC": 0, "16": 6})
    expected = {**copies(edition("second_edition")), "OWN": 1, "16": 6}
    del expected["EXC"]
    assert copies(made) == expected
    assert sum(copies(edition("second_edition", copies={"OWN": 1}, decks=2)).values()) == 2 * 70


@pytest.mark.rule("K12", "K24")
def test_options_have_their_defaults() -> None:
    assert options_from({}) == Options(1, draw_by_hand=False, turn_limit=0, copies={}, create_your_karma=None)
    made = options_from({"decks": 2, "draw": "by hand", "turn_limit": 9, "create_your_karma": "move left"})
    assert made == Options(2, draw_by_hand=True, turn_limit=9, copies={}, create_your_karma="move left")
    assert options_from({"draw": "automatic", "turn_limit": None}) == Options()


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"decks": 3}, "options.decks"),
        ({"decks": 0}, "options.decks"),
        ({"decks": True}, "options.decks"),
        ({"draw": "slowly"}, "options.draw"),
        ({"turn_limit": -1}, "options.turn_limit"),
        ({"turn_limit": 1_000_001}, "options.turn_limit"),
        ({"copies": 3}, "options.copies"),
        ({"copies": {"EXC": 1}}, "options.copies"),
        ({"copies": {"GIV": 7}}, "options.copies.GIV"),
        ({"create_your_karma": None}, "options.create_your_karma"),
        ({"speed": "fast"}, "options"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Json], field: str) -> None:
    assert refusal("classic", **options).text.parameters["field"] == field


@pytest.mark.rule("K44", "K60")
@pytest.mark.parametrize("name", ["second_edition", "classic"])
def test_what_create_your_karma_does_is_checked_in_every_edition(name: str) -> None:
    assert refusal(name, create_your_karma="dance").text.key == "karma.design.not_a_code"
    staying = refusal(name, create_your_karma=code("reverse"))
    assert (staying.text.key, staying.clause) == ("karma.setup.own_card_must_leave", "K44")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"players": 2, "chairs": 2}, "setup"),
        ({}, "setup"),
        ({"players": "2"}, "players"),
        ({"players": 2, "dealer": 2}, "dealer"),
        ({"players": 2, "dealer": -1}, "dealer"),
        ({"players": 2, "seed": None}, "seed"),
        ({"players": 2, "deck": {}}, "deck"),
        ({"position": 7}, "position"),
        ({"position": "classic; 0 hand 1; 1 hand 2; turn 0", "players": 2}, "setup"),
    ],
)
def test_a_wrong_field_of_a_set_up_is_named(given: dict[str, Json], field: str) -> None:
    with pytest.raises(BadSetup) as refused:
        karma.new(given)
    assert refused.value.text.parameters["field"] == field


def test_a_deck_in_dealing_order_must_hold_the_editions_cards() -> None:
    deck = [str(number) for number in range(1, 17)] * 3 + ["GIV", "TAB", "BOT", "LOW"] * 3
    assert karma.setup(karma.new({"players": 2, "deck": deck}))["deck"] == deck
    for wrong, key in (
        (deck[1:], "karma.setup.wrong_deck"),
        ([*deck, "1"], "karma.setup.wrong_deck"),
        (["EXC", *deck[1:]], "karma.setup.unknown_card"),
        ([1, *deck[1:]], "setup.card_not_a_text"),
        (["2", *deck[1:]], "karma.setup.wrong_deck"),
    ):
        with pytest.raises(BadSetup) as refused:
            karma.new({"players": 2, "deck": wrong})
        assert refused.value.text.key == key


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, []),
        ({"edition": {"clear": 4}}, ["4 of a kind clear"]),
        ({"edition": "second_edition"}, ["Own card: reverse direction"]),
        (
            {"edition": "second_edition", "options": {"create_your_karma": code("clear_pile", leaves=True)}},
            ["Own card: your design"],
        ),
        ({"options": {"decks": 2, "draw": "by hand"}}, ["2 decks", "Draw cards by hand"]),
        ({"options": {"turn_limit": 200, "copies": {"7": 4}}}, ["At most 200 turns", "Own mix of cards"]),
    ],
)
def test_the_options_of_a_table_are_told_in_a_few_words(given: Mapping[str, Json], words: list[str]) -> None:
    assert [say(each) for each in options_in_force(given)] == words
