"""The rules of Karma for people: a guide for every edition, from the edition as the rules read it.

Counts come from a real deal of the edition, and what fits on a pile from the rules' own list of moves.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from threefold.fields import an_object
from threefold.game import Json
from threefold.guide import Block, Group, Guide, Section, named, players
from threefold.karma import KARMA
from threefold.karma.cards import CREATE_YOUR_KARMA, PRINTED_CODES, KarmaCard, NumberCard, OnPile
from threefold.karma.design import sentences
from threefold.karma.editions import FEWEST_PLAYERS, FIRST_HOUSE, HOUSE, PUBLISHED, build, edition_row, options_from
from threefold.karma.table import DECKS, PLACES
from threefold.texts import Text

DEALS = 60
"""Limit of deals that are tried for a good figure."""


class KarmaGuides:
    """The guides of Karma, as its kit offers them."""

    def ways(self) -> list[str]:
        """The published editions."""
        return [row.name for row in PUBLISHED]

    def guide(self, way: str, setup: Mapping[str, Json]) -> Guide:
        """The guide of an edition, or of a table's edition and options."""
        an_object(setup, "setup", ("edition", "options"))
        return EditionGuide(
            setup.get("edition", FIRST_HOUSE if way == HOUSE else way), setup.get("options", {})
        ).guide()


