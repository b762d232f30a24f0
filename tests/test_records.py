"""Records: one declaration that is lists of numbers here and a NumPy record in compiled code."""

from dataclasses import dataclass, field
from typing import Annotated

from threefold.karma.table import Edition, Moves, Table, Tape
from threefold.records import blank, copied, flat, from_flat, limits, shapes, size, starts, zeros


@dataclass(slots=True)
class Record:
    number: int
    row: Annotated[list[int], (3,)]
    rows: Annotated[list[list[int]], (2, 2)]
    name: str
    more: list[str] = field(default_factory=list)


def test_shapes_are_read_from_the_annotations_and_plain_fields_are_left_out() -> None:
    assert shapes(Record) == {"number": (), "row": (3,), "rows": (2, 2)}


def test_a_blank_record_is_full_of_zeros() -> None:
    record = blank(Record, name="x")
    assert (record.number, record.row, record.rows, record.name, record.more) == (0, [0, 0, 0], [[0, 0]] * 2, "x", [])
    record.rows[0][0] = 7
    assert record.rows == [[7, 0], [0, 0]]
    assert zeros(()) == 0


def test_a_copy_shares_no_list_of_numbers_with_the_original() -> None:
    record = blank(Record, name="x")
    twin = copied(record)
    twin.number, twin.row[0], twin.rows[1][1] = 1, 2, 3
    assert flat(record) == [0] * 8
    assert flat(twin) == [1, 2, 0, 0, 0, 0, 0, 3]
    assert twin.more is record.more


def test_a_flat_record_is_its_numbers_in_declared_order() -> None:
    record = Record(1, [2, 3, 4], [[5, 6], [7, 8]], "x")
    assert flat(record) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_a_record_is_made_from_its_flat_form() -> None:
    record = Record(1, [2, 3, 4], [[5, 6], [7, 8]], "x")
    assert from_flat(Record, flat(record), name="x") == record
    assert starts(Record) == {"number": 0, "row": 1, "rows": 4}
    assert size(Record) == 8


def test_a_list_says_how_much_of_it_is_in_use_or_is_used_whole() -> None:
    assert limits(Record) == {"row": (None,), "rows": (None, None)}
    of_a_table = limits(Table)
    assert of_a_table["hand"] == ("players", "kinds")
    assert of_a_table["draw_pile"] == ("draw_size",)
    assert {name for each in of_a_table.values() for name in each if name} <= {*shapes(Table), *shapes(Edition)}


def test_the_flat_order_is_the_order_in_compiled_memory() -> None:
    import numpy as np

    from threefold.compiling import record_type, to_records

    record = Record(1, [2, 3, 4], [[5, 6], [7, 8]], "x")
    assert to_records([record, record]).view(np.int64).tolist() == flat(record) * 2
    for each in (Edition, Table, Moves, Tape):
        assert record_type(each).itemsize == 8 * size(each)
