"""The guide's examples do what they show."""

import doctest
import re

from tests.rule_coverage import ROOT

GUIDE = "docs/guides/simulation.md"


def test_the_examples_in_the_guide_do_what_they_show() -> None:
    text = (ROOT / GUIDE).read_text("utf-8")
    examples = "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    parsed = doctest.DocTestParser().get_doctest(examples, {}, GUIDE, GUIDE, 0)
    said: list[str] = []
    results = doctest.DocTestRunner().run(parsed, out=said.append)
    assert results.attempted > 30
    assert results.failed == 0, "".join(said)
