"""People without accounts: clean names, table codes, and signed tokens."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count

from confusable_homoglyphs import confusables
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer

from threefold.live.refusals import refuse

LONGEST_NAME = 20
TRANSFER_SECONDS = 600
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters, marks and symbols that show nothing (of Default_Ignorable_Code_Point, and two blanks)."""
FOLDS_KEPT = 10_000
SMALL_NUMBERS = 100
"""If so many people have the same name, further ones are numbered by the size of the crowd, without a search."""
CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels: a code spells no word."""
CODE_LENGTH = 6


def new_code() -> str:
    """The six letters of a table."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def read_code(text: str) -> str:
    """Reads a code that a person typed."""
    code = "".join(text.split()).replace("-", "").upper()
    if len(code) != CODE_LENGTH or any(letter not in CODE_LETTERS for letter in code):
        raise refuse("no_code", field="code", given=text[:20])
    return code


def new_id() -> str:
    """A random id for a person or a table, not guessable."""
    return secrets.token_urlsafe(12)


def clean_name(text: str) -> str:
    """A name as it is shown: one line of visible characters, not too long."""
    text = unicodedata.normalize("NFKC", text[:400])
    letters = [" " if unicodedata.category(each)[0] == "Z" or each in "\t\n\r" else each for each in text]
    seen = "".join(each for each in letters if unicodedata.category(each)[0] != "C" or each == " ")
    seen = INVISIBLE.sub("", seen)
    name, marks = "", 0
    for each in " ".join(seen.split()):
        marks = marks + 1 if unicodedata.combining(each) else 0
        if marks <= 2:
            name += each
    name = name[:LONGEST_NAME].strip()
    if not any(unicodedata.category(each)[0] in "LNS" for each in name):
        raise refuse("no_name", field="name", most=LONGEST_NAME)
    return name


@lru_cache(FOLDS_KEPT)
def folded_names(name: str) -> frozenset[str]:
    """Names that look or read alike have a fold in common: one by their letters, one by the shapes of the letters."""
    letters = "".join(unicodedata.normalize("NFKD", name).split())
    return frozenset({letters.casefold(), "".join(map(_shape, letters)).casefold()})


def _shape(letter: str) -> str:
    """The letter that stands for all that look like this one, in any script (Unicode's confusables)."""
    look_alikes = [each for each in _look_alikes(letter) if len(each) == 1]
    return max((letter, *look_alikes), key=lambda each: (len(_look_alikes(each)), -ord(each)))


@lru_cache(FOLDS_KEPT)
def _look_alikes(letter: str) -> list[str]:
    """The letters that look like this one. All name the letter of their shape, and that one names them all."""
    rows = confusables.is_confusable(letter, greedy=True) or ()
    return [each["c"] for row in rows for each in row["homoglyphs"]]


@dataclass(slots=True)
class Names:
    """The names at a table. They are counted by their folds, so a new name is not compared with each of a crowd."""

    people: int = 0
    folds: Counter[str] = field(default_factory=Counter)

    def add(self, name: str) -> None:
        """Somebody has this name now."""
        self.people += 1
        self.folds.update(folded_names(name))

    def remove(self, name: str) -> None:
        """Somebody has this name no longer."""
        self.people -= 1
        for fold in folded_names(name):
            self.folds[fold] -= 1
            if not self.folds[fold]:
                del self.folds[fold]

    def unique(self, text: str, own: str | None = None) -> str:
        """The name, with a number if somebody has it already, or one that looks like it. `own` may be kept."""
        name, mine = clean_name(text), frozenset() if own is None else folded_names(own)
        unique, numbers = name, chain(range(2, SMALL_NUMBERS), count(max(SMALL_NUMBERS, self.people + 1)))
        while any(self.folds[fold] > (fold in mine) for fold in folded_names(unique)):
            ending = f" {next(numbers)}"
            unique = name[: LONGEST_NAME - len(ending)] + ending
        return unique


@dataclass(frozen=True, slots=True)
class SeatToken:
    """The right of one person or program to act at one table."""

    table: str
    """The mark of the table (`Signer.table_mark`): whoever reads the token does not learn the table's id."""
    person: str
    name: str
    program: bool
    made_by: str = ""
    """The person who created the token of a program."""


class Signer:
    """Creates and reads signed tokens; a forged token, or one made for another purpose, reads as None."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._person = URLSafeSerializer(key, salt="threefold person")
        self._seat = URLSafeSerializer(key, salt="threefold seat")
        self._look = URLSafeSerializer(key, salt="threefold look")
        self._preview = URLSafeSerializer(key, salt="threefold preview")
        self._transfer = URLSafeTimedSerializer(key, salt="threefold transfer")

    def person(self, person: str) -> str:
        """The content of the cookie."""
        return self._person.dumps(person).__str__()

    def read_person(self, token: str) -> str | None:
        """The person of a cookie."""
        try:
            person = self._person.loads(token)
        except BadSignature as problem:
            problem.__traceback__ = None  # the library's frames refer to it, and to the connection that asks
            return None
        return person if isinstance(person, str) else None

    def seat(self, token: SeatToken) -> str:
        """A seat token as text."""
        content = [token.table, token.person, token.name, token.program, token.made_by]
        return self._seat.dumps(content).__str__()

    def table_mark(self, table: str) -> str:
        """A keyed hash of a table's id, for seat tokens."""
        return hmac.new(self._key, f"threefold table {table}".encode(), hashlib.sha256).hexdigest()[:32]

    def is_for(self, token: SeatToken, table: str) -> bool:
        """Is this token for this table? Tokens of earlier versions contain the table's id itself."""
        return token.table in (self.table_mark(table), table)

    def read_seat(self, token: str) -> SeatToken | None:
        """Reads a seat token."""
        try:
            table, person, name, program, *made_by = self._seat.loads(token)
        except (BadSignature, TypeError, ValueError) as problem:
            problem.__traceback__ = None  # as above
            return None
        return SeatToken(table, person, name, program, *made_by)

    def look(self, what: str, at: int) -> str:
        """States since when somebody has seen a puzzle or layout: a clock that a client cannot set back."""
        return self._look.dumps([what, at]).__str__()

    def read_look(self, token: str) -> tuple[str, int] | None:
        """What was seen, and when first."""
        try:
            what, at = self._look.loads(token)
        except (BadSignature, TypeError, ValueError):
            return None
        return what, at

    def preview(self, content: list[object]) -> str:
        """What the picture of a table link shows, so that nobody can ask for a picture with words of their own."""
        return self._preview.dumps(content).__str__()

    def read_preview(self, token: str) -> list[object] | None:
        """What a picture shows."""
        try:
            content: list[object] = self._preview.loads(token)
        except BadSignature:
            return None
        return content

    def transfer(self, person: str, nonce: str) -> str:
        """Lets a second device become the same person; valid for ten minutes, works once."""
        return self._transfer.dumps([person, nonce]).__str__()

    def read_transfer(self, token: str) -> tuple[str, str] | None:
        """Person and nonce of a transfer link."""
        try:
            person, nonce = self._transfer.loads(token, max_age=TRANSFER_SECONDS)
        except (BadSignature, TypeError, ValueError):
            return None
        return person, nonce
