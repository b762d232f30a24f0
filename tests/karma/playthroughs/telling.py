"""A whole game as text: every move, what each seat and a spectator were told of it, and Views now and then.

`> 1: play 7` is a move. Below it stand its events as a spectator was told them, each with its sentence; then what a
seat was told besides or in other words. `= 1:` is the View of player 1 at this point, `= spectator:` a spectator's.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from threefold import karma
from threefold.game import Event, Json, Viewer, event_text
from threefold.karma import Table
from threefold.karma.cards import KarmaCard
from threefold.karma.powers import POWER_OF_CODE, code_of
from threefold.karma.table import POWER
from threefold.texts import Names, say

GAMES = Path(__file__).parent / "games"
REMADE_BY = "python -m tests.karma.playthroughs.remake"
ABOUT = "# A game of Karma, as each seat and a spectator were told it."
MADE = f"# Made by: {REMADE_BY}"

Setup = dict[str, Json]
Move = tuple[int, str]
Feature = tuple[str, str]
"""Something that occurs in a game: ("event", "went_out"), ("card", "GIV") …"""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """What a game was set up from, and its moves."""

    setup: Setup
    moves: tuple[Move, ...]

    def steps(self) -> Iterator[tuple[Table, Move, list[Event], Table]]:
        """Each move with the table before it, what happened, and the table after it."""
        table = karma.new(self.setup)
        for player, move in self.moves:
            step = karma.play(table, player, move)
            yield table, (player, move), list(step.events), step.table
            table = step.table


def compact(what: Json) -> str:
    return json.dumps(what, separators=(",", ":"), ensure_ascii=False)


def written(game: Playthrough) -> str:
    """The game as its file holds it."""
    lines = [ABOUT, MADE, f"# setup {compact(game.setup)}"]
    table = karma.new(game.setup)
    names = Names(cards=karma.card_names(table))
    shown_after = {1, len(game.moves) // 2, len(game.moves)}
    for number, (_, (player, move), events, after) in enumerate(game.steps(), 1):
        lines.append(f"> {player}: {move}")
        for event in events:
            lines += shown(event, table.players, names)
        if number in shown_after:
            lines += views(after)
    return "\n".join(lines) + "\n"


def views(table: Table) -> Iterator[str]:
    for viewer in (None, *range(table.players)):
        yield f"= {'spectator' if viewer is None else viewer}: {compact(karma.view(table, viewer))}"


def shown(event: Event, players: int, names: Names) -> Iterator[str]:
    def sentence(viewer: Viewer) -> str:
        return say(event_text("karma", event.seen_by(viewer)), viewer=viewer, names=names)

    yield f"  {compact(event.seen_by(None))}"
    yield f"    {sentence(None)}"
    for viewer in range(players):
        more = {name: value for name, value in event.seen_by(viewer).items() if event.seen_by(None)[name] != value}
        if more or sentence(viewer) != sentence(None):
            yield f"    {viewer}: {sentence(viewer)}{' ' + compact(more) if more else ''}"


def read(path: Path) -> Playthrough:
    """The game of a file."""
    lines = path.read_text("utf-8").splitlines()
    setup = next(line.removeprefix("# setup ") for line in lines if line.startswith("# setup "))
    moves = [line.removeprefix("> ").split(": ") for line in lines if line.startswith("> ")]
    return Playthrough(json.loads(setup), tuple((int(player), move) for player, move in moves))


# ---------------------------------------------------------------- What occurs in a game

TOLD_BY: dict[str, str] = {
    "direction_reversed": "reverse",
    "hands_passed": "rotate_hands",
    "bottom_moved_up": "bottoms_up",
    "turns_to_lose": "lose_turns",
}
"""Event -> the power that it is the work of, where only one can be."""


def features(game: Playthrough) -> set[Feature]:
    """Everything that occurs: the edition, cards, powers, events, questions, the ending."""
    found: set[Feature] = set()
    table = karma.new(game.setup)
    edition = table.deal.setup["edition"]
    found.add(("edition", edition if isinstance(edition, str) else "house"))
    for before, (_, move), events, table in game.steps():
        found |= {("question", each.question) for each in (*karma.decisions(before), *karma.anytime(before))}
        found |= {("event", event.name) for event in events}
        found |= {("card", name) for event in events if (name := card_played(before, event))}
        found |= {("power", power) for power in powers_at_work(before, move, events, table)}
    ended = karma.ending(table)
    if ended is not None:
        found.add(("ending", ended.reason))
    return found


def card_played(table: Table, event: Event) -> str:
    """The card that an event says was played, a designed one by its name; empty if it says no such thing."""
    if event.name != "cards_played" and not (event.name == "card_flipped" and event.facts["fits"]):
        return ""
    code: str = event.facts["card"]
    return karma.card_names(table).get(code, code)


def powers_at_work(before: Table, move: str, events: list[Event], after: Table) -> Iterator[str]:
    """The powers that did something at this move."""
    answered = code_of(before.pending[before.pending_size - 1]) if before.awaits == POWER else 0
    if answered and move != "decline":
        yield POWER_OF_CODE[answered].name
    for event in events:
        if event.name in TOLD_BY:
            yield TOLD_BY[event.name]
        if event.name == "pile_cleared" and event.facts["why"] == "power":
            yield "clear_pile"
        if event.name == "seats_changed" and len(event.facts["moved"]) > 2:
            yield "rotate_seats"
        if event.name == "cards_drawn" and event.facts["player"] != before.turn_player:
            yield "draw_cards"
    if after.discard_size:
        top = after.deal.edition.cards[after.discard_pile[after.discard_size - 1]]
        if isinstance(top, KarmaCard):
            yield from (each.power.name for each in top.powers if each.power.stays)
