"""Roll-outs of Classic and Mini Round with a bit for every card: the engine's random games, several times as fast.

What it is for: playing very many random games to their end. It knows no events, Views or other editions; whatever must
be shown or decided is the engine's business. What it must be: the same. From the same generator it makes the same moves
in the same order as `karma_playouts.play_out`, and draws as many random numbers. `tests/benchmarks` compares both move
by move, over thousands of games and for every number of players. Nothing in the product uses it: it is a benchmark.

How it is packed. One deck has at most three cards of each of twenty kinds, so each card gets a bit of its own, kind by
kind: card `CARDS_OF_A_KIND * kind + copy`. A set of cards is a 60-bit word. Then

- how many cards, or how many of one kind: the ones of a word;
- picking up or being given the pile: one `|`;
- what may be played: `cards & fits[what lies on top]`;
- the legal plays from a location: the ones of that word. The engine lists kinds upwards and, for each, one card, two
  cards, three cards; so the n-th legal play is the n-th one, and means its card and those of its kind below it. They
  are counted and drawn, never listed;
- face-up cards are chosen in ascending order and only ever taken away, so their places say no more than their kinds.

The order of the discard pile matters for its top, its runs and its bottom: it is kept beside the word as a ring of
kinds, in which Bottoms Up takes one step. No seat ever changes hands in these editions: seat and player are one number.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Final

from threefold.clauses import helper
from threefold.compiling import compiler, to_records
from threefold.karma.moves import CHOOSE_FACE_UP, CHOOSE_PLAYER, DECLINE, FLIP, PICK_UP, PLAY, move_of
from threefold.karma.powers import BOTTOMS_UP, GIVE_PILE, PLAY_TABLE_CARD, code_of
from threefold.karma.table import HIGHEST, NONE, ONE_LEFT, PLACES, TURN_LIMIT, Edition
from threefold.records import blank
from threefold.shuffle import BITS, Random, next_bits

SEATS: Final = 6
KINDS: Final = 20
CARDS_OF_A_KIND: Final = 3
ONE_KIND: Final = 0b111
CARDS: Final = KINDS * CARDS_OF_A_KIND
RING: Final = 64  # places for the order of the pile: a power of two, at least as many as there are cards
EMPTY: Final = KINDS  # what lies on top of an empty pile
NO_CARDS: Final = 0
CHOICES: Final = 20  # three of six
SIX: Final = 6
TRACE: Final = 1 << 14


@dataclass(slots=True)
class Packed:
    """The rules of one edition and the game that is being played, packed."""

    # The rules; filled once.
    players: int
    cards: int
    card: Annotated[list[int], (CARDS,)]  # every card of the deck, in order
    clears_at: int
    turn_limit: int
    fits: Annotated[list[int], (KINDS + 1,)]  # by the kind on top, or EMPTY: the cards that may be played on it
    power: Annotated[list[int], (KINDS,)]  # the power that wakes, or 0
    leaves: Annotated[list[int], (KINDS,)]
    choice: Annotated[list[int], (CHOICES,)]  # three of six cards as ones of a word, in the engine's order
    # The game.
    hand: Annotated[list[int], (SEATS,)]
    face_up: Annotated[list[int], (SEATS,)]
    face_down: Annotated[list[list[int]], (SEATS, PLACES)]  # a card
    face_down_places: Annotated[list[int], (SEATS,)]  # the places where a card still lies, as ones of a word
    draw_pile: Annotated[list[int], (CARDS,)]
    draw_size: int
    pile: int  # the cards of the discard pile
    ring: Annotated[list[int], (RING,)]  # their kinds in order, from `bottom` up to but without `above`
    bottom: int
    above: int
    holders: int  # the players who hold cards, as ones of a word
    player: int
    again: int
    turns: int
    moves: int
    # What came of all games so far.
    losses: Annotated[list[int], (SEATS,)]
    stopped: int  # by the turn limit


@dataclass(slots=True)
class Trace:
    """Who moved what, for the proof. A trace without room stays empty."""

    player: Annotated[list[int], (TRACE,)]
    move: Annotated[list[int], (TRACE,)]
    size: int
    room: int


# ---------------------------------------------------------------- Words of ones


@helper
def ones(word: int) -> int:
    """How many ones a word of up to 60 bits has. LLVM knows this pattern and makes it one instruction."""
    word = word - (word >> 1 & 0x5555555555555555)
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333)
    word = word + (word >> 4) & 0x0F0F0F0F0F0F0F0F
    return word * 0x0101010101010101 >> 56 & 255


@helper
def lowest(word: int) -> int:
    """Where the lowest one is."""
    return ones((word & -word) - 1)


@helper
def nth(word: int, n: int) -> int:
    """Where the n-th one is, counted from 0: halving the word six times."""
    at = 0
    half = 32
    while half > 0:
        lower = ones(word & ((1 << half) - 1))
        if n >= lower:
            n -= lower
            word >>= half
            at += half
        half >>= 1
    return at


# ---------------------------------------------------------------- Random choice


@helper
def below(random: Random, n: int) -> int:
    """The same number as `shuffle.below`: the division is left out where it cannot matter, for unfair < n."""
    while True:
        product = next_bits(random) * n
        rest = product & BITS
        if rest >= n or rest >= (BITS + 1 - n) % n:
            return product >> 32


@helper
def note(p: Packed, trace: Trace, player: int, what: int, first: int, second: int, third: int) -> None:
    """A move is counted, and written down if there is room."""
    p.moves += 1
    if trace.size < trace.room:
        trace.player[trace.size] = player
        trace.move[trace.size] = move_of(what, first, second, third)
        trace.size += 1


# ---------------------------------------------------------------- Set-up (K1–K5)


@helper
def shuffle_and_deal(p: Packed, random: Random) -> None:
    """Three face-down cards each, then six to choose from; the dealer's left starts."""
    p.draw_size = p.cards
    for i in range(p.cards):
        p.draw_pile[i] = p.card[i]
    for i in range(p.cards - 1, 0, -1):
        j = below(random, i + 1)
        card = p.draw_pile[i]
        p.draw_pile[i] = p.draw_pile[j]
        p.draw_pile[j] = card
    dealer = below(random, p.players)
    p.player = (dealer + 1) % p.players
    for seat in range(p.players):
        p.hand[seat] = NO_CARDS
        p.face_down_places[seat] = (1 << PLACES) - 1
    for dealt in range(PLACES + SIX):
        for i in range(p.players):
            seat = (dealer + 1 + i) % p.players
            p.draw_size -= 1
            card = p.draw_pile[p.draw_size]
            if dealt < PLACES:
                p.face_down[seat][dealt] = card
            else:
                p.hand[seat] |= 1 << card
    empty_the_pile(p)
    p.holders = (1 << p.players) - 1
    p.again = 0
    p.turns = 0


