"""Whole games by people on real sockets, in every edition and variant, from two players to the limit."""

import asyncio
from typing import Any

import httpx
import pytest

from tests.web.server import Guest, Server, guests
from threefold.live.record import verify

Json = Any
HOUSE: Json = {
    "karma": dict.fromkeys(("GIV", "TAB", "BOT", "LOW", "OWN", "EXC", "SEA", "CLR", "LOS", "711", "PAS", "ONE"), 1),
    "numbers": {"copies": 2},
}
LIMITS = {"classic": 6, "classic_alternative_triples": 6, "second_edition": 6, "mini_round": 4}
KARMA: list[Json] = [
    *(
        {"game": "karma", "edition": edition, "seats": seats, "options": {"turn_limit": 400}}
        for edition, most in LIMITS.items()
        for seats in range(2, most + 1)
    ),
    *(
        {"game": "karma", "edition": edition, "seats": 2 * most, "options": {"turn_limit": 400, "decks": 2}}
        for edition, most in LIMITS.items()
    ),
    {"game": "karma", "edition": HOUSE, "seats": 3, "options": {"turn_limit": 400}},
]
QUICK = {"cooldown_ms": 0, "agreement_ms": 50}
SET: list[Json] = [
    *({"game": "set", "variant": "full", "seats": seats, "options": QUICK} for seats in (2, 3, 20)),
    {"game": "set", "variant": "full", "seats": 2, "options": {**QUICK, "call": "with take"}},
    {"game": "set", "variant": "small_deck", "seats": 2, "options": {**QUICK, "layout": 9}},
    {"game": "set", "variant": "longer_game", "seats": 3, "options": QUICK},
    {"game": "set", "variant": "solitaire", "seats": 1},
    *({"game": "set", "variant": "twenty_twenty", "seats": seats, "options": QUICK} for seats in (2, 8)),
]
NAMES = ("Ada", "Ben", "Cleo", "Dov", "Ela", "Finn", "Gus", "Hana", "Ivo", "Juno", "Kai", "Lou", "Mia", "Noa", "Ole",
         "Pia", "Quinn", "Ria", "Sol", "Tam")  # fmt: skip


async def sat_down(server: Server, plan: Json, people: list[httpx.Client]) -> tuple[str, list[Guest]]:
    """A table at which all have sat down, and the host has started."""
    made = people[0].post("/api/tables", json=plan)
    assert made.status_code == 201, made.text
    code = made.json()["code"]
    async with guests(server, code, people[: plan["seats"]]) as found:
        for each in found[1:]:
            await each.ask("sit")
        await found[0].ask("start")
        bot = "careful" if plan["game"] == "karma" else "perfect"
        await asyncio.gather(*(each.play(bot) for each in found))
        for each in found:
            await each.until(lambda each=each: each.over and each.table["playing"]["id"])  # type: ignore[misc]
    return code, found


async def whole_game(server: Server, plan: Json, people: list[httpx.Client]) -> None:
    _, found = await sat_down(server, plan, people)
    playing = found[0].table["playing"]
    assert playing["ending"] is not None
    assert all(each.view["view"]["ending"] == playing["ending"] for each in found)
    record = await asyncio.to_thread(lambda: people[0].get(f"/api/games/{playing['id']}").json())
    assert verify(record).problems == ()
    assert record["commitment"] == playing["commitment"]
    assert len([each for each in found[0].received if each["is"] == "refused"]) <= len(record["saved"]["moves"])


async def all_games(server: Server, plans: list[Json]) -> None:
    with server.people(*NAMES) as people:
        await asyncio.gather(*(whole_game(server, plan, people) for plan in plans))


@pytest.mark.slow
@pytest.mark.parametrize("plans", [KARMA[:10], KARMA[10:20], KARMA[20:]], ids=["first", "second", "third"])
def test_people_play_whole_games_of_karma_in_every_edition_and_number(server: Server, plans: list[Json]) -> None:
    asyncio.run(all_games(server, plans))


@pytest.mark.slow
def test_people_play_whole_games_of_set_in_every_variant(server: Server) -> None:
    asyncio.run(all_games(server, SET))
