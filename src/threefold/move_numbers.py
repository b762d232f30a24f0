"""A move as one number: its sort and up to three small numbers, eight bits each. Both games write moves like this."""

from threefold.clauses import helper


@helper
def move_of(what: int, first: int, second: int, third: int) -> int:
    """Packs a move."""
    return what | first << 8 | second << 16 | third << 24


@helper
def what_of(move: int) -> int:
    """The sort of move."""
    return move & 255


@helper
def first_of(move: int) -> int:
    """The move's first number."""
    return move >> 8 & 255


@helper
def second_of(move: int) -> int:
    """The move's second number."""
    return move >> 16 & 255


@helper
def third_of(move: int) -> int:
    """The move's third number."""
    return move >> 24 & 255
