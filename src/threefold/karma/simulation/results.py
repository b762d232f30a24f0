"""The result of many games of Karma, in the words of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from threefold.game import Json
from threefold.karma.deal import deal_from
from threefold.karma.notation import ENDINGS
from threefold.karma.simulation import games
from threefold.karma.table import TURN_LIMIT, Edition
from threefold.simulation_parts.plots import dot_plot
from threefold.simulation_parts.results import Measure, Result, Row, equals, number
from threefold.simulation_parts.shown import Fact, Grid, Section, Shown, html_table
from threefold.simulation_parts.spec import Spec, setup_of
from threefold.simulation_parts.statistics import Estimate, mean, share
from threefold.texts import catalogue

CARD_HEADINGS = ("card", "plays a game", "cards a game", "dealt it, lost", "played it, lost")
ORDER = ("starts", "second", "third", "fourth", "fifth", "sixth")


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

    @property
    def cells(self) -> tuple[str, ...]:
        """The numbers as text."""
        plays = f"{self.plays_per_game:.2f}", f"{self.cards_per_game:.2f}"
        return *plays, self.lost_when_dealt.in_percent, self.lost_when_played.in_percent


class KarmaResult(Result):
    """The result of many games of Karma."""

    rated = "losses"
    rate_name = "lost"
    rated_column = games.LOSER
    measured_rate = "games lost"
    best_is_lowest = True
    best_does = "loses least"
    unit = "turns"
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

    def named(self, row: Row) -> dict[str, Json]:
        """A row of a game, with names instead of codes."""
        loser = row[games.LOSER]
        return {
            "rotation": row[games.ROTATION],
            "loser": None if loser < 0 else loser,
            "loser_bot": self.bot_at(loser),
            "loser_order": None if loser < 0 else row[games.LOSER_ORDER],
            "turns": row[games.TURNS],
            "moves": row[games.MOVES_MADE],
            "pick_ups": row[games.PICK_UPS],
            "clears": row[games.CLEARS],
            "ending": ENDINGS[row[games.ENDING]],
        }

    def measures(self, players: Sequence[str]) -> list[Measure]:
        """The numbers by which two simulations are compared."""
        return [
            *super().measures(players),
            Measure("games lost by whoever starts", equals(games.LOSER_ORDER, 0), percent=True),
            Measure("turns a game", number(games.TURNS)),
            Measure("pick-ups a game", number(games.PICK_UPS)),
            Measure("clears a game", number(games.CLEARS)),
            Measure("games stopped by the turn limit", equals(games.ENDING, TURN_LIMIT), percent=True),
        ]

    def summary(self) -> list[Shown]:
        """The result for the terminal."""
        spread = ", ".join(f"{p} %: {value:,}" for p, value in self.length_percentiles.items())
        seats = [("starts" if i == 0 else f"plays {i + 1}.", each.in_percent) for i, each in enumerate(self.by_seat)]
        a_game = (
            f"{self.pick_ups.value:.2f} ± {self.pick_ups.margin:.2f} pick-ups, "
            f"{self.clears.value:.2f} ± {self.clears.margin:.2f} clears"
        )
        return [
            Grid("Games lost, by bot", ("bot", "lost"), [(bot, rate.in_percent) for bot, rate in self.bots.items()]),
            self.player_grid("pick-ups", "clears", "moves"),
            Grid("By seat, in order of play", ("seat", "lost"), seats),
            Fact(
                "Length",
                f"{self.turns.value:.1f} ± {self.turns.margin:.1f} turns; percentiles: {spread}",
                self.bars,
            ),
            Fact("A game has", a_game),
            Fact("Stopped", f"after {self.spec.turn_limit:,} turns: {self.stopped.in_percent}"),
            Grid("Cards", CARD_HEADINGS, [(each.card, *each.cells) for each in self.cards]),
        ]

    def lead(self) -> str:
        """The most important findings."""
        return (
            f"{super().lead()}A game takes {self.turns.value:.0f} turns on average, with {self.pick_ups.value:.1f} "
            f"pick-ups and {self.clears.value:.1f} clears."
        )

    def sections(self) -> list[Section]:
        """The parts of the page."""
        fair = 1 / len(self.spec.players)
        texts = catalogue()
        names = {each.card: str(texts.get(f"card.{each.card}", each.card)) for each in self.cards}
        seats = [(ORDER[i] if i < len(ORDER) else f"number {i + 1}", each) for i, each in enumerate(self.by_seat)]
        cards = sorted(self.cards, key=lambda each: each.lost_when_dealt.value)
        dealt = [(names[each.card], each.lost_when_dealt) for each in cards]
        return [
            Section(
                "Who loses",
                "The share of games each player lost. Seats were rotated; the dashed line is an even share.",
                self.player_plots("pick-ups a game", "clears a game", "moves a game", fair=fair),
            ),
            Section("Does the seat matter?", "By order of play.", dot_plot(seats, "Games lost by seat", fair=fair)),
            self.length_section(f" {self.stopped.in_percent} were stopped after {self.spec.turn_limit:,} turns."),
            Section(
                "Which cards are good to be dealt",
                "How often players lost who were dealt the card among their first six, the best card first.",
                dot_plot(dealt, "Games lost by card", fair=fair),
            ),
            Section(
                "Every card",
                "How often it was played, and how often players lost who were dealt or played it.",
                html_table(CARD_HEADINGS, [(names[each.card], *each.cells) for each in self.cards]),
            ),
        ]
