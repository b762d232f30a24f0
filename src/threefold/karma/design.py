"""Create Your Karma (K60–K65): a designed card is data; it is checked, worded and shared as a short code.

A code is `K1` and the base-64 (URL form, no padding) of: two check bytes, the picture, the number of powers with 128
for a card that leaves, three bytes for each power (wire code and parameters), and the name in UTF-8. The same code
always gives the same card: pictures and powers are append-only lists.
"""

import base64
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

from threefold.facts import Words
from threefold.fields import a_list, a_text, a_whole_number, an_object, one_of, refuse, required, shown, true_or_false
from threefold.game import BadSetup, Json
from threefold.karma.cards import KarmaCard, OnPile, mark_of
from threefold.karma.powers import (
    ASK_FOR,
    PLAY_TABLE_CARD,
    POWER_NAMED,
    POWER_OF_CODE,
    VOCABULARY,
    CardPower,
    card_power,
)
from threefold.karma.table import POWERS
from threefold.kit import DesignForm
from threefold.texts import Text, say

CLAUSES = ("K60", "K61", "K62", "K63", "K64", "K65", "K66")
"""The clauses of Create Your Karma and of the cards that people design for it."""
PREFIX = "K1"
LONGEST_CODE = 80
LONGEST_NAME = 24  # bytes of UTF-8
LEAVES_BIT = 128

PICTURES: tuple[str, ...] = (
    "🌀", "🔄", "🎁", "🎯", "🎲", "🎭", "🌪️", "🌊", "🔥", "❄️", "⚡", "🌙", "☀️", "⭐", "🌈", "🍀",
    "🌸", "🌵", "🍄", "🍎", "🍋", "🦊", "🐢", "🐙", "🦉", "🐝", "🦋", "🐳", "🐉", "👑", "💎", "🗝️",
    "🧲", "🧹", "🪄", "🎈", "🎪", "🚀", "⛵", "🎠", "🪞", "🕰️", "⚖️", "🛡️", "🏹", "🧭", "🪁", "🥁",
)  # fmt: skip
"""The pictures a card can have (K65). Append-only: a code holds the position in this list."""


@dataclass(frozen=True, slots=True)
class Design:
    """A card that players made: a name, a picture, whether it leaves, and one to three powers."""

    name: str
    picture: str
    leaves: bool
    powers: tuple[CardPower, ...]

    def as_card(self, code: str) -> KarmaCard:
        """The card as it is played, under the code that its edition gives it."""
        asks = any(each.power.code == ASK_FOR for each in self.powers)
        on_pile = OnPile.LEAVES if self.leaves else OnPile.ASKS if asks else OnPile.ZERO
        return KarmaCard(code, "K61", on_pile, self.powers, self.name, self.picture)

    def as_json(self) -> Json:
        """As people write it."""
        powers = [{"power": each.power.name, **each.parameters()} for each in self.powers]
        return {"name": self.name, "picture": self.picture, "leaves": self.leaves, "powers": powers}


def _refuse(key: str, **parameters: Json) -> BadSetup:
    return BadSetup(Text(f"karma.design.{key}", parameters), "K63")


def design_from_json(design: Json) -> Design:
    """K63: checks a design; refuses it with a sentence that says what to change."""
    try:
        return _checked(_read(design))
    except BadSetup as refused:
        raise BadSetup(refused.text, "K63") from None


def _read(design: Json) -> Design:
    values = an_object(design, "design", ("name", "picture", "leaves", "powers"))
    rows = a_list(required(values, "powers", "design"), "design.powers")
    return Design(
        name=_name(a_text(required(values, "name", "design"), "design.name")),
        picture=one_of(values.get("picture", PICTURES[0]), "design.picture", PICTURES),
        leaves=true_or_false(values.get("leaves", False), "design.leaves"),
        powers=tuple(_power(row, f"design.powers[{i}]") for i, row in enumerate(rows)),
    )


def _name(name: str) -> str:
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for letter in name):
        raise _refuse("name_with_control_characters")
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not name:
        raise _refuse("no_name")
    if len(name.encode()) > LONGEST_NAME:
        raise _refuse("name_too_long", most=LONGEST_NAME, count=len(name.encode()))
    return name


def _power(row: Json, where: str) -> CardPower:
    if not isinstance(row, Mapping):
        raise refuse("not_an_object", field=where, given=shown(row))
    power = POWER_NAMED[one_of(required(row, "power", where), f"{where}.power", POWER_NAMED)]
    an_object(row, where, ["power", *(each.name for each in power.parameters)])
    values: dict[str, int | str] = {}
    for each in power.parameters:
        value = required(row, each.name, where)
        if each.words:
            values[each.name] = one_of(value, f"{where}.{each.name}", each.words)
        else:
            values[each.name] = a_whole_number(value, f"{where}.{each.name}", each.least, each.most)
    return card_power(power.name, **values)


