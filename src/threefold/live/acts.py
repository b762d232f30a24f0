"""Acts: what people ask of a table. Each is checked here, and becomes an entry of the log or a refusal.

An act is a function of the table's state, the guest who asks and the time. It changes nothing.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from threefold.fields import a_whole_number, an_object, one_of
from threefold.game import BadSetup, Game, Json, Step
from threefold.games import KITS
from threefold.kit import Kits
from threefold.live import entries as e
from threefold.live.absence import no_person_left
from threefold.live.current_game import CurrentGame
from threefold.live.refusals import NotAllowed, refuse
from threefold.live.state import TableState
from threefold.shuffle import new_seed
from threefold.texts import Text

MOST_GUESTS = 200
"""Limit of guests who are present or have a seat."""
MOST_PROGRAMS = 10
"""The same, of the programs of one person."""
MOST_PAUSES = 5
LONGEST_GRACE = 3600
LONGEST_MOVE = 1000
"""Characters; the longest moves play about two hundred cards."""
BOT_TURN_LIMIT = 1000
BOT_MOVE_LIMIT = 4000
"""A game of bots alone is abandoned here, if it has not ended before."""


Made = e.Entry | tuple[e.Moved | e.Settled, Step[Any]] | None
"""What an act becomes: an entry, for moves with their result; None: nothing to do."""
Act = Callable[[TableState, int, int], Made]
"""State, guest, time -> the entry to write; raises a refusal."""


class Unsettled(Exception):
    """Calls are open whose order is not settled yet: try again when it is."""


# ---------------------------------------------------------------- The table


def check_plan(game: str, setup: Mapping[str, Json], settings: e.Settings, kits: Kits = KITS) -> None:
    """Could this be played, with all seats taken? Raises a refusal that names the field."""
    kit = kits[one_of(game, "game", kits)]
    an_object(setup, "game set-up", (kit.way, "options"))
    a_whole_number(settings.seats, "seats", 1, 99)
    a_whole_number(settings.grace_s, "grace_s", 0, LONGEST_GRACE)
    if settings.turn_clock_s not in e.TURN_CLOCKS:
        allowed = ", ".join(str(each) for each in e.TURN_CLOCKS)
        raise refuse("not_one_of", field="turn_clock_s", name="turn_clock_s", allowed=allowed)
    try:
        kit.game.new({**setup, "players": settings.seats, "seed": "v2:check"})
    except BadSetup as refused:
        text = refused.text
        if text.parameters.get("field") == "players":
            text = Text(text.key, {**text.parameters, "field": "seats"})
        raise NotAllowed(text, str(text.parameters.get("field", "options"))) from None


def opened(
    at: int, code: str, game: str, setup: Mapping[str, Json], settings: e.Settings, person: str, name: str
) -> e.Opened:
    """A new table, whose plan was checked; its creator is host and first guest."""
    return e.Opened(
        at=at,
        by=0,
        code=code,
        game=game,
        setup=dict(setup),
        settings=settings,
        person=person,
        name=name,
        seed=new_seed(),
    )


def join(
    s: TableState,
    at: int,
    person: str,
    name: str,
    here: Collection[int] = (),
    *,
    program: bool = False,
    made_by: str = "",
) -> e.Entry | None:
    """A person becomes a guest, or None if they are one already; there must be a place. `here` are the guests present.

    `made_by` is the person whose program this is: somebody who was removed cannot come back by a program.
    """
    guest, maker = s.guest_of(person), s.guest_of(made_by) if made_by else None
    for known in (guest, maker):
        if known is not None:
            may_stay(s, known)
    taken = {*here, *s.seated()} - {guest}
    if len(taken) >= MOST_GUESTS and guest not in s.seated():
        raise refuse("table_is_full", most=MOST_GUESTS)
    if len(taken.intersection(s.programs_of(made_by))) >= MOST_PROGRAMS:
        raise refuse("too_many_programs", most=MOST_PROGRAMS)
    if guest is not None:
        return None
    return e.Joined(at=at, by=len(s.guests), person=person, name=s.names.unique(name), program=program, made_by=made_by)


def may_stay(s: TableState, guest: int) -> None:
    """Refuses a guest who was removed."""
    if s.guests[guest].removed:
        raise refuse("removed")


def rename(s: TableState, by: int, at: int, name: str) -> e.Entry | None:
    """A guest changes their name, which must differ from the others'."""
    name = s.names.unique(name, own=s.guests[by].name)
    return None if name == s.guests[by].name else e.Renamed(at=at, by=by, name=name)


