"""Finding SETs among any cards, and on a table.

The first half works on lists of cards, in plain Python. The second half works on a Table and runs plain and compiled.
"""

from collections.abc import Sequence
from itertools import combinations

from threefold.clauses import clause, helper
from threefold.setgame.cards import CARD_VALUES, THIRD, third_card
from threefold.setgame.moves import take_of
from threefold.setgame.table import NONE, PERSONAL, PERSONAL_FROM, Table

DIFFICULTIES = (1, 2, 3, 4)
"""The numbers of features in which the cards of a SET can differ."""
Triple = tuple[int, int, int]

__all__ = ["all_sets", "count_sets", "difficulty", "hint", "holds_a_set", "third_card"]

# ---------------------------------------------------------------- Among any cards


def all_sets(cards: Sequence[int]) -> list[Triple]:
    """Every SET among these different cards, in their order: each pair whose third card comes later in the list."""
    place = {card: i for i, card in enumerate(cards)}
    return [(a, b, c) for a, b in combinations(cards, 2) if place.get(c := THIRD[81 * a + b], -1) > place[b]]


def count_sets(cards: Sequence[int]) -> int:
    """The number of SETs among these different cards."""
    return len(all_sets(cards))


def holds_a_set(cards: Sequence[int]) -> bool:
    """Is there a SET among these different cards?"""
    lying = set(cards)
    return any(third_card(a, b) in lying for a, b in combinations(cards, 2))


def difficulty(a: int, b: int, c: int) -> int:
    """The difficulty of a SET: the number of features in which its cards differ, 1 to 4."""
    return sum(x != y != z for x, y, z in zip(CARD_VALUES[a], CARD_VALUES[b], CARD_VALUES[c], strict=True))


def hint(cards: Sequence[int], count: int) -> tuple[int, ...]:
    """The first `count` cards of the easiest SET; always of the same SET. () if there is none."""
    sets = all_sets(cards)
    return min(sets, key=lambda each: difficulty(*each))[:count] if sets else ()


# ---------------------------------------------------------------- On a table, for one player


@clause("T2")
def card_within_reach(t: Table, player: int, i: int) -> int:
    """Card number `i` within the player's reach: the layout, then the personal cards. NONE for an empty place."""
    if i < t.places:
        return t.layout[i]
    return t.personal[player][i - t.places]


@clause("T2")
def index_within_reach(t: Table, player: int, card: int) -> int:
    """The index of a card within the player's reach; NONE if it lies elsewhere."""
    where = t.where[card]
    if where < PERSONAL_FROM:
        return where
    place = where - PERSONAL_FROM - PERSONAL * player
    if 0 <= place < PERSONAL:
        return t.places + place
    return NONE


@helper
def reach(t: Table, most_personal: int) -> int:
    """The number of places a player may take cards from."""
    return t.places + most_personal


@helper
def first_set_of_layout(t: Table) -> int:
    """The take of the first SET of the layout; 0 if there is none. Faster than `nth_set`, with the same result."""
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
    return nth_set(t, player, most_personal, 0)


@helper
def sets_within_reach(t: Table, player: int, most_personal: int) -> int:
    """The number of SETs the player could take."""
    places = reach(t, most_personal)
    count = 0
    for i in range(places - 2):
        a = card_within_reach(t, player, i)
        if a == NONE:
            continue
        for j in range(i + 1, places - 1):
            b = card_within_reach(t, player, j)
            if b != NONE and index_within_reach(t, player, third_card(a, b)) > j:
                count += 1
    return count


@helper
def nth_set(t: Table, player: int, most_personal: int, n: int) -> int:
    """The take of SET number `n`, counted from 0 in the order of the cards; 0 if there are fewer."""
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
