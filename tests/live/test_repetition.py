"""A game that comes to the same position for the third time is noticed."""

from threefold.live.repetition import FORGOTTEN, REMEMBERED, Repetition


def test_the_third_time_is_noticed_and_only_the_third() -> None:
    repetition = Repetition()
    positions = [7, 2**64 - 1, 7, 2**63, 2**64 - 1, 9]
    assert not any(repetition.is_third(each) for each in positions)
    assert repetition.is_third(7)
    assert repetition.is_third(2**64 - 1)
    assert not repetition.is_third(9)
    repetition.clear()
    assert not repetition.is_third(7)


def test_a_game_without_end_is_remembered_in_bounded_room() -> None:
    repetition = Repetition()
    for position in range(100_000):
        assert not repetition.is_third(position << 20 | 1)
        assert len(repetition._seen) <= 6 * REMEMBERED
    for position in range(100_000, 100_000 + REMEMBERED - FORGOTTEN, 2):  # each comes twice more, a long round later
        assert not repetition.is_third(position)
    assert not repetition.is_third(100_000)
    assert repetition.is_third(100_000)