# ---------------------------------------------------------------- Seats


def sit(s: TableState, by: int, at: int, seat: int | None) -> e.Entry:
    """A guest takes a free seat (None: the first one); during a game, for the next game."""
    may_stay(s, by)
    if s.running is not None and s.running.player_of(by) is not None:
        raise refuse("plays_already")
    if seat is None:
        seat = next((i for i, each in enumerate(s.seats) if each.free), None)
        if seat is None:
            raise refuse("no_free_seat", field="seat")
    _free_seat(s, seat)
    return e.Sat(at=at, by=by, seat=seat)


def _a_seat(s: TableState, seat: int) -> None:
    if not 0 <= seat < len(s.seats):
        raise refuse("no_such_seat", field="seat", given=seat, most=len(s.seats) - 1)


def _free_seat(s: TableState, seat: int) -> None:
    _a_seat(s, seat)
    if not s.seats[seat].free:
        raise refuse("seat_is_taken", field="seat")


def stand(s: TableState, by: int, at: int) -> e.Entry:
    """A guest stands up. A player must leave or concede instead."""
    if s.seat_of(by) is None:
        raise refuse("not_seated")
    if s.running is not None and s.running.player_of(by) is not None:
        raise refuse("plays_now")
    return e.Stood(at=at, by=by)


def leave(s: TableState, by: int, at: int, *, stays: bool) -> e.Entry | None:
    """A guest gives up their seat, at any time; None if they have none."""
    player = None if s.running is None else s.running.player_of(by)
    if stays and player is None:
        raise refuse("does_not_play")
    finished = s.running is not None and player in players_out(s, s.running)
    if stays and finished:
        raise refuse("has_finished")
    if player is None and s.seat_of(by) is None:
        return None
    return e.Left(at=at, by=by, stays=stays, finished=finished)


# ---------------------------------------------------------------- The host


def only_host(s: TableState, by: int) -> None:
    """Refuses everybody but the host."""
    if by != s.host:
        raise refuse("only_host", name=s.guests[s.host].name)


def bot_sits(s: TableState, by: int, at: int, seat: int | None, bot: str) -> e.Entry:
    """The host gives a bot, a character or a level, a seat (None: the first free one)."""
    only_host(s, by)
    one_of_bots(s.game, bot, s.engines.kits)
    if seat is None:
        seat = next((i for i, each in enumerate(s.seats) if each.free), None)
        if seat is None:
            raise refuse("no_free_seat", field="seat")
    _free_seat(s, seat)
    taken = [*(guest.name for guest in s.guests), *(each.name for each in s.seats)]
    return e.BotSat(at=at, by=by, seat=seat, bot=s.kit.level_of(bot), name=s.kit.name_for(bot, taken))


def one_of_bots(game: str, bot: str, kits: Kits = KITS) -> None:
    """Refuses a bot that does not exist."""
    kit = kits[game]
    if kit.level_of(bot) not in kit.bots:
        allowed = (*(each.name for each in kit.characters), *kit.bots)
        raise refuse("no_such_bot", field="bot", given=bot[:40], allowed=", ".join(allowed))


def bot_stands(s: TableState, by: int, at: int, seat: int) -> e.Entry:
    """The host frees a bot's seat."""
    only_host(s, by)
    _a_seat(s, seat)
    if s.seats[seat].bot is None:
        raise refuse("no_bot_there", field="seat")
    return e.BotStood(at=at, by=by, seat=seat)


