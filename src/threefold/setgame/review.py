"""Review of a finished game: every layout with all its SETs, who found which, and which were missed.

A SET lies on the table from the moment its last card is laid until it is taken, until another SET takes one of its
cards or continues the chain without it, or until the deal ends. The time of finding it is that of the call, or of the
take where nobody needs to call.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Annotated, Literal, TypedDict

from threefold import kit
from threefold.facts import Words
from threefold.game import Event, Json
from threefold.setgame.cards import format_cards, parse_card
from threefold.setgame.decisions import cards_within_reach
from threefold.setgame.events import FAILURES
from threefold.setgame.notation import card_or_none
from threefold.setgame.search import DIFFICULTIES, Cards, all_sets, difficulty, sets_of
from threefold.setgame.table import GOES_ON, NONE, PREVIOUS_FROM, Table, has_personal_cards
from threefold.setgame.variants import VARIANTS
from threefold.texts import TextForm

NO_SET_CLAIMS = {"all_agreed", "penalty_added"}
"""Events by which players claim that there is no SET, whether there is one or not."""

PlayedMove = tuple[int, Table, Sequence[Event]]
"""The time of a move, the table after it, and its events."""


# ---------------------------------------------------------------- Forms


class SetReviewed(TypedDict):
    """A SET on the table: the players who could take it (`reach`), how long it lay there, and its outcome.

    `found_ms` is the time from its third card to the call. `broken`: another SET used one of its cards. `left`: it lay
    there when the deal ended. `overlooked`: while it lay there, everybody agreed that there was no SET.
    """

    cards: list[str]
    features: int
    reach: list[int]
    since: int
    until: int
    outcome: Literal["taken", "broken", "left"]
    player: int | None
    found_ms: int | None
    overlooked: bool


class LayoutReviewed(TypedDict):
    """The cards on the table after move number `move`, and for how long; `sets` and `taken` are indices of SETs."""

    move: int
    deal: int
    since: int
    until: int
    cards: list[str | None]
    personal: list[list[str | None]]
    sets: list[int]
    taken: int | None


class WrongReviewed(TypedDict):
    """A failed call: three wrong cards and the reason, or no cards in time."""

    move: int
    at: int
    player: int
    failure: Annotated[str, Words(FAILURES.values())]
    cards: list[str]
    failing: list[TextForm]


class ReportForm(TypedDict):
    """The report on a finished game; times are the game's own, in milliseconds."""

    variant: Annotated[str, Words(VARIANTS)]
    took_ms: int
    layouts: list[LayoutReviewed]
    sets: list[SetReviewed]
    wrong: list[WrongReviewed]


class TimesForm(TypedDict):
    """How fast a player found SETs that differ in `features` features."""

    features: int
    count: int
    best_ms: int | None
    median_ms: int | None


class SummaryForm(TypedDict):
    """One player's figures; `missed` counts the SETs in reach that nobody took although there was time."""

    found: int
    wrong: int
    missed: int
    times: list[TimesForm]


# ---------------------------------------------------------------- Review


@dataclass(slots=True)
class LaidSet:
    """A SET that lay on the table from `since` to `until`."""

    cards: Cards
    reach: list[int]
    """The players who could have taken it."""
    since: int
    until: int = NONE
    outcome: Literal["taken", "broken", "left"] = "left"
    player: int | None = None
    found_ms: int | None = None
    overlooked: bool = False

    @property
    def missed(self) -> bool:
        """Did nobody find it, although there was time?"""
        had_time = self.until > self.since
        return self.outcome != "taken" and (self.overlooked or (self.outcome == "left" and had_time))

    def as_json(self) -> SetReviewed:
        """One entry of the report."""
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
    """The cards on the table, then the previous SET of a chain, from one change of them or their SETs to the next."""

    move: int
    """The number of moves before it."""
    deal: int
    since: int
    cards: list[int]
    personal: list[list[int]]
    sets: list[int]
    until: int = NONE
    taken: int | None = None

    def as_json(self) -> LayoutReviewed:
        """One entry of the report."""
        return {
            "move": self.move,
            "deal": self.deal,
            "since": self.since,
            "until": self.until,
            "cards": [card_or_none(card) for card in self.cards],
            "personal": [[card_or_none(card) for card in row] for row in self.personal],
            "sets": self.sets,
            "taken": self.taken,
        }


