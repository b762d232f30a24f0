"""An evening at a table: people reload, vanish and come back, bots play for them, others watch, and they play again.

All bytes that anybody received are kept, and the leak law holds over all of them.
"""

import asyncio
from typing import Any

import pytest

from tests.web.leaks import check
from tests.web.server import Guest, Server, cookie_of

Json = Any
EDITIONS: list[Json] = [
    *(
        {"game": "karma", "edition": edition, "options": {"turn_limit": 300}}
        for edition in ("classic", "classic_alternative_triples", "second_edition", "mini_round")
    ),
    {
        "game": "karma",
        "edition": {
            "karma": dict.fromkeys(("GIV", "TAB", "EXC", "SEA", "LOS", "PAS", "ONE"), 2),
            "designs": [{"code": "K1HIcAAg8AABAAAFNjb3V0"}],
        },
        "options": {"turn_limit": 300},
    },
]
QUICK = {"cooldown_ms": 0, "agreement_ms": 50}
VARIANTS: list[Json] = [
    {"game": "set", "variant": variant, "options": QUICK}
    for variant in ("full", "small_deck", "longer_game", "twenty_twenty")
]


async def evening(server: Server, plan: Json) -> None:
    """Three players and a spectator, two games: one reloads again and again, one is away until a bot plays."""
    bot = "careful" if plan["game"] == "karma" else "perfect"
    with server.people("Ada", "Ben", "Cleo", "Wim") as people:
        made = people[0].post("/api/tables", json={**plan, "seats": 3, "grace_s": 1, "pace": "fast"})
        assert made.status_code == 201, made.text
        code = made.json()["code"]
        ada, ben, cleo, wim = found = [Guest(server, code, cookie=cookie_of(each)) for each in people]
        try:
            for each in found:
                await each.open()
            await ben.ask("sit")
            await cleo.ask("sit")
            assert (await wim.refused("sit"))["field"] == "seat"
            await ada.ask("start")
            playing = [asyncio.create_task(each.play(bot)) for each in (ada, ben)]
            await cleo.play(bot, moves=3)
            await cleo.drop()
            await wim.until(lambda: not here(wim, 2))
            for _ in range(3):
                await asyncio.sleep(0.05)
                await wim.reload()
            if plan["game"] == "karma":
                await ada.until(lambda: played_for(ada, 2) or ada.ended(1))
            await asyncio.sleep(0.2)
            await cleo.reload()
            await ada.until(lambda: here(ada, 2))
            playing.append(asyncio.create_task(cleo.play(bot)))
            await asyncio.gather(*playing)
            for each in found:
                await each.until(lambda each=each: each.ended(1))  # type: ignore[misc]
            await ada.until(lambda: ada.table["playing"]["id"] is not None)
            first = ada.table["playing"]
            assert first["seed"] is not None
            for each in (ada, ben, cleo):
                await each.ask("ready")
            await wim.until(lambda: wim.table["playing"]["number"] == 2)
            assert [each["guest"] for each in wim.table["playing"]["players"]] == [0, 1, 2], "seats are kept"
            await wim.until(lambda: wim.view["game"] == 2)
            before = people[0].get(f"/api/games/{first['id']}").json()["saved"]
            assert wim.view["view"]["dealer"] == (before["dealer"] + 1) % 3, "the deal passes to the left"
            again = [asyncio.create_task(each.play(bot, number=2)) for each in (ada, ben, cleo)]
            await asyncio.sleep(0.1)
            await wim.reload()
            await asyncio.gather(*again)
            for each in found:
                await each.until(lambda each=each: each.ended(2))  # type: ignore[misc]
            scores = {each["guest"]: each["games"] for each in wim.table["scores"]}
            assert scores == {0: 2, 1: 2, 2: 2}
        finally:
            for each in found:
                await each.close()
        raws = {number: each.raw for number, each in enumerate(found)}
        compared = await asyncio.to_thread(check, server.data_dir, code, raws, every=3)
        assert compared > 50


def here(guest: Guest, other: int) -> bool:
    return any(each["guest"] == other and each["here"] for each in guest.table["guests"])


def played_for(guest: Guest, player: int) -> bool:
    """Has the absent player moved since?"""
    return any(
        shown.get("player") == player
        for message in guest.received[-30:]
        if message["is"] == "view"
        for happened in message["events"] or []
        for shown in happened["events"]
    )


@pytest.mark.slow
@pytest.mark.parametrize("plans", [EDITIONS, VARIANTS], ids=["karma", "set"])
def test_an_evening_with_reloads_absences_bots_spectators_and_a_rematch_leaks_nothing(
    server: Server, plans: list[Json]
) -> None:
    async def all_evenings() -> None:
        await asyncio.gather(*(evening(server, plan) for plan in plans))

    asyncio.run(all_evenings())
