"""Coming together: open tables, quick matches, invitations, fair starts, rematches, and what a table remembers."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import serving
from tests.browser.people import Person, Server

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]


@pytest.fixture(scope="module")
def counting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose games between people begin with the usual countdown."""
    with serving(tmp_path_factory.mktemp("counting"), THREEFOLD_COUNTDOWN_MS="3000") as server:
        yield server


def somebody(page: Page, name: str) -> Person:
    person = Person(page, name)
    person.be_somebody()
    return person


# ---------------------------------------------------------------- Open tables


def test_a_table_that_everybody_may_find_is_found_joined_and_then_watched(new_page: NewPage) -> None:
    host = somebody(new_page(), "Hanna").page
    host.goto("/play/new/karma")
    host.get_by_role("radio", name="Mini Round").check()
    for _ in range(2):
        host.get_by_role("button", name="Fewer: Seats").click()
    host.get_by_role("button", name="Fewer: Bots").click()
    host.get_by_role("checkbox", name="Everybody may find this table").check()
    host.get_by_role("button", name="Create table").click()
    guest = new_page()
    guest.goto("/")
    guest.get_by_role("link", name="Open tables").click()
    row = guest.get_by_role("listitem").filter(has=guest.get_by_role("heading", name="Hanna's table"))
    expect(row).to_contain_text("1 seat left")
    expect(row.get_by_role("list", name="Rules in force")).to_contain_text("Mini Round")
    row.get_by_role("link", name="Join Hanna's table").click()
    guest.get_by_label("Your name").fill("Ben")
    guest.get_by_role("button", name="Sit down").click()
    guest.get_by_role("button", name="Stand up").wait_for()
    other = new_page()
    other.goto("/tables")
    expect(other.get_by_role("heading", name="Games to watch")).to_be_visible()
    expect(other.get_by_role("link", name="Join Hanna's table")).to_have_count(0)  # the page refreshes itself
    host.get_by_role("button", name="Start game").click()
    host.locator(".hand .group").first.wait_for()
    other.get_by_role("link", name="Watch Hanna's table").click()
    expect(other.get_by_text("The game has started, but you can watch.")).to_be_visible()
    other.get_by_role("button", name="Watch").click()
    expect(other.get_by_text("You're watching.")).to_be_visible()


def test_the_host_lists_the_table_in_the_lobby_and_takes_it_off(people: People, new_page: NewPage) -> None:
    host = people(2, start=False)[0].page
    page = new_page()
    page.goto("/tables")
    host.get_by_role("button", name="Stand up").click()
    box = host.get_by_role("checkbox", name="Everybody may find this table")
    expect(box).not_to_be_checked()
    box.check()
    expect(page.get_by_role("link", name="Join Ada's table")).to_be_visible()
    box.uncheck()
    expect(page.get_by_role("link", name="Join Ada's table")).to_have_count(0)


# ---------------------------------------------------------------- Quick matches


def test_two_strangers_play_each_other_after_one_tap_each(new_page: NewPage) -> None:
    pages = [new_page(), new_page()]
    for page in pages:
        page.goto("/tables")
        page.get_by_role("region", name="Play someone now").get_by_role("button", name="Karma").click()
        if page is pages[0]:
            expect(page.get_by_text("Nobody else is looking right now")).to_be_visible()
    for page in pages:
        page.locator(".hand .group").first.wait_for()
    assert pages[0].url == pages[1].url


def test_who_cancels_or_closes_the_page_is_not_matched(new_page: NewPage) -> None:
    first, second = new_page(), new_page()
    for page in (first, second):
        page.goto("/tables")
        page.get_by_role("region", name="Play someone now").get_by_role("button", name="SET").click()
        expect(page.get_by_text("Nobody else is looking right now")).to_be_visible()
        if page is first:
            page.get_by_role("button", name="Cancel").click()
            page.get_by_role("region", name="SET").wait_for()
    second.close()
    third = new_page()
    third.goto("/tables")
    third.get_by_role("button", name="SET").click()
    expect(third.get_by_text("Nobody else is looking right now")).to_be_visible()
    third.get_by_role("button", name="Play a bot instead").click()
    third.locator("button[data-card]").first.wait_for()


# ---------------------------------------------------------------- Invitations


def test_an_invitation_names_the_host_asks_for_a_name_and_seats_with_one_button(
    people: People, new_page: NewPage
) -> None:
    host, _ = people(2, start=False, seats=4)
    page = new_page()
    page.goto(f"/t/{host.page.evaluate('threefold.code')}")
    expect(page.get_by_role("heading", name="Ada invites you to Karma")).to_be_visible()
    expect(page.get_by_text("2 of 4 seated")).to_be_visible()
    page.get_by_label("Your name").fill("Lena")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="Stand up").wait_for()
    expect(host.page.locator(".seats")).to_contain_text("Lena")
    page.reload()
    page.get_by_role("button", name="Stand up").wait_for()  # who has been here is not asked again


