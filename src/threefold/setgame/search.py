"""Finding SETs among any cards, and on a table.

The first half works on lists of cards, in plain Python. The second half works on a Table and runs plain and compiled.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from threefold.clauses import apart, clause, helper
from threefold.setgame.cards import (
    MEGA_DECK,
    QUADS_FROM,
    THIRD,
    are_three_pairs,
    are_two_pairs,
    completes,
    third_card,
    values_by_feature,
)
from threefold.setgame.moves import TAKE, card_in, cards_in, take_of, with_card
from threefold.setgame.table import (
    NONE,
    PERSONAL,
    PERSONAL_FROM,
    PLACES,
    PREVIOUS_FROM,
    Table,
    Variant,
    has_personal_cards,
)

DIFFICULTIES = (1, 2, 3, 4)
"""The numbers of features in which the cards of a SET can differ."""
Triple = tuple[int, int, int]
Cards = tuple[int, ...]

# ---------------------------------------------------------------- Among any cards


def all_sets(cards: Sequence[int]) -> list[Triple]:
    """Every SET of three among these different cards, in their order: each pair whose third card comes later."""
    place = {card: i for i, card in enumerate(cards)}
    return [(a, b, c) for a, b in combinations(cards, 2) if place.get(c := THIRD[MEGA_DECK * a + b], -1) > place[b]]


def all_sets_of(size: int, cards: Sequence[int]) -> list[Cards]:
    """Every SET of this many cards among these different cards, in their order."""
    if size == 3:
        return list(all_sets(cards))
    place = {card: i for i, card in enumerate(cards)}
    all_chosen = first_head(size - 1)
    found = []
    for head in combinations(cards, size - 1):
        for way in range(ways_to_complete(size, head[0])):
            last = completing(size, list(head), all_chosen, way)
            if place.get(last, -1) > place[head[-1]]:
                found.append((*head, last))
    return found


def count_sets(cards: Sequence[int]) -> int:
    """The number of SETs among these different cards."""
    return len(all_sets(cards))


def holds_a_set(cards: Sequence[int]) -> bool:
    """Is there a SET among these different cards?"""
    lying = set(cards)
    return any(third_card(a, b) in lying for a, b in combinations(cards, 2))


def difficulty(*cards: int) -> int:
    """The difficulty of a SET: the number of features in which its cards differ, 1 to 4 (in Mega 5)."""
    return sum(len(set(values)) > 1 for values in values_by_feature(cards))


def hint(cards: Sequence[int], count: int) -> tuple[int, ...]:
    """The first `count` cards of the easiest SET; always of the same SET. () if there is none."""
    return easiest(all_sets(cards), count)


def easiest(sets: Sequence[Cards], count: int) -> Cards:
    """The first `count` cards of the easiest of these SETs. () if there is none."""
    return min(sets, key=lambda each: difficulty(*each))[:count] if sets else ()


# ---------------------------------------------------------------- The next SET, among cards and where they lie

# `cards` are cards or NONE by index, `at` is the index of each card, or a number without meaning that is negative or at
# least PERSONAL_FROM. From index `chain_from` on lie the cards of the previous SET, of which a SET uses exactly one
# (M31); NONE is a game without that rule. `after` is the SET found last; 0 begins anew.

HEAD_BITS: Final = 6
HEAD_MASK: Final = 63


@helper
def next_set(size: int, cards: list[int], at: list[int], count: int, chain_from: int, after: int) -> int:
    """The take of the next SET, in the order of the cards; 0 if there is none."""
    if size == 3:
        return next_line(cards, at, count, chain_from, after)
    return next_group(size, cards, at, count, chain_from, after)


@apart
def next_line(cards: list[int], at: list[int], count: int, chain_from: int, after: int) -> int:
    """`next_set` for SETs of three cards: each pair whose third card comes later."""
    first = 0
    second = 0
    if after != 0:
        first = at[card_in(after, 0)]
        second = at[card_in(after, 1)]
    for i in range(first, count - 2):
        a = cards[i]
        if a == NONE:
            continue
        for j in range(second + 1 if i == first and after != 0 else i + 1, count - 1):
            b = cards[j]
            if b != NONE:
                c = third_card(a, b)
                if j < at[c] < PERSONAL_FROM and continues(j, at[c], chain_from):
                    return take_of(a, b, c)
    return 0


@clause("M31")
def continues(last_but_one: int, last: int, chain_from: int) -> bool:
    """Does a SET use exactly one card of the previous one? Its last two cards decide, as those cards lie behind."""
    return chain_from == NONE or last_but_one < chain_from <= last


@clause("M21", "M51", "M61")
def next_group(size: int, cards: list[int], at: list[int], count: int, chain_from: int, after: int) -> int:
    """`next_set` for SETs of four and six cards: all cards but the last are chosen in order, and it completes them."""
    head = size - 1
    chosen = first_head(head) if count >= size else NONE
    way = 0
    if after != 0:
        chosen = 0
        for i in range(head):
            chosen |= at[card_in(after, i)] << (HEAD_BITS * i)
        while completing(size, cards, chosen, way) != card_in(after, head):
            way += 1
        way += 1
    while chosen != NONE:
        hole = first_hole(cards, chosen, head)
        if hole == NONE:
            while way < ways_to_complete(size, cards[chosen & HEAD_MASK]):
                last = completing(size, cards, chosen, way)
                before = index_in(chosen, head - 1)
                if before < at[last] < PERSONAL_FROM and continues(before, at[last], chain_from):
                    return take_of_head(cards, chosen, head, last)
                way += 1
            hole = head - 1
        chosen = advanced(chosen, head, hole, count)
        way = 0
    return 0


@helper
def first_head(head: int) -> int:
    """The first so many indices, packed: the lowest bits are the first."""
    chosen = 0
    for i in range(head):
        chosen |= i << (HEAD_BITS * i)
    return chosen


@helper
def index_in(chosen: int, i: int) -> int:
    """Number `i` of packed indices."""
    return chosen >> (HEAD_BITS * i) & HEAD_MASK


@helper
def first_hole(cards: list[int], chosen: int, head: int) -> int:
    """Which of the chosen indices is the first without a card; NONE if all have one."""
    for i in range(head):
        if cards[index_in(chosen, i)] == NONE:
            return i
    return NONE


@helper
def advanced(chosen: int, head: int, depth: int, count: int) -> int:
    """The next indices in order, of which number `depth` changes, or one before it; NONE after the last."""
    while depth >= 0 and index_in(chosen, depth) >= count - 1 - head + depth:
        depth -= 1
    if depth < 0:
        return NONE
    index = index_in(chosen, depth) + 1
    kept = chosen & ((1 << (HEAD_BITS * depth)) - 1)
    for i in range(depth, head):
        kept |= (index + i - depth) << (HEAD_BITS * i)
    return kept


@helper
def ways_to_complete(size: int, card: int) -> int:
    """How many cards complete the others: with three cards in F3 three, one for each pair; otherwise one."""
    return 3 if size == 4 and card < QUADS_FROM else 1


@helper
def completing(size: int, cards: list[int], chosen: int, way: int) -> int:
    """The card that completes the chosen ones."""
    a = cards[index_in(chosen, 0)]
    b = cards[index_in(chosen, 1)]
    c = cards[index_in(chosen, 2)]
    if size == 4:
        if way == 0:
            return third_card(third_card(a, b), c)
        if way == 1:
            return third_card(third_card(a, c), b)
        return third_card(third_card(b, c), a)
    d = cards[index_in(chosen, 3)]
    e = cards[index_in(chosen, 4)]
    return third_card(third_card(third_card(a, b), third_card(c, d)), e)


@helper
def take_of_head(cards: list[int], chosen: int, head: int, last: int) -> int:
    """The take of the chosen cards and the last one."""
    take = with_card(TAKE, head, last)
    for i in range(head):
        take = with_card(take, i, cards[index_in(chosen, i)])
    return take


@clause("S2", "M21", "M51", "M61")
def makes_a_set(size: int, move: int) -> bool:
    """Are the cards of a take a SET?"""
    a = card_in(move, 0)
    b = card_in(move, 1)
    c = card_in(move, 2)
    if size == 3:
        return completes(a, b, c)
    if size == 4:
        return are_two_pairs(a, b, c, card_in(move, 3))
    return are_three_pairs(a, b, c, card_in(move, 3), card_in(move, 4), card_in(move, 5))


@clause("M42")
def is_found(size: int, take: int, found: list[list[int]], found_size: int) -> bool:
    """Is this SET among those found, in any order of its cards?"""
    for n in range(found_size):
        same = 0
        for i in range(size):
            for j in range(size):
                if found[n][j] == card_in(take, i):
                    same += 1
        if same == size:
            return True
    return False


# ---------------------------------------------------------------- On a table, for one player


@clause("T2", "M31")
def card_within_reach(t: Table, player: int, i: int) -> int:
    """Card number `i` within the player's reach: the layout, the previous SET, the personal cards. NONE for a gap."""
    if i < t.places:
        return t.layout[i]
    if i < t.places + t.previous_size:
        return t.layout[PREVIOUS_FROM + i - t.places]
    return t.personal[player][i - t.places - t.previous_size]


