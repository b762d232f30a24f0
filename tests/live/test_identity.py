"""Names, codes and signed tokens."""

import base64
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer

from threefold.game import Refusal
from threefold.live.identity import (
    CODE_LETTERS,
    LONGEST_NAME,
    SMALL_NUMBERS,
    Names,
    SeatToken,
    Signer,
    clean_name,
    folded_names,
    new_code,
    read_code,
)
from threefold.live.keys import BadSecret, keys_from, keys_in


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ann  ", "Ann"),
        ("A\u202enn\u200b", "Ann"),
        ("A\u3164n\u034fn\u2800\ufe0f", "Ann"),
        ("Zoë\t\n of  Oz", "Zoë of Oz"),
        ("ﬁn", "fin"),
        ("x" * 99, "x" * LONGEST_NAME),
        ("Z̵̡̛̹͎a", "Z̵̡a"),
        ("李小龙", "李小龙"),
        ("🦊", "🦊"),
    ],
)
def test_names_are_cleaned_and_cut(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u202e", "\x00\x1b", "...", "\u3164", "\u2800\u115f\u17b4"])
def test_a_name_without_a_letter_is_refused(typed: str) -> None:
    with pytest.raises(Refusal):
        clean_name(typed)


def names_with(*names: str) -> Names:
    """These people are at the table."""
    known = Names()
    for each in names:
        known.add(each)
    return known


@given(st.text(), st.lists(st.text(), max_size=5))
def test_a_name_is_visible_short_and_unlike_the_others(typed: str, others: list[str]) -> None:
    taken: list[str] = []
    names = Names()
    for each in [*others, typed, typed]:
        try:
            name = names.unique(each)
        except Refusal:
            continue
        assert 1 <= len(name) <= LONGEST_NAME
        assert name == name.strip()
        assert name.isprintable()
        assert all(folded_names(name).isdisjoint(folded_names(other)) for other in taken)
        taken.append(name)
        names.add(name)


@pytest.mark.parametrize(
    ("name", "like"),
    [
        ("Ann", "\u0410nn"),  # Cyrillic A
        ("Ann", "ANN"),
        ("paypal", "p\u0430yp\u0430l"),  # Cyrillic a
        ("\u041e\u0441\u0430", "Oca"),  # all Cyrillic
        ("Ian", "lan"),
        ("B0b", "BOb"),
        ("\u03a1\u0391\u03a4", "PAT"),  # Greek
        ("Zoe\u0301", "Zo\u00e9"),
    ],
)
def test_a_name_that_looks_like_one_at_the_table_gets_a_number(name: str, like: str) -> None:
    assert names_with(name).unique(like) == clean_name(like) + " 2"
    assert names_with(like).unique(name) == clean_name(name) + " 2"


@pytest.mark.parametrize(("name", "other"), [("ian", "lan"), ("Tom", "Torn"), ("Анна", "Anna"), ("李", "王")])
def test_names_that_can_be_told_apart_get_none(name: str, other: str) -> None:
    assert names_with(name).unique(other) == other


def test_a_name_that_is_given_up_is_free_again() -> None:
    names = names_with("Ann", "Ann 2", "ANN")
    names.remove("Ann 2")
    names.remove("Ann")
    assert names.unique("Ann") == "Ann 2", "somebody is still called ANN"
    names.remove("ANN")
    assert names == Names()


def test_a_person_may_keep_their_name_or_write_it_otherwise() -> None:
    names = names_with("Ann", "Bob")
    assert names.unique("Ann", own="Ann") == "Ann"
    assert names.unique("ANN", own="Ann") == "ANN"
    assert names.unique("Bob", own="Ann") == "Bob 2"


def test_joining_a_crowd_of_the_same_name_looks_at_few_names(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[str] = []

    def fold(name: str) -> frozenset[str]:
        looked_at.append(name)
        return folded_names(name)

    names = Names()
    for _ in range(1000):
        names.add(names.unique("Ann"))
    monkeypatch.setattr("threefold.live.identity.folded_names", fold)
    assert names.unique("Ann") == "Ann 1001"
    assert len(looked_at) <= SMALL_NUMBERS


def test_codes_have_six_letters_and_can_be_typed_carelessly() -> None:
    code = new_code()
    assert len(code) == 6
    assert set(code) <= set(CODE_LETTERS)
    assert read_code(f" {code[:3].lower()}-{code[3:]} ") == code
    for wrong in ("", "ABCDEF", code + "B", "12345é"):
        with pytest.raises(Refusal):
            read_code(wrong)


def test_tokens_say_who_and_what_for_and_cannot_be_changed() -> None:
    signer, other = Signer("key"), Signer("another key")
    seat = SeatToken(signer.table_mark("t"), "p", "Robot", program=True, made_by="ann")
    assert signer.read_person(signer.person("ann")) == "ann"
    assert signer.read_seat(signer.seat(seat)) == seat
    assert signer.read_transfer(signer.transfer("ann", "x")) == ("ann", "x")
    for token in (signer.person("ann"), signer.seat(seat), signer.transfer("ann", "x"), "", "a.b", "ü"):
        assert other.read_person(token) is None
        assert other.read_seat(token) is None
        assert other.read_transfer(token) is None
    assert signer.read_person(signer.seat(seat)) is None, "a token is for one purpose"
    assert signer.read_seat(signer.person("ann")) is None
    assert signer.read_person(signer.person("ann")[:-1] + "A") is None


def test_a_seat_token_is_for_one_table_and_does_not_reveal_its_id() -> None:
    signer = Signer("key")
    table = "the-id-of-a-table"
    text = signer.seat(SeatToken(signer.table_mark(table), "p", "Ann", program=False))
    seat = signer.read_seat(text)
    assert seat is not None
    assert signer.is_for(seat, table)
    assert not signer.is_for(seat, "another")
    assert not Signer("another key").is_for(seat, table)
    content = text.split(".")[0]
    assert table.encode() not in base64.urlsafe_b64decode(content + "==")


def test_a_token_of_an_earlier_version_stays_valid() -> None:
    old = URLSafeSerializer("key", salt="threefold seat").dumps(["table", "program-x", "Robot", True])
    seat = Signer("key").read_seat(str(old))
    assert seat == SeatToken("table", "program-x", "Robot", program=True)
    assert Signer("key").is_for(seat, "table")


def test_the_secret_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secrets.json"
    keys = keys_in(path)
    assert keys.new
    assert keys_in(path) == replace(keys, new=False)
    assert len(keys.signing_key) >= 40
    assert len(keys.operator_token) >= 30
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    assert keys_in(path) == replace(keys, new=False)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secrets.json"]
    assert keys.signing_key not in repr(keys)
    path.write_text(json.dumps({"signing_key": "of an earlier version"}), "utf-8")
    later = keys_in(path)
    assert (later.signing_key, later.new, keys_in(path).operator_token) == (
        "of an earlier version",
        True,
        later.operator_token,
    )


def test_machines_without_a_common_file_share_one_secret_text() -> None:
    keys, other = keys_from("correct horse battery staple"), keys_from("incorrect horse battery staple")
    assert keys == keys_from("correct horse battery staple")
    assert len({keys.signing_key, keys.operator_token, other.signing_key, other.operator_token}) == 4
    assert keys.fingerprint != other.fingerprint
    with pytest.raises(BadSecret):
        keys_from("short")


def test_a_secrets_file_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode)))
    keys_in(tmp_path / "secrets.json")
    assert synced == [False, True], "first the file, then its folder"


def test_a_secrets_file_that_cannot_be_changed_is_used_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secrets.json"
    keys = keys_in(path)
    path.chmod(0o444)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    assert keys_in(path).signing_key == keys.signing_key
