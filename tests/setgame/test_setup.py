"""Setting a table up: what is drawn, what is refused, and that a set-up can be used again."""

from typing import Any

import pytest

from tests.setgame.tables import SETUPS, layout
from threefold import setgame
from threefold.game import BadSetup
from threefold.setgame.cards import CARD_NAMES
from threefold.setgame.search import count_sets
from threefold.setgame.variants import VARIANTS, options_of, variants_as_json

FULL: dict[str, Any] = {"variant": "full", "players": 2}


@pytest.mark.parametrize("given", SETUPS)
def test_a_set_up_is_complete_and_gives_the_same_table_again(given: dict[str, Any]) -> None:
    first = setgame.new(given)
    complete = setgame.setup(first)
    assert set(complete) == {"variant", "players", "dealer", "seed", "options"}
    again = setgame.new(complete)
    assert setgame.state(again) == setgame.state(first)


def test_an_explicit_deck_is_dealt_in_its_order_and_kept_in_the_set_up() -> None:
    deck = list(reversed(CARD_NAMES))
    table = setgame.new({**FULL, "deck": deck, "seed": "v1:a"})
    assert layout(table) == deck[:12]
    assert setgame.state(table)["deck"] == deck[12:]
    assert setgame.setup(table)["deck"] == deck
    assert setgame.state(setgame.new(setgame.setup(table))) == setgame.state(table)


def test_a_fresh_seed_is_drawn_and_so_is_the_dealer() -> None:
    tables = [setgame.new({"variant": "full", "players": 20}) for _ in range(12)]
    assert len({setgame.setup(table)["seed"] for table in tables}) == 12
    assert len({table.dealer for table in tables}) > 1
    assert setgame.new({**FULL, "dealer": 1}).dealer == 1


def test_the_variant_is_full_if_nothing_is_said_and_options_have_their_defaults() -> None:
    complete = setgame.setup(setgame.new({"players": 2}))
    assert complete["variant"] == "full"
    assert complete["options"] == {
        "layout": 12,
        "call_ms": 6000,
        "cooldown_ms": 2000,
        "agreement_ms": 30000,
        "auto_deal": False,
        "call": "first",
    }


PINNED = ["2RTO", "2RSD", "1RSS", "3GSD", "1GOO", "1PTD", "3RSS", "3RTD", "1GSO", "2PSD", "3RSD", "3ROO"]
PINNED_DEALER = 0


def test_the_deal_of_a_seed_stays_as_it_is_for_ever() -> None:
    table = setgame.new({**FULL, "seed": "v1:for-ever"})
    assert layout(table) == PINNED
    assert table.dealer == PINNED_DEALER


@pytest.mark.rule("S18")
@pytest.mark.parametrize(
    ("variant", "players"),
    [("full", 1), ("full", 21), ("small_deck", 1), ("longer_game", 0), ("solitaire", 2), ("solitaire", 0)],
)
def test_two_to_twenty_play_together_and_one_alone(variant: str, players: int) -> None:
    with pytest.raises(BadSetup) as refused:
        setgame.new({"variant": variant, "players": players})
    assert refused.value.clause == "S18"
    assert f"players must be {'1,' if variant == 'solitaire' else 'a whole number'}" in str(refused.value).lower()


@pytest.mark.rule("S18")
def test_twenty_can_play_and_one_can_play_solitaire() -> None:
    assert setgame.new({"variant": "full", "players": 20}).players == 20
    assert setgame.new({"variant": "solitaire", "players": 1}).players == 1


@pytest.mark.rule("T1")
def test_two_to_eight_play_20_20_set() -> None:
    table = setgame.new({"variant": "twenty_twenty", "players": 8})
    assert table.deck_size == 81 - 48 - 6
    for players in (1, 9):
        with pytest.raises(BadSetup) as refused:
            setgame.new({"variant": "twenty_twenty", "players": players})
        assert refused.value.clause == "T1"


