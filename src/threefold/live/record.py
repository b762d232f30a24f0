"""Records of finished games: the deal, every move, the ending, and the proof that the cards were not chosen."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from threefold.fields import a_text, a_whole_number, refuse, required, shown
from threefold.game import Event, Json
from threefold.games import KITS
from threefold.kit import Kit, Kits
from threefold.live import entries as e
from threefold.live.current_game import CurrentGame, reason_event, settlement_events
from threefold.live.report import player_name
from threefold.live.state import DELETED_NAME, TableState, commitment
from threefold.live.store import GameRow, PlayerRow
from threefold.saved import FORMAT, Replay, load

RECORD = 1


def game_id(table: str, number: int, seed: str) -> str:
    """The id of a game: a hash of its table and number, keyed with its seed, which nobody knows before the end.

    Games with a seed of version 1 keep the id that they have always had.
    """
    which = f"{table}/{number}".encode()
    if seed.startswith("v1:"):
        return hashlib.sha256(which).hexdigest()[:24]
    return hmac.new(seed.encode(), which, hashlib.sha256).hexdigest()[:24]


def what_is_played(kit: Kit, setup: Mapping[str, Json]) -> str:
    """The name of the edition or variant."""
    named = kit.name_of_way(setup)
    return named if isinstance(named, str) else "house"


def finished_game(table: str, s: TableState, current: CurrentGame) -> GameRow:
    """The row of a finished game."""
    ending = current.ending
    scores = None if ending is None else ending["scores"]
    players = [
        PlayerRow(
            player,
            None if guest is None else s.guests[guest].person,
            player_name(s, current, player),
            current.result_of(player),
            None if scores is None else scores[player],
        )
        for player, guest in enumerate(current.who)
    ]
    return GameRow(
        id=game_id(table, current.number, current.setup["seed"]),
        table=table,
        number=current.number,
        game=current.game.name,
        what=what_is_played(s.kit, current.setup),
        rules=current.rules,
        began=current.began,
        ended=current.ended or current.began,
        first_seq=current.first_seq,
        last_seq=current.last_seq,
        ending=ending,
        players=players,
    )


def shown_name(player: PlayerRow, kit: Kit | None) -> str:
    """The name of a player of a finished game. In older rows the name of a bot is its level, which nobody reads."""
    if kit is not None and player.person is None and player.name in kit.bots:
        return kit.name_in_seat(player.player)
    return player.name


def bot_of(player: PlayerRow, kit: Kit | None) -> str | None:
    """The bot that this player of a finished game was; None for people, also for a person who was deleted."""
    if player.person is not None or player.name == DELETED_NAME:
        return None
    if kit is None or player.name in kit.bots:
        return player.name
    return kit.bot_called(player.name)


def record_of(row: GameRow, bodies: Iterable[str], kits: Kits = KITS) -> dict[str, Json]:
    """The record of a finished game, from its part of the log. One of another rules version cannot be replayed."""
    entries = [e.decode(body) for body in bodies]
    moves = [each for entry in entries for each in moves_of(entry)]
    saved = saved_of(row.game, entries)
    return {
        "record": RECORD,
        "id": row.id,
        "began": row.began,
        "ended": row.ended,
        "commitment": commitment(str(saved["seed"])),
        "players": [
            {
                "player": each.player,
                "name": shown_name(each, kits.get(row.game)),
                "result": each.result,
                "score": each.score,
            }
            for each in row.players
        ],
        "hands": [hand for *_, hand in moves],
        "thoughts": thoughts_of(entries),
        "ending": row.ending,
        "saved": saved,
        "replay_hash": replay_hash(load(saved, kits)) if can_be_replayed(row, kits) else None,
    }


def saved_of(game: str, entries: Sequence[e.Entry]) -> dict[str, Json]:
    """The game in the format of `threefold.saved`, from its part of the log."""
    started = entries[0]
    assert isinstance(started, e.Started)
    return {
        "format": FORMAT,
        "game": game,
        "rules": started.rules,
        **started.setup,
        "moves": [
            {"player": player, "move": move, **({} if time is None else {"at": time})}
            for entry in entries
            for player, move, time, _ in moves_of(entry)
        ],
    }


def can_be_replayed(row: GameRow, kits: Kits = KITS) -> bool:
    """Is its rules version still the present one?"""
    return row.rules == kits[row.game].game.rules_version


def moves_of(entry: e.Entry) -> list[tuple[int | None, str, int | None, e.Hand]]:
    """The moves in an entry: player, move, game time, made by."""
    if isinstance(entry, e.Moved):
        return [(entry.player, entry.move, entry.time, entry.hand)]
    if isinstance(entry, e.Settled):
        return [(each.player, each.move, entry.time, each.hand) for each in entry.calls if each.played]
    return []


def thoughts_of(entries: Sequence[e.Entry]) -> list[Json]:
    """By move: how a bot found it, or null."""
    return [entry.thought if isinstance(entry, e.Moved) else None for entry in entries for _ in moves_of(entry)]


def reasons_of(entries: Sequence[e.Entry]) -> dict[int, Event]:
    """By move, counted from 1: why a bot made it, if it can say that."""
    reasons = (reason_event(entry) for entry in entries for _ in moves_of(entry))
    return {number: reason for number, reason in enumerate(reasons, 1) if reason is not None}


def settled_calls(entries: Sequence[e.Entry]) -> dict[int, Event]:
    """By move, counted from 1: the settlements of close calls."""
    settlements: dict[int, Event] = {}
    moves = 0
    for entry in entries:
        if isinstance(entry, e.Settled):
            for event in settlement_events(entry):
                settlements[moves + 1] = event
        moves += len(moves_of(entry))
    return settlements


def replay_hash(replay: Replay) -> str:
    """A hash of everything that happened: all events with their secrets, and the final table."""
    events = [[event.whole() for event in move] for move in replay.events]
    state = replay.game.state(replay.table)
    return "sha256:" + hashlib.sha256(msgspec.json.encode([events, state], order="sorted")).hexdigest()


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of checking a record."""

    replay: Replay
    commitment: str
    ending: Json
    problems: tuple[str, ...]
    """Keys of sentences; empty: the record is sound."""


def verify(record: Json, kits: Kits = KITS) -> Verified:
    """Replays a record and compares; refuses anything that is not a record."""
    if not isinstance(record, Mapping):
        raise refuse("not_an_object", field="record", given=shown(record))
    a_whole_number(required(record, "record", "record"), "record", RECORD, RECORD)
    claimed = a_text(required(record, "commitment", "record"), "commitment")
    saved: Any = required(record, "saved", "record")
    replay = load(saved, kits)
    claimed_hash = a_text(required(record, "replay_hash", "record"), "replay_hash")
    seed = replay.game.setup(replay.table).get("seed", "")
    ending = replay.game.ending(replay.table)
    reached = None if ending is None else ending.as_json()
    problems = []
    if commitment(str(seed)) != claimed:
        problems.append("commitment")
    if "deck" in saved:
        problems.append("deck")
    if replay_hash(replay) != claimed_hash:
        problems.append("replay")
    if record.get("ending") != reached:
        problems.append("ending")
    return Verified(replay, commitment(str(seed)), reached, tuple(problems))
