"""Cards, moves and positions as text: read as they are written, and refused with the part that cannot be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.karma.rules.steps import HOUSE, code, house, lay
from threefold import karma
from threefold.game import BadSetup, IllegalMove
from threefold.karma import moves as m
from threefold.karma.cards import PRINTED
from threefold.karma.editions import Options, build, edition_row
from threefold.karma.notation import codes, format_move, kind_of, parse_move
from threefold.karma.positions import format_position, parse_position
from threefold.karma.table import PENDING, Edition
from threefold.records import flat

EDITION: Edition = lay(f"{house(code('reverse'), code('clear_pile'))}; 0 hand 1; 1 hand 2; turn 0").deal.edition

MOVES = {
    "face up 7 9 GIV": (m.CHOOSE_FACE_UP, 6, 8, 16),
    "play 7": (m.PLAY, 6, 1, 0),
    "play 7 7": (m.PLAY, 6, 2, 0),
    "play D2 D2 D2": (m.PLAY, 29, 3, 0),
    "flip 2": (m.FLIP, 1, 0, 0),
    "pick up": (m.PICK_UP, 0, 0, 0),
    "choose 3": (m.CHOOSE_PLAYER, 3, 0, 0),
    "choose 11": (m.CHOOSE_PLAYER, 11, 0, 0),
    "give 7": (m.GIVE, 6, 0, 0),
    "give face down 2": (m.GIVE_FACE_DOWN, 1, 0, 0),
    "decline": (m.DECLINE, 0, 0, 0),
    "draw": (m.DRAW, 0, 0, 0),
    "end turn": (m.END_TURN, 0, 0, 0),
    "peek 2": (m.PEEK, 1, 0, 0),
    "swap 7 12": (m.SWAP, 6, 11, 0),
    "offer draw": (m.OFFER_DRAW, 0, 0, 0),
    "agree draw": (m.AGREE_DRAW, 0, 0, 0),
}


# ---------------------------------------------------------------- Cards


def test_cards_are_numbers_and_codes_of_three_letters_in_the_order_of_their_clauses() -> None:
    written = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 GIV TAB BOT LOW OWN EXC SEA CLR LOS 711 PAS ONE D1 D2"
    assert codes(EDITION, range(EDITION.kinds)) == written.split()
    assert [kind_of(EDITION, each) for each in written.split()] == list(range(EDITION.kinds))
    assert [card.clause for card in PRINTED] == [f"K{number}" for number in range(40, 52)]


def test_cards_are_read_in_small_letters_too_and_a_strange_one_is_refused() -> None:
    assert kind_of(EDITION, "giv") == kind_of(EDITION, "GIV")
    for strange in ("17", "0", "07", "D3", "GI", "GIVE", ""):
        with pytest.raises(IllegalMove) as refused:
            kind_of(EDITION, strange)
        assert refused.value.text.key == "karma.refusal.no_such_card"


def test_only_the_cards_of_the_edition_are_cards() -> None:
    classic = build(edition_row("classic"), Options())
    with pytest.raises(IllegalMove):
        kind_of(classic, "EXC")


# ---------------------------------------------------------------- Moves


@pytest.mark.parametrize("text", MOVES)
def test_a_move_is_read_as_it_is_written(text: str) -> None:
    number = m.move_of(*MOVES[text])
    assert parse_move(EDITION, text) == number
    assert format_move(EDITION, number) == text
    assert (m.what_of(number), m.first_of(number), m.second_of(number), m.third_of(number)) == MOVES[text]


def test_every_sort_of_move_is_written() -> None:
    sorts = {value for name, value in vars(m).items() if name.isupper() and isinstance(value, int)}
    assert {what for what, *_ in MOVES.values()} == sorts == set(range(1, 15))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("PLAY giv", "play GIV"),
        ("  play   7  7 ", "play 7 7"),
        ("face up GIV 9 7", "face up 7 9 GIV"),
        ("Pick Up", "pick up"),
        ("choose 03", "choose 3"),
    ],
)
def test_case_space_and_order_do_not_matter(text: str, same: str) -> None:
    assert format_move(EDITION, parse_move(EDITION, text)) == same


@given(st.text(max_size=40))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    for each in (text, f"play {text}", f"choose {text}", f"flip {text}", f"face up {text} {text} {text}"):
        try:
            move = parse_move(EDITION, each)
        except IllegalMove:
            continue
        assert parse_move(EDITION, format_move(EDITION, move)) == move


# ---------------------------------------------------------------- Positions

POSITIONS = [
    "classic; 0 hand 7 7 GIV up 3 . 12 down 5 . 2; 1 hand 1; turn 0",
    "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 8 9 10 11 12; set-up",
    "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 8 9 10 11 12; set-up; chosen 0 1 2 3; dealer 1; agreed 1",
    'classic {"draw":"by hand"}; 0 hand 7; 1 hand 9; drawing; turn 0; turns 5; pile 3 4; draw 5 6',
    'second_edition {"draw":"by hand"}; 0 up 7 . .; 1 hand 9; must draw; turn 0; turns 5; draw 5 6',
    "second_edition; 0 player 2 hand 7; 1; 2 player 0 down 4:0,2 . 6:1; turn 0; at 1; direction -1; lost 0 2 1; pile 5",
    "second_edition; 0 hand 7 8; 1 hand 9; turn 0; again; pile ONE; pending give_cards 1; giving hand 8",
    "second_edition; 0 up . 8 .; 1 hand 9; turn 0; pile ONE; pending give_cards 1; giving face_up 8",
    "second_edition; 0 down . 8 .; 1 hand 9; turn 0; pile ONE; pending give_cards 1; giving face_down 2",
    "classic; 0; 1 hand 9; turn 0; ended one_left 1; pile 5",
    "classic; 0; 1; turn 0; ended nobody_left",
    "classic; 0 hand 7; 1 hand 9; turn 0; ended draw_agreed; agreed 0 1; pile 5; pending give_pile",
    "classic; 0 hand 7; 1 hand 9; turn 0; out 1; pile 5",
    "classic; 0; 1 hand 9; turn 0; out; pile 5; pending give_pile",
    f"{HOUSE}; 0 hand 7; 1 hand 9; turn 0; pile 5; pending lose_turns 2 one, reverse, rotate_seats 3 right",
]


@pytest.mark.parametrize("text", POSITIONS)
def test_a_position_is_read_as_it_is_written(text: str) -> None:
    table = parse_position(text)
    _, *sections = text.split("; ")
    assert format_position(table).split("; ")[1:] == sections
    assert flat(parse_position(format_position(table))) == flat(table)
    assert karma.setup(table) == {"position": text}
    assert karma.state(karma.new(karma.setup(table))) == karma.state(table)


def test_a_position_may_be_written_on_several_lines() -> None:
    one = "classic; 0 hand 7; 1 hand 9; turn 0; pile 5"
    assert flat(parse_position(one)) == flat(parse_position(one.replace("; ", "\n")))


def test_cards_that_lie_nowhere_have_been_removed() -> None:
    table = parse_position("classic; 0 hand 7 7; 1 hand 9; turn 0; pile 5; draw GIV")
    removed = karma.state(table)["removed"]
    assert len(removed) == 60 - 5
    assert [removed.count(each) for each in ("7", "9", "5", "GIV", "TAB")] == [1, 2, 2, 2, 3]


@pytest.mark.parametrize(
    "position",
    [
        "",
        "classic",
        "classic; 0 hand 7",
        "; ".join(["classic", *(f"{seat} hand 1" for seat in range(13)), "turn 0"]),
        "third; 0 hand 7; 1 hand 9; turn 0",
        "classic {; 0 hand 7; 1 hand 9; turn 0",
        'classic {"decks":3}; 0 hand 7; 1 hand 9; turn 0',
        "classic null; 0 hand 7; 1 hand 9; turn 0",
        '{"colour":1}; 0 hand 7; 1 hand 9; turn 0',
        '{"numbers":' + "[" * 5000 + "; 0 hand 7; 1 hand 9; turn 0",
        "classic; 0 hand 7 7 7 7; 1 hand 9; turn 0",
        "classic; 0 hand 7; 1 hand 9; turn 0; pile 7 7 7",
    ],
)
def test_what_is_no_position_is_refused(position: str) -> None:
    with pytest.raises(BadSetup):
        parse_position(position)


@pytest.mark.parametrize(
    "part",
    [
        "turn 2",
        "turn",
        "turn -1",
        "turn x",
        "at 9",
        "turns -1",
        "turns 99999999999999999999",
        "dealer 5",
        "direction 2",
        "direction",
        "lost 1",
        "lost 1 2 3",
        "lost -1 0",
        "lost 1000 0",
        "agreed 7",
        "chosen 0 1 2",
        "chosen 9 1 2 3",
        "chosen 0 EXC 1 2",
        "pile 17",
        "draw x",
        "pending explode",
        "pending lose_turns 9 one",
        "pending lose_turns 1",
        "pending lose_turns one 1",
        "pending lose_turns 1 someone",
        "pending",
        "giving",
        "giving nowhere 7",
        "giving face_down 4",
        "turn 0",
        "turn 0 1",
        "direction 1 1",
        "giving hand EXC",
        "ended badly",
        "ended one_left 4",
        "sunshine",
        "up 3",
    ],
)
def test_a_part_that_cannot_be_read_is_named(part: str) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(f"classic; 0 hand 7; 1 hand 9; turn 0; {part}")
    assert refused.value.text.key == "setup.bad_position"
    assert refused.value.text.parameters["given"] == part


@pytest.mark.parametrize(
    "seat",
    [
        "1 hand 7",
        "0 7 7",
        "0 hand x",
        "0 up 1 2 3 4",
        "0 down 1 2 3 4",
        "0 player 7 hand 7",
        "0 player x",
        "0 down 4:2",
    ],
)
def test_a_seat_that_cannot_be_read_is_named(seat: str) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(f"classic; {seat}; 1 hand 9; turn 1")
    assert refused.value.text.key == "setup.bad_position"
    assert refused.value.text.parameters["given"] == seat


def test_two_seats_cannot_have_the_same_player() -> None:
    with pytest.raises(BadSetup):
        parse_position("classic; 0 player 1 hand 7; 1 hand 9; turn 1")


def test_a_part_that_cannot_be_read_is_quoted_short() -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(f"classic; 0 hand 7; 1 hand 9; turn 0; {'x' * 100_000}")
    assert len(str(refused.value)) < 400


SIX = "0 hand 1 2 3 4 5 6; 1 hand 7 8 9 10 11 12"


@pytest.mark.parametrize(
    "position",
    [
        "classic; 0 hand 7; 1 hand 9",  # nobody's turn
        "classic; 0; 1 hand 9; turn 0",  # no card to play, no pile
        "second_edition; 0 up 7 8 9; 1 hand 9; turn 0; draw 5",  # must draw first
        'classic {"draw":"by hand"}; 0 hand 7; 1 hand 9; drawing; turn 0',  # nothing to draw
        'second_edition {"draw":"by hand"}; 0 up 7 . .; 1 hand 9; must draw; turn 0',
        "classic; 0 hand 7; 1 hand 9; turn 0; pending reverse",  # asks nothing
        "classic; 0 hand 7; 1 hand 9; turn 0; pending give_pile",  # no pile
        "classic; 0 hand 7; 1 hand 9; pending give_pile; drawing; turn 0; pile 5; draw 5",  # two things awaited
        "classic; 0 hand 7; 1 hand 9; turn 0; pile 5; pending give_pile; giving hand 7",  # no gift
        "classic; 0 hand 7; 1 hand 9; turn 0; giving hand 7",
        "second_edition; 0 hand 7; 1 hand 9; turn 0; pending give_cards 1; giving hand 8",  # not there
        "second_edition; 0 hand 7 up 8 . .; 1 hand 9; turn 0; pending give_cards 1; giving face_up 8",  # not yet
        "second_edition; 0 up 8 . .; 1 hand 9; turn 0; pending give_cards 1; giving face_up 9",
        "second_edition; 0 down 8 . .; 1 hand 9; turn 0; pending give_cards 1; giving face_down 2",
        f"classic; {SIX}; set-up; chosen 0 1 2 3; chosen 1 7 8 9",  # all have chosen
        f"classic; {SIX}; set-up; chosen 0 7 8 9",  # not their cards
        f"classic; {SIX}; set-up; chosen 0 1 1 1",
        "classic; 0 hand 1 2; 1 hand 7 8 9 10; set-up",  # too few
        "classic; 0 hand 1 2 3 4 5 6; 1 hand 7 8 9 up 10 11 12; set-up",  # lying already
    ],
)
def test_a_position_that_cannot_be_played_on_is_refused(position: str) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(position)
    assert refused.value.text.key == "setup.cannot_go_on"


@given(st.text(max_size=60))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for each in (text, f"classic; 0 hand 7; 1 hand 9; turn 0; {text}", f"classic; 0 {text}; 1 hand 9; turn 1"):
        try:
            table = parse_position(each)
        except BadSetup:
            continue
        assert all(decision.moves for decision in karma.decisions(table))


WAITS = "0 up 7 8 9; 1 hand 9; turn 0; draw 5 6"
HAND_DRAW = 'second_edition {"draw":"by hand"}'
MANY = ", ".join(["give_cards 1"] * (PENDING + 1))
KARMA_CARDS = " ".join(["OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"] * 3)

REASONS = [
    ("classic; 0 hand 7; 1 hand 9; turn", "too_short", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0 1", "too_much", None),
    ("classic {; 0 hand 7; 1 hand 9; turn 0", "not_json", None),
    ('{"clear":; 0 hand 7; 1 hand 9; turn 0', "not_json", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; direction 3", "unknown_word", None),
    ("classic; 0 7; 1 hand 9; turn 0", "unknown_word", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; pile 5; pending explode", "unknown_word", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; pile 5; pending give_pile 3", "too_much", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; sunshine", "unknown_section", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; turn 1", "section_twice", None),
    ("classic; 1 hand 7; 0 hand 9; turn 0", "seats_in_order", None),
    ("classic; 0 player 1 hand 7; 1 hand 9; turn 1", "player_twice", None),
    ("classic; 0 up 1 2 3 4; 1 hand 9; turn 1", "too_many_places", None),
    (f"classic; 0 hand 7; 1 hand 9; turn 0; pile {'5 ' * 600}", "too_many", None),
    (f"second_edition; 0 hand 7; 1 hand 9; turn 0; pile 5; pending {MANY}", "too_many", None),
    (
        "second_edition; 0 hand 7; 1 hand 9; turn 0; pile 5; pending "
        + ", ".join(["give_cards 1"] * (PENDING - 24))
        + f"; draw {KARMA_CARDS}",
        "too_many",
        None,
    ),
    ("classic; 0 hand 7; 1 hand 9", "no_turn", None),
    (f"classic; {SIX}; set-up; chosen 0 1 2 3; chosen 1 7 8 9", "all_have_chosen", None),
    (f"classic; {SIX}; set-up; chosen 0 7 8 9", "cannot_choose", "K3"),
    ("classic; 0 hand 7; 1 hand 9; pending give_pile; drawing; turn 0; pile 5; draw 5", "two_questions", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; pending reverse", "asks_nothing", None),
    ("classic; 0 hand 7; 1 hand 9; turn 0; giving hand 7", "cannot_give", "K51"),
    ("classic; 0 hand 1 2; 1 hand 7 8 9 10; set-up", "no_move", None),
    (f"second_edition; {WAITS}", "has_drawn", "K12a"),
    (f"second_edition; {WAITS}; pile 5", "has_drawn", "K12a"),
    (f"{HAND_DRAW}; {WAITS}; pile 5", "say_must_draw", "K12a"),
    (f"second_edition; {WAITS}; must draw", "drawing_is_automatic", "K12"),
    ("classic; 0 hand 7; 1 hand 9; turn 0; draw 5 6; drawing", "drawing_is_automatic", "K12"),
    (f"{HAND_DRAW}; 0 up 7 8 9; 1 hand 9; turn 0; must draw", "nothing_to_draw", "K12"),
    (f"{HAND_DRAW}; 0 hand 7; 1 hand 9; turn 0; must draw; draw 5", "need_not_draw", "K12a"),
    (f"{HAND_DRAW}; 0; 1 hand 9; turn 0; must draw; draw 5", "need_not_draw", "K12a"),
    ("classic; 0; 1 hand 9; turn 0; pile 5", "is_out", "K22"),
]
"""A position that is refused, the reason, and its clause."""


@pytest.mark.rule("K12a")
@pytest.mark.parametrize(("position", "reason", "clause"), REASONS)
def test_a_refused_position_has_its_reason(position: str, reason: str, clause: str | None) -> None:
    with pytest.raises(BadSetup) as refused:
        parse_position(position)
    (why,) = refused.value.text.parameters["failing"]
    assert (why["key"], refused.value.clause) == (f"position.{reason}", clause)
    assert str(refused.value)[-1] == "."


@pytest.mark.rule("K12a")
@pytest.mark.parametrize("pile", ["", "; pile 5 7"])
def test_by_hand_a_position_says_that_a_player_must_draw(pile: str) -> None:
    table = parse_position(f"{HAND_DRAW}; {WAITS}; must draw{pile}")
    assert [each.moves for each in karma.decisions(table)] == [("draw",)]
    drawn = karma.play(table, 0, "draw").table
    assert drawn.hand_size[0] == 2


def test_a_number_that_is_too_long_is_refused_like_any_other_word() -> None:
    with pytest.raises(BadSetup, match="turn must be a whole number from 0 to 1, not") as refused:
        parse_position(f"classic; 0 hand 7; 1 hand 9; turn {'1' * 5000}")
    assert len(str(refused.value)) < 400
