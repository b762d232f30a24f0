"""Review: a finished game looked back on. Every layout with all its SETs: who found which, and which were missed.

A SET lies there from the moment its third card comes until it is taken, until another SET takes one of its cards away,
or until the deal is over. It counts as found when it was called, or taken where nobody needs to call.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from threefold.game import Event, Json
from threefold.setgame.cards import format_card, format_cards, parse_card
from threefold.setgame.decisions import cards_within_reach
from threefold.setgame.search import Triple, all_sets, difficulty
from threefold.setgame.table import GOES_ON, NONE, Table, has_personal_cards

FEATURES = (1, 2, 3, 4)
"""In how many features the cards of a SET can differ: how hard it is to see."""
OVERLOOKING = {"all_agreed", "penalty_added"}
"""Events by which players say that there is no SET, whether there is one or not."""

After = tuple[int, Table, Sequence[Event]]
"""One move: when it was made, the table after it, and what happened."""


@dataclass(slots=True)
class Lying:
    """A SET that lay on the table."""

    cards: Triple
    reach: list[int]
    """The players who could have taken it."""
    since: int
    until: int = NONE
    outcome: str = "left"
    """`taken`; `broken`: a card of it went with another SET; `left`: it lay there when the deal ended."""
    player: int | None = None
    found_ms: int | None = None
    overlooked: bool = False

    @property
    def missed(self) -> bool:
        """Whether nobody saw it, though there was time."""
        lay = self.until > self.since
        return self.outcome != "taken" and (self.overlooked or (self.outcome == "left" and lay))

    def as_json(self) -> Json:
        """As the report shows it."""
        return {
            "cards": format_cards(list(self.cards)),
            "features": difficulty(*self.cards),
            "reach": self.reach,
            "since": self.since,
            "until": self.until,
            "outcome": self.outcome,
            "player": self.player,
            "found_ms": self.found_ms,
            "overlooked": self.overlooked,
        }


@dataclass(slots=True)
class Layout:
    """The cards as they lay, from one change to the next."""

    move: int
    """After how many moves."""
    deal: int
    since: int
    cards: list[int]
    personal: list[list[int]]
    sets: list[int]
    until: int = NONE
    taken: int | None = None

    def as_json(self) -> Json:
        """As the report shows it."""
        return {
            "move": self.move,
            "deal": self.deal,
            "since": self.since,
            "until": self.until,
            "cards": [_card(card) for card in self.cards],
            "personal": [[_card(card) for card in row] for row in self.personal],
            "sets": self.sets,
            "taken": self.taken,
        }


@dataclass(slots=True)
class Review:
    """Looks on, move by move."""

    lives: list[Lying] = field(default_factory=list)
    lying: dict[Triple, int] = field(default_factory=dict)
    layouts: list[Layout] = field(default_factory=list)
    wrong: list[Json] = field(default_factory=list)
    called: dict[int, int] = field(default_factory=dict)
    """By player: when they called."""

    def look(self, table: Table, at: int, move: int) -> None:
        """Notes what lies there now."""
        goes_on = table.ending == GOES_ON and table.next_deal_at == NONE
        there = _sets_of(table) if goes_on else {}
        for cards in [each for each in self.lying if each not in there]:
            self.lives[self.lying.pop(cards)].until = at
        for cards, reach in there.items():
            if cards not in self.lying:
                self.lying[cards] = len(self.lives)
                self.lives.append(Lying(cards, reach, at))
        self._lay(table, at, move, goes_on=goes_on)

    def _lay(self, table: Table, at: int, move: int, *, goes_on: bool) -> None:
        cards = table.layout[: table.places]
        personal = [row[:] for row in table.personal[: table.players]] if has_personal_cards(table.deal.variant) else []
        last = self.layouts[-1] if self.layouts else None
        if last is not None and last.until == NONE:
            if goes_on and (last.cards, last.personal) == (cards, personal):
                return
            last.until = at
        if goes_on:
            self.layouts.append(Layout(move, table.deals, at, cards, personal, sorted(self.lying.values())))

    def take(self, events: Sequence[Event], at: int, move: int) -> None:
        """Notes what a move brought, before `look` sees the table after it."""
        for event in events:
            facts = event.facts
            if event.name == "called":
                self.called[facts["player"]] = at
            elif event.name == "set_taken":
                self._taken(facts, at)
            elif event.name == "wrong_set":
                self._failed(facts, "wrong_set", at, move)
            elif event.name == "call_failed":
                self.called.pop(facts["player"], None)
                if facts["failure"] != "wrong_set":
                    self._failed(facts, facts["failure"], at, move)
            elif event.name in OVERLOOKING:
                for i in self.lying.values():
                    self.lives[i].overlooked = True

    def _taken(self, facts: Mapping[str, Json], at: int) -> None:
        cards = {parse_card(card) for card in facts["cards"]}
        for triple, i in self.lying.items():
            life = self.lives[i]
            if set(triple) == cards:
                life.outcome, life.player = "taken", facts["player"]
                life.found_ms = max(0, self.called.get(facts["player"], at) - life.since)
                self.layouts[-1].taken = i
            elif cards & set(triple):
                life.outcome = "broken"
        self.called.pop(facts["player"], None)

    def _failed(self, facts: Mapping[str, Json], failure: str, at: int, move: int) -> None:
        tried = {"cards": facts.get("cards", []), "failing": facts.get("failing", [])}
        self.wrong.append({"move": move, "at": at, "player": facts["player"], "failure": failure, **tried})


def review(first: Table, moves: Iterable[After]) -> Json:
    """The report on a game: its layouts, its SETs, its wrong calls, and each player's figures."""
    seen = Review()
    seen.look(first, 0, 0)
    table, last = first, 0
    for number, (at, after, events) in enumerate(moves, 1):
        table, last = after, at
        seen.take(events, at, number)
        seen.look(table, at, number)
    _stop(seen, last)
    return {
        "variant": table.deal.variant.name,
        "players": table.players,
        "took_ms": last,
        "layouts": [each.as_json() for each in seen.layouts],
        "sets": [each.as_json() for each in seen.lives],
        "wrong": seen.wrong,
        "figures": [_figures(seen, player, last) for player in range(table.players)],
    }


