"""Absent players: when a bot takes over, when a game waits, and who becomes host after the host has left."""

from collections.abc import Collection

from threefold.live.current_game import CurrentGame
from threefold.live.presence import Presence
from threefold.live.state import TableState


def takes_over_at(s: TableState, presence: Presence, current: CurrentGame, player: int) -> int | None:
    """When a bot takes over from an absent player; None: the player is present, or no bot will take over.

    Games against time go on without an absent player, so they need no bot.
    """
    since = _absent_since(presence, current, player)
    if since is None or current.game.timed:
        return None
    asked = current.stand_ins.get(player)
    if asked is not None and asked >= since:
        return asked
    if not s.settings.grace_s or stands_still(presence, current):
        return None
    return since + 1000 * s.settings.grace_s


def stands_still(presence: Presence, current: CurrentGame) -> bool:
    """Are all players absent? Then the game waits until one returns or the host lets a bot play."""
    people = current.people()
    return bool(people) and all(_is_waited_for(presence, current, current.who.index(guest)) for guest in people)


def _is_waited_for(presence: Presence, current: CurrentGame, player: int) -> bool:
    since = _absent_since(presence, current, player)
    return since is not None and current.stand_ins.get(player, -1) < since


def _absent_since(presence: Presence, current: CurrentGame, player: int) -> int | None:
    guest = None if current.by_bot(player) else current.who[player]
    return None if guest is None else presence.absent_since(guest)


def abandoned_since(presence: Presence, current: CurrentGame) -> int | None:
    """When the last of the original players stopped playing and watching; None: one still does, or has a result."""
    if not current.quit or current.finished or current.people():
        return None
    watching = [current.who[player] for player in current.watching]
    absences = [presence.absent_since(guest) for guest in watching if guest is not None]
    return None if None in absences else max((each for each in absences if each is not None), default=0)


def no_person_left(current: CurrentGame, out: Collection[int]) -> bool:
    """Have all people left or finished a game, so that only bots play on? `out` are the finished players."""
    people = [player for player, guest in enumerate(current.who) if guest is not None]
    return bool(people) and all(player in current.quit or player in out for player in people)


def next_host(s: TableState, presence: Presence) -> int | None:
    """The guest who becomes host next: a present one, if possible a person with a seat; None: nobody is present."""
    here = [guest for guest in sorted(presence.here) if guest != s.host and not s.guests[guest].removed]
    here = [guest for guest in here if not s.guests[guest].program] or here
    seated = [guest for guest in here if s.seat_of(guest) is not None]
    return next(iter(seated or here), None)
