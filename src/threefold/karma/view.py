"""View: everything one viewer may know of a table, and nothing else (K25–K27); and the whole table, for referees."""

from collections.abc import Sequence
from typing import cast

from threefold.clauses import clause
from threefold.game import Json, Viewer
from threefold.karma.decisions import anytime, decisions, ending
from threefold.karma.forms import (
    AskedFor,
    AwaitedForm,
    FaceDownForm,
    GivingForm,
    KarmaView,
    OpenToAll,
    PendingPower,
    SeatForm,
)
from threefold.karma.memory import known_row
from threefold.karma.notation import LOCATIONS, codes
from threefold.karma.outlook import location_of_the_next_card, run_on_the_pile, upcoming_player
from threefold.karma.powers import POWER_OF_CODE, code_of, first_parameter, second_parameter
from threefold.karma.rules import (
    cards_at,
    has_chosen_face_up,
    highest_number_asked_for,
    lowest_number_asked_for,
)
from threefold.karma.table import FACE_DOWN, FACE_UP, HIGHEST, NONE, NOWHERE, PLACES, SET_UP, Table


def view(table: Table, viewer: Viewer) -> KarmaView:
    """What lies open, the viewer's own hand and legal moves, what the pile asks for, and whom the table awaits."""
    return views(table, (viewer,))[0]


@clause("K25", "K26", "K27")
def views(table: Table, viewers: Sequence[Viewer]) -> list[KarmaView]:
    """The Views of several viewers: the common part is built once, then each viewer's own knowledge is added."""
    awaited, offers = decisions(table), anytime(table)
    common = _open_to_all(table)
    seats = [_seat(table, seat) for seat in range(table.players)]
    wanted = asks_for(table)
    asked = [
        cast("AwaitedForm", {"player": each.player, "question": each.question, **each.details}) for each in awaited
    ]
    has_chosen = [player for player in range(table.players) if _waits_to_be_shown(table, player)]
    pending = _pending(table)
    outcome = None if (ended := ending(table)) is None else ended.as_json()
    seen: list[KarmaView] = []
    for viewer in viewers:
        one: KarmaView = {
            "game": "karma",
            "viewer": viewer,
            **common,  # type: ignore[typeddict-item]  # it holds no `chosen`, which mypy cannot know
            "seats": seats if viewer is None else _seats_of(table, viewer, seats),
            "draw_pile": table.draw_size,
            "asks_for": wanted,
            "awaits": asked,
            "moves": [move for each in awaited if each.player == viewer for move in each.moves],
            "anytime": [move for each in offers if each.player == viewer for move in each.moves],
            "has_chosen": has_chosen,
            "ending": outcome,
            "again": bool(table.again),
            "turn_seat": None if table.turn_seat == NONE else table.turn_seat,
            "pending": pending,
            "giving": _giving(table, viewer),
            "play_from": None if viewer is None else _play_from(table, viewer),
        }
        if viewer is not None and _waits_to_be_shown(table, viewer):
            one["chosen"] = codes(table.deal.edition, table.chosen[viewer])
        seen.append(one)
    return seen


def _pending(table: Table) -> list[PendingPower]:
    return [
        {
            "power": POWER_OF_CODE[code_of(each)].name,
            "first": first_parameter(each),
            "second": second_parameter(each),
        }
        for each in table.pending[: table.pending_size]
    ]


@clause("K27", "K51")
def _giving(table: Table, viewer: Viewer) -> GivingForm | None:
    """The card that was picked to be given: known to its giver, and to all if it lies face up."""
    if table.giving_from == NOWHERE:
        return None
    if table.giving_from == FACE_DOWN:
        return {"from": LOCATIONS[FACE_DOWN], "card": None, "place": table.giving + 1}
    open_to_viewer = table.giving_from == FACE_UP or viewer == table.turn_player
    card = table.deal.edition.codes[table.giving] if open_to_viewer else None
    return {"from": LOCATIONS[table.giving_from], "card": card, "place": None}


