"""Helpers for tests of SET: setting up tables, making moves at both speeds, and random games."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from threefold import setgame
from threefold.game import Decision, IllegalMove, Step
from threefold.records import flat
from threefold.setgame.cards import format_card
from threefold.setgame.notation import parse_move
from threefold.setgame.positions import parse_position
from threefold.setgame.refusals import ACCEPTED
from threefold.setgame.search import sets_of
from threefold.setgame.table import NONE, TAPE, Table
from threefold.setgame.variants import VARIANTS

Move = tuple[int | None, str, int]
"""Player, move and time."""

# Twelve cards without a SET and twelve with just one (1RSD 1RTD 1ROD), for tests that say what lies.
NO_SET = "1RSD 1RSO 1RTD 1RTO 1PSD 1PSO 1PTD 1PTO 2RSD 2RSO 2RTD 2RTO"
ONE_SET = "1RSD 1RTD 1ROD 1RSO 1RTO 1PSD 1PSO 1PTD 1PTO 2RSD 2RSO 2RTO"
THE_SET = "take 1RSD 1RTD 1ROD"
WRONG = "take 1RSD 1RTD 1RSO"


def table(text: str) -> Table:
    """The table of a position, in which `NO_SET` and `ONE_SET` stand for layouts."""
    return parse_position(text.replace("NO_SET", NO_SET).replace("ONE_SET", ONE_SET))


def after(start: Table, *moves: Move) -> Table:
    """The table after some moves."""
    for player, move, at in moves:
        start = step(start, player, move, at).table
    return start


def step(start: Table, player: int | None, move: str, at: int) -> Step[Table]:
    """Makes a move plain and compiled, and sees that both come to the same table."""
    made = setgame.play(start, player, move, at)
    assert flat(made.table) == compiled_move(start, player, move, at)
    return made


def compiled_move(start: Table, player: int | None, move: str, at: int) -> list[int]:
    """All numbers of the table after a move of the compiled rules."""
    import numpy as np

    from tests.setgame import compiled

    tables, variant = compiled.blank_tables(1), compiled.variant_records(start.deal.variant)
    tables.view(np.int64)[:] = flat(start)
    who = NONE if player is None else player
    assert compiled.refusal(variant, tables, 0, who, parse_move(move), at) == ACCEPTED
    compiled.make_move(variant, tables, 0, compiled.blank_tape(TAPE), who, parse_move(move), at)
    numbers: list[int] = tables.view(np.int64).tolist()
    return numbers


def events(start: Table, player: int | None, move: str, at: int) -> list[dict[str, Any]]:
    """The events of a move as JSON."""
    return [event.seen_by(None) for event in step(start, player, move, at).events]


def names(happened: Sequence[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in happened]


def named(happened: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    """The one event of this name."""
    (found,) = (each for each in happened if each["event"] == name)
    return found


def refused(start: Table, player: int | None, move: str, at: int | None) -> tuple[str, str | None]:
    """The key and the clause of a move's refusal; also checks that nothing changes."""
    before = setgame.state(start)
    with pytest.raises(IllegalMove) as refusal:
        setgame.play(start, player, move, at)
    assert setgame.state(start) == before
    explained = setgame.explain(start, player, move, at)
    assert explained is not None
    assert explained.text == refusal.value.text
    assert str(refusal.value)
    return refusal.value.text.key.removeprefix("set.refusal."), refusal.value.clause


def layout(lying: Table) -> list[str | None]:
    return [None if card == NONE else format_card(card) for card in lying.layout[: lying.places]]


def cards_everywhere(lying: Table) -> list[int]:
    """All cards of a table, wherever they are, sorted."""
    variant = lying.deal.variant
    cards = [card for card in lying.layout if card != NONE]
    if variant.personal:
        cards += [card for player in range(lying.players) for card in lying.personal[player] if card != NONE]
    cards += lying.deck[lying.dealt : lying.dealt + lying.deck_size]
    cards += lying.discard[: lying.discard_size]
    taken = () if variant.stays else lying.taken[: lying.taken_size]
    cards += [card for cards_taken in taken for card in cards_taken[: variant.set_size]]
    return sorted(cards)


