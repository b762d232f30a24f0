"""The audit finds what is wrong: true histories of a table, and the same with one thing changed."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.soak import history as h
from tests.soak.audit import STALE_S, Audit, Down, Findings, start_of_wait
from tests.soak.cluster import NOTICED_WITHIN_S, Node
from threefold.games import KITS
from threefold.live import acts, race
from threefold.live import entries as e
from threefold.live.bot_runner import choice_of
from threefold.live.presence import Presence
from threefold.live.report import shown_views, table_report
from threefold.live.state import TableState

Json = Any
CLIENTS = ("ann", "bob")
GIVEN = {"edition": "mini_round", "options": {"turn_limit": 30}}


@dataclass
class Evening:
    """A table of two people, its log, and what they noted: every entry is asked for, acknowledged and shown."""

    at: float = 1_000.0
    state: TableState = field(default_factory=TableState)
    log: list[str] = field(default_factory=list)
    notes: list[h.Any_] = field(default_factory=list)
    n: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLIENTS, 0))
    shown_to: int = 0

    def tick(self, seconds: float = 0.01) -> float:
        self.at += seconds
        return self.at

    def write(self, entry: e.Entry) -> None:
        self.state.apply(entry)
        self.log.append(e.encode(entry))

    def ask(self, guest: int, what: str, act: Callable[[int], Json]) -> None:
        """A guest asks for something, and it is done."""
        client = CLIENTS[guest]
        self.n[client] += 1
        self.notes.append(h.Sent(self.tick(), client, self.n[client], what))
        made = act(int(1000 * self.tick()))
        entry = made[0] if isinstance(made, tuple) else made
        self.write(msgspec.structs.replace(entry, client=client, n=self.n[client]))
        self.show()
        self.notes.append(h.Acked(self.at, client, self.n[client]))

    def bid(self, guest: int, move: str, adjusted: float) -> None:
        """A guest makes a call that others may contest: it is acknowledged, and nobody is shown anything yet."""
        client = CLIENTS[guest]
        self.n[client] += 1
        self.notes.append(h.Sent(self.tick(), client, self.n[client], "move"))
        at, player = self.tick(), self.state.viewer(guest)
        assert player is not None
        bid = e.Bid(at=int(1000 * at), by=guest, player=player, move=move, adjusted=int(1000 * adjusted))
        self.write(msgspec.structs.replace(bid, client=client, n=self.n[client]))
        self.notes.append(h.Acked(self.tick(), client, self.n[client]))

    def show(self) -> None:
        """Both are shown how things stand."""
        s, playing = self.state, self.state.current
        table = h.digest(h.of_the_log(table_report(s, Presence(0), game_id=None, repeated=False)))
        for guest in range(len(CLIENTS)):
            self.notes.append(h.Shown(self.tick(), guest + 1, s.seq, table=table))
            if playing is not None:
                viewer = s.viewer(guest)
                new = playing.events.after(self.shown_to, playing.table)
                events = [(seq, h.digest([event.seen_by(viewer) for event in happened])) for seq, happened in new]
                view = h.digest(shown_views(playing, [viewer])[0])
                self.notes.append(h.Shown(self.tick(), guest + 1, s.seq, "", view, playing.number, viewer, events))
        self.shown_to = s.seq

    def audit(self, downs: list[Down] | None = None, stalls: list[Down] | None = None) -> Findings:
        return Audit("TABLE", list(enumerate(self.log, 1)), self.notes).run(downs or [], stalls or [])


def begun(game: str, setup: Json) -> Evening:
    """Two people have sat down, and a game begins."""
    evening = Evening()
    s, settings = evening.state, e.Settings(seats=2)
    began = int(1000 * evening.at)
    evening.write(acts.opened(began, "TABLE", game, setup, settings, "1", "Ann"))
    joined = acts.join(s, began, "2", "Bob")
    assert joined is not None
    evening.write(joined)
    for guest, client in enumerate(CLIENTS):
        evening.notes.append(h.Opened(evening.tick(), guest + 1, guest, client, 0, 0))
    evening.ask(0, "sit", lambda at: acts.sit(s, 0, at, None))
    evening.ask(1, "sit", lambda at: acts.sit(s, 1, at, None))
    evening.ask(0, "start", lambda at: acts.start(s, 0, at))
    return evening


def ended(evening: Evening) -> Evening:
    """Both have waited for their answers, and go."""
    for guest, client in enumerate(CLIENTS):
        evening.notes += [h.Waited(evening.tick(), client, evening.n[client]), h.Closed(evening.at, guest + 1)]
    return evening


def a_true_race() -> Evening:
    """Both call at once; Bob's call came later into the log, and was made earlier."""
    evening = begun("set", {"variant": "full"})
    evening.tick(0.1)
    evening.bid(0, "call", evening.at)
    evening.bid(1, "call", evening.at - 0.08)
    settled = race.settle(evening.state, int(1000 * evening.tick()))
    assert isinstance(settled, tuple)
    evening.write(settled[0])
    evening.show()
    evening.notes.append(h.Refused(evening.tick(), "ann", evening.n["ann"], "live.refusal.quicker"))
    evening.tick(STALE_S + 1)
    return ended(evening)