def test_an_invitation_stays_while_the_server_cannot_be_reached_and_tells_when_the_table_is_closed(
    people: People, new_page: NewPage
) -> None:
    host = people(1, start=False, seats=4)[0].page
    page = new_page(allow="Failed to load resource")  # which browsers note when a request fails
    page.clock.install()
    page.goto(f"/t/{host.evaluate('threefold.code')}")
    page.get_by_label("Your name").fill("Lena")
    page.context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.clock.run_for(5_000)
    expect(page.get_by_label("Your name")).to_have_value("Lena")
    page.context.set_offline(False)
    host.get_by_role("button", name="More", exact=True).click()
    for _ in range(2):  # the menu, and the question
        host.get_by_role("button", name="Close table for everyone").click()
    page.clock.run_for(5_000)
    expect(page.get_by_role("alert")).to_contain_text("You can't join this table")


def test_an_invitation_to_a_game_that_has_begun_offers_to_watch_and_no_seat(people: People, new_page: NewPage) -> None:
    host, _ = people(2, seats=4)
    page = somebody(new_page(), "Eve").page
    page.goto(f"/t/{host.page.evaluate('threefold.code')}")
    expect(page.get_by_text("The game has started, but you can watch.")).to_be_visible()
    expect(page.get_by_text("2 players")).to_be_visible()
    expect(page.get_by_role("list", name="Seats").get_by_role("listitem")).to_have_text(["Ada", "Ben"])
    expect(page.get_by_label("Your name")).to_have_count(0)
    page.get_by_role("button", name="Watch").click()
    expect(page.get_by_text("You're watching.")).to_be_visible()


# ---------------------------------------------------------------- Fair starts


def two_at_a_table(new_page: NewPage, server: Server) -> list[Person]:
    pages = [new_page(base_url=server.url) for _ in range(2)]
    host, guest = Person(pages[0], "Ada"), somebody(pages[1], "Ben")
    made = host.make_table({"game": "karma", "edition": "mini_round", "seats": 2})
    host.come(made["path"])
    guest.page.goto(made["path"])
    guest.page.get_by_role("button", name="Sit down").click()
    guest.page.get_by_role("button", name="Stand up").wait_for()
    return [host, guest]


def test_everybody_sees_the_countdown_anybody_can_wait_and_then_all_have_cards(
    new_page: NewPage, counting: Server
) -> None:
    ada, ben = two_at_a_table(new_page, counting)
    ada.page.get_by_role("button", name="Start game").click()
    for each in (ada, ben):
        expect(each.page.get_by_role("timer", name="The game starts in")).to_be_visible()
    ben.page.get_by_role("button", name="Wait").click()
    for each in (ada, ben):
        expect(each.page.get_by_role("timer")).to_have_count(0)
        assert each.page.evaluate("threefold.view") is None
    for each in (ada, ben):
        each.page.get_by_role("button", name="I'm ready").click()
    expect(ben.page.get_by_role("timer", name="The game starts in")).to_be_visible()
    ben.page.reload()
    expect(ben.page.get_by_role("timer", name="The game starts in")).to_be_visible()
    for each in (ada, ben):
        each.page.locator(".hand .group").first.wait_for()


def test_one_person_with_bots_does_not_wait(new_page: NewPage, counting: Server) -> None:
    page = new_page(base_url=counting.url)
    page.goto("/")
    page.get_by_role("region", name="Karma").get_by_role("button", name="Play now").click()
    page.locator(".hand .group").first.wait_for()
    assert page.evaluate("threefold.table.playing.number") == 1


def test_a_rematch_shows_who_wants_it(people: People) -> None:
    ada, ben = people(2, edition="mini_round")
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Offer a draw").click()
    ben.page.get_by_role("button", name="Agree to a draw").click()
    ben.page.get_by_role("button", name="Play again").click()
    who = ada.page.get_by_role("list", name="Play again?")
    expect(who).to_have_text("Ben wants to play again ✓")
    expect(ben.page.get_by_role("list", name="Play again?")).to_have_text("Ada hasn't decided yet")
    ada.page.get_by_role("button", name="Play again").click()
    ben.until("threefold.table.playing.number === 2")


# ---------------------------------------------------------------- The lobby and the forms


def test_the_lobby_shows_the_rules_in_force_and_the_strength_of_the_bots(new_page: NewPage) -> None:
    host = Person(new_page(), "Ada")
    options = {"call": "with take", "auto_deal": True}
    made = host.make_table({"game": "set", "variant": "full", "options": options, "seats": 3, "bots": ["Hugo"]})
    host.come(made["path"])
    rules = host.page.get_by_role("list", name="Rules in force")
    for words in ("Full deck", "Tap three cards", "Deals automatically", "3 seats"):
        expect(rules).to_contain_text(words)
    expect(host.page.locator(".seats")).to_contain_text("Hugo")
    expect(host.page.locator(".seats").get_by_role("img", name="Strength 4 of 5")).to_be_visible()


def test_the_lobby_says_how_many_players_are_missing(new_page: NewPage) -> None:
    host = Person(new_page(), "Ada")
    host.come(host.make_table({"game": "karma", "edition": "classic", "seats": 4})["path"])
    expect(host.page.get_by_role("button", name="One more player to go")).to_be_disabled()
    host.page.get_by_role("button", name="Seat Otto").click()
    expect(host.page.get_by_role("button", name="Start game with two")).to_be_enabled()


