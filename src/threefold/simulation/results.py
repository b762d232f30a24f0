"""Results of simulations in the words of the games: rates, lengths, cards and layouts of many games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from threefold.game import Json
from threefold.karma.notation import ENDINGS as KARMA_ENDINGS
from threefold.setgame.notation import ENDINGS as SET_ENDINGS
from threefold.simulation import karma_games, set_games
from threefold.simulation.jobs import Spec, Tally, bin_width, edition_of, variant_of
from threefold.simulation.runner import Run
from threefold.simulation.statistics import Estimate, mean, percentiles, share

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The results of one player. `rate` is the share of games lost in Karma, of games won in SET."""

    place: int
    bot: str
    rate: Estimate
    numbers: dict[str, float]


@dataclass(frozen=True, slots=True)
class CardResult:
    """How often a card was played, and how often players lost who were dealt or played it."""

    card: str
    plays_per_game: float
    cards_per_game: float
    lost_when_dealt: Estimate
    lost_when_played: Estimate


def rates_by_bot(players: Sequence[str], counts: Sequence[int], games: int) -> dict[str, Estimate]:
    """The rate of each bot, over all places where it sat; `counts` are by player."""
    totals: dict[str, list[int]] = {}
    for bot, count in zip(players, counts, strict=False):
        total = totals.setdefault(bot, [0, 0])
        total[0] += count
        total[1] += games
    return {bot: share(*total) for bot, total in totals.items()}


class Result:
    """The part of a result that both games share."""

    rated: ClassVar[str]
    """The counts in the tally that the rates of bots and players come from."""
    rate_name: ClassVar[str]
    """The name of a player's rate in JSON."""
    player_numbers: ClassVar[Mapping[str, str]]
    """The numbers of each player, per game -> their counts in the tally."""

    def __init__(self, run: Run) -> None:
        self.spec: Spec = run.spec
        self.tally: Tally = run.tally
        self.rows: Rows = run.rows
        self.seconds = run.seconds
        self.interrupted = run.interrupted
        self.precise_enough = run.precise_enough

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.tally["games"])

    @property
    def moves(self) -> int:
        """The number of moves in all games."""
        return int(self.tally["moves"])

    @property
    def histogram(self) -> list[tuple[int, int]]:
        """Pairs of length (turns in Karma, seconds in SET) and number of games, without the empty bars at the end."""
        width = bin_width(self.spec)
        counts = self.tally["lengths"]
        last = max((i for i, count in enumerate(counts) if count), default=0)
        return [(i * width, count) for i, count in enumerate(counts[: last + 1])]

    @property
    def length_percentiles(self) -> dict[int, int]:
        """Percentiles of the length (turns in Karma, seconds in SET)."""
        return percentiles(self.tally["lengths"], bin_width(self.spec))

    @property
    def bots(self) -> dict[str, Estimate]:
        """The rate of each bot over all places where it sat: games lost in Karma, games won or shared in SET."""
        return rates_by_bot(self.spec.players, self.tally[self.rated], self.games)

    @property
    def by_player(self) -> list[PlayerResult]:
        """The results of each player, in the order of `Spec.players`."""
        return [
            PlayerResult(
                place,
                bot,
                share(self.tally[self.rated][place], self.games),
                {name: self.tally[counts][place] / self.games for name, counts in self.player_numbers.items()},
            )
            for place, bot in enumerate(self.spec.players)
        ]

    def _rates_as_json(self) -> dict[str, Json]:
        return {
            "bots": {bot: rate.as_json() for bot, rate in self.bots.items()},
            "by_player": [
                {
                    "bot": each.bot,
                    self.rate_name: each.rate.as_json(),
                    **{name: round(number, 6) for name, number in each.numbers.items()},
                }
                for each in self.by_player
            ],
        }

    def _length_as_json(self, average: Estimate) -> dict[str, Json]:
        return {
            **average.as_json(),
            "percentiles": {str(percent): length for percent, length in self.length_percentiles.items()},
            "histogram": [list(each) for each in self.histogram if each[1]],
        }

    def _head(self) -> dict[str, Json]:
        return {
            "game": self.spec.game,
            "players": list(self.spec.players),
            "seed": self.spec.seed,
            "games": self.games,
            "moves": self.moves,
            "interrupted": self.interrupted,
        }


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


