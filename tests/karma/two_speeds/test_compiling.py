"""Compiled code is never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from threefold import compiling

ENTRY = """
from threefold.compiling import compiler
from threefold.karma import powers


@compiler("karma")
def parameter_of(power):
    return powers.first_parameter(power)


print(parameter_of(powers.packed(powers.GIVE_CARDS, 2, 0)), sum(parameter_of.stats.cache_hits.values()))
"""


def copy_of_the_package(folder: Path) -> Path:
    package = folder / "threefold"
    shutil.copytree(compiling.HOME, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    return package


def run(program: Path, folder: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "THREEFOLD_CACHE": str(folder / "cache")}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.slow
def test_an_edit_in_any_file_of_the_rules_is_seen_by_compiled_code_of_another_file(tmp_path: Path) -> None:
    rules = copy_of_the_package(tmp_path) / "karma" / "powers.py"
    entry = tmp_path / "entry.py"
    entry.write_text(ENTRY, "utf-8")
    assert run(entry, tmp_path) == ["2", "0"]
    assert run(entry, tmp_path) == ["2", "1"]  # from the cache: without the folder's name the next would be stale
    before = rules.read_text("utf-8")
    after = before.replace("return power >> 8 & 255", "return (power >> 8 & 255) + 40")
    assert after != before
    rules.write_text(after, "utf-8")
    assert run(entry, tmp_path) == ["42", "0"]
    rules.write_text(before, "utf-8")
    assert run(entry, tmp_path) == ["2", "1"]


def test_the_name_of_the_cache_changes_with_every_engine_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "HOME", copy_of_the_package(tmp_path))
    names = {compiling.fingerprint("karma")}
    files = compiling.sources("karma")
    assert {path.name for path in files} >= {"shuffle.py", "records.py", "compiling.py", "powers.py", "kernels.py"}
    for path in files:
        path.write_text(path.read_text("utf-8") + "\n# edited\n", "utf-8")
        names.add(compiling.fingerprint("karma"))
    new_file = compiling.HOME / "karma" / "appendix.py"
    new_file.write_text("", "utf-8")
    names.add(compiling.fingerprint("karma"))
    assert len(names) == 1 + len(files) + 1


def test_the_name_of_the_cache_changes_with_bounds_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    name = compiling.fingerprint("karma")
    monkeypatch.setitem(compiling.OPTIONS, "boundscheck", not compiling.OPTIONS["boundscheck"])
    assert compiling.fingerprint("karma") != name


def test_every_rule_lies_in_a_file_that_the_name_of_the_cache_knows() -> None:
    from threefold.clauses import registered

    files = {path.resolve() for path in compiling.sources("karma")}
    rules = registered("threefold.karma", "threefold.shuffle")
    assert rules
    assert {Path(each.__code__.co_filename).resolve() for each in rules} <= files
