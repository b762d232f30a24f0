"""SET compiled with Numba. Entry points take arrays of records and an index; they do not check moves.

Test coverage is measured on the plain functions, which are the same source. Compiled code cannot be traced, so the
entry points are marked `no cover`.
"""

from typing import Any

import numpy as np

from threefold.compiling import compiler, record_type, to_records
from threefold.setgame import playouts, refusals, turn
from threefold.setgame.cards import THIRD
from threefold.setgame.playouts import Choice, Report
from threefold.setgame.table import Table, Tape, Variant
from threefold.shuffle import Random

VARIANT = record_type(Variant)
TABLE = record_type(Table)
TAPE = record_type(Tape)
RANDOM = record_type(Random)

_compiled = compiler("setgame")

# ---------------------------------------------------------------- Games


@_compiled
def make_move(vs: Any, ts: Any, i: int, tapes: Any, player: int, move: int, at: int) -> None:  # pragma: no cover
    """Makes a move that was accepted."""
    turn.make_move(vs[0], ts[i], tapes[0], player, move, at)


@_compiled
def refusal(vs: Any, ts: Any, i: int, player: int, move: int, at: int) -> int:  # pragma: no cover
    """The code of the refusal of a move; 0 if it is accepted."""
    why: int = refusals.refusal(vs[0], ts[i], player, move, at)
    return why


@_compiled
def choose(vs: Any, ts: Any, i: int, rs: Any, policy: int, choices: Any) -> None:  # pragma: no cover
    """Chooses the next move."""
    playouts.choose(vs[0], ts[i], rs[0], policy, choices[0])


@_compiled
def shuffle_and_deal(vs: Any, ts: Any, i: int, tapes: Any, rs: Any, players: int) -> None:  # pragma: no cover
    """Shuffles and deals a new game."""
    playouts.shuffle_and_deal(vs[0], ts[i], tapes[0], rs[0], players)


@_compiled
def play_games(  # pragma: no cover
    vs: Any, ts: Any, tapes: Any, rs: Any, choices: Any, reports: Any, policy: int, players: int, games: int
) -> None:
    """Plays many games to the end."""
    playouts.play_games(vs, ts, tapes, rs, choices, reports, policy, players, games)


def blank_tables(count: int) -> Any:
    """Zeroed table records."""
    return np.zeros(count, TABLE)


def blank_tape(room: int = 0) -> Any:
    """An empty tape; with `room=0` it records nothing."""
    tape = np.zeros(1, TAPE)
    tape["room"] = room
    return tape


def blank_choice() -> Any:
    """A zeroed Choice record."""
    return np.zeros(1, record_type(Choice))


def variant_records(variant: Variant) -> Any:
    """A variant as an array of one record."""
    return to_records([variant])


def random_records(random: Random) -> Any:
    """A generator as an array of one record."""
    return to_records([random])


def simulate(variant: Variant, players: int, policy: int, games: int, random: Random) -> dict[str, Any]:
    """Plays games and returns their Report as a dict."""
    reports = np.zeros(1, record_type(Report))
    play_games(
        variant_records(variant),
        blank_tables(1),
        blank_tape(),
        random_records(random),
        blank_choice(),
        reports,
        policy,
        players,
        games,
    )
    return {name: reports[0][name].tolist() for name in reports.dtype.names or ()}


# ---------------------------------------------------------------- Searches among any cards, as bytes

BYTE = np.uint8


@_compiled
def count_sets(cards: Any) -> int:  # pragma: no cover
    """The number of SETs among different cards. Each SET is counted three times, once for each of its pairs."""
    lying = np.zeros(81, BYTE)
    for card in cards:
        lying[card] = 1
    pairs = 0
    for i in range(len(cards)):
        row = 81 * np.int64(cards[i])
        for j in range(i):
            pairs += lying[THIRD[row + cards[j]]]
    return pairs // 3


@_compiled
def list_sets(cards: Any, sets: Any) -> int:  # pragma: no cover
    """Writes every SET into the rows of `sets`, in the order of the cards; returns how many there are."""
    place = np.zeros(81, BYTE)
    for i in range(len(cards)):
        place[cards[i]] = i
    count = 0
    for i in range(len(cards)):
        row = 81 * np.int64(cards[i])
        for j in range(i + 1, len(cards)):
            third = THIRD[row + cards[j]]
            if place[third] > j:
                sets[count, 0] = cards[i]
                sets[count, 1] = cards[j]
                sets[count, 2] = third
                count += 1
    return count


@_compiled
def count_sets_of_each(layouts: Any, counts: Any) -> None:  # pragma: no cover
    """Counts the SETs of each layout."""
    for i in range(len(layouts)):
        counts[i] = count_sets(layouts[i])


@_compiled
def list_sets_of_each(layouts: Any, sets: Any, counts: Any) -> None:  # pragma: no cover
    """Every SET of each of many layouts, written into the rows of `sets[i]`."""
    for i in range(len(layouts)):
        counts[i] = list_sets(layouts[i], sets[i])


@_compiled
def count_set_free(deck: int, size: int, first: int, last: int) -> int:  # pragma: no cover
    """Counts the choices of `size` cards out of the first `deck` with no SET and with their lowest card in a range.

    Cards are chosen from the lowest up. `blocked` counts, for each card, the pairs of chosen cards it would complete.
    """
    chosen = np.zeros(size, np.int64)
    blocked = np.zeros(81, np.int64)
    choices = 0
    for lowest in range(first, last):
        chosen[0] = lowest
        depth = 1
        card = lowest + 1
        while True:
            if depth == size - 1:  # the last card: whatever is not blocked
                for each in range(card, deck):
                    if blocked[each] == 0:
                        choices += 1
                card = deck
            if card < deck:
                if blocked[card] == 0:
                    for i in range(depth):
                        blocked[THIRD[81 * card + chosen[i]]] += 1
                    chosen[depth] = card
                    depth += 1
                card += 1
            else:
                depth -= 1
                if depth == 0:
                    break
                last_chosen = chosen[depth]
                for i in range(depth):
                    blocked[THIRD[81 * last_chosen + chosen[i]]] -= 1
                card = last_chosen + 1
    return choices


def set_free_layouts(deck: int, size: int) -> int:
    """The number of layouts of at least 2 cards without a SET, from the small deck (27) or the full one (81)."""
    return int(count_set_free(deck, size, 0, deck))
