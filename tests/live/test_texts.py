"""Every sentence that live tables say is in the catalogue, and every sentence there is said."""

import re
from pathlib import Path

import threefold
from threefold.live.record import verify
from threefold.texts import catalogue
from threefold.web.protocol import PHRASES

SOURCE = Path(threefold.__file__).parent
FILES = [path for folder in ("live", "web", "cli", "storage") for path in (SOURCE / folder).rglob("*.py")]
ASKED = re.compile(r"(?:refuse|not_found|_problem)\(\s*\"(\w+)\"")


def test_every_refusal_has_its_sentence_and_every_sentence_is_used() -> None:
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    said = set(ASKED.findall(text)) | set(re.findall(r"live\.refusal\.(\w+)\"", text))
    said |= {key for key in ("broken", "wrong_method") if f'"{key}"' in text}
    kept = {key.removeprefix("live.refusal.") for key in catalogue() if key.startswith("live.refusal.")}
    live = {key for key in said if key in kept or f"setup.{key}" not in catalogue()}
    assert live == kept


def test_every_phrase_has_its_words() -> None:
    assert {f"live.phrase.{phrase}" for phrase in PHRASES} == {
        key for key in catalogue() if key.startswith("live.phrase.")
    }


def test_everything_that_verifying_finds_has_its_words() -> None:
    found = set(re.findall(r'problems\.append\("(\w+)"\)', Path(verify.__code__.co_filename).read_text("utf-8")))
    found |= set(re.findall(r"live\.verify\.(\w+)", (SOURCE / "cli" / "serve.py").read_text("utf-8")))
    assert {f"live.verify.{each}" for each in (*found, "sound", "other_rules")} == {
        key for key in catalogue() if key.startswith("live.verify.")
    }
