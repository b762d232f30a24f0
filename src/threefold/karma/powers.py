"""The vocabulary of powers (K61): what a karma card can do, for printed and designed cards alike.

A power is a row of VOCABULARY (its name, its parameters with their limits, its clause, whether it may be declined, its
append-only wire code) and a branch in each question that is asked of a power: does it wait for an answer, what may be
answered, what does it do? Its words are in the catalogue under `karma.power.<name>`. On a table a power is one packed
number: code, first parameter, second parameter.
"""

from dataclasses import dataclass
from typing import Final

from threefold.clauses import clause, helper
from threefold.karma.memory import drop_own_hands, know_own_hands, remember_gift, see_join, swap_known
from threefold.karma.moves import (
    CHOOSE_PLAYER,
    DECLINE,
    FLIP,
    GIVE,
    GIVE_FACE_DOWN,
    PEEK,
    SWAP,
    add,
    first_of,
    second_of,
    what_of,
)
from threefold.karma.rules import (
    add_pending,
    draw_cards,
    flip,
    holds_cards,
    identical_up_to,
    list_plays,
    location_of_table_cards,
    location_to_play_from,
    pile_becomes_hand_cards,
    play_cards,
    put_in_hand,
    remove_from_pile,
    seat_after,
    take,
    take_face_down,
)
from threefold.karma.table import (
    FACE_DOWN,
    FACE_UP,
    HAND,
    HIGHEST,
    NONE,
    NOWHERE,
    PLACES,
    Edition,
    Moves,
    Table,
    Tape,
)
from threefold.karma.tape import (
    BOTTOM_MOVED_UP,
    BY_POWER,
    CARD_GIVEN,
    CARD_PEEKED_AT,
    CARDS_SWAPPED,
    DECLINED,
    DIRECTION_REVERSED,
    GIFT_CHOSEN,
    HANDS_EXCHANGED,
    HANDS_PASSED,
    MOVED,
    NOTHING_TO_DO,
    PILE_CLEARED,
    PILE_GIVEN,
    SEATS_CHANGED,
    TURNS_TO_LOSE,
    tell,
    tell_pile,
)

# Wire codes: append-only, for share codes must mean the same for ever (K65).
REVERSE: Final = 1
ROTATE_SEATS: Final = 2
ROTATE_HANDS: Final = 3
EXCHANGE_HANDS: Final = 4
CHANGE_SEATS: Final = 5
GIVE_PILE: Final = 6
CLEAR_PILE: Final = 7
BOTTOMS_UP: Final = 8
ASK_FOR: Final = 9
VALUE_ZERO: Final = 10
LOSE_TURNS: Final = 11
GIVE_CARDS: Final = 12
DRAW_CARDS: Final = 13
PLAY_TABLE_CARD: Final = 14
PEEK_FACE_DOWN: Final = 15
SWAP_FACE_UP: Final = 16

# Words that parameters can be: ways to go, and whom a power is about.
LEFT: Final = 0
RIGHT: Final = 1
SELF: Final = 0
ONE: Final = 1
NEXT: Final = 2
EVERYONE_ELSE: Final = 3

