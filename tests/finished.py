"""Makes finished games quickly: bots play them in memory, and the real store writes them as a log."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from threefold.game import Game
from threefold.games import KITS
from threefold.live import entries as e
from threefold.live.identity import new_code, new_id
from threefold.live.record import finished_game
from threefold.live.state import fold
from threefold.live.statistics import figures_of
from threefold.live.store import Store, TableRow
from threefold.shuffle import Random, random_from
from threefold.storage import open_store

Json = Any
EVERY_CARD: Json = {
    "karma": dict.fromkeys(("GIV", "TAB", "BOT", "LOW", "OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"), 2),
    "designs": [{"code": "K1HIcAAg8AABAAAFNjb3V0"}],
}
KARMA_WAYS: dict[str, Json] = {
    "classic": {"edition": "classic"},
    "classic_alternative_triples": {"edition": "classic_alternative_triples"},
    "second_edition": {"edition": "second_edition", "options": {"create_your_karma": "move left"}},
    "mini_round": {"edition": "mini_round"},
    "house": {"edition": EVERY_CARD},
}
SET_WAYS: dict[str, Json] = {
    "full": {"variant": "full"},
    "small_deck": {"variant": "small_deck", "options": {"call": "with take"}},
    "longer_game": {"variant": "longer_game", "options": {"auto_deal": True}},
    "solitaire": {"variant": "solitaire"},
    "twenty_twenty": {"variant": "twenty_twenty"},
}


@dataclass(frozen=True, slots=True)
class Move:
    """One move that was made."""

    player: int | None
    move: str
    at: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """A game that bots have played."""

    game: Game[Any]
    setup: dict[str, Json]
    moves: list[Move]
    ending: Json

    @property
    def saved(self) -> Json:
        """The game in the format of `threefold.saved`."""
        about = {"format": 1, "game": self.game.name, "rules": self.game.rules_version}
        moves = [{"player": m.player, "move": m.move, **({} if m.at is None else {"at": m.at})} for m in self.moves]
        return {**about, **self.setup, "moves": moves}


def play_out(
    game: str, setup: Mapping[str, Json], bots: Sequence[str], seed: str = "v1:finished", most: int = 3000
) -> Played:
    """Lets bots play a game to its end, or for a number of moves."""
    rules = KITS[game].game
    table = rules.new({**setup, "players": len(bots), "seed": seed})
    setup = rules.setup(table)
    random = random_from(seed, "bots")
    moves: list[Move] = []
    while len(moves) < most and rules.ending(table) is None:
        made = _timed(rules, table, bots, random) if rules.timed else _in_turn(rules, table, bots, random)
        table = rules.play(table, made.player, made.move, made.at).table
        moves.append(made)
    ending = rules.ending(table)
    return Played(rules, setup, moves, None if ending is None else ending.as_json())


def _in_turn(rules: Game[Any], table: Any, bots: Sequence[str], random: Random) -> Move:
    player = rules.decisions(table)[0].player
    assert player is not None
    choice = KITS[rules.name].bots[bots[player]](rules.view(table, player), random)
    assert choice is not None
    return Move(player, choice.move, None)


def _timed(rules: Game[Any], table: Any, bots: Sequence[str], random: Random) -> Move:
    """The fastest bot's move, or the deadline if it comes first."""
    now: int = rules.state(table)["now"]
    candidates = [
        Move(None, each.moves[0], max(now, each.details["deadline"]))
        for each in rules.decisions(table)
        if each.player is None
    ]
    for player, bot in enumerate(bots):
        choice = KITS[rules.name].bots[bot](rules.view(table, player), random)
        if choice is not None:
            at = now + choice.after_ms
            soonest = max(at, rules.view(table, player)["may_call_from"][player])
            if rules.explain(table, player, choice.move, soonest) is None:
                candidates.append(Move(player, choice.move, soonest))
    return min(candidates, key=lambda each: each.at or 0)


NOW = 1_790_000_000_000


Wish = tuple[Played, Sequence[str], Json]
"""A game, the bots in it, and options for writing it."""


def planted(database: Path, person: Mapping[str, str], games: Sequence[Wish]) -> list[str]:
    """Writes games of this person with bots into a running server's database; returns their ids.

    It runs in its own thread, because Playwright occupies the event loop of the calling one.
    """

    async def write() -> list[str]:
        store = await open_store(str(database))
        try:
            return [
                await plant(store, person["id"], person["name"], played, bots, **{"at": NOW, **more})
                for played, bots, more in games
            ]
        finally:
            await store.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, write()).result()


def _close_call(began: int, made: Move, players: int) -> e.Settled:
    """A call, with a rival call 40 ms later."""
    assert made.player is not None
    assert made.at is not None
    other = (made.player + 1) % players
    calls = [e.Call(player=made.player, move=made.move, played=True), e.Call(player=other, move="call", late=40)]
    return e.Settled(at=began + made.at, time=made.at, calls=calls)


async def plant(
    store: Store, person: str, name: str, played: Played, bots: Sequence[str], *, at: int, rules: int | None = None
) -> str:
    """Writes the game as the log of a table of this person with bots; returns the id of the finished game.

    An unfinished game is written as paused, then left by the person and abandoned.
    """
    table, code = new_id(), new_code()
    settings = e.Settings(seats=len(bots))
    setup = {key: value for key, value in played.setup.items() if key in ("edition", "variant", "options")}
    opened = e.Opened(
        at=at,
        code=code,
        game=played.game.name,
        setup=setup,
        settings=settings,
        person=person,
        name=name,
        seed=played.setup["seed"],
        by=0,
    )
    log: list[e.Entry] = [opened, e.Sat(at=at, by=0, seat=0)]
    log += [e.BotSat(at=at, by=0, seat=seat, bot=bot) for seat, bot in enumerate(bots) if seat > 0]
    version = played.game.rules_version if rules is None else rules
    seats = list(range(len(bots)))
    log.append(e.Started(at=at, by=0, rules=version, setup=played.setup, seats=seats, next_seed="v1:next"))
    for number, each in enumerate(played.moves, 1):
        if each.move == "call" and number % 3 == 0 and each.at is not None and len(bots) > 1:
            log.append(_close_call(at, each, len(bots)))
            continue
        ended = played.ending if number == len(played.moves) else None
        then = at + (number * 2000 if each.at is None else each.at)
        hand = "clock" if each.player is None else "person" if each.player == 0 else "bot"
        log.append(e.Moved(at=then, player=each.player, move=each.move, time=each.at, hand=hand, ending=ended))  # type: ignore[arg-type]
    if played.ending is None:
        last = log[-1].at
        log += [e.Paused(at=last, by=0), e.Resumed(at=last + 5000, by=0), e.Left(at=last + 6000, by=0)]
        log.append(e.Abandoned(at=last + 7000, reason="nobody_left"))
    bodies = [e.encode(entry) for entry in log]
    await store.add_table(
        TableRow(table, code, played.game.name, listed=False, opened=at, touched=log[-1].at), bodies[0]
    )
    await asyncio.gather(*(store.append(table, seq, body) for seq, body in enumerate(bodies[1:], 2)))
    await store.visit(person, table)
    state = fold(enumerate(bodies, 1))
    row = finished_game(table, state, state.finished[0])
    figures = figures_of(row, bodies[row.first_seq - 1 : row.last_seq])
    if figures is not None:
        row = replace(row, players=[replace(each, figures=figures[each.player]) for each in row.players])
    await store.record_game(row)
    await store.touch(table, log[-1].at, playing=False, closed=True)
    return row.id
