"""A fault inside the rules is answered with a reference, logged under it, and stops its table alone."""

import json
import logging
from io import BytesIO

import pytest

from threefold import karma
from threefold.engine import Engine, converse
from threefold.game import Json
from threefold.games import KITS

FIRST = {"do": "new", "position": "classic; 0 hand 7 8; 1 hand 9; turn 0; pile 5"}
SECOND = {"do": "new", "position": "classic; 0 hand 1 2; 1 hand 9; 2 hand 10; turn 0; pile 1"}


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that fail at tables of two players, whenever somebody plays a 7, and for any View of such a table."""

    def play(table: karma.Table, player: int | None, move: str, at: int | None = None) -> object:
        if table.players == 2 and move == "play 7":
            raise IndexError("list index out of range")
        return karma.play(table, player, move, at)

    monkeypatch.setattr(type(KITS["karma"].game), "play", staticmethod(play))


def key(answer: Json) -> str:
    assert answer["ok"] is False
    return str(answer["error"]["text"]["key"])


@pytest.mark.usefixtures("broken")
def test_a_fault_inside_the_rules_is_answered_and_only_its_table_stops(caplog: pytest.LogCaptureFixture) -> None:
    engine = Engine()

    def ask(**request: Json) -> Json:
        return engine.answer_line(json.dumps({"id": 9, **request}).encode())

    ask(**FIRST), ask(**SECOND)
    with caplog.at_level(logging.ERROR):
        failed = ask(do="play", table="t1", player=0, move="play 7")
    assert (failed["id"], key(failed)) == (9, "setup.fault")
    reference = failed["error"]["text"]["parameters"]["given"]
    assert reference in failed["error"]["message"]
    (record,) = caplog.records
    assert reference in record.getMessage()
    assert record.exc_info is not None
    for request in (
        {"do": "play", "player": 0, "move": "play 8"},
        {"do": "explain", "player": 0, "move": "play 8"},
        {"do": "view", "player": 0},
        {"do": "events", "player": 0},
        {"do": "state"},
    ):
        stopped = ask(**request, table="t1")
        assert key(stopped) == "setup.table_has_stopped"
        assert stopped["error"]["text"]["parameters"]["given"] == reference
    assert ask(do="play", table="t2", player=0, move="play 1")["ok"], "another table goes on"
    assert ask(do="save", table="t1")["saved"]["moves"] == [], "what was played can still be saved"
    assert ask(do="close", table="t1")["ok"]
    assert key(ask(do="state", table="t1")) == "setup.no_such_table"


def test_a_fault_while_a_table_is_set_up_opens_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def decisions(_: karma.Table) -> object:
        raise KeyError("no such kind")

    engine = Engine()
    with monkeypatch.context() as patched:
        patched.setattr(type(KITS["karma"].game), "decisions", staticmethod(decisions))
        assert key(engine.answer_line(json.dumps(FIRST).encode())) == "setup.fault"
    assert engine.tables == {}
    assert engine.answer_line(json.dumps(SECOND).encode())["ok"]


@pytest.mark.usefixtures("broken")
def test_a_conversation_outlives_every_fault() -> None:
    requests = [FIRST, {"do": "play", "table": "t1", "player": 0, "move": "play 7"}, {"id": 3, "do": "design"}]
    answers = BytesIO()
    converse(BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in requests)), answers)
    assert [json.loads(line)["ok"] for line in answers.getvalue().splitlines()] == [True, False, True]