WAY = {"left": LEFT, "right": RIGHT}
WHOM = {"self": SELF, "one": ONE, "next": NEXT, "everyone_else": EVERYONE_ELSE}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a power: a number between two limits, or one of some words."""

    name: str
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Power:
    """A row of the vocabulary."""

    code: int
    name: str
    clause: str
    parameters: tuple[Parameter, ...] = ()
    about_the_pile: bool = False  # moves or empties the pile or asks for a value: one of these a card (K63)
    stays: bool = False  # means something only on a card that stays on the pile
    may_decline: bool = False  # K32


def _numbers(name: str, least: int, most: int) -> Parameter:
    return Parameter(name, least, most)


def _words(name: str, *words: str) -> Parameter:
    return Parameter(name, words=words)


VOCABULARY: tuple[Power, ...] = (
    Power(REVERSE, "reverse", "K60"),
    Power(ROTATE_SEATS, "rotate_seats", "K60", (_numbers("n", 1, 11), _words("way", "left", "right"))),
    Power(ROTATE_HANDS, "rotate_hands", "K50", (_words("way", "left", "right"),)),
    Power(EXCHANGE_HANDS, "exchange_hands", "K45"),
    Power(CHANGE_SEATS, "change_seats", "K46"),
    Power(GIVE_PILE, "give_pile", "K40", about_the_pile=True),
    Power(CLEAR_PILE, "clear_pile", "K47", about_the_pile=True),
    Power(BOTTOMS_UP, "bottoms_up", "K42", about_the_pile=True),
    Power(
        ASK_FOR,
        "ask_for",
        "K61",
        (_numbers("low", 1, HIGHEST), _numbers("high", 1, HIGHEST)),
        about_the_pile=True,
        stays=True,
    ),
    Power(VALUE_ZERO, "value_zero", "K31", about_the_pile=True, stays=True),
    Power(
        LOSE_TURNS,
        "lose_turns",
        "K48",
        (_numbers("n", 1, 3), _words("whom", "one", "next", "everyone_else")),
        may_decline=True,
    ),
    Power(GIVE_CARDS, "give_cards", "K51", (_numbers("n", 1, 3),), may_decline=True),
    Power(DRAW_CARDS, "draw_cards", "K61", (_numbers("n", 1, 6), _words("whom", "self", "one", "everyone_else"))),
    Power(PLAY_TABLE_CARD, "play_table_card", "K41", may_decline=True),
    Power(PEEK_FACE_DOWN, "peek_face_down", "K61", may_decline=True),
    Power(SWAP_FACE_UP, "swap_face_up", "K61", may_decline=True),
)
POWER_OF_CODE = {power.code: power for power in VOCABULARY}
POWER_NAMED = {power.name: power for power in VOCABULARY}


@dataclass(frozen=True, slots=True)
class CardPower:
    """A power as it stands on a card: with its parameters."""

    power: Power
    first: int = 0
    second: int = 0

    def packed(self) -> int:
        """As one number on the table."""
        return packed(self.power.code, self.first, self.second)

    def parameters(self) -> dict[str, int | str]:
        """As people write it: `{"n": 1, "whom": "next"}`."""
        given = zip(self.power.parameters, (self.first, self.second), strict=False)
        return {each.name: word_for(each, value) for each, value in given}


def card_power(name: str, **parameters: int | str) -> CardPower:
    """A power with its parameters, by name: `card_power("lose_turns", n=1, whom="one")`."""
    power = POWER_NAMED[name]
    numbers = [number_for(each, parameters[each.name]) for each in power.parameters]
    return CardPower(power, *numbers)


def number_for(parameter: Parameter, value: int | str) -> int:
    """A parameter's value as a number."""
    return {**WAY, **WHOM}[value] if isinstance(value, str) else value


def word_for(parameter: Parameter, value: int) -> int | str:
    """A parameter's value as people write it."""
    if not parameter.words:
        return value
    return {number_for(parameter, word): word for word in parameter.words}[value]


@helper
def packed(code: int, first: int, second: int) -> int:
    """A power with its parameters as one number."""
    return code | first << 8 | second << 16


@helper
def code_of(power: int) -> int:
    """Which power it is."""
    return power & 255


@helper
def first_parameter(power: int) -> int:
    """How many, or the way to go of a power that knows no number."""
    return power >> 8 & 255


@helper
def second_parameter(power: int) -> int:
    """Whom, or which way."""
    return power >> 16 & 255


# ---------------------------------------------------------------- Does it ask?


@clause("K33")
def may_be_chosen(t: Table, code: int, other: int) -> bool:
    """Any other player, out or not; a turn is lost only by those who hold cards."""
    return other != t.turn_player and (code != LOSE_TURNS or holds_cards(t, other))


@clause("K41")
def location_for_a_table_card(t: Table, seat: int) -> int:
    """Table cards in their order; with none, the hand."""
    location = location_of_table_cards(t, seat)
    return HAND if location == NOWHERE and t.hand_size[seat] > 0 else location


@clause("K32", "K62")
def asks(e: Edition, t: Table, power: int) -> bool:
    """Does this power wait for an answer now? A choice with no possible target does not."""
    code = code_of(power)
    seat = t.seat_of[t.turn_player]
    if code == GIVE_PILE:
        return t.discard_size > 0
    if code == EXCHANGE_HANDS or code == CHANGE_SEATS:
        return True
    if code == LOSE_TURNS:
        if second_parameter(power) == ONE:
            for other in range(t.players):
                if may_be_chosen(t, code, other):
                    return True
        return False
    if code == GIVE_CARDS:
        return t.giving_from != NOWHERE or location_to_play_from(e, t, seat) != NOWHERE
    if code == DRAW_CARDS:
        return second_parameter(power) == ONE and t.draw_size > 0
    if code == PLAY_TABLE_CARD:
        return location_for_a_table_card(t, seat) != NOWHERE
    if code == PEEK_FACE_DOWN:
        return t.face_down_size[seat] > 0
    if code == SWAP_FACE_UP:
        return a_swap_is_possible(e, t, seat)
    return False


