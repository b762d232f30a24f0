"""The catalogues go to translation platforms and come back unchanged; missing and stale texts are listed."""

import json
import shutil
from pathlib import Path

import polib
import pytest

from tools import catalogues


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the catalogues in which a test may write."""
    copy = tmp_path / "texts"
    shutil.copytree(catalogues.TEXTS, copy, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    monkeypatch.setattr(catalogues, "TEXTS", copy)
    monkeypatch.setattr(catalogues, "RECORDS", tmp_path / "translations")
    catalogues.accept()
    return copy


def change(path: Path, key: str, text: object) -> None:
    sentences = json.loads(path.read_text("utf-8"))
    if text is None:
        del sentences[key]
    else:
        sentences[key] = text
    path.write_text(json.dumps(sentences, ensure_ascii=False, indent=2) + "\n", "utf-8")


def test_everything_comes_back_as_it_went(texts: Path, tmp_path: Path) -> None:
    before = {path: json.loads(path.read_text("utf-8")) for path in texts.rglob("*.json")}
    catalogues.export(tmp_path / "out")
    assert catalogues.take_back(tmp_path / "out") == 0
    assert {path: json.loads(path.read_text("utf-8")) for path in texts.rglob("*.json")} == before


def test_a_translated_file_is_one_that_gettext_reads(texts: Path, tmp_path: Path) -> None:
    catalogues.export(tmp_path / "out")
    file = polib.pofile(str(tmp_path / "out" / "de" / "karma.po"))
    entry = next(each for each in file if each.msgctxt == "karma.event.face_up_shown|you")
    english = json.loads((texts / "en" / "karma.json").read_text("utf-8"))["karma.event.face_up_shown"]
    assert entry.msgid == english["you"]
    assert all(each.msgid for each in file)
    assert len({each.msgctxt for each in file}) == len(file)


def test_a_missing_text_is_listed_exported_empty_and_taken_back(texts: Path, tmp_path: Path) -> None:
    change(texts / "de" / "karma.json", "karma.event.face_up_shown", None)
    assert catalogues.find_missing("de") == ["karma.event.face_up_shown"]
    assert catalogues.check() == 1
    catalogues.export(tmp_path / "out")
    path = tmp_path / "out" / "de" / "karma.po"
    file = polib.pofile(str(path))
    missing = [each for each in file if not each.msgstr]
    assert {each.msgctxt for each in missing} == {"karma.event.face_up_shown|you", "karma.event.face_up_shown|other"}
    for each in missing:
        each.msgstr = f"neu {each.msgctxt}"
    file.save(str(path))
    assert catalogues.take_back(tmp_path / "out") == 1
    assert catalogues.read("de", "karma")["karma.event.face_up_shown"]["you"] == "neu karma.event.face_up_shown|you"
    assert catalogues.find_missing("de") == []


def test_a_text_is_stale_when_only_english_has_changed(texts: Path, tmp_path: Path) -> None:
    change(texts / "en" / "page.json", "page.title", "Another title")
    assert catalogues.find_stale("de") == ["page.title"]
    catalogues.export(tmp_path / "out")
    file = polib.pofile(str(tmp_path / "out" / "de" / "page.po"))
    assert [each.msgctxt for each in file if each.fuzzy] == ["page.title"]
    change(texts / "de" / "page.json", "page.title", "Ein anderer Titel")
    assert catalogues.find_stale("de") == []
    assert catalogues.find_stale("es") == ["page.title"]
    catalogues.accept()
    assert catalogues.find_stale("es") == []


def test_a_key_that_english_no_longer_has_is_listed(texts: Path) -> None:
    change(texts / "en" / "page.json", "page.title", None)
    assert catalogues.find_unknown("es") == ["page.title"]


def test_no_text_of_the_project_is_missing() -> None:
    assert [catalogues.find_missing(each) for each in catalogues.TRANSLATED] == [[], []]