@helper
def choose_face_up(p: Packed, random: Random, trace: Trace, player: int) -> None:
    """K3: any three of the six. Of choices that look alike the engine lists one: here the one with the lowest cards."""
    twins = 0  # those of the six that are identical to the one before
    hand = p.hand[player]
    kind_before = NONE
    for i in range(SIX):
        kind = lowest(hand) // CARDS_OF_A_KIND
        hand &= hand - 1
        if kind == kind_before:
            twins |= 1 << i
        kind_before = kind
    different = 0
    for choice in p.choice:
        different += 1 if takes_the_lower_twins(choice, twins) else 0
    n = below(random, different)
    for choice in p.choice:
        if takes_the_lower_twins(choice, twins):
            if n == 0:
                lay_face_up(p, trace, player, choice)
                return
            n -= 1


@helper
def takes_the_lower_twins(choice: int, twins: int) -> bool:
    """Whoever takes a card that is identical to the one before takes that one, too."""
    return choice & twins & ~(choice << 1) == 0


@helper
def lay_face_up(p: Packed, trace: Trace, player: int, choice: int) -> None:
    """The chosen cards go from the hand to the table."""
    hand = p.hand[player]
    p.face_up[player] = NO_CARDS
    for i in range(SIX):
        if choice >> i & 1:
            p.face_up[player] |= hand & -hand
        hand &= hand - 1
    p.hand[player] ^= p.face_up[player]
    up = p.face_up[player]
    first = nth(up, 0) // CARDS_OF_A_KIND
    second = nth(up, 1) // CARDS_OF_A_KIND
    third = nth(up, 2) // CARDS_OF_A_KIND
    note(p, trace, player, CHOOSE_FACE_UP, first, second, third)


