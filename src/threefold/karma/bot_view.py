"""KarmaView: everything that one player may know of a table, as a record; a bot's policy sees nothing else.

`look` fills it from a Table, in compiled simulations; `read_view` fills it from the JSON View of a live table. A test
compares the two, so a simulated policy knows no more than a person at the page. A policy also gets its legal moves and
the Edition, which is public.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Final

from threefold.clauses import clause, helper
from threefold.karma.decisions import QUESTIONS
from threefold.karma.editions import build, edition_row, options_from
from threefold.karma.memory import known_row
from threefold.karma.notation import LOCATIONS, parse_move
from threefold.karma.powers import POWER_NAMED, code_of, packed
from threefold.karma.rules import cards_at, has_chosen_face_up, highest_number_asked_for, lowest_number_asked_for
from threefold.karma.table import (
    DRAWING,
    FACE_DOWN,
    HAND,
    HIGHEST,
    KINDS,
    MUST_DRAW,
    NONE,
    NOWHERE,
    OVER,
    PLACES,
    POWER,
    SEATS,
    SET_UP,
    DiscardPile,
    Edition,
    Moves,
    Pending,
    PerKind,
    PerPlace,
    PerPlayer,
    PerSeat,
    Table,
)
from threefold.records import blank

__all__ = [
    "HIGHEST",
    "NONE",
    "PLACES",
    "UNSEEN",
    "Edition",
    "KarmaView",
    "Moves",
    "edition_of",
    "look",
    "look_round",
    "read_view",
]

UNSEEN: Final = -2
"""A face-down card that lies there, and that the viewer does not know."""


@dataclass(slots=True)
class KarmaView:
    """What one player may know (K25–K27), as numbers. The legal moves come beside it."""

    player: int  # who looks on
    own_seat: int
    players: int
    turn_player: int
    turn_seat: int
    turns: int
    again: int
    direction: int
    dealer: int
    awaits: int  # what the table waits for; MUST_DRAW is DRAWING to everyone but the player who must
    power: int  # the code of the power that waits for an answer; 0 if none does
    low: int  # what the pile asks for; 0 where any number may be played
    high: int
    draw_size: int
    held: PerKind  # the viewer's own hand
    hand_size: PerSeat
    face_up: PerPlace  # kind or NONE
    face_down: PerPlace  # kind where the viewer has peeked, UNSEEN, or NONE
    cards_left: PerSeat
    discard_pile: DiscardPile
    discard_size: int
    removed: PerKind
    seat_of: PerPlayer
    player_at: PerSeat
    lost_turns: PerPlayer
    out: PerPlayer
    draw_agreed: PerPlayer
    has_chosen: PerPlayer  # K3: while others still choose
    chosen: Annotated[list[int], (PLACES,)]  # the viewer's own choice while others still choose
    known: Annotated[list[list[int]], (SEATS, KINDS)]  # K28: cards of other hands, by seat
    pending: Pending  # packed powers that are still to act, the last acts next
    pending_size: int
    giving_from: int
    giving: int  # the kind if the viewer may know it, else UNSEEN; the place of a face-down card


@clause("K25", "K26", "K27", "K28")
def look(e: Edition, t: Table, player: int, view: KarmaView) -> None:
    """Fills the record with everything this player may know, and with nothing else of the Table."""
    look_round(e, t, player, view)
    look_behind(e, t, player, view)


@clause("K25", "K26", "K27")
def look_round(e: Edition, t: Table, player: int, view: KarmaView) -> None:
    """What lies on the table, and the player's own hand: enough for the policies that play roll-outs."""
    seat = t.seat_of[player]
    view.player = player
    view.own_seat = seat
    view.players = t.players
    view.turn_player = t.turn_player
    view.turn_seat = t.turn_seat
    view.turns = t.turns
    view.again = t.again
    view.direction = t.direction
    view.dealer = t.dealer
    view.awaits = DRAWING if t.awaits == MUST_DRAW and player != t.turn_player else t.awaits
    view.power = code_of(t.pending[t.pending_size - 1]) if t.awaits == POWER else 0
    low = lowest_number_asked_for(e, t)
    view.high = highest_number_asked_for(e, t)
    view.low = 0 if low <= 1 and view.high == HIGHEST else low
    view.draw_size = t.draw_size
    for kind in range(e.kinds):
        view.held[kind] = t.hand[seat][kind]
        view.removed[kind] = t.removed[kind]
    for i in range(t.discard_size):
        view.discard_pile[i] = t.discard_pile[i]
    view.discard_size = t.discard_size
    for each in range(t.players):
        view.hand_size[each] = t.hand_size[each]
        view.cards_left[each] = cards_at(t, each)
        view.seat_of[each] = t.seat_of[each]
        view.player_at[each] = t.player_at[each]
        view.lost_turns[each] = t.lost_turns[each]
        view.out[each] = t.out[each]
        for place in range(PLACES):
            view.face_up[each][place] = t.face_up[each][place]
            view.face_down[each][place] = seen_face_down(t, each, place, player)


