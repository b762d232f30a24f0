"""SET alone over HTTP: the clock of a daily puzzle, stored times, streaks, and practice."""

from datetime import date, timedelta
from itertools import combinations
from typing import Any

import httpx
import pytest

from tests.web.server import Server, cookie_of, fetched
from threefold.live.solo import GRACE_MS, ranking, standing
from threefold.live.store import PuzzleRow
from threefold.setgame.cards import format_cards
from threefold.setgame.notation import card_of
from threefold.setgame.puzzles import daily, training
from threefold.setgame.search import all_sets, difficulty

Json = Any
DAY = "2024-02-29"
A_DAY = 86_400_000


def sets_of(kind: str, day: str = DAY) -> list[list[str]]:
    return [format_cards(list(each)) for each in daily(kind, date.fromisoformat(day)).sets]


def solve(client: httpx.Client, kind: str, day: str = DAY, **more: Json) -> Json:
    """Finds all SETs, one after the other; the last answer."""
    answer = None
    sets = sets_of(kind, day)
    for number, cards in enumerate(sets):
        tried = client.post(
            f"/api/puzzles/{kind}", params={"day": day}, json={"cards": cards, "found": sets[:number], **more}
        )
        assert tried.status_code == 200, tried.text
        answer = tried.json()
    return answer


def refused(response: httpx.Response, status: int) -> str:
    assert response.status_code == status, response.text
    return str(response.json()["text"]["key"])


# ---------------------------------------------------------------- Daily puzzles


def test_the_day_is_the_server_s_and_says_when_it_ends(server: Server) -> None:
    today = fetched(server.url + "/api/puzzles").json()
    assert today["counts"] == {"basic": 4, "advanced": 6}
    assert 0 < today["ends"] - today["now"] <= A_DAY
    assert today["ends"] % A_DAY == 0
    shown = fetched(server.url + "/api/puzzles/basic").json()["day"]
    assert shown in {today["day"], fetched(server.url + "/api/puzzles").json()["day"]}, "midnight may be just now"


@pytest.mark.parametrize(
    ("path", "known"), [("/api/puzzles/hard", "basic, advanced"), ("/api/practice?differing=5", "1, 2, 3, 4, any")]
)
def test_the_kit_says_which_kinds_of_puzzles_and_practice_there_are(server: Server, path: str, known: str) -> None:
    refused = fetched(server.url + path)
    assert refused.status_code == 400
    assert refused.json()["text"]["parameters"]["allowed"] == known


def test_my_first_look_starts_my_clock_and_looking_again_does_not(server: Server) -> None:
    with server.people("Ann", "Ben") as (ann, ben):
        first = ann.get("/api/puzzles/basic", params={"day": DAY}).json()
        again = ann.get("/api/puzzles/basic", params={"day": DAY}).json()
        assert again["began"] == first["began"] <= again["now"]
        assert ben.get("/api/puzzles/basic", params={"day": DAY}).json()["began"] > first["began"]
        solved = solve(ann, "basic")
        after = ann.get("/api/puzzles/basic", params={"day": DAY}).json()
        assert after["milliseconds"] == solved["milliseconds"] > 0
        assert after["sets"] == sets_of("basic")
        assert solve(ann, "basic")["milliseconds"] > solved["milliseconds"]
        assert ann.get("/api/me/puzzles").json()["kinds"]["basic"]["days"] == {DAY: solved["milliseconds"]}, "once"
        assert ben.get("/api/me/puzzles").json()["kinds"]["basic"]["days"] == {}


def test_my_time_has_a_place_among_everybody_s_once_i_have_solved_it(server: Server) -> None:
    day = "2024-03-04"
    with server.people("Ann", "Ben", "Cleo") as (ann, ben, cleo):
        path = "/api/puzzles/basic/ranking"
        assert refused(ann.get(path, params={"day": day}), 400) == "live.refusal.puzzle_unsolved"
        for each in (cleo, ann, ben):
            each.get("/api/puzzles/basic", params={"day": day})
        took = {name: solve(each, "basic", day)["milliseconds"] for name, each in (("ann", ann), ("ben", ben))}
        solve(cleo, "basic", day)
        places = [each.get(path, params={"day": day}).json() for each in (ann, ben, cleo)]
        assert {each["count"] for each in places} == {3}
        assert places[2]["place"] == 3, "looked first, solved last"
        assert places[0]["fastest_ms"] == min(took.values())
        assert all(sum(each["bars"]) == 3 and each["bars"][each["bar"]] > 0 for each in places)
    with server.client() as nobody:
        assert refused(nobody.get(path, params={"day": day}), 401) == "live.refusal.no_person"


def test_bars_span_equal_ratios_from_the_slowest_to_the_fastest() -> None:
    found = ranking([1000, 1900, 4500, 471_859_200, 1000 * 2**20], mine=1900)
    assert (found.count, found.place, found.fastest_ms, found.slowest_ms) == (5, 2, 1000, 1000 * 2**20)
    assert [i for i, count in enumerate(found.bars) for _ in range(count)] == [0, 1, 17, 19, 19]
    assert found.bar == 19
    alone = ranking([700], mine=700)
    assert (alone.count, alone.place, sum(alone.bars), alone.bars[alone.bar]) == (1, 1, 1, 1)


