"""Laws about the source itself, read from its syntax trees."""

import ast
import importlib
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import threefold
from threefold.records import shapes
from threefold.shuffle import Random

SOURCE = Path(threefold.__file__).parent
GAMES = [game for game in ("karma", "setgame") if (SOURCE / game / "table.py").exists()]
FILES = [(game, path.name) for game in GAMES for path in sorted((SOURCE / game).glob("*.py"))]
Ranks = Mapping[str, int]
"""Field of a record -> how many subscripts lead to one of its numbers."""


def ranks_in(game: str) -> Ranks:
    """The ranks of all fields of all records that a game declares beside its Table."""
    table = importlib.import_module(f"threefold.{game}.table")
    records = [each for each in vars(table).values() if isinstance(each, type) and is_dataclass(each)]
    return {name: len(shape) for record in [*records, Random] for name, shape in shapes(record).items()}


def tree_of(game: str, file: str) -> ast.Module:
    return ast.parse((SOURCE / game / file).read_text("utf-8"))


def functions_of_the_rules(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions marked with `@clause` or `@helper`: those that run at both speeds."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
            if any(isinstance(mark, ast.Name) and mark.id in {"clause", "helper"} for mark in marks):
                yield function


def part_of_a_record(node: ast.expr, known: Mapping[str, tuple[str, int]], ranks: Ranks) -> tuple[str, int] | None:
    """Which field of a record an expression leads into, and how many subscripts deep."""
    if isinstance(node, ast.Subscript):
        inside = part_of_a_record(node.value, known, ranks)
        return None if inside is None else (inside[0], inside[1] + 1)
    if isinstance(node, ast.Attribute):
        return (node.attr, 0) if node.attr in ranks else None
    if isinstance(node, ast.Name):
        return known.get(node.id)
    return None


def targets_of(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
        yield node.target


def rows_assigned(function: ast.FunctionDef, ranks: Ranks) -> Iterator[str]:
    """The assignments in a function that set a whole row: plain code would share it, compiled code would copy it."""
    local = {
        target.id: part
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and (part := part_of_a_record(node.value, {}, ranks))
    }
    for node in ast.walk(function):
        for target in targets_of(node):
            part = None if isinstance(target, ast.Name) else part_of_a_record(target, local, ranks)
            if part is not None and part[1] < ranks[part[0]]:
                yield f"line {node.lineno}: {ast.unparse(node)}"  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "file"), FILES)
def test_the_rules_never_assign_a_row_of_a_record(game: str, file: str) -> None:
    ranks = ranks_in(game)
    found = [
        each for function in functions_of_the_rules(tree_of(game, file)) for each in rows_assigned(function, ranks)
    ]
    assert found == []


@pytest.mark.parametrize(
    "statement",
    [
        "t.hand[1] = t.hand[0]",
        "t.hand = t.hand",
        "t.hand[0], t.hand[1] = t.hand[1], t.hand[0]",
        "t.hand[:] = [[1], [2]]",
        "hands = t.hand; hands[0] = hands[1]",
        "for t.hand[0] in t.hand: pass",
    ],
)
def test_an_assigned_row_is_found(statement: str) -> None:
    code = f"@helper\ndef f(t):\n{textwrap.indent(statement, '    ')}"
    (function,) = functions_of_the_rules(ast.parse(code))
    assert list(rows_assigned(function, {"hand": 2, "pile": 1, "size": 0}))


@pytest.mark.parametrize(
    "statement",
    [
        "t.hand[1][2] = t.hand[0][2]",
        "t.hand[1][2] += 1",
        "t.size = 3",
        "hand = t.hand[1]; hand[2] = 0",
        "t.pile[t.size] = t.hand[0][1]",
        "t.pile[:2] = [1, 2]",
        "t.other = []",
    ],
)
def test_a_number_may_be_assigned(statement: str) -> None:
    code = f"@clause('K7')\ndef f(t):\n{textwrap.indent(statement, '    ')}"
    (function,) = functions_of_the_rules(ast.parse(code))
    assert list(rows_assigned(function, {"hand": 2, "pile": 1, "size": 0})) == []


def modules_imported(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def test_the_rules_of_karma_import_no_cards_and_no_editions() -> None:
    data = {f"threefold.karma.{module}" for module in ("cards", "editions", "design")}
    assert not modules_imported(tree_of("karma", "rules.py")) & data


def test_the_rules_of_karma_name_no_card_and_no_edition() -> None:
    cards = importlib.import_module("threefold.karma.cards")
    editions = importlib.import_module("threefold.karma.editions")
    named = {card.code for card in cards.PRINTED} | set(editions.EDITIONS)
    tree = tree_of("karma", "rules.py")
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    words |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    words |= {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert not words & named
