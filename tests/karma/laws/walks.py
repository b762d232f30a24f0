"""Tables somewhere in a random game, and what could happen there next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st

from tests.karma.laws.setups import ALL_RULES, Rules
from threefold import karma
from threefold.game import Step
from threefold.karma import moves as m
from threefold.karma import turn
from threefold.karma.decisions import draw_moves, legal_moves
from threefold.karma.notation import format_move
from threefold.karma.table import OVER, PLACES, Edition, Moves, Table, Tape
from threefold.records import blank
from threefold.shuffle import below, random_from

Thing = TypeVar("Thing")
MOST_MOVES = 250

often = settings(max_examples={20: 20, 100: 60, 5000: 600}.get(settings().max_examples, settings().max_examples))
"""How hard the laws of whole tables look: an example here is a game, and each profile has to end some day."""


class Picker:
    """Chooses by a seed, in the same way in every process and every release."""

    def __init__(self, seed: str) -> None:
        self.random = random_from(seed, "picks")

    def below(self, n: int) -> int:
        return below(self.random, n)

    def one_of(self, things: Sequence[Thing]) -> Thing:
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent

    def in_any_order(self, things: Sequence[Thing]) -> list[Thing]:
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    def move(self, moves: Sequence[int], *, eager: bool) -> int:
        """A legal move; an eager player picks up only when nothing else is left."""
        better = [move for move in moves if m.what_of(move) not in (m.PICK_UP, m.DECLINE, m.END_TURN)]
        return self.one_of(better if eager and better else moves)


def awaited(table: Table) -> list[int]:
    return [player for player in range(table.players) if turn.is_awaited(table, player)]


def walk(table: Table, pick: Picker, moves: int, *, eager: bool) -> Table:
    """Makes so many moves at this table, or as many as there are before the game ends; the table itself changes."""
    listed, tape = blank(Moves), blank(Tape)
    for _ in range(moves):
        if table.awaits == OVER:
            break
        player = pick.one_of(awaited(table))
        turn.list_moves(table.deal.edition, table, player, listed)
        move = pick.move(listed.move[: listed.count], eager=eager)
        turn.make_move(table.deal.edition, table, tape, player, move)
    return table


@dataclass(frozen=True, slots=True)
class Moment:
    """A table, and one player's move there."""

    table: Table
    player: int
    move: int

    @property
    def text(self) -> str:
        return format_move(self.table.deal.edition, self.move)

    def step(self) -> Step[Table]:
        return karma.play(self.table, self.player, self.text)


@st.composite
def setups(draw: st.DrawFn, rules: Rules | None = None) -> dict[str, object]:
    """A game to be: any rules, any number of players, drawing automatic or by hand."""
    chosen = rules or draw(st.sampled_from(ALL_RULES))
    players = draw(st.integers(2, chosen.most_players(draw(st.sampled_from((1, 1, 1, 2))))))
    seed = f"v1:{draw(st.integers(0, 999_999))}"
    return chosen.setup(players, seed, draw=draw(st.sampled_from(("automatic", "by hand"))))


@st.composite
def tables(draw: st.DrawFn, rules: Rules | None = None) -> Table:
    """A table at any point of a random game, its end included."""
    table = karma.new(draw(setups(rules)))
    pick = Picker(f"v1:{draw(st.integers(0, 999_999))}")
    walk(table, pick, draw(st.integers(0, MOST_MOVES)), eager=draw(st.booleans()))
    if draw(st.integers(0, 9)) == 9:  # somebody has offered a draw
        able = [player for player in range(table.players) if draw_moves(table, player)]
        for player in pick.in_any_order(able)[: draw(st.integers(1, 2))]:
            if offers := draw_moves(table, player):
                turn.make_move(table.deal.edition, table, blank(Tape), player, offers[0])
    return table


@st.composite
def moments(draw: st.DrawFn, rules: Rules | None = None) -> Moment:
    """A table where the game goes on, and a legal move: an awaited one, or now and then about a draw."""
    table = draw(tables(rules).filter(lambda each: each.awaits != OVER))
    able = [player for player in range(table.players) if draw_moves(table, player)]
    if able and draw(st.integers(0, 19)) == 19:
        player = draw(st.sampled_from(able))
        return Moment(table, player, draw_moves(table, player)[0])
    player = draw(st.sampled_from(awaited(table)))
    return Moment(table, player, draw(st.sampled_from(legal_moves(table, player))))


def any_moves(edition: Edition, players: int) -> st.SearchStrategy[int]:
    """Moves of every sort, whether they make sense or not."""
    kinds = st.integers(0, edition.kinds - 1)
    places = st.integers(0, PLACES - 1)
    return st.one_of(
        st.builds(lambda three: m.move_of(m.CHOOSE_FACE_UP, *sorted(three)), st.lists(kinds, min_size=3, max_size=3)),
        st.builds(lambda kind, count: m.move_of(m.PLAY, kind, count, 0), kinds, st.integers(1, 4)),
        st.builds(lambda kind: m.move_of(m.GIVE, kind, 0, 0), kinds),
        st.builds(lambda up, hand: m.move_of(m.SWAP, up, hand, 0), kinds, kinds),
        st.builds(
            lambda what, place: m.move_of(what, place, 0, 0),
            st.sampled_from((m.FLIP, m.GIVE_FACE_DOWN, m.PEEK)),
            places,
        ),
        st.builds(lambda player: m.move_of(m.CHOOSE_PLAYER, player, 0, 0), st.integers(0, players)).filter(
            lambda move: m.first_of(move) < 12
        ),
        st.sampled_from((m.PICK_UP, m.DECLINE, m.DRAW, m.END_TURN, m.OFFER_DRAW, m.AGREE_DRAW)),
    )


def any_text(pick: Picker, edition: Edition, players: int) -> str:
    """A move of any sort as text, or something that is none."""
    kinds = [pick.below(edition.kinds) for _ in range(3)]
    what = pick.below(18)
    if what == 0:
        return "sing a song"
    if what == 1:
        return f"play {edition.codes[kinds[0]]} {edition.codes[kinds[1]]}"
    if what > m.AGREE_DRAW:
        return format_move(edition, m.move_of(m.PLAY, kinds[0], 1 + pick.below(3), 0))
    first = {m.CHOOSE_PLAYER: pick.below(min(players + 1, 12))}.get(what, pick.below(PLACES))
    if what in (m.CHOOSE_FACE_UP, m.PLAY, m.GIVE, m.SWAP):
        kinds.sort()
        first = kinds[0]
    second = 1 + pick.below(2) if what == m.PLAY else kinds[1]
    return format_move(edition, m.move_of(what, first, second, kinds[2]))