@clause("T2", "M31")
def index_within_reach(t: Table, player: int, card: int) -> int:
    """The index of a card within the player's reach; NONE if it lies elsewhere."""
    where = t.where[card]
    if where < PREVIOUS_FROM:
        return where
    if where < PERSONAL_FROM:
        return t.places + where - PREVIOUS_FROM
    place = where - PERSONAL_FROM - PERSONAL * player
    if 0 <= place < PERSONAL:
        return t.places + t.previous_size + place
    return NONE


@helper
def reach(t: Table, most_personal: int) -> int:
    """The number of places a player may take cards from."""
    return t.places + t.previous_size + most_personal


@apart
def next_set_of_layout(v: Variant, t: Table, after: int) -> int:
    """The take of the next SET of the layout that can still be taken; 0 if there is none."""
    count = t.places
    chain_from = NONE
    if t.previous_size > 0:
        count = PLACES + t.previous_size
        chain_from = PREVIOUS_FROM
    take = next_set(v.set_size, t.layout, t.where, count, chain_from, after)
    while v.stays == 1 and take != 0 and is_found(v.set_size, take, t.taken, t.taken_size):
        take = next_set(v.set_size, t.layout, t.where, count, chain_from, take)
    return take


@helper
def first_set(v: Variant, t: Table, player: int) -> int:
    """The take of the first SET within the player's reach; 0 if there is none."""
    if has_personal_cards(v):
        return nth_set(v, t, player, 0)
    return next_set_of_layout(v, t, 0)


