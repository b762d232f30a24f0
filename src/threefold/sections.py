"""Sections of a position in notation: the words between two semicolons. Every mistake is refused with its reason."""

import json
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from threefold.fields import a_whole_number
from threefold.game import BadSetup, Json, Refusal
from threefold.texts import Text

LONGEST_SHOWN = 200
"""Characters of a section in a message."""
LONGEST_WORD = 40
"""Characters of a word in a message."""
LONGEST_NUMBER = 16

Found = TypeVar("Found")


def sections(text: str) -> list[str]:
    """The sections of a position, between semicolons or on lines of their own."""
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()] or [""]


def refuse_repeated(rest: Sequence[str], *, may_repeat: Collection[str]) -> None:
    """Refuses a section that comes twice: the second one would hide the first."""
    names = [section.split()[0] for section in rest]
    for i, name in enumerate(names):
        if name in names[:i] and name not in may_repeat:
            wrong = {"given": rest[i][:LONGEST_SHOWN], "failing": [Text("position.section_twice").as_json()]}
            raise BadSetup(Text("setup.bad_position", wrong))


def why(key: str, clause: str | None = None, **parameters: Json) -> BadSetup:
    """A reason, to be named with the part that it is about (`read`) or with the whole position (`cannot_go_on`)."""
    return BadSetup(Text(f"position.{key}", parameters), clause)


def cannot_go_on(reason: Refusal) -> BadSetup:
    """The refusal of a position whose parts can be read but do not fit together."""
    return BadSetup(Text("setup.cannot_go_on", {"failing": [reason.text.as_json()]}), reason.clause)


def read(text: str, parse: Callable[["Section"], Found]) -> Found:
    """Parses a section; a mistake in it is refused with the section and the reason."""
    section = Section(text)
    try:
        found = parse(section)
        if section.words:
            raise why("too_much", given=section.words[0][:LONGEST_WORD])
    except Refusal as problem:
        wrong = {"given": text[:LONGEST_SHOWN], "failing": [problem.text.as_json()]}
        raise BadSetup(Text("setup.bad_position", wrong), problem.clause) from None
    return found


def read_json(text: str) -> Json:
    """The object of options in the first section."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise why("not_json", given=text[:LONGEST_WORD]) from None


class Section:
    """The words of one section after its name. Reading takes them away, one by one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.name, *self.words = text.split() or [""]

    def word(self) -> str:
        """The next word."""
        if not self.words:
            raise why("too_short")
        return self.words.pop(0)

    def rest(self) -> list[str]:
        """All words that are left."""
        words, self.words = self.words, []
        return words

    def number(self, least: int, most: int) -> int:
        """The next word as a whole number between two limits."""
        word = self.word()
        digits = word.removeprefix("-")
        is_number = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER
        return a_whole_number(int(word) if is_number else word, self.name, least, most)

    def one_of(self, meanings: dict[str, Found]) -> Found:
        """What the next word stands for."""
        word = self.word()
        if word not in meanings:
            raise why("unknown_word", given=word[:LONGEST_WORD], allowed=", ".join(meanings))
        return meanings[word]
