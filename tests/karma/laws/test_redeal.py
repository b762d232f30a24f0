"""A redeal looks to its player like the true table, holds what the player remembers, and shows nothing hidden."""

from collections import Counter

import pytest

from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker, awaited
from threefold import karma
from threefold.karma.bot_view import KarmaView, look, read_view
from threefold.karma.exchanging import exchanged
from threefold.karma.redeal import Pool, copy_table, deal_hidden, lay_out
from threefold.karma.table import FACE_DOWN, NONE, OVER, PLACES, Edition, Moves, Table, Tape
from threefold.karma.turn import list_moves, make_move
from threefold.records import blank, flat
from threefold.shuffle import Random, random_from

TURN_LIMIT = 60


class Redealing:
    """Working memory for redeals."""

    def __init__(self) -> None:
        self.known, self.world = (blank(Table, deal=None) for _ in range(2))
        self.pool = blank(Pool)

    def redeal(self, e: Edition, view: KarmaView, random: Random) -> Table:
        lay_out(e, view, self.known, self.pool)
        copy_table(e, self.known, self.world)
        deal_hidden(e, view, self.world, self.pool, random)
        return self.world


def all_cards(e: Edition, t: Table) -> list[int]:
    """How many of each kind there are on a table."""
    cards = Counter(t.draw_pile[: t.draw_size]) + Counter(t.discard_pile[: t.discard_size])
    for seat in range(t.players):
        for place in range(PLACES):
            cards.update(kind for kind in (t.face_up[seat][place], t.face_down[seat][place]) if kind != NONE)
    hands = range(t.players)
    return [cards[kind] + t.removed[kind] + sum(t.hand[seat][kind] for seat in hands) for kind in range(e.kinds)]


def moves_of(e: Edition, t: Table, player: int) -> list[int]:
    listed = blank(Moves)
    list_moves(e, t, player, listed)
    return listed.move[: listed.count]


def check(e: Edition, table: Table, world: Table, view: KarmaView) -> None:
    """To this player the redeal looks like the table, although nobody there remembers anything."""
    seen = blank(KarmaView)
    look(e, world, view.player, seen)
    for seat in range(view.players):
        for kind in range(e.kinds):
            assert world.hand[seat][kind] >= view.known[seat][kind]
            seen.known[seat][kind] = view.known[seat][kind]
    assert flat(seen) == flat(view)
    assert all_cards(e, world) == e.copies[: e.kinds] == all_cards(e, table)
    assert moves_of(e, world, view.player) == moves_of(e, table, view.player)
    for seat in range(world.players):
        assert world.hand_size[seat] == sum(world.hand[seat])
        assert world.face_up_size[seat] == sum(kind != NONE for kind in world.face_up[seat])
        assert world.face_down_size[seat] == sum(kind != NONE for kind in world.face_down[seat])


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_redeal_at_every_moment_of_random_games_is_consistent_with_view_and_memory(rules: Rules) -> None:
    redealing, tape = Redealing(), blank(Tape)
    moments = remembered = changed = 0
    for number, players in enumerate(seatings(rules)):
        seed = f"v1:redeal-{rules.name[:20]}-{players}"
        draw = ("automatic", "by hand")[number % 2]
        table = karma.new(rules.setup(players, seed, draw=draw, turn_limit=TURN_LIMIT))
        e, pick, random = table.deal.edition, Picker(seed), random_from(seed, "redeals")
        while table.awaits != OVER:
            player = pick.one_of(awaited(table))
            _, view, _ = read_view(karma.view(table, player))
            world = redealing.redeal(e, view, random)
            check(e, table, world, view)
            moments += 1
            remembered += any(map(any, view.known))
            changed += world.hand != table.hand or world.draw_pile[: table.draw_size] != table.draw_pile
            make_move(e, table, tape, player, pick.move(moves_of(e, table, player), eager=number % 3 == 0))
    assert moments > 50
    assert remembered > 20
    assert changed > moments / 2


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_redeal_does_not_notice_when_hidden_cards_are_exchanged(rules: Rules) -> None:
    redealing, twin_redealing, tape = Redealing(), Redealing(), blank(Tape)
    table = karma.new(rules.setup(4, "v1:exchange", turn_limit=TURN_LIMIT))
    e, pick, random = table.deal.edition, Picker("v1:exchange"), random_from("v1:exchange")
    while table.awaits != OVER:
        player = pick.one_of(awaited(table))
        if table.giving_from != FACE_DOWN:
            twin = exchanged(table, player, random)
            _, view, _ = read_view(karma.view(table, player))
            _, twin_view, _ = read_view(karma.view(twin, player))
            world = redealing.redeal(e, view, random_from("v1:same"))
            assert flat(world) == flat(twin_redealing.redeal(e, twin_view, random_from("v1:same")))
        make_move(e, table, tape, player, pick.move(moves_of(e, table, player), eager=True))


def test_a_redeal_deals_every_hidden_card_to_every_place() -> None:
    position = "classic; 0 hand 3 4; 1 hand 5 6; 2 hand 7; pile 9; turn 0"
    table = karma.new({"position": position})
    e = table.deal.edition
    _, view, _ = read_view(karma.view(table, 0))
    redealing, random = Redealing(), random_from("v1:fair")
    hands = Counter(tuple(redealing.redeal(e, view, random).hand[1]) for _ in range(120))
    assert len(hands) == 3  # three cards are unseen, and player 1 holds two of them
    assert min(hands.values()) > 20
