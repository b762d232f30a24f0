"""Turn: `make_move` calls the rule of each move, for all variants."""

from threefold.clauses import helper
from threefold.setgame.moves import (
    AGREE_NO_SET,
    ASK_FOR_CARD,
    CALL,
    COME_BACK,
    GIVE_UP,
    GO_AWAY,
    LEAVE,
    TAKE,
    TIME_UP,
    what_of,
)
from threefold.setgame.rules import (
    agree_no_set,
    ask_for_card,
    call,
    change_centre,
    come_back,
    give_up,
    go_away,
    lay_more_cards,
    leave,
    take,
    time_up,
)
from threefold.setgame.table import Table, Tape, Variant


@helper
def make_move(v: Variant, t: Table, tape: Tape, player: int, move: int, at: int) -> None:
    """Makes an accepted move and records its events on the tape."""
    tape.size = 0
    t.now = at
    what = what_of(move)
    if what == TAKE:
        take(v, t, tape, player, move, at)
    elif what == CALL:
        call(v, t, tape, player, at)
    elif what == AGREE_NO_SET:
        agree_no_set(v, t, tape, player, at)
    elif what == TIME_UP:
        time_up(v, t, tape, at)
    elif what == GIVE_UP:
        give_up(v, t, tape, player, at)
    elif what == ASK_FOR_CARD:
        ask_for_card(t, tape, player)
    elif what == GO_AWAY:
        go_away(v, t, tape, player, at)
    elif what == COME_BACK:
        come_back(v, t, tape, player, at)
    elif what == LEAVE:
        leave(v, t, tape, player, at)
    else:
        lay_more_cards(v, t, tape, player, at)
    change_centre(v, t, tape)