def change(
    s: TableState, by: int, at: int, setup: Mapping[str, Json] | None, settings: e.Settings | None
) -> e.Entry | None:
    """The host changes options, before or between games; None if they stay as they are."""
    only_host(s, by)
    if s.running is not None:
        raise refuse("game_runs")
    setup = s.setup if setup is None else setup
    settings = settings or s.settings
    check_plan(s.game, setup, settings, s.engines.kits)
    if (setup, settings) == (s.setup, s.settings):
        return None
    return e.Changed(at=at, by=by, setup=dict(setup), settings=settings)


def pass_host(s: TableState, by: int | None, at: int, to: int) -> e.Entry:
    """The host passes the role on; `by` None: the table does, because the host is gone."""
    if by is not None:
        only_host(s, by)
    _a_guest(s, to)
    if s.guests[to].removed or to == s.host:
        raise refuse("cannot_be_host", field="guest", name=s.guests[to].name)
    return e.HostPassed(at=at, by=by, to=to)


def _a_guest(s: TableState, guest: int) -> None:
    if not 0 <= guest < len(s.guests):
        raise refuse("no_such_guest", field="guest", given=guest)


def remove(s: TableState, by: int, at: int, guest: int) -> e.Entry:
    """The host removes somebody for good."""
    only_host(s, by)
    _a_guest(s, guest)
    if guest == by:
        raise refuse("not_oneself", field="guest")
    if s.guests[guest].removed:
        raise refuse("removed_already", field="guest", name=s.guests[guest].name)
    return e.Removed(at=at, by=by, guest=guest)


def mute(s: TableState, by: int, at: int, guest: int, *, muted: bool) -> e.Entry | None:
    """The host mutes or unmutes a guest; None if that changes nothing."""
    only_host(s, by)
    _a_guest(s, guest)
    if guest == by:
        raise refuse("not_oneself", field="guest")
    return None if s.guests[guest].muted == muted else e.Muted(at=at, by=by, guest=guest, muted=muted)


def stand_in(s: TableState, by: int, at: int, guest: int, absent_since: int | None) -> e.Entry | None:
    """The host lets a bot play at once for an absent player; None if one already does."""
    only_host(s, by)
    _a_guest(s, guest)
    current, name = a_game_runs(s), s.guests[guest].name
    player = current.player_of(guest)
    if player is None:
        raise refuse("guest_does_not_play", field="guest", name=name)
    if current.game.timed:
        raise refuse("no_stand_in")
    if absent_since is None:
        raise refuse("guest_is_here", field="guest", name=name)
    return None if current.stand_ins.get(player, -1) >= absent_since else e.StoodIn(at=at, by=by, guest=guest)


# ---------------------------------------------------------------- The game


def start(s: TableState, by: int | None, at: int) -> e.Entry:
    """The host starts a game with everybody seated; `by` None: all are ready for it. The deal passes to the left."""
    if by is not None:
        only_host(s, by)
    if s.running is not None:
        raise refuse("game_runs")
    seats = [i for i, seat in enumerate(s.seats) if not seat.free]
    setup = {**s.setup, "players": len(seats), "seed": s.next_seed}
    if s.last_dealer_seat is not None and seats:
        following = [seat for seat in seats if seat > s.last_dealer_seat] or seats
        setup["dealer"] = seats.index(following[0])
    game = s.kit.game
    if not any(s.seats[seat].guest is not None for seat in seats):
        setup = limited(game, setup)
    try:
        table = game.new(setup)
    except BadSetup as refused:
        text = refused.text
        if text.parameters.get("field") == "players":
            text = Text("live.refusal.wrong_number_of_players", dict(text.parameters))
        raise NotAllowed(text, "seats") from None
    fixed = game.setup(table)
    return e.Started(at=at, by=by, rules=game.rules_version, setup=fixed, seats=seats, next_seed=new_seed())