@clause("K61")
def a_swap_is_possible(e: Edition, t: Table, seat: int) -> bool:
    """Some face-up card differs from some hand card: identical cards are not swapped."""
    for place in range(PLACES):
        up = t.face_up[seat][place]
        if up != NONE and t.hand_size[seat] > t.hand[seat][up]:
            return True
    return False


# ---------------------------------------------------------------- What may be answered?


@clause("K32", "K62")
def list_answers(e: Edition, t: Table, power: int, moves: Moves) -> None:
    """All answers to the power that waits; what is allowed, not required, may be declined."""
    code = code_of(power)
    seat = t.seat_of[t.turn_player]
    if code == PLAY_TABLE_CARD:
        list_plays(e, t, seat, location_for_a_table_card(t, seat), True, moves)
    elif code == GIVE_CARDS and t.giving_from == NOWHERE:
        list_gifts(e, t, seat, moves)
    elif code == PEEK_FACE_DOWN:
        for place in range(PLACES):
            if t.face_down[seat][place] != NONE:
                add(moves, PEEK, place, 0, 0)
    elif code == SWAP_FACE_UP:
        list_swaps(e, t, seat, moves)
    else:
        for other in range(t.players):
            if may_be_chosen(t, code, other):
                add(moves, CHOOSE_PLAYER, other, 0, 0)
    if may_decline(code) and t.giving_from == NOWHERE:
        add(moves, DECLINE, 0, 0, 0)


@clause("K32")
def may_decline(code: int) -> bool:
    """As the vocabulary says: a test holds the two together."""
    return (
        code == LOSE_TURNS
        or code == GIVE_CARDS
        or code == PLAY_TABLE_CARD
        or code == PEEK_FACE_DOWN
        or code == SWAP_FACE_UP
    )


@clause("K51")
def list_gifts(e: Edition, t: Table, seat: int, moves: Moves) -> None:
    """One card, from the location one would play from next."""
    location = location_to_play_from(e, t, seat)
    if location == HAND:
        for kind in range(e.kinds):
            if t.hand[seat][kind] > 0:
                add(moves, GIVE, kind, 0, 0)
    elif location == FACE_UP:
        for place in range(PLACES):
            if t.face_up[seat][place] != NONE and identical_up_to(t, seat, place) == 1:
                add(moves, GIVE, t.face_up[seat][place], 0, 0)
    else:
        for place in range(PLACES):
            if t.face_down[seat][place] != NONE:
                add(moves, GIVE_FACE_DOWN, place, 0, 0)


@clause("K61")
def list_swaps(e: Edition, t: Table, seat: int, moves: Moves) -> None:
    """A face-up card for a hand card that differs from it."""
    for place in range(PLACES):
        up = t.face_up[seat][place]
        if up != NONE and identical_up_to(t, seat, place) == 1:
            for kind in range(e.kinds):
                if kind != up and t.hand[seat][kind] > 0:
                    add(moves, SWAP, up, kind, 0)


# ---------------------------------------------------------------- What does it do?


@clause("K62")
def act(e: Edition, t: Table, tape: Tape, power: int) -> None:
    """A power that asks nothing acts."""
    code = code_of(power)
    if code == REVERSE:
        reverse_the_direction(t, tape)
    elif code == ROTATE_SEATS:
        rotate_seats(e, t, tape, first_parameter(power), second_parameter(power))
    elif code == ROTATE_HANDS:
        rotate_hands(e, t, tape, first_parameter(power))
    elif code == CLEAR_PILE:
        clear_the_pile(t, tape)
    elif code == BOTTOMS_UP and t.discard_size > 0:
        bottoms_up(t, tape)
    elif code == LOSE_TURNS and second_parameter(power) != ONE:
        several_lose_turns(t, tape, first_parameter(power), second_parameter(power))
    elif code == DRAW_CARDS and t.draw_size > 0:
        several_draw(t, tape, first_parameter(power), second_parameter(power))
    else:
        tell(tape, NOTHING_TO_DO, t.turn_player, code, 0, 0, 0)


