"""Finding SETs: all of them, the third card, hints, counts; among any cards, and on a table.

The first half is for people and reads like the definition. The second half looks at a Table and runs at both speeds.
"""

from collections.abc import Sequence
from itertools import combinations

from threefold.clauses import clause, helper
from threefold.setgame.cards import CARD_VALUES, THIRD, third_card
from threefold.setgame.moves import take_of
from threefold.setgame.table import NONE, PERSONAL, PERSONAL_FROM, Table

Triple = tuple[int, int, int]

__all__ = ["all_sets", "count_sets", "difficulty", "hint", "holds_a_set", "third_card"]

# ---------------------------------------------------------------- Among any cards


def all_sets(cards: Sequence[int]) -> list[Triple]:
    """Every SET among these different cards: two of them, and the third lies further on. In the order of the cards."""
    place = {card: i for i, card in enumerate(cards)}
    return [(a, b, c) for a, b in combinations(cards, 2) if place.get(c := THIRD[81 * a + b], -1) > place[b]]


def count_sets(cards: Sequence[int]) -> int:
    """How many SETs these different cards hold."""
    return len(all_sets(cards))


def holds_a_set(cards: Sequence[int]) -> bool:
    """Is there a SET among these different cards?"""
    lying = set(cards)
    return any(third_card(a, b) in lying for a, b in combinations(cards, 2))


def difficulty(a: int, b: int, c: int) -> int:
    """How hard a SET is to see: the number of features in which its cards differ, 1 to 4."""
    return sum(x != y != z for x, y, z in zip(CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=True))


def hint(cards: Sequence[int], count: int) -> tuple[int, ...]:
    """One, two or all three cards of the easiest SET there is; more of the same SET each time. () if none."""
    found = all_sets(cards)
    return min(found, key=lambda each: difficulty(*each))[:count] if found else ()


# ---------------------------------------------------------------- On a table, for one player


@clause("T2")
def card_within_reach(t: Table, player: int, i: int) -> int:
    """The cards a player may take from, one after the other: the layout, then one's own personal cards. May be NONE."""
    if i < t.places:
        return t.layout[i]
    return t.personal[player][i - t.places]


@clause("T2")
def index_within_reach(t: Table, player: int, card: int) -> int:
    """Which of the cards within the player's reach this is; NONE if it lies elsewhere."""
    where = t.where[card]
    if where < PERSONAL_FROM:
        return where
    place = where - PERSONAL_FROM - PERSONAL * player
    if 0 <= place < PERSONAL:
        return t.places + place
    return NONE


@helper
def reach(t: Table, most_personal: int) -> int:
    """How many places a player may take cards from."""
    return t.places + most_personal


@helper
def first_set_of_layout(t: Table) -> int:
    """The take of the first SET of the layout; 0 if there is none. The same as `first_set`, and faster."""
    for i in range(t.places - 2):
        a = t.layout[i]
        if a == NONE:
            continue
        for j in range(i + 1, t.places - 1):
            b = t.layout[j]
            if b != NONE:
                c = third_card(a, b)
                if j < t.where[c] < PERSONAL_FROM:
                    return take_of(a, b, c)
    return 0


@helper
def first_set(t: Table, player: int, most_personal: int) -> int:
    """The take of the first SET within the player's reach; 0 if there is none."""
    if most_personal == 0:
        return first_set_of_layout(t)
    places = reach(t, most_personal)
    for i in range(places - 2):
        a = card_within_reach(t, player, i)
        if a == NONE:
            continue
        for j in range(i + 1, places - 1):
            b = card_within_reach(t, player, j)
            if b != NONE:
                c = third_card(a, b)
                if index_within_reach(t, player, c) > j:
                    return take_of(a, b, c)
    return 0


@helper
def sets_within_reach(t: Table, player: int, most_personal: int) -> int:
    """How many SETs the player could take."""
    places = reach(t, most_personal)
    found = 0
    for i in range(places - 2):
        a = card_within_reach(t, player, i)
        if a == NONE:
            continue
        for j in range(i + 1, places - 1):
            b = card_within_reach(t, player, j)
            if b != NONE and index_within_reach(t, player, third_card(a, b)) > j:
                found += 1
    return found


@helper
def nth_set(t: Table, player: int, most_personal: int, n: int) -> int:
    """The take of the SET with this number, counted from 0 in the order of the cards; 0 if there are fewer."""
    places = reach(t, most_personal)
    for i in range(places - 2):
        a = card_within_reach(t, player, i)
        if a == NONE:
            continue
        for j in range(i + 1, places - 1):
            b = card_within_reach(t, player, j)
            if b != NONE:
                c = third_card(a, b)
                if index_within_reach(t, player, c) > j:
                    if n == 0:
                        return take_of(a, b, c)
                    n -= 1
    return 0


@clause("S16")
def somebody_can_take(t: Table, most_personal: int) -> bool:
    """Is there a SET for anybody who has not left?"""
    if most_personal == 0:
        return first_set(t, 0, 0) != 0
    for player in range(t.players):
        if t.left[player] == 0 and first_set(t, player, most_personal) != 0:
            return True
    return False