class SetResult(Result):
    """The result of many games of SET."""

    rated = "wins"
    rate_name = "won"
    player_numbers = MappingProxyType({"score": "scores", "sets": "sets_of", "points_lost": "lost_of"})

    @property
    def sets(self) -> Estimate:
        """SETs per game."""
        return mean(self.tally["sets"], self.tally["sets_squared"], self.games)

    @property
    def seconds_a_game(self) -> Estimate:
        """Seconds per game."""
        return mean(self.tally["tenths"], self.tally["tenths_squared"], self.games, unit=10)

    @property
    def deals(self) -> float:
        """Deals (in 20/20 SET hands) per game."""
        return float(self.tally["deals"] / self.games)

    @property
    def stopped(self) -> Estimate:
        """The share of games stopped by the limit of moves."""
        return share(self.tally["stopped"], self.games)

    @property
    def reached(self) -> dict[int, Estimate]:
        """Size of the layout -> the share of games that reached it."""
        variant = variant_of(self.spec)
        most = self.tally["most_laid"]
        sizes = range(variant.layout, variant.most_laid + 1, 3)
        return {size: share(sum(most[size:]), self.games) for size in sizes}

    @property
    def layouts(self) -> dict[int, list[int]]:
        """Size of the layout -> the numbers of layouts with 0, 1, 2 … SETs. Each new layout counts once."""
        layouts = {}
        for size, counts in enumerate(self.tally["layouts"]):
            if any(counts):
                layouts[size] = counts[: max(i for i, count in enumerate(counts) if count) + 1]
        return layouts

    @property
    def left_over(self) -> dict[int, Estimate]:
        """Number of cards on the table at the end -> the share of games."""
        return {n: share(count, self.games) for n, count in enumerate(self.tally["left_over"]) if count}

    @property
    def endings(self) -> dict[str, Estimate]:
        """Reason of the ending -> the share of games."""
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        return {names[i]: share(count, self.games) for i, count in enumerate(self.tally["endings"]) if count}

    @property
    def penalty(self) -> float:
        """In solitaire: the average penalty left at the end."""
        return float(self.tally["penalties"] / self.games)

    def as_json(self) -> dict[str, Json]:
        """The output of `--json`. The same seed gives the same bytes."""
        return {
            **self._head(),
            "variant": variant_of(self.spec).name,
            **self._rates_as_json(),
            "sets": self.sets.as_json(),
            "seconds": self._length_as_json(self.seconds_a_game),
            "deals": round(self.deals, 6),
            "reached": {str(size): each.as_json() for size, each in self.reached.items()},
            "layouts": {str(size): counts for size, counts in self.layouts.items()},
            "left_over": {str(n): each.as_json() for n, each in self.left_over.items()},
            "endings": {name: each.as_json() for name, each in self.endings.items()},
            "penalty": round(self.penalty, 6),
            "stopped": self.stopped.as_json(),
        }

    def game_rows(self) -> list[dict[str, Json]]:
        """One row per game, with names instead of codes."""
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        players = self.spec.players
        games: list[dict[str, Json]] = []
        for number, row in enumerate(self.rows):
            winner = row[set_games.WINNER]
            games.append(
                {
                    "game": number,
                    "rotation": row[set_games.ROTATION],
                    "winner": None if winner < 0 else winner,
                    "winner_bot": None if winner < 0 else players[winner],
                    "moves": row[set_games.MOVES_MADE],
                    "seconds": row[set_games.TENTHS] / 10,
                    "sets": row[set_games.SETS],
                    "points_lost": row[set_games.POINTS_LOST],
                    "most_laid": row[set_games.MOST_LAID],
                    "left_over": row[set_games.LEFT_OVER],
                    "deals": row[set_games.DEALS],
                    "penalty": row[set_games.PENALTY],
                    "ending": names[row[set_games.ENDING]],
                }
            )
        return games


RESULTS: Mapping[str, type[KarmaResult | SetResult]] = MappingProxyType({"karma": KarmaResult, "set": SetResult})
"""Game -> the class of its results."""
