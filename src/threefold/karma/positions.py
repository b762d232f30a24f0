"""Text <-> position: a whole table in one line.

A position is sections between semicolons. First the edition (a name or an object) with its options (an object) if any;
then one section for each seat, `0 hand 7 7 GIV up 3 . 12 down 5 . 2` (a dot where a table card is gone); then whatever
is not as usual: `turn 1`, `pile 5 7` (bottom first), `draw 3 4` (next card first), `direction -1`, `lost 0 1 0` (turns
to lose, by player) … Every card that lies nowhere has been removed. `docs/reference/notation.md` lists all sections.
"""

import json
from collections.abc import Callable, Iterable

from threefold.fields import a_whole_number, one_of, refuse
from threefold.game import BadSetup, IllegalMove, Json
from threefold.karma.deal import Deal
from threefold.karma.decisions import legal_moves
from threefold.karma.editions import TURN_LIMITS, build, edition_row, options_from
from threefold.karma.notation import ENDINGS, LOCATIONS, codes, kind_of
from threefold.karma.powers import GIVE_CARDS, POWER_NAMED, POWER_OF_CODE, CardPower, asks, card_power, code_of
from threefold.karma.powers import first_parameter as first_of_power
from threefold.karma.powers import second_parameter as second_of_power
from threefold.karma.rules import cards_at, has_chosen_face_up, location_to_play_from
from threefold.karma.table import (
    DRAWING,
    FACE_DOWN,
    FACE_UP,
    MUST_DRAW,
    NONE,
    NOWHERE,
    OVER,
    PLACES,
    POWER,
    SEATS,
    SET_UP,
    TURN,
    Edition,
    Table,
)
from threefold.karma.turn import is_awaited
from threefold.records import blank
from threefold.texts import Text

GONE = "."
LONGEST_SHOWN = 200
MOST_LOST_TURNS = 999
HELD_UP = {SET_UP: "set-up", DRAWING: "drawing", MUST_DRAW: "must draw"}


def format_position(table: Table) -> str:
    """The table as text."""
    edition = table.deal.edition
    sections = [_format_edition(table.deal.setup)]
    sections += [_format_seat(table, seat) for seat in range(table.players)]
    sections += _format_turn(table)
    piles = {"pile": table.discard_pile[: table.discard_size], "draw": table.draw_pile[: table.draw_size][::-1]}
    sections += [" ".join([name, *codes(edition, cards)]) for name, cards in piles.items() if cards]
    if table.pending_size:
        pending = table.pending[: table.pending_size][::-1]
        sections.append("pending " + ", ".join(_format_power(power) for power in pending))
    if table.giving_from != NOWHERE:
        card = str(table.giving + 1) if table.giving_from == FACE_DOWN else edition.cards[table.giving].code
        sections.append(f"giving {LOCATIONS[table.giving_from]} {card}")
    return "; ".join(sections)


def _format_edition(setup: Json) -> str:
    edition = setup["edition"]
    text = edition if isinstance(edition, str) else json.dumps(edition, separators=(",", ":"), sort_keys=True)
    return f"{text} {json.dumps(setup['options'], separators=(',', ':'), sort_keys=True)}" if setup["options"] else text


def _format_seat(table: Table, seat: int) -> str:
    edition = table.deal.edition
    words = [str(seat)]
    if table.player_at[seat] != seat:
        words += ["player", str(table.player_at[seat])]
    hand = [kind for kind in range(edition.kinds) for _ in range(table.hand[seat][kind])]
    if hand:
        words += ["hand", *codes(edition, hand)]
    if table.face_up_size[seat]:
        words += ["up", *(GONE if kind == NONE else edition.cards[kind].code for kind in table.face_up[seat])]
    if table.face_down_size[seat]:
        words.append("down")
        for kind, peeked in zip(table.face_down[seat], table.peeked[seat], strict=True):
            knowing = ",".join(str(player) for player in range(SEATS) if peeked >> player & 1)
            words.append(GONE if kind == NONE else edition.cards[kind].code + (f":{knowing}" if knowing else ""))
    return " ".join(words)


def _format_turn(table: Table) -> Iterable[str]:
    edition = table.deal.edition
    players = range(table.players)
    if table.awaits in HELD_UP:
        yield HELD_UP[table.awaits]
    if table.turn_player != NONE:
        yield f"turn {table.turn_player}"
        if table.turn_seat != table.seat_of[table.turn_player]:
            yield f"at {table.turn_seat}"
        if table.turns != 1:
            yield f"turns {table.turns}"
    if table.awaits == OVER:
        loser = "" if table.loser == NONE else f" {table.loser}"
        yield f"ended {ENDINGS[table.ending]}{loser}"
    for player in players:
        if table.chosen[player][0] != NONE and table.awaits == SET_UP:
            yield " ".join(["chosen", str(player), *codes(edition, table.chosen[player])])
    if table.dealer:
        yield f"dealer {table.dealer}"
    if table.direction != 1:
        yield f"direction {table.direction}"
    if table.again:
        yield "again"
    if any(table.lost_turns):
        yield " ".join(["lost", *(str(table.lost_turns[player]) for player in players)])
    if any(bool(table.out[player]) != _has_nothing(table, player) for player in players):
        yield " ".join(["out", *(str(player) for player in players if table.out[player])])
    if table.draw_offers:
        yield " ".join(["agreed", *(str(player) for player in players if table.draw_agreed[player])])


