"""What a guest is told of a table of people: who is here, who sits where, what is played, how it stands.

Nothing of it is secret: cards are in Views alone. People go by their number at this table, never by who they are.
"""

from collections.abc import Collection, Sequence

import msgspec

from threefold.game import Json
from threefold.live.clock import Presence
from threefold.live.sitting import Playing, Sitting, commitment, result_of

PAUSED_SHOWS = (
    "game",
    "viewer",
    "variant",
    "options",
    "players",
    "dealer",
    "deal",
    "deck_size",
    "scores",
    "sets",
    "points_lost",
    "away",
    "left",
    "target",
    "penalty",
    "ending",
)
"""In a pause a game against time shows this of itself, and no card: nobody may go on looking for a SET."""


def table_report(
    s: Sitting, presence: Presence, ready: Collection[int], *, game_id: str | None, repeated: bool
) -> Json:
    """The table as everybody may know it."""
    return {
        "code": s.code,
        "game": s.game,
        "given": s.given,
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
            for i, guest in enumerate(s.guests)
            if not guest.removed
        ],
        "seats": [{"guest": seat.guest, "bot": seat.bot} for seat in s.seats],
        "ready": sorted(ready),
        "next_commitment": commitment(s.next_seed),
        "playing": None if s.playing is None else _playing(s, s.playing, game_id, repeated=repeated),
        "scores": [
            {
                "guest": number if sort == "guest" else None,
                "seat": number if sort == "bot" else None,
                "name": s.guests[number].name if sort == "guest" else bot,
                "games": tally.games,
                "won": tally.won,
                "lost": tally.lost,
                "left": tally.left,
                "points": tally.points,
            }
            for (sort, number, bot), tally in s.tallies.items()
        ],
        "closed": s.closed,
    }


def _playing(s: Sitting, playing: Playing, game_id: str | None, *, repeated: bool) -> Json:
    paused = playing.paused_at is not None
    return {
        "number": playing.number,
        "id": game_id,
        "began": playing.began,
        "over": playing.is_over,
        "ending": playing.ending,
        "commitment": commitment(playing.setup["seed"]),
        "seed": playing.setup["seed"] if playing.is_over else None,
        "paused": {"by": playing.paused_by, "since": playing.paused_at} if paused else None,
        "repeated": repeated,
        "players": [
            {
                "seat": playing.seats[player],
                "guest": guest,
                "bot": playing.bots[player],
                "name": player_name(s, playing, player),
                "left": player in playing.quit,
                "result": result_of(playing, player, playing.ending) if playing.is_over else None,
            }
            for player, guest in enumerate(playing.who)
        ],
    }


def player_name(s: Sitting, playing: Playing, player: int) -> str:
    """What a player of a game is called."""
    guest = playing.who[player]
    return s.guests[guest].name if guest is not None else playing.bots[player] or ""


def shown_views(playing: Playing, viewers: Sequence[int | None]) -> list[Json]:
    """The Views as they go out; a game against time hides its cards while it is paused."""
    views = [playing.game.view(playing.table, viewer) for viewer in viewers]
    return [_paused(view) for view in views] if playing.hidden else views


def written_views(playing: Playing, viewers: Sequence[int | None]) -> list[bytes]:
    """The same as JSON."""
    if playing.hidden:
        return [msgspec.json.encode(view) for view in shown_views(playing, viewers)]
    return playing.serialiser.json_views(playing.table, viewers)


def _paused(view: Json) -> Json:
    return {"paused": True, **{name: view[name] for name in PAUSED_SHOWS if name in view}}
