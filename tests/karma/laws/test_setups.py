"""The tables that the laws are tried on leave nothing out."""

from tests.karma.laws.setups import ALL_RULES, DESIGNS, PUBLISHED_RULES, seatings
from threefold.karma.editions import EDITIONS
from threefold.karma.powers import VOCABULARY


def test_the_designs_together_use_every_power_with_every_word_of_its_parameters() -> None:
    used = {(each["power"], name, value) for row in DESIGNS for each in row["powers"] for name, value in each.items()}
    for each in VOCABULARY:
        assert (each.name, "power", each.name) in used
        for parameter in each.parameters:
            for word in parameter.words:
                assert (each.name, parameter.name, word) in used


def test_every_published_edition_is_among_the_rules() -> None:
    assert {rules.name for rules in PUBLISHED_RULES} == set(EDITIONS)


def test_tables_of_twelve_are_among_them_and_mini_round_seats_eight() -> None:
    assert {rules.name: seatings(rules)[-1] for rules in ALL_RULES} == {
        **{rules.name: 12 for rules in ALL_RULES},
        "mini_round": 8,
        "designs_that_move": 11,  # nine cards a player
        "designs_that_give": 11,
    }
