"""Export of single games as rows: CSV, or Parquet with the extra `threefold[parquet]`."""

import csv
from importlib import import_module
from pathlib import Path

from threefold.simulation.runner import MissingExtra
from threefold.simulation_parts.results import Result


def write_csv(result: Result, path: Path) -> None:
    """Writes one line per game, below a line with the names of the columns."""
    rows = result.game_rows()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(result: Result, path: Path) -> None:
    """Writes one row per game."""
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra("parquet", "pyarrow") from None
    parquet.write_table(pyarrow.Table.from_pylist(result.game_rows()), path)