# ---------------------------------------------------------------- The pile


@helper
def empty_the_pile(p: Packed) -> None:
    """No card lies there."""
    p.pile = NO_CARDS
    p.bottom = 0
    p.above = 0


@helper
def top_of_the_pile(p: Packed) -> int:
    """The kind on top, or EMPTY."""
    return p.ring[p.above - 1 & RING - 1] if p.above > p.bottom else EMPTY


@helper
def put_on_pile(p: Packed, kind: int, cards: int) -> None:
    """Cards of one kind are laid on top."""
    p.pile |= cards
    for _ in range(ones(cards)):
        p.ring[p.above & RING - 1] = kind
        p.above += 1


@helper
def is_a_full_run(p: Packed) -> bool:
    """K16–K18: do as many identical cards lie on top as clear the pile?"""
    if p.above - p.bottom < p.clears_at:
        return False
    top = p.ring[p.above - 1 & RING - 1]
    for below_top in range(2, p.clears_at + 1):
        if p.ring[p.above - below_top & RING - 1] != top:
            return False
    return True


@helper
def lay(p: Packed, kind: int, cards: int) -> int:
    """K16, K20, K30, K31: cards are laid; a full run clears, or else the power that wakes is the answer."""
    put_on_pile(p, kind, cards)
    if is_a_full_run(p):
        empty_the_pile(p)
        p.again = 1
        return 0
    if p.leaves[kind]:
        p.pile ^= cards
        p.above -= ones(cards)
    return p.power[kind]


# ---------------------------------------------------------------- A turn (K6–K15)


@helper
def take_turn(p: Packed, random: Random, trace: Trace) -> None:
    """One play with all that comes of it, then drawing."""
    player = p.player
    power = 0
    if p.hand[player]:
        power = play_or_pick_up(p, random, trace, p.hand, player)
    elif p.face_up[player]:
        power = play_or_pick_up(p, random, trace, p.face_up, player)
    else:
        power = flip_or_pick_up(p, random, trace, player)
    while power == PLAY_TABLE_CARD:
        power = play_a_table_card(p, random, trace, player)
    if power == GIVE_PILE and p.pile:
        give_the_pile(p, random, trace, player)
    elif power == BOTTOMS_UP:
        bottoms_up(p)
    draw_up_to_three(p, player)


@helper
def play_or_pick_up(p: Packed, random: Random, trace: Trace, location: Any, player: int) -> int:
    """K7–K10: any card that fits, with any number of those identical to it, or the whole pile; the power that wakes."""
    fitting = location[player] & p.fits[top_of_the_pile(p)]
    plays = ones(fitting)
    n = below(random, plays + 1 if p.pile else plays)
    if n == plays:
        note(p, trace, player, PICK_UP, 0, 0, 0)
        p.hand[player] |= p.pile
        empty_the_pile(p)
        return 0
    return play_nth(p, trace, location, player, fitting, n)


@helper
def play_nth(p: Packed, trace: Trace, location: Any, player: int, fitting: int, n: int) -> int:
    """K9: the n-th of the cards that fit, and those of its kind below it."""
    card = nth(fitting, n)
    kind = card // CARDS_OF_A_KIND
    cards = fitting & (ONE_KIND << CARDS_OF_A_KIND * kind) & ((2 << card) - 1)
    note(p, trace, player, PLAY, kind, ones(cards), 0)
    location[player] ^= cards
    return lay(p, kind, cards)