BAD: list[tuple[dict[str, Any], str]] = [
    ({"variant": "full"}, "needs the field players"),
    ({**FULL, "variant": "ultra"}, "variant must be one of"),
    ({**FULL, "variant": 3}, "variant must be one of"),
    ({**FULL, "players": "two"}, "players must be a whole number"),
    ({**FULL, "players": True}, "players must be a whole number"),
    ({**FULL, "dealer": 2}, "dealer must be a whole number from 0 to 1"),
    ({**FULL, "seed": "abc"}, "seed must be v1:"),
    ({**FULL, "seed": 7}, "seed must be text"),
    ({**FULL, "colour": "red"}, 'has no field "colour"'),
    ({**FULL, "options": []}, "options must be an object"),
    ({**FULL, "options": {"speed": 3}}, 'has no field "speed"'),
    ({**FULL, "options": {"call_ms": 0}}, "options.call_ms must be a whole number from 1"),
    ({**FULL, "options": {"cooldown_ms": -1}}, "options.cooldown_ms must be a whole number from 0"),
    ({**FULL, "options": {"agreement_ms": 1.5}}, "options.agreement_ms must be a whole number"),
    ({**FULL, "options": {"agreement_ms": "never"}}, "options.agreement_ms must be one of: off"),
    (
        {**FULL, "options": {"agreement_ms": None}},
        "options.agreement_ms must be a whole number from 0 to 86400000, not null",
    ),
    ({**FULL, "options": {"call_ms": "off"}}, "options.call_ms must be a whole number"),
    ({**FULL, "options": {"auto_deal": 1}}, "options.auto_deal must be true or false"),
    ({**FULL, "options": {"call": "never"}}, "options.call must be one of"),
    ({**FULL, "options": {"layout": 9}}, "options.layout cannot be 9 in this variant; it can be 12"),
    ({**FULL, "options": {"layout": 16}}, "options.layout must be a whole number from 6 to 15"),
    ({"variant": "small_deck", "players": 2, "options": {"layout": 10}}, "it can be 12, 9"),
    ({"variant": "solitaire", "players": 1, "options": {"call": "first"}}, "it can be with take"),
    ({"variant": "solitaire", "players": 1, "options": {"auto_deal": True}}, "it can be false"),
    ({"variant": "twenty_twenty", "players": 2, "options": {"layout": 12}}, "it can be 6"),
    ({**FULL, "deck": "2RTO"}, "deck must be a list"),
    ({**FULL, "deck": ["2RTO"]}, "every card once"),
    ({**FULL, "deck": ["2XXX"]}, "is not a card of this deck"),
    ({**FULL, "deck": [5]}, "deck must name its cards"),
    ({**FULL, "deck": [CARD_NAMES[0], *CARD_NAMES]}, " 2 times: it needs every card once"),
    ({"variant": "small_deck", "players": 2, "deck": list(CARD_NAMES)}, "is not a card of this deck of 27"),
    ({"position": "full; players 2", "players": 2}, 'has no field "players"'),
    ({"position": 7}, "position must be text"),
]


@pytest.mark.parametrize(("given", "sentence"), BAD)
def test_a_bad_set_up_says_what_to_change(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup) as refused:
        setgame.new(given)
    assert sentence.lower() in str(refused.value).lower()


def test_every_variant_is_a_row_with_its_name() -> None:
    for name, row in VARIANTS.items():
        assert row.name == name
        for option, choices in row.choices.items():
            assert options_of(row)[option] in choices


@pytest.mark.rule("S5")
def test_the_small_deck_is_the_same_game_with_27_solid_cards() -> None:
    table = setgame.new({"variant": "small_deck", "players": 2})
    state = setgame.state(table)
    assert all(name[2] == "S" for name in state["layout"] + state["deck"])
    assert count_sets(list(range(27))) == 117


def test_the_game_says_how_many_play_and_that_nobody_designed_its_cards() -> None:
    table = setgame.new(FULL)
    assert setgame.players(table) == 2
    assert setgame.card_names(table) == {}
    assert (setgame.SET.name, setgame.SET.rules_version, setgame.SET.timed) == ("set", 2, True)
    assert setgame.SET.ending(table) is None


def test_the_variants_are_listed_with_what_a_table_may_choose() -> None:
    rows = variants_as_json()
    assert [row["variant"] for row in rows] == list(VARIANTS)
    assert rows[1]["choices"]["layout"] == [12, 9]
    assert rows[4]["players"] == [2, 8]
    assert {row["variant"]: row["choices"].get("goal") for row in rows}["sprint"] == [10, 20, 30]