def a_true_evening() -> Evening:
    """A whole game of Karma."""
    evening = begun("karma", GIVEN)
    s = evening.state
    while s.running is not None:
        playing = s.running
        player = next(each.player for each in playing.game.decisions(playing.table) if each.player is not None)
        by = playing.who[player]
        assert by is not None
        choice = choice_of(KITS["karma"].reference, "careful", playing.game.view(playing.table, player))
        assert choice is not None
        evening.ask(by, "move", lambda at, by=by, move=choice.move: acts.move(s, by, at, move))  # type: ignore[misc]
    return ended(evening)


def promises(found: Findings) -> set[str]:
    return {each.promise for each in found.violations}


def changed(notes: list[h.Any_], which: Callable[[h.Any_], bool], **fields: Json) -> list[h.Any_]:
    """The same notes, with the first one of this kind changed."""
    at = next(i for i, each in enumerate(notes) if which(each))
    return [*notes[:at], msgspec.structs.replace(notes[at], **fields), *notes[at + 1 :]]


def test_a_true_evening_has_nothing_wrong() -> None:
    evening = a_true_evening()
    found = evening.audit()
    assert found.violations == []
    assert found.counts["games verified"] == 1
    assert found.counts["views compared"] == 2 * (len(evening.log) - 4)
    assert found.counts["events compared"] == 2 * (len(evening.log) - 5)
    assert found.counts["acknowledged"] == len(evening.log) - 2
    assert found.counts["leak law tried"] >= 1
    assert 0 < found.stalest < 0.1


def test_an_acknowledged_move_that_is_not_in_the_log_is_found() -> None:
    evening = a_true_evening()
    del evening.log[-1]
    assert "kept" in promises(evening.audit())


def test_an_acknowledged_pause_that_nobody_saw_and_the_log_lost_is_found() -> None:
    evening = a_true_evening()
    evening.notes += [h.Sent(evening.at, "ann", 99, "pause"), h.Acked(evening.at, "ann", 99)]
    assert promises(evening.audit()) == {"kept"}


def test_a_refusal_may_be_lost_with_its_connection_but_nothing_accepted_may() -> None:
    evening = a_true_evening()
    sent = [h.Sent(evening.at, "ann", 98, "move"), h.Sent(evening.at, "ann", 99, "ready")]
    true = evening.notes
    evening.notes = [*true, *sent, h.Acked(evening.at, "ann", 99, welcome=True)]
    found = evening.audit()
    assert (found.violations, found.counts["refusals lost with their connection"]) == ([], 1)
    evening.notes = [*true, *sent, h.Acked(evening.at, "ann", 98, welcome=True)]
    assert promises(evening.audit()) == {"kept"}, "the log itself says that it has this one"
    evening.notes = [*true, *sent, h.Acked(evening.at, "ann", 99)]
    assert promises(evening.audit()) == {"kept"}


def test_a_message_that_is_in_the_log_twice_is_found() -> None:
    evening = a_true_evening()
    evening.log.insert(3, evening.log[2])
    assert "once" in promises(evening.audit())


def test_a_gap_in_the_log_is_found() -> None:
    evening = a_true_evening()
    rows = list(enumerate(evening.log, 1))
    assert promises(Audit("TABLE", rows[:5] + rows[6:], evening.notes).run()) == {"gapless"}
    assert promises(Audit("TABLE", rows[:5] + rows[4:], evening.notes).run()) == {"gapless"}


def test_an_entry_that_overtook_one_acknowledged_before_it_was_sent_is_found() -> None:
    evening = a_true_evening()
    evening.log[2:4] = evening.log[3], evening.log[2]
    assert "order" in promises(evening.audit())