def test_a_stranger_carries_a_signed_note_of_the_first_look(server: Server) -> None:
    with server.client() as nobody:
        seen = nobody.get("/api/puzzles/advanced", params={"day": DAY}).json()
        assert seen["milliseconds"] is None
        assert seen["sets"] is None
        solved = solve(nobody, "advanced", token=seen["token"])
        assert solved["milliseconds"] >= nobody.get("/api/health").json()["now"] - seen["began"] - 2000
        other_day = {"cards": sets_of("advanced")[0], "token": seen["token"]}
        wrong_day = nobody.post("/api/puzzles/advanced", params={"day": "2024-03-01"}, json=other_day)
        assert refused(wrong_day, 400) == "live.refusal.bad_look"
        changed = {**other_day, "token": seen["token"][:-2] + "xx"}
        tried = nobody.post("/api/puzzles/advanced", params={"day": DAY}, json=changed)
        assert refused(tried, 400) == "live.refusal.bad_look"
        assert refused(nobody.get("/api/me/puzzles"), 401) == "live.refusal.no_person"


def test_who_becomes_somebody_on_the_way_keeps_the_clock(server: Server) -> None:
    with server.client() as client:
        seen = client.get("/api/puzzles/basic", params={"day": DAY}).json()
        client.post("/api/me", json={"name": "Late"})
        solved = solve(client, "basic", token=seen["token"])
        shown = client.get("/api/puzzles/basic", params={"day": DAY}).json()
        assert shown["began"] == seen["began"]
        assert shown["milliseconds"] == solved["milliseconds"]


def test_a_puzzle_that_is_not_found_whole_is_not_solved(server: Server) -> None:
    sets = sets_of("basic")
    with server.people("Ann") as (ann,):
        twice = ann.post("/api/puzzles/basic", params={"day": DAY}, json={"cards": sets[0], "found": [sets[0]] * 3})
        assert (twice.json()["left"], twice.json()["milliseconds"]) == (3, None)
        many = ann.post("/api/puzzles/basic", params={"day": DAY}, json={"cards": sets[0], "found": sets * 6})
        assert refused(many, 400) == "setup.too_many"
        assert ann.get("/api/me/puzzles").json()["kinds"]["basic"]["days"] == {}


def test_what_i_do_alone_is_in_my_data_moves_with_me_and_is_deleted_with_me(server: Server) -> None:
    with server.people("Ann") as (ann,):
        solve(ann, "basic")
        practise(ann)
        data = ann.get("/api/me/data").json()
        assert data["puzzles"][0]["day"] == DAY
        assert data["practice"][0]["count"] == 1
        token = ann.post("/api/me/transfer").json()["token"]
        with server.client() as phone:
            phone.post("/api/me/redeem", json={"token": token})
            assert list(phone.get("/api/me/puzzles").json()["kinds"]["basic"]["days"]) == [DAY]
        cookie = cookie_of(ann)
        ann.delete("/api/me")
        ann.cookies.clear()
        assert ann.get("/api/me/puzzles", headers={"cookie": cookie}).status_code == 401


# ---------------------------------------------------------------- Days in a row


def rows(*days: str, late: int = 0, kind: str = "basic") -> list[PuzzleRow]:
    """Puzzles solved at noon of their days, or so much later."""
    return [PuzzleRow(kind, day, noon(day), 60_000 + i, noon(day) + late) for i, day in enumerate(days)]


def noon(day: str) -> int:
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * A_DAY + A_DAY // 2


TODAY = date(2026, 11, 5)


@pytest.mark.parametrize(
    ("days", "streak", "longest"),
    [
        ([], 0, 0),
        (["2026-11-05"], 1, 1),
        (["2026-11-04"], 1, 1),
        (["2026-11-03"], 0, 1),
        (["2026-11-02", "2026-11-03", "2026-11-04"], 3, 3),
        (["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-05"], 1, 3),
        (["2026-10-30", "2026-10-31", "2026-11-01"], 0, 3),
    ],
)
def test_a_streak_is_of_days_solved_in_a_row_up_to_today_or_yesterday(
    days: list[str], streak: int, longest: int
) -> None:
    shown = standing(rows(*days), "basic", TODAY)
    assert (shown.streak, shown.longest) == (streak, longest)


