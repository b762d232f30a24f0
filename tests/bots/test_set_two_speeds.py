"""A SET policy is one source: from the JSON View, plain, and from the record, compiled, it chooses the same."""

from typing import Any

import pytest

from tests.bots.compiled import blank_set_choice, blank_set_view, choose_set
from tests.bots.set_tables import play_set
from tests.setgame import compiled
from threefold.compiling import to_records
from threefold.games import KITS
from threefold.records import blank, copied, flat
from threefold.setgame import SET
from threefold.setgame.bot_view import SetView, look, read_view
from threefold.setgame.bots import POLICIES
from threefold.setgame.notation import format_move
from threefold.shuffle import random_from, shuffle

GAMES: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = (
    ({"variant": "full"}, ("human1", "human3", "random")),
    ({"variant": "full", "options": {"call": "with take"}}, ("human2", "random")),
    ({"variant": "full", "options": {"call": "with take", "auto_deal": True}}, ("human1", "random")),
    ({"variant": "small_deck", "options": {"layout": 9}}, ("human5", "perfect", "random")),
    ({"variant": "longer_game"}, ("human4", "human5")),
    ({"variant": "solitaire"}, ("human3",)),
    ({"variant": "solitaire"}, ("random",)),
    ({"variant": "twenty_twenty"}, ("human2", "human5", "random")),
    ({"variant": "puzzle_run", "options": {"cards": 27, "layout": 9}}, ("human4", "random")),
    ({"variant": "chain", "options": {"cards": 27}}, ("human3", "perfect", "random")),
    ({"variant": "ultraset"}, ("human4", "random")),
    ({"variant": "quads"}, ("human3", "random")),
    ({"variant": "ghost", "options": {"cards": 27, "layout": 9}}, ("human5", "random")),
    ({"variant": "mega"}, ("human5", "perfect")),
)


@pytest.mark.parametrize(("setup", "bots"), GAMES)
def test_plain_and_compiled_want_the_same_at_the_same_time(setup: dict[str, Any], bots: tuple[str, ...]) -> None:
    twins = random_from("v1:both"), compiled.random_records(random_from("v1:both"))
    view, choice = blank_set_view(), blank_set_choice()
    tables: list[Any] = []
    play_set({**setup, "players": len(bots), "seed": "v1:set"}, bots, random_from("v1:set"), tables)
    for table in tables:
        for player, name in enumerate(bots):
            plain = KITS["set"].bots[name](SET.view(table, player), twins[0])
            records = compiled.variant_records(table.deal.variant), to_records([table])
            choose_set(*records, 0, view, twins[1], choice, player, POLICIES[name])
            acts, move, after = (int(number) for number in choice[0])
            assert (plain is None) == (acts == 0)
            if plain is not None:
                assert (plain.move, plain.after_ms) == (format_move(move), after)
    assert twins[0].word == twins[1]["word"][0].tolist()


@pytest.mark.parametrize(("setup", "bots"), GAMES)
def test_the_view_record_of_a_table_is_the_record_of_the_json_view(
    setup: dict[str, Any], bots: tuple[str, ...]
) -> None:
    tables: list[Any] = []
    play_set({**setup, "players": len(bots), "seed": "v1:set"}, bots, random_from("v1:set"), tables)
    for table in tables:
        for player in range(len(bots)):
            seen, read = blank(SetView), read_view(SET.view(table, player))
            look(table.deal.variant, table, player, seen)
            seen.card[seen.cards_within_reach :] = read.card[read.cards_within_reach :]
            assert flat(seen) == flat(read)


def test_no_bot_says_that_there_is_no_set_where_the_table_deals_by_itself() -> None:
    setup = {"variant": "full", "options": {"call": "with take", "auto_deal": True}, "players": 3, "seed": "v1:set"}
    tables: list[Any] = []
    play_set(setup, ("human1", "human2", "random"), random_from("v1:set"), tables)
    assert SET.ending(tables[-1]) is None or len(tables) > 20
    assert not any(any(table.agreed) for table in tables)


def test_no_policy_notices_the_order_of_the_deck() -> None:
    tables: list[Any] = []
    play_set({"variant": "full", "players": 2, "seed": "v1:deck"}, ("human3", "perfect"), random_from("v1:a"), tables)
    for table in tables:
        twin = copied(table)
        rest = twin.deck[twin.dealt : twin.dealt + twin.deck_size]
        shuffle(rest, len(rest), random_from("v1:other"))
        twin.deck[twin.dealt : twin.dealt + twin.deck_size] = rest
        for bot in KITS["set"].bots.values():
            same = [bot(SET.view(each, 0), random_from("v1:same")) for each in (table, twin)]
            assert same[0] == same[1]


def test_a_slip_among_the_last_three_cards_names_the_set_that_they_are() -> None:
    setup = {"variant": "full", "players": 2, "seed": "v1:x", "options": {"call": "with take"}}
    seen = {**SET.view(SET.new(setup), 0), "layout": ["1RSD", "1RSO", "1RSS"]}
    random = random_from("v1:slips")
    choices = [KITS["set"].bots["human1"](seen, random) for _ in range(400)]
    assert {each.move for each in choices if each is not None} <= {"take 1RSD 1RSO 1RSS", "agree"}
    assert sum(each is not None and each.move.startswith("take") for each in choices) > 50


def test_people_overlook_sets_and_name_wrong_ones_experts_seldom() -> None:
    lost, asked = [], []
    for bot in ("human1", "human5"):
        wrong = 0
        agreed = 0
        for game in range(30):
            tables: list[Any] = []
            setup = {"variant": "solitaire", "players": 1, "seed": f"v1:{game}"}
            end, _ = play_set(setup, (bot,), random_from(f"v1:{game}"), tables)
            wrong += end.lost[0]
            agreed += end.penalty
        lost.append(wrong)
        asked.append(agreed)
    assert lost[0] > 3 * lost[1] > 0
    assert asked[0] > asked[1]


def test_the_perfect_player_never_loses_a_point() -> None:
    for game in range(5):
        end, _ = play_set(
            {"variant": "full", "players": 2, "seed": f"v1:{game}"}, ("perfect", "perfect"), random_from("v1:p")
        )
        assert end.lost[:2] == [0, 0]
