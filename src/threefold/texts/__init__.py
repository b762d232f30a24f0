"""Texts: all sentences that people read, as keys with parameters. Each language has a catalogue, shared with the page.

A catalogue is a folder of JSON objects (`en/page.json` …), merged into one. A value is a sentence with `{parameters}`,
or a choice between sentences by one parameter: `{"by": "player", "you": "You pick up.", "other": "{player} picks
up."}`. The branches are `you` (the parameter is the viewer alone), `none` (it is null or empty), any value as text (of
a list: its length), the plural category of a number or of the length of a list (`one`, `few` …, see `plurals.py`), and
`other`; they can be nested. The name of a parameter decides how it is formatted (`PARAMETERS`), so a language can put
it anywhere in the sentence. Some parameters are derived from others (`DERIVED`): `{run}` is read from `cards`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Annotated, Any, NotRequired, TypedDict

from threefold.facts import PageType
from threefold.texts.plurals import PluralRule, one_and_other, spanish

Json = Any
LANGUAGES: dict[str, PluralRule] = {"en": one_and_other, "de": one_and_other, "es": spanish}
"""Every language and its plural rule; the first one is complete."""

PARAMETERS: dict[str, str] = {
    "player": "player",
    "to": "player",
    "other": "player",
    "players": "players",
    "winners": "players",
    "losers": "players",
    "loser": "player",
    "card": "card",
    "top": "card",
    "up": "card",
    "hand": "card",
    "cards": "cards",
    "failing": "texts",
    "reasons": "texts",
    "count": "number",
    "n": "number",
    "low": "number",
    "high": "number",
    "least": "number",
    "most": "number",
    "place": "number",
    "seat": "number",
    "power": "word:power",
    "powers": "words:power",
    "location": "word:location",
    "one_card": "cards",
    "copies": "cards",
    "run": "cards",
    "rest": "cards",
    "movers": "players",
    "margin": "seconds",
}
"""Parameter -> its type, which decides how it is formatted. Parameters not listed here are shown unchanged.

`word:power` reads the sentence `power.<value>`, and `words:power` one for each value of a list.
"""


class TextForm(TypedDict):
    """A text as it is sent: the page turns it into words in the reader's language."""

    key: str
    parameters: NotRequired[Annotated[dict[str, Json], PageType("Parameters")]]


def _size_of_run(cards: Sequence[str]) -> int:
    """How many identical cards lie on top; the last card is the top one."""
    return next((n for n, card in enumerate(reversed(cards)) if card != cards[-1]), len(cards))