def _has_nothing(table: Table, player: int) -> bool:
    return cards_at(table, table.seat_of[player]) == 0


def _format_power(power: int) -> str:
    each = CardPower(POWER_OF_CODE[code_of(power)], first_of_power(power), second_of_power(power))
    return " ".join([each.power.name, *(str(value) for value in each.parameters().values())])


def parse_position(text: str) -> Table:
    """Reads a position; refuses what is none, naming the section that is wrong."""
    first, *sections = [section.strip() for section in text.replace("\n", ";").split(";") if section.strip()] or [""]
    setup = _parse_edition(first)
    edition = build(edition_row(setup["edition"]), options_from(setup["options"]))
    seats = [section for section in sections if section.split()[0].isdigit()]
    others = [section for section in sections if not section.split()[0].isdigit()]
    if not 2 <= len(seats) <= SEATS:
        raise refuse("not_a_number_between", field="position: seats", given=str(len(seats)), least=2, most=SEATS)
    complete = {**setup, "position": text}
    table = blank(Table, deal=Deal(edition, len(seats), 0, (), complete))
    table.players = len(seats)
    table.direction = 1
    table.turns = 1
    table.turn_player = table.turn_seat = table.loser = table.giving = NONE
    table.awaits = TURN
    for rows in (table.face_up, table.face_down, table.chosen):
        for row in rows:
            for place in range(PLACES):
                row[place] = NONE
    for seat, section in enumerate(seats):
        _section(_parse_seat, table, section, seat)
    for player in range(table.players):
        table.out[player] = int(_has_nothing(table, player))
    for section in others:
        _section(_parse_other, table, section, 0)
    if table.turn_player != NONE and table.turn_seat == NONE:
        table.turn_seat = table.seat_of[table.turn_player]
    if table.turn_player == NONE:
        table.turns = 0
    _remove_the_rest(table, edition)
    if not _can_go_on(table):
        raise BadSetup(Text("karma.setup.cannot_go_on"))
    return table


def _section(parse: Callable[[Table, list[str], int], None], table: Table, section: str, seat: int) -> None:
    try:
        parse(table, section.split(), seat)
    except (ValueError, IndexError, KeyError) as problem:
        why = str(problem) if isinstance(problem, IllegalMove | BadSetup) else ""
        raise BadSetup(Text("karma.setup.bad_position", {"given": section[:LONGEST_SHOWN], "allowed": why})) from None


def _parse_edition(text: str) -> dict[str, Json]:
    decode = json.JSONDecoder().raw_decode
    try:
        if text.startswith("{"):
            edition, end = decode(text)
        else:
            edition, end = text.split(" ", maxsplit=1)[0], len(text.split(" ", maxsplit=1)[0])
        rest = text[end:].strip()
        options = json.loads(rest) if rest else {}
    except (ValueError, RecursionError):
        raise BadSetup(Text("karma.setup.bad_position", {"given": text[:LONGEST_SHOWN], "allowed": ""})) from None
    return {"edition": edition, "options": options}


def _parse_seat(table: Table, words: list[str], seat: int) -> None:
    if words[0] != str(seat):
        raise ValueError(words[0])
    edition = table.deal.edition
    player = int(words[2]) if words[1:2] == ["player"] else seat
    words = words[3:] if words[1:2] == ["player"] else words[1:]
    if not 0 <= player < table.players or player in table.player_at[:seat]:
        raise ValueError(player)
    table.player_at[seat] = player
    table.seat_of[player] = seat
    rows: dict[str, list[str]] = {}
    where = ""
    for word in words:
        if word in ("hand", "up", "down"):
            where = word
            rows.setdefault(where, [])
        else:
            rows[where].append(word)
    for code in rows.get("hand", []):
        table.hand[seat][kind_of(edition, code)] += 1
        table.hand_size[seat] += 1
    for place, code in enumerate(rows.get("up", [])):
        if code != GONE:
            table.face_up[seat][place] = kind_of(edition, code)
            table.face_up_size[seat] += 1
    for place, code in enumerate(rows.get("down", [])):
        card, _, knowing = code.partition(":")
        if card != GONE:
            table.face_down[seat][place] = kind_of(edition, card)
            table.face_down_size[seat] += 1
            for word in knowing.split(",") if knowing else ():
                table.peeked[seat][place] |= 1 << _player(table, word)


