"""The leak law: exchange every card that a viewer cannot know, and nothing that the viewer is given changes a byte."""

import json
from collections.abc import Callable

import pytest
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.karma.laws.model import CardId, Cards
from tests.karma.laws.setups import ALL_RULES, Rules
from tests.karma.laws.walks import Moment, Picker, any_moves, moments, often, tables
from threefold import karma
from threefold.game import Event, Json, Viewer
from threefold.karma import Table
from threefold.karma import moves as m
from threefold.karma.advice import ADVICE
from threefold.karma.bot_view import KarmaView, look
from threefold.karma.decisions import legal_moves
from threefold.karma.notation import format_move
from threefold.karma.table import NONE, POWER
from threefold.karma.view import view
from threefold.records import blank, flat

Look = Callable[[Table, Viewer], Json]
Told = Callable[[Event, Viewer], Json]


def viewers(table: Table) -> list[Viewer]:
    return [None, *range(table.players)]


def exchanged(cards: Cards, unseen: list[CardId], pick: Picker) -> list[int]:
    """The kinds of all cards after those unseen changed places in any way."""
    kinds = list(cards.kinds)
    for card, kind in zip(unseen, pick.in_any_order([cards.kinds[card] for card in unseen]), strict=True):
        kinds[card] = kind
    return kinds


def unseen_by(cards: Cards, viewer: Viewer) -> list[CardId]:
    return [card for card in range(len(cards.kinds)) if card not in cards.seen[viewer]]


def as_bytes(what: Json) -> bytes:
    return json.dumps(what, sort_keys=True).encode()


def explanations(table: Table, viewer: Viewer, moves: list[int]) -> Json:
    """What the table says to the viewer about moves that the viewer might try."""
    return [explanation(table, viewer, format_move(table.deal.edition, move)) for move in moves]


def explanation(table: Table, viewer: Viewer, move: str) -> Json:
    """Why a move is refused, or what speaks against it."""
    refused = karma.explain(table, viewer, move)
    if refused is not None or viewer is None:
        return None if refused is None else refused.as_json()
    events = [each.seen_by(viewer) for each in karma.play(table, viewer, move).events]
    warning = ADVICE.warning(view(table, viewer), events)
    return None if warning is None else warning.as_json()


def check_a_look(table: Table, viewer: Viewer, pick: Picker, seen_by: Look = view) -> bool:
    """Nothing in a View depends on what its viewer has not seen; was there anything to exchange?"""
    cards = Cards(table)
    kinds = exchanged(cards, unseen_by(cards, viewer), pick)
    other = cards.with_other_cards(kinds)
    assert as_bytes(seen_by(other, viewer)) == as_bytes(seen_by(table, viewer))
    return kinds != cards.kinds


def tell(event: Event, viewer: Viewer) -> Json:
    return event.seen_by(viewer)


def check_a_step(moment: Moment, viewer: Viewer, pick: Picker, shown: Told = tell) -> bool:
    """A move tells its viewer nothing of what stays unseen; was there anything to exchange?"""
    step = moment.step()
    before, after = Cards(moment.table), Cards(moment.table)
    after.follow(event.whole() for event in step.events)
    unseen = unseen_by(after, viewer)
    if waits_for_a_swap(step.table):  # that a swap is possible says that some hand card differs from some face up
        seat = after.seat_of[after.turn]
        lying = [card for card in after.face_up[seat] if card is not None]
        held = next(a for a in after.hand[seat] if any(after.kinds[a] != after.kinds[b] for b in lying))
        unseen = [card for card in unseen if card != held]
    kinds = exchanged(before, unseen, pick)
    other = Moment(before.with_other_cards(kinds), moment.player, same_move(moment.move, after.named, kinds))
    other_step = other.step()
    assert [as_bytes(shown(each, viewer)) for each in other_step.events] == [
        as_bytes(shown(each, viewer)) for each in step.events
    ]
    assert as_bytes(view(other_step.table, viewer)) == as_bytes(view(step.table, viewer))
    return kinds != before.kinds


def waits_for_a_swap(table: Table) -> bool:
    return table.awaits == POWER and karma.decisions(table)[0].question == "swap"


def same_move(move: int, named: list[CardId], kinds: list[int]) -> int:
    """The move with the same cards, whatever is printed on them now."""
    what = m.what_of(move)
    if what == m.CHOOSE_FACE_UP:
        return m.move_of(what, *sorted(kinds[card] for card in named))
    if what == m.GIVE:
        return m.move_of(what, kinds[named[0]], 0, 0)
    return move


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
@often
@given(st.data())
def test_the_views_of_several_are_the_views_of_each(rules: Rules, data: st.DataObject) -> None:
    table = data.draw(tables(rules))
    assert karma.views(table, viewers(table)) == [view(table, viewer) for viewer in viewers(table)]