def limited(game: Game[Any], setup: dict[str, Json]) -> dict[str, Json]:
    """Adds a turn limit for a game of bots alone, if the game knows one (K24)."""
    options = {"turn_limit": BOT_TURN_LIMIT, **setup.get("options", {})}
    try:
        game.new({**setup, "options": options})
    except BadSetup:
        return setup
    return {**setup, "options": options}


def a_game_runs(s: TableState) -> CurrentGame:
    """The running game; a refusal if there is none."""
    current = s.current
    if current is None or current.ended is not None:
        raise refuse("no_game_runs")
    return current


def players_out(s: TableState, current: CurrentGame) -> Collection[int]:
    """The players who have finished although the game goes on."""
    return s.kit.out(current.game.view(current.table, None))


def may_move(s: TableState, by: int, move: str, number: int | None = None) -> tuple[int, str]:
    """The player for whom a guest moves, and the move in its usual spacing; a refusal if the guest may not move.

    `number` is the game that the move is meant for.
    """
    current = a_game_runs(s)
    if number is not None and number != current.number:
        raise refuse("another_game", field="game", given=number)
    player = current.player_of(by)
    if player is None:
        raise refuse("does_not_play")
    if current.paused_at is not None:
        raise refuse("paused")
    if len(move) > LONGEST_MOVE:
        raise refuse("text_too_long", field="move", most=LONGEST_MOVE)
    return player, " ".join(move.split())


def move(s: TableState, by: int, at: int, move: str) -> Made:
    """A player makes a move."""
    player, move = may_move(s, by, move)
    return moved(s, player, at, move, by=by)


def moved(
    s: TableState,
    player: int | None,
    at: int,
    move: str,
    *,
    by: int | None = None,
    hand: e.Hand = "person",
    thought: Json = None,
) -> tuple[e.Moved, Step[Any]]:
    """A move for a player, made by a person, a bot or the clock; raises IllegalMove or Unsettled."""
    current = a_game_runs(s)
    game = current.game
    time = current.move_time(at) if game.timed else None
    if current.bids and any(each.player == player for each in current.bids):
        raise Unsettled  # a player's next move waits for the outcome of their call
    step = game.play(current.table, player, move, time)
    if current.bids:
        raise Unsettled
    ending = game.ending(step.table)
    entry = e.Moved(
        at=at,
        by=by,
        player=player,
        move=move,
        time=time,
        hand=hand,
        thought=thought,
        ending=None if ending is None else ending.as_json(),
    )
    return entry, step


def skip(s: TableState, by: int, at: int) -> e.Entry | None:
    """Somebody who was in the game lets the bots, who play alone now, play the rest at once; None if they do."""
    current = a_game_runs(s)
    if by not in current.who:
        raise refuse("was_not_in_game")
    if current.paused_at is not None:
        raise refuse("paused")
    if not no_person_left(current, players_out(s, current)):
        raise refuse("people_play")
    return None if current.skips_to_end else e.Skipped(at=at, by=by)


def pause(s: TableState, by: int, at: int) -> e.Entry:
    """A player pauses the game, a limited number of times."""
    current = a_game_runs(s)
    if current.player_of(by) is None:
        raise refuse("does_not_play")
    if current.paused_at is not None:
        raise refuse("paused_already")
    if current.pauses[by] >= MOST_PAUSES:
        raise refuse("enough_pauses", most=MOST_PAUSES)
    if current.bids:
        raise Unsettled
    return e.Paused(at=at, by=by)


def resume(s: TableState, by: int, at: int) -> e.Entry:
    """A player or the host ends the pause."""
    current = a_game_runs(s)
    if current.player_of(by) is None and by != s.host:
        raise refuse("does_not_play")
    if current.paused_at is None:
        raise refuse("not_paused")
    return e.Resumed(at=at, by=by)