@clause("K32", "K62")
def answer(e: Edition, t: Table, tape: Tape, power: int, move: int) -> None:
    """The power got its answer."""
    code = code_of(power)
    what = what_of(move)
    chosen = first_of(move)
    if what == DECLINE:
        tell(tape, DECLINED, t.turn_player, code, 0, 0, 0)
    elif code == GIVE_PILE:
        give_the_pile(t, tape, chosen)
    elif code == EXCHANGE_HANDS:
        exchange_hands(e, t, tape, chosen)
    elif code == CHANGE_SEATS:
        change_seats(e, t, tape, chosen)
    elif code == LOSE_TURNS:
        lose_turns(t, tape, chosen, first_parameter(power))
    elif code == DRAW_CARDS:
        draw_cards(t, tape, chosen, first_parameter(power))
    elif code == GIVE_CARDS:
        if what == CHOOSE_PLAYER:
            give_the_card(e, t, tape, chosen)
            if first_parameter(power) > 1:
                add_pending(t, packed(GIVE_CARDS, first_parameter(power) - 1, 0))
        else:
            choose_the_gift(e, t, tape, what, chosen)
            add_pending(t, power)
    elif code == PEEK_FACE_DOWN:
        peek(t, tape, chosen)
    elif code == SWAP_FACE_UP:
        swap_face_up(t, tape, chosen, second_of(move))
    elif what == FLIP:
        flip(e, t, tape, chosen, True)
    else:
        play_cards(e, t, tape, location_for_a_table_card(t, t.seat_of[t.turn_player]), chosen, second_of(move))


@clause("K21", "K40")
def give_the_pile(t: Table, tape: Tape, other: int) -> None:
    """The whole pile goes to the hand of another player, out or not."""
    tell(tape, PILE_GIVEN, t.turn_player, other, t.seat_of[other], 0, 0)
    tell_pile(tape, t, 0)
    pile_becomes_hand_cards(t, t.seat_of[other])


@clause("K42")
def bottoms_up(t: Table, tape: Tape) -> None:
    """The bottom card of the pile moves to its top."""
    bottom = t.discard_pile[0]
    for i in range(1, t.discard_size):
        t.discard_pile[i - 1] = t.discard_pile[i]
    t.discard_pile[t.discard_size - 1] = bottom
    tell(tape, BOTTOM_MOVED_UP, t.turn_player, bottom, 0, 0, 0)


@clause("K45")
def exchange_hands(e: Edition, t: Table, tape: Tape, other: int) -> None:
    """Two players exchange hand cards, however few."""
    know_own_hands(e, t)
    swap_hands(t, t.seat_of[t.turn_player], t.seat_of[other], e.kinds)
    drop_own_hands(e, t)
    tell(tape, HANDS_EXCHANGED, t.turn_player, other, 0, 0, 0)


@helper
def swap_hands(t: Table, one: int, two: int, kinds: int) -> None:
    """The hands at two seats change places."""
    swap_known(t, one, two, kinds)
    for kind in range(kinds):
        held = t.hand[one][kind]
        t.hand[one][kind] = t.hand[two][kind]
        t.hand[two][kind] = held
    size = t.hand_size[one]
    t.hand_size[one] = t.hand_size[two]
    t.hand_size[two] = size


@clause("K46")
def change_seats(e: Edition, t: Table, tape: Tape, other: int) -> None:
    """Two players trade places; all cards stay where they lie."""
    mine = t.seat_of[t.turn_player]
    theirs = t.seat_of[other]
    know_own_hands(e, t)
    tell(tape, SEATS_CHANGED, t.turn_player, 0, 0, 0, 0)
    sit(t, tape, t.turn_player, mine, theirs)
    sit(t, tape, other, theirs, mine)
    drop_own_hands(e, t)


@helper
def sit(t: Table, tape: Tape, player: int, old: int, new: int) -> None:
    """A player sits down at a place."""
    t.seat_of[player] = new
    t.player_at[new] = player
    tell(tape, MOVED, player, old, new, 0, 0)


@clause("K47")
def clear_the_pile(t: Table, tape: Tape) -> None:
    """The whole pile leaves the game, and whoever played the card plays again."""
    tell(tape, PILE_CLEARED, t.turn_player, BY_POWER, 0, 0, 0)
    tell_pile(tape, t, 0)
    remove_from_pile(t, t.discard_size)
    t.again = 1


@clause("K48")
def lose_turns(t: Table, tape: Tape, player: int, n: int) -> None:
    """The next turns this player would have are lost; several losses add up."""
    t.lost_turns[player] += n
    tell(tape, TURNS_TO_LOSE, t.turn_player, player, n, 0, 0)