@clause("K3", "K27", "K28")
def look_behind(e: Edition, t: Table, player: int, view: KarmaView) -> None:
    """What is still to happen, who has agreed to what, and which cards of other hands the player remembers."""
    for each in range(t.players):
        view.draw_agreed[each] = t.draw_agreed[each]
        view.has_chosen[each] = 1 if t.awaits == SET_UP and has_chosen_face_up(t, each) else 0
        for kind in range(e.kinds):
            remembered = t.known_rows > 0 and t.player_at[each] != player
            view.known[each][kind] = t.known[known_row(t, player, each)][kind] if remembered else 0
    for place in range(PLACES):
        view.chosen[place] = t.chosen[player][place] if view.has_chosen[player] else NONE
    for i in range(t.pending_size):
        view.pending[i] = t.pending[i]
    view.pending_size = t.pending_size
    view.giving_from = t.giving_from
    view.giving = t.giving
    if t.giving_from == HAND and player != t.turn_player:
        view.giving = UNSEEN


@helper
def seen_face_down(t: Table, seat: int, place: int, player: int) -> int:
    """What a player knows of a face-down card: its kind after a peek, else only that it lies there."""
    kind = t.face_down[seat][place]
    if kind == NONE:
        return NONE
    return kind if t.peeked[seat][place] >> player & 1 else UNSEEN


# ---------------------------------------------------------------- From the JSON View


@lru_cache(maxsize=64)
def _edition(edition: str, options: str) -> Edition:
    return build(edition_row(json.loads(edition)), options_from(json.loads(options)))


def edition_of(seen: Mapping[str, Any]) -> Edition:
    """The edition that a JSON View says is played."""
    return _edition(json.dumps(seen["edition"], sort_keys=True), json.dumps(seen["options"], sort_keys=True))


def read_view(seen: Mapping[str, Any]) -> tuple[Edition, KarmaView, Moves]:
    """A player's JSON View as the records that a policy gets: the edition, what is known, the legal moves."""
    edition = edition_of(seen)
    kind_of = {card.code: kind for kind, card in enumerate(edition.cards)}
    view = blank(KarmaView)
    view.player = seen["viewer"]
    view.players = len(seen["seats"])
    view.turn_player = NONE if seen["turn"] is None else seen["turn"]
    view.turns = seen["turns"]
    view.direction = seen["direction"]
    view.power = next((POWER_NAMED[each["power"]].code for each in seen["awaits"] if "power" in each), 0)
    wanted = seen["asks_for"] or {"low": 0, "high": HIGHEST}
    view.low, view.high = wanted["low"], wanted["high"]
    view.draw_size = seen["draw_pile"]
    view.discard_size = len(seen["discard_pile"])
    view.discard_pile[: view.discard_size] = [kind_of[code] for code in seen["discard_pile"]]
    for code in seen["removed"]:
        view.removed[kind_of[code]] += 1
    for player in seen["out"]:
        view.out[player] = 1
    for player in seen["draw_agreed"]:
        view.draw_agreed[player] = 1
    for player in seen["has_chosen"]:
        view.has_chosen[player] = 1
    view.lost_turns[: view.players] = seen["lost_turns"]
    for number, seat in enumerate(seen["seats"]):
        _read_seat(view, number, seat, kind_of)
    _read_behind(view, seen, kind_of)
    moves = blank(Moves)
    for text in seen["moves"]:
        moves.move[moves.count] = parse_move(edition, text)
        moves.count += 1
    return edition, view, moves


def _read_behind(view: KarmaView, seen: Mapping[str, Any], kind_of: Mapping[str, int]) -> None:
    """What `look_behind` fills in."""
    view.dealer = seen["dealer"]
    view.again = int(seen["again"])
    view.turn_seat = NONE if seen["turn_seat"] is None else seen["turn_seat"]
    view.awaits = _awaits(view, seen)
    view.chosen[:] = [kind_of[code] for code in seen["chosen"]] if "chosen" in seen else [NONE] * PLACES
    for each in seen["pending"]:
        view.pending[view.pending_size] = packed(POWER_NAMED[each["power"]].code, each["first"], each["second"])
        view.pending_size += 1
    view.giving_from, view.giving = NOWHERE, NONE
    if (gift := seen["giving"]) is not None:
        view.giving_from = next(location for location, name in LOCATIONS.items() if name == gift["from"])
        if view.giving_from == FACE_DOWN:
            view.giving = gift["place"] - 1
        else:
            view.giving = UNSEEN if gift["card"] is None else kind_of[gift["card"]]


def _awaits(view: KarmaView, seen: Mapping[str, Any]) -> int:
    """What the table waits for. Who must draw may not end the turn instead, although there are cards to play later."""
    if seen["ending"] is not None:
        return OVER
    if view.power:
        return POWER
    question = seen["awaits"][0]["question"]
    awaits = next(number for number, name in QUESTIONS.items() if name == question)
    if awaits not in (DRAWING, MUST_DRAW):
        return awaits
    must = view.player == view.turn_player and len(seen["moves"]) == 1 and view.cards_left[view.own_seat] > 0
    return MUST_DRAW if must else DRAWING


def _read_seat(view: KarmaView, number: int, seat: Mapping[str, Any], kind_of: Mapping[str, int]) -> None:
    player = seat["player"]
    view.seat_of[player] = number
    view.player_at[number] = player
    view.hand_size[number] = seat["hand_size"]
    view.cards_left[number] = seat["cards"]
    for place in range(PLACES):
        up, down = seat["face_up"][place], seat["face_down"][place]
        view.face_up[number][place] = NONE if up is None else kind_of[up]
        card = None if down is None else down["card"]
        view.face_down[number][place] = NONE if down is None else UNSEEN if card is None else kind_of[card]
    for code in seat["known"]:
        view.known[number][kind_of[code]] += 1
    if player == view.player:
        view.own_seat = number
        for code in seat["hand"]:
            view.held[kind_of[code]] += 1
