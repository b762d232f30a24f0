"""Whatever position the reader accepts, play goes on from it at both speeds and no card is lost or made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.karma.conservation import is_conserved
from tests.karma.laws.walks import Picker, awaited, often, tables
from tests.karma.rules.steps import check_compiled, check_tape, compiled_moves
from threefold import karma
from threefold.game import BadSetup
from threefold.karma import Table
from threefold.karma.decisions import legal_moves
from threefold.karma.notation import format_move
from threefold.karma.positions import format_position, parse_position
from threefold.karma.powers import VOCABULARY
from threefold.karma.table import OVER, TURN

STEPS = 12


@st.composite
def positions(draw: st.DrawFn) -> str:
    """A table of a game with some sections changed, left out or added: some can be played on, some cannot."""
    table = draw(tables())
    first, *sections = format_position(table).split("; ")
    for _ in range(draw(st.integers(1, 3))):
        change = draw(st.sampled_from(("leave out", "empty", "add", "add")))
        i = draw(st.integers(0, len(sections) - 1))
        if change == "leave out" and not sections[i][0].isdigit():
            del sections[i]
        elif change == "empty":
            words = sections[i].split()
            where = [j for j, word in enumerate(words) if word in ("hand", "up", "down")]
            cut = draw(st.sampled_from([*where, len(words)])) if where else len(words)
            sections[i] = " ".join(words[:cut])
        else:
            section = draw(more_sections(table))
            sections = [each for each in sections if each.split()[0] != section.split()[0]] + [section]
    return "; ".join([first, *sections])


def more_sections(table: Table) -> st.SearchStrategy[str]:
    """A section about the turn, with players of this table."""
    player = st.integers(0, table.players - 1).map(str)
    players = st.lists(player, max_size=3).map(" ".join)
    power = st.sampled_from(VOCABULARY).flatmap(
        lambda each: st.tuples(
            *(
                st.sampled_from(one.words) if one.words else st.integers(one.least, one.most).map(str)
                for one in each.parameters
            )
        ).map(lambda values: " ".join([each.name, *values]))
    )
    return st.one_of(
        st.sampled_from(("set-up", "drawing", "must draw", "again", "direction -1", "turn 0", "pile", "draw")),
        player.map("turn {}".format),
        player.map("at {}".format),
        players.map("out {}".format),
        players.map("agreed {}".format),
        st.lists(power, min_size=1, max_size=4).map(", ".join).map("pending {}".format),
        st.sampled_from(("giving hand 7", "giving face_up 7", "giving face_down 1", "giving face_down 3")),
    )


@pytest.mark.rule("K12a")
@often
@given(positions(), st.integers(0, 9_999))
def test_an_accepted_position_conserves_its_cards_whatever_is_played(position: str, seed: int) -> None:
    try:
        table = parse_position(position)
    except BadSetup:
        return
    pick = Picker(f"v1:{seed}")
    assert is_conserved(table.deal.edition, table)
    for _ in range(STEPS):
        if table.awaits == OVER:
            break
        if table.awaits == TURN:
            assert (
                table.hand_size[table.seat_of[table.turn_player]]
                or not table.deal.edition.table_cards_wait
                or (table.draw_size == 0)
            ), "K12a: a turn that begins with an empty hand begins with a draw"
        player = pick.one_of(awaited(table))
        moves = legal_moves(table, player)
        assert moves == compiled_moves(table, player)
        move = format_move(table.deal.edition, pick.one_of(moves))
        after = karma.play(table, player, move).table
        check_compiled(table, player, move, after, check_tape(table, player, move, after))
        assert is_conserved(after.deal.edition, after)
        table = after
