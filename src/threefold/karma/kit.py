"""Karma's kit: the one row by which everything else knows the game."""

from operator import itemgetter

from threefold.karma import KARMA
from threefold.karma.advice import ADVICE
from threefold.karma.bots import LEVELS, POLICIES, karma_bot
from threefold.karma.characters import CHARACTERS
from threefold.karma.design import DESIGNS
from threefold.karma.editions import editions_as_json
from threefold.karma.guide import GUIDES
from threefold.karma.lessons import LESSONS
from threefold.karma.page import PAGE, options_in_force
from threefold.karma.requests import REQUESTS
from threefold.karma.terminal import TERMINAL
from threefold.kit import Kit

KIT = Kit(
    "threefold.karma.kit:KIT",
    KARMA,
    bots={name: karma_bot(policy) for name, policy in POLICIES.items()},
    levels=LEVELS,
    characters=CHARACTERS,
    stand_in="careful",
    way="edition",
    ways=editions_as_json,
    out=itemgetter("out"),
    guides=GUIDES,
    lessons=LESSONS,
    designs=DESIGNS,
    advice=ADVICE,
    terminal=TERMINAL,
    page=PAGE,
    requests=REQUESTS,
    compiled="threefold.karma.fast",
    simulation="threefold.karma.simulation",
    table_of_bots=("careful",) * 4,
    options_in_force=options_in_force,
)
