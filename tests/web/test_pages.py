"""The pages about live tables say what the source says."""

import re

import msgspec

from tests.rule_coverage import ROOT
from threefold.live.entries import TURN_CLOCKS, Settings
from threefold.web import protocol as p

PAGE = (ROOT / "docs" / "reference" / "live-protocol.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guides" / "live-tables.md").read_text("utf-8")
ROWS = {
    name: set(re.findall(r"`(\w+)`", fields))
    for name, fields in re.findall(r"^\| `(\w+)` \|([^|]*)\|", PAGE, re.MULTILINE)
}


def fields_by_message(base: type[msgspec.Struct]) -> dict[str, set[str]]:
    """Message -> its fields, without those that all messages of this direction share."""
    shared = {field.name for field in msgspec.structs.fields(base)}
    return {
        str(each.__struct_config__.tag): {field.name for field in msgspec.structs.fields(each)} - shared
        for each in base.__subclasses__()
    }


def test_the_reference_has_every_message_with_its_fields_and_no_other() -> None:
    assert fields_by_message(p.ClientMessage) | fields_by_message(p.ServerMessage) == ROWS


def test_every_message_of_the_union_is_decoded_by_its_tag() -> None:
    decoder = msgspec.json.Decoder(p.union_of(p.ClientMessage))
    for name, message in ((str(each.__struct_config__.tag), each) for each in p.ClientMessage.__subclasses__()):
        required = {
            field.name: 1 if field.type is int else "" for field in msgspec.structs.fields(message) if field.required
        }
        assert type(decoder.decode(msgspec.json.encode({"is": name, **required}))) is message


def test_the_reference_names_every_phrase_reaction_and_part() -> None:
    for word in (*p.PHRASES, *p.REACTIONS):
        assert word in PAGE
    for part in (p.GuestShown, p.SeatShown, p.PlayerShown, p.PauseShown, p.PlayingShown, p.ScoreShown, Settings):
        for field in msgspec.structs.fields(part):
            assert f"`{field.name}`" in PAGE, f"{part.__name__}.{field.name}"
    assert f"version {p.PROTOCOL}" in PAGE
    assert str(TURN_CLOCKS[-1]) in PAGE


def test_the_guide_names_every_setting_of_the_environment() -> None:
    places = [ROOT / "src" / "threefold" / place for place in ("web/settings.py", "cli/serve.py", "compiling.py")]
    known = {name for place in places for name in re.findall(r"THREEFOLD_[A-Z_]+", place.read_text("utf-8"))}
    known.remove("THREEFOLD_BOUNDSCHECK")  # for tests of the compiled code alone
    hosting = (ROOT / "docs" / "guides" / "hosting.md").read_text("utf-8")
    named = {row.split("`")[1] for row in hosting.splitlines() if row.startswith("| `THREEFOLD_")}
    assert named == known
    assert set(re.findall(r"THREEFOLD_[A-Z_]+", GUIDE)) <= known
