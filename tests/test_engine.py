"""The engine protocol is robust: whatever a line holds is answered, a refusal changes nothing, and talk goes on."""

import json
import subprocess
import sys
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from threefold.engine import LONGEST_LINE, REQUESTS, Engine, converse
from threefold.game import Json

NEW = {"id": 1, "do": "new", "game": "karma", "edition": "classic", "players": 2, "dealer": 0, "seed": "v1:abc"}
POSITION = {"do": "new", "position": "second_edition; 0 hand ONE 7 8; 1 hand 9; turn 0; pile 5; draw 1 2 3"}


def talk(*lines: Json) -> list[Json]:
    """The answers to some lines: raw bytes, or requests to be written as JSON."""
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    answers = BytesIO()
    converse(BytesIO(b"".join(line + b"\n" for line in raw)), answers)
    return [json.loads(line, parse_constant=pytest.fail) for line in answers.getvalue().splitlines()]


def refused(answer: Json) -> str:
    """The key that a request was refused with."""
    assert answer["ok"] is False
    assert set(answer) == {"id", "ok", "error"}
    assert set(answer["error"]) == {"clause", "message", "text"}
    assert answer["error"]["message"]
    return str(answer["error"]["text"]["key"])


# ---------------------------------------------------------------- A conversation


def test_a_game_is_opened_played_looked_at_saved_loaded_and_closed() -> None:
    opened, played, given, view, shown, state, kept = talk(
        POSITION,
        {"id": "a", "do": "play", "table": "t1", "player": 0, "move": "play ONE"},
        {"id": "b", "do": "play", "table": "t1", "player": 0, "move": "give 7"},
        {"id": "c", "do": "view", "table": "t1", "player": 1},
        {"id": "d", "do": "events", "table": "t1", "player": 1},
        {"id": "e", "do": "state", "table": "t1"},
        {"id": "f", "do": "save", "table": "t1"},
    )
    assert (opened["table"], opened["seq"], opened["ending"]) == ("t1", 0, None)
    assert opened["decisions"] == [
        {"player": 0, "question": "play", "moves": ["play 7", "play 8", "play ONE", "pick up"]}
    ]
    assert opened["anytime"] == [
        {"player": player, "question": "draw_game", "moves": ["offer draw"]} for player in (0, 1)
    ]
    assert (played["id"], played["seq"]) == ("a", 1)
    assert played["events"][0]["says"] == "Player 0 plays Give a Card."
    assert given["events"] == [
        {"event": "gift_chosen", "player": 0, "from": "hand", "card": "7", "says": "Player 0 chooses a 7 to give away."}
    ]
    assert (view["seq"], view["view"]["viewer"]) == (2, 1)
    assert [each["says"] for each in shown["events"]] == [
        "Player 0 plays Give a Card.",
        "Player 0 chooses a card to give away.",
    ]
    assert state["state"]["seats"][0]["hand"] == ["7", "8"]
    again, closed, gone = talk(
        {"do": "load", "saved": kept["saved"]}, {"do": "close", "table": "t1"}, {"do": "state", "table": "t1"}
    )
    assert (again["ok"], again["seq"], again["decisions"]) == (True, 2, given["decisions"])
    assert closed == {"id": None, "ok": True, "table": "t1"}
    assert refused(gone) == "setup.no_such_table"


def test_events_can_be_asked_for_since_a_move_and_for_a_spectator() -> None:
    moves = [{"do": "play", "table": "t1", "player": 0, "move": move} for move in ("play 7",)]
    position = {"do": "new", "position": "classic; 0 hand 7 8 9; 1 hand 9; turn 0; draw 1 2 3"}
    *_, all_of_it, none, wrong = talk(
        position,
        *moves,
        {"do": "events", "table": "t1", "player": None, "since": 0},
        {"do": "events", "table": "t1", "player": None, "since": 1},
        {"do": "events", "table": "t1", "player": None, "since": 2},
    )
    assert [each["event"] for each in all_of_it["events"]] == ["cards_played", "cards_drawn", "turn_began"]
    assert all_of_it["events"][1]["cards"] is None
    assert none["events"] == []
    assert refused(wrong) == "setup.not_a_number_between"