def _stop(seen: Review, at: int) -> None:
    """A game that was given up in the middle ends where it stands."""
    for i in seen.lying.values():
        seen.lives[i].until = at
    if seen.layouts and seen.layouts[-1].until == NONE:
        seen.layouts[-1].until = at


def _figures(seen: Review, player: int, last: int) -> Json:
    """What is kept of one player's game: how hard each SET was and how long it took, and what was wrong or missed."""
    own = [each for each in seen.lives if each.player == player and each.found_ms is not None]
    return {
        "times": [[difficulty(*each.cards), each.found_ms] for each in own],
        "wrong": sum(each["player"] == player for each in seen.wrong),
        "missed": sum(each.missed and player in each.reach for each in seen.lives),
        "took_ms": last,
    }


def times_by_features(times: Iterable[Sequence[int]]) -> list[Json]:
    """For SETs that differ in one, two, three and four features: how many, the best time and the median."""
    found: dict[int, list[int]] = {features: [] for features in FEATURES}
    for features, milliseconds in times:
        found[features].append(milliseconds)
    return [
        {
            "features": features,
            "count": len(each),
            "best_ms": min(each, default=None),
            "median_ms": round(median(each)) if each else None,
        }
        for features, each in found.items()
    ]


def _sets_of(table: Table) -> dict[Triple, list[int]]:
    """Every SET that lies there, and which players could take it."""
    here = [player for player in range(table.players) if not table.left[player]]
    if not has_personal_cards(table.deal.variant):
        cards = [card for card in table.layout[: table.places] if card != NONE]
        return {_in_order(each): here for each in all_sets(cards)}
    found: dict[Triple, list[int]] = {}
    for player in here:
        for each in all_sets(cards_within_reach(table, player)):
            found.setdefault(_in_order(each), []).append(player)
    return found


def _in_order(cards: Triple) -> Triple:
    first, second, third = sorted(cards)
    return first, second, third


def _card(card: int) -> str | None:
    return None if card == NONE else format_card(card)
