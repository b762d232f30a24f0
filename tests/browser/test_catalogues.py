"""Every language says everything, with the same parameters, and the page asks for no sentence that is not there."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.fixtures import parameters_of
from threefold.texts import LANGUAGES, catalogue

Json = Any
ROOT = Path(__file__).parents[2]
SOURCES = {
    path: path.read_text("utf-8")
    for path in (ROOT / "frontend" / "src").rglob("*")
    if path.suffix in {".ts", ".svelte"}
}
OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
def test_no_key_is_missing_and_none_is_left_over(language: str) -> None:
    assert set(catalogue(language)) == set(catalogue())


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_knows_no_other_parameters_than_the_english_sentence(language: str) -> None:
    for key, sentence in catalogue().items():
        assert parameters_of(catalogue(language)[key]) <= parameters_of(sentence), key


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_says_every_parameter_that_english_says(language: str) -> None:
    for key, sentence in catalogue().items():
        assert spoken(sentence) <= spoken(catalogue(language)[key]), key


def spoken(sentence: Json) -> set[str]:
    """The parameters that are read out in some branch."""
    if isinstance(sentence, str):
        return set(re.findall(r"\{(\w+)\}", sentence))
    return set().union(*(spoken(value) for name, value in sentence.items() if name != "by"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_choice_has_a_last_resort(language: str) -> None:
    def check(sentence: Json) -> None:
        if isinstance(sentence, dict):
            assert {"by", "other"} <= set(sentence)
            for name, value in sentence.items():
                if name != "by":
                    check(value)

    for sentence in catalogue(language).values():
        check(sentence)


def test_every_key_that_the_page_names_is_in_the_catalogue() -> None:
    for path, source in SOURCES.items():
        for key in re.findall(r"['\"`](page\.[\w.]+)['\"`]", source):
            assert key in catalogue(), f"{path.name}: {key}"


def test_every_sentence_of_the_page_is_used() -> None:
    source = "".join(SOURCES.values())
    named = set(re.findall(r"page\.[\w.]+", source))
    beginnings = tuple(each for each in re.findall(r"`(page\.[\w.]*)\$\{", source))
    for key in catalogue():
        if key.startswith("page."):
            assert key in named or key.startswith(beginnings), key