def test_a_whole_game_ends_and_says_who_lost() -> None:
    *_, last, more = talk(
        {"do": "new", "position": "classic; 0 hand 7; 1 hand 9; turn 0; pile 5"},
        {"do": "play", "table": "t1", "player": 0, "move": "play 7"},
        {"do": "play", "table": "t1", "player": 1, "move": "play 9"},
    )
    assert last["ending"] == {"reason": "one_left", "winners": [0], "losers": [1], "scores": None}
    assert last["decisions"] == last["anytime"] == []
    assert more["error"]["clause"] == "K23"


def test_what_a_table_is_set_up_from_is_answered_whole() -> None:
    (opened,) = talk({"do": "new", "players": 2})
    assert set(opened["setup"]) == {"edition", "players", "dealer", "seed", "options"}
    (same,) = talk({"do": "new", **opened["setup"]})
    assert same["decisions"] == opened["decisions"]


def test_explain_answers_like_play_and_plays_nothing() -> None:
    _, legal, illegal, state = talk(
        POSITION,
        {"do": "explain", "table": "t1", "player": 0, "move": "play 7"},
        {"do": "explain", "table": "t1", "player": 0, "move": "play 3"},
        {"do": "state", "table": "t1"},
    )
    assert legal == {"id": None, "ok": True, "legal": True, "error": None}
    assert illegal["legal"] is False
    assert illegal["error"]["clause"] == "K9"
    assert state["seq"] == 0


def test_editions_and_designs_are_told() -> None:
    editions, powers, made, again = talk(
        {"do": "editions"},
        {"do": "design"},
        {"do": "design", "design": {"name": "Spin", "powers": [{"power": "reverse"}]}},
        {"do": "design", "code": "K1H6gAAQEAAFNwaW4"},
    )
    assert editions["editions"][0]["edition"] == "classic"
    assert len(powers["powers"]) == 16
    assert made["words"] == ["Play changes direction.", "The card stays on the pile and counts as zero."]
    assert (made["code"], made["design"]) == (again["code"], again["design"])


def test_designed_cards_are_called_by_their_names_in_what_is_said() -> None:
    edition = json.dumps({"designs": [{"code": "K1H6gAAQEAAFNwaW4"}]})
    _, played = talk(
        {"do": "new", "position": f"{edition}; 0 hand D1 8; 1 hand 9; turn 0"},
        {"do": "play", "table": "t1", "player": 0, "move": "play D1"},
    )
    assert played["events"][0]["says"] == "Player 0 plays Spin."


def test_quit_ends_the_conversation_and_so_does_the_end_of_input() -> None:
    assert talk({"id": 1, "do": "quit"}, {"id": 2, "do": "editions"}) == [{"id": 1, "ok": True}]
    assert talk() == []
    answers = BytesIO()
    converse(BytesIO(b'{"do":"editions"}'), answers)  # a last line without its end
    assert json.loads(answers.getvalue())["ok"]


def test_empty_lines_are_passed_over() -> None:
    assert [answer["id"] for answer in talk(b"", b"  \r", {"id": 1, "do": "design"}, b"\t")] == [1]


def test_every_request_checks_its_fields() -> None:
    for do, (fields, _) in REQUESTS.items():
        (answer,) = talk({"id": 5, "do": do, "nonsense": 1})
        assert refused(answer) == "setup.unknown_field", do
        assert answer["id"] == 5
        assert fields is None or "nonsense" not in fields


# ---------------------------------------------------------------- Lines that are no requests


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nonsense",
        b'{"do":"new",}',
        b"\xff\xfe",
        b'{"do":"\xff"}',
        b"\x00",
        b'{"id":NaN,"do":"design"}',
        b'{"id":-Infinity}',
        b'{"do":"new"} {"do":"new"}',
        "{“do”: “new”}".encode(),
    ],
)
def test_a_line_that_is_not_json_is_answered_and_talk_goes_on(line: bytes) -> None:
    answer, after = talk(line, {"id": 2, "do": "design"})
    assert refused(answer) == "setup.not_json"
    assert answer["id"] is None
    assert len(answer["error"]["message"]) < 300
    assert after["ok"]


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b"[" * 100_000, "setup.nested_too_deep"),
        (b'{"a":' * 100_000, "setup.nested_too_deep"),
        (b"9" * 5_000, "setup.number_too_large"),
        (b'{"id":1e400,"do":"design"}', "setup.number_too_large"),
        (b'{"id":-1e999,"do":"design"}', "setup.number_too_large"),
    ],
)
def test_what_no_answer_could_repeat_is_refused_without_a_word_about_the_program(line: bytes, key: str) -> None:
    answer, after = talk(line, {"id": 2, "do": "design"})
    assert (refused(answer), answer["id"]) == (key, None)
    for internal in ("recursion", "digits", "int", "Python", "Exceeds"):
        assert internal not in answer["error"]["message"]
    assert after["ok"]


