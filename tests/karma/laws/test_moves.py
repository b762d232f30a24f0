"""Legal means accepted, and nothing else is; a refused move changes nothing; cards are conserved. One long game."""

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.karma.conservation import is_conserved
from tests.karma.laws.walks import Moment, any_moves, awaited, moments, often, setups, tables
from threefold import karma, saved
from threefold.game import IllegalMove
from threefold.karma import Table
from threefold.karma import moves as m
from threefold.karma.notation import format_move, parse_move
from threefold.karma.table import OVER
from threefold.records import flat


def legal(table: Table, player: int) -> set[str]:
    """Everything this player may do, as the two lists say."""
    listed = [*karma.decisions(table), *karma.anytime(table)]
    return {move for each in listed if each.player == player for move in each.moves}


def check_a_move(table: Table, player: int, text: str) -> None:
    """Accepted if it is listed, refused if not; `explain` says the same; this table stays as it was."""
    before = flat(table)
    refused = karma.explain(table, player, text)
    assert flat(table) == before
    if text in legal(table, player):
        assert refused is None
        karma.play(table, player, text)
    else:
        assert isinstance(refused, IllegalMove)
        with pytest.raises(IllegalMove) as error:
            karma.play(table, player, text)
        assert error.value.as_json(player) == refused.as_json(player)
        assert str(error.value).endswith((".", "!"))
    assert flat(table) == before


@often
@given(tables(), st.data())
def test_every_listed_move_is_accepted_and_no_other(table: Table, data: st.DataObject) -> None:
    for player in range(table.players):
        for text in legal(table, player):
            check_a_move(table, player, text)
    for move in data.draw(st.lists(any_moves(table.deal.edition, table.players), min_size=10, max_size=10)):
        check_a_move(table, data.draw(st.integers(0, table.players - 1)), format_move(table.deal.edition, move))


@often
@given(tables(), st.one_of(st.none(), st.integers(max_value=-1), st.integers(min_value=12)))
def test_only_players_at_the_table_move(table: Table, stranger: int | None) -> None:
    for text in ("pick up", "offer draw", "play 7"):
        refused = karma.explain(table, stranger, text)
        assert refused is not None
        assert refused.text.key == "karma.refusal.no_such_player"


@often
@given(tables(), st.text(max_size=300))
def test_any_text_is_a_move_or_is_refused(table: Table, text: str) -> None:
    player = awaited(table)[0] if table.awaits != OVER else 0
    before = flat(table)
    refused = karma.explain(table, player, text)
    assert refused is None or str(refused)
    assert flat(table) == before


@often
@given(tables())
def test_no_move_is_listed_twice_and_nobody_awaited_is_without_one(table: Table) -> None:
    decisions = karma.decisions(table)
    assert bool(decisions) == (karma.ending(table) is None)
    for each in decisions:
        assert each.moves
        assert len(set(each.moves)) == len(each.moves)
    assert len({each.player for each in decisions}) == len(decisions)


@often
@given(tables(), st.data())
def test_moves_are_read_as_they_are_written(table: Table, data: st.DataObject) -> None:
    edition = table.deal.edition
    for move in data.draw(st.lists(any_moves(edition, table.players), min_size=10, max_size=10)):
        text = format_move(edition, move)
        assert parse_move(edition, text) == move
        assert format_move(edition, parse_move(edition, text.upper())) == text


@often
@given(moments())
def test_a_move_leaves_the_table_it_was_made_on_as_it_was(moment: Moment) -> None:
    before = flat(moment.table)
    one, two = moment.step(), moment.step()
    assert flat(moment.table) == before
    assert flat(one.table) == flat(two.table)
    assert one.events == two.events
    shared = {id(row) for row in moment.table.hand} & {id(row) for row in one.table.hand}
    assert not shared


class OneLongGame(RuleBasedStateMachine):
    """Players, strangers and fools at one table; after everything that happens, every card is still somewhere."""

    @initialize(setup=setups(), seed=st.integers(0, 99_999))
    def sit_down(self, setup: dict[str, object], seed: int) -> None:
        self.table = karma.new({**setup, "seed": f"v1:{seed}"})
        self.moves: list[saved.Move] = []

    def make(self, player: int, text: str) -> None:
        self.table = karma.play(self.table, player, text).table
        self.moves.append(saved.Move(player, text))

    @precondition(lambda self: self.table.awaits != OVER)
    @rule(data=st.data(), times=st.integers(1, 12))
    def play_on(self, data: st.DataObject, times: int) -> None:
        for _ in range(times):
            if self.table.awaits != OVER:
                decision = data.draw(st.sampled_from(karma.decisions(self.table)))
                assert decision.player is not None
                self.make(decision.player, data.draw(st.sampled_from(decision.moves)))

    @rule(data=st.data())
    def speak_of_a_draw(self, data: st.DataObject) -> None:
        able = karma.anytime(self.table)
        assume(len(able) > 1)  # the last to agree would end the game
        decision = data.draw(st.sampled_from(able))
        assert decision.player is not None
        self.make(decision.player, decision.moves[0])

    @rule(data=st.data())
    def try_anything(self, data: st.DataObject) -> None:
        move = data.draw(any_moves(self.table.deal.edition, self.table.players))
        player = data.draw(st.integers(0, self.table.players - 1))
        text = format_move(self.table.deal.edition, move)
        check_a_move(self.table, player, text)
        if text in legal(self.table, player) and m.what_of(move) != m.AGREE_DRAW:
            self.make(player, text)

    @rule()
    def save_and_load(self) -> None:
        text = json.dumps(saved.save(karma.KARMA, self.table, self.moves))
        replay = saved.load(json.loads(text))
        assert flat(replay.table) == flat(self.table)
        assert list(replay.moves) == self.moves
        assert json.dumps(saved.save(replay.game, replay.table, replay.moves)) == text

    @invariant()
    def every_card_is_somewhere(self) -> None:
        assert is_conserved(self.table.deal.edition, self.table)
        state = karma.state(self.table)
        lying = [*state["draw_pile"], *state["discard_pile"], *state["removed"]]
        for seat in state["seats"]:
            lying += [*seat["hand"], *filter(None, seat["face_up"]), *filter(None, seat["face_down"])]
        cards = self.table.deal.edition.cards
        assert sorted(lying) == sorted(cards[kind].code for kind in self.table.deal.deck)


TestOneLongGame = OneLongGame.TestCase
TestOneLongGame.settings = settings(max_examples=max(5, often.max_examples // 3), stateful_step_count=30, deadline=None)
