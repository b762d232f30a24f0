"""View: everything one viewer may know of a table, and nothing else (K25–K27). And the whole of it, for referees."""

from threefold.clauses import clause
from threefold.game import Json, Viewer
from threefold.karma.decisions import anytime, decisions, ending
from threefold.karma.notation import codes
from threefold.karma.rules import (
    cards_at,
    has_chosen_face_up,
    highest_number_asked_for,
    lowest_number_asked_for,
)
from threefold.karma.table import HIGHEST, NONE, PLACES, SET_UP, Table


@clause("K25", "K26", "K27")
def view(table: Table, viewer: Viewer) -> dict[str, Json]:
    """What lies open, the viewer's own hand and legal moves, what the pile asks for, and whom the table awaits."""
    own = None if viewer is None else table.seat_of[viewer]
    awaited = decisions(table)
    seen = {
        "game": "karma",
        "viewer": viewer,
        **_open_to_all(table),
        "seats": [_seat(table, seat, viewer, own_hand=seat == own) for seat in range(table.players)],
        "draw_pile": table.draw_size,
        "asks_for": asks_for(table),
        "awaits": [{"player": each.player, "question": each.question, **each.details} for each in awaited],
        "moves": [move for each in awaited if each.player == viewer for move in each.moves],
        "anytime": [move for each in anytime(table) if each.player == viewer for move in each.moves],
        "has_chosen": [player for player in range(table.players) if _waits_to_be_shown(table, player)],
        "ending": None if (ended := ending(table)) is None else ended.as_json(),
    }
    if viewer is not None and _waits_to_be_shown(table, viewer):
        seen["chosen"] = codes(table.deal.edition, table.chosen[viewer])
    return seen


@clause("K3")
def _waits_to_be_shown(table: Table, player: int) -> bool:
    """Has this player chosen, and do others still choose? What was shown lies face up."""
    return table.awaits == SET_UP and has_chosen_face_up(table, player)


@clause("K25")
def _open_to_all(table: Table) -> dict[str, Json]:
    edition = table.deal.edition
    removed = [kind for kind in range(edition.kinds) for _ in range(table.removed[kind])]
    players = range(table.players)
    setup = table.deal.setup
    return {
        "edition": setup["edition"],
        "options": setup["options"],
        "dealer": table.dealer,
        "turn": None if table.turn_player == NONE else table.turn_player,
        "turns": table.turns,
        "direction": table.direction,
        "discard_pile": codes(edition, table.discard_pile[: table.discard_size]),
        "removed": codes(edition, removed),
        "lost_turns": [table.lost_turns[player] for player in players],
        "out": [player for player in players if table.out[player]],
        "draw_agreed": [player for player in players if table.draw_agreed[player]],
    }


def _seat(table: Table, seat: int, viewer: Viewer, *, own_hand: bool) -> Json:
    edition = table.deal.edition
    down: list[Json] = []
    for place in range(PLACES):
        kind = table.face_down[seat][place]
        knows = viewer is not None and bool(table.peeked[seat][place] >> viewer & 1)
        down.append(None if kind == NONE else {"card": edition.cards[kind].code if knows else None})
    return {
        "player": table.player_at[seat],
        "hand_size": table.hand_size[seat],
        "hand": hand_of(table, seat) if own_hand else None,
        "face_up": [None if kind == NONE else edition.cards[kind].code for kind in table.face_up[seat]],
        "face_down": down,
        "cards": cards_at(table, seat),
    }


def open_view(table: Table) -> dict[str, Json]:
    """A spectator's View with every hand and every face-down card turned up: for replays, never for players."""
    edition = table.deal.edition
    seats = [
        {
            **_seat(table, seat, None, own_hand=True),
            "face_down": [
                None if kind == NONE else {"card": edition.cards[kind].code} for kind in table.face_down[seat]
            ],
        }
        for seat in range(table.players)
    ]
    return {**view(table, None), "seats": seats}


def hand_of(table: Table, seat: int) -> list[str]:
    """The cards of a hand, sorted."""
    edition = table.deal.edition
    return codes(edition, [kind for kind in range(edition.kinds) for _ in range(table.hand[seat][kind])])


def asks_for(table: Table) -> Json:
    """What numbers the pile asks for now; null is anything."""
    edition = table.deal.edition
    low, high = lowest_number_asked_for(edition, table), highest_number_asked_for(edition, table)
    return None if low <= 1 and high == HIGHEST else {"low": low, "high": high}


def state(table: Table) -> dict[str, Json]:
    """Everything there is: for referees and tests, never for players."""
    edition = table.deal.edition

    def row(kinds: list[int]) -> list[str | None]:
        return [None if kind == NONE else edition.cards[kind].code for kind in kinds]

    return {
        **_open_to_all(table),
        "seats": [
            {
                "player": table.player_at[seat],
                "hand": hand_of(table, seat),
                "face_up": row(table.face_up[seat]),
                "face_down": row(table.face_down[seat]),
                "peeked": [
                    [player for player in range(table.players) if table.peeked[seat][place] >> player & 1]
                    for place in range(PLACES)
                ],
            }
            for seat in range(table.players)
        ],
        "draw_pile": codes(edition, table.draw_pile[: table.draw_size][::-1]),
        "chosen": [
            codes(edition, table.chosen[player]) if _waits_to_be_shown(table, player) else None
            for player in range(table.players)
        ],
        "asks_for": asks_for(table),
    }