@helper
def flip_or_pick_up(p: Packed, random: Random, trace: Trace, player: int) -> int:
    """K13: one of the face-down cards blind; if it does not fit, the pile is picked up with it. Or just the pile."""
    places = ones(p.face_down_places[player])
    n = below(random, places + 1 if p.pile else places)
    if n == places:
        note(p, trace, player, PICK_UP, 0, 0, 0)
        p.hand[player] |= p.pile
        empty_the_pile(p)
        return 0
    fits = p.fits[top_of_the_pile(p)]
    card = flip_nth(p, trace, player, n)
    if fits >> card & 1:
        return lay(p, card // CARDS_OF_A_KIND, 1 << card)
    p.hand[player] |= p.pile | 1 << card
    empty_the_pile(p)
    return 0


@helper
def flip_nth(p: Packed, trace: Trace, player: int, n: int) -> int:
    """The n-th of the face-down cards that are left."""
    place = nth(p.face_down_places[player], n)
    note(p, trace, player, FLIP, place, 0, 0)
    p.face_down_places[player] ^= 1 << place
    return p.face_down[player][place]


@helper
def draw_up_to_three(p: Packed, player: int) -> None:
    """K11."""
    missing = 3 - ones(p.hand[player])
    while missing > 0 and p.draw_size > 0:
        p.draw_size -= 1
        p.hand[player] |= 1 << p.draw_pile[p.draw_size]
        missing -= 1


# ---------------------------------------------------------------- Powers (K40–K42)


@helper
def play_a_table_card(p: Packed, random: Random, trace: Trace, player: int) -> int:
    """K41: table cards in their order, with none the hand; anything goes, and it may be declined."""
    power = 0
    if p.face_up[player]:
        power = play_anything(p, random, trace, p.face_up, player)
    elif p.face_down_places[player]:
        places = ones(p.face_down_places[player])
        n = below(random, places + 1)
        if n == places:
            note(p, trace, player, DECLINE, 0, 0, 0)
        else:
            card = flip_nth(p, trace, player, n)
            power = lay(p, card // CARDS_OF_A_KIND, 1 << card)
    elif p.hand[player]:
        power = play_anything(p, random, trace, p.hand, player)
    return power


@helper
def play_anything(p: Packed, random: Random, trace: Trace, location: Any, player: int) -> int:
    """Any cards of one location, or none."""
    cards = location[player]
    plays = ones(cards)
    n = below(random, plays + 1)
    if n == plays:
        note(p, trace, player, DECLINE, 0, 0, 0)
        return 0
    return play_nth(p, trace, location, player, cards, n)


@helper
def give_the_pile(p: Packed, random: Random, trace: Trace, player: int) -> None:
    """K33, K40: to any other player, out or not."""
    other = below(random, p.players - 1)
    if other >= player:
        other += 1
    note(p, trace, player, CHOOSE_PLAYER, other, 0, 0)
    p.hand[other] |= p.pile
    p.holders |= 1 << other
    empty_the_pile(p)


@helper
def bottoms_up(p: Packed) -> None:
    """K42: the bottom card moves to the top."""
    p.ring[p.above & RING - 1] = p.ring[p.bottom & RING - 1]
    p.bottom += 1
    p.above += 1


# ---------------------------------------------------------------- Going out and ending (K15, K19, K22–K24)


@helper
def play_out(p: Packed, random: Random, trace: Trace) -> int:
    """Plays a dealt game to its end; how it ended."""
    for player in range(p.players):
        choose_face_up(p, random, trace, player)
    while p.turn_limit == 0 or p.turns < p.turn_limit:
        p.turns += 1
        take_turn(p, random, trace)
        player = p.player
        if p.hand[player] == NO_CARDS and p.face_up[player] == NO_CARDS and p.face_down_places[player] == 0:
            p.holders ^= 1 << player
            if p.holders & (p.holders - 1) == 0:
                p.losses[lowest(p.holders)] += 1
                return ONE_LEFT
            p.again = 0
        if p.again:
            p.again = 0
        else:
            p.player = next_holder(p, player)
    p.stopped += 1
    return TURN_LIMIT


@helper
def next_holder(p: Packed, player: int) -> int:
    """K15: on to the left, skipping players without cards."""
    further_left = p.holders >> player + 1
    if further_left:
        return player + 1 + lowest(further_left)
    return lowest(p.holders)


@helper
def play_games(ps: list[Packed], rs: list[Random], traces: list[Trace], games: int) -> int:
    """Plays many games, one after the other; how many moves were made."""
    ps[0].moves = 0
    for _ in range(games):
        shuffle_and_deal(ps[0], rs[0])
        play_out(ps[0], rs[0], traces[0])
    return ps[0].moves


# ---------------------------------------------------------------- From an edition


def is_packable(edition: Edition, players: int) -> bool:
    """Is this one of the editions that are packed here: one deck, and no other powers than the three above?"""
    kinds = range(edition.kinds)
    powers = [code_of(edition.powers[kind][0]) for kind in kinds if edition.powers_of[kind]]
    return (
        2 <= players <= min(SEATS, edition.most_players)
        and edition.kinds <= KINDS
        and max(edition.copies) <= CARDS_OF_A_KIND
        and max(edition.powers_of) <= 1
        and set(powers) <= {GIVE_PILE, PLAY_TABLE_CARD, BOTTOMS_UP}
        and not any(edition.leaves[kind] and code_of(edition.powers[kind][0]) == BOTTOMS_UP for kind in kinds)
        and not (edition.after_clear or edition.table_cards_wait or edition.draw_by_hand)
    )


def packed(edition: Edition, players: int) -> Packed:
    """The rules of an edition, packed."""
    if not is_packable(edition, players):
        raise ValueError("only Classic and Mini Round, for as many players as one deck seats, drawing automatically")
    p = blank(Packed)
    p.players = players
    p.clears_at = edition.clears_at
    p.turn_limit = edition.turn_limit
    for kind in range(edition.kinds):
        p.leaves[kind] = edition.leaves[kind]
        p.power[kind] = code_of(edition.powers[kind][0])
        p.fits[kind] = cards_that_fit(edition, edition.asks_low[kind], edition.asks_high[kind])
        for copy in range(edition.copies[kind]):
            p.card[p.cards] = CARDS_OF_A_KIND * kind + copy
            p.cards += 1
    p.fits[EMPTY] = cards_that_fit(edition, 0, HIGHEST)
    p.choice[:] = [sum(1 << i for i in three) for three in combinations(range(SIX), PLACES)]
    return p


def cards_that_fit(edition: Edition, low: int, high: int) -> int:
    """K7, K8: the numbers asked for, and every karma card."""
    kinds = [kind for kind in range(edition.kinds) if edition.number[kind] == 0 or low <= edition.number[kind] <= high]
    return sum(ONE_KIND << CARDS_OF_A_KIND * kind for kind in kinds)


# ---------------------------------------------------------------- At the second speed


@compiler("karma", module=__name__)
def _play_games(ps: Any, rs: Any, traces: Any, games: int) -> int:
    made: int = play_games(ps, rs, traces, games)
    return made


class Rollouts:
    """Random games of one edition, compiled: `Rollouts(edition, 4, random_from("v1:a")).play(1000)`."""

    def __init__(self, edition: Edition, players: int, random: Random) -> None:
        self._players = players
        self._packed = to_records([packed(edition, players)])
        self._random = to_records([random])
        self._trace = to_records([blank(Trace)])

    def play(self, games: int, *, trace: int = 0) -> int:
        """Plays games, and writes down the first moves if `trace` is given; returns how many moves were made."""
        self._trace["size"] = 0
        self._trace["room"] = min(trace, TRACE)
        made: int = _play_games(self._packed, self._random, self._trace, games)
        return made

    def losses(self) -> list[int]:
        """How many games each player has lost so far; at the end, how many the turn limit stopped."""
        game = self._packed[0]
        return [*game["losses"][: self._players].tolist(), int(game["stopped"])]

    def trace(self) -> list[tuple[int, int]]:
        """Player and move, as they were written down last."""
        trace = self._trace[0]
        size = int(trace["size"])
        return list(zip(trace["player"][:size].tolist(), trace["move"][:size].tolist(), strict=True))

    def generator(self) -> list[int]:
        """The words of the generator as they are now."""
        words: list[int] = self._random[0]["word"].tolist()
        return words
