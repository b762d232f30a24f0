"""Strength ladder of the Karma bots: a tournament, rated by OpenSkill's Plackett–Luce model.

    .venv/bin/python -m pip install openskill
    ./run bench ladder                     a tournament of 2,000 games
    ./run bench ladder --games 500
    ./run bench ladder --json              one JSON object

Each game of Classic has four seats, drawn at random among all bots; the same bot may sit twice. A game of Karma has one
loser, so the others share the first rank. Searches have a fixed budget and no deadline. A rating is a normal
distribution: 25 ± 8.3 before the first game.
"""

import argparse
import json
from collections import Counter
from importlib import import_module
from typing import Any

from benchmarks.bot_games import TableOfBots
from threefold.karma.editions import build, edition_row, options_from
from threefold.shuffle import below, random_from

BOTS = ("random", "beginner", "careful", "sharp", "hard without memory", "hard", "expert")
SEATS = 4


def tournament(games: int) -> dict[str, Any]:
    """Plays the games, and rates the bots after each."""
    model = import_module("openskill.models").PlackettLuce()
    ratings = {bot: model.rating(name=bot) for bot in BOTS}
    played, lost = Counter[str](), Counter[str]()
    random = random_from("v1:ladder", "seats")
    edition = build(edition_row("classic"), options_from({}))
    for number in range(games):
        bots = [BOTS[below(random, len(BOTS))] for _ in range(SEATS)]
        loser, _ = TableOfBots(edition, bots, "v1:ladder").play(number)
        played.update(bots)
        if loser < 0 or len(set(bots)) == 1:
            continue
        lost[bots[loser]] += 1
        rated = model.rate([[ratings[bot]] for bot in bots], ranks=[2 if i == loser else 1 for i in range(SEATS)])
        for bot in set(bots):  # a bot that sits twice moves by the mean of both
            own = [team[0] for team, name in zip(rated, bots, strict=True) if name == bot]
            ratings[bot].mu = sum(each.mu for each in own) / len(own)
            ratings[bot].sigma = min(each.sigma for each in own)
    ladder = sorted(BOTS, key=lambda bot: -ratings[bot].mu)
    return {
        "games": games,
        "ladder": [
            {
                "bot": bot,
                "rating": round(ratings[bot].mu, 2),
                "sigma": round(ratings[bot].sigma, 2),
                "games": played[bot],
                "lost": round(lost[bot] / max(1, played[bot]), 4),
            }
            for bot in ladder
        ],
    }


def main() -> None:
    """Plays the tournament and prints the ladder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    result = tournament(arguments.games)
    if arguments.json:
        print(json.dumps(result))
        return
    for row in result["ladder"]:
        print(*row.values(), sep=" | ")


if __name__ == "__main__":
    main()
