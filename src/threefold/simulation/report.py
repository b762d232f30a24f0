"""The HTML report of a result (`--report out.html`): one self-contained page with plots and their numbers."""

import json
from collections.abc import Sequence
from html import escape

from threefold.simulation.karma_simulated import KarmaResult
from threefold.simulation.plots import dot_plot, heat_map, histogram
from threefold.simulation.set_simulated import SetResult
from threefold.simulation.statistics import Estimate
from threefold.texts import catalogue

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #23211d; --soft: #6d685e; --rule: #dcd7cb; --mark: #2f6f8f;
  --warm: #b4532a; }
@media (prefers-color-scheme: dark) { :root { --paper: #191816; --ink: #ece8df; --soft: #a19b8e; --rule: #3a3732;
  --mark: #7fbcd8; --warm: #e59a70; } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 Georgia, 'Times New Roman', serif;
  max-width: 720px; margin: 3rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin-bottom: .2rem; } h2 { font-size: 1.15rem; margin: 2.4rem 0 .4rem; }
p.lead { font-size: 1.1rem; } .soft, .small { color: var(--soft); } .soft { font-size: .9rem; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; overflow: visible; }
svg text { fill: var(--ink); } svg text.on { fill: var(--paper); }
svg text.small { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--rule); } .fair { stroke: var(--warm); stroke-dasharray: 4 4; }
.whisker { stroke: var(--mark); stroke-width: 3; stroke-linecap: round; opacity: .55; }
.dot, .bar, .heat { fill: var(--mark); }
table { border-collapse: collapse; width: 100%; font: 14px/1.5 system-ui, sans-serif; }
th { text-align: right; font-weight: 600; color: var(--soft); } td { text-align: right; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; } details { margin-top: 2rem; }
pre { overflow-x: auto; font-size: 12px; }
"""


def report_page(result: KarmaResult | SetResult) -> str:
    """The whole page."""
    body = _karma(result) if isinstance(result, KarmaResult) else _set(result)
    title = f"{_rules(result)}, {result.games:,} games"
    numbers = escape(json.dumps(result.as_json(), indent=1))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body>{body}"
        f"<details><summary>All numbers (JSON)</summary><pre>{numbers}</pre></details></body></html>\n"
    )


def _rules(result: KarmaResult | SetResult) -> str:
    rules = json.loads(result.spec.rules)
    name = rules.replace("_", " ") if isinstance(rules, str) else "a house edition"
    return f"{'Karma' if result.spec.game == 'karma' else 'SET'}, {name}"


def _introduction(result: KarmaResult | SetResult, lead: str) -> str:
    short = " The run was stopped by hand." if result.interrupted else ""
    players = ", ".join(result.spec.players)
    return (
        f"<h1>{escape(_rules(result))}</h1>"
        f'<p class="soft">{result.games:,} games, {result.moves:,} moves; players: {escape(players)}; '
        f"seed {escape(result.spec.seed)}.{short} All intervals are 95 % confidence intervals.</p>"
        f'<p class="lead">{escape(lead)}</p>'
    )


def _section(head: str, words: str, plot: str) -> str:
    return f'<h2>{escape(head)}</h2><p class="soft">{escape(words)}</p>{plot}'


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{top}</tr>{lines}</table>"


def _best(bots: dict[str, Estimate], *, lowest: bool) -> str:
    if len(bots) < 2:
        return ""
    order = sorted(bots, key=lambda bot: bots[bot].value, reverse=not lowest)
    first, second = order[0], order[1]
    a, b = bots[first], bots[second]
    apart = a.high < b.low if lowest else a.low > b.high
    return first if apart else ""


def _karma(result: KarmaResult) -> str:
    fair = 1 / len(result.spec.players)
    best = _best(result.bots, lowest=True)
    rate = result.bots.get(best)
    lead = f"{best} loses least: {rate.in_percent} of its games. " if rate else ""
    lead += f"A game takes {result.turns.value:.0f} turns on average, with {result.pick_ups.value:.1f} pick-ups and "
    lead += f"{result.clears.value:.1f} clears."
    names = catalogue()
    seats = [(_order(i), each) for i, each in enumerate(result.by_seat)]
    cards = result.cards
    dealt = sorted(((_card(names, each.card), each.lost_when_dealt) for each in cards), key=lambda each: each[1].value)
    table = _table(
        ("card", "plays a game", "cards a game", "dealt it, lost", "played it, lost"),
        [
            (
                _card(names, each.card),
                f"{each.plays_per_game:.2f}",
                f"{each.cards_per_game:.2f}",
                each.lost_when_dealt.in_percent,
                each.lost_when_played.in_percent,
            )
            for each in cards
        ],
    )
    return "".join(
        (
            _introduction(result, lead),
            _section(
                "Who loses",
                "The share of games each player lost. Seats were rotated; the dashed line is an even share.",
                dot_plot(_player_rates(result), "Games lost by player", fair=fair)
                + _table(("player", "lost", "pick-ups a game", "clears a game", "moves a game"), _player_rows(result)),
            ),
            _section("Does the seat matter?", "By order of play.", dot_plot(seats, "Games lost by seat", fair=fair)),
            _section(
                "How long it takes",
                f"Turns of a game: {_percentiles(result)}. {result.stopped.in_percent} were stopped after "
                f"{result.spec.turn_limit:,} turns.",
                histogram(result.histogram, "Length of games", "turns", _length_marks(result)),
            ),
            _section(
                "Which cards are good to be dealt",
                "How often players lost who were dealt the card among their first six, the best card first.",
                dot_plot(dealt, "Games lost by card", fair=fair),
            ),
            _section(
                "Every card", "How often it was played, and how often players lost who were dealt or played it.", table
            ),
        )
    )


def _set(result: SetResult) -> str:
    alone = len(result.spec.players) == 1
    best = _best(result.bots, lowest=False)
    rate = result.bots.get(best)
    lead = f"{best} wins most: {rate.in_percent} of its games. " if rate else ""
    lead += f"{result.sets.value:.1f} SETs are found in a game of {result.seconds_a_game.value / 60:.1f} minutes."
    if alone:
        lead = f"{next(iter(result.bots.values())).in_percent} of the games were won. " + lead
    layouts = {size: counts for size, counts in result.layouts.items() if size >= 3}
    most = max((len(counts) for counts in layouts.values()), default=1)
    maps = [
        (f"{size} cards", [count / sum(counts) for count in counts] + [0.0] * (most - len(counts)))
        for size, counts in layouts.items()
    ]
    reached = [(f"{size} cards", each) for size, each in result.reached.items()]
    left = [(f"{n} cards", each) for n, each in result.left_over.items()]
    return "".join(
        (
            _introduction(result, lead),
            _section(
                "Who wins",
                "The share of games each player won, alone or shared.",
                dot_plot(_player_rates(result), "Games won by player")
                + _table(("player", "won", "score", "SETs", "points lost"), _player_rows(result)),
            ),
            _section(
                "How many SETs lie there",
                "Of all layouts of one size, the share that held 0, 1, 2 … SETs.",
                heat_map(maps, [str(i) for i in range(most)], "SETs in a layout"),
            ),
            _section(
                "How far it goes",
                "The share of games in which the layout reached this size.",
                dot_plot(reached, "Largest layout"),
            ),
            _section(
                "How long it takes",
                f"Seconds: {_percentiles(result)}.",
                histogram(result.histogram, "Length", "seconds", _length_marks(result)),
            ),
            _section("Cards left over", "Cards on the table at the end of a game.", dot_plot(left, "Cards left over")),
        )
    )


def _player_rates(result: KarmaResult | SetResult) -> list[tuple[str, Estimate]]:
    return [(f"{each.bot} ({each.place + 1})", each.rate) for each in result.by_player]


def _player_rows(result: KarmaResult | SetResult) -> list[tuple[str, ...]]:
    return [
        (each.bot, each.rate.in_percent, *(f"{number:.2f}" for number in each.numbers.values()))
        for each in result.by_player
    ]


def _length_marks(result: KarmaResult | SetResult) -> dict[str, float]:
    return {f"{p} %": float(value) for p, value in result.length_percentiles.items() if p in (5, 50, 95)}


def _percentiles(result: KarmaResult | SetResult) -> str:
    return ", ".join(f"{p} % up to {value:,}" for p, value in result.length_percentiles.items())


def _order(i: int) -> str:
    return ("starts", "second", "third", "fourth", "fifth", "sixth")[i] if i < 6 else f"number {i + 1}"


def _card(names: dict[str, object], code: str) -> str:
    name = names.get(f"card.{code}")
    return name if isinstance(name, str) else code