@clause("K6")
def _play_from(table: Table, viewer: int) -> str | None:
    """Where the viewer's next card comes from; None while no location is open."""
    return LOCATIONS.get(location_of_the_next_card(table.deal.edition, table, viewer))


@clause("K3")
def _waits_to_be_shown(table: Table, player: int) -> bool:
    """Has this player chosen, and do others still choose? What was shown lies face up."""
    return table.awaits == SET_UP and has_chosen_face_up(table, player)


@clause("K25")
def _open_to_all(table: Table) -> OpenToAll:
    edition = table.deal.edition
    players = range(table.players)
    setup = table.deal.setup
    follows = upcoming_player(table)
    return {
        "edition": setup["edition"],
        "options": setup["options"],
        "clears_at": edition.clears_at,
        "dealer": table.dealer,
        "turn": None if table.turn_player == NONE else table.turn_player,
        "turns": table.turns,
        "next_player": None if follows == NONE else follows,
        "direction": table.direction,
        "discard_pile": codes(edition, table.discard_pile[: table.discard_size]),
        "run": run_on_the_pile(table),
        "removed": _written(table, table.removed),
        "lost_turns": [table.lost_turns[player] for player in players],
        "out": [player for player in players if table.out[player]],
        "draw_agreed": [player for player in players if table.draw_agreed[player]],
    }


def _seat(table: Table, seat: int) -> SeatForm:
    """A seat as everybody may see it."""
    written = table.deal.edition.codes
    return {
        "player": table.player_at[seat],
        "hand_size": table.hand_size[seat],
        "hand": None,
        "face_up": [None if kind == NONE else written[kind] for kind in table.face_up[seat]],
        "face_down": [None if kind == NONE else {"card": None} for kind in table.face_down[seat]],
        "cards": cards_at(table, seat),
        "known": _written(table, table.known[seat]),
    }


@clause("K26", "K27", "K28")
def _seats_of(table: Table, viewer: int, seats: list[SeatForm]) -> list[SeatForm]:
    """The seats with what a player knows beside: their own hand, what they peeked at and what they remember."""
    seen, own = seats[:], table.seat_of[viewer]
    if table.known_rows > table.players:
        for seat in range(table.players):
            known = _written(table, table.known[known_row(table, viewer, seat)])
            if known != seats[seat]["known"]:
                seen[seat] = {**seats[seat], "known": known}
    seen[own] = {**seats[own], "hand": hand_of(table, own), "known": []}
    for seat, peeked in enumerate(table.peeked[: table.players]):
        if any(peeked) and any(each >> viewer & 1 for each in peeked):
            seen[seat] = {
                **seen[seat],
                "face_down": [_face_down(table, seat, place, viewer) for place in range(PLACES)],
            }
    return seen


@clause("K27")
def _face_down(table: Table, seat: int, place: int, viewer: int) -> FaceDownForm | None:
    kind = table.face_down[seat][place]
    knows = table.peeked[seat][place] >> viewer & 1
    return None if kind == NONE else {"card": table.deal.edition.codes[kind] if knows else None}


def open_view(table: Table) -> KarmaView:
    """A spectator's View with every hand and every face-down card turned up: for replays, never for players."""
    written = table.deal.edition.codes
    seats: list[SeatForm] = [
        {
            **_seat(table, seat),
            "hand": hand_of(table, seat),
            "face_down": [None if kind == NONE else {"card": written[kind]} for kind in table.face_down[seat]],
        }
        for seat in range(table.players)
    ]
    return {**view(table, None), "seats": seats}


def hand_of(table: Table, seat: int) -> list[str]:
    """The cards of a hand, sorted."""
    return _written(table, table.hand[seat])


def _written(table: Table, counts: list[int]) -> list[str]:
    """Cards that are counted by kind, one by one."""
    written = table.deal.edition.codes
    return [code for kind, count in enumerate(counts) if count for code in (written[kind],) * count]


def asks_for(table: Table) -> AskedFor | None:
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