@pytest.mark.rule("K2", "K3", "K4", "K25", "K26", "K27")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
@often
@given(st.data())
def test_a_view_holds_nothing_that_its_viewer_cannot_know(rules: Rules, data: st.DataObject) -> None:
    table = data.draw(tables(rules))
    pick = Picker(f"v1:{data.draw(st.integers(0, 999))}")
    for viewer in viewers(table):
        changed = check_a_look(table, viewer, pick)
        note(f"cards changed: {changed}")


@pytest.mark.rule("K2", "K3", "K4", "K25", "K26", "K27")
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
@often
@given(st.data())
def test_a_move_tells_its_viewers_nothing_that_they_cannot_know(rules: Rules, data: st.DataObject) -> None:
    moment = data.draw(moments(rules))
    pick = Picker(f"v1:{data.draw(st.integers(0, 999))}")
    for viewer in viewers(moment.table):
        changed = check_a_step(moment, viewer, pick)
        note(f"cards changed: {changed}")


@pytest.mark.rule("K26", "K27")
@often
@given(tables(), st.data())
def test_a_refusal_or_a_warning_tells_nobody_what_they_cannot_know(table: Table, data: st.DataObject) -> None:
    pick = Picker(f"v1:{data.draw(st.integers(0, 999))}")
    tried = data.draw(st.lists(any_moves(table.deal.edition, table.players), max_size=8))
    for viewer in viewers(table):
        check_a_look(table, viewer, pick, lambda at, viewer: explanations(at, viewer, tried))


def as_policies_see_it(table: Table, viewer: Viewer) -> Json:
    assert viewer is not None
    seen = blank(KarmaView)
    look(table.deal.edition, table, viewer, seen)
    return flat(seen)


@pytest.mark.rule("K25", "K26", "K27")
@often
@given(tables(), st.integers(0, 999))
def test_a_policy_sees_nothing_that_its_player_cannot_know(table: Table, seed: int) -> None:
    for player in range(table.players):
        check_a_look(table, player, Picker(f"v1:{seed}"), as_policies_see_it)


@often
@given(tables(), st.booleans())
def test_seeds_and_decks_are_in_no_view(table: Table, deck: bool) -> None:  # noqa: FBT001 (drawn by Hypothesis)
    secret = "v1:the-seed-nobody-may-see"
    setup = {**karma.setup(table), "seed": secret}
    if deck:
        setup["deck"] = [table.deal.edition.cards[kind].code for kind in table.deal.deck]
    for at in (table, karma.new(setup)):
        for viewer in viewers(at):
            text = json.dumps(karma.view(at, viewer))
            assert secret not in text
            assert table.deal.setup["seed"] not in text
            assert '"seed"' not in text
            assert '"deck"' not in text


# ---------------------------------------------------------------- The law has teeth


def next_card_shown(table: Table, viewer: Viewer) -> Json:
    return [view(table, viewer), table.draw_pile[table.draw_size - 1] if table.draw_size else None]


def neighbours_hand_shown(table: Table, viewer: Viewer) -> Json:
    return [view(table, viewer), table.hand[(table.seat_of[viewer or 0] + 1) % table.players]]


def own_face_down_cards_shown(table: Table, viewer: Viewer) -> Json:
    return [view(table, viewer), table.face_down[table.seat_of[viewer or 0]]]


def choices_shown_early(table: Table, viewer: Viewer) -> Json:
    return [view(table, viewer), table.chosen]


def order_of_another_hand_shown(table: Table, viewer: Viewer) -> Json:
    return [view(table, viewer), [max(range(len(hand)), key=hand.__getitem__) for hand in table.hand]]


LEAKS = (
    next_card_shown,
    neighbours_hand_shown,
    own_face_down_cards_shown,
    choices_shown_early,
    order_of_another_hand_shown,
)


@pytest.mark.parametrize("leak", LEAKS)
def test_the_law_would_notice_a_view_that_leaks(leak: Look) -> None:
    table = karma.new({"edition": "second_edition", "players": 3, "seed": "v1:teeth"})
    for player in (0, 1):
        table = karma.play(table, player, karma.decisions(table)[0].moves[0]).table

    def look_from_everywhere() -> None:
        for number in range(5):
            for viewer in viewers(table):
                check_a_look(table, viewer, Picker(f"v1:{number}"), leak)

    with pytest.raises(AssertionError):
        look_from_everywhere()


def test_the_law_would_notice_events_that_leak() -> None:
    table = karma.new({"edition": "classic", "players": 3, "seed": "v1:teeth"})
    moment = Moment(table, 1, legal_moves(table, 1)[3])
    assert check_a_step(moment, 0, Picker("v1:1"))
    with pytest.raises(AssertionError):
        check_a_step(moment, 0, Picker("v1:1"), shown=lambda event, _: event.whole())


@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_there_is_something_to_exchange_nearly_everywhere(rules: Rules) -> None:
    table = karma.new(rules.setup(4, "v1:enough"))
    assert table.turn_player == NONE
    assert all(check_a_look(table, viewer, Picker("v1:1")) for viewer in viewers(table))