def test_entries_that_were_asked_for_at_the_same_time_may_come_in_any_order() -> None:
    evening = a_true_evening()
    evening.log[2:4] = evening.log[3], evening.log[2]
    early = next(each.at for each in evening.notes if isinstance(each, h.Sent))
    evening.notes = changed(evening.notes, lambda each: isinstance(each, h.Sent) and each.client == "bob", at=early)
    assert "order" not in promises(evening.audit())


def test_a_view_that_is_not_what_the_log_gives_is_found() -> None:
    evening = a_true_evening()
    evening.notes = changed(evening.notes, lambda each: isinstance(each, h.Shown) and bool(each.view), view="0" * 16)
    assert promises(evening.audit()) == {"replay"}


def test_a_view_of_another_player_is_found() -> None:
    evening = a_true_evening()
    evening.notes = changed(evening.notes, lambda each: isinstance(each, h.Shown) and each.viewer == 0, viewer=1)
    assert "replay" in promises(evening.audit())


def test_a_table_that_is_not_what_the_log_gives_is_found() -> None:
    evening = a_true_evening()
    evening.notes = changed(evening.notes, lambda each: isinstance(each, h.Shown) and bool(each.table), table="0" * 16)
    assert promises(evening.audit()) == {"replay"}


def test_events_that_were_left_out_or_told_again_are_found() -> None:
    evening = a_true_evening()

    def concerns(note: h.Any_) -> bool:
        return isinstance(note, h.Shown) and bool(note.events)

    first = next(each.events for each in evening.notes if isinstance(each, h.Shown) and each.events)
    true = evening.notes
    for events in ([], [*first, *first], [(first[0][0], "0" * 16)]):
        evening.notes = changed(true, concerns, events=events)
        assert promises(evening.audit()) == {"events"}, events


def test_a_refused_message_that_is_in_the_log_is_found() -> None:
    evening = a_true_evening()
    evening.notes.append(h.Refused(evening.at, "ann", 1, "live.refusal.no_free_seat"))
    assert promises(evening.audit()) == {"refused"}


def test_an_entry_that_nobody_asked_for_is_found() -> None:
    evening = a_true_evening()
    evening.notes = [each for each in evening.notes if not (isinstance(each, h.Sent) and each.n == 2)]
    assert promises(evening.audit()) == {"sent"}


def test_a_message_that_was_never_answered_is_found() -> None:
    evening = a_true_evening()
    evening.notes += [h.Sent(evening.at, "ann", 99, "ready"), h.Waited(evening.at + 20, "ann", 99)]
    assert promises(evening.audit()) == {"answered"}


def shown_late(seconds: float) -> Evening:
    """Bob is shown the last entry this much later."""
    evening = a_true_evening()
    last = evening.state.seq
    evening.notes = [
        msgspec.structs.replace(each, at=each.at + seconds)
        if isinstance(each, h.Shown | h.Closed) and each.connection == 2 and getattr(each, "seq", last) == last
        else each
        for each in evening.notes
    ]
    return evening


def test_somebody_who_was_shown_nothing_for_more_than_two_seconds_is_found() -> None:
    evening = shown_late(STALE_S + 1)
    found = evening.audit()
    assert promises(found) == {"fresh"}
    assert STALE_S < found.stalest < STALE_S + 1.1
    at = evening.state.last_at / 1000
    assert evening.audit([(at - 1, at + STALE_S)]).violations == [], "the database was down meanwhile"
    assert promises(evening.audit([(at - 9, at - 3)])) == {"fresh"}, "it was down long before"


def test_only_the_time_in_which_the_campaign_was_held_up_is_not_blamed_on_the_server() -> None:
    evening = shown_late(STALE_S + 1)
    at = evening.state.last_at / 1000
    whole = evening.audit().stalest
    for stalls in ([(at + 0.5, at + 2)], [(at + 0.5, at + 1), (at + 1.5, at + 2.5)], [(at - 9, at + 1.5)]):
        found = evening.audit(stalls=stalls)
        assert found.violations == [], stalls
        assert found.stalest == pytest.approx(whole - 1.5)
    for stalls in ([(at + 1.9, at + 2.2)], [(at - 9, at - 1)], [(at + 9, at + 20)], [(at + 1, at + 1.5)] * 5):
        assert promises(evening.audit(stalls=stalls)) == {"fresh"}, "the server was slow all the same"


def test_a_late_player_who_heard_nothing_is_excused_only_while_the_campaign_was_held_up() -> None:
    evening = a_true_race()
    evening.notes = [each for each in evening.notes if not isinstance(each, h.Refused)]
    at = evening.state.last_at / 1000
    assert evening.audit(stalls=[(at + 0.1, at + 2.5)]).violations == []
    assert promises(evening.audit(stalls=[(at + 0.1, at + 0.3)])) == {"answered"}


