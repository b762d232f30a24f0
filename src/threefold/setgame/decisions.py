"""Decision: what the table waits for, whom it asks, and every move that answers; takes are described, not listed."""

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
    take_of,
)
from threefold.setgame.notation import ENDINGS, WORDS
from threefold.setgame.refusals import ACCEPTED, deadline_of, refusal
from threefold.setgame.search import card_within_reach, reach
from threefold.setgame.table import ALL_LEFT, GOES_ON, NONE, Table

ASKED_OF_PLAYERS = (CALL, GIVE_UP, AGREE_NO_SET, ASK_FOR_CARD, MORE_CARDS)
AT_ANY_TIME = (GO_AWAY, COME_BACK, LEAVE)


def decisions(table: Table) -> list[Decision]:
    """Everything that is awaited; several players at once, as there are no turns. Empty when the game is over."""
    found = [each for player in range(table.players) for each in _asked_of(table, player)]
    deadline = deadline_of(table)
    if deadline != NONE and table.ending == GOES_ON:
        found.append(Decision(None, "time up", (WORDS[TIME_UP],), {"deadline": deadline, "for": _what_runs(table)}))
    return found


def _asked_of(table: Table, player: int) -> list[Decision]:
    """What one player may answer now; `not_before` says when, if it is later than the last move."""
    soonest = max(table.now, table.may_call_from[player])
    found = []
    cards = cards_within_reach(table, player)
    if len(cards) >= 3 and _accepts(table, player, take_of(*cards[:3]), soonest):
        details: dict[str, Json] = {"take": 3, "from": [format_card(card) for card in cards]}
        if table.control == player:
            details["deadline"] = table.call_deadline
        elif soonest > table.now:
            details["not_before"] = soonest
        found.append(Decision(player, "take", (), details))
    for what in ASKED_OF_PLAYERS:
        at = soonest if what == CALL else table.now
        if _accepts(table, player, what, at):
            details = {"not_before": at} if at > table.now else {}
            found.append(Decision(player, WORDS[what], (WORDS[what],), details))
    return found


def _accepts(table: Table, player: int, move: int, at: int) -> bool:
    return refusal(table.deal.variant, table, player, move, at) == ACCEPTED


def cards_within_reach(table: Table, player: int) -> list[int]:
    """The cards a player may take: those of the layout, then one's own personal cards."""
    places = range(reach(table, table.deal.variant.most_personal))
    return [card for i in places if (card := card_within_reach(table, player, i)) != NONE]


def _what_runs(table: Table) -> str:
    if table.control != NONE:
        return "call"
    return "agreement" if table.agreement_deadline != NONE else "next deal"


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
    if table.deal.variant.alone:
        won = table.penalty == 0 and table.ending != ALL_LEFT
        return Ending(reason, (0,) if won else (), () if won else (0,), scores)
    if table.winner != NONE:
        return Ending(reason, (table.winner,), (), scores)
    return Ending(reason, tuple(player for player, score in enumerate(scores) if score == max(scores)), (), scores)
