"""How Karma is simulated: whole games between policies, compiled or plain."""

from collections.abc import Sequence

from threefold.game import Json
from threefold.karma.bot_view import KarmaView
from threefold.karma.bots import POLICIES
from threefold.karma.simulation import games
from threefold.karma.simulation.designs import Trial, try_design
from threefold.karma.simulation.games import KarmaTally, Notes
from threefold.karma.simulation.results import CardResult, KarmaResult, edition_of
from threefold.karma.table import TAPE, Moves, Table, Tape
from threefold.records import blank
from threefold.shuffle import Random
from threefold.simulation_parts.policy_games import Job, PolicyGames, Records
from threefold.simulation_parts.spec import PlayRules, Spec, Stepper

__all__ = ["SIMULATED", "CardResult", "KarmaResult", "Trial"]


class SimulatedKarma(PolicyGames):
    """Karma as a `Simulated`."""

    result = KarmaResult
    trial_bots = ("sharp",) * 4
    loop = games.play_games
    columns = games.COLUMNS
    policies = POLICIES

    def check(self, spec: Spec) -> None:
        """Refuses an edition that cannot be played."""
        edition_of(spec)

    def bin_width(self, spec: Spec) -> int:
        """The width of a histogram bar, in turns."""
        return spec.turn_limit // games.BINS + 1

    def records(self, spec: Spec, job: Job, deals: Random, choices: Random) -> Records:
        """The records of `play_games`."""
        tape = blank(Tape)
        tape.room = TAPE
        table = blank(Table, deal=None)
        room = [table], [blank(Moves)], [tape], [blank(KarmaView)]
        return [edition_of(spec)], *room, [deals], [choices], [job], [blank(Notes)], [blank(KarmaTally)]

    def stepper(self, spec: Spec, randoms: Sequence[Random]) -> Stepper:
        """Many tables of Karma, stepped together."""
        from threefold.karma.simulation.stepper import KarmaStepper  # noqa: PLC0415 (needs NumPy and the compiler)

        return KarmaStepper(edition_of(spec), len(spec.players), randoms)

    def try_design(self, code: str, rules: Json, copies: int, play: PlayRules) -> Trial:
        """Plays an edition with copies of a designed card and without it (K66)."""
        return try_design(code, rules, copies, play)


SIMULATED = SimulatedKarma()
