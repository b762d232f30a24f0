"""Text <-> position: a whole table in one line.

A position is sections between semicolons. First the edition (a name or an object) with its options (an object) if any;
then one section for each seat, `0 hand 7 7 GIV up 3 . 12 down 5 . 2` (a dot where a table card is gone); then whatever
is not as usual: `turn 1`, `pile 5 7` (bottom first), `draw 3 4` (next card first), `direction -1`, `lost 0 1 0` (turns
to lose, by player) … Every card that lies nowhere has been removed. `docs/reference/notation.md` lists all sections.
"""

import json
from collections.abc import Iterable
from functools import partial

from threefold.clauses import clause
from threefold.fields import refuse
from threefold.game import BadSetup, Json
from threefold.karma.deal import Deal
from threefold.karma.decisions import legal_moves
from threefold.karma.editions import TURN_LIMITS, build, edition_row, options_from
from threefold.karma.memory import known_row, remember_apart
from threefold.karma.notation import ENDINGS, LOCATIONS, codes, kind_of
from threefold.karma.powers import GIVE_CARDS, POWER_NAMED, POWER_OF_CODE, CardPower, asks, card_power, code_of
from threefold.karma.powers import first_parameter as first_of_power
from threefold.karma.powers import second_parameter as second_of_power
from threefold.karma.rules import (
    add_pending,
    cards_at,
    has_chosen_face_up,
    location_to_play_from,
    must_draw_first,
    put_in_hand,
    put_on_pile,
)
from threefold.karma.table import (
    CARDS,
    DRAWING,
    FACE_DOWN,
    FACE_UP,
    MUST_DRAW,
    NONE,
    NOWHERE,
    OVER,
    PENDING,
    PLACES,
    POWER,
    POWERS,
    SEATS,
    SET_UP,
    TURN,
    Edition,
    Table,
)
from threefold.karma.turn import is_awaited
from threefold.records import blank
from threefold.sections import LONGEST_WORD, Section, cannot_go_on, read, read_json, refuse_repeated, sections, why
from threefold.texts import Text

GONE = "."
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
    sections += _format_memory(table)
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


@clause("K28")
def _format_memory(table: Table) -> Iterable[str]:
    """What everybody knows of each hand, and what single players know more."""
    edition = table.deal.edition
    for seat in range(table.players):
        open_to_all = table.known[seat]
        if any(open_to_all):
            yield " ".join(["known", str(seat), *_counted(edition, open_to_all)])
        for player in range(table.players):
            known = table.known[known_row(table, player, seat)]
            if table.player_at[seat] != player and known != open_to_all:
                yield " ".join(["known", str(seat), "by", str(player), *_counted(edition, known)])


def _counted(edition: Edition, counts: list[int]) -> list[str]:
    return [edition.codes[kind] for kind in range(edition.kinds) for _ in range(counts[kind])]


def _has_nothing(table: Table, player: int) -> bool:
    return cards_at(table, table.seat_of[player]) == 0


def _format_power(power: int) -> str:
    each = CardPower(POWER_OF_CODE[code_of(power)], first_of_power(power), second_of_power(power))
    return " ".join([each.power.name, *(str(value) for value in each.parameters().values())])


def parse_position(text: str) -> Table:
    """Reads a position; raises BadSetup that names the part which cannot be read, or why play cannot go on."""
    first, *rest = sections(text)
    setup = read(first, _parse_edition)
    edition = build(edition_row(setup["edition"]), options_from(setup["options"]))
    seats = [section for section in rest if section.split()[0].isdigit()]
    others = [section for section in rest if not section.split()[0].isdigit()]
    if not 2 <= len(seats) <= SEATS:
        raise refuse("not_a_number_between", field="position: seats", given=str(len(seats)), least=2, most=SEATS)
    complete = {**setup, "position": text}
    table = blank(Table, deal=Deal(edition, len(seats), 0, (), complete))
    table.players = len(seats)
    table.direction = 1
    table.turns = 1
    table.known_rows = table.players
    table.turn_player = table.turn_seat = table.loser = table.giving = NONE
    table.awaits = TURN
    for rows in (table.face_up, table.face_down, table.chosen):
        for row in rows:
            for place in range(PLACES):
                row[place] = NONE
    refuse_repeated(others, may_repeat=("chosen", "known"))
    for seat, section in enumerate(seats):
        read(section, partial(_parse_seat, table, seat))
    for player in range(table.players):
        table.out[player] = int(_has_nothing(table, player))
    for section in others:
        read(section, partial(_parse_other, table))
    if table.turn_player != NONE and table.turn_seat == NONE:
        table.turn_seat = table.seat_of[table.turn_player]
    if table.turn_player == NONE:
        table.turns = 0
    _remove_the_rest(table, edition)
    if table.awaits != OVER:
        reason = _why_play_cannot_go_on(table)
        if reason is not None:
            raise cannot_go_on(reason)
    return table