@dataclass(slots=True)
class Review:
    """Follows a game move by move and collects its layouts, SETs and wrong calls."""

    sets: list[LaidSet] = field(default_factory=list)
    lying: dict[Cards, int] = field(default_factory=dict)
    """The SETs that lie on the table now -> their index in `sets`."""
    layouts: list[Layout] = field(default_factory=list)
    wrong: list[WrongReviewed] = field(default_factory=list)
    chain: bool = False
    """Can only SETs be taken that use a card of the previous SET?"""
    stays: bool = False
    """Do the cards of a SET stay, so that none breaks another?"""
    called: dict[int, int] = field(default_factory=dict)
    """Player -> the time of the open call."""

    def add_table(self, table: Table, at: int, move: int) -> None:
        """Records the SETs and the layout on the table after a move."""
        goes_on = table.ending == GOES_ON and table.next_deal_at == NONE
        sets_now = _sets_of(table) if goes_on else {}
        for cards in [each for each, i in self.lying.items() if each not in sets_now or self._is_gone(self.sets[i])]:
            self.sets[self.lying.pop(cards)].until = at
        for cards, reach in sets_now.items():
            if cards not in self.lying:
                self.lying[cards] = len(self.sets)
                self.sets.append(LaidSet(cards, reach, at))
            elif self.sets[self.lying[cards]].outcome == "broken":
                self.sets[self.lying[cards]].outcome = "left"  # it continues the chain as well
        self._add_layout(table, at, move, goes_on=goes_on)

    def _is_gone(self, laid: LaidSet) -> bool:
        """Did a take end this SET? Its cards may lie there anew, where cards are used again."""
        return laid.outcome == "taken" or (laid.outcome == "broken" and not self.chain)

    def _add_layout(self, table: Table, at: int, move: int, *, goes_on: bool) -> None:
        cards = table.layout[: table.places] + table.layout[PREVIOUS_FROM : PREVIOUS_FROM + table.previous_size]
        personal = [row[:] for row in table.personal[: table.players]] if has_personal_cards(table.deal.variant) else []
        sets = sorted(self.lying.values())
        last = self.layouts[-1] if self.layouts else None
        if last is not None and last.until == NONE:
            if goes_on and (last.cards, last.personal, last.sets) == (cards, personal, sets):
                return
            last.until = at
        if goes_on:
            self.layouts.append(Layout(move, table.deals, at, cards, personal, sets))

    def add_events(self, events: Sequence[Event], at: int, move: int) -> None:
        """Records the events of a move; to be called before `add_table`."""
        for event in events:
            facts = event.facts
            if event.name == "called":
                self.called[facts["player"]] = at
            elif event.name == "set_taken":
                self._add_take(facts, at)
            elif event.name == "wrong_set":
                self._add_failure(facts, "wrong_set", at, move)
            elif event.name == "call_failed":
                self.called.pop(facts["player"], None)
                if facts["failure"] != "wrong_set":
                    self._add_failure(facts, facts["failure"], at, move)
            elif event.name in NO_SET_CLAIMS:
                for i in self.lying.values():
                    self.sets[i].overlooked = True

    def _add_take(self, facts: Mapping[str, Json], at: int) -> None:
        cards = {parse_card(card) for card in facts["cards"]}
        for triple, i in self.lying.items():
            laid = self.sets[i]
            if set(triple) == cards:
                laid.outcome, laid.player = "taken", facts["player"]
                laid.found_ms = max(0, self.called.get(facts["player"], at) - laid.since)
                self.layouts[-1].taken = i
            elif self.chain or (not self.stays and cards & set(triple)):
                laid.outcome = "broken"
        self.called.pop(facts["player"], None)

    def _add_failure(self, facts: Mapping[str, Json], failure: str, at: int, move: int) -> None:
        cards, failing = facts.get("cards", []), facts.get("failing", [])
        self.wrong.append(
            {
                "move": move,
                "at": at,
                "player": facts["player"],
                "failure": failure,
                "cards": cards,
                "failing": failing,
            }
        )


def review(first: Table, moves: Iterable[PlayedMove]) -> kit.Review:
    """The review of a game: its layouts, its SETs, its wrong calls, and each player's figures."""
    variant = first.deal.variant
    collected = Review(chain=bool(variant.chain), stays=bool(variant.stays))
    collected.add_table(first, 0, 0)
    table, last = first, 0
    for number, (at, after, events) in enumerate(moves, 1):
        table, last = after, at
        collected.add_events(events, at, number)
        collected.add_table(table, at, number)
    _close(collected, last)
    report: ReportForm = {
        "variant": table.deal.variant.name,
        "took_ms": last,
        "layouts": [each.as_json() for each in collected.layouts],
        "sets": [each.as_json() for each in collected.sets],
        "wrong": collected.wrong,
    }
    figures = [_figures(collected, player, last) for player in range(table.players)]
    return {"report": report, "figures": figures, "summaries": [_summary(each) for each in figures]}


def _close(collected: Review, at: int) -> None:
    """Ends the SETs and the layout still on the table, if the game stopped before its end."""
    for i in collected.lying.values():
        collected.sets[i].until = at
    if collected.layouts and collected.layouts[-1].until == NONE:
        collected.layouts[-1].until = at


def _figures(collected: Review, player: int, last: int) -> Json:
    """One player's figures: difficulty and time of each SET found, and the number of wrong calls and missed SETs."""
    own = [each for each in collected.sets if each.player == player and each.found_ms is not None]
    return {
        "times": [[difficulty(*each.cards), each.found_ms] for each in own],
        "wrong": sum(each["player"] == player for each in collected.wrong),
        "missed": sum(each.missed and player in each.reach for each in collected.sets),
        "took_ms": last,
    }


def _summary(figures: Json) -> SummaryForm:
    """One player's figures as the page shows them."""
    return {
        "found": len(figures["times"]),
        "wrong": figures["wrong"],
        "missed": figures["missed"],
        "times": times_by_features(figures["times"]),
    }


def times_by_features(times: Iterable[Sequence[int]]) -> list[TimesForm]:
    """For SETs that differ in one to four features, in Mega also five: their number, the best time and the median."""
    by_features: dict[int, list[int]] = {features: [] for features in DIFFICULTIES}
    for features, milliseconds in times:
        by_features.setdefault(features, []).append(milliseconds)
    return [
        {
            "features": features,
            "count": len(each),
            "best_ms": min(each, default=None),
            "median_ms": round(median(each)) if each else None,
        }
        for features, each in by_features.items()
    ]


def _sets_of(table: Table) -> dict[Cards, list[int]]:
    """Every SET on the table, and the players who could take it."""
    variant = table.deal.variant
    here = [player for player in range(table.players) if not table.left[player]]
    if not has_personal_cards(variant):
        return {_in_order(each): here for each in sets_of(variant, table, NONE)}
    takers: dict[Cards, list[int]] = {}
    for player in here:
        for each in all_sets(cards_within_reach(table, player)):
            takers.setdefault(_in_order(each), []).append(player)
    return takers


def _in_order(cards: Cards) -> Cards:
    return tuple(sorted(cards))
