"""Karma's kit: the one row by which everything else knows the game."""

from functools import partial
from operator import itemgetter

from threefold.karma import KARMA
from threefold.karma.advice import ADVICE
from threefold.karma.analysis import analyse
from threefold.karma.bots import LEVELS, POLICIES, karma_bot
from threefold.karma.characters import CHARACTERS
from threefold.karma.design import DESIGNS
from threefold.karma.editions import EDITION_OF_DESIGNS, editions_as_json
from threefold.karma.guide import GUIDES
from threefold.karma.lessons import LESSONS
from threefold.karma.page import PAGE, options_in_force
from threefold.karma.proof import KarmaProof
from threefold.karma.requests import REQUESTS
from threefold.karma.search import LEVELS as SEARCHING
from threefold.karma.search import thinking
from threefold.karma.terminal import TERMINAL
from threefold.kit import Kit

COMPILED = "threefold.karma.fast"

KIT = Kit(
    "threefold.karma.kit:KIT",
    KARMA,
    bots={
        **{name: karma_bot(policy) for name, policy in POLICIES.items()},
        **{name: thinking(COMPILED).bot(name) for name in SEARCHING},
    },
    lighter_bots={"expert": "hard", "hard": "sharp"},
    levels=(*LEVELS, *SEARCHING),
    characters=CHARACTERS,
    stand_in="careful",
    hints_from="hard",
    way="edition",
    ways=editions_as_json,
    out=itemgetter("out"),
    guides=GUIDES,
    lessons=LESSONS,
    designs=DESIGNS,
    advice=ADVICE,
    analyse=partial(analyse, thinking(COMPILED).new_desk),
    bot_proof=KarmaProof(thinking(COMPILED)),
    terminal=TERMINAL,
    page=PAGE,
    requests=REQUESTS,
    compiled=COMPILED,
    simulation="threefold.karma.simulation",
    table_of_bots=("careful",) * 4,
    options_in_force=options_in_force,
    way_of_designs=EDITION_OF_DESIGNS,
)
