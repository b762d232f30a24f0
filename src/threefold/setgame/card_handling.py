"""Card handling, used by the rules: the deck and its reshuffles, laying cards and taking them up."""

from threefold.clauses import clause, helper
from threefold.setgame.table import NONE, NOWHERE, PERSONAL, PERSONAL_FROM, Table, Tape
from threefold.setgame.tape import CARD_LAID, DISCARD_PILE, REMOVED_CARDS, RESHUFFLED, tell
from threefold.shuffle import shuffle, shuffle_keyed


@clause("T8")
def next_card(t: Table, tape: Tape) -> int:
    """The next card of the deck; if it is empty the discard pile is reshuffled first, and then the removed centre."""
    if t.deck_size == 0:
        if t.discard_size > 0:
            shuffle_in(t, t.discard, t.discard_size)
            t.discard_size = 0
            tell(tape, RESHUFFLED, DISCARD_PILE, t.deck_size, 0, 0)
        else:
            shuffle_in(t, t.removed, t.removed_size)
            t.removed_size = 0
            tell(tape, RESHUFFLED, REMOVED_CARDS, t.deck_size, 0, 0)
    card = t.deck[t.dealt]
    t.dealt += 1
    t.deck_size -= 1
    return card


@helper
def put_in_deck(t: Table, cards: list[int], count: int) -> None:
    """Puts cards under the deck, and moves the deck to the start of its array."""
    for i in range(t.deck_size):
        t.deck[i] = t.deck[t.dealt + i]
    t.dealt = 0
    for i in range(count):
        t.deck[t.deck_size] = cards[i]
        t.deck_size += 1


@helper
def shuffle_in(t: Table, cards: list[int], count: int) -> None:
    """Shuffles cards into the rest of the deck."""
    put_in_deck(t, cards, count)
    reshuffle(t, t.deck_size)


@helper
def reshuffle(t: Table, size: int) -> None:
    """Shuffles the first cards of the deck, by the version of the game's seed."""
    t.reshuffles += 1
    if t.keyed == 1:
        shuffle_keyed(t.deck, size, t.key, t.reshuffles)
    else:
        shuffle(t.deck, size, t)


@helper
def lay_card(t: Table, tape: Tape, place: int, card: int) -> None:
    """Lays a card face up at a place of the layout."""
    t.layout[place] = card
    t.where[card] = place
    t.laid += 1
    tell(tape, CARD_LAID, card, place, 0, 0)


@helper
def lay_personal_card(t: Table, player: int, card: int) -> None:
    """Lays a card before a player, at the first free place."""
    place = 0
    while t.personal[player][place] != NONE:
        place += 1
    t.personal[player][place] = card
    t.personal_size[player] += 1
    t.where[card] = PERSONAL_FROM + PERSONAL * player + place


@helper
def pick_up(t: Table, card: int) -> None:
    """Takes a card up from wherever it lies face up."""
    where = t.where[card]
    if where < PERSONAL_FROM:
        t.layout[where] = NONE
        t.laid -= 1
    else:
        player = (where - PERSONAL_FROM) // PERSONAL
        t.personal[player][(where - PERSONAL_FROM) % PERSONAL] = NONE
        t.personal_size[player] -= 1
    t.where[card] = NOWHERE


@helper
def discard_card(t: Table, card: int) -> None:
    """Takes a card up and puts it on the discard pile."""
    pick_up(t, card)
    t.discard[t.discard_size] = card
    t.discard_size += 1
