"""SET `perfect`: misses no SET, sees it at once, and agrees only when there is none.

With personal cards it takes the SET that uses most of them. It plans nothing beyond that.
"""

from typing import Final

from threefold.clauses import helper
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots.sense import SetChoice, decide, give_in, set_with_most_personal_cards
from threefold.setgame.moves import CALL
from threefold.shuffle import Random

A_BLINK: Final = 200


@helper
def perfect_choice(v: SetView, random: Random, choice: SetChoice) -> None:
    """The SET that is there, after the blink of an eye."""
    take = set_with_most_personal_cards(v)
    if take == 0:
        give_in(v, random, choice, A_BLINK)
    elif v.may_take == 1:
        decide(choice, take, v.wait_ms + A_BLINK)
    elif v.may_call == 1:
        decide(choice, CALL, v.wait_ms + A_BLINK)
