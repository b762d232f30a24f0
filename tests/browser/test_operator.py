"""The operator's page: by the token alone, it closes a table and keeps somebody out, and lets them in again."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.people import Person, Server

NewPage = Callable[..., Page]


def enter(page: Page, server: Server) -> None:
    page.goto("/operator")
    page.get_by_label("Operator’s token").fill(server.operator_token)
    page.get_by_role("button", name="Show page").click()
    page.get_by_role("heading", name="Server status").wait_for()


def test_a_wrong_token_opens_nothing(new_page: NewPage) -> None:
    page = new_page(allow="403")
    page.goto("/operator")
    page.get_by_label("Operator’s token").fill("guess")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("for the operator only").wait_for()
    expect(page.get_by_role("heading", name="Server status")).to_have_count(0)


def test_the_operator_closes_a_table_bans_and_lifts_the_ban(new_page: NewPage, server: Server) -> None:
    troll = Person(new_page(allow="403"), "Trollinger")
    made = troll.make_table({"game": "karma", "bots": ["careful"]})
    troll.come(made["path"])
    page = new_page(width=1280, height=800)
    enter(page, server)
    page.reload()
    page.get_by_role("heading", name="Server status").wait_for()
    page.get_by_label("Code or game").fill(made["code"])
    page.get_by_role("button", name=f"Close {made['code']}").click()
    page.get_by_label("Message to them").fill("Time for bed.")
    page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).last.click()
    troll.page.get_by_text("The operator of this server has closed").wait_for()
    troll.page.get_by_text("Time for bed.").wait_for()
    again = troll.make_table({"game": "karma", "bots": ["careful"]})
    troll.come(again["path"])
    page.get_by_label("Name", exact=True).fill("trollinger")
    page.get_by_role("button", name="Ban Trollinger").click()
    page.get_by_label("For how long").select_option("one week")
    page.get_by_role("dialog").get_by_role("button", name="Ban", exact=True).click()
    troll.page.get_by_text("asked to stay away").wait_for()
    page.get_by_role("button", name="Lift ban Trollinger").click()
    page.get_by_text("The ban is lifted.").wait_for()
    troll.come(again["path"])
    page.get_by_role("button", name="Forget token").click()
    page.get_by_role("button", name="Show page").wait_for()
    assert page.evaluate("sessionStorage.length") == 0
