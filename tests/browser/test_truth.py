"""What the table says is true: who is away, that only bots are left, whose turn a line of the log belongs to, names."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import Person, Server

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]
AWAY = re.compile(r"Ben is away: a bot takes over in (10:00|9:\d\d)\.")


def entries(page: Page) -> list[str]:
    """The entries of the table's menu."""
    page.get_by_role("button", name="More", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    return dialog.locator(".stack .stack").locator("a, button").all_inner_texts()


def test_everybody_sees_at_once_who_is_away_and_the_host_lets_a_bot_play(people: People, new_page: NewPage) -> None:
    ada, ben, cleo = people(3, "g116", edition="mini_round", grace_s=600)
    code = ada.page.evaluate("threefold.code")
    zoe = Person(new_page(), "Zoe")
    zoe.be_somebody()
    zoe.come(f"/t/{code}")
    assert 1 in [each["player"] for each in ada.view()["awaits"]], "it is Ben's turn, too"
    ben.page.goto("about:blank")
    for each in (ada, cleo, zoe):
        expect(each.page.locator(".notice")).to_have_text(AWAY)
    seat = ada.page.get_by_role("group", name=re.compile("^Ben, "))
    expect(seat.locator(".note"), "never that Ben plays").to_have_text(re.compile(r"away · (10:00|9:\d\d)"))
    assert "playing" not in str(seat.get_attribute("aria-label"))
    offered = [each.page.get_by_role("button", name="Play for them now").count() for each in (ada, cleo, zoe)]
    assert offered == [1, 0, 0]
    assert ada.axe() == []
    ada.page.get_by_role("button", name="Play for them now").click()
    for each in (ada, cleo, zoe):
        expect(each.page.locator(".notice")).to_have_text("Ben is away. A bot is playing for them.")
        each.until("threefold.view.has_chosen.includes(1) || threefold.view.turn !== null")
    ben.come(f"/t/{code}")
    for each in (ada, cleo, zoe):
        expect(each.page.locator(".notice")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "words", "watching"),
    [
        ("en-GB", "Waiting for Ben, Cleo and Dov to choose face-up cards", "Waiting for Ada, Ben, Cleo and Dov"),
        ("de-DE", "Warten auf die offenen Karten von Ben, Cleo und Dov", "Warten auf Ada, Ben, Cleo und Dov"),
        ("es-ES", "Esperando las cartas boca arriba de Ben, Cleo y Dov", "Esperando a Ada, Ben, Cleo y Dov"),
    ],
)
def test_several_people_who_are_awaited_are_listed(
    people: People, new_page: NewPage, language: str, words: str, watching: str
) -> None:
    ada, *_ = people(4, "g116", edition="mini_round")
    code = ada.page.evaluate("threefold.code")
    zoe = Person(new_page(locale=language), "Zoe")
    zoe.be_somebody()
    zoe.page.goto(f"/t/{code}")
    zoe.page.locator(".invited button").last.click()
    expect(zoe.page.locator(".watching .words")).to_have_text(watching)
    ada.page.evaluate(
        "value => localStorage.setItem('threefold.settings', JSON.stringify(value))", {"language": language[:2]}
    )
    ada.page.reload()
    ada.until("globalThis.threefold?.view?.moves.length > 0")
    ada.page.evaluate("threefold.move(threefold.view.moves[0])")
    expect(ada.page.locator(".mine .words")).to_have_text(words)


def test_the_time_until_a_bot_takes_over_is_counted_by_the_servers_clock(people: People) -> None:
    ada, ben = people(2, "g116", edition="mini_round", grace_s=600)
    ben.page.goto("about:blank")
    expect(ada.page.locator(".notice")).to_have_text(AWAY)
    ada.page.clock.install(time="2001-01-01T00:00:00Z")  # a device whose clock is wrong
    ada.page.reload()
    ada.until("globalThis.threefold?.table")
    expect(ada.page.locator(".notice")).to_have_text(re.compile(r"Ben is away: a bot takes over in [5-9]:\d\d\."))