def _parse_edition(section: Section) -> dict[str, Json]:
    text = section.text
    if text.startswith("{"):
        try:
            edition, end = json.JSONDecoder().raw_decode(text)
        except (ValueError, RecursionError):
            raise why("not_json", given=text[:LONGEST_WORD]) from None
    else:
        edition, end = section.name, len(section.name)
    section.rest()
    options = text[end:].strip()
    return {"edition": edition, "options": read_json(options) if options else {}}


def _parse_seat(table: Table, seat: int, section: Section) -> None:
    edition = table.deal.edition
    if section.name != str(seat):
        raise why("seats_in_order", seat=seat)
    player = seat
    if section.words[:1] == ["player"]:
        section.word()
        player = _player(table, section)
    if player in table.player_at[:seat]:
        raise why("player_twice", player=player)
    table.player_at[seat] = player
    table.seat_of[player] = seat
    rows: dict[str, list[str]] = {}
    where = ""
    for word in section.rest():
        if word in ("hand", "up", "down"):
            where = word
            rows.setdefault(where, [])
        elif not where:
            raise why("unknown_word", given=word[:LONGEST_WORD], allowed="player, hand, up, down")
        else:
            rows[where].append(word)
    for row in ("up", "down"):
        if len(rows.get(row, ())) > PLACES:
            raise why("too_many_places", count=len(rows[row]), most=PLACES)
    for code in rows.get("hand", ()):
        put_in_hand(table, seat, kind_of(edition, code), 1)
    for place, code in enumerate(rows.get("up", ())):
        if code != GONE:
            table.face_up[seat][place] = kind_of(edition, code)
            table.face_up_size[seat] += 1
    for place, code in enumerate(rows.get("down", ())):
        card, _, knowing = code.partition(":")
        if card != GONE:
            table.face_down[seat][place] = kind_of(edition, card)
            table.face_down_size[seat] += 1
            for word in knowing.split(",") if knowing else ():
                table.peeked[seat][place] |= 1 << _player(table, Section(f"down {word}"))


def _parse_other(table: Table, section: Section) -> None:
    edition, name = table.deal.edition, section.name
    if section.text.split() in (held_up.split() for held_up in HELD_UP.values()):
        said = " ".join([name, *section.rest()])
        table.awaits = next(awaits for awaits, held_up in HELD_UP.items() if held_up == said)
    elif name == "turn":
        table.turn_player = _player(table, section)
    elif name == "at":
        table.turn_seat = _player(table, section)
    elif name == "turns":
        table.turns = section.number(0, TURN_LIMITS)
    elif name == "dealer":
        table.dealer = _player(table, section)
    elif name == "direction":
        table.direction = section.one_of({"1": 1, "-1": -1})
    elif name == "again":
        table.again = 1
    elif name == "lost":
        for player in range(table.players):
            table.lost_turns[player] = section.number(0, MOST_LOST_TURNS)
    elif name == "out":
        out = {_player(table, Section(f"out {word}")) for word in section.rest()}
        for player in range(table.players):
            table.out[player] = int(player in out)
    elif name == "agreed":
        while section.words:
            table.draw_agreed[_player(table, section)] = 1
        table.draw_offers = sum(table.draw_agreed)
    elif name == "chosen":
        player = _player(table, section)
        for place in range(PLACES):
            table.chosen[player][place] = kind_of(edition, section.word())
    elif name == "pile":
        for code in _at_most(section.rest(), CARDS):
            put_on_pile(table, kind_of(edition, code), 1)
    elif name == "draw":
        for code in reversed(_at_most(section.rest(), CARDS)):
            table.draw_pile[table.draw_size] = kind_of(edition, code)
            table.draw_size += 1
    elif name == "pending":
        powers = " ".join(section.rest()).split(",")
        for power in reversed(_at_most(powers, PENDING)):
            add_pending(table, _parse_power(Section(power)))
        if table.awaits != OVER:
            table.awaits = POWER
    elif name == "giving":
        table.giving_from = section.one_of({name: location for location, name in LOCATIONS.items()})
        is_place = table.giving_from == FACE_DOWN
        table.giving = section.number(1, PLACES) - 1 if is_place else kind_of(edition, section.word())
    elif name == "known":
        _parse_memory(table, section)
    elif name == "ended":
        table.awaits = OVER
        table.ending = section.one_of({name: ending for ending, name in ENDINGS.items()})
        table.loser = _player(table, section) if section.words else NONE
    else:
        raise why("unknown_section", given=name[:LONGEST_WORD])


