"""Calls in SET are bids: who was first is settled by when calls set out, in the log, for every process the same."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.live.room import BotsHere, Room, in_a_room, room, settled, until
from threefold.game import Refusal
from threefold.live import acts, race
from threefold.live import entries as e
from threefold.live.audience import Subscriber
from threefold.live.lobby import Lobby
from threefold.live.record import verify
from threefold.live.session import Session
from threefold.live.state import fold
from threefold.setgame.cards import format_cards
from threefold.setgame.notation import card_of
from threefold.setgame.search import all_sets
from threefold.storage import open_store

Json = Any
SET: dict[str, Json] = {"game": "set", "setup": {"variant": "full", "options": {"cooldown_ms": 0}}}
TAKES: dict[str, Json] = {
    "game": "set",
    "setup": {"variant": "full", "options": {"cooldown_ms": 0, "call": "with take"}},
}
NUMBERS = count(1)


def lag(subscriber: Subscriber, round_trip: float) -> None:
    """Lets the server measure this way to a page and back."""
    subscriber.lag = race.Lag()
    for i in range(race.TRIPS):
        subscriber.lag.answered(subscriber.lag.probe(i * 1000.0), i * 1000.0 + round_trip)


async def call(session: Session, subscriber: Subscriber, move: str = "call") -> int:
    n = next(NUMBERS)
    await make_move(session, subscriber, move, n)
    return n


async def make_move(session: Session, subscriber: Subscriber, move: str, n: int) -> None:
    act = session.move(subscriber, move, None)
    await session.submit(subscriber.guest, act, subscriber=subscriber, n=n)


def events(session: Session) -> list[Json]:
    """What was told since the game began."""
    current = session.state.current
    assert current is not None
    return [each.seen_by(None) for _, shown in current.events.after(-1, current.table) for each in shown]


def settlements(session: Session) -> list[Json]:
    return [each for each in events(session) if each["event"] == "call_settled"]


def control(session: Session) -> int | None:
    return view(session)["control"]  # type: ignore[no-any-return]


def view(session: Session) -> Json:
    assert session.state.current is not None
    return session.state.current.game.view(session.state.current.table, None)


def lost(subscriber: Subscriber) -> list[tuple[int, str]]:
    return [(each.n, each.why.text.key) for each in subscriber.notes if isinstance(each, race.LostCall)]


def test_who_pressed_first_wins_though_the_call_arrived_later(tmp_path: Path) -> None:
    """180 ms away and 60 ms earlier: first with compensation."""

    async def test(room: Room) -> None:
        session, (near, far) = await room.playing("Near", "Far", **SET)
        lag(near, 20)
        lag(far, 180)
        await room.clock.forward(1000)
        await call(session, near)  # pressed 10 ms ago
        assert control(session) is None
        await room.clock.forward(20)
        n = await call(session, far)  # pressed 90 ms ago: 60 before the other
        await until(lambda: control(session) == 1)
        assert settlements(session) == [{"event": "call_settled", "player": 1, "margin_ms": 60, "others": [0]}]
        names = [each["event"] for each in events(session)]
        assert names.index("call_settled") < names.index("called")
        assert lost(far) == []
        assert [key for _, key in lost(near)] == ["live.refusal.quicker"]
        assert lost(near)[0][0] == n - 1
        assert view(session)["points_lost"] == [0, 0]

    in_a_room(tmp_path, test)


def test_without_the_window_the_call_that_arrives_first_wins(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (near, far) = await room.playing("Near", "Far", **SET)
        lag(near, 20)
        lag(far, 180)
        await call(session, near)
        assert control(session) == 0
        await room.clock.forward(20)
        with pytest.raises(Refusal) as refused:
            await call(session, far)
        assert refused.value.text.key == "set.refusal.somebody_has_control"
        assert settlements(session) == []

    in_a_room(tmp_path, test, fair_window_ms=0)


def test_nobody_waits_longer_than_somebody_could_be_ahead(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (near, far) = await room.playing("Near", "Far", **SET)
        lag(near, 20)
        lag(far, 180)
        await call(session, near)
        assert session.settles_at() == room.clock.now() - 10 + 90
        await room.clock.forward(79)
        assert control(session) is None
        await room.clock.forward(1)
        await until(lambda: control(session) == 0)
        assert settlements(session)[-1] == {"event": "call_settled", "player": 0, "margin_ms": None, "others": []}
        await make_move(session, near, "give up", next(NUMBERS))
        await call(session, far)
        assert session.settles_at() is None or session.settles_at() == room.clock.now() - 90 + 10
        await until(lambda: control(session) == 1)  # without the clock moving at all

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("known", [False, True])
def test_whose_lag_is_not_known_is_waited_for_the_whole_window_and_who_never_answers_not(
    tmp_path: Path,
    known: bool,  # noqa: FBT001 (a parameter of the test)
) -> None:
    async def test(room: Room) -> None:
        session, (ann, bob) = await room.playing("Ann", "Bob", **SET)
        assert bob.lag is not None
        if known:
            for _ in range(race.GIVEN_UP_AFTER):
                bob.lag.probe(0.0)
        await call(session, ann)
        if known:
            await until(lambda: control(session) == 0)
            return
        await room.clock.forward(race.WINDOW_MS - 1)
        assert control(session) is None
        await room.clock.forward(1)
        await until(lambda: control(session) == 0)

    in_a_room(tmp_path, test)


def test_who_is_alone_or_alone_may_call_does_not_wait(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (ann,) = await room.playing("Ann", game="set", setup={"variant": "solitaire"})
        found = all_sets_of(view(session)["layout"])
        if found:
            await call(session, ann, found[0])
            assert view(session)["scores"] == [1]
        setup = {"variant": "full", "options": {"cooldown_ms": 60_000}}
        session, (ann, bob) = await room.playing("Ann", "Bob", game="set", setup=setup)
        await call(session, ann)
        await room.clock.forward(race.WINDOW_MS)
        await until(lambda: control(session) == 0)
        await make_move(session, ann, "give up", next(NUMBERS))
        await call(session, bob)
        assert control(session) == 1, "the other must wait a minute before they may call"

    in_a_room(tmp_path, test)


def all_sets_of(layout: list[str | None]) -> list[str]:
    """The takes of all SETs that lie here."""
    cards = [card_of(each) for each in layout if each is not None]
    return ["take " + " ".join(format_cards(list(each))) for each in all_sets(cards)]


def test_what_no_waiting_would_change_is_refused_at_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (ann, bob) = await room.playing("Ann", "Bob", **SET)
        setup = [
            (ann, "take 1RSD 1RSO 1RSS", "set.refusal.not_called"),
            (ann, "take 1RSD", "set.refusal.not_three_cards"),
        ]
        for subscriber, move, key in setup:
            with pytest.raises(Refusal) as refused:
                await call(session, subscriber, move)
            assert refused.value.text.key == key
        await call(session, ann)
        with pytest.raises(Refusal) as refused:
            await call(session, ann)
        assert refused.value.text.key == "live.refusal.called_already"
        with pytest.raises(Refusal) as refused:
            await call(session, bob, "give up")
        assert refused.value.text.key == "set.refusal.not_called"
        await room.clock.forward(race.WINDOW_MS)
        await until(lambda: control(session) == 0)
        with pytest.raises(Refusal) as refused:
            await call(session, bob)
        assert refused.value.text.key == "set.refusal.somebody_has_control"
        await make_move(session, ann, "give up", next(NUMBERS))
        await session.submit(0, acts.pause)
        with pytest.raises(Refusal) as refused:
            await call(session, bob)
        assert refused.value.text.key == "live.refusal.paused"

    in_a_room(tmp_path, test)


def test_other_moves_pauses_and_leaving_wait_for_the_outcome(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (ann, bob, cem) = await room.playing("Ann", "Bob", "Cem", **SET)
        await call(session, ann)
        agreeing = asyncio.create_task(call(session, bob, "agree"))
        pausing = asyncio.create_task(session.submit(1, acts.pause))
        taking = asyncio.create_task(call(session, ann, "give up"))
        leaving = asyncio.create_task(session.leave(cem.guest, stays=False, subscriber=cem, n=9))
        await settled()
        tasks = (agreeing, pausing, taking, leaving)
        assert not any(each.done() for each in tasks)
        await room.clock.forward(race.WINDOW_MS)
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(done[0], Refusal | int)
        assert view(session)["left"] == [2]
        assert settlements(session)[0]["player"] == 0
        assert session.report()["playing"]["paused"]["by"] == 1

    in_a_room(tmp_path, test)


def test_two_who_take_different_cards_both_get_them_and_the_same_cards_only_one(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        for _ in range(30):
            session, subscribers = await room.playing("Ann", "Bob", "Cem", **TAKES)
            takes = all_sets_of(view(session)["layout"])
            pairs = [(a, b) for a in takes for b in takes if not set(a.split()[1:]) & set(b.split()[1:])]
            if pairs:
                break
        first, second = pairs[0]
        ann, bob, cem = subscribers
        for subscriber, trip in zip(subscribers, (20, 60, 20), strict=True):
            lag(subscriber, trip)
        await call(session, ann, first)
        n = await call(session, cem, first)
        await room.clock.forward(15)
        await call(session, bob, second)
        await until(lambda: view(session)["scores"] == [1, 1, 0])
        assert view(session)["points_lost"] == [0, 0, 0]
        assert lost(cem) == [(n, "live.refusal.quicker")]
        assert lost(ann) == lost(bob) == []
        assert settlements(session) == [{"event": "call_settled", "player": 1, "margin_ms": 5, "others": [0, 2]}]
        subscriber = await session.attach(session.state.guests[2].person, "Cem", "later", 0)
        update = session.audience.update_for(subscriber, session.clock.now())
        assert update is not None
        assert update.events is not None
        shown = [each["event"] for _, events in update.events for each in json.loads(events)]
        assert shown.count("call_settled") == 1
        assert shown.count("set_taken") == 2

    in_a_room(tmp_path, test)


def test_a_bid_sent_again_is_one_bid_and_one_in_the_log_at_the_start_is_settled_at_once(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, (_, bob) = await room.playing("Ann", "Bob", **SET)
        lag(bob, 100)
        n = await call(session, bob)
        before = session.state.seq
        again = await session.attach(session.state.guests[1].person, "Bob", bob.client, None)
        assert again.ack == n
        await make_move(session, again, "call", n)
        assert session.state.seq == before
        code = session.state.code
        await room.lobby.close()
        room.clock.time += 3_600_000
        restarted = Lobby(room.lobby.store, room.clock, BotsHere())
        found = await restarted.session(code)
        await until(lambda: control(found) == 1)
        assert view(found)["call_deadline"] == view(found)["now"] + 6000, "the time to take begins now"
        await restarted.close()

    in_a_room(tmp_path, test)


@pytest.mark.parametrize("delay", [0.0, 50.0, 400.0, 10_000.0])
def test_a_liar_who_holds_answers_back_gains_no_more_than_the_window(delay: float) -> None:
    measured = race.Lag()
    for i in range(50):
        mark = measured.probe(i * 2000.0)
        measured.answered("guessed", i * 2000.0)
        measured.answered(mark, i * 2000.0 + 20 + delay)
        measured.answered(mark, i * 2000.0)
        assert measured.gain(100) == min(round((20 + delay) / 2), 100)
        assert measured.gain(0) == 0


def test_no_way_is_longer_than_the_network_knows() -> None:
    measured = race.Lag(longest=lambda: 24.0)
    for i in range(9):
        measured.answered(measured.probe(i * 2000.0), i * 2000.0 + 1020)
    assert measured.gain(100) == 12
    honest = race.Lag(longest=lambda: 24.0)
    honest.answered(honest.probe(0.0), 20.0)
    assert honest.gain(100) == 10


def test_one_slow_answer_and_one_lucky_one_do_not_count() -> None:
    measured = race.Lag()
    for i, trip in enumerate([40, 42, 900, 41, 43, 5, 44, 40, 700]):
        measured.answered(measured.probe(i * 2000.0), i * 2000.0 + trip)
    assert measured.gain(100) == 20


def test_answers_that_never_come_are_forgotten() -> None:
    measured = race.Lag()
    marks = [measured.probe(float(i)) for i in range(1000)]
    assert len(measured._open) == race.OPEN_PROBES
    measured.answered(marks[0], 5000.0)
    assert measured.gain(100) == 0


def test_bots_bid_where_people_race_and_play_at_once_among_themselves(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        setup = {**TAKES["setup"], "options": {**TAKES["setup"]["options"], "auto_deal": True}}  # a SET is there
        session, (ann,) = await room.playing("Ann", bots=("perfect",), game="set", setup=setup)
        lag(ann, 60)
        await until(lambda: session.state.current is not None and session.state.current.bids)
        await room.clock.forward(30)
        await until(lambda: settlements(session))
        assert settlements(session)[0] == {"event": "call_settled", "player": 1, "margin_ms": None, "others": []}
        person = await room.lobby.new_person("Zoe")
        alone = await room.lobby.make(
            person, "set", TAKES["setup"], e.Settings(seats=2, pace="fast"), bots=("perfect", "perfect"), start=True
        )
        await until(lambda: alone.state.games and alone.state.running is None)
        bodies = [json.loads(body)["is"] for _, body in await room.lobby.store.entries(alone.id)]
        assert "moved" in bodies
        assert "bid" not in bodies

    in_a_room(tmp_path, test)


def test_a_whole_game_with_bids_is_recorded_verified_and_read_back(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        setup = {"variant": "small_deck", "options": {"cooldown_ms": 0, "call": "with take", "auto_deal": True}}
        session, subscribers = await room.playing("Ann", "Bob", game="set", setup=setup)
        for subscriber in subscribers:
            lag(subscriber, 0)
        while (playing := session.state.running) is not None:
            take = all_sets_of(view(session)["layout"])[0]
            before = playing.moves
            both = await asyncio.gather(
                *(call(session, subscriber, take) for subscriber in subscribers), return_exceptions=True
            )
            keys = [each.text.key for each in both if isinstance(each, Refusal)]
            assert keys in ([], ["set.refusal.taken"], ["live.refusal.no_game_runs"])
            await until(lambda: playing.moves > before and not playing.bids)  # noqa: B023 (it ends within this round)
        await until(lambda: session.report()["playing"]["id"])
        record = await room.lobby.record(session.report()["playing"]["id"])
        assert verify(json.loads(json.dumps(record))).problems == ()
        assert session.state.current is not None
        assert len(record["hands"]) == len(record["saved"]["moves"]) == session.state.current.moves
        ann = await room.lobby.store.person(session.state.guests[0].person)
        assert ann is not None
        await room.lobby.store.visit(ann.id, session.id)
        data = await room.lobby.data_of(ann)
        assert any(each["is"] == "bid" for each in data["tables"][0]["entries"])
        await room.lobby.forget(ann)
        again = fold(await room.lobby.store.entries(session.id))
        assert again.finished[0].ending == record["ending"]
        assert again.guests[0].name == "–"

    in_a_room(tmp_path, test)


# ---------------------------------------------------------------- Two processes


@asynccontextmanager
async def two_processes(path: Path) -> AsyncIterator[tuple[Room, Lobby]]:
    """A room, and a second lobby on the same log that knows nothing else of the first."""
    async with room(path) as first:
        store = await open_store(str(path / "room.sqlite"))
        second = Lobby(store, first.clock, BotsHere())
        try:
            yield first, second
        finally:
            await second.close()
            await store.close()


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25, deadline=None
)
@given(
    presses=st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 150), st.sampled_from(["call", "agree", "take"])),
        min_size=1,
        max_size=8,
    ),
    trips=st.lists(st.integers(0, 300), min_size=4, max_size=4),
    takes=st.booleans(),
)
def test_law_one_is_first_all_are_answered_and_being_late_costs_nothing(
    tmp_path_factory: pytest.TempPathFactory, presses: list[tuple[int, int, str]], trips: list[int], *, takes: bool
) -> None:
    """Four players on two processes press whenever they like; both processes and the log tell the same story."""

    async def test() -> None:
        async with two_processes(tmp_path_factory.mktemp("race")) as (first, second):
            options = TAKES if takes else SET
            here, subscribers = await first.playing("Ann", "Bob", "Cem", "Dea", **options)
            there = await second.session(here.state.code)
            people = [each.person for each in here.state.guests]
            for guest in (2, 3):
                here.detach(subscribers[guest])
                subscribers[guest] = await there.attach(people[guest], "x", f"there {guest}", None)
            await first.clock.forward(1)
            sessions = [here, here, there, there]
            for subscriber, trip in zip(subscribers, trips, strict=True):
                lag(subscriber, trip)
            found = all_sets_of(view(here)["layout"])
            moves = {"call": "call", "agree": "agree", "take": found[0] if found else "call"}
            answers: dict[int, str] = {}
            asked: dict[int, tuple[int, str]] = {}
            waiting: list[asyncio.Task[None]] = []

            async def press(guest: int, what: str) -> None:
                n = next(NUMBERS)
                asked[n] = (guest, what)
                try:
                    await make_move(sessions[guest], subscribers[guest], moves[what], n)
                    answers[n] = "accepted"
                except Refusal as refused:
                    answers[n] = refused.text.key

            now = 0
            for guest, at, what in sorted(presses, key=lambda each: each[1]):
                if at > now:
                    await first.clock.forward(at - now)
                    now = at
                waiting.append(asyncio.create_task(press(guest, what)))
                await settled(2)
            await first.clock.forward(race.WINDOW_MS)
            await asyncio.gather(*waiting)
            await all_settled(here, there)
            check(here, there, subscribers, answers, asked)
            check_log([e.decode(body) for _, body in await first.lobby.store.entries(here.id)])

    asyncio.run(test())


async def all_settled(*sessions: Session) -> None:
    """Waits until every process has read a log without open bids."""

    async def is_over() -> bool:
        return not any([await each.mailbox.refresh() or each.settles_at() is not None for each in sessions])

    await until(is_over, "for the bids to be settled")


def check(
    here: Session,
    there: Session,
    subscribers: list[Subscriber],
    answers: dict[int, str],
    asked: dict[int, tuple[int, str]],
) -> None:
    assert here.state.current is not None
    assert there.state.current is not None
    state = here.state.current.game.state
    assert state(here.state.current.table) == state(there.state.current.table)
    assert here.state.current.bids == there.state.current.bids == []
    assert events(here) == events(there)
    assert set(answers) == set(asked), "every call is answered"
    assert view(here)["points_lost"] == [0, 0, 0, 0], "being late costs nothing"
    won = [each["player"] for each in events(here) if each["event"] in ("called", "set_taken")]
    late = [n for subscriber in subscribers for n, _ in lost(subscriber)]
    assert len(late) == len(set(late))
    assert all(answers[n] == "accepted" for n in late)
    called = [
        guest for n, (guest, what) in asked.items() if what != "agree" and answers[n] == "accepted" and n not in late
    ]
    assert sorted(called) == sorted(won), "who was accepted and not told to be late has won"


def check_log(found: list[e.Entry]) -> None:
    """Every settlement orders exactly the open bids, by their adjusted times; nothing is played in between."""
    open_bids: list[e.Bid] = []
    latest = 0
    for entry in found:
        if isinstance(entry, e.Bid):
            assert entry.adjusted <= entry.at
            open_bids.append(entry)
        if isinstance(entry, e.Moved):
            assert not open_bids
            latest = entry.time or 0
        if isinstance(entry, e.Settled):
            by_time = sorted(open_bids, key=lambda each: each.adjusted)
            assert [each.player for each in entry.calls] == [each.player for each in by_time]
            assert entry.calls[0].played
            assert entry.time >= latest
            assert entry.at <= open_bids[0].at + race.WINDOW_MS + 150
            latest = entry.time
            open_bids = []
    assert not open_bids
