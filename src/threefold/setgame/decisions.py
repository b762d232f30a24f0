"""Decisions: the questions a table asks its players, and the moves that answer. Takes are described, not listed."""

from threefold.clauses import clause
from threefold.game import Decision, Ending, Json
from threefold.setgame.cards import format_card
from threefold.setgame.moves import (
    AGREE_NO_SET,
    ASK_FOR_CARD,
    CALL,
    COME_BACK,
    GIVE_UP,
    GO_AWAY,
    LEAVE,
    MORE_CARDS,
    TIME_UP,
    take_all,
)
from threefold.setgame.notation import ENDINGS, WORDS
from threefold.setgame.refusals import ACCEPTED, FOUND_ALREADY, NOT_IN_CHAIN, deadline_of, refusal
from threefold.setgame.search import card_within_reach, reach
from threefold.setgame.table import ALL_LEFT, GOES_ON, NONE, Table

PLAYER_MOVES = (CALL, GIVE_UP, AGREE_NO_SET, ASK_FOR_CARD, MORE_CARDS)
AT_ANY_TIME = (GO_AWAY, COME_BACK, LEAVE)
TAKE = "take"
CALL_ENDS, AGREEMENT_ENDS, NEXT_DEAL, GAME_ENDS = DEADLINES = ("call", "agreement", "next deal", "game")
"""The deadlines that a table can wait for."""


def decisions(table: Table) -> list[Decision]:
    """All open decisions, of several players at once, as SET has no turns. Empty when the game is over."""
    awaited = [each for player in range(table.players) for each in _decisions_of(table, player)]
    deadline = deadline_of(table.deal.variant, table)
    if deadline != NONE and table.ending == GOES_ON:
        details: dict[str, Json] = {"deadline": deadline, "for": _deadline_name(table, deadline)}
        awaited.append(Decision(None, "time up", (WORDS[TIME_UP],), details))
    return awaited


def _decisions_of(table: Table, player: int) -> list[Decision]:
    """The open decisions of one player; `not_before` is set if the player must wait first."""
    earliest = max(table.now, table.may_call_from[player])
    awaited = []
    cards = cards_within_reach(table, player)
    if _may_take(table, player, cards, earliest):
        details: dict[str, Json] = {"take": table.deal.variant.set_size, "from": [format_card(card) for card in cards]}
        if table.control == player:
            details["deadline"] = table.call_deadline
        elif earliest > table.now:
            details["not_before"] = earliest
        awaited.append(Decision(player, TAKE, (), details))
    for what in PLAYER_MOVES:
        at = earliest if what == CALL else table.now
        if _accepts(table, player, what, at):
            details = {"not_before": at} if at > table.now else {}
            awaited.append(Decision(player, WORDS[what], (WORDS[what],), details))
    return awaited


def _may_take(table: Table, player: int, cards: list[int], at: int) -> bool:
    """May the player take some of these cards? In a chain not any cards will do, so a refusal for that is none."""
    size = table.deal.variant.set_size
    if len(cards) < size:
        return False
    reason = refusal(table.deal.variant, table, player, take_all(cards[:size]), at)
    return reason in (ACCEPTED, NOT_IN_CHAIN, FOUND_ALREADY)


def _accepts(table: Table, player: int, move: int, at: int) -> bool:
    return refusal(table.deal.variant, table, player, move, at) == ACCEPTED


def cards_within_reach(table: Table, player: int) -> list[int]:
    """The cards a player may take: the layout, then the previous SET of a chain or the personal cards."""
    places = range(reach(table, table.deal.variant.most_personal))
    return [card for i in places if (card := card_within_reach(table, player, i)) != NONE]


def _deadline_name(table: Table, deadline: int) -> str:
    if 0 < deadline == table.deal.variant.time_ms:
        return GAME_ENDS
    if table.control != NONE:
        return CALL_ENDS
    return AGREEMENT_ENDS if table.agreement_deadline != NONE else NEXT_DEAL


@clause("S14", "S18")
def anytime(table: Table) -> list[Decision]:
    """Players may go away, come back and leave whenever they like."""
    return [
        Decision(player, "presence", moves)
        for player in range(table.players)
        if (moves := tuple(WORDS[what] for what in AT_ANY_TIME if _accepts(table, player, what, table.now)))
    ]


@clause("S16", "S21", "T10")
def ending(table: Table) -> Ending | None:
    """The highest score wins and ties are shared; alone, no penalty may be left; in 20/20 SET the target decides."""
    if table.ending == GOES_ON:
        return None
    scores = tuple(table.score[: table.players])
    reason = ENDINGS[table.ending]
    if table.deal.variant.alone or table.players == 1:
        won = table.penalty == 0 and table.ending != ALL_LEFT
        return Ending(reason, (0,) if won else (), () if won else (0,), scores)
    if table.winner != NONE:
        return Ending(reason, (table.winner,), (), scores)
    return Ending(reason, tuple(player for player, score in enumerate(scores) if score == max(scores)), (), scores)
