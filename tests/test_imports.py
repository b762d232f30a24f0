"""What importing a game brings along."""

import subprocess
import sys
from pathlib import Path

import pytest

import threefold

SOURCE = Path(threefold.__file__).parent
GAMES = [game for game in ("karma", "setgame") if (SOURCE / game / "__init__.py").exists()]
HEAVY = {"numpy", "numba", "llvmlite", "typer", "rich", "hypothesis"}
NOT_PLAIN = {"__init__", "compiled", "packed", "served"}


def modules_after(statement: str) -> set[str]:
    """The modules that are loaded in a fresh process after a statement."""
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_imported_without_numpy_or_numba(game: str) -> None:
    assert not modules_after(f"import threefold.{game}") & HEAVY


@pytest.mark.parametrize("game", GAMES)
def test_no_plain_module_of_a_game_needs_numpy_or_numba(game: str) -> None:
    plain = [path.stem for path in (SOURCE / game).glob("*.py") if path.stem not in NOT_PLAIN]
    imports = "; ".join(f"import threefold.{game}.{module}" for module in sorted(plain))
    assert not modules_after(imports) & HEAVY


@pytest.mark.parametrize("game", GAMES)
def test_a_game_does_not_import_the_other(game: str) -> None:
    others = {f"threefold.{other}" for other in ("karma", "setgame") if other != game}
    assert not modules_after(f"import threefold.{game}") & others
