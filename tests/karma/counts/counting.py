"""Counts of move sequences, plain and compiled, and the files that pin them.

A file in `data/` has positions, and below each the number of sequences of one move, of two moves and so on. During
set-up the first player who has not chosen moves; a sequence ends early where the game ends, and then counts no more.
`python -m tests.karma.counts.counting` writes all files anew.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.karma.laws.setups import ALL_RULES, Rules
from tests.karma.laws.walks import Picker, walk
from threefold import karma
from threefold.karma import Table
from threefold.karma.positions import format_position
from threefold.karma.table import OVER, Moves, Tape
from threefold.karma.turn import first_awaited, list_moves, make_move
from threefold.records import blank, copied, flat

DATA = Path(__file__).parent / "data"
REMADE_BY = "python -m tests.karma.counts.counting"
SMALL = 4_000
"""Counts up to this many sequences are checked plain in every run."""
LARGE = 600_000
"""No deeper than this many."""

STARTS = ((2, 0, True), (3, 0, False), (2, 40, True), (4, 60, False), (3, 90, True), (2, 130, True))
"""Players, moves made before the count begins, whether those were made eagerly."""


@dataclass(frozen=True, slots=True)
class Row:
    """How many sequences of so many moves there are from a position."""

    position: str
    depth: int
    count: int


def count_plain(table: Table, depth: int) -> int:
    """How many sequences of `depth` moves there are from here."""
    return _count(table, depth, blank(Moves), blank(Tape))


def _count(table: Table, depth: int, listed: Moves, tape: Tape) -> int:
    if table.awaits == OVER:
        return 0
    edition, player = table.deal.edition, first_awaited(table)
    list_moves(edition, table, player, listed)
    if depth == 1:
        return listed.count
    count = 0
    for move in listed.move[: listed.count]:
        after = copied(table)
        make_move(edition, after, tape, player, move)
        count += _count(after, depth - 1, listed, tape)
    return count


def count_compiled(table: Table, depth: int) -> int:
    """The same at the second speed."""
    import numpy as np

    from tests.karma import compiled
    from tests.karma.counts import compiled_count
    from threefold.compiling import record_type

    ts: Any = compiled.blank_tables(depth)
    ints = ts.view(np.int64).reshape(depth, -1)
    ints[0] = flat(table)
    ms = np.zeros(depth, record_type(Moves))
    es, tape = compiled.edition_records(table.deal.edition), compiled.blank_tape()
    return int(compiled_count.count_sequences(es, ts, ints, ms, tape, depth))


def rows_of(name: str) -> list[Row]:
    """All counts of an edition's file."""
    rows: list[Row] = []
    position = ""
    for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("depth "):
            depth, count = line.removeprefix("depth ").split(": ")
            rows.append(Row(position, int(depth), int(count)))
        elif line and not line.startswith("#"):
            position = line
    return rows


def lines_for(rules: Rules) -> Iterator[str]:
    """Counts from several points of several games, as deep as LARGE allows."""
    for number, (players, moves, eager) in enumerate(STARTS):
        draw = "by hand" if number % 2 else "automatic"
        table, tries = None, 0
        while table is None or table.awaits == OVER:
            seed = f"v1:{rules.name}-{number}-{tries}"
            table = walk(karma.new(rules.setup(players, seed, draw=draw)), Picker(seed), moves, eager=eager)
            tries += 1
        yield ""
        yield format_position(table)
        depth, count = 1, count_compiled(table, 1)
        while 0 < count <= LARGE and depth < 30:
            yield f"depth {depth}: {count}"
            depth += 1
            count = count_compiled(table, depth)


def main() -> None:
    DATA.mkdir(exist_ok=True)
    for rules in ALL_RULES:
        lines = [
            f"# Karma, {rules.name}: a position, then how many sequences of so many moves there are from it.",
            "# Counted by the compiled engine; small counts are checked plain in every run, all of them in slow runs.",
            f"# Made by: {REMADE_BY}",
        ]
        (DATA / f"{rules.name}.txt").write_text("\n".join([*lines, *lines_for(rules)]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
