"""How fast do the SET bots find SETs? The model's expected times, and the times of the bots themselves.

./run bench pace            a table
./run bench pace --json     one object: layouts, and for each level expected_s (mean over layouts), median_s and p90_s
                            of the bots' first takes, seen_at_first_look, wrong, wins against the level before (shares)

Layouts are the first ones of seeded games that have a SET. Times are the bots' own, not those of this machine: the same
release gives the same figures everywhere. A bot that agrees that there is no SET looks again.
"""

import argparse
import json
from itertools import pairwise
from statistics import mean, median, quantiles
from typing import Any

from threefold.games import KITS
from threefold.setgame import SET
from threefold.setgame.cards import parse_card
from threefold.setgame.pace import PACES, expected_ms
from threefold.shuffle import random_from
from threefold.simulation import simulate

LAYOUTS = 2_000
GAMES = 2_000
TAKES = {"variant": "full", "options": {"call": "with take"}, "players": 2}


def measured(level: int) -> dict[str, Any]:
    """The figures of one level (0 to 4)."""
    bot = KITS["set"].bots[f"human{level + 1}"]
    times, expected, first_looks, wrong = [], [], 0, 0
    for number in range(LAYOUTS):
        view = SET.view(SET.new({**TAKES, "seed": f"v1:{number}"}), 0)
        cards = [parse_card(card) for card in view["layout"]]
        by_model = expected_ms(level, cards)
        if by_model is None:
            continue
        expected.append(by_model)
        random, passed, looks = random_from(f"v1:{number}", "eyes"), 0, 0
        while (choice := bot(view, random)) is not None:
            passed += choice.after_ms
            looks += 1
            if choice.move.startswith("take"):
                wrong += SET.play(SET.new({**TAKES, "seed": f"v1:{number}"}), 0, choice.move, passed).table.lost[0]
                break
        times.append(passed)
        first_looks += looks == 1
    return {
        "layouts": len(times),
        "expected_s": round(mean(expected) / 1000, 2),
        "median_s": round(median(times) / 1000, 2),
        "p90_s": round(quantiles(times, n=10)[-1] / 1000, 2),
        "seen_at_first_look": round(first_looks / len(times), 3),
        "wrong": round(wrong / len(times), 3),
    }


def main() -> None:
    """Measures all levels, and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    figures = {f"human{level + 1}": measured(level) for level in range(len(PACES))}
    names = [*figures]
    for weaker, stronger in pairwise(names):
        result = simulate("set", "full", players=[weaker, stronger], games=GAMES, seed="pace")
        figures[stronger]["wins"] = round(result.bots[stronger].value, 3)
    if as_json:
        print(json.dumps(figures))
        return
    for name, each in figures.items():
        print(name, *(f"{key} {value}" for key, value in each.items()), sep="   ")


if __name__ == "__main__":
    main()
