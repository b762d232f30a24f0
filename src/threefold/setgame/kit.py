"""SET's kit: the one row by which everything else knows the game."""

from threefold.kit import Kit
from threefold.setgame import SET
from threefold.setgame.bots import LEVELS, POLICIES, set_bot
from threefold.setgame.characters import CHARACTERS
from threefold.setgame.figures import figures
from threefold.setgame.forms import WithoutCards
from threefold.setgame.guide import GUIDES
from threefold.setgame.lessons import LESSONS
from threefold.setgame.page import PAGE, options_in_force
from threefold.setgame.puzzles import PUZZLES
from threefold.setgame.requests import REQUESTS
from threefold.setgame.review import review
from threefold.setgame.variants import CALL_WITH_TAKE, FULL, VARIANTS, variants_as_json

KIT = Kit(
    "threefold.setgame.kit:KIT",
    SET,
    bots={name: set_bot(policy) for name, policy in POLICIES.items()},
    levels=LEVELS,
    characters=CHARACTERS,
    stand_in="human3",
    way="variant",
    ways=variants_as_json,
    guides=GUIDES,
    lessons=LESSONS,
    review=review,
    figures=figures,
    puzzles=PUZZLES,
    shown_while_paused=tuple(WithoutCards.__annotations__),
    page=PAGE,
    requests=REQUESTS,
    simulation="threefold.setgame.simulation",
    table_of_bots=("human3",) * 4,
    options_in_force=options_in_force,
    fewest_players=lambda setup: VARIANTS.get(str(setup.get("variant")), FULL).fewest_players,
    quick_match={"variant": "full", "options": {"call": CALL_WITH_TAKE, "auto_deal": True}},
)