def test_who_gives_up_against_bots_skips_to_the_end(people: People) -> None:
    (ada,) = people(3, "g116", edition="mini_round", bots=["careful", "careful"], pace="human")
    assert "Give up and watch" in entries(ada.page)
    ada.page.get_by_role("button", name="Give up and watch").click()
    expect(ada.page.locator(".notice")).to_contain_text("Only bots are still playing.")
    ada.page.get_by_role("button", name="Skip to the end").click()
    expect(ada.page.get_by_role("heading", name="You left this game")).to_be_visible()
    expect(ada.page.locator(".notice")).to_have_count(0)
    assert ada.view()["ending"] is not None
    assert not re.search("careful|random|human", ada.page.locator("body").inner_text())
    expect(ada.page.get_by_role("row", name=re.compile("^Otto "))).to_have_count(1)


def test_a_heading_of_the_log_stands_above_its_own_lines(people: People) -> None:
    seated = people(2, "g116", edition="mini_round")
    for _ in range(8):
        player = seated[seated[0].view()["awaits"][0]["player"]]
        player.until("threefold.view.moves.length > 0 && threefold.open === 0")
        player.play(player.careful_move())
        for each in seated:
            each.until("seq => threefold.seq >= seq", player.page.evaluate("threefold.seq"))
    page = seated[0].page
    page.get_by_role("button", name="What happened: show all").click()
    paragraphs = page.get_by_role("dialog").locator("section").all()
    shown = 0
    for paragraph in paragraphs:
        heading = paragraph.locator("h3")
        if not heading.count():
            continue
        assert paragraph.locator(":scope > *").first.evaluate("each => each.tagName") == "H3"
        whose = "You" if heading.inner_text().startswith("You") else "Ben"
        lines = paragraph.locator("p").all_inner_texts()
        shown += len(lines)
        assert all(line.startswith(whose) for line in lines), (heading.inner_text(), lines)
    assert shown > 3
    first = paragraphs[0].locator("h3").inner_text()
    turn = page.evaluate("threefold.view.turn")
    assert first.startswith("You" if turn == 0 else "Ben"), "the latest turn comes first"


def test_a_table_for_one_has_no_entries_for_company(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="SET").get_by_role("button", name="Solitaire").click()
    page.locator("button[data-card]").nth(11).wait_for()
    assert entries(page) == ["Rules", "Keys", "Pause", "Leave table"]
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Say something")).to_have_count(0)


def test_who_plays_alone_is_told_that_leaving_ends_the_game(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="SET").get_by_role("button", name="Solitaire").click()
    page.locator("button[data-card]").nth(11).wait_for()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Leave table").click()
    expect(page.get_by_role("dialog")).to_contain_text("The game ends here")
    page.get_by_role("dialog").get_by_role("button", name="Leave table").click()
    page.get_by_role("heading", name="Today's puzzles").wait_for()
    expect(page.get_by_role("region", name="Continue")).to_have_count(0)


def test_the_menu_leads_to_the_rules_in_force_and_back_and_nobody_is_away_meanwhile(people: People) -> None:
    ada, ben = people(2, "g116", edition="mini_round")
    assert entries(ada.page) == [
        "Invite friends",
        "People at this table",
        "Rules",
        "Keys",
        "Pause",
        "Offer a draw",
        "Give up and watch",
        "Leave table",
        "Close table for everyone",
    ]
    ada.page.get_by_role("dialog").get_by_role("link", name="Rules").click()
    expect(ada.page.get_by_role("link", name="Mini Round")).to_have_attribute("aria-current", "page")
    ben.page.get_by_role("button", name="Say something").click()
    ben.page.get_by_role("button", name="Good luck!").click()
    ada.until("threefold.said.length === 1")  # connected all the time
    expect(ben.page.locator(".notice")).to_have_count(0)
    ada.page.get_by_role("link", name="Back to the table").click()
    ada.page.locator(".hand .group").first.wait_for()
    ada.page.goto("/")
    expect(ben.page.locator(".notice")).to_contain_text("Ada is away")


def test_bots_are_called_by_their_names_in_a_game_of_set(new_page: NewPage, server: Server) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="SET").get_by_role("button", name="Play now").click()
    page.locator("button[data-card]").nth(11).wait_for()
    names = page.evaluate("threefold.table.playing.players.map(each => each.name)")
    assert names[1:] == ["Tilda", "Selma"]
    assert not re.search(r"human\d|perfect", page.locator("body").inner_text())
