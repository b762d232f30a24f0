"""Finished games in the browser: replays of every edition and variant, and the look back on a game of SET."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.past import everything, past, played
from tests.browser.people import Person, Server, still
from tests.browser.places import Places
from tests.browser.test_places import look_at
from threefold.live.record import verify

NewPage = Callable[..., Page]
Json = Any


def somebody(page: Page) -> Person:
    person = Person(page, "Ada")
    person.be_somebody()
    return person


def shown(page: Page) -> int:
    """Which frame is shown."""
    return int(page.get_by_role("slider", name="Move").input_value())


def at(page: Page, frame: int) -> None:
    """Waits until this frame is shown."""
    expect(page.get_by_role("slider", name="Move")).to_have_value(str(frame))


def test_every_edition_and_variant_replays_from_the_deal_to_the_end(new_page: NewPage, server: Server) -> None:
    page = new_page(width=1280, height=800)
    games = dict(zip(everything(), past(server, somebody(page), *everything()), strict=True))
    for what, game in games.items():
        moves = len(played(what)[0].moves)
        page.goto(f"/games/{game}")
        at(page, 0)
        page.get_by_role("button", name="One move forward").click()
        at(page, 1)
        page.get_by_role("button", name="To the end").click()
        at(page, moves)
        spoken = page.get_by_role("log").inner_text()
        assert spoken.strip(), what
        assert not re.search(r"(karma|set|live)\.event\.", page.locator("main").inner_text()), what
        page.get_by_label("Whose view").select_option("0")
        expect(page).to_have_url(re.compile(f"move={moves}&seat=0"))
        at(page, moves)
        expect(page.locator("aside [aria-current=step]")).to_have_count(1)


def test_a_replay_plays_pauses_steps_and_jumps(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "classic")
    page.clock.install()
    page.goto(f"/games/{game}")
    at(page, 0)
    page.get_by_label("Speed").select_option("8")
    page.locator("body").press(" ")
    page.get_by_role("button", name="Pause").wait_for()
    expect(page.get_by_role("slider", name="Move")).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()
    paused = shown(page)
    page.clock.fast_forward(60_000)
    still(page)
    assert shown(page) == paused
    page.locator("body").press("Home")
    at(page, 0)
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowRight")
    page.locator("body").press("ArrowLeft")
    at(page, 1)
    page.locator("body").press("End")
    moves = len(played("classic")[0].moves)
    at(page, moves)
    page.get_by_role("slider", name="Move").fill("20")
    at(page, 20)
    steps = page.request.get(f"/api/games/{game}/replay").json()["timeline"]["steps"]
    for mark, event in (("clear", "pile_cleared"), ("pick_up", "pile_picked_up"), ("out", "went_out")):
        wanted = [i for i, step in enumerate(steps, 1) if any(each["event"] == event for each in step["events"])]
        page.get_by_role("slider", name="Move").fill("0")
        page.get_by_label("Jump to").select_option(mark)
        page.get_by_role("button", name=re.compile("^Forward:")).click()
        at(page, wanted[0])
        if len(wanted) > 1:
            page.get_by_role("button", name=re.compile("^Forward:")).click()
            page.get_by_role("button", name=re.compile("^Back:")).click()
            at(page, wanted[0])


def test_clears_and_pick_ups_are_marked_on_the_progress_line(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "classic")
    page.goto(f"/games/{game}")
    at(page, 0)
    steps = page.request.get(f"/api/games/{game}/replay").json()["timeline"]["steps"]
    for tone, events in (("good", {"pile_cleared"}), ("bad", {"pile_picked_up", "pile_given"})):
        wanted = sum(any(each["event"] in events for each in step["events"]) for step in steps)
        expect(page.locator(f".lane .{tone}")).to_have_count(wanted)
    expect(page.locator(".lane i:not(.later)"), "what is still to come is faded").to_have_count(0)


def test_jumps_in_a_game_of_set_lead_to_sets_wrong_tries_and_new_cards(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "full")
    page.goto(f"/games/{game}")
    page.get_by_label("Jump to").select_option("taken")
    page.get_by_role("button", name="Forward: SETs").click()
    expect(page.get_by_role("log")).to_contain_text("takes a SET")
    expect(page.get_by_label("Jump to").locator("option")).to_have_text(["SETs", "Wrong tries", "New cards"])
    page.get_by_label("Speed").select_option("t4")
    page.get_by_role("button", name="Play", exact=True).click()
    before = shown(page)
    expect(page.get_by_role("slider", name="Move")).not_to_have_value(str(before))


def test_a_seat_shows_its_own_cards_and_all_cards_open_shows_every_hand(new_page: NewPage, server: Server) -> None:
    page = new_page(width=1280, height=800)
    (game,) = past(server, somebody(page), "classic")
    page.goto(f"/games/{game}?move=10")
    at(page, 10)
    expect(page.locator(".seat")).to_have_count(4)
    expect(page.locator(".seat .open-hand")).to_have_count(4)
    page.get_by_label("Whose view").select_option("1")
    expect(page.locator(".seat")).to_have_count(3)
    expect(page.locator(".seat .open-hand")).to_have_count(0)
    assert page.locator("ul.hand .group").count() > 0
    expect(page.locator("main .felt button:not(.discard), .mine button"), "there is nothing to play").to_have_count(0)


def test_a_link_leads_to_a_moment(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "classic")
    page.goto(f"/games/{game}?move=12&seat=2")
    at(page, 12)
    expect(page.get_by_label("Whose view")).to_have_value("2")
    page.get_by_role("button", name="One move forward").click()
    page.get_by_role("button", name="Details").click()
    link = page.get_by_label("Link to this moment").input_value()
    assert link.endswith(f"/games/{game}?move=13&seat=2")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()
    other = new_page(allow="400")
    other.goto(link)
    at(other, 13)
    other.goto(f"/games/{game}?move=99999&seat=9")
    at(other, len(played("classic")[0].moves))
    expect(other.get_by_label("Whose view")).to_have_value("")


def test_the_browser_is_told_early_what_a_replay_needs_and_fetches_it_once(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "mini_round")
    happened = page.request.get(f"/games/{game}?move=3&seat=1").headers["link"]
    assert happened == f"</api/games/{game}/replay?viewer=1>; rel=preload; as=fetch; crossorigin"
    assert "link" not in page.request.get(f"/games/{game}?seat=<script>").headers
    stranger = new_page()
    asked: list[str] = []
    stranger.on("request", lambda request: asked.append(request.url) if "/replay" in request.url else None)
    stranger.goto(f"/games/{game}?move=3&seat=1")
    at(stranger, 3)
    assert len([each for each in asked if "viewer=1" in each]) <= 2, "the early one, and the one that it answers"
    entries = "performance.getEntriesByType('resource').filter(each => each.name.includes('/replay?')).length"
    assert stranger.evaluate(entries) == 1


def test_the_shuffle_is_checked_here_and_by_the_server_and_the_record_can_be_fetched(
    new_page: NewPage, server: Server, tmp_path: Path
) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "mini_round")
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Details").click()
    page.get_by_text("The shuffle was fixed before the first card. Your own browser has checked it.").wait_for()
    page.get_by_text("The game replays move by move").wait_for()
    with page.expect_download() as started:
        page.get_by_role("link", name="Download the game").click()
    started.value.save_as(tmp_path / "game.json")
    record = json.loads((tmp_path / "game.json").read_text("utf-8"))
    assert verify(record).problems == ()


def test_without_https_the_server_checks_the_shuffle(new_page: NewPage, server: Server) -> None:
    (game,) = past(server, somebody(new_page()), "mini_round")
    page = new_page(base_url=server.url.replace("127.0.0.1", "table.test"))
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Details").click()
    page.get_by_text("Without https your browser can't check the shuffle itself").wait_for()
    page.get_by_text("The game replays move by move").wait_for()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied.").wait_for()


def test_a_shuffle_that_was_not_promised_is_told(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "mini_round")

    def lie(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "seed": "v1:another"})

    page.route("**/replay?*", lie)
    page.goto(f"/games/{game}")
    page.get_by_role("button", name="Details").click()
    page.get_by_text("This is not the shuffle that was promised").wait_for()


def test_a_game_left_in_its_middle_replays_and_one_of_older_rules_is_explained(
    new_page: NewPage, server: Server
) -> None:
    page = new_page()
    left, old = past(server, somebody(page), ("second_edition", 30, {}), ("mini_round", 3000, {"rules": 99}))
    page.goto(f"/games/{left}?move=30")
    at(page, 30)
    page.get_by_role("button", name="Details").click()
    expect(page.get_by_role("dialog")).to_contain_text("Left")
    page.goto(f"/games/{old}")
    page.get_by_role("heading", name="The rules have changed since then").wait_for()
    with page.expect_download():
        page.get_by_role("link", name="Download the game").click()


def test_nothing_of_a_running_game_is_shown(new_page: NewPage, server: Server) -> None:
    page = new_page(allow="404")
    person = somebody(page)
    made = person.make_table({"game": "karma", "seats": 2, "bots": ["careful"], "start": True})
    page.goto(f"/games/{made['code']}")
    page.get_by_role("heading", name="Can't show this game").wait_for()
    page.goto(f"/games/{made['code']}/review")
    page.get_by_role("alert").wait_for()
    expect(page.locator(".felt")).to_have_count(0)


def test_from_the_end_of_a_game_one_can_look_back(new_page: NewPage, server: Server) -> None:
    page = Places(new_page, server).end().page
    page.get_by_role("link", name="Replay").click()
    at(page, 0)
    assert "/games/" in page.url


def test_the_biggest_pile_of_a_game_can_be_watched(new_page: NewPage, server: Server) -> None:
    page = Places(new_page, server).end().page
    pile = page.locator(".panel.pile")
    expect(pile.locator(".card").first).to_be_visible()
    words = pile.locator("p").inner_text()
    pile.get_by_role("link", name="Watch turn").click()
    (cards,) = [word for word in words.rstrip(".").split() if word.isdigit()]
    expect(page.locator(".said")).to_contain_text(f"picks up {cards}")


def test_every_move_is_told_in_words_and_can_be_gone_to(new_page: NewPage, server: Server) -> None:
    page = new_page(width=1280, height=800)
    (game,) = past(server, somebody(page), "twelve")
    page.goto(f"/games/{game}?move=150")
    at(page, 150)
    here = page.locator("aside [aria-current=step]")
    expect(here).to_be_in_viewport()
    assert page.get_by_role("log").inner_text().strip() == here.locator(".words").inner_text().strip()
    page.locator('aside [data-frame="155"]').click()
    at(page, 155)
    phone = new_page()
    phone.goto(f"/games/{game}?move=5")
    phone.get_by_role("button", name="Moves").click()
    phone.locator('dialog [data-frame="8"]').click()
    at(phone, 8)


def test_a_game_of_set_is_looked_back_on(new_page: NewPage, server: Server) -> None:
    page = new_page()
    (game,) = past(server, somebody(page), "full")
    review = page.request.get(f"/api/games/{game}/review").json()
    report = review["report"]
    page.goto(f"/games/{game}/review")
    page.get_by_role("heading", name="In figures").wait_for()
    tiles = page.locator(".tiles dd").all_inner_texts()
    mine = review["players"][0]
    assert tiles == [*(str(mine["summary"][name]) for name in ("found", "wrong", "missed")), str(mine["score"])]
    expect(page.locator(".layout")).to_have_count(8)
    page.get_by_role("button", name=re.compile(r"^Show \d+ more")).click()
    page.get_by_role("radio", name="Taken by Ada").check()
    own = [each for each in report["layouts"] if each["taken"] is not None]
    own = [each for each in own if report["sets"][each["taken"]]["player"] == 0]
    expect(page.locator(".layout")).to_have_count(min(8, len(own)))
    taken = report["sets"][own[0]["taken"]]
    expect(page.locator(".layout").first).to_contain_text(f"after {taken['found_ms'] / 1000:.1f} s")
    page.get_by_role("radio", name="All").check()
    expect(page.locator(".tries li")).to_have_count(len(report["wrong"]))
    assert page.locator(".close li").count() == len(review["close"]) > 0
    page.locator(".layout").nth(1).get_by_role("link", name="Show").click()
    at(page, report["layouts"][1]["move"])


def test_replays_and_the_look_back_at_every_size(new_page: NewPage, server: Server) -> None:
    wrong = [each for name, page in Places(new_page, server).looking_back() for each in look_at(name, page)]
    assert wrong == []