def test_a_day_solved_later_has_a_time_but_does_not_count_for_the_streak() -> None:
    late = rows("2026-11-04", late=A_DAY)
    shown = standing([*late, *rows("2026-11-05")], "basic", TODAY)
    assert set(shown.days) == {"2026-11-04", "2026-11-05"}
    assert (shown.streak, shown.longest) == (1, 1)
    just = standing(rows("2026-11-04", late=A_DAY // 2 + GRACE_MS - 1), "basic", TODAY)
    assert just.streak == 1, "who finishes a little after midnight was in time"
    assert standing(rows("2026-11-04", late=A_DAY // 2 + GRACE_MS), "basic", TODAY).streak == 0


def test_best_and_usual_time_are_of_one_kind_and_of_what_is_solved() -> None:
    open_one = PuzzleRow("basic", "2026-11-05", noon("2026-11-05"))
    three = rows("2026-11-01", "2026-11-02", "2026-11-03")
    shown = standing([*three, open_one, *rows("2026-11-04", kind="advanced")], "basic", TODAY)
    assert (shown.best_ms, shown.median_ms, len(shown.days)) == (60_000, 60_001, 3)
    assert standing([open_one], "basic", TODAY).best_ms is None


# ---------------------------------------------------------------- Practice


def practise(client: httpx.Client, differing: str = "4", **more: Json) -> Json:
    """Finds a SET in a new layout."""
    shown = client.get("/api/practice", params={"differing": differing}).json()
    best = client.post("/api/practice/hint", json={"token": shown["token"], "count": 3}).json()["cards"]
    return client.post("/api/practice", json={"token": shown["token"], "cards": best, **more}).json()


@pytest.mark.parametrize("differing", [1, 2, 3, 4])
def test_every_set_of_a_layout_is_of_the_kind_that_is_trained(differing: int) -> None:
    for seed in range(20):
        made = training(differing, f"v1:{seed}")
        assert 1 <= len(made.sets) <= 3
        assert {difficulty(*each) for each in made.sets} == {differing}
        assert training(differing, f"v1:{seed}") == made


def test_a_layout_is_another_one_each_time_and_the_same_by_its_seed(server: Server) -> None:
    with server.client() as nobody:
        asked = [nobody.get("/api/practice").json()["cards"] for _ in range(3)]
        assert asked[0] != asked[1] != asked[2]
        seeded = [nobody.get("/api/practice?differing=3&seed=v1:x").json()["cards"] for _ in range(2)]
        assert seeded[0] == seeded[1] == format_cards(list(training(3, "v1:x").cards))
        assert refused(nobody.get("/api/practice?seed=x"), 400) == "setup.not_a_seed"
        assert refused(nobody.get("/api/practice?differing=5"), 400) == "setup.not_one_of"


def test_hints_come_one_card_at_a_time_and_a_wrong_try_is_explained(server: Server) -> None:
    with server.client() as nobody:
        shown = nobody.get("/api/practice?differing=2").json()
        token = shown["token"]
        hints = [
            nobody.post("/api/practice/hint", json={"token": token, "count": n}).json()["cards"] for n in (1, 2, 3)
        ]
        assert hints[0] == hints[2][:1]
        assert hints[1] == hints[2][:2]
        sets = [set(format_cards(list(each))) for each in all_sets([card_of(each) for each in shown["cards"]])]
        assert set(hints[2]) in sets
        wrong = next(list(each) for each in combinations(shown["cards"], 3) if set(each) not in sets)
        tried = nobody.post("/api/practice", json={"token": token, "cards": wrong}).json()
        assert tried["events"][0]["failing"]
        assert tried["differing"] is None
        right = nobody.post("/api/practice", json={"token": token, "cards": hints[2]}).json()
        assert right["differing"] == 2
        assert right["milliseconds"] >= 0
        bad = nobody.post("/api/practice/hint", json={"token": "x", "count": 1})
        assert refused(bad, 400) == "live.refusal.bad_look"
        why = nobody.post("/api/practice/hint", json={"token": token, "count": 3}).json()["why"]
        assert why["key"] == "set.hint.3"
        assert len(why["parameters"]["reasons"]) == 4, "one for each feature"
        four = nobody.post("/api/practice/hint", json={"token": token, "count": 4})
        assert refused(four, 400) == "setup.not_a_number_between"


def test_times_are_kept_by_kind_and_each_layout_counts_once(server: Server) -> None:
    with server.people("Ann") as (ann,):
        practise(ann, "1", hints=1)
        assert ann.get("/api/me/practice").json() == {}, "with a hint no time is kept"
        took = [practise(ann, "1")["milliseconds"] for _ in range(3)]
        mine = ann.get("/api/me/practice").json()
        assert mine == {"1": {"count": 3, "mean_ms": round(sum(took) / 3), "best_ms": min(took)}}
        shown = ann.get("/api/practice?differing=4").json()
        cards = ann.post("/api/practice/hint", json={"token": shown["token"], "count": 3}).json()["cards"]
        for _ in range(2):
            ann.post("/api/practice", json={"token": shown["token"], "cards": cards})
        assert ann.get("/api/me/practice").json()["4"]["count"] == 1


def test_the_places_of_one_person_are_served_by_the_one_page(server: Server) -> None:
    yesterday = (date(2026, 11, 2) - timedelta(days=1)).isoformat()
    for path in ("/daily", f"/daily/basic?day={yesterday}", "/practice", "/learn/karma", "/rules/set"):
        answer = fetched(server.url + path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/html")