def _checked(design: Design) -> Design:
    """K63: what no single field shows."""
    names = [each.power.name for each in design.powers]
    if not 1 <= len(names) <= POWERS:
        raise _refuse("number_of_powers", most=POWERS, count=len(names))
    about_the_pile = [each.power.name for each in design.powers if each.power.about_the_pile]
    if len(about_the_pile) > 1:
        raise _refuse("two_about_the_pile", powers=about_the_pile)
    if [each.power.code for each in design.powers].count(PLAY_TABLE_CARD) > 1:
        raise _refuse("two_table_cards")
    for each in design.powers:
        if each.power.code == ASK_FOR and each.first > each.second:
            raise _refuse("impossible_range", low=each.first, high=each.second)
        if each.power.stays and design.leaves:
            raise _refuse("leaves_but_asks", power=each.power.name)
    return design


def words(design: Design) -> list[Text]:
    """K64: the card's rules text, generated."""
    return sentences(design.powers, leaves=design.leaves)


def sentences(powers: Sequence[CardPower], *, leaves: bool) -> list[Text]:
    """What a karma card does: one sentence for each power, and where the card goes."""
    said = [Text(f"karma.power.{each.power.name}", each.parameters()) for each in powers]
    if leaves:
        said.append(Text("karma.card.leaves"))
    elif not any(each.power.stays for each in powers):
        said.append(Text("karma.card.stays"))
    return said


def code_from_design(design: Design) -> str:
    """K65: the short text that stands for this card."""
    head = len(design.powers) | (LEAVES_BIT if design.leaves else 0)
    powers = [number for each in design.powers for number in (each.power.code, each.first, each.second)]
    body = bytes([PICTURES.index(design.picture), head, *powers]) + design.name.encode()
    return PREFIX + base64.urlsafe_b64encode(_check(body) + body).decode().rstrip("=")


def _check(body: bytes) -> bytes:
    return zlib.crc32(body).to_bytes(4)[:2]


def design_from_code(code: str) -> Design:
    """K65: the card that a code stands for; anything that is no code of ours is refused."""
    try:
        design = _decoded(code)
    except (ValueError, IndexError, KeyError):
        raise _refuse("not_a_code", given=code[:LONGEST_CODE]) from None
    if code_from_design(design) != code:
        raise _refuse("not_a_code", given=code[:LONGEST_CODE])
    return design


def _decoded(code: str) -> Design:
    if not code.startswith(PREFIX) or len(code) > LONGEST_CODE:
        raise ValueError(code)
    text = code.removeprefix(PREFIX)
    raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    check, picture, head, body = raw[:2], raw[2], raw[3], raw[4:]
    if check != _check(raw[2:]):
        raise ValueError(code)
    count = head & ~LEAVES_BIT
    powers = tuple(CardPower(POWER_OF_CODE[body[3 * i]], body[3 * i + 1], body[3 * i + 2]) for i in range(count))
    design = Design(body[3 * count :].decode(), PICTURES[picture], bool(head & LEAVES_BIT), powers)
    return design_from_json(design.as_json())


class ParameterForm(TypedDict):
    """A parameter of a power: one of some words, or a number between two limits."""

    name: str
    words: NotRequired[list[str]]
    least: NotRequired[int]
    most: NotRequired[int]


class PowerForm(TypedDict):
    """A power that a designed card can have."""

    power: Annotated[str, Words(POWER_NAMED)]
    clause: str
    parameters: list[ParameterForm]
    about_the_pile: bool
    only_on_cards_that_stay: bool


def vocabulary_as_json() -> list[PowerForm]:
    """All powers with their parameters and limits, for card makers."""
    return [
        {
            "power": power.name,
            "clause": power.clause,
            "parameters": [
                {"name": each.name, "words": list(each.words)}
                if each.words
                else {"name": each.name, "least": each.least, "most": each.most}
                for each in power.parameters
            ],
            "about_the_pile": power.about_the_pile,
            "only_on_cards_that_stay": power.stays,
        }
        for power in VOCABULARY
    ]


def design_as_json(design: Design) -> DesignForm:
    """A checked design with its code, its mark on the pile and its rules text."""
    return {
        "code": code_from_design(design),
        "design": design.as_json(),
        "mark": mark_of(design.as_card("")),
        "words": [say(text) for text in words(design)],
    }


class KarmaDesigns:
    """Designed cards, as a kit offers them."""

    def powers(self) -> list[PowerForm]:
        """All powers with their parameters and limits."""
        return vocabulary_as_json()

    def from_json(self, design: Json) -> DesignForm:
        """Checks a design."""
        return design_as_json(design_from_json(design))

    def from_code(self, code: str) -> DesignForm:
        """The card behind a share code."""
        return design_as_json(design_from_code(code))


DESIGNS = KarmaDesigns()