def _parse_other(table: Table, words: list[str], _: int) -> None:
    edition = table.deal.edition
    name, rest = words[0], words[1:]
    if " ".join(words) in HELD_UP.values():
        table.awaits = next(awaits for awaits, held_up in HELD_UP.items() if held_up == " ".join(words))
    elif name == "turn":
        table.turn_player = _player(table, rest[0])
    elif name == "at":
        table.turn_seat = _player(table, rest[0])
    elif name == "turns":
        table.turns = a_whole_number(int(rest[0]), name, 0, TURN_LIMITS)
    elif name == "dealer":
        table.dealer = _player(table, rest[0])
    elif name == "direction":
        table.direction = {"1": 1, "-1": -1}[rest[0]]
    elif name == "again":
        table.again = 1
    elif name == "lost":
        for player, turns in zip(range(table.players), rest, strict=True):
            table.lost_turns[player] = a_whole_number(int(turns), name, 0, MOST_LOST_TURNS)
    elif name == "out":
        for player in range(table.players):
            table.out[player] = int(str(player) in rest)
    elif name == "agreed":
        for word in rest:
            table.draw_agreed[_player(table, word)] = 1
            table.draw_offers += 1
    elif name == "chosen":
        for place, code in zip(range(PLACES), rest[1:], strict=True):
            table.chosen[_player(table, rest[0])][place] = kind_of(edition, code)
    elif name == "pile":
        for code in rest:
            table.discard_pile[table.discard_size] = kind_of(edition, code)
            table.discard_size += 1
    elif name == "draw":
        for code in reversed(rest):
            table.draw_pile[table.draw_size] = kind_of(edition, code)
            table.draw_size += 1
    elif name == "pending":
        for each in reversed(" ".join(rest).split(",")):
            table.pending[table.pending_size] = _parse_power(each.split())
            table.pending_size += 1
        if table.awaits != OVER:
            table.awaits = POWER
    elif name == "giving":
        table.giving_from = {name: location for location, name in LOCATIONS.items()}[rest[0]]
        table.giving = int(rest[1]) - 1 if table.giving_from == FACE_DOWN else kind_of(edition, rest[1])
    elif name == "ended":
        table.awaits = OVER
        table.ending = {name: ending for ending, name in ENDINGS.items()}[rest[0]]
        table.loser = _player(table, rest[1]) if rest[1:] else NONE
    else:
        raise ValueError(name)


def _player(table: Table, word: str) -> int:
    if not 0 <= int(word) < table.players:
        raise ValueError(word)
    return int(word)


def _parse_power(words: list[str]) -> int:
    values: dict[str, int | str] = {}
    for each, word in zip(POWER_NAMED[words[0]].parameters, words[1:], strict=True):
        if each.words:
            values[each.name] = one_of(word, each.name, each.words)
        else:
            values[each.name] = a_whole_number(int(word), each.name, each.least, each.most)
    return card_power(words[0], **values).packed()


def _remove_the_rest(table: Table, edition: Edition) -> None:
    """Cards that lie nowhere have been removed; there cannot be more of a card than the edition has."""
    table.removed[:] = edition.copies
    for kind in range(edition.kinds):
        lying = table.discard_pile[: table.discard_size].count(kind) + table.draw_pile[: table.draw_size].count(kind)
        for seat in range(table.players):
            lying += table.hand[seat][kind] + table.face_up[seat].count(kind) + table.face_down[seat].count(kind)
        if lying > edition.copies[kind]:
            wrong = {"card": edition.cards[kind].code, "count": lying, "n": edition.copies[kind]}
            raise BadSetup(Text("karma.setup.wrong_deck", wrong))
        table.removed[kind] -= lying


def _can_go_on(table: Table) -> bool:
    """Is somebody awaited who can move, and does all that is pending, given or chosen make sense?"""
    if table.awaits == OVER:
        return True
    awaited = [player for player in range(table.players) if is_awaited(table, player)]
    if not awaited or (table.pending_size > 0 and table.awaits != POWER):
        return False
    if table.awaits in (DRAWING, MUST_DRAW) and table.draw_size == 0:
        return False
    if table.awaits == SET_UP and not all(_can_choose(table, player) for player in range(table.players)):
        return False
    if table.awaits == POWER and not asks(table.deal.edition, table, table.pending[table.pending_size - 1]):
        return False
    if table.giving_from != NOWHERE and not _can_give(table):
        return False
    return all(legal_moves(table, player) for player in awaited)


def _can_choose(table: Table, player: int) -> bool:
    """K3: no face-up card lies yet, and what was chosen is in the hand."""
    chosen, hand = table.chosen[player], table.hand[table.seat_of[player]]
    held = not has_chosen_face_up(table, player) or all(hand[kind] >= chosen.count(kind) for kind in chosen)
    return held and table.face_up_size[table.seat_of[player]] == 0


def _can_give(table: Table) -> bool:
    """K51: the picked card lies at the location to play from."""
    seat, giving = table.seat_of[table.turn_player], table.giving
    if table.awaits != POWER or code_of(table.pending[table.pending_size - 1]) != GIVE_CARDS:
        return False
    if table.giving_from != location_to_play_from(table.deal.edition, table, seat):
        return False
    if table.giving_from == FACE_DOWN:
        return 0 <= giving < PLACES and table.face_down[seat][giving] != NONE
    return giving in table.face_up[seat] if table.giving_from == FACE_UP else table.hand[seat][giving] > 0
