"""Looks for short games in which as much as possible occurs, and writes their files: `python -m` this module.

With --retell the games stay, move by move, and only what is told of them is written anew: for a changed sentence.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from tests.karma.counts.toys import TOYS
from tests.karma.laws.setups import HOUSE_RULES, PUBLISHED_RULES, Rules
from tests.karma.laws.walks import Picker
from tests.karma.playthroughs.telling import GAMES, Feature, Move, Playthrough, Setup, features, read, written
from threefold import karma
from threefold.game import Decision, Json
from threefold.karma.table import OVER

SEEDS = 80
MOST_MOVES = 150
CLASSIC, ALTERNATIVE, SECOND, MINI = PUBLISHED_RULES
ALL_CARDS, ALL_CARDS_GIVE, MOVING, GIVING, _ = HOUSE_RULES


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game to look for: its rules, players and options, and how its players are."""

    name: str
    rules: Rules | str
    players: int = 3
    draw_at: int = 0  # after so many moves somebody offers a draw, and all agree
    needs: tuple[Feature, ...] = ()
    options: tuple[tuple[str, Json], ...] = ()

    def setup(self, seed: str) -> Setup:
        if isinstance(self.rules, str):
            return {"position": self.rules}
        return {"dealer": 0, **self.rules.setup(self.players, seed, **dict(self.options))}


WANTED: tuple[Wanted, ...] = (
    Wanted("classic", CLASSIC),
    Wanted("classic-alternative-triples", ALTERNATIVE, 2, needs=(("event", "pile_given"),)),
    Wanted("second-edition", SECOND),
    Wanted("second-edition-all-move-left", SECOND, 3, options=(("create_your_karma", "move left"),)),
    Wanted("mini-round", MINI, 2),
    Wanted("mini-round-drawing-by-hand", MINI, 2, options=(("draw", "by hand"),), needs=(("event", "did_not_draw"),)),
    Wanted("all-printed-cards", ALL_CARDS, 3, options=(("turn_limit", 40),)),
    Wanted("all-printed-cards-pairs-give", ALL_CARDS_GIVE, 4, options=(("turn_limit", 40),)),
    Wanted("designs-that-move", MOVING),
    Wanted("designs-that-give", GIVING),
    Wanted("designs-to-a-limit", MOVING, 4, options=(("turn_limit", 25),), needs=(("ending", "turn_limit"),)),
    Wanted("agreed-draw", CLASSIC, 2, draw_at=15, needs=(("ending", "draw_agreed"), ("event", "draw_withdrawn"))),
    Wanted("nobody-left", TOYS["nobody left"], 2, needs=(("ending", "nobody_left"),)),
)


def look(wanted: Wanted, seed: str) -> Playthrough | None:
    """A game by this seed, if it is short enough."""
    setup = wanted.setup(seed)
    table, pick = karma.new(setup), Picker(seed)
    moves: list[Move] = []
    while table.awaits != OVER:
        if len(moves) >= MOST_MOVES:
            return None
        player, move = choose(karma.decisions(table), pick)
        if wanted.draw_at and (len(moves) == wanted.draw_at // 2 or len(moves) >= wanted.draw_at):
            able = karma.anytime(table)[0]
            assert able.player is not None
            player, move = able.player, able.moves[0]
        moves.append((player, move))
        table = karma.play(table, player, move).table
    return Playthrough(setup, tuple(moves))


def choose(decisions: Sequence[Decision], pick: Picker) -> Move:
    """Somebody who is awaited moves, mostly as people do: low cards first, all identical ones at once."""
    decision = pick.one_of(decisions)
    assert decision.player is not None
    if pick.chance(10):
        return decision.player, pick.one_of(decision.moves)
    plays = [move for move in decision.moves if move.startswith("play")]
    if plays and not pick.chance(25):
        lowest = plays[0].split()[1]
        return decision.player, [move for move in plays if move.split()[1] == lowest][-1]
    better = [move for move in decision.moves if move not in ("pick up", "decline", "end turn")]
    return decision.player, pick.one_of(better or decision.moves)


def retell() -> None:
    for path in sorted(GAMES.glob("*.txt")):
        path.write_text(written(read(path)), "utf-8")


def search() -> None:
    GAMES.mkdir(exist_ok=True)
    covered: set[Feature] = set()
    for wanted in WANTED:
        best: tuple[tuple[int, int], Playthrough, set[Feature]] | None = None
        for number in range(SEEDS):
            game = look(wanted, f"v1:{wanted.name}-{number}")
            if game is not None and set(wanted.needs) <= (found := features(game)):
                rank = (len(found - covered), -len(game.moves))
                if best is None or rank > best[0]:
                    best = rank, game, found
        assert best is not None, f"no game found for {wanted.name}"
        covered |= best[2]
        text = written(best[1])
        (GAMES / f"{wanted.name}.txt").write_text(text, "utf-8")
        print(f"{wanted.name}: {len(best[1].moves)} moves, {len(text)} bytes, {best[0][0]} new")  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--retell", action="store_true", help="keep the games, tell them anew")
    if parser.parse_args().retell:
        retell()
    else:
        search()


if __name__ == "__main__":
    main()
