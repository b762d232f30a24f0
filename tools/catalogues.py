"""`./run catalogues`: the sentences for translators, as gettext files that translation platforms and editors read.

    ./run catalogues check              missing texts, stale ones, and keys that English no longer has
    ./run catalogues export FOLDER      one file for each language and part: de/karma.po
    ./run catalogues import FOLDER      takes the translated files back
    ./run catalogues accept             what stands there now is a translation of what English says now

A text is stale if its English sentence has changed since it was translated and the translation has not. translations/
has the state of both at that time. A text that depends on a number or on who reads it is several entries; the context
of an entry is its key and, after a bar, its case.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import polib

from threefold.texts import LANGUAGES

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "src" / "threefold" / "texts"
RECORDS = ROOT / "translations"
ORIGINAL, *TRANSLATED = LANGUAGES
BAR = "|"
CASE = "by"
"""The field of a text with cases that names the parameter which decides."""
Sentences = dict[str, Any]
Hashes = dict[str, list[str]]
"""Key -> hashes of the English text and of its translation, when somebody said that they match."""


def read(language: str, part: str) -> Sentences:
    """The sentences of one part, as stored; none if the language does not have the part."""
    path = TEXTS / language / f"{part}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else {}


def parts() -> list[str]:
    """The parts of the English catalogue."""
    return sorted(path.stem for path in (TEXTS / ORIGINAL).glob("*.json"))


def leaves(text: Any, context: str) -> Iterator[tuple[str, str]]:
    """The sentences of a text, each with its context."""
    if isinstance(text, str):
        yield context, text
        return
    for case, inside in text.items():
        if case != CASE:
            yield from leaves(inside, f"{context}{BAR}{case}")


def original_of(context: str, english: Mapping[str, str]) -> str:
    """The English sentence for an entry; a case that English does not have is translated from its most general one."""
    while context not in english and BAR in context:
        context, _, case = context.rpartition(BAR)
        if case != "other" and f"{context}{BAR}other" in english:
            return english[f"{context}{BAR}other"]
    return english.get(context, "")


def export(folder: Path) -> None:
    """Writes a file for each language and part. Missing texts are empty, stale ones are marked fuzzy."""
    for language in TRANSLATED:
        stale = set(find_stale(language))
        for part in parts():
            english, own = read(ORIGINAL, part), read(language, part)
            sentences = {context: words for key, text in english.items() for context, words in leaves(text, key)}
            file = polib.POFile()
            file.metadata = {"Language": language, "Content-Type": "text/plain; charset=UTF-8", "MIME-Version": "1.0"}
            for key, text in english.items():
                for context, words in leaves(own.get(key, text), key):
                    entry = polib.POEntry(
                        msgctxt=context,
                        msgid=original_of(context, sentences) or next(leaves(text, key))[1],
                        msgstr=words if key in own else "",
                        comment=f"Which case applies depends on {text[CASE]}." if isinstance(text, dict) else "",
                        flags=["fuzzy"] if key in stale else [],
                    )
                    file.append(entry)
            target = folder / language / f"{part}.po"
            target.parent.mkdir(parents=True, exist_ok=True)
            file.save(str(target))


def take_back(folder: Path) -> int:
    """Reads the files into the catalogues; returns how many texts changed. Empty and fuzzy entries change nothing."""
    changed = 0
    for language in TRANSLATED:
        for part in parts():
            path = folder / language / f"{part}.po"
            if not path.is_file():
                continue
            english, own = read(ORIGINAL, part), read(language, part)
            given = {entry.msgctxt: entry.msgstr for entry in polib.pofile(str(path)) if entry.translated()}
            after: Sentences = {}
            for key, text in english.items():
                shape = own.get(key, text)
                complete = all(context in given for context, _ in leaves(shape, key))
                if key in own or complete:
                    after[key] = _filled(shape, key, given)
            after |= {key: text for key, text in own.items() if key not in after}
            changed += sum(after[key] != own.get(key) for key in after)
            if after != own:
                _write(TEXTS / language / f"{part}.json", after)
    return changed


def _filled(text: Any, context: str, given: Mapping[str, str]) -> Any:
    """A text with the sentences that were given; it keeps the others."""
    if isinstance(text, str):
        return given.get(context, text)
    return {
        case: inside if case == CASE else _filled(inside, f"{context}{BAR}{case}", given)
        for case, inside in text.items()
    }


def find_missing(language: str) -> list[str]:
    """Keys of English that the language does not have."""
    return [key for part in parts() for key in read(ORIGINAL, part) if key not in read(language, part)]


def find_unknown(language: str) -> list[str]:
    """Keys of the language that English does not have."""
    return [key for part in parts() for key in read(language, part) if key not in read(ORIGINAL, part)]


def find_stale(language: str) -> list[str]:
    """Keys whose English sentence has changed since it was translated, and whose translation has not."""
    path = RECORDS / f"{language}.json"
    before: Hashes = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    now = _hashes(language)
    return [
        key
        for key, (english, own) in now.items()
        if key in before and before[key][0] != english and before[key][1] == own
    ]


def accept() -> None:
    """Records that every translation matches its English text."""
    RECORDS.mkdir(exist_ok=True)
    for language in TRANSLATED:
        rows = ",\n".join(f" {json.dumps(key)}: {json.dumps(each)}" for key, each in sorted(_hashes(language).items()))
        (RECORDS / f"{language}.json").write_text(f"{{\n{rows}\n}}\n", "utf-8")


def _hashes(language: str) -> Hashes:
    found: Hashes = {}
    for part in parts():
        english, own = read(ORIGINAL, part), read(language, part)
        found |= {key: [_hash(text), _hash(own[key])] for key, text in english.items() if key in own}
    return found


def _hash(text: Any) -> str:
    return sha256(json.dumps(text, ensure_ascii=False).encode()).hexdigest()[:8]


def _write(path: Path, sentences: Sentences) -> None:
    """Writes a part in the form of the catalogues: one sentence a line."""
    path.write_text(json.dumps(sentences, ensure_ascii=False, indent=2) + "\n", "utf-8")


def check() -> int:
    """Prints what is to be done in each language; 1 if a text is missing or unknown."""
    wrong = 0
    for language in TRANSLATED:
        for kind, keys in (
            ("missing", find_missing(language)),
            ("stale", find_stale(language)),
            ("not in English", find_unknown(language)),
        ):
            print(f"{language}: {len(keys)} {kind}", *keys, sep="\n  ")
            wrong += len(keys) if kind != "stale" else 0
    return int(wrong > 0)


def main() -> None:
    """Runs one of the commands."""
    about, _, rest = (__doc__ or "").partition("\n")
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="./run catalogues", description=about, epilog=rest, formatter_class=form)
    parser.add_argument("what", choices=["check", "export", "import", "accept"])
    parser.add_argument("folder", nargs="?", type=Path)
    options = parser.parse_args()
    if options.what in {"export", "import"} and options.folder is None:
        parser.error(f"{options.what} needs a folder")
    if options.what == "check":
        sys.exit(check())
    if options.what == "accept":
        accept()
    elif options.what == "export":
        export(options.folder)
        print(f"The texts are in {options.folder}.")
    else:
        print(f"{take_back(options.folder)} texts changed.")


if __name__ == "__main__":
    main()