DERIVED: dict[str, tuple[tuple[str, ...], Callable[..., Json]]] = {
    "one_card": (("card",), lambda card: [card]),
    "copies": (("card", "count"), lambda card, count: [card] * count),
    "run": (("cards",), lambda cards: cards[len(cards) - _size_of_run(cards) :]),
    "rest": (("cards",), lambda cards: cards[: len(cards) - _size_of_run(cards)]),
    "movers": (("moved",), lambda moved: [each["player"] for each in moved]),
    "margin": (("n",), lambda n: n),
}
"""Parameter -> the parameters that it is derived from, and how. It is null if one of them is."""


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence as a key and its parameters; `say` turns it into words."""

    key: str
    parameters: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> TextForm:
        """The text for the page, which turns it into words in the reader's language."""
        return {"key": self.key, "parameters": dict(self.parameters)} if self.parameters else {"key": self.key}


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the players at a table and of the cards they designed."""

    players: Sequence[str] = ()
    cards: Mapping[str, str] = field(default_factory=dict)


NO_NAMES = Names()


@cache
def catalogue(language: str = "en") -> dict[str, Json]:
    """All sentences of one language."""
    if language not in LANGUAGES:
        raise ValueError(f"no catalogue for {language!r}; there are {', '.join(LANGUAGES)}")
    sentences: dict[str, Json] = {}
    for part in sorted(files(__name__).joinpath(language).iterdir(), key=lambda each: each.name):
        sentences |= json.loads(part.read_text("utf-8"))
    return sentences


def say(text: Text, *, viewer: int | None = None, names: Names = NO_NAMES, language: str = "en") -> str:
    """The sentence for this viewer."""
    words = _Formatter(catalogue(language), LANGUAGES[language], viewer, names).say(text.key, text.parameters)
    return words[:1].upper() + words[1:] if words.endswith((".", "!", "?")) else words


@dataclass(frozen=True, slots=True)
class _Formatter:
    """Formats sentences for one viewer. The method named like a type of `PARAMETERS`, if any, formats its values."""

    sentences: Mapping[str, Json]
    plural: PluralRule
    viewer: int | None
    names: Names

    def say(self, key: str, parameters: Mapping[str, Json]) -> str:
        sentence = self.sentences.get(key, key)  # without a sentence people read the key, as on the page
        while not isinstance(sentence, str):
            sentence = self.branch(sentence, parameters)
        words = {
            name: self.format(name, self.value(name, parameters))
            for _, name, _, _ in Formatter().parse(sentence)
            if name
        }
        return sentence.format_map(words)

    def value(self, name: str, parameters: Mapping[str, Json]) -> Json:
        if name not in DERIVED:
            return parameters.get(name)
        sources, derive = DERIVED[name]
        values = [parameters.get(each) for each in sources]
        return None if None in values else derive(*values)

    def branch(self, choice: Mapping[str, Json], parameters: Mapping[str, Json]) -> Json:
        name = choice["by"]
        value = self.value(name, parameters)
        kind = PARAMETERS.get(name)
        if value is None or value in ([], ""):
            keys = ["none"]
        elif isinstance(value, list):
            keys = [str(len(value)), self.plural(len(value))]
        elif kind == "number" and isinstance(value, int | float):
            keys = [self.plain(value), self.plural(value)]
        else:
            keys = [self.plain(value)]
        if (kind == "player" and value == self.viewer) or (kind == "players" and value == [self.viewer]):
            keys.insert(0, "you")
        return next((choice[key] for key in keys if key in choice and key != "by"), choice["other"])

    def format(self, name: str, value: Json) -> str:
        kind, _, start = PARAMETERS.get(name, "plain").partition(":")
        formatter: Callable[..., str] = getattr(self, kind, self.plain)
        if value is None:
            return self.plain(value)
        return formatter(value, start) if start else formatter(value)

    def plain(self, value: Json) -> str:
        """A value without a form of its own, as the page writes it: null is a dash, 2.0 is 2."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return str(value).lower()
        return str(int(value)) if isinstance(value, float) and value == int(value) else str(value)

    def player(self, value: int) -> str:
        if value == self.viewer:
            return self.say("you", {})
        return self.names.players[value] if value < len(self.names.players) else self.say("player", {"n": value})

    def players(self, values: Sequence[int]) -> str:
        return self.listed([self.player(each) for each in values])

    def card(self, value: str) -> str:
        return self.names.cards.get(value) or str(self.sentences.get(f"card.{value}", value))

    def cards(self, values: Sequence[str]) -> str:
        counted = {value: values.count(value) for value in values}
        return self.listed([self.copies(each, n) for each, n in counted.items()])

    def copies(self, card: str, n: int) -> str:
        """Several of one card: "an 8", "three 10s"."""
        name = self.card(card)
        return self.say("cards.number" if name.isdigit() else "cards.named", {"n": n, "name": name})

    def seconds(self, milliseconds: int) -> str:
        whole, thousandths = divmod(milliseconds, 1000)
        return self.say("decimal", {"first": whole, "last": f"{thousandths:03}"})

    def word(self, value: str, start: str) -> str:
        """The sentence whose key begins with `start` and ends with the value."""
        return self.say(f"{start}.{value}", {})

    def words(self, values: Sequence[str], start: str) -> str:
        return "; ".join(self.word(each, start) for each in values)

    def texts(self, values: Sequence[Mapping[str, Json]]) -> str:
        """Sentences one after the other."""
        return " ".join(self.say(each["key"], each.get("parameters", {})) for each in values)

    def listed(self, words: Sequence[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self.say("list", {"first": ", ".join(words[:-1]), "last": words[-1]})
