"""Decision: the players whom the table waits for, their questions, and every move that answers."""

import threading

from threefold.clauses import clause
from threefold.game import Decision, Ending
from threefold.karma.notation import ENDINGS, format_move
from threefold.karma.powers import (
    GIVE_CARDS,
    PEEK_FACE_DOWN,
    PLAY_TABLE_CARD,
    POWER_OF_CODE,
    SWAP_FACE_UP,
    code_of,
)
from threefold.karma.rules import holds_cards
from threefold.karma.table import DRAWING, MUST_DRAW, NONE, NOWHERE, OVER, POWER, SET_UP, TURN, Moves, Table
from threefold.karma.turn import draw_move, is_awaited, list_moves
from threefold.records import blank

QUESTIONS = {SET_UP: "face_up", TURN: "play", DRAWING: "draw", MUST_DRAW: "draw"}
QUESTIONS_OF_POWERS = {
    PLAY_TABLE_CARD: "table_card",
    GIVE_CARDS: "give",
    PEEK_FACE_DOWN: "peek",
    SWAP_FACE_UP: "swap",
}
CHOOSE_PLAYER = "choose"
DRAW_GAME = "draw_game"


def decisions(table: Table) -> list[Decision]:
    """All awaited players, with all legal moves; during set-up there are several."""
    return [_decision(table, player) for player in range(table.players) if is_awaited(table, player)]


def _decision(table: Table, player: int) -> Decision:
    moves = tuple(format_move(table.deal.edition, move) for move in legal_moves(table, player))
    if table.awaits != POWER:
        return Decision(player, QUESTIONS[table.awaits], moves)
    code = code_of(table.pending[table.pending_size - 1])
    question = QUESTIONS_OF_POWERS.get(code, CHOOSE_PLAYER) if table.giving_from == NOWHERE else CHOOSE_PLAYER
    return Decision(player, question, moves, {"power": POWER_OF_CODE[code].name})


def legal_moves(table: Table, player: int) -> list[int]:
    """A player's legal answers, as numbers."""
    moves = _rooms.moves
    list_moves(table.deal.edition, table, player, moves)
    return moves.move[: moves.count]


class _Rooms(threading.local):
    """One list of moves for each thread, used again for every question, because it is long."""

    def __init__(self) -> None:
        self.moves = blank(Moves)


_rooms = _Rooms()


@clause("K24")
def anytime(table: Table) -> list[Decision]:
    """All who hold cards may offer a draw, or agree to one that was offered."""
    return [
        Decision(player, DRAW_GAME, (format_move(table.deal.edition, move),))
        for player in range(table.players)
        for move in draw_moves(table, player)
    ]


@clause("K24")
def draw_moves(table: Table, player: int) -> list[int]:
    """Offer a draw if none is offered, agree if one is and one has not."""
    move = draw_move(table, player)
    return [move] if move else []


@clause("K22", "K23", "K24")
def ending(table: Table) -> Ending | None:
    """The last with cards loses, all without cards win."""
    if table.awaits != OVER:
        return None
    winners = tuple(player for player in range(table.players) if not holds_cards(table, player))
    losers = () if table.loser == NONE else (table.loser,)
    return Ending(ENDINGS[table.ending], winners, losers)
