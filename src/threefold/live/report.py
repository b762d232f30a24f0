"""The table report: who is here, who sits where, what is played, the scores. And the Views, as they are sent.

Nothing in the report is secret: cards are in Views alone. People are numbered; their ids stay on the server.
"""

from collections.abc import Sequence

import msgspec

from threefold.game import Json, Viewer
from threefold.live.absence import takes_over_at
from threefold.live.current_game import CurrentGame
from threefold.live.presence import Presence
from threefold.live.state import Guest, TableState, commitment
from threefold.texts import Text

MOST_SHOWN = 200
"""Up to this many guests, those who have gone are shown too."""


def table_report(s: TableState, presence: Presence, *, game_id: str | None, repeated: bool) -> Json:
    """The report for everybody at the table."""
    return {
        "code": s.code,
        "game": s.game,
        "setup": s.setup,
        "fewest_players": s.kit.fewest_players(s.setup),
        "settings": msgspec.structs.asdict(s.settings),
        "host": s.host,
        "guests": [
            {
                "guest": i,
                "name": guest.name,
                "program": guest.program,
                "here": i in presence.here,
                "away_since": presence.absent_since(i),
                "muted": guest.muted,
            }
            for i, guest in _shown_guests(s, presence)
        ],
        "seats": [{"guest": seat.guest, "bot": seat.bot, "name": seat.name or None} for seat in s.seats],
        "ready": sorted(presence.ready),
        "countdown": None if s.counting is None else {"by": s.counting.by, "starts": s.counting.starts},
        "rules": [each.as_json() for each in rules_in_force(s)],
        "next_commitment": commitment(s.next_seed),
        "playing": None if s.current is None else _current(s, presence, s.current, game_id, repeated=repeated),
        "scores": [
            {
                "guest": number if sort == "guest" else None,
                "seat": number if sort == "bot" else None,
                "name": s.guests[number].name if sort == "guest" else bot_name,
                "games": tally.games,
                "won": tally.won,
                "lost": tally.lost,
                "left": tally.left,
                "points": tally.points,
            }
            for (sort, number, bot_name), tally in s.tallies.items()
        ],
        "closed": s.closed,
    }


def rules_in_force(s: TableState) -> list[Text]:
    """The rules of the next game in a few words each: those of the game, then those of the table."""
    settings = s.settings
    rules = [*s.rules, Text("live.rule.seats", {"n": settings.seats})]
    if settings.turn_clock_s and not s.kit.game.timed:
        rules.append(Text("live.rule.turn_clock", {"n": settings.turn_clock_s}))
    if settings.pace == "fast" and any(seat.bot is not None for seat in s.seats):
        rules.append(Text("live.rule.fast_bots"))
    if settings.chat:
        rules.append(Text("live.rule.chat"))
    if settings.memory_aid:
        rules.append(Text("live.rule.memory_aid"))
    return rules


def _shown_guests(s: TableState, presence: Presence) -> list[tuple[int, Guest]]:
    """The guests who were not removed; of a crowd only those present or seated, the last players, and the host."""
    guests = [(i, guest) for i, guest in enumerate(s.guests) if not guest.removed]
    if len(guests) <= MOST_SHOWN:
        return guests
    shown = {s.host, *presence.here, *s.seated(), *(() if s.current is None else s.current.who)}
    return [(i, guest) for i, guest in guests if i in shown]


def _current(s: TableState, presence: Presence, current: CurrentGame, game_id: str | None, *, repeated: bool) -> Json:
    paused = current.paused_at is not None
    return {
        "number": current.number,
        "id": game_id,
        "began": current.began,
        "over": current.is_over,
        "ending": current.ending,
        "commitment": commitment(current.setup["seed"]),
        "seed": current.setup["seed"] if current.is_over else None,
        "paused": {"by": current.paused_by, "since": current.paused_at} if paused else None,
        "repeated": repeated,
        "players": [
            {
                "seat": current.seats[player],
                "guest": guest,
                "bot": current.bots[player],
                "name": player_name(s, current, player),
                "left": player in current.quit,
                "bot_from": None if paused or current.is_over else takes_over_at(s, presence, current, player),
                "result": current.result_of(player) if current.is_over else None,
            }
            for player, guest in enumerate(current.who)
        ],
    }


def player_name(s: TableState, current: CurrentGame, player: int) -> str:
    """The name of a player: the guest's, or the bot's."""
    guest = current.who[player]
    return s.guests[guest].name if guest is not None else current.bot_names[player]


def shown_views(current: CurrentGame, viewers: Sequence[Viewer]) -> list[Json]:
    """The Views as they are sent: a game against time hides its cards while it is paused."""
    views = [current.game.view(current.table, viewer) for viewer in viewers]
    return [_paused(view, current.shown_while_paused) for view in views] if current.hidden else views


def json_views(current: CurrentGame, viewers: Sequence[Viewer]) -> list[bytes]:
    """The same, as JSON."""
    if current.hidden:
        return [msgspec.json.encode(view) for view in shown_views(current, viewers)]
    return current.serialiser.json_views(current.table, viewers)


def _paused(view: Json, shown: Sequence[str]) -> Json:
    return {"paused": True, **{name: view[name] for name in shown if name in view}}
