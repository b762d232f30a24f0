"""A Karma policy is one source: from the JSON View, plain, and from the record, compiled, it chooses the same moves."""

from collections.abc import Iterator

import pytest

from tests.bots.compiled import blank_karma_view, choose_karma
from tests.karma import compiled
from tests.karma.laws.setups import ALL_RULES, Rules
from threefold import karma
from threefold.compiling import to_records
from threefold.games import KITS
from threefold.karma.bot_view import KarmaView, look, read_view
from threefold.karma.bots import POLICIES
from threefold.karma.exchanging import exchanged
from threefold.karma.notation import format_move
from threefold.karma.table import FACE_DOWN, Table
from threefold.records import blank, flat
from threefold.shuffle import below, random_from

MIXES = (
    ("sharp", "careful", "random"),
    ("sharp", "sharp"),
    ("careful", "random", "sharp", "careful"),
    ("beginner", "beginner"),
)


def games(rules: Rules, mix: tuple[str, ...]) -> Iterator[tuple[Table, int, str]]:
    """Every awaited player of a whole game, with the table and the policy's name; the plain bots play it."""
    players = len(mix)
    table = karma.new(rules.setup(players, "v1:bots", turn_limit=120))
    random = random_from("v1:bots", "choices")
    while decisions := karma.decisions(table):
        player = decisions[0].player
        assert player is not None
        yield table, player, mix[player]
        choice = KITS["karma"].bots[mix[player]](karma.view(table, player), random)
        assert choice is not None
        table = karma.play(table, player, choice.move).table


@pytest.mark.parametrize("mix", MIXES, ids="-".join)
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_plain_and_compiled_choose_the_same_moves_through_whole_games(rules: Rules, mix: tuple[str, ...]) -> None:
    twins = (random_from("v1:both"), compiled.random_records(random_from("v1:both")))
    moves, view = compiled.blank_moves(), blank_karma_view()
    for table, player, name in games(rules, mix):
        edition = table.deal.edition
        plain = KITS["karma"].bots[name](karma.view(table, player), twins[0])
        records = compiled.edition_records(edition), to_records([table])
        move = choose_karma(*records, 0, moves, view, twins[1], player, POLICIES[name])
        assert plain is not None
        assert plain.move == format_move(edition, int(move))
    assert twins[0].word == twins[1]["word"][0].tolist()


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_the_view_record_of_a_table_is_the_record_of_the_json_view(rules: Rules) -> None:
    for table, _, _ in games(rules, ("random", "sharp", "careful")):
        for player in range(table.players):
            seen = blank(KarmaView)
            look(table.deal.edition, table, player, seen)
            _, read, _ = read_view(karma.view(table, player))
            assert flat(seen) == flat(read)


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_no_policy_notices_when_hidden_cards_are_exchanged(rules: Rules) -> None:
    random = random_from("v1:exchange")
    for table, player, name in games(rules, ("sharp", "careful", "beginner")):
        if table.giving_from == FACE_DOWN or below(random, 3):
            continue
        twin = exchanged(table, player, random)
        chosen = []
        for each in (table, twin):
            plain = KITS["karma"].bots[name](karma.view(each, player), random_from("v1:same"))
            records = compiled.edition_records(each.deal.edition), to_records([each])
            room = compiled.blank_moves(), blank_karma_view(), compiled.random_records(random_from("v1:same"))
            chosen.append((plain, int(choose_karma(*records, 0, *room, player, POLICIES[name]))))
        assert chosen[0] == chosen[1]
