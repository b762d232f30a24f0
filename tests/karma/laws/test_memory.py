"""K28 and K29 in whole games: a View claims no card that is not there, and forgets nothing that is certain."""

from collections import Counter

import pytest

from tests.karma.laws.remembering import Everybody
from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker
from threefold import karma
from threefold.karma.notation import format_move, parse_move
from threefold.karma.table import Table

TURN_LIMIT = 60


def check(table: Table, everybody: Everybody, seen: Counter[str]) -> None:
    edition = table.deal.edition
    for memory, view in zip(
        everybody.memories, karma.views(table, [m.viewer for m in everybody.memories]), strict=True
    ):
        for seat, form in enumerate(view["seats"]):
            known = Counter(form["known"])
            if form["player"] == memory.viewer:
                assert not known
                continue
            assert known == memory.certain(seat), (memory.viewer, seat)
            held = Counter({edition.codes[kind]: n for kind, n in enumerate(table.hand[seat][: edition.kinds]) if n})
            assert known <= held, (memory.viewer, seat)
            seen["known"] += known.total()
            seen["more than a spectator"] += memory.viewer is not None and known > everybody.memories[0].certain(seat)


@pytest.mark.rule("K28", "K29")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_views_know_what_a_slow_memory_of_what_was_told_knows(rules: Rules) -> None:
    seen: Counter[str] = Counter()
    for number, players in enumerate(seatings(rules)):
        seed = f"v1:memory-{rules.name[:20]}-{players}"
        draw = ("automatic", "by hand")[number % 2]
        table = karma.new(rules.setup(players, seed, draw=draw, turn_limit=TURN_LIMIT))
        everybody, pick = Everybody(table), Picker(seed)
        while asked := karma.decisions(table):
            decision = pick.one_of(asked)
            moves = [parse_move(table.deal.edition, each) for each in decision.moves]
            assert decision.player is not None
            text = format_move(table.deal.edition, pick.move(moves, eager=number % 3 == 0))
            step = karma.play(table, decision.player, text)
            everybody.follow(step.events)
            table = step.table
            check(table, everybody, seen)
    assert seen["known"] > 1000
    if "EXC" in {card.code for card in table.deal.edition.cards}:
        assert seen["more than a spectator"] > 100
