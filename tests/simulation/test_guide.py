"""The examples in the guides do what they show."""

import doctest
import re

import pytest

from tests.rule_coverage import ROOT

GUIDES = {"docs/guides/simulation.md": 30, "docs/guides/house-rule.md": 15}
GUIDES |= {"docs/simulate.md": 2, "docs/bots.md": 4, "docs/cards.md": 3}
"""Guide -> the least number of its examples."""


@pytest.mark.parametrize("guide", GUIDES)
def test_the_examples_in_the_guide_do_what_they_show(guide: str) -> None:
    text = (ROOT / guide).read_text("utf-8")
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    parsed = doctest.DocTestParser().get_doctest(examples, {}, guide, guide, 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(parsed, out=said.append)
    assert results.attempted > GUIDES[guide]
    assert results.failed == 0, "".join(said)