@clause("K28")
def _parse_memory(table: Table, section: Section) -> None:
    """Cards that are known to be in a hand; `by` a player, that is all this player knows of it."""
    edition, seat, viewer = table.deal.edition, _player(table, section), NONE
    if section.words[:1] == ["by"]:
        section.word()
        viewer = _player(table, section)
        remember_apart(edition, table)
    row = [0] * edition.kinds
    for code in section.rest():
        row[kind_of(edition, code)] += 1
    if viewer == table.player_at[seat] or any(row[kind] > table.hand[seat][kind] for kind in range(edition.kinds)):
        raise why("cannot_know", "K28")
    for each in range(NONE, table.players) if viewer == NONE and table.known_rows > table.players else (viewer,):
        if each == NONE or table.seat_of[each] != seat:
            table.known[known_row(table, each, seat)][: edition.kinds] = row


def _player(table: Table, section: Section) -> int:
    return section.number(0, table.players - 1)


def _at_most(words: list[str], most: int) -> list[str]:
    if len(words) > most:
        raise why("too_many", count=len(words), most=most)
    return words


def _parse_power(section: Section) -> int:
    if section.name not in POWER_NAMED:
        raise why("unknown_word", given=section.name[:LONGEST_WORD], allowed=", ".join(POWER_NAMED))
    values: dict[str, int | str] = {}
    for each in POWER_NAMED[section.name].parameters:
        if each.words:
            values[each.name] = section.one_of({word: word for word in each.words})
        else:
            values[each.name] = section.number(each.least, each.most)
    if section.words:
        raise why("too_much", given=section.words[0][:LONGEST_WORD])
    return card_power(section.name, **values).packed()


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


def _why_play_cannot_go_on(table: Table) -> BadSetup | None:
    """Is somebody awaited who can move, and does all that is pending, given or chosen make sense?"""
    awaited = [player for player in range(table.players) if is_awaited(table, player)]
    if not awaited:
        return why("all_have_chosen" if table.awaits == SET_UP else "no_turn")
    if table.pending_size > 0 and table.awaits != POWER:
        return why("two_questions")
    problem = None
    if table.awaits == SET_UP:
        unable = [player for player in range(table.players) if not _can_choose(table, player)]
        problem = why("cannot_choose", "K3", player=unable[0]) if unable else None
    elif table.awaits == POWER:
        problem = _why_no_power_acts(table)
    elif table.awaits == TURN:
        problem = _why_nobody_plays(table)
    else:
        problem = _why_nobody_draws(table)
    if problem is None and table.giving_from != NOWHERE and not _can_give(table):
        problem = why("cannot_give", "K51")
    if problem is None:
        stuck = [player for player in awaited if not legal_moves(table, player)]
        problem = why("no_move", player=stuck[0]) if stuck else None
    return problem


def _why_no_power_acts(table: Table) -> BadSetup | None:
    """The next power asks, and there is room for all that cards played now can add."""
    edition = table.deal.edition
    karma_cards = sum(
        edition.copies[kind] - table.removed[kind] - table.discard_pile[: table.discard_size].count(kind)
        for kind in range(edition.kinds)
        if edition.number[kind] == 0
    )
    most = PENDING - POWERS - (POWERS - 1) * karma_cards
    if table.pending_size > max(most, POWERS):
        return why("too_many", count=table.pending_size, most=max(most, POWERS))
    return None if asks(edition, table, table.pending[table.pending_size - 1]) else why("asks_nothing")


@clause("K12a", "K22")
def _why_nobody_plays(table: Table) -> BadSetup | None:
    """A turn that begins with an empty hand while table cards wait begins with a draw."""
    edition, player = table.deal.edition, table.turn_player
    seat = table.seat_of[player]
    if cards_at(table, seat) == 0:
        return why("is_out", "K22", player=player)
    if must_draw_first(edition, table, seat):
        return why("say_must_draw" if edition.draw_by_hand else "has_drawn", "K12a", player=player)
    return None


@clause("K12", "K12a")
def _why_nobody_draws(table: Table) -> BadSetup | None:
    """Only who draws by hand is waited for, and only while there is something to draw."""
    edition = table.deal.edition
    if not edition.draw_by_hand:
        return why("drawing_is_automatic", "K12")
    if table.draw_size == 0:
        return why("nothing_to_draw", "K12")
    seat = table.seat_of[table.turn_player]
    if table.awaits == MUST_DRAW and not (must_draw_first(edition, table, seat) and cards_at(table, seat)):
        return why("need_not_draw", "K12a", player=table.turn_player)
    return None


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
