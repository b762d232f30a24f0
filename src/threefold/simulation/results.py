"""What a simulation found out, in game words: the result of many games of Karma or of SET."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from threefold.game import Json
from threefold.karma.notation import ENDINGS as KARMA_ENDINGS
from threefold.setgame.notation import ENDINGS as SET_ENDINGS
from threefold.simulation import karma_games, set_games
from threefold.simulation.jobs import Spec, Tally, bin_width, edition_played, variant_played
from threefold.simulation.runner import Run
from threefold.simulation.statistics import Estimate, mean, percentiles, share

Rows = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """How one of the named players fared. `rate` is of games lost in Karma, of games won in SET."""

    place: int
    bot: str
    rate: Estimate
    numbers: dict[str, float]


@dataclass(frozen=True, slots=True)
class CardResult:
    """How often a card was played, and how those fared who had it."""

    card: str
    plays_per_game: float
    cards_per_game: float
    lost_when_dealt: Estimate
    lost_when_played: Estimate


class Result:
    """What is common to both games."""

    columns: tuple[str, ...] = ()

    def __init__(self, run: Run) -> None:
        self.spec: Spec = run.spec
        self.tally: Tally = run.tally
        self.rows: Rows = run.rows
        self.seconds = run.seconds
        self.interrupted = run.interrupted
        self.precise_enough = run.precise_enough

    @property
    def games(self) -> int:
        """How many games were played to their end."""
        return int(self.tally["games"])

    @property
    def moves(self) -> int:
        """How many moves were made in all of them."""
        return int(self.tally["moves"])

    @property
    def histogram(self) -> list[tuple[int, int]]:
        """Length (turns in Karma, seconds in SET) -> games; without the empty bars at the end."""
        width = bin_width(self.spec)
        counts = self.tally["lengths"]
        last = max((i for i, count in enumerate(counts) if count), default=0)
        return [(i * width, count) for i, count in enumerate(counts[: last + 1])]

    @property
    def length_percentiles(self) -> dict[int, int]:
        """So many games in a hundred are at most so long."""
        return percentiles(self.tally["lengths"], bin_width(self.spec))

    def _bots(self, counts: str) -> dict[str, Estimate]:
        """The rate of each bot over all places it sat at."""
        totals: dict[str, list[int]] = {}
        for bot, count in zip(self.spec.players, self.tally[counts], strict=False):
            total = totals.setdefault(bot, [0, 0])
            total[0] += count
            total[1] += self.games
        return {bot: share(*total) for bot, total in totals.items()}

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
    """What came of many games of Karma."""

    columns = ("rotation", "loser", "loser_order", "turns", "moves", "pick_ups", "clears", "ending")

    @property
    def bots(self) -> dict[str, Estimate]:
        """The loss rate of each bot, over all places it sat at."""
        return self._bots("losses")

    @property
    def by_player(self) -> list[PlayerResult]:
        """How each of the named players fared."""
        tally, games = self.tally, self.games
        return [
            PlayerResult(
                place,
                bot,
                share(tally["losses"][place], games),
                {
                    "pick_ups": tally["pick_ups_of"][place] / games,
                    "clears": tally["clears_of"][place] / games,
                    "moves": tally["moves_of"][place] / games,
                },
            )
            for place, bot in enumerate(self.spec.players)
        ]

    @property
    def by_seat(self) -> list[Estimate]:
        """The loss rate by order of play: the first is whoever starts, to the dealer's left."""
        return [share(self.tally["losses_by_order"][i], self.games) for i in range(len(self.spec.players))]

    @property
    def turns(self) -> Estimate:
        """How many turns a game takes."""
        return mean(self.tally["turns"], self.tally["turns_squared"], self.games)

    @property
    def pick_ups(self) -> Estimate:
        """How often a pile is picked up in a game."""
        return mean(self.tally["pick_ups"], self.tally["pick_ups_squared"], self.games)

    @property
    def clears(self) -> Estimate:
        """How often a pile is cleared in a game."""
        return mean(self.tally["clears"], self.tally["clears_squared"], self.games)

    @property
    def stopped(self) -> Estimate:
        """The share of games that the turn limit stopped."""
        return share(self.tally["stopped"], self.games)

    @property
    def nobody_lost(self) -> Estimate:
        """The share of games that ended with nobody holding cards, which only a designed card brings about."""
        return share(self.tally["nobody_lost"], self.games)

    @property
    def cards(self) -> list[CardResult]:
        """Every card of the edition."""
        tally, games = self.tally, self.games
        return [
            CardResult(
                card.code,
                tally["plays"][kind] / games,
                tally["cards_played"][kind] / games,
                share(tally["lost_after_dealt"][kind], tally["dealt_to"][kind]),
                share(tally["lost_after_playing"][kind], tally["players_who_played"][kind]),
            )
            for kind, card in enumerate(edition_played(self.spec).cards)
        ]

    def as_json(self) -> dict[str, Json]:
        """Everything, as `--json` shows it. The same seed gives the same, byte by byte."""
        return {
            **self._head(),
            "turn_limit": self.spec.turn_limit,
            "bots": {bot: rate.as_json() for bot, rate in self.bots.items()},
            "by_player": [
                {"bot": each.bot, "lost": each.rate.as_json(), **{k: round(v, 6) for k, v in each.numbers.items()}}
                for each in self.by_player
            ],
            "by_seat": [each.as_json() for each in self.by_seat],
            "turns": {
                **self.turns.as_json(),
                "percentiles": {str(k): v for k, v in self.length_percentiles.items()},
                "histogram": [list(each) for each in self.histogram if each[1]],
            },
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
        """One row a game, with names instead of numbers."""
        players = self.spec.players
        found = []
        for number, row in enumerate(self.rows):
            loser = row[karma_games.LOSER]
            found.append(
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
        return found


class SetResult(Result):
    """What came of many games of SET."""

    @property
    def bots(self) -> dict[str, Estimate]:
        """The share of games each bot won, alone or shared, over all places it sat at."""
        return self._bots("wins")

    @property
    def by_player(self) -> list[PlayerResult]:
        """How each of the named players fared."""
        tally, games = self.tally, self.games
        return [
            PlayerResult(
                place,
                bot,
                share(tally["wins"][place], games),
                {
                    "score": tally["scores"][place] / games,
                    "sets": tally["sets_of"][place] / games,
                    "points_lost": tally["lost_of"][place] / games,
                },
            )
            for place, bot in enumerate(self.spec.players)
        ]

    @property
    def sets(self) -> Estimate:
        """How many SETs are found in a game."""
        return mean(self.tally["sets"], self.tally["sets_squared"], self.games)

    @property
    def seconds_a_game(self) -> Estimate:
        """How long a game lasts."""
        return mean(self.tally["tenths"], self.tally["tenths_squared"], self.games, unit=10)

    @property
    def deals(self) -> float:
        """How many deals (in 20/20 SET hands) a game has."""
        return float(self.tally["deals"] / self.games)

    @property
    def stopped(self) -> Estimate:
        """The share of games that did not end by themselves."""
        return share(self.tally["stopped"], self.games)

    @property
    def reached(self) -> dict[int, Estimate]:
        """Size of the layout -> the share of games in which so many cards lay at some time."""
        variant = variant_played(self.spec)
        most = self.tally["most_laid"]
        sizes = range(variant.layout, variant.most_laid + 1, 3)
        return {size: share(sum(most[size:]), self.games) for size in sizes}

    @property
    def layouts(self) -> dict[int, list[int]]:
        """Size of the layout -> how many layouts of that size held 0, 1, 2 … SETs. Each new layout counts once."""
        found = {}
        for size, counts in enumerate(self.tally["layouts"]):
            if any(counts):
                found[size] = counts[: max(i for i, count in enumerate(counts) if count) + 1]
        return found

    @property
    def left_over(self) -> dict[int, Estimate]:
        """So many cards lay at the end -> the share of games."""
        return {n: share(count, self.games) for n, count in enumerate(self.tally["left_over"]) if count}

    @property
    def endings(self) -> dict[str, Estimate]:
        """How games ended."""
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        return {names[i]: share(count, self.games) for i, count in enumerate(self.tally["endings"]) if count}

    @property
    def penalty(self) -> float:
        """In solitaire: the penalty left at the end, on average."""
        return float(self.tally["penalties"] / self.games)

    def as_json(self) -> dict[str, Json]:
        """Everything, as `--json` shows it. The same seed gives the same, byte by byte."""
        return {
            **self._head(),
            "variant": variant_played(self.spec).name,
            "bots": {bot: rate.as_json() for bot, rate in self.bots.items()},
            "by_player": [
                {"bot": each.bot, "won": each.rate.as_json(), **{k: round(v, 6) for k, v in each.numbers.items()}}
                for each in self.by_player
            ],
            "sets": self.sets.as_json(),
            "seconds": {
                **self.seconds_a_game.as_json(),
                "percentiles": {str(k): v for k, v in self.length_percentiles.items()},
                "histogram": [list(each) for each in self.histogram if each[1]],
            },
            "deals": round(self.deals, 6),
            "reached": {str(size): each.as_json() for size, each in self.reached.items()},
            "layouts": {str(size): counts for size, counts in self.layouts.items()},
            "left_over": {str(n): each.as_json() for n, each in self.left_over.items()},
            "endings": {name: each.as_json() for name, each in self.endings.items()},
            "penalty": round(self.penalty, 6),
            "stopped": self.stopped.as_json(),
        }

    def game_rows(self) -> list[dict[str, Json]]:
        """One row a game, with names instead of numbers."""
        names = {**SET_ENDINGS, set_games.STOPPED: "stopped"}
        players = self.spec.players
        found = []
        for number, row in enumerate(self.rows):
            winner = row[set_games.WINNER]
            found.append(
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
        return found


def result_of(run: Run) -> Any:
    """The result of a run, as the game's own sort of result."""
    return KarmaResult(run) if run.spec.game == "karma" else SetResult(run)
