"""Laws about the source itself, read from its syntax trees."""

import ast
import importlib
import re
import textwrap
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from io import StringIO
from pathlib import Path

import pytest

import threefold
from threefold.games import KITS
from threefold.records import shapes

SOURCE = Path(threefold.__file__).parent
GAMES = [game for game in ("karma", "setgame") if (SOURCE / game / "table.py").exists()]
FILES = [
    (game, path.relative_to(SOURCE / game).as_posix())
    for game in GAMES
    for path in sorted((SOURCE / game).rglob("*.py"))
    if path.name not in {"__init__.py", "__main__.py", "compiled.py", "copying.py", "kernels.py"}
]
Ranks = Mapping[str, int]
"""Field of a record -> how many subscripts lead to one of its numbers."""
Records = Mapping[str, Ranks]
"""Name of a record -> its fields."""


def records_in(game: str) -> Records:
    """All records that a game's modules declare or import."""
    names = [file.removesuffix(".py").replace("/", ".") for each, file in FILES if each == game]
    modules = [importlib.import_module(f"threefold.{game}.{name}") for name in names]
    classes = {each for module in modules for each in vars(module).values() if isinstance(each, type)}
    return {
        each.__name__: {name: len(shape) for name, shape in shapes(each).items()}
        for each in classes
        if is_dataclass(each) and shapes(each)
    }


def tree_of(game: str, file: str) -> ast.Module:
    return ast.parse((SOURCE / game / file).read_text("utf-8"))


def functions_of_the_rules(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """The functions marked with `@clause` or `@helper`: those that run at both speeds."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list]
            if any(isinstance(mark, ast.Name) and mark.id in {"clause", "helper"} for mark in marks):
                yield function


Part = tuple[Ranks, str, int]
"""A record's fields, one of them, and how many subscripts deep into it."""


def part_of_a_record(node: ast.expr, records: Mapping[str, Ranks], parts: Mapping[str, Part]) -> Part | None:
    """Which part of a record an expression means, given the local names of records and of parts of them."""
    if isinstance(node, ast.Subscript):
        inside = part_of_a_record(node.value, records, parts)
        return None if inside is None else (*inside[:2], inside[2] + 1)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        fields = records.get(node.value.id, {})
        return (fields, node.attr, 0) if node.attr in fields else None
    if isinstance(node, ast.Name):
        return parts.get(node.id)
    return None


def targets_of(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For):
        yield node.target


def rows_assigned(function: ast.FunctionDef, records: Records) -> Iterator[str]:
    """The assignments in a function that set a whole row: plain code would share it, compiled code would copy it."""
    local_records = {
        each.arg: records[each.annotation.id]
        for each in function.args.args
        if isinstance(each.annotation, ast.Name) and each.annotation.id in records
    }
    local_parts = {
        target.id: part
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and (part := part_of_a_record(node.value, local_records, {}))
    }
    for node in ast.walk(function):
        for target in targets_of(node):
            part = None if isinstance(target, ast.Name) else part_of_a_record(target, local_records, local_parts)
            if part is not None and part[2] < part[0][part[1]]:
                yield f"line {target.lineno}: {ast.unparse(target)}"


@pytest.mark.parametrize("game", GAMES)
def test_the_records_of_a_game_are_found(game: str) -> None:
    records = records_in(game)
    assert {"Table", "Tape"} <= set(records)
    assert 2 in records["Tape"].values()


@pytest.mark.parametrize(("game", "file"), FILES)
def test_the_rules_never_assign_a_row_of_a_record(game: str, file: str) -> None:
    records = records_in(game)
    functions = functions_of_the_rules(tree_of(game, file))
    assigned = [each for function in functions for each in rows_assigned(function, records)]
    assert assigned == []


EXAMPLE = {"Table": {"hand": 2, "pile": 1, "size": 0}}


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
    code = f"@helper\ndef f(t: Table):\n{textwrap.indent(statement, '    ')}"
    (function,) = functions_of_the_rules(ast.parse(code))
    assert list(rows_assigned(function, EXAMPLE))


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
    code = f"@clause('K7')\ndef f(t: Table):\n{textwrap.indent(statement, '    ')}"
    (function,) = functions_of_the_rules(ast.parse(code))
    assert list(rows_assigned(function, EXAMPLE)) == []


def modules_imported(tree: ast.Module) -> set[str]:
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return modules


WAYS = {way[kit.way] for kit in KITS.values() for way in kit.ways()}
"""The names of all editions and variants."""
CARDS = {card.code for card in importlib.import_module("threefold.karma.cards").PRINTED}
IN_WORDS = re.compile(r"\b(Karma|SETs?)\b(?! \w+ = )")
"""The name of a game in a sentence; `SET name = …` is SQL."""
EXAMPLE_LINE = re.compile(r"^\s*(>>> |`\{|Each side holds |batch = ).*$", re.MULTILINE)
"""A line of an example, which may use any game."""


def names_of_games(source: str) -> set[str]:
    """What a module names of a game: an import from its folder; the game, an edition, a variant or a card as a text;
    the game in a sentence or a comment.
    """
    tree = ast.parse(source)
    imported = {name for name in modules_imported(tree) if name.split(".")[:1] == ["threefold"]}
    named = {game for game in GAMES if any(name.split(".")[1:2] == [game] for name in imported)}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    comments = {token.string for token in tokens if token.type == tokenize.COMMENT}
    in_words = {word for text in texts | comments for word in IN_WORDS.findall(EXAMPLE_LINE.sub("", text))}
    return named | (texts & {*KITS, *GAMES, *WAYS, *CARDS}) | in_words


def test_only_the_registry_and_the_packages_of_the_games_name_a_game() -> None:
    excused = dict.fromkeys((*GAMES, "games.py", "interface.py"), 0)  # the last lists what programs may import
    for path in SOURCE.rglob("*.py"):
        file = path.relative_to(SOURCE)
        if named := names_of_games(path.read_text("utf-8")):
            homes = [each for each in excused if file.is_relative_to(each)]
            assert homes, f"{file} names {named}; a kit should"
            excused[homes[0]] += 1
    assert all(excused.values()), f"nothing needs some of these: {excused}"


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("from threefold.karma.editions import EDITIONS", {"karma"}),
        ("from threefold import setgame", {"setgame"}),
        ("import threefold.setgame.cards", {"setgame"}),
        ("kit = kits['set']", {"set"}),
        ("if game == 'karma': pass", {"karma"}),
        ("if variant == 'solitaire': pass", {"solitaire"}),
        ("if card in ('GIV', '7'): pass", {"GIV"}),
        ("'The review of a game of SET.'", {"SET"}),
        ("x = 1  # as in Karma", {"Karma"}),
        ("'UPDATE journal SET entries = 1'", set()),
        ("from threefold.games import KITS", set()),
        ("kinds = set(kits)", set()),
    ],
)
def test_a_named_game_is_found(line: str, named: set[str]) -> None:
    assert names_of_games(line) == named


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
