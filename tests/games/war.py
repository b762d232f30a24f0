# ruff: noqa: ARG002 (the signatures are those of the protocol)
"""War, a third game that lives only here: both turn their top card, and the higher one takes both.

Its kit is all that a server, a replay, a simulation and a verification need; no other file names it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from threefold.bots import any_legal_move
from threefold.fields import a_list, a_seed, a_whole_number, an_object, one_of
from threefold.game import Decision, Ending, Event, IllegalMove, Json, Step, Viewer
from threefold.kit import Kit
from threefold.shuffle import new_seed, random_from, shuffle
from threefold.texts import Text

EDITIONS = {"long": 13, "short": 5}
"""Edition -> the highest card; four cards of each number."""
MOVE = "turn"


@dataclass(frozen=True)
class Table:
    """The hands, the cards won, and the cards that lie turned up; -1 is none."""

    setup: Mapping[str, Json]
    hands: tuple[tuple[int, ...], ...]
    won: tuple[int, ...] = (0, 0)
    turned: tuple[int, ...] = (-1, -1)
    rounds: int = 0


class War:
    """War as a `threefold.game.Game`."""

    name = "war"
    rules_version = 1
    timed = False

    def new(self, setup: Mapping[str, Json], /) -> Table:
        an_object(setup, "setup", ("edition", "players", "seed", "dealer", "options", "deck"))
        an_object(setup.get("options", {}), "options", ())
        a_whole_number(setup.get("players", 2), "players", 2, 2)
        edition = one_of(setup.get("edition", "long"), "edition", EDITIONS)
        seed = a_seed(setup.get("seed", new_seed()))
        deck = [number for number in range(1, EDITIONS[edition] + 1) for _ in range(4)]
        shuffle(deck, len(deck), random_from(seed))
        deck = a_list(setup.get("deck", deck), "deck")
        complete = {"edition": edition, "players": 2, "dealer": setup.get("dealer", 0), "seed": seed, "options": {}}
        return Table(complete, (tuple(deck[::2]), tuple(deck[1::2])))

    def setup(self, table: Table) -> dict[str, Json]:
        return dict(table.setup)

    def players(self, table: Table) -> int:
        return len(table.hands)

    def card_names(self, table: Table) -> dict[str, str]:
        return {}

    def decisions(self, table: Table) -> list[Decision]:
        if self.ending(table) is not None:
            return []
        return [Decision(player, "turn", (MOVE,)) for player in (0, 1) if table.turned[player] < 0]

    def anytime(self, table: Table) -> list[Decision]:
        return []

    def explain(self, table: Table, player: int | None, move: str, at: int | None = None) -> IllegalMove | None:
        if any(each.player == player and move in each.moves for each in self.decisions(table)):
            return None
        return IllegalMove(Text("karma.refusal.not_a_move", {"move": move[:60]}))

    def play(self, table: Table, player: int | None, move: str, at: int | None = None) -> Step[Table]:
        refused = self.explain(table, player, move)
        if refused is not None or player is None:
            raise refused or IllegalMove(Text("karma.refusal.not_a_move", {"move": move[:60]}))
        card, *rest = table.hands[player]
        events = [Event("card_turned", {"player": player, "card": card})]
        turned = tuple(card if each == player else table.turned[each] for each in (0, 1))
        hands = tuple(tuple(rest) if each == player else table.hands[each] for each in (0, 1))
        table = replace(table, hands=hands, turned=turned)
        if min(turned) >= 0:
            taker = None if turned[0] == turned[1] else int(turned[1] > turned[0])
            won = tuple(count + 2 * (each == taker) for each, count in enumerate(table.won))
            table = replace(table, won=won, turned=(-1, -1), rounds=table.rounds + 1)
            events += [Event("cards_taken", {"player": taker}), Event("turn_began", {"player": 0})]
        if (ending := self.ending(table)) is not None:
            events.append(Event("game_ended", {"winners": list(ending.winners)}))
        return Step(table, events)

    def view(self, table: Table, viewer: Viewer) -> dict[str, Json]:
        awaited = self.decisions(table)
        ending = self.ending(table)
        return {
            "game": self.name,
            "viewer": viewer,
            "hands": [len(hand) for hand in table.hands],
            "won": list(table.won),
            "turned": [None if card < 0 else card for card in table.turned],
            "turns": table.rounds,
            "awaits": [{"player": each.player, "question": each.question} for each in awaited],
            "moves": [move for each in awaited if each.player == viewer for move in each.moves],
            "anytime": [],
            "ending": None if ending is None else ending.as_json(),
        }

    def open_view(self, table: Table) -> dict[str, Json]:
        return self.view(table, None)

    def state(self, table: Table) -> dict[str, Json]:
        return {**self.view(table, None), "hands": [list(hand) for hand in table.hands]}

    def ending(self, table: Table) -> Ending | None:
        if any(table.hands) or max(table.turned) >= 0:
            return None
        best = tuple(player for player, count in enumerate(table.won) if count == max(table.won))
        losers = () if len(best) == 2 else (1 - best[0],)
        return Ending("cards_gone", best, losers, table.won)


def ways() -> list[dict[str, Any]]:
    return [{"edition": name, "players": [2]} for name in EDITIONS]


KIT = Kit("tests.games.war:KIT", War(), bots={"any": any_legal_move}, stand_in="any", ways=ways)