def test_a_line_that_is_not_json_says_where() -> None:
    (answer,) = talk(b'{"do": new}')
    assert answer["error"]["message"] == "This line is not JSON; reading stopped at character 8."


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"do": "new", "players": None}, "Players must be a whole number from 2 to 6, not null."),
        ({"do": "new", "players": True}, "Players must be a whole number from 2 to 6, not true."),
        ({"do": "new", "players": {"a": None}}, 'Players must be a whole number from 2 to 6, not {"a": null}.'),
        ({"do": "new", "players": 2, "seed": False}, "Seed must be text, not false."),
        ({"do": "new", "players": 2, "deck": [7]}, 'Deck must name its cards as texts, like "7" or "2RTO", not 7.'),
        (
            {"do": "new", "game": "set", "players": 2, "deck": [7]},
            'Deck must name its cards as texts, like "7" or "2RTO", not 7.',
        ),
        ({"do": "sets", "cards": [7]}, 'Cards must name its cards as texts, like "7" or "2RTO", not 7.'),
        ({"do": "new", "game": "set", "variant": "solitaire", "players": 2}, "Players must be 1, not 2."),
        (
            {"do": "play", "table": "t1", "player": None, "move": "play 7"},
            "There is no player null here; players are numbered from 0 to 1.",
        ),
        ({"do": "puzzle"}, "Request puzzle needs one of these fields: date, seed."),
    ],
)
def test_a_refusal_names_the_field_and_speaks_json(request_: Json, message: str) -> None:
    _, answer = talk(POSITION, request_)
    assert answer["error"]["message"] == message


@pytest.mark.rule("K44", "K60")
def test_defaults_are_echoed() -> None:
    classic, second, house, given, variant = talk(
        {"do": "new", "players": 2},
        {"do": "new", "players": 2, "edition": "second_edition"},
        {"do": "new", "players": 2, "edition": {"karma": {"OWN": 2}}, "options": {"decks": 2}},
        {"do": "new", "players": 2, "edition": "second_edition", "options": {"create_your_karma": "move left"}},
        {"do": "new", "game": "set", "players": 2},
    )
    assert (classic["setup"]["edition"], classic["setup"]["options"]) == ("classic", {})
    assert second["setup"]["options"] == {"create_your_karma": "reverse"}
    assert house["setup"]["options"] == {"create_your_karma": "reverse", "decks": 2}
    assert given["setup"]["options"] == {"create_your_karma": "move left"}
    assert variant["setup"]["variant"] == "full"
    (again,) = talk({"do": "new", **second["setup"]})
    assert again["decisions"] == second["decisions"]


@pytest.mark.rule("K44")
@pytest.mark.parametrize(
    ("edition", "options"),
    [
        ("classic", {"create_your_karma": "reverse"}),
        ("mini_round", {"create_your_karma": "move left"}),
        ({"karma": {"LOS": 2}}, {"create_your_karma": "reverse"}),
        ("second_edition", {"create_your_karma": "reverse", "copies": {"OWN": 0}}),
    ],
)
def test_create_your_karma_is_refused_where_the_edition_has_no_such_card(edition: Json, options: Json) -> None:
    (answer,) = talk({"do": "new", "players": 2, "edition": edition, "options": options})
    assert refused(answer) == "karma.setup.no_own_card"
    assert answer["error"]["clause"] == "K44"


@pytest.mark.parametrize("line", [b"[]", b"null", b"7", b'"new"', b"true", b"1.5"])
def test_json_that_is_no_object_is_no_request(line: bytes) -> None:
    (answer,) = talk(line)
    assert refused(answer) == "setup.not_an_object"


@pytest.mark.parametrize("size", [LONGEST_LINE + 1, 10_000_000, 3 * LONGEST_LINE])
def test_a_line_that_is_too_long_is_answered_once_and_talk_goes_on(size: int) -> None:
    answer, after = talk(b'{"id":1,"do":"' + b"x" * size + b'"}', {"id": 2, "do": "design"})
    assert refused(answer) == "setup.line_too_long"
    assert after["id"] == 2


def test_a_long_line_without_an_end_is_answered_too() -> None:
    answers = BytesIO()
    converse(BytesIO(b"x" * (LONGEST_LINE + 5)), answers)
    assert refused(json.loads(answers.getvalue())) == "setup.line_too_long"


