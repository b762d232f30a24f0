"""Why a bot made a move, from what its roll-outs showed; in sentences for the table and for hints."""

from pathlib import Path
from typing import Any

import pytest

from tests.live.room import Room, does, in_a_room, move_of
from threefold.karma import play, view
from threefold.karma.advice import ADVICE
from threefold.karma.bot_view import read_view
from threefold.karma.positions import parse_position
from threefold.karma.rollouts import LOST
from threefold.karma.search import Level, PlainDesk, think
from threefold.karma.thoughts import EQUAL, SEARCH, Found, Tally, thought_of
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.bot_runner import choice_of
from threefold.live.record import reasons_of
from threefold.shuffle import random_from
from threefold.texts import LANGUAGES, Text, say

POSITION = "classic; 0 hand 7 9 GIV; 1 hand 4 5; 2 hand 4 5 6 7; turn 0; pile 5"
MOVES = ["play 7", "play 9", "play GIV", "pick up"]


def tally(loses: float, stopped: int = 10, picked_up: int = 100, tried: int = 100) -> Tally:
    """What a hundred roll-outs showed."""
    return Tally(tried, round(loses * tried * LOST), stopped, picked_up)


def thought(made: str, **tallies: Tally) -> Any:
    """The thought behind a move in POSITION; moves that are not given were not tried."""
    edition, seen, moves = read_view(view(parse_position(POSITION), 0))
    shown = {name.replace("_", " "): each for name, each in tallies.items()}
    found = Found(MOVES.index(made), 80, [shown.get(each, Tally(0, 0, 0, 0)) for each in MOVES])
    return thought_of(edition, seen, moves, found, 400)


def test_the_moves_of_the_position_are_these() -> None:
    assert view(parse_position(POSITION), 0)["moves"] == MOVES


@pytest.mark.parametrize(
    ("made", "tallies", "why", "percent", "instead"),
    [
        ("play 7", {"play_7": tally(0.1), "play_9": tally(0.12)}, EQUAL, 0, "play 9"),
        ("play 7", {"play_7": tally(0.1), "play_9": tally(0.3)}, "loses_less", 20, "play 9"),
        ("play 7", {"play_7": tally(0.1), "play_GIV": tally(0.3)}, "keeps_karma", 20, "play GIV"),
        ("play 9", {"play_9": tally(0.1, stopped=60), "play_7": tally(0.3)}, "stops", 20, "play 7"),
        ("play 9", {"play_9": tally(0.1, picked_up=20), "play_7": tally(0.3)}, "picks_up_less", 20, "play 7"),
        (
            "play GIV",
            {"play_GIV": tally(0.1), "play_7": tally(0.5), "pick_up": tally(0.2)},
            "loses_less",
            10,
            "pick up",
        ),
    ],
)
def test_the_reason_is_the_clearest_difference_from_the_best_of_the_other_moves(
    made: str, tallies: dict[str, Tally], why: str, percent: int, instead: str
) -> None:
    found = thought(made, **tallies)
    assert (found["why"], found["percent"], found["instead"], found["near"]) == (why, percent, instead, 1)
    assert (found["search"], found["rollouts"], found["redeals"]) == (SEARCH, 400, 80)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_say_why_and_by_how_much_and_that_moves_are_equal(language: str) -> None:
    better = thought("play 7", play_7=tally(0.1), play_GIV=tally(0.3))
    text = ADVICE.reason({}, "play 7", better)
    assert text is not None
    parts = [Text(each["key"], each["parameters"]) for each in text.parameters["reasons"]]
    assert [each.key for each in parts] == ["karma.hint.keeps_karma", "karma.hint.gain"]
    assert "20" in say(text, viewer=0, language=language)
    equal = ADVICE.reason({}, "play 7", thought("play 7", play_7=tally(0.1), play_9=tally(0.1)))
    assert equal == Text("karma.hint.equal", {"cards": ["9"]})
    assert "9" in say(equal, viewer=0, language=language)


def test_what_is_told_at_the_table_names_no_card() -> None:
    better = thought("play 7", play_7=tally(0.1), play_GIV=tally(0.3))
    assert ADVICE.told(better, 1) == Text("karma.why.keeps_karma", {"player": 1, "n": 1})
    assert ADVICE.told(thought("play 7", play_7=tally(0.1), play_9=tally(0.1)), 1) is None


def test_every_reason_of_a_real_search_has_a_sentence_in_every_language() -> None:
    table, told = parse_position("classic; 0 hand 7 9 GIV; 1 hand 4; 2 down 4 5 6; turn 0; pile 5"), 0
    for _ in range(8):
        choice = choice_of("threefold.karma.kit:KIT", "hard", view(table, table.turn_player))
        assert choice is not None
        if choice.thought is not None:
            for language in LANGUAGES:
                hint = ADVICE.reason(view(table, table.turn_player), choice.move, choice.thought)
                assert hint is not None
                assert say(hint, viewer=table.turn_player, language=language)
            told += 1
        table = play(table, table.turn_player, choice.move).table
        if table.loser >= 0:
            break
    assert told


MIDDLE = (
    "classic; 0 hand 4 9 12 GIV up 14 16 1 down 1 2 5; 1 hand 5 8 10 up 11 TAB 1 down 2 3 4; "
    "2 hand 7 8 13 up 15 15 8 down 5 6 9; turn 0; pile 3 4; draw 10 11 2 6 6 BOT"
)


def test_a_search_that_finds_other_moves_has_a_new_version() -> None:
    seen = read_view(view(parse_position(MIDDLE), 0))
    found = think(PlainDesk(), Level(60), *seen, random_from("v1:golden"))
    tallies = [(each.tried, each.lost // LOST, each.stopped, each.picked_up) for each in found.tallies]
    expected = (0, 14, [(14, 3, 2, 92), (4, 3, 3, 29), (14, 7, 12, 115), (4, 4, 0, 37), (4, 2, 0, 33)])
    assert (found.index, found.redeals, tallies) == expected, "raise SEARCH, for older searches cannot be repeated now"
    assert SEARCH == 1


REASON = {"key": "karma.why.stops", "parameters": {"player": 1, "n": 0}}


@pytest.mark.parametrize(("people", "told"), [(("Ann",), True), (("Ann", "Bob"), False)])
def test_a_bot_tells_its_reason_where_one_person_plays_against_bots_and_always_in_the_replay(
    tmp_path: Path, people: tuple[str, ...], *, told: bool
) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table(*people, bots=("careful", "careful"), pace="human")
        await session.submit(0, acts.start)
        bot = len(people)
        move = await move_of(session, bot)
        assert await session.play_for(bot, move, "bot", {"search": 1, "told": REASON})
        for number in range(2):  # the reason stays with its move when that is no longer the newest
            page = await session.attach(session.state.guests[0].person, "Ann", f"page {number}", 0)
            update = session.audience.update_for(page, room.clock.now())
            assert update is not None
            assert any(b"bot_explained" in events for _, events in update.events or []) == told
            await session.submit(0, does(acts.move, await move_of(session, 0))) if number == 0 else None
        entries = [e.decode(body) for _, body in await session.store.entries(session.id, 0, 100)]
        started = next(i for i, each in enumerate(entries) if isinstance(each, e.Started))
        reasons = reasons_of(entries[started:])
        assert reasons[1].whole() == {"event": "bot_explained", "player": bot, "why": REASON}

    in_a_room(tmp_path, test)