class EditionGuide:
    """Writes the guide of one edition with its options."""

    def __init__(self, edition: Json, options: Json) -> None:
        self.setup = {"edition": edition, "options": options}
        self.row = edition_row(edition)
        self.options = options_from(options)
        self.edition = build(self.row, self.options)
        self.kinds = list(zip(self.edition.cards, self.edition.copies, strict=False))
        self.numbers = [(card, copies) for card, copies in self.kinds if isinstance(card, NumberCard)]
        self.karma = [(card, copies) for card, copies in self.kinds if isinstance(card, KarmaCard)]
        self.dealt, self.chosen = self.deal()

    def deal(self) -> tuple[Json, Json]:
        """A seat after the deal and after the choice of face-up cards; if possible one with a mixed choice."""
        for number in range(DEALS):
            setup = {**self.setup, "players": FEWEST_PLAYERS, "seed": f"v1:guide{number}", "dealer": 1}
            first = KARMA.new(setup)
            dealt, chosen = (KARMA.view(table, 0)["seats"][0] for table in (first, _face_up_cards_chosen(first)))
            hand, karma = chosen["hand"], {card.code for card, _ in self.karma}
            if karma & set(chosen["face_up"]) and not karma & set(hand) and len(set(hand)) == len(hand):
                break
        return dealt, chosen

    def guide(self) -> Guide:
        """All sections, in the order in which a game goes."""
        sections = {
            "goal": self.goal(),
            "cards": self.cards(),
            "set_up": self.set_up(),
            "turn": self.turn(),
            "order": self.order(),
            "clearing": self.clearing(),
            "karma_cards": self.karma_cards(),
            "end": self.end(),
        }
        written = {name: list(blocks) for name, blocks in sections.items()}
        return [Section(Text(f"rules.karma.section.{name}"), blocks) for name, blocks in written.items() if blocks]

    def goal(self) -> Iterator[Block]:
        """What the game is about, and for how many."""
        seats = [players(FEWEST_PLAYERS, self.edition.most_players)]
        if self.options.decks < DECKS:
            doubled = build(self.row, replace(self.options, decks=DECKS))
            seats.append(Text("rules.karma.two_decks", {"most": doubled.most_players}))
        yield Block([Text("rules.karma.goal")])
        yield Block(seats)

    def cards(self) -> Iterator[Block]:
        """The deck, with a few of its cards."""
        words = [Text("rules.karma.deck", {"count": sum(self.edition.copies), "n": self.options.decks})]
        if self.numbers:
            low, high = self.numbers[0][0].number, self.numbers[-1][0].number
            every = {copies for _, copies in self.numbers}
            words.append(
                Text("rules.karma.numbers", {"low": low, "high": high, "n": every.pop() if len(every) == 1 else None})
            )
        words.append(Text("rules.karma.kinds", {"n": len(self.karma)}))
        numbers = _spread([card.code for card, _ in self.numbers], 3)
        yield Block(words, [Group([*numbers, *(card.code for card, _ in self.karma[:1])])])

    def set_up(self) -> Iterator[Block]:
        """The deal and the choice of face-up cards."""
        down = sum(card is not None for card in self.dealt["face_down"])
        up = sum(card is not None for card in self.chosen["face_up"])
        hand = self.chosen["hand"]
        yield Block([Text("rules.karma.deal_down", {"n": down})])
        yield Block(
            [Text("rules.karma.deal_up", {"count": self.dealt["hand_size"], "n": up, "most": len(hand)})],
            [
                Group(self.chosen["face_up"], [Text("rules.karma.label.table")], look="table"),
                Group(hand, [Text("rules.karma.label.hand")]),
            ],
        )
        yield Block([Text("rules.karma.tip")])
        yield Block([Text("rules.karma.start")])

    def turn(self) -> Iterator[Block]:
        """Playing, picking up, drawing."""
        yield Block([Text("rules.karma.play")], self.what_fits())
        yield Block([Text("rules.karma.same")])
        yield Block([Text("rules.karma.pick_up")])
        draws = [Text("rules.karma.draw", {"n": self.chosen["hand_size"]})]
        if self.options.draw_by_hand:
            draws.append(Text("rules.karma.draw_by_hand"))
        yield Block(draws)
        yield Block([Text("rules.karma.next")])

    def what_fits(self) -> Sequence[Group]:
        """A number on the pile, and the playable cards of a hand."""
        numbers = [card.code for card, _ in self.numbers]
        if not numbers:
            return []
        top = numbers[len(numbers) // 2]
        hand = [each for each in _spread(numbers, 4) if each != top]
        if self.edition.copies[numbers.index(top)] > 1:
            hand.append(top)
        hand = [*sorted(hand, key=int), *(card.code for card, _ in self.karma[:1])]
        deck = [card.code for card, copies in self.kinds for _ in range(copies)]
        for card in (*hand, top):
            deck.remove(card)
        table = KARMA.new(
            {"position": f"{self._edition()}; 0 hand {' '.join(hand)}; 1 hand {deck[0]}; turn 0; pile {top}"}
        )
        fitting = {move.removeprefix("play ") for decision in KARMA.decisions(table) for move in decision.moves}
        fits = [card for card in hand if card in fitting]
        others = [card for card in hand if card not in fitting]
        groups = [
            Group([top], [Text("rules.karma.label.pile")]),
            Group(fits, [Text("rules.label.fits")], verdict="right"),
        ]
        return [*groups, Group(others, [Text("rules.label.fits_not")], verdict="wrong")] if others else groups

    def _edition(self) -> str:
        """The edition and its options, as a position begins."""
        edition = self.setup["edition"]
        return f"{edition if isinstance(edition, str) else json.dumps(edition)} {json.dumps(self.setup['options'])}"

    def order(self) -> Iterator[Block]:
        """The locations that cards are played from."""
        waits = bool(self.edition.table_cards_wait)
        yield Block([Text("rules.karma.order_hand")], [Group(self.chosen["hand"])], Text("rules.karma.label.first"))
        yield Block(
            [Text("rules.karma.order_up", {"waits": waits})],
            [Group(self.chosen["face_up"], look="table")],
            Text("rules.karma.label.second"),
        )
        yield Block([Text("rules.karma.order_down")], [Group([None] * PLACES)], Text("rules.karma.label.third"))
        yield Block([Text("rules.karma.order_back")])

    def clearing(self) -> Iterator[Block]:
        """How many identical cards clear, and what happens then."""
        n = self.edition.clears_at
        karma = [card.code for card, copies in self.karma if copies >= n]
        numbers = [card.code for card, copies in self.numbers if copies >= n]
        if not karma and not numbers:
            yield Block([Text("rules.karma.clear_never", {"n": n})])
            return
        able = numbers or [code for code in karma if code in PRINTED_CODES]
        yield Block(
            [Text(f"rules.karma.clear{self._gives()}", {"n": n})],
            [self.run_of(able[2 * len(able) // 3])] if able else (),
        )
        if karma:
            yield Block([Text("rules.karma.clear_karma")])

    def _gives(self) -> str:
        """The ending of sentences about a clear that gives the rest of the pile away."""
        return "_gives" if self.edition.after_clear else ""

    def run_of(self, last: str) -> Group:
        """A pile with as many of this card on top as clear."""
        n = self.edition.clears_at
        below = [card.code for card, _ in self.numbers if not last.isdigit() or card.number < int(last)]
        label = Text(f"rules.karma.label.clears{self._gives()}", {"card": last, "count": n})
        return Group([*_spread(below, 2), *[last] * n], [label], look="pile")

    def karma_cards(self) -> Iterator[Block]:
        """Every karma card with its copies and its sentences."""
        if self.karma:
            yield Block([Text("rules.karma.karma")])
        for card, copies in self.karma:
            words = [
                *sentences(card.powers, leaves=card.on_pile is OnPile.LEAVES),
                Text("rules.karma.copies", {"n": copies}),
            ]
            if card.code == CREATE_YOUR_KARMA:
                decided = self.options.create_your_karma is not None
                words.insert(0, Text("rules.karma.own_decided" if decided else "rules.karma.own"))
            title = named(card.name) if card.name else Text("rules.karma.card", {"card": card.code})
            yield Block(words, [Group([card.code])], title)

    def end(self) -> Iterator[Block]:
        """Going out, losing, and draws."""
        yield Block([Text("rules.karma.safe")])
        yield Block([Text("rules.karma.over")])
        yield Block([Text("rules.karma.agree_draw")])
        if self.options.turn_limit:
            yield Block([Text("rules.karma.turn_limit", {"n": self.options.turn_limit})])


def _face_up_cards_chosen(table: Json) -> Json:
    """The table after both players have laid out their best cards: the last ones in the order of the edition."""
    for decision in KARMA.decisions(table):
        table = KARMA.play(table, decision.player, decision.moves[-1]).table
    return table


def _spread(cards: Sequence[str], count: int) -> list[str]:
    """Some of the cards, from the first to the last at even distances."""
    if len(cards) <= count:
        return list(cards)
    return [cards[round(i * (len(cards) - 1) / (count - 1))] for i in range(count)]


GUIDES = KarmaGuides()
