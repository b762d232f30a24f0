"""A finished game as a file: what was dealt, every move, how it ended, and the proof that nobody chose the cards."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from threefold.fields import a_text, a_whole_number, refuse, required, shown
from threefold.game import Event, Json
from threefold.games import GAMES
from threefold.live import entries as e
from threefold.live.report import player_name
from threefold.live.sitting import Playing, Sitting, commitment, result_of, who_was_first
from threefold.live.store import GameRow, PlayerRow
from threefold.saved import FORMAT, Replay, load

RECORD = 1


def game_id(table: str, number: int) -> str:
    """The name of a game: it cannot be guessed, and does not lead to the table's other games."""
    return hashlib.sha256(f"{table}/{number}".encode()).hexdigest()[:24]


def what_is_played(given: Mapping[str, Json]) -> str:
    """The edition or the variant, by name."""
    named = given.get("edition", given.get("variant"))
    return named if isinstance(named, str) else "house"


def finished_game(table: str, s: Sitting, playing: Playing) -> GameRow:
    """What is noted of a game that is over."""
    ending = playing.ending
    scores = None if ending is None else ending["scores"]
    players = [
        PlayerRow(
            player,
            None if guest is None else s.guests[guest].person,
            player_name(s, playing, player),
            result_of(playing, player, ending),
            None if scores is None else scores[player],
        )
        for player, guest in enumerate(playing.who)
    ]
    return GameRow(
        id=game_id(table, playing.number),
        table=table,
        number=playing.number,
        game=playing.game.name,
        what=what_is_played(playing.setup),
        rules=playing.rules,
        began=playing.began,
        ended=playing.ended or playing.began,
        first_seq=playing.first_seq,
        last_seq=playing.last_seq,
        ending=ending,
        players=players,
    )


def record_of(row: GameRow, bodies: Iterable[str]) -> dict[str, Json]:
    """The file of a finished game, from its part of the log. Under other rules it cannot be replayed any more."""
    found = [e.decode(body) for body in bodies]
    moves = [each for entry in found for each in moves_of(entry)]
    saved = saved_of(row.game, found)
    return {
        "record": RECORD,
        "id": row.id,
        "began": row.began,
        "ended": row.ended,
        "commitment": commitment(str(saved["seed"])),
        "players": [
            {"player": each.player, "name": each.name, "result": each.result, "score": each.score}
            for each in row.players
        ],
        "hands": [hand for *_, hand in moves],
        "ending": row.ending,
        "saved": saved,
        "replay_hash": replay_hash(load(saved)) if can_be_replayed(row) else None,
    }


def saved_of(game: str, found: Sequence[e.Entry]) -> dict[str, Json]:
    """The game as `threefold.saved` keeps it, from its part of the log."""
    started = found[0]
    assert isinstance(started, e.Started)
    return {
        "format": FORMAT,
        "game": game,
        "rules": started.rules,
        **started.setup,
        "moves": [
            {"player": player, "move": move, **({} if time is None else {"at": time})}
            for entry in found
            for player, move, time, _ in moves_of(entry)
        ],
    }


def can_be_replayed(row: GameRow) -> bool:
    """Whether the rules are still those it was played by."""
    return row.rules == GAMES[row.game].rules_version


def moves_of(entry: e.Entry) -> list[tuple[int | None, str, int | None, e.Hand]]:
    """The moves that an entry brought: player, move, the game's time, by whose hand."""
    if isinstance(entry, e.Moved):
        return [(entry.player, entry.move, entry.time, entry.hand)]
    if isinstance(entry, e.Settled):
        return [(each.player, each.move, entry.time, each.hand) for each in entry.calls if each.played]
    return []


def settled_calls(found: Sequence[e.Entry]) -> dict[int, Event]:
    """By move, counted from 1: who was first by how much, where calls came so close that they had to be settled."""
    told: dict[int, Event] = {}
    moves = 0
    for entry in found:
        if isinstance(entry, e.Settled):
            for event in who_was_first(entry):
                told[moves + 1] = event
        moves += len(moves_of(entry))
    return told


def replay_hash(replay: Replay) -> str:
    """One number for all that happened: every event with its secrets, and the table at the end."""
    told = [[event.whole() for event in move] for move in replay.events]
    state = replay.game.state(replay.table)
    return "sha256:" + hashlib.sha256(msgspec.json.encode([told, state], order="sorted")).hexdigest()


@dataclass(frozen=True, slots=True)
class Verified:
    """What was found out about a record."""

    replay: Replay
    commitment: str
    ending: Json
    problems: tuple[str, ...]
    """Keys of sentences; empty: all is as it says."""


def verify(record: Json) -> Verified:
    """Replays a whole record and compares; refuses what is no record at all."""
    if not isinstance(record, Mapping):
        raise refuse("not_an_object", field="record", given=shown(record))
    a_whole_number(required(record, "record", "record"), "record", RECORD, RECORD)
    claimed = a_text(required(record, "commitment", "record"), "commitment")
    saved: Any = required(record, "saved", "record")
    replay = load(saved)
    told = a_text(required(record, "replay_hash", "record"), "replay_hash")
    seed = replay.game.setup(replay.table).get("seed", "")
    ending = replay.game.ending(replay.table)
    reached = None if ending is None else ending.as_json()
    problems = []
    if commitment(str(seed)) != claimed:
        problems.append("commitment")
    if "deck" in saved:
        problems.append("deck")
    if replay_hash(replay) != told:
        problems.append("replay")
    if record.get("ending") != reached:
        problems.append("ending")
    return Verified(replay, commitment(str(seed)), reached, tuple(problems))
