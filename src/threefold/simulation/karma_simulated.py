"""How Karma is simulated: whole games between policies, compiled or plain, and results in the game's own words."""

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from threefold.game import Json
from threefold.karma.bot_view import KarmaView
from threefold.karma.bots import POLICIES
from threefold.karma.deal import deal_from
from threefold.karma.notation import ENDINGS as KARMA_ENDINGS
from threefold.karma.table import TAPE, Edition, Moves, Table, Tape
from threefold.records import blank
from threefold.shuffle import Random
from threefold.simulation import karma_games
from threefold.simulation.jobs import Spec, Tally, as_tally, is_compiled, setup_of
from threefold.simulation.karma_games import KarmaJob, KarmaTally, Notes
from threefold.simulation.results import Result
from threefold.simulation.statistics import Estimate, mean, share


@lru_cache(maxsize=64)
def edition_of(spec: Spec) -> Edition:
    """The edition of a simulation of Karma."""
    return deal_from(setup_of(spec, turn_limit=spec.turn_limit)).edition


@dataclass(frozen=True, slots=True)
class CardResult:
    """How often a card was played, and how often players lost who were dealt or played it."""

    card: str
    plays_per_game: float
    cards_per_game: float
    lost_when_dealt: Estimate
    lost_when_played: Estimate


class KarmaResult(Result):
    """The result of many games of Karma."""

    rated = "losses"
    rate_name = "lost"
    player_numbers = MappingProxyType({"pick_ups": "pick_ups_of", "clears": "clears_of", "moves": "moves_of"})

    @property
    def by_seat(self) -> list[Estimate]:
        """The loss rates by order of play, the starting player first."""
        return [share(self.tally["losses_by_order"][i], self.games) for i in range(len(self.spec.players))]

    @property
    def turns(self) -> Estimate:
        """Turns per game."""
        return mean(self.tally["turns"], self.tally["turns_squared"], self.games)

    @property
    def pick_ups(self) -> Estimate:
        """Pick-ups per game."""
        return mean(self.tally["pick_ups"], self.tally["pick_ups_squared"], self.games)

    @property
    def clears(self) -> Estimate:
        """Clears per game."""
        return mean(self.tally["clears"], self.tally["clears_squared"], self.games)

    @property
    def stopped(self) -> Estimate:
        """The share of games stopped by the turn limit."""
        return share(self.tally["stopped"], self.games)

    @property
    def nobody_lost(self) -> Estimate:
        """The share of games that ended with nobody holding cards, which only happens with designed cards."""
        return share(self.tally["nobody_lost"], self.games)

    @property
    def cards(self) -> list[CardResult]:
        """The results of every card of the edition."""
        tally, games = self.tally, self.games
        return [
            CardResult(
                card.code,
                tally["plays"][kind] / games,
                tally["cards_played"][kind] / games,
                share(tally["lost_after_dealt"][kind], tally["dealt_to"][kind]),
                share(tally["lost_after_playing"][kind], tally["players_who_played"][kind]),
            )
            for kind, card in enumerate(edition_of(self.spec).cards)
        ]

    def as_json(self) -> dict[str, Json]:
        """The output of `--json`. The same seed gives the same bytes."""
        return {
            **self._head(),
            "turn_limit": self.spec.turn_limit,
            **self._rates_as_json(),
            "by_seat": [each.as_json() for each in self.by_seat],
            "turns": self._length_as_json(self.turns),
            "pick_ups": self.pick_ups.as_json(),
            "clears": self.clears.as_json(),
            "stopped": self.stopped.as_json(),
            "nobody_lost": self.nobody_lost.as_json(),
            "cards": [
                {
                    "card": each.card,
                    "plays_per_game": round(each.plays_per_game, 6),
                    "cards_per_game": round(each.cards_per_game, 6),
                    "lost_when_dealt": each.lost_when_dealt.as_json(),
                    "lost_when_played": each.lost_when_played.as_json(),
                }
                for each in self.cards
            ],
        }

    def game_rows(self) -> list[dict[str, Json]]:
        """One row per game, with names instead of codes."""
        players = self.spec.players
        games: list[dict[str, Json]] = []
        for number, row in enumerate(self.rows):
            loser = row[karma_games.LOSER]
            games.append(
                {
                    "game": number,
                    "rotation": row[karma_games.ROTATION],
                    "loser": None if loser < 0 else loser,
                    "loser_bot": None if loser < 0 else players[loser],
                    "loser_order": None if loser < 0 else row[karma_games.LOSER_ORDER],
                    "turns": row[karma_games.TURNS],
                    "moves": row[karma_games.MOVES_MADE],
                    "pick_ups": row[karma_games.PICK_UPS],
                    "clears": row[karma_games.CLEARS],
                    "ending": KARMA_ENDINGS[row[karma_games.ENDING]],
                }
            )
        return games


class SimulatedKarma:
    """Karma as a `Simulated`."""

    result = KarmaResult

    def check(self, spec: Spec) -> None:
        """Refuses an edition that cannot be played."""
        edition_of(spec)

    def bin_width(self, spec: Spec) -> int:
        """The width of a histogram bar, in turns."""
        return spec.turn_limit // karma_games.BINS + 1

    def play(self, spec: Spec, first: int, games: int, deals: Random, choices: Random) -> tuple[Tally, Any]:
        """Plays games between policies."""
        job = blank(KarmaJob)
        job.players, job.first_game, job.games, job.bin_width = len(spec.players), first, games, self.bin_width(spec)
        job.policy[: job.players] = [POLICIES[name] for name in spec.players]
        if is_compiled(spec):
            from threefold.simulation import compiled  # noqa: PLC0415 (takes seconds to load; plain runs do without)

            return compiled.play_karma_games(edition_of(spec), job, deals, choices)
        tape, tally = blank(Tape), blank(KarmaTally)
        tape.room = TAPE
        rows = [[0] * karma_games.COLUMNS for _ in range(games)]
        table = blank(Table, deal=None)
        karma_games.play_karma_games(
            [edition_of(spec)],
            [table],
            [blank(Moves)],
            [tape],
            [blank(KarmaView)],
            [deals],
            [choices],
            [job],
            [blank(Notes)],
            [tally],
            rows,
        )
        return as_tally(tally), rows


SIMULATED = SimulatedKarma()
