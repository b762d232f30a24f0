"""K66: simulated trials of a designed card: its effect on the game, and on the player who is dealt it."""

from dataclasses import dataclass

from threefold.clauses import clause
from threefold.fields import one_of
from threefold.game import Json
from threefold.karma.design import Design, design_from_code
from threefold.karma.editions import EDITIONS, HOUSE_FIELDS, editions_as_json
from threefold.karma.simulation.results import KarmaResult
from threefold.simulation_parts.spec import PlayRules
from threefold.simulation_parts.statistics import Estimate, difference, share

CARD = "D1"
TOO_MANY_STOPPED = 0.01


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a trial: an edition with the card, and the same edition without it."""

    design: Design
    edition: str
    copies: int
    with_card: KarmaResult
    without: KarmaResult

    @property
    def heading(self) -> str:
        """What was tried, and how often."""
        games = f"{self.with_card.games:,} games with it and without it"
        return f"{self.design.name}, {self.copies} in {self.edition}, {games}"

    @property
    def turns(self) -> Estimate:
        """The change in turns per game."""
        return difference(self.without.turns, self.with_card.turns)

    @property
    def pick_ups(self) -> Estimate:
        """The change in pick-ups per game."""
        return difference(self.without.pick_ups, self.with_card.pick_ups)

    @property
    def by_seat(self) -> list[Estimate]:
        """The change in the loss rate of each seat, by order of play."""
        pairs = zip(self.without.by_seat, self.with_card.by_seat, strict=True)
        return [difference(before, after) for before, after in pairs]

    @property
    def balance(self) -> tuple[float, float]:
        """The spread between the loss rates of the seats, without the card and with it."""
        rates = [[each.value for each in result.by_seat] for result in (self.without, self.with_card)]
        return max(rates[0]) - min(rates[0]), max(rates[1]) - min(rates[1])

    @property
    def anyone(self) -> Estimate:
        """The loss rate of any player in the edition without the card."""
        tally = self.without.tally
        return share(sum(tally["losses"]), self.without.games * len(self.without.spec.players))

    @property
    def dealt(self) -> Estimate:
        """The loss rate of players who were dealt the card among their first six."""
        return next(each.lost_when_dealt for each in self.with_card.cards if each.card == CARD)

    @property
    def played(self) -> Estimate:
        """The loss rate of players who played the card."""
        return next(each.lost_when_played for each in self.with_card.cards if each.card == CARD)

    @property
    def holder(self) -> Estimate:
        """The loss rate of players who were dealt the card, minus that of any player without the card."""
        return difference(self.anyone, self.dealt)

    @property
    def plays_per_game(self) -> float:
        """The number of times the card is played per game."""
        return next(each.plays_per_game for each in self.with_card.cards if each.card == CARD)

    @property
    def warnings(self) -> list[str]:
        """Problems that the card brings to the game."""
        before, after = self.without.stopped, self.with_card.stopped
        warnings = []
        if after.low > before.high and after.value >= TOO_MANY_STOPPED:
            limit = self.with_card.spec.turn_limit
            warnings.append(
                f"Games stop ending: {100 * after.value:.1f} % of them were still going on after {limit:,} turns "
                f"(without the card {100 * before.value:.1f} %)."
            )
        if self.with_card.nobody_lost.low > 0.001:
            warnings.append(f"{100 * self.with_card.nobody_lost.value:.1f} % of the games end with no loser at all.")
        return warnings

    def sentences(self) -> list[str]:
        """The results as sentences."""
        without, spread = (f"{100 * each:.2f} %" for each in self.balance)
        now, before = self.with_card, self.without
        rates = f"{_percent(self.dealt)} of games; a player of the edition without it loses {_percent(self.anyone)}"
        return [
            f"A game takes {_more(self.turns, 'turns')}: {now.turns.value:.1f}, not {before.turns.value:.1f}.",
            f"There are {_more(self.pick_ups, 'pick-ups')}: {now.pick_ups.value:.1f}, not {before.pick_ups.value:.1f}.",
            f"The loss rates of the seats differ by {spread}, without the card by {without}.",
            f"Whoever is dealt the card loses {_more_often(self.holder)}: {rates}.",
            f"It is played {self.plays_per_game:.2f} times a game.",
            *self.warnings,
        ]

    def as_json(self) -> Json:
        """The output of `--json`."""
        return {
            "name": self.design.name,
            "edition": self.edition,
            "copies": self.copies,
            "games": self.with_card.games,
            "turns": {"without": self.without.turns.as_json(), "with": self.with_card.turns.as_json()},
            "turns_difference": self.turns.as_json(),
            "pick_ups": {"without": self.without.pick_ups.as_json(), "with": self.with_card.pick_ups.as_json()},
            "pick_ups_difference": self.pick_ups.as_json(),
            "by_seat": {
                "without": [each.as_json() for each in self.without.by_seat],
                "with": [each.as_json() for each in self.with_card.by_seat],
                "difference": [each.as_json() for each in self.by_seat],
            },
            "holder": {
                "anyone_without": self.anyone.as_json(),
                "dealt": self.dealt.as_json(),
                "played": self.played.as_json(),
                "difference": self.holder.as_json(),
            },
            "plays_per_game": round(self.plays_per_game, 6),
            "stopped": {"without": self.without.stopped.as_json(), "with": self.with_card.stopped.as_json()},
            "warnings": self.warnings,
            "sentences": self.sentences(),
        }


def _more(change: Estimate, what: str) -> str:
    if change.low <= 0 <= change.high:
        return f"as many {what} as before, as far as can be seen ({change.low:+.2f} to {change.high:+.2f})"
    word = "more" if change.value > 0 else "fewer"
    return f"{abs(change.value):.2f} {word} {what} ({change.low:+.2f} to {change.high:+.2f})"


def _percent(each: Estimate) -> str:
    return f"{100 * each.value:.2f} %"


def _more_often(change: Estimate) -> str:
    around = f"{100 * change.low:+.2f} % to {100 * change.high:+.2f} %"
    if change.low <= 0 <= change.high:
        return f"as often as others, as far as can be seen ({around})"
    return f"{100 * abs(change.value):.2f} % {'more' if change.value > 0 else 'less'} often ({around})"


def house_edition_with(edition: str, code: str | None, copies: int) -> Json:
    """A published edition as a house edition, with a designed card if there is a code."""
    row = next(each for each in editions_as_json() if each["edition"] == edition)
    designs = [] if code is None else [{"code": code, "card": CARD, "copies": copies}]
    return {**{name: value for name, value in row.items() if name in HOUSE_FIELDS}, "designs": designs}


@clause("K66")
def try_design(code: str, edition: str, copies: int, play: PlayRules) -> Trial:
    """Simulates an edition with a designed card and without it."""
    named = one_of(edition, "edition", EDITIONS)
    with_card, without = (play(house_edition_with(named, each, copies)) for each in (code, None))
    return Trial(design_from_code(code), named, copies, with_card, without)
