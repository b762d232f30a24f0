"""The public Python interface: everything listed exists, is typed and documented, and changes with an announcement."""

import importlib
import inspect
import json

import pytest

from tests.rule_coverage import ROOT
from threefold.interface import PUBLIC
from tools.interface import PAGE, RECORD, changelog_lines, digest, signatures

NAMES = [(module, name) for module, names in PUBLIC.items() for name in names]
HOW = 'Add a line to CHANGELOG.md, then run python -m tools.interface "The line."'


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_every_public_name_exists_and_says_what_it_is(module: str, name: str) -> None:
    value = getattr(importlib.import_module(module), name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert inspect.getdoc(value), "it has a docstring"


def test_every_public_function_is_typed() -> None:
    for module, name in NAMES:
        value = getattr(importlib.import_module(module), name)
        if inspect.isroutine(value):
            signature = inspect.signature(value)
            everything = [*(each.annotation for each in signature.parameters.values()), signature.return_annotation]
            assert inspect.Signature.empty not in everything, f"{module}.{name}"


def test_modules_that_list_their_names_list_the_public_ones() -> None:
    for module, names in PUBLIC.items():
        listed = getattr(importlib.import_module(module), "__all__", names)
        assert set(names) <= set(listed), module


def test_names_and_signatures_change_only_with_a_line_in_the_changelog() -> None:
    record = json.loads(RECORD.read_text("utf-8"))
    assert digest(signatures()) == list(record)[-1], f"The public interface has changed. {HOW}"
    assert signatures() == PAGE.read_text("utf-8"), HOW
    assert len(set(record.values())) == len(record), "every change has a line of its own"
    assert set(record.values()) <= changelog_lines(), "the lines are in the changelog"


def test_the_page_documents_exactly_the_public_modules() -> None:
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    documented = [line.removeprefix("::: ") for line in page.splitlines() if line.startswith("::: ")]
    assert documented == [f"{module}.{name}" for module, name in NAMES if name not in {"KARMA", "SET"}]
