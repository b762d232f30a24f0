"""Toy games, so small that every table that can come up is visited."""

import json
from collections import deque
from dataclasses import dataclass

from tests.karma.laws.setups import BORROWED, CODES
from threefold.game import Json
from threefold.karma import Table
from threefold.karma.positions import parse_position
from threefold.karma.table import OVER, Moves, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.records import blank, copied

MOST_TABLES = 60_000


@dataclass(frozen=True, slots=True)
class Reached:
    """All tables of a toy game; how many of them are over, how many moves lead between them, how long it can take."""

    tables: int
    endings: int
    moves: int
    stuck: int  # tables from which no ending can be reached
    furthest: int  # the most moves that an ending is away, if all hurry
    endless: int  # tables from which the game can go on for ever (K24)


def name_of(table: Table) -> tuple[object, ...]:
    """A table without its history: how many turns were played matters only under a limit."""
    kinds, seats = table.deal.edition.kinds, range(table.players)
    return (
        *(tuple(table.hand[seat][:kinds]) for seat in seats),
        *(tuple(table.face_up[seat] + table.face_down[seat] + table.peeked[seat]) for seat in seats),
        tuple(table.draw_pile[: table.draw_size]),
        tuple(table.discard_pile[: table.discard_size]),
        tuple(table.pending[: table.pending_size]),
        tuple(table.seat_of + table.lost_turns + table.out),
        (table.giving_from, table.giving, table.direction, table.turn_player, table.turn_seat, table.again),
        (table.awaits, table.ending, table.loser),
    )


def explore(position: str) -> Reached:
    """Visits every table that can come up, then goes back from the endings."""
    start = parse_position(position)
    edition, tape, listed = start.deal.edition, blank(Tape), blank(Moves)
    numbers = {name_of(start): 0}
    coming_from: list[list[int]] = [[]]
    endings: list[int] = []
    waiting = deque([(0, start)])
    moves = 0
    while waiting:
        number, table = waiting.popleft()
        if table.awaits == OVER:
            endings.append(number)
            continue
        player = first_awaited(table)
        list_moves(edition, table, player, listed)
        for move in listed.move[: listed.count]:
            after = copied(table)
            make_move(edition, after, tape, player, move)
            moves += 1
            name = name_of(after)
            if name not in numbers:
                numbers[name] = len(numbers)
                coming_from.append([])
                waiting.append((numbers[name], after))
                assert len(numbers) < MOST_TABLES, "this is no toy"
            coming_from[numbers[name]].append(number)
    away = dict.fromkeys(endings, 0)
    going_back = deque(endings)
    while going_back:
        number = going_back.popleft()
        for before in coming_from[number]:
            if before not in away:
                away[before] = away[number] + 1
                going_back.append(before)
    furthest = max(away.values(), default=-1)
    return Reached(len(numbers), len(endings), moves, len(numbers) - len(away), furthest, endless(coming_from))


def endless(coming_from: list[list[int]]) -> int:
    """How many tables are left when again and again those are taken away from which no move leads on."""
    ways_on = [0] * len(coming_from)
    for befores in coming_from:
        for before in befores:
            ways_on[before] += 1
    finished = deque(number for number, ways in enumerate(ways_on) if ways == 0)
    left = len(coming_from)
    while finished:
        left -= 1
        for before in coming_from[finished.popleft()]:
            ways_on[before] -= 1
            if ways_on[before] == 0:
                finished.append(before)
    return left


def house(designs: tuple[int, ...], **fields: Json) -> str:
    """A small house edition with some of the designs."""
    rows = [{"code": CODES[each]} for each in designs]
    return json.dumps({"numbers": {"from": 1, "to": 6, "copies": 3}, "karma": {"LOW": 3}, "designs": rows, **fields})


TOYS: dict[str, str] = {
    "three clear": "classic; 0 hand 1 2 up 3 . . down 2 . .; 1 hand 1 3 up 2 . . down 1 . .; turn 0",
    "three clear, karma": "classic; 0 hand 1 GIV down 2 . .; 1 hand BOT up LOW . . down TAB . .; turn 0",
    "three clear, three players": "classic; 0 hand 1 3; 1 hand GIV down 7 . .; 2 hand 2 3; turn 1",
    "three clear, drawing": "classic; 0 hand 1 1; 1 hand 3 TAB; turn 0; draw 1 3 7",
    "pairs clear": "mini_round; 0 hand 1 2 up 3 . . down 2 . .; 1 hand 1 3 up 4 . . down 4 . .; turn 0",
    "pairs clear, karma": "mini_round; 0 hand 1 TAB up 7 . .; 1 hand 2 LOW down GIV . .; turn 0",
    "the rest is given": "classic_alternative_triples; 0 hand 1 1 TAB up 2 . .; 1 hand 1 2 up LOW . .; turn 0",
    "the rest is given, three players": "classic_alternative_triples; 0 hand 1 2; 1 hand 1 2; 2 hand 1 2; turn 0",
    "second edition, drawing": "second_edition; 0 hand 5 EXC up 3 . .; 1 hand 9 CLR; turn 0; draw 711 2",
    "second edition, three players": "second_edition; 0 hand SEA 4; 1 hand LOS; 2 hand ONE; turn 0",
    "second edition, drawing by hand": (
        'second_edition {"draw":"by hand"}; 0 hand 5 PAS down 3 . .; 1 hand 9 OWN; turn 0; draw 4 2'
    ),
    "designs that swap and give": f"{house((8, 9))}; 0 hand D1 up 3 . . down 1 . .; 1 hand D2 4; turn 0",
    "designs that move": f"{house((0, 3))}; 0 hand D1 2 up 3 . .; 1 hand D2 4; turn 0; draw 1",
    "designs that clear, pairs": (
        f"{house((7, 10), clear=2, clear_does='give')}; 0 hand D1 2; 1 hand D2 4 down 2 . .; turn 0; draw 4"
    ),
    "nobody left": (
        f'{{"karma":{{"OWN":3}}}} {{"create_your_karma":"{BORROWED}"}}; 0 hand OWN 2; 1 hand 3 OWN; turn 0'
    ),
}
"""Name -> where a toy game begins; every card not named has been removed."""


def main() -> None:
    for name, position in TOYS.items():
        print(f'    "{name}": {explore(position)},')  # noqa: T201 (run by hand, it prints the figures)


if __name__ == "__main__":
    main()
