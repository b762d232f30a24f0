"""The View says what the page shows: the next player, the location to play from, the run; all as the rules have it."""

import pytest

from tests.forms import event_misfits, misfits
from tests.karma.laws.setups import ALL_RULES, Rules, seatings
from tests.karma.laws.walks import Picker
from threefold import karma
from threefold.game import Event
from threefold.karma import rules as k
from threefold.karma.forms import KarmaView, event_forms
from threefold.karma.notation import LOCATIONS
from threefold.karma.table import DRAWING, NOWHERE, OVER, TAPE, Table, Tape
from threefold.records import blank, copied

FORMS = {form.name: form for form in event_forms()}
MOST_MOVES = 120


def after_this_turn(table: Table) -> int | None:
    """Whose turn it is if this turn ends now: the rules themselves end it, on a copy."""
    then, tape = copied(table), blank(Tape)
    tape.room = TAPE
    then.pending_size, then.giving_from = 0, NOWHERE
    k.end_play(then.deal.edition, then, tape)
    if then.awaits == DRAWING:
        k.draw_up_to_three(then, tape, then.turn_player)
        k.end_turn(then.deal.edition, then, tape)
    return None if then.awaits == OVER else then.turn_player


def check_next_player(table: Table, view: KarmaView) -> None:
    if view["turn"] is None or view["ending"] is not None:
        assert view["next_player"] is None
    else:
        assert view["next_player"] == after_this_turn(table)


def check_next_turn(before: KarmaView, move: str, events: list[Event]) -> None:
    """A move that only ends the turn: the turn goes to the player whom the View named."""
    began = [each for each in events if each.name == "turn_began"]
    if began and move in ("pick up", "draw", "end turn") and before["awaits"][0]["question"] in ("play", "draw"):
        assert began[0].facts["player"] == before["next_player"]


def check_location(before: KarmaView, events: list[Event]) -> None:
    """Every offered card lies where the View says, and is played from there."""
    own = next(seat for seat in before["seats"] if seat["player"] == before["viewer"])
    offered = {" ".join(each.split()[:1]) for each in before["moves"]} & {"play", "flip"}
    if before["awaits"][0]["question"] in ("play", "table_card"):
        assert offered <= ({"flip"} if before["play_from"] == "face_down" else {"play"})
        assert not (before["play_from"] is None and offered)
        cards = {"hand": own["hand"], "face_up": own["face_up"]}.get(before["play_from"] or "")
        for each in before["moves"]:
            if each.startswith("play "):
                assert each.split()[1] in (cards or ())
    first = events[0] if events[0].name != "draw_withdrawn" else events[1]
    if first.name in ("cards_played", "gift_chosen"):
        assert first.whole()["from"] == before["play_from"]
    if first.name == "card_flipped":
        assert before["play_from"] == LOCATIONS[3]


def check_run(table: Table, view: KarmaView) -> None:
    pile = view["discard_pile"]
    run = next((i for i, card in enumerate(reversed(pile)) if card != pile[-1]), len(pile))
    assert view["run"] == run
    assert view["clears_at"] == table.deal.edition.clears_at
    assert run < view["clears_at"] or "bottoms_up" in str(table.deal.edition.cards)


def check_clear(view: KarmaView, events: list[Event]) -> None:
    for each in events:
        if each.name == "pile_cleared" and each.facts["why"] == "run":
            cards = each.facts["cards"]
            assert cards[-view["clears_at"] :] == [cards[-1]] * view["clears_at"]


@pytest.mark.rule("K6", "K15", "K16", "K48")
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("rules", ALL_RULES, ids=repr)
def test_a_view_names_the_next_player_the_location_and_the_run_as_the_rules_have_them(
    rules: Rules, players: int
) -> None:
    for number, draw in enumerate(("automatic", "by hand")):
        seated = min(players, max(seatings(rules)))
        table = karma.new(rules.setup(seated, f"v1:outlook-{number}", draw=draw))
        pick = Picker(f"v1:{rules.name}-{players}-{number}")
        for _ in range(MOST_MOVES):
            spectator = karma.view(table, None)
            assert not misfits(spectator, KarmaView)
            assert spectator["play_from"] is None
            check_next_player(table, spectator)
            check_run(table, spectator)
            asked = karma.decisions(table)
            if not asked:
                break
            decision = pick.one_of(asked)
            assert decision.player is not None
            before = karma.view(table, decision.player)
            assert not misfits(before, KarmaView)
            better = [move for move in decision.moves if move not in ("pick up", "decline", "end turn")]
            move = pick.one_of(better if better and pick.chance(80) else decision.moves)
            step = karma.play(table, decision.player, move)
            events = list(step.events)
            for viewer in (None, *range(seated)):
                assert not [each for event in events for each in event_misfits(event.seen_by(viewer), FORMS)]
            check_next_turn(before, move, events)
            check_location(before, events)
            check_clear(before, events)
            table = step.table
        assert not misfits(karma.open_view(table), KarmaView)


def test_a_turn_to_lose_moves_the_next_turn_on() -> None:
    table = karma.new({"position": "classic; 0 hand 5 6 7; 1 hand 8 8 9; 2 hand 1 2 3; turn 0; lost 0 1 0; pile 4"})
    assert karma.view(table, 0)["next_player"] == 2


def test_a_table_card_waits_for_the_draw_pile_where_the_edition_says_so() -> None:
    table = karma.new({"position": "second_edition; 0 up 5 6 7; 1 hand 8 8 9; turn 1; pile 4; draw 1 2 3"})
    assert karma.view(table, 0)["play_from"] is None
    assert karma.view(table, 1)["play_from"] == "hand"
    classic = karma.new({"position": "classic; 0 up 5 6 7; 1 hand 8 8 9; turn 0; pile 4; draw 1 2 3"})
    assert karma.view(classic, 0)["play_from"] == "face_up"