def test_the_longest_line_is_read() -> None:
    request = b'{"id":1,"do":"design"}'
    (answer,) = talk(request + b" " * (LONGEST_LINE - len(request)))
    assert answer["ok"]


@pytest.mark.parametrize("depth", [400, 900, 950, 980, 990, 995])
@pytest.mark.parametrize("where", ['{"do":"new","edition":@}', '{"do":"design","design":@}', '{"id":@,"do":"design"}'])
def test_deep_nesting_is_answered_whatever_it_is_in(where: str, depth: int) -> None:
    line = where.replace("@", "[" * depth + "]" * depth).encode()
    answer, after = talk(line, {"id": 2, "do": "design"})
    assert answer["ok"] in (True, False)
    assert after["id"] == 2


@pytest.mark.parametrize("depth", [400, 990, 5_000, 100_000])
def test_deep_nesting_inside_a_position_is_refused(depth: int) -> None:
    position = '{"numbers":' + "[" * depth + "]" * depth + "}; 0 hand 7; 1 hand 8; turn 0"
    answer, after = talk({"do": "new", "position": position}, {"id": 2, "do": "design"})
    assert answer["ok"] is False
    assert after["id"] == 2


@pytest.mark.parametrize(
    "request_",
    [
        {"id": "\ud800", "do": "design"},
        {"id": 1, "do": "\ud800"},
        {"id": 1, "do": "design", "code": "K1\ud800"},
        {"id": 1, "do": "design", "design": {"name": "\ud800", "powers": []}},
        {"id": 1, "do": "new", "position": "\ud800"},
        {"id": 1, "do": "new", "players": 2, "seed": "\ud800"},
        {"id": 1, "do": "load", "saved": {"format": 1, "game": "\ud800"}},
    ],
)
def test_half_a_character_is_answered_in_proper_utf_8(request_: Json) -> None:
    answers = BytesIO()
    converse(BytesIO(json.dumps(request_).encode() + b"\n"), answers)
    answer = json.loads(answers.getvalue().decode("utf-8"))
    assert answer["id"] == request_["id"]


# ---------------------------------------------------------------- Requests that are refused

BAD = [
    ({}, "setup.missing_field"),
    ({"do": None}, "setup.not_one_of"),
    ({"do": "dance"}, "setup.not_one_of"),
    ({"do": ["new"]}, "setup.not_one_of"),
    ({"do": "new"}, "setup.missing_field"),
    ({"do": "new", "game": "bridge", "players": 2}, "setup.not_one_of"),
    ({"do": "new", "players": 1}, "setup.not_a_number_between"),
    ({"do": "new", "players": True}, "setup.not_a_number_between"),
    ({"do": "new", "players": 2, "options": {"draw": 1}}, "setup.not_one_of"),
    ({"do": "new", "players": 2, "table": "t1"}, "setup.unknown_field"),
    ({"do": "new", "position": ["classic"]}, "setup.not_a_text"),
    ({"do": "play"}, "setup.missing_field"),
    ({"do": "play", "table": 1}, "setup.not_a_text"),
    ({"do": "play", "table": "t2", "player": 0, "move": "draw"}, "setup.no_such_table"),
    ({"do": "play", "table": "t1", "move": "draw"}, "setup.missing_field"),
    ({"do": "play", "table": "t1", "player": 0}, "setup.missing_field"),
    ({"do": "play", "table": "t1", "player": 2, "move": "draw"}, "setup.not_a_number_between"),
    ({"do": "play", "table": "t1", "player": -1, "move": "draw"}, "setup.not_a_number_between"),
    ({"do": "play", "table": "t1", "player": "0", "move": "draw"}, "setup.not_a_number_between"),
    ({"do": "play", "table": "t1", "player": 0, "move": 7}, "setup.not_a_text"),
    ({"do": "play", "table": "t1", "player": 0, "move": "draw", "at": 7}, "setup.no_time"),
    ({"do": "play", "table": "t1", "player": None, "move": "draw"}, "karma.refusal.no_such_player"),
    ({"do": "play", "table": "t1", "player": 0, "move": "\ud800"}, "karma.refusal.not_a_move"),
    ({"do": "play", "table": "t1", "player": 0, "move": "play 3"}, "karma.refusal.not_so_many"),
    ({"do": "play", "table": "t1", "player": 1, "move": "play 9"}, "karma.refusal.not_your_turn"),
    ({"do": "view", "table": "t1"}, "setup.missing_field"),
    ({"do": "view", "table": "t1", "player": 5}, "setup.not_a_number_between"),
    ({"do": "view", "table": "t1", "player": 0.0}, "setup.not_a_number_between"),
    ({"do": "events", "table": "t1", "player": 0, "since": -1}, "setup.not_this_number"),
    ({"do": "explain", "table": "t1", "player": 0}, "setup.missing_field"),
    ({"do": "state", "table": None}, "setup.not_a_text"),
    ({"do": "save"}, "setup.missing_field"),
    ({"do": "load"}, "setup.missing_field"),
    ({"do": "load", "saved": "t1"}, "setup.not_an_object"),
    ({"do": "close", "table": "t9"}, "setup.no_such_table"),
    ({"do": "design", "code": 7}, "setup.not_a_text"),
    ({"do": "design", "code": "x"}, "karma.design.not_a_code"),
    ({"do": "design", "design": []}, "setup.not_an_object"),
    ({"do": "design", "code": "x", "design": {}}, "setup.one_of_two"),
    ({"do": "editions", "table": "t1"}, "setup.unknown_field"),
    ({"do": "quit", "now": True}, "setup.unknown_field"),
]


