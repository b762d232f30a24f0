"""What the last moves brought is kept, packed, and given back as it was."""

from threefold.game import Event
from threefold.karma import KARMA
from threefold.live.recent_events import RECENT, RecentEvents
from threefold.serialising import PlainSerialiser


def event(number: int) -> Event:
    return Event("cards_drawn", {"player": number % 4, "more": [1, None]}, {"cards": ["7"]}, frozenset({number % 4}))


def test_events_come_back_as_they_were_with_their_secrets_for_those_who_knew_them() -> None:
    recent = RecentEvents(PlainSerialiser(KARMA))
    for number in range(1, 31):
        recent.append(number, [event(number), Event("turn_began")])
    assert recent.after(-1, None) == [(number, [event(number), Event("turn_began")]) for number in range(1, 31)]
    assert [number for number, _ in recent.after(27, None)] == [28, 29, 30]
    assert recent.newest == recent.after(29, None)[0]
    assert recent.after(30, None) == []
    assert recent.all_after(0)
    shown = recent.after(0, None)[0][1][0].seen_by(1)
    assert shown["cards"] == ["7"]
    assert recent.after(0, None)[0][1][0].seen_by(2)["cards"] is None


def test_only_the_last_moves_are_kept_and_it_is_known_from_where_on() -> None:
    recent = RecentEvents(PlainSerialiser(KARMA))
    for number in range(1, RECENT + 51):
        recent.append(number, [event(number)])
    assert len(recent.after(-1, None)) == RECENT
    assert recent.all_after(50)
    assert not recent.all_after(49)
    recent.clear()
    assert recent.after(-1, None) == []
    assert recent.newest is None
