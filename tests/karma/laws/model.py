"""A second, slower Karma table that knows no rules: single cards, moved by what the events tell, and who sees them.

It is the oracle of two laws. Events tell everything: moving the cards as told gives the table that the engine gives.
And nothing leaks: whatever this model says a viewer has not seen can be exchanged, and the viewer notices nothing.
"""

from collections import Counter
from collections.abc import Iterable

from threefold.game import Json, Viewer
from threefold.karma.memory import known_row
from threefold.karma.table import FACE_DOWN, NONE, NOWHERE, Table
from threefold.records import copied

CardId = int
"""One card among all others, identical ones included."""


class Cards:
    """Where every single card lies, and which cards each viewer has seen since this model was made."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds: list[int] = []
        self.codes = [card.code for card in table.deal.edition.cards]
        seats = range(table.players)
        self.hand = [self._cards(kind for kind, n in enumerate(table.hand[seat]) for _ in range(n)) for seat in seats]
        self.face_up = [[self._card(kind) for kind in table.face_up[seat]] for seat in seats]
        self.face_down = [[self._card(kind) for kind in table.face_down[seat]] for seat in seats]
        self.draw_pile = self._cards(table.draw_pile[: table.draw_size])  # the last is drawn first
        self.pile = self._cards(table.discard_pile[: table.discard_size])
        self.removed = self._cards(kind for kind, n in enumerate(table.removed) for _ in range(n))
        self.seat_of = table.seat_of[: table.players]
        self.peeked: dict[CardId, set[int]] = {
            card: {player for player in seats if table.peeked[seat][place] >> player & 1}
            for seat in seats
            for place, card in enumerate(self.face_down[seat])
            if card is not None
        }
        self.chosen: list[list[CardId]] = [[] for _ in seats]
        if table.turn_player == NONE:
            for player in seats:
                if table.chosen[player][0] != NONE:
                    self.chosen[player] = self._find(self.hand[self.seat_of[player]], table.chosen[player])
        self.gift: CardId | None = None
        if table.giving_from != NOWHERE:
            seat = self.seat_of[table.turn_player]
            self.gift = self._gift(seat, table.giving_from == FACE_DOWN, table.giving)
        self.direction = table.direction
        self.turn = table.turn_player
        self.lost = table.lost_turns[: table.players]
        self.out = {player for player in seats if table.out[player]}
        self.agreed = {player for player in seats if table.draw_agreed[player]}
        self.seen_by_all: set[CardId] = set()
        self.seen: dict[Viewer, set[CardId]] = {viewer: self._remembered(viewer) for viewer in (None, *seats)}
        self.named: list[CardId] = []  # the cards that the move itself named, seen or not
        self.look_round()

    def _remembered(self, viewer: Viewer) -> set[CardId]:
        """Cards of other hands that a viewer knows when this model is made (K28)."""
        cards: set[CardId] = set()
        for seat in range(self.table.players):
            if viewer is None or self.seat_of[viewer] != seat:
                row = self.table.known[known_row(self.table, NONE if viewer is None else viewer, seat)]
                cards.update(self._find(self.hand[seat], (kind for kind, n in enumerate(row) for _ in range(n))))
        return cards

    def _card(self, kind: int) -> CardId | None:
        if kind == NONE:
            return None
        self.kinds.append(kind)
        return len(self.kinds) - 1

    def _cards(self, kinds: Iterable[int]) -> list[CardId]:
        first = len(self.kinds)
        self.kinds.extend(kinds)
        return list(range(first, len(self.kinds)))

    def _find(self, among: list[CardId], kinds: Iterable[int]) -> list[CardId]:
        """Cards of these kinds; which of several identical ones does not matter."""
        found: list[CardId] = []
        for kind in kinds:
            found.append(next(card for card in among if self.kinds[card] == kind and card not in found))
        return found

    def _gift(self, seat: int, face_down: bool, which: int) -> CardId:  # noqa: FBT001 (as the table has it)
        if face_down:
            card = self.face_down[seat][which]
            assert card is not None
            return card
        hand = self.hand[seat]
        return self._find(hand or [card for card in self.face_up[seat] if card is not None], [which])[0]

    # ------------------------------------------------------------ Who sees what (K25–K27)

    def look_round(self) -> None:
        """Everybody sees what lies open now, and their own cards."""
        for viewer, seen in self.seen.items():
            seen.update(self.in_sight(viewer))

    def in_sight(self, viewer: Viewer) -> set[CardId]:
        sight = {*self.pile, *self.removed, *self.seen_by_all}
        for row in self.face_up:
            sight |= {card for card in row if card is not None}
        if viewer is not None:
            sight |= set(self.hand[self.seat_of[viewer]])
            sight |= {card for card, knowing in self.peeked.items() if viewer in knowing}
        return sight

    # ------------------------------------------------------------ What moves when an event is told

    def follow(self, events: Iterable[Json]) -> None:
        """Does what the events tell, secrets included."""
        for event in events:
            act = getattr(self, f"_{event['event']}", None)
            if act is not None:
                act(event)
            self.look_round()

    def _kinds(self, codes: Iterable[str]) -> list[int]:
        return [self.codes.index(code) for code in codes]

    def _take_from_hand(self, seat: int, codes: Iterable[str]) -> list[CardId]:
        cards = self._find(self.hand[seat], self._kinds(codes))
        for card in cards:
            self.hand[seat].remove(card)
        return cards

    def _take_face_up(self, seat: int, codes: Iterable[str]) -> list[CardId]:
        cards = self._find([card for card in self.face_up[seat] if card is not None], self._kinds(codes))
        self.face_up[seat] = [None if card in cards else card for card in self.face_up[seat]]
        return cards

    def _take_face_down(self, seat: int, place: int) -> CardId:
        card = self.face_down[seat][place - 1]
        assert card is not None
        self.face_down[seat][place - 1] = None
        self.peeked.pop(card, None)
        return card

    def _face_up_chosen(self, event: Json) -> None:
        hand = self.hand[self.seat_of[event["player"]]]
        self.chosen[event["player"]] = self._find(hand, self._kinds(event["cards"]))
        self.named += self.chosen[event["player"]]

    def _face_up_shown(self, event: Json) -> None:
        cards = self.chosen[event["player"]]
        assert self._kinds(event["cards"]) == [self.kinds[card] for card in cards]
        self.hand[event["seat"]] = [card for card in self.hand[event["seat"]] if card not in cards]
        self.face_up[event["seat"]] = [*cards]

    def _turn_began(self, event: Json) -> None:
        assert self.seat_of[event["player"]] == event["seat"]
        self.turn = event["player"]

    def _cards_played(self, event: Json) -> None:
        take = {"hand": self._take_from_hand, "face_up": self._take_face_up}[event["from"]]
        self.pile += take(event["seat"], [event["card"]] * event["count"])

    def _card_flipped(self, event: Json) -> None:
        card = self._take_face_down(event["seat"], event["place"])
        assert self.codes[self.kinds[card]] == event["card"]
        self.pile.append(card)

    def _pile_picked_up(self, event: Json) -> None:
        assert self._kinds(event["cards"]) == [self.kinds[card] for card in self.pile]
        self.hand[event["seat"]] += self.pile
        self.pile = []

    _pile_given = _pile_picked_up

    def _pile_cleared(self, event: Json) -> None:
        keep = len(self.pile) - len(event["cards"])
        assert self._kinds(event["cards"]) == [self.kinds[card] for card in self.pile[keep:]]
        self.removed += self.pile[keep:]
        del self.pile[keep:]

    def _cards_left(self, event: Json) -> None:
        for _ in range(event["count"]):
            assert self.codes[self.kinds[self.pile[-1]]] == event["card"]
            self.removed.append(self.pile.pop())

    def _bottom_moved_up(self, event: Json) -> None:
        self.pile.append(self.pile.pop(0))
        assert self.codes[self.kinds[self.pile[-1]]] == event["card"]

    def _direction_reversed(self, event: Json) -> None:
        self.direction = -self.direction
        assert event["direction"] == self.direction

    def _seats_changed(self, event: Json) -> None:
        for moved in event["moved"]:
            assert self.seat_of[moved["player"]] == moved["from"]
        for moved in event["moved"]:
            self.seat_of[moved["player"]] = moved["to"]
        assert sorted(self.seat_of) == list(range(len(self.seat_of)))

    def _hands_passed(self, event: Json) -> None:
        step = {"left": 1, "right": -1}[event["way"]]  # seats count clockwise, and left is clockwise
        seats = len(self.hand)
        self.hand = [self.hand[(seat - step) % seats] for seat in range(seats)]

    def _hands_exchanged(self, event: Json) -> None:
        one, two = self.seat_of[event["player"]], self.seat_of[event["to"]]
        self.hand[one], self.hand[two] = self.hand[two], self.hand[one]

    def _turns_to_lose(self, event: Json) -> None:
        self.lost[event["to"]] += event["count"]

    def _turn_lost(self, event: Json) -> None:
        self.lost[event["player"]] -= 1
        assert self.lost[event["player"]] == event["count"]

    def _gift_chosen(self, event: Json) -> None:
        face_down = event["from"] == "face_down"
        which = event["place"] - 1 if face_down else self.codes.index(event["card"])
        self.gift = self._gift(self.seat_of[event["player"]], face_down, which)
        self.named.append(self.gift)

    def _card_given(self, event: Json) -> None:
        card, seat = self.gift, self.seat_of[event["player"]]
        assert card is not None
        assert self.codes[self.kinds[card]] == event["card"]
        if event["from"] == "face_down":
            assert self._take_face_down(seat, event["place"]) == card
        elif event["from"] == "hand":
            self.hand[seat].remove(card)
        else:
            self.face_up[seat] = [None if each == card else each for each in self.face_up[seat]]
        self.hand[self.seat_of[event["to"]]].append(card)
        self.gift = None

    def _cards_drawn(self, event: Json) -> None:
        assert len(event["cards"]) == event["count"]
        for code in event["cards"]:
            card = self.draw_pile.pop()
            assert self.codes[self.kinds[card]] == code
            self.hand[event["seat"]].append(card)

    def _nothing_to_do(self, event: Json) -> None:
        if event["power"] == "swap_face_up":  # that no swap is possible says something about the hand
            self.seen_by_all |= set(self.hand[self.seat_of[event["player"]]])

    def _card_peeked_at(self, event: Json) -> None:
        card = self.face_down[event["seat"]][event["place"] - 1]
        assert card is not None
        assert self.codes[self.kinds[card]] == event["card"]
        self.peeked.setdefault(card, set()).add(event["player"])

    def _cards_swapped(self, event: Json) -> None:
        seat, place = event["seat"], event["place"] - 1
        old, new = self.face_up[seat][place], self._take_from_hand(seat, [event["hand"]])[0]
        assert old is not None
        assert self.codes[self.kinds[old]] == event["up"]
        self.face_up[seat][place] = new
        self.hand[seat].append(old)

    def _went_out(self, event: Json) -> None:
        self.out.add(event["player"])

    def _brought_back(self, event: Json) -> None:
        self.out.remove(event["player"])

    def _draw_offered(self, event: Json) -> None:
        self.agreed.add(event["player"])

    _agreed_to_draw = _draw_offered

    def _draw_withdrawn(self, _: Json) -> None:
        self.agreed.clear()

    # ------------------------------------------------------------ As a Table

    def lies_like(self, table: Table) -> None:
        """Fails where the table differs from this model."""
        kinds = self.kinds

        def row(cards: list[CardId | None]) -> list[int]:
            return [NONE if card is None else kinds[card] for card in cards]

        for seat in range(table.players):
            held = Counter(kinds[card] for card in self.hand[seat])
            assert [held[kind] for kind in range(len(table.hand[seat]))] == table.hand[seat]
            assert row(self.face_up[seat]) == table.face_up[seat]
            assert row(self.face_down[seat]) == table.face_down[seat]
            for place, card in enumerate(self.face_down[seat]):
                knowing = set() if card is None else self.peeked.get(card, set())
                assert sum(1 << player for player in knowing) == table.peeked[seat][place]
        assert [kinds[card] for card in self.draw_pile] == table.draw_pile[: table.draw_size]
        assert [kinds[card] for card in self.pile] == table.discard_pile[: table.discard_size]
        gone = Counter(kinds[card] for card in self.removed)
        assert [gone[kind] for kind in range(len(table.removed))] == table.removed
        assert self.seat_of == table.seat_of[: table.players]
        assert self.direction == table.direction
        assert self.turn == table.turn_player
        assert self.lost == table.lost_turns[: table.players]
        assert self.out == {player for player in range(table.players) if table.out[player]}
        assert self.agreed == {player for player in range(table.players) if table.draw_agreed[player]}

    def with_other_cards(self, kinds: list[int]) -> Table:
        """The table this model was made from, with other kinds at the same places. Ask before following events."""
        table = copied(self.table)

        def row(cards: list[CardId | None]) -> list[int]:
            return [NONE if card is None else kinds[card] for card in cards]

        for seat in range(table.players):
            held = Counter(kinds[card] for card in self.hand[seat])
            table.hand[seat][:] = [held[kind] for kind in range(len(table.hand[seat]))]
            table.face_down[seat][:] = row(self.face_down[seat])
        table.draw_pile[: table.draw_size] = [kinds[card] for card in self.draw_pile]
        for player, chosen in enumerate(self.chosen):
            if chosen:
                table.chosen[player][:] = sorted(kinds[card] for card in chosen)
        if self.gift is not None and table.giving_from != FACE_DOWN:
            table.giving = kinds[self.gift]
        return table


def spread_memory(table: Table) -> None:
    """Gives every viewer rows of their own in the table's memory, and leaves nothing in rows that nobody reads."""
    rows = {
        (viewer + 1) * table.players + seat: table.known[known_row(table, viewer, seat)][:]
        for viewer in range(NONE, table.players)
        for seat in range(table.players)
        if viewer == NONE or table.seat_of[viewer] != seat
    }
    for number, row in enumerate(table.known):
        row[:] = rows.get(number, [0] * len(row))
    table.known_rows = table.players * (table.players + 1)
