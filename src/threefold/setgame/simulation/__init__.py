"""How SET is simulated: whole games between policies, compiled or plain."""

from threefold.records import blank
from threefold.setgame.bot_view import SetView
from threefold.setgame.bots import POLICIES
from threefold.setgame.bots.sense import SetChoice
from threefold.setgame.simulation import games
from threefold.setgame.simulation.games import SetTally
from threefold.setgame.simulation.results import SetResult, variant_of
from threefold.setgame.table import Table, Tape
from threefold.shuffle import Random
from threefold.simulation_parts.policy_games import Job, PolicyGames, Records
from threefold.simulation_parts.spec import Spec

__all__ = ["SIMULATED", "SetResult"]


class SimulatedSet(PolicyGames):
    """SET as a `Simulated`."""

    result = SetResult
    loop = games.play_games
    columns = games.COLUMNS
    policies = POLICIES

    def check(self, spec: Spec) -> None:
        """Refuses a variant that cannot be played."""
        variant_of(spec)

    def bin_width(self, spec: Spec) -> int:  # noqa: ARG002 (the protocol's signature)
        """The width of a histogram bar, in seconds."""
        return 10

    def records(self, spec: Spec, job: Job, deals: Random, choices: Random) -> Records:
        """The records of `play_games`."""
        room = [blank(Table, deal=None)], [blank(Tape)], [blank(SetView)]
        plans = [blank(SetChoice), blank(SetChoice)]
        return [variant_of(spec)], *room, [deals], [choices], [job], plans, [blank(SetTally)]


SIMULATED = SimulatedSet()