@helper
def sets_of_layout(v: Variant, t: Table) -> int:
    """The number of SETs of the layout that can still be taken."""
    count = 0
    take = next_set_of_layout(v, t, 0)
    while take != 0:
        count += 1
        take = next_set_of_layout(v, t, take)
    return count


@apart
def sets_within_reach(v: Variant, t: Table, player: int) -> int:
    """The number of SETs the player could take."""
    if not has_personal_cards(v):
        return sets_of_layout(v, t)
    count = 0
    places = reach(t, v.most_personal)
    for i in range(places - 2):
        a = card_within_reach(t, player, i)
        if a == NONE:
            continue
        for j in range(i + 1, places - 1):
            b = card_within_reach(t, player, j)
            if b != NONE and index_within_reach(t, player, third_card(a, b)) > j:
                count += 1
    return count


@apart
def nth_set(v: Variant, t: Table, player: int, n: int) -> int:
    """The take of SET number `n`, counted from 0 in the order of the cards; 0 if there are fewer."""
    if not has_personal_cards(v):
        take = next_set_of_layout(v, t, 0)
        while take != 0 and n > 0:
            n -= 1
            take = next_set_of_layout(v, t, take)
        return take
    places = reach(t, v.most_personal)
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
def somebody_can_take(v: Variant, t: Table) -> bool:
    """Is there a SET for anybody who has not left?"""
    if not has_personal_cards(v):
        return next_set_of_layout(v, t, 0) != 0
    for player in range(t.players):
        if t.left[player] == 0 and first_set(v, t, player) != 0:
            return True
    return False


def sets_of(v: Variant, t: Table, player: int) -> list[Cards]:
    """Every SET that the player could take."""
    takes = (nth_set(v, t, player, n) for n in range(sets_within_reach(v, t, player)))
    return [tuple(cards_in(take)) for take in takes]
