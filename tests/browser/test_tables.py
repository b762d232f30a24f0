"""Making tables, the lobby, the host's powers, house editions, the card maker: by taps alone."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, Response, expect

from tests.browser.people import Person, Server
from tests.browser.set_people import SetPerson
from tests.karma.rules.steps import code
from threefold.karma.cards import PRINTED
from threefold.karma.table import HIGHEST, KINDS
from threefold.texts import Text, say

NewPage = Callable[..., Page]
People = Callable[..., list[Person]]


def test_play_now_is_one_tap_and_quick(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="Karma").get_by_role("button", name="Play now").click()
    page.locator(".hand .group").nth(2).wait_for()
    expect(page.locator(".seat")).to_have_count(3)


def test_a_first_visit_loads_the_sentences_of_the_game_that_is_played_only(new_page: NewPage) -> None:
    page, answers = new_page(), list[Response]()
    page.on("response", lambda answer: answers.append(answer))  # noqa: PLW0108 (Playwright cannot wrap built-ins)

    def catalogues() -> set[str]:
        scripts = [each for each in answers if each.url.endswith(".js")]
        return {each.url.rsplit("/", 1)[1].split("-")[0] for each in scripts if re.search(r'"[a-z]+\.\w+', each.text())}

    page.goto("/")
    page.locator(".fan").nth(1).wait_for()
    assert "page" in catalogues()
    assert not catalogues() & {"karma", "set", "settable"}
    page.get_by_role("region", name="Karma").get_by_role("button", name="Play now").click()
    page.locator(".hand .group").nth(2).wait_for()
    assert catalogues() & {"karma", "set", "settable"} == {"karma"}


def test_set_can_be_played_too(new_page: NewPage) -> None:
    ada = SetPerson(new_page(), "Ada")
    ada.page.goto("/")
    ada.page.get_by_role("region", name="SET").get_by_role("button", name="Play now").click()
    ada.page.locator("button[data-card]").nth(11).wait_for()
    ada.take_any_set()
    expect(ada.heard()).to_contain_text("You take a SET")


def test_a_table_is_made_and_joined_by_its_code(new_page: NewPage) -> None:
    host = new_page()
    host.goto("/play/new/karma")
    host.get_by_role("radio", name="Mini Round").check()
    host.get_by_role("button", name="Fewer: Seats").click()
    host.get_by_role("button", name="Fewer: Bots").click()
    host.get_by_label("Your name").fill("Ada")
    host.get_by_role("button", name="Create table").click()
    code = host.locator(".invite .code").inner_text()
    guest = new_page()
    guest.goto("/")
    guest.get_by_label("Join a table").fill(code.lower())
    guest.get_by_role("button", name="Join").click()
    expect(guest.get_by_role("heading", name="Ada invites you to Karma")).to_be_visible()
    guest.get_by_role("button", name="Sit down").click()
    expect(host.locator(".seats li.mine")).to_contain_text("You")
    expect(guest.get_by_role("list", name="Rules in force").get_by_text("Mini Round")).to_be_visible()
    expect(host.get_by_alt_text("QR code of the invite link")).to_be_visible()
    host.get_by_role("button", name="Copy link").click()
    expect(host.get_by_text("Copied.")).to_be_visible()
    host.get_by_role("button", name="Start game").click()
    guest.locator(".hand .group").nth(5).wait_for()


def test_a_stranger_with_the_link_gives_a_name_and_is_in(people: People, new_page: NewPage) -> None:
    host = people(2, start=False, bots=["careful"])[0]
    page = new_page()
    page.goto(f"/t/{host.page.evaluate('threefold.code')}")
    page.get_by_label("Your name").fill("Ben")
    expect(page.get_by_text("All seats are taken, but you can watch.")).to_be_visible()
    page.get_by_role("button", name="Watch").click()
    expect(host.page.get_by_text("Watching: Ben")).to_be_visible()


def test_the_host_seats_bots_changes_the_game_mutes_passes_the_role_on_and_removes(people: People) -> None:
    ada, ben, cleo = people(3, start=False)
    page = ada.page
    cleo.page.get_by_role("button", name="Stand up").click()
    page.get_by_role("button", name="Seat 3: choose it for a bot").click()
    page.get_by_role("button", name="Seat Fenn").click()
    fenn = page.locator(".seats li").nth(2)
    expect(fenn).to_contain_text("Fenn")
    expect(fenn.get_by_role("img", name="Strength")).to_be_visible()
    page.get_by_role("button", name="Remove Fenn").click()
    expect(fenn).to_contain_text("Free seat")

    page.get_by_role("button", name="Change game").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="Mini Round").check()
    dialog.get_by_text("More options").click()
    dialog.get_by_role("checkbox", name="Allow free chat").check()
    dialog.get_by_role("button", name="Save").click()
    expect(ben.page.get_by_role("list", name="Rules in force").get_by_text("Mini Round")).to_be_visible()

    ben.page.get_by_role("button", name="I'm ready").click()
    expect(page.get_by_text("ready ✓")).to_be_visible()
    ben.page.get_by_role("button", name="Say something").click()
    ben.page.get_by_role("button", name="Good luck!").click()
    expect(page.locator(".bubble")).to_have_text("Good luck!")

    page.get_by_role("button", name="More about Ben").click()
    page.get_by_role("button", name="Mute").click()
    ben.page.get_by_role("button", name="Say something").click()
    ben.page.get_by_role("button", name="Thanks!").click()
    expect(ben.page.get_by_role("alert")).to_contain_text("muted")

    page.get_by_role("button", name="More about Cleo").click()
    page.get_by_role("button", name="Remove from table").click()
    page.get_by_role("button", name="Remove Cleo").click()
    expect(cleo.page.get_by_text("asked you to leave")).to_be_visible()
    page.get_by_role("button", name="More about Ben").click()
    page.get_by_role("button", name="Make host").click()
    expect(ben.page.get_by_role("button", name="Change game")).to_be_visible()
    expect(page.get_by_role("button", name="Change game")).to_have_count(0)


def test_a_game_can_be_paused_conceded_and_left(people: People) -> None:
    ada, ben, cleo = people(3, edition="mini_round")
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Pause").click()
    expect(ben.page.locator(".notice")).to_contain_text("Paused")
    ben.page.get_by_role("button", name="Resume").click()
    expect(ada.page.locator(".notice")).to_have_count(0)
    ben.page.get_by_role("button", name="More", exact=True).click()
    ben.page.get_by_role("button", name="Give up and watch").click()
    expect(ben.page.get_by_text("You're watching.")).to_be_visible()
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Leave table").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The game goes on without you.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Leave table").click()
    code = ada.page.evaluate("threefold.code")
    dialog.get_by_role("button", name="Leave table").click()
    expect(ada.page).to_have_url(re.compile("/$"))
    expect(cleo.page.locator(".notice"), "who has left is not away").to_have_count(0)
    cleo.until("threefold.table.seats[0].guest === null && threefold.table.host === 2")
    ada.come(f"/t/{code}")
    expect(ada.page.get_by_text("You're watching.")).to_be_visible()


def test_leaving_the_lobby_frees_the_seat_and_makes_somebody_else_host(people: People) -> None:
    ada, ben = people(2, start=False)
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Leave table").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your seat becomes free. You can come back with the same link.")
    dialog.get_by_role("button", name="Leave table").click()
    expect(ada.page).to_have_url(re.compile("/$"))
    expect(ben.page.locator(".seats")).to_contain_text("Free seat")
    ben.until("threefold.table.seats[0].guest === null && threefold.table.host === threefold.you")
    code = ben.page.evaluate("threefold.code")
    ada.come(f"/t/{code}")
    ada.sit()


def test_closing_the_table_asks_first(people: People) -> None:
    ada, ben = people(2, start=False)
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Close table for everyone").click()
    dialog = ada.page.get_by_role("dialog")
    expect(dialog).to_contain_text("The table closes for everyone and can't be opened again.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(ben.page.get_by_text("This table is closed.")).to_have_count(0)
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Close table for everyone").click()
    dialog.get_by_role("button", name="Close table for everyone").click()
    expect(ben.page.get_by_text("This table is closed.")).to_be_visible()
    expect(ada.page).to_have_url(re.compile("/$"))


def test_a_draw_is_offered_and_agreed(people: People) -> None:
    ada, ben = people(2, edition="mini_round")
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Offer a draw").click()
    ben.page.get_by_role("button", name="Agree to a draw").click()
    expect(ada.page.get_by_role("heading", name="It's a draw")).to_be_visible()
    expect(ben.page.get_by_role("heading", name="It's a draw")).to_be_visible()


def test_a_card_is_made_kept_and_played_with(new_page: NewPage) -> None:
    page = new_page(allow="400")  # a design that is refused, which browsers note
    page.goto("/play/cards")
    page.get_by_label("Card name").fill("Whirl")
    page.get_by_label("Power 1", exact=True).select_option("ask_for")
    expect(page.get_by_text("must play a number from 1 to 16")).to_be_visible()
    page.get_by_role("button", name="Add a power").click()
    page.get_by_label("Power 2", exact=True).select_option("clear_pile")
    expect(page.get_by_role("alert")).to_contain_text("Only one power of a card can move or empty the pile")
    page.get_by_label("Power 1", exact=True).select_option("rotate_seats")
    page.get_by_role("radio", name="It leaves the game").check()
    page.get_by_role("radio", name="To the right").check()
    expect(page.get_by_text("moves one seat to the right")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".code")).to_have_text(re.compile(r"^K1[\w-]+$"))
    code = page.locator(".code").inner_text()
    page.get_by_role("button", name="Save").click()
    page.goto(f"/play/cards/{code}")
    expect(page.get_by_label("Card name")).to_have_value("Whirl")
    expect(page.get_by_role("button", name="Whirl", exact=True)).to_be_visible()
    page.get_by_role("button", name="Play with it").click()
    expect(page.get_by_role("radio", name="Whirl")).to_be_checked()
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Start game").click()
    page.locator(".hand .group").nth(2).wait_for()
    assert page.evaluate("threefold.view.options.create_your_karma") == code


def test_powers_are_moved_by_keys_and_by_dragging_and_a_change_is_undone(new_page: NewPage) -> None:
    page = new_page(width=1280, height=800)
    page.goto("/play/cards")
    page.get_by_role("button", name="Add a power: Give cards away").click()
    names = ["reverse", "give_cards"]

    def order(*wanted: str) -> None:
        for number, name in enumerate(wanted, 1):
            expect(page.get_by_label(f"Power {number}", exact=True)).to_have_value(name)

    order(*names)
    handle = page.get_by_role("button", name=re.compile("^Move power 1"))
    handle.focus()
    page.keyboard.press("ArrowDown")
    order(*reversed(names))
    expect(page.get_by_role("button", name=re.compile("^Move power 2"))).to_be_focused()
    start, end = (page.get_by_role("button", name=re.compile(f"^Move power {n}")).bounding_box() for n in (1, 2))
    assert start
    assert end
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 9, end["y"] + 30, steps=4)
    page.mouse.up()
    order(*names)
    page.get_by_role("button", name="Undo").click()
    order(*reversed(names))


def test_a_house_edition_is_filled_in_kept_and_played(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/karma")
    page.get_by_role("radio", name="House edition").check()
    page.get_by_role("button", name="Fewer: Highest number").click()
    page.get_by_role("button", name="More: Bottoms Up").click()
    page.get_by_role("button", name="Fewer: Cards needed to clear").click()
    page.get_by_label("Name of this edition").fill("Sunday")
    page.get_by_role("button", name="Save").click()
    page.reload()
    page.get_by_role("radio", name="House edition").check()
    page.get_by_role("button", name="Sunday", exact=True).click()
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Start game").click()
    page.locator(".hand .group").nth(2).wait_for()
    edition = page.evaluate("threefold.view.edition")
    assert edition["clear"] == 2
    assert edition["numbers"]["to"] == 15
    assert edition["karma"]["BOT"] == 1


def test_a_house_edition_says_when_no_more_kinds_of_cards_fit(new_page: NewPage) -> None:
    printed = {card.code: 1 for card in PRINTED[2:]}
    designs = [
        {"code": code("reverse", name=f"Card {i}"), "copies": 1} for i in range(KINDS - HIGHEST - len(printed) - 1)
    ]
    house = {"name": "Full", "edition": {"karma": printed, "designs": designs}}
    page = new_page()
    page.add_init_script(f"localStorage['threefold.houses'] = {json.dumps(json.dumps([house]))}")
    page.goto("/play/new/karma")
    page.get_by_role("radio", name="House edition").check()
    page.get_by_role("button", name="Full", exact=True).click()
    first, second = (page.get_by_role("button", name=f"More: {say(Text(f'card.{each.code}'))}") for each in PRINTED[:2])
    full = page.get_by_text(f"That's {KINDS} kinds of cards")
    expect(second).to_be_enabled()
    expect(full).to_have_count(0)
    first.click()
    expect(full).to_be_visible()
    expect(second).to_be_disabled()
    expect(first).to_be_enabled()
    page.get_by_role("button", name=f"Fewer: {say(Text(f'card.{PRINTED[2].code}'))}").click()
    expect(full).to_have_count(0)
    second.click()
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Start game").click()
    page.locator(".hand .group").nth(2).wait_for()
    edition = page.evaluate("threefold.view.edition")
    assert len(edition["designs"]) + len(edition["karma"]) + HIGHEST == KINDS


def test_the_table_lists_my_tables_and_games(people: People, server: Server) -> None:
    ada, _ = people(2, edition="mini_round")
    ada.page.goto("/")
    running = ada.page.get_by_role("region", name="Continue")
    expect(running).to_contain_text("Mini Round")
    mine = ada.page.request.get("/api/me/tables").json()[0]
    waits = mine["you"] in [mine["playing"]["players"][each]["guest"] for each in mine["awaited"]]
    expect(running).to_contain_text("Your turn" if waits else "'s turn")
