"""What does a house rule do? Plays Karma when three and when two identical cards clear the pile, and plots the lengths.

python examples/house_rule.py [FOLDER]
"""

import sys
from pathlib import Path

from threefold.simulation import compare, histogram, simulate

GAMES = 2000
PLAYERS = ["careful"] * 4
RULES = {"three": {"clear": 3}, "two": {"clear": 2}}
STYLE = (
    "<style>.bar { fill: #2f6f8f } .fair { stroke: #b4532a; stroke-dasharray: 4 4 }"
    " text { fill: #6d685e; font: 13px sans-serif }</style>"
)


def main() -> None:
    """Writes a plot for each rule and prints what differs."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for name, rules in RULES.items():
        result = simulate("karma", rules, players=PLAYERS, games=GAMES, seed="tutorial")
        median = {f"half of the games end by {result.length_percentiles[50]}": result.length_percentiles[50]}
        plot = histogram(result.histogram, f"When {name} identical cards clear", "turns", median)
        drawing = plot.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1).replace(">", f">{STYLE}", 1)
        (folder / f"clear-{name}.svg").write_text(drawing, "utf-8")
    side = {"game": "karma", "players": PLAYERS}
    found = compare({**side, "rules": RULES["three"]}, {**side, "rules": RULES["two"]}, games=GAMES, seed="tutorial")
    print(found.sentence)  # noqa: T201 (its answer)
    for difference in found.differences:
        if difference.is_clear:
            print(difference.sentence)  # noqa: T201


if __name__ == "__main__":
    main()