def test_a_stopped_database_excuses_exactly_one_message_and_only_while_it_was_stopped(tmp_path: Path) -> None:
    began = datetime(2026, 1, 2, 12, 0, 0, tzinfo=UTC)
    downs = [(began.timestamp(), began.timestamp() + 3)]

    def logged(seconds: float, event: str = "the database cannot be used") -> str:
        connection = {"cause": "it does not answer (ECONNREFUSED)", "event": event, "level": "error"}
        stamp = (began + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
        return json.dumps({**connection, "timestamp": stamp})

    expected = [logged(0.1), logged(2.9), logged(3 + NOTICED_WITHIN_S - 0.1)]
    early, late = logged(-0.1), logged(3 + NOTICED_WITHIN_S + 0.1)
    errors = [early, late, logged(1, "a task failed"), "Traceback (most recent call last):"]
    node = Node(0, tmp_path)
    node.log.write_text("\n".join([*expected, *errors]), "utf-8")
    assert node.complaints(downs) == errors
    assert node.complaints() == [*expected, *errors]


def test_somebody_who_was_shown_nothing_more_at_all_is_found() -> None:
    evening = a_true_evening()
    last = evening.state.seq
    kept = [
        each for each in evening.notes if not (isinstance(each, h.Shown) and each.connection == 2 and each.seq == last)
    ]
    evening.notes = kept
    assert evening.audit().violations == [], "the connection ended before the two seconds were over"
    evening.notes = changed(kept, lambda each: isinstance(each, h.Closed) and each.connection == 2, at=evening.at + 3)
    assert promises(evening.audit()) == {"fresh"}


def test_somebody_who_was_shown_an_older_table_after_a_newer_one_is_found() -> None:
    evening = a_true_evening()
    shown = [
        i for i, each in enumerate(evening.notes) if isinstance(each, h.Shown) and each.connection == 1 and each.table
    ]
    evening.notes[shown[3]], evening.notes[shown[5]] = evening.notes[shown[5]], evening.notes[shown[3]]
    assert "forwards" in promises(evening.audit())


def test_a_game_that_did_not_end_as_the_log_says_is_found() -> None:
    evening = a_true_evening()
    last = e.decode(evening.log[-1])
    assert isinstance(last, e.Moved)
    ending = {**last.ending, "reason": "somebody said so"}
    evening.log[-1] = e.encode(msgspec.structs.replace(last, ending=ending))
    assert "verify" in promises(evening.audit())


def test_a_true_race_has_nothing_wrong() -> None:
    found = a_true_race().audit()
    assert found.violations == []
    assert found.counts["calls settled"] == 2


def test_a_bid_that_was_never_settled_is_found() -> None:
    evening = a_true_race()
    del evening.log[-1]
    evening.notes = [each for each in evening.notes if not (isinstance(each, h.Shown) and each.seq > len(evening.log))]
    assert "settled" in promises(evening.audit())


def test_a_settlement_that_forgot_a_bid_is_found() -> None:
    evening = a_true_race()
    last = e.decode(evening.log[-1])
    assert isinstance(last, e.Settled)
    evening.log[-1] = e.encode(msgspec.structs.replace(last, calls=last.calls[:1]))
    assert "settled" in promises(evening.audit())


def test_somebody_who_was_late_and_heard_nothing_is_found() -> None:
    evening = a_true_race()
    evening.notes = [each for each in evening.notes if not isinstance(each, h.Refused)]
    assert promises(evening.audit()) == {"answered"}


def test_a_winner_who_was_told_no_is_found() -> None:
    evening = a_true_race()
    evening.notes.append(h.Refused(evening.at, "bob", evening.n["bob"], "live.refusal.quicker"))
    assert promises(evening.audit()) == {"refused"}


@pytest.mark.parametrize(
    ("since", "until", "downs", "start"),
    [
        (10.0, 11.0, [], 10.0),
        (10.0, 15.0, [(9.0, 12.0)], 12.0),
        (10.0, 15.0, [(11.0, 12.0), (13.0, 14.0)], 14.0),
        (10.0, 15.0, [(12.5, 13.0)], 10.0),
        (10.0, 11.0, [(10.5, 20.0)], 11.0),
    ],
)
def test_the_two_seconds_count_from_when_the_database_was_back(
    since: float, until: float, downs: list[Down], start: float
) -> None:
    assert start_of_wait(since, until, downs) == start
