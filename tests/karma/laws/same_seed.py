"""A whole game as one short text, to be compared between processes."""

import hashlib
import json
import sys

from tests.karma.laws.setups import ALL_RULES, Rules
from tests.karma.laws.walks import Picker
from threefold import karma


def digest_of_a_game(rules: Rules, players: int, seed: str) -> str:
    """A hash of every event and every View of a game that the seed plays."""
    table, pick, digest = karma.new(rules.setup(players, seed, turn_limit=60)), Picker(seed), hashlib.sha256()
    while decisions := karma.decisions(table):
        decision = pick.one_of(decisions)
        step = karma.play(table, decision.player, pick.one_of(decision.moves))
        table = step.table
        seen = [karma.view(table, viewer) for viewer in (None, *range(players))]
        digest.update(json.dumps([[event.whole() for event in step.events], seen]).encode())
    return digest.hexdigest()


def main() -> None:
    _, players, seed = sys.argv
    for rules in ALL_RULES:
        print(digest_of_a_game(rules, int(players), seed))  # noqa: T201 (the other process reads it)


if __name__ == "__main__":
    main()
