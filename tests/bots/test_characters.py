"""Characters: rows of facts, names at a table, tables stored by earlier versions, and the pace of a temper."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.live.room import Room, does, in_a_room, settled, until
from threefold.bots.characters import ANIMALS, LOOKS, UNDERSTUDIES, Character, Face
from threefold.games import KITS
from threefold.kit import Kit, Kits
from threefold.live import acts
from threefold.live import entries as e
from threefold.live.state import fold
from threefold.texts import LANGUAGES, catalogue

MOST_SEATS = 12
ALL = [each for kit in KITS.values() for each in kit.characters]


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_every_level_has_a_character_and_the_weakest_stand_first(kit: Kit) -> None:
    levels = [each.level for each in kit.characters]
    assert set(levels) == set(kit.levels) < set(kit.bots)
    assert levels == sorted(levels, key=[*kit.levels].index)


def test_no_two_bots_share_a_name_or_a_face() -> None:
    faces = [*((each.name, each.face) for each in ALL), *UNDERSTUDIES.items()]
    assert len({name.casefold() for name, _ in faces}) == len(faces)
    assert len({face for _, face in faces}) == len(faces)
    assert {face.animal for _, face in faces} == set(ANIMALS)
    assert {face.look for _, face in faces} == set(LOOKS)
    assert not {name for name, _ in faces} & {bot for kit in KITS.values() for bot in kit.bots}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_character_has_a_temper_of_its_own(language: str) -> None:
    tempers = [catalogue(language)[each.temper] for each in ALL]
    assert len(set(tempers)) == len(ALL)


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_a_full_table_of_one_bot_has_as_many_names_and_plays_at_its_level(kit: Kit) -> None:
    for bot in (*kit.bots, *(each.name for each in kit.characters)):
        names: list[str] = []
        while len(names) < MOST_SEATS:
            names.append(kit.name_for(bot, names))
        assert len({name.casefold() for name in names}) == MOST_SEATS
        characters = [each for each in map(kit.character, names) if each is not None]
        assert {each.level for each in characters} <= {kit.level_of(bot)}


def test_a_character_comes_under_its_own_name_else_under_one_of_its_level_else_as_an_understudy() -> None:
    karma = KITS["karma"]
    assert karma.name_for("Vera", []) == "Vera"
    assert karma.name_for("sharp", []) == "Fenn"
    assert karma.name_for("Vera", ["vera"]) == "Fenn"
    assert karma.name_for("Vera", ["vera", "Fenn"]) == next(iter(UNDERSTUDIES))


def test_characters_and_levels_sit_down_and_the_log_keeps_level_and_name(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", bots=("Vera", "sharp", "Vera", "beginner"))
        seats = session.state.seats[1:]
        assert [(each.bot, each.name) for each in seats] == [
            ("sharp", "Vera"),
            ("sharp", "Fenn"),
            ("sharp", "Olga"),
            ("beginner", "Bruno"),
        ]
        again = fold(await session.store.entries(session.id))
        assert again.seats == session.state.seats

    in_a_room(tmp_path, test)


def test_a_table_stored_before_bots_had_names_loads_and_plays_on(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=4)
        for seat, bot in ((1, "careful"), (2, "careful"), (3, "sharp")):
            await session.by_table(lambda _, at, seat=seat, bot=bot: e.BotSat(at=at, by=0, seat=seat, bot=bot))  # type: ignore[misc]
        stored = [body for _, body in await session.store.entries(session.id)]
        assert not any('"name":"Olga"' in body or '"name":"Otto"' in body for body in stored)
        state = fold(await session.store.entries(session.id))
        assert [each.bot for each in state.seats] == [None, "careful", "careful", "sharp"]
        names = [each.name for each in state.seats[1:]]
        assert len({*names}) == 3
        assert {*names} <= {*UNDERSTUDIES}
        await session.submit(0, acts.start)
        started = session.state.seq
        await until(lambda: session.state.seq >= started + 3, "for the bots to choose their face-up cards")
        assert session.state.running is not None
        assert session.state.running.bots == [None, "careful", "careful", "sharp"]

    in_a_room(tmp_path, test)


def test_a_stored_bot_whose_name_belongs_to_another_level_today_keeps_name_and_level(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", game="set", seats=3)
        await session.by_table(lambda _, at: e.BotSat(at=at, by=0, seat=1, bot="human3", name="Hugo"))
        await session.by_table(lambda _, at: e.BotSat(at=at, by=0, seat=2, bot="perfect", name="Odette"))
        state = fold(await session.store.entries(session.id))
        assert [(each.bot, each.name) for each in state.seats[1:]] == [("human3", "Hugo"), ("perfect", "Odette")]

    in_a_room(tmp_path, test)


def test_the_page_may_offer_a_character_of_a_new_level_by_adding_a_row() -> None:
    karma = KITS["karma"]
    row = Character("Cato", Face("cat"), "random", tempo=100)
    larger = replace(karma, levels=(*karma.levels, "random"), characters=(*karma.characters, row))
    kits = Kits([larger])
    acts.one_of_bots("karma", "Cato", kits)
    assert (larger.level_of("Cato"), larger.name_for("random", [])) == ("random", "Cato")


@pytest.mark.parametrize(("bot", "percent"), [("Milo", 60), ("Otto", 140), ("careful", 140)])
def test_a_quick_temper_moves_sooner_and_a_slow_one_later(tmp_path: Path, bot: str, percent: int) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.playing("Ann", bots=(bot,), pace="human")
        before = session.state.seq
        await settled()
        choosing = 2_500 * percent // 100
        await room.clock.forward(choosing - 1)
        assert session.state.seq == before
        await room.clock.forward(1)
        await until(lambda: session.state.seq > before)

    in_a_room(tmp_path, test)


def test_in_a_game_against_time_a_temper_changes_no_pace() -> None:
    hurried = replace(KITS["set"], characters=[replace(each, tempo=10) for each in KITS["set"].characters])
    assert {hurried.tempo_of(each.name) for each in hurried.characters} == {100}


def test_a_bot_that_nobody_knows_is_refused_with_the_names_that_exist(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        session, _ = await room.table("Ann", seats=2)
        with pytest.raises(Exception, match="Bruno, Milo, Otto, Greta, Fenn, Vera"):
            await session.submit(0, does(acts.bot_sits, None, "Nobody"))

    in_a_room(tmp_path, test)