SETUPS: list[dict[str, Any]] = [
    {"variant": "full", "players": 2},
    {"variant": "full", "players": 5, "options": {"call": "with take", "auto_deal": True}},
    {"variant": "full", "players": 20, "options": {"cooldown_ms": 0, "agreement_ms": 0}},
    {"variant": "small_deck", "players": 3},
    {"variant": "small_deck", "players": 2, "options": {"layout": 9, "call": "with take"}},
    {"variant": "longer_game", "players": 3},
    {"variant": "solitaire", "players": 1},
    {"variant": "twenty_twenty", "players": 2},
    {"variant": "twenty_twenty", "players": 8},
    {"variant": "twenty_twenty", "players": 4, "options": {"call": "with take", "auto_deal": True}},
    {"variant": "sprint", "players": 1},
    {"variant": "sprint", "players": 3, "options": {"cards": 27, "layout": 9, "goal": 20, "call": "first"}},
    {"variant": "time_attack", "players": 2, "options": {"time_ms": 60_000}},
    {"variant": "puzzle_run", "players": 2, "options": {"cards": 27, "rounds": 5}},
    {"variant": "chain", "players": 2},
    {"variant": "ultraset", "players": 3, "options": {"call": "first"}},
    {"variant": "quads", "players": 2},
    {"variant": "ghost", "players": 2, "options": {"cards": 27, "layout": 9}},
    {"variant": "mega", "players": 2},
    {"variant": "sprint", "players": 3, "options": {"together": True}},
    {"variant": "full", "players": 4, "options": {"classroom": True}},
]
assert {each["variant"] for each in SETUPS} == set(VARIANTS)


@dataclass(frozen=True)
class Wandered:
    """One move of a random game."""

    before: Table
    move: Move
    step: Step[Table]


def wander(setup: dict[str, Any], seed: int, moves: int) -> Iterator[Wandered]:
    """A random game of legal moves, mostly useful ones; up to a number of moves."""
    chance = random.Random(seed)  # noqa: S311 (a test may be predictable)
    now = setgame.new({**setup, "seed": f"v1:{seed}"})
    for _ in range(moves):
        if setgame.ending(now) is not None:
            return
        move = some_move(now, chance)
        step = setgame.play(now, *move)
        yield Wandered(now, move, step)
        now = step.table


def some_move(now: Table, chance: random.Random) -> Move:
    """A legal move; when the time of a game is over that is the clock's."""
    time_ms = now.deal.variant.time_ms
    move = any_move(now, chance)
    return (None, "time up", max(move[2], time_ms)) if 0 < time_ms < move[2] else move


def any_move(now: Table, chance: random.Random) -> Move:
    open_to_all = setgame.decisions(now)
    if not open_to_all or chance.random() < 0.06:
        open_to_all = setgame.anytime(now)
        decision = chance.choice(open_to_all)
        comings = [move for move in decision.moves if move != "leave" or chance.random() < 0.1] or ["back"]
        move = chance.choice(comings)
        if move not in decision.moves:
            move = decision.moves[0]
        return decision.player, move, now.now + chance.randrange(1500)
    decision = chance.choice(open_to_all)
    at = now.now + chance.randrange(1500)
    if "not_before" in decision.details:
        at = max(at, decision.details["not_before"])
    if decision.question == "take":
        at = min(at, decision.details.get("deadline", at))
        return decision.player, some_take(now, decision, chance), at
    if decision.question == "time up":
        at = max(now.now, decision.details["deadline"] + chance.choice((0, 0, 700)))
    return decision.player, decision.moves[0], at


def some_take(now: Table, decision: Decision, chance: random.Random) -> str:
    """Mostly a SET; where only some cards will do (in a chain, or found already), cards that the table accepts."""
    assert decision.player is not None
    found = sets_of(now.deal.variant, now, decision.player)
    if found and chance.random() < 0.8:
        return "take " + " ".join(format_card(card) for card in chance.choice(found))
    while True:
        take = "take " + " ".join(chance.sample(decision.details["from"], decision.details["take"]))
        refused = setgame.explain(now, decision.player, take, decision.details.get("not_before", now.now))
        if refused is None or refused.clause not in ("M31", "M42"):
            return take
