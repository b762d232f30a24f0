"""A second, slower memory (K28, K29): the worlds that one viewer holds possible, from the events that they are told.

For every hand and every card it keeps all numbers of that card which the viewer may still be following there: 2 where
two were seen to join, 1 or 2 once a card has left unseen. What is certain is the least of them.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.karma.laws.model import Cards
from threefold.game import Event, Json, Viewer
from threefold.karma.table import Table

Worlds = defaultdict[str, set[int]]
"""Card -> how many of it may still be there."""


def nothing() -> Worlds:
    return defaultdict(lambda: {0})


def all_of(hand: Counter[str]) -> Worlds:
    worlds = nothing()
    worlds.update({code: {count} for code, count in hand.items() if count})
    return worlds


class Remembering:
    """What one viewer knows of every hand."""

    def __init__(self, viewer: Viewer, players: int) -> None:
        self.viewer = viewer
        self.hands = [nothing() for _ in range(players)]

    def certain(self, seat: int) -> Counter[str]:
        return Counter({code: min(counts) for code, counts in self.hands[seat].items() if min(counts)})

    def fold(self, shown: Json, cards: Cards) -> None:
        """One event, with the table as it lay before it; of that, only what this viewer sees is looked at."""
        own = None if self.viewer is None else cards.seat_of[self.viewer]
        act = getattr(self, f"_{shown['event']}", None)
        if act is None:
            return
        if own is not None:
            held = Counter(cards.codes[cards.kinds[card]] for card in cards.hand[own])
            self.hands[own] = all_of(held)
        act(shown, cards)

    def _joins(self, seat: int, codes: Sequence[str]) -> None:
        for code in codes:
            self.hands[seat][code] = {count + 1 for count in self.hands[seat][code]}

    def _leaves(self, seat: int, code: str) -> None:
        self.hands[seat][code] = {max(0, count - 1) for count in self.hands[seat][code]}

    def _cards_played(self, shown: Json, _: Cards) -> None:
        for card in [shown["card"]] * (shown["count"] if shown["from"] == "hand" else 0):
            self._leaves(shown["seat"], card)

    def _pile_picked_up(self, shown: Json, _: Cards) -> None:
        self._joins(shown["seat"], shown["cards"])

    _pile_given = _pile_picked_up

    def _cards_swapped(self, shown: Json, _: Cards) -> None:
        self._joins(shown["seat"], [shown["up"]])
        self._leaves(shown["seat"], shown["hand"])

    def _hands_exchanged(self, shown: Json, cards: Cards) -> None:
        one, two = cards.seat_of[shown["player"]], cards.seat_of[shown["to"]]
        self.hands[one], self.hands[two] = self.hands[two], self.hands[one]

    def _hands_passed(self, shown: Json, _: Cards) -> None:
        step = {"left": 1, "right": -1}[shown["way"]]
        self.hands = [self.hands[(seat - step) % len(self.hands)] for seat in range(len(self.hands))]

    def _seats_changed(self, _told: Json, _cards: Cards) -> None:
        """Cards stay where they lie: the viewer's own hand was written down before this event."""

    def _card_given(self, shown: Json, cards: Cards) -> None:
        giver, receiver = cards.seat_of[shown["player"]], cards.seat_of[shown["to"]]
        card = shown["card"]
        if shown["from"] == "face_down":
            lying = cards.face_down[giver][shown["place"] - 1]
            assert lying is not None
            peeked = self.viewer in cards.peeked.get(lying, set())
            card = cards.codes[cards.kinds[lying]] if peeked else card
        elif shown["from"] == "hand":
            size = len(cards.hand[giver])
            only = [code for code, counts in self.hands[giver].items() if min(counts) == size]
            card = only[0] if card is None and only else card
            if card is None:
                for code, counts in self.hands[giver].items():
                    self.hands[giver][code] = counts | {max(0, count - 1) for count in counts}
            else:
                self._leaves(giver, card)
        if card is not None:
            self._joins(receiver, [card])


class Everybody:
    """The memories of all viewers of one game, and the cards as they truly lie."""

    def __init__(self, table: Table) -> None:
        self.cards = Cards(table)
        self.memories = [Remembering(viewer, table.players) for viewer in (None, *range(table.players))]

    def follow(self, events: Sequence[Event]) -> None:
        for event in events:
            for memory in self.memories:
                memory.fold(event.seen_by(memory.viewer), self.cards)
            self.cards.follow([event.whole()])
