"""Karma's kit: the one row by which everything else knows the game."""

from threefold.karma import KARMA
from threefold.karma.bots import POLICIES, karma_bot
from threefold.karma.design import DESIGNS
from threefold.karma.editions import editions_as_json
from threefold.karma.lessons import LESSONS
from threefold.karma.page import PAGE
from threefold.karma.requests import REQUESTS
from threefold.karma.terminal import TERMINAL
from threefold.kit import Kit

KIT = Kit(
    "threefold.karma.kit:KIT",
    KARMA,
    bots={name: karma_bot(policy) for name, policy in POLICIES.items()},
    stand_in="careful",
    way="edition",
    ways=editions_as_json,
    lessons=LESSONS,
    designs=DESIGNS,
    terminal=TERMINAL,
    page=PAGE,
    requests=REQUESTS,
    compiled="threefold.karma.fast",
    simulation="threefold.simulation.karma_simulated",
    table_of_bots=("careful",) * 4,
)