@clause("K61")
def several_lose_turns(t: Table, tape: Tape, n: int, whom: int) -> None:
    """The next player, as the direction is at this moment, or everyone else who holds cards."""
    seat = t.turn_seat
    for _ in range(t.players):
        seat = seat_after(t, seat)
        player = t.player_at[seat]
        if may_be_chosen(t, LOSE_TURNS, player):
            lose_turns(t, tape, player, n)
            if whom == NEXT:
                return


@clause("K50")
def rotate_hands(e: Edition, t: Table, tape: Tape, way: int) -> None:
    """All hands go one place on at once, whatever the direction of play."""
    tell(tape, HANDS_PASSED, t.turn_player, way, 0, 0, 0)
    know_own_hands(e, t)
    for i in range(1, t.players):
        if way == LEFT:
            swap_hands(t, 0, i, e.kinds)
        else:
            swap_hands(t, 0, t.players - i, e.kinds)
    drop_own_hands(e, t)


@clause("K51")
def choose_the_gift(e: Edition, t: Table, tape: Tape, what: int, chosen: int) -> None:
    """A card is picked to be given; nobody knows yet to whom."""
    if what == GIVE_FACE_DOWN:
        t.giving_from = FACE_DOWN
    else:
        t.giving_from = location_to_play_from(e, t, t.seat_of[t.turn_player])
    t.giving = chosen
    tell(tape, GIFT_CHOSEN, t.turn_player, t.giving_from, chosen, 0, 0)


@clause("K51")
def give_the_card(e: Edition, t: Table, tape: Tape, other: int) -> None:
    """The picked card becomes a hand card of its receiver."""
    seat = t.seat_of[t.turn_player]
    kind = t.giving
    place = NONE
    if t.giving_from == FACE_DOWN:
        place = t.giving
        kind = t.face_down[seat][place]
    remember_gift(e, t, t.giving_from, place, kind, other)
    if t.giving_from == FACE_DOWN:
        take_face_down(t, seat, place)
    else:
        take(t, seat, t.giving_from, kind, 1)
    put_in_hand(t, t.seat_of[other], kind, 1)
    tell(tape, CARD_GIVEN, t.turn_player, other, t.giving_from, place, kind)
    t.giving_from = NOWHERE
    t.giving = NONE


@clause("K60")
def reverse_the_direction(t: Table, tape: Tape) -> None:
    """Play goes on the other way round."""
    t.direction = -t.direction
    tell(tape, DIRECTION_REVERSED, t.turn_player, t.direction, 0, 0, 0)


@clause("K60")
def rotate_seats(e: Edition, t: Table, tape: Tape, n: int, way: int) -> None:
    """Everyone leaves all their cards and moves n seats on."""
    steps = n if way == LEFT else -n
    know_own_hands(e, t)
    tell(tape, SEATS_CHANGED, t.turn_player, 0, 0, 0, 0)
    for player in range(t.players):
        old = t.seat_of[player]
        sit(t, tape, player, old, (old + steps) % t.players)
    drop_own_hands(e, t)


@clause("K61")
def several_draw(t: Table, tape: Tape, n: int, whom: int) -> None:
    """The player, or everyone else in the direction of play, draws while there are cards."""
    if whom == SELF:
        draw_cards(t, tape, t.turn_player, n)
        return
    seat = t.turn_seat
    for _ in range(t.players):
        seat = seat_after(t, seat)
        if t.player_at[seat] != t.turn_player:
            draw_cards(t, tape, t.player_at[seat], n)


@clause("K27", "K61")
def peek(t: Table, tape: Tape, place: int) -> None:
    """One looks at one of one's own face-down cards."""
    seat = t.seat_of[t.turn_player]
    t.peeked[seat][place] |= 1 << t.turn_player
    tell(tape, CARD_PEEKED_AT, t.turn_player, seat, place, t.face_down[seat][place], 0)


@clause("K61")
def swap_face_up(t: Table, tape: Tape, up: int, kind: int) -> None:
    """A face-up card and a hand card change places."""
    seat = t.seat_of[t.turn_player]
    put_in_hand(t, seat, up, 1)
    put_in_hand(t, seat, kind, -1)
    see_join(t, seat, up, 1)
    see_join(t, seat, kind, -1)
    place = 0
    while t.face_up[seat][place] != up:
        place += 1
    t.face_up[seat][place] = kind
    tell(tape, CARDS_SWAPPED, t.turn_player, seat, place, up, kind)
