"""Bots: programs that play. A bot gets a View and returns a move; it never sees a Table."""

from collections.abc import Iterable

from threefold.bots.choice import Bot, Choice, View
from threefold.game import Json
from threefold.shuffle import Random, below

__all__ = ["BOT_NAMES", "Bot", "Choice", "View", "any_legal_move", "bot_name"]

BOT_NAMES = ("Alma", "Bo", "Cleo", "Dara", "Eno", "Fay", "Gil", "Hana", "Ivo", "Juno", "Kai", "Lux")


def bot_name(seat: int, people: Iterable[str] = ()) -> str:
    """The name of the bot in a seat, and not one of the people's: nobody reads how a bot is called in the code."""
    name = BOT_NAMES[seat % len(BOT_NAMES)]
    taken = {each.casefold() for each in people}
    return f"{name} Bot" if name.casefold() in taken else name


def any_legal_move(view: View, random: Random) -> Choice | None:
    """Any of the listed legal moves, each as likely as the others, in any game."""
    moves: list[Json] = view["moves"]
    return Choice(moves[below(random, len(moves))]) if moves else None
