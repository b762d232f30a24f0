"""Python and the page write null, numbers and plurals alike: one file of cases, for this test and for the page's.

Polish and Arabic have no catalogue yet; the cases bring one, to show that such languages can be added.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from threefold.texts import LANGUAGES, NO_NAMES, _Formatter
from threefold.texts.plurals import PluralRule, arabic, polish

SHARED: Any = json.loads((Path(__file__).parent / "plural_cases.json").read_text("utf-8"))
RULES: dict[str, PluralRule] = {**LANGUAGES, "pl": polish, "ar": arabic}


def test_every_language_has_cases() -> None:
    assert {each["language"] for each in SHARED["cases"]} >= set(LANGUAGES)


@pytest.mark.parametrize("language", SHARED["catalogues"])
def test_null_numbers_and_plurals_are_written_as_on_the_page(language: str) -> None:
    formatter = _Formatter(SHARED["catalogues"][language], RULES[language], None, NO_NAMES)
    for case in SHARED["cases"]:
        if case["language"] == language:
            text = case["text"]
            assert formatter.say(text["key"], text["parameters"]) == case["says"], case