def test_the_host_seats_characters_by_their_names_and_each_only_once(new_page: NewPage) -> None:
    host = Person(new_page(), "Ada")
    host.come(host.make_table({"game": "karma", "edition": "classic", "seats": 4, "bots": ["sharp"]})["path"])
    seats, offered = host.page.locator(".seats"), host.page.get_by_role("region", name="Fill a seat with a bot")
    expect(seats).to_contain_text("Fenn")
    expect(offered.get_by_role("button", name="Seat Fenn")).to_have_count(0)
    vera = offered.get_by_role("button", name="Seat Vera")
    expect(vera).to_have_accessible_description("Vera Strength 3 of 5 misses nothing")
    vera.click()
    expect(seats).to_contain_text("Vera")
    expect(vera).to_have_count(0)
    host.page.get_by_role("button", name="Remove Fenn").click()
    expect(offered.get_by_role("button", name="Seat Fenn")).to_be_visible()


def test_a_new_table_seats_the_chosen_characters_and_more_bots_bring_others(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/karma")
    cast = page.get_by_role("group", name="Who plays")
    expect(cast.get_by_role("checkbox", checked=True)).to_have_count(1)
    cast.get_by_role("checkbox", name="Vera").check()
    cast.get_by_role("checkbox", name="Otto").uncheck()
    bots = page.get_by_role("group", name="Bots")
    expect(bots).to_contain_text("1")
    page.get_by_role("button", name="More: Bots").click()
    for name in ("Vera", "Fenn"):
        expect(cast.get_by_role("checkbox", name=name)).to_be_checked()
    for name in ("Bruno", "Milo"):  # the table has four seats
        cast.get_by_role("checkbox", name=name).check()
    expect(bots).to_contain_text("3")
    expect(cast.get_by_role("checkbox", name="Vera")).not_to_be_checked()
    page.get_by_role("button", name="Create table").click()
    for name in ("Fenn", "Bruno", "Milo"):
        expect(page.locator(".seats")).to_contain_text(name)
    expect(page.locator(".seats")).not_to_contain_text("Vera")


def test_settings_opened_from_a_table_lead_back_to_it(people: People) -> None:
    page = people(2)[0].page
    path = page.evaluate("location.pathname")
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Back to the table").click()
    page.locator(".hand .group").first.wait_for()
    assert page.evaluate("location.pathname") == path


def test_the_form_for_a_new_table_remembers_the_last_choices(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/karma")
    page.get_by_role("radio", name="Mini Round").check()
    page.get_by_role("button", name="Fewer: Seats").click()
    page.get_by_role("checkbox", name="Otto").uncheck()
    page.get_by_role("checkbox", name="Fenn").check()
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Start game").wait_for()
    page.goto("/play/new/karma")
    expect(page.get_by_role("radio", name="Mini Round")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Fenn")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Otto")).not_to_be_checked()
    expect(page.get_by_role("group", name="Seats")).to_contain_text("3")


def test_a_card_code_can_be_pasted_wherever_cards_are_chosen(new_page: NewPage) -> None:
    page = new_page(allow="400")  # a code that is refused
    design = {"name": "Swirl", "picture": "🌀", "leaves": True, "powers": [{"power": "reverse"}]}
    page.goto("/")
    code = page.request.post("/api/designs", data={"design": design}).json()["code"]

    def paste(text: str) -> None:
        page.get_by_label("Paste a card code").fill(text)
        page.get_by_role("button", name="Use card").click()

    page.goto("/play/new/karma")
    page.get_by_role("radio", name="Second Edition").check()
    paste("K1nonsense")
    expect(page.get_by_role("alert")).to_be_visible()
    paste(f"http://example.org/play/cards/{code}")
    expect(page.get_by_role("radio", name="Swirl")).to_be_checked()
    page.get_by_role("radio", name="House edition").check()
    paste(code)
    expect(page.get_by_role("button", name="Fewer: Swirl")).to_be_enabled()
    page.goto("/play/cards")
    paste(code)
    expect(page.get_by_label("Card name")).to_have_value("Swirl")


def test_the_host_mutes_and_removes_during_a_game(people: People) -> None:
    ada, ben, cleo = people(3, edition="mini_round")
    page = ada.page

    def about(name: str) -> None:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="People at this table").click()
        page.get_by_role("button", name=f"More about {name}").click()

    about("Ben")
    page.get_by_role("button", name="Mute").click()
    expect(page.get_by_role("dialog")).to_contain_text("muted")
    page.keyboard.press("Escape")
    ben.until("threefold.table.guests[1].muted")
    about("Cleo")
    page.get_by_role("button", name="Remove from table").click()
    page.get_by_role("button", name="Remove Cleo").click()
    expect(cleo.page.get_by_text("asked you to leave")).to_be_visible()
    ben.page.get_by_role("button", name="More", exact=True).click()
    ben.page.get_by_role("button", name="People at this table").click()
    expect(ben.page.get_by_role("dialog")).to_contain_text("Ada")
    expect(ben.page.get_by_role("button", name="More about Ada")).to_have_count(0)