@pytest.mark.parametrize(("request_", "key"), BAD)
def test_a_refused_request_changes_nothing(request_: Json, key: str) -> None:
    look = [{"do": "state", "table": "t1"}, {"do": "save", "table": "t1"}]
    _, *before, answer, state, kept, fresh = talk(
        POSITION, *look, {"id": 7, **request_}, *look, {"do": "new", "players": 2}
    )
    assert refused(answer) == key
    assert answer["id"] == 7
    assert [state, kept] == before
    assert fresh["table"] == "t2", "a refused request opens no table"


def test_a_game_that_does_not_replay_opens_no_table_and_says_at_which_move() -> None:
    _, _, kept = talk(
        POSITION, {"do": "play", "table": "t1", "player": 0, "move": "play 7"}, {"do": "save", "table": "t1"}
    )
    broken = kept["saved"]
    broken["moves"].append({"player": 1, "move": "play 16"})
    answer, fresh = talk({"do": "load", "saved": broken}, {"do": "new", "players": 2})
    assert refused(answer) == "saved.does_not_replay"
    assert answer["error"]["text"]["parameters"]["n"] == 2
    assert answer["error"]["clause"] == "K9"
    assert fresh["table"] == "t1"


def test_names_of_closed_tables_are_not_given_again() -> None:
    *_, fresh = talk({"do": "new", "players": 2}, {"do": "close", "table": "t1"}, {"do": "new", "players": 2})
    assert fresh["table"] == "t2"


# ---------------------------------------------------------------- Anything at all

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=6), inside, max_size=3),
    max_leaves=6,
)
FIELDS = ["table", "player", "move", "at", "since", "saved", "design", "code"]
FIELDS += ["players", "dealer", "seed", "deck", "options", "edition", "position", "game"]


@given(st.sampled_from([*REQUESTS, "nothing"]), st.dictionaries(st.sampled_from(FIELDS), ANYTHING, max_size=4))
def test_any_request_gets_one_answer(do: str, fields: dict[str, Json]) -> None:
    answers = talk(POSITION, {**fields, "do": do, "id": 1})
    assert len(answers) == 2
    assert answers[1]["id"] == 1
    assert answers[1]["ok"] in (True, False)


@given(st.binary(max_size=60).filter(lambda line: line.strip() and not {10, 13} & set(line)))
def test_any_line_gets_one_answer(line: bytes) -> None:
    (answer,) = talk(line)
    assert answer["ok"] is False


# ---------------------------------------------------------------- The real process


def test_the_command_speaks_the_protocol_and_outlives_everything() -> None:
    lines = [json.dumps(NEW).encode(), b"nonsense", b"\xff" * 50, b"x" * 10_000_000, b"[" * 50_000]
    lines += [b'{"id":"\\ud800","do":"design"}', json.dumps({"id": 2, "do": "quit"}).encode()]
    done = subprocess.run(
        [sys.executable, "-m", "threefold", "engine"],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, False, False, True, True]
    assert answers[0]["decisions"][0]["question"] == "face_up"
    assert done.stderr == b""


def test_an_engine_can_be_asked_without_lines() -> None:
    assert Engine().answer({"do": "quit"}) == {}
