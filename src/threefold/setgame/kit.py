"""SET's kit: the one row by which everything else knows the game."""

from threefold.kit import Kit
from threefold.setgame import SET
from threefold.setgame.bots import POLICIES, set_bot
from threefold.setgame.figures import figures
from threefold.setgame.forms import WithoutCards
from threefold.setgame.lessons import LESSONS
from threefold.setgame.page import PAGE
from threefold.setgame.puzzles import PUZZLES
from threefold.setgame.requests import REQUESTS
from threefold.setgame.review import review
from threefold.setgame.variants import variants_as_json

KIT = Kit(
    "threefold.setgame.kit:KIT",
    SET,
    bots={name: set_bot(policy) for name, policy in POLICIES.items()},
    stand_in="human3",
    way="variant",
    ways=variants_as_json,
    lessons=LESSONS,
    review=review,
    figures=figures,
    puzzles=PUZZLES,
    shown_while_paused=tuple(WithoutCards.__annotations__),
    page=PAGE,
    requests=REQUESTS,
    simulation="threefold.simulation.set_simulated",
    table_of_bots=("human3",) * 4,
)
