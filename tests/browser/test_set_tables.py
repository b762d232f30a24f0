"""Whole games of SET in the browser: racing, alone, with personal cards, by keyboard, by ear."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.people import Server, still
from tests.browser.set_people import NAMED, SetPerson, all_see, is_set, no_set_in, seat, sets_in, together
from tests.browser.test_games import words_in
from tests.waiting import wait_until
from threefold.saved import load

Json = Any
NewPage = Callable[..., Page]
SMALL: Json = {"variant": "small_deck", "options": {"layout": 9, "cooldown_ms": 200}}
TAKING: Json = {"variant": "small_deck", "options": {"layout": 9, "call": "with take", "cooldown_ms": 200}}


def holder(people: list[SetPerson]) -> int:
    """Who has control, as all see it."""
    for each in people:
        each.until("threefold.view.control !== null && threefold.open === 0")
    seen = {each.view()["control"] for each in people}
    assert len(seen) == 1
    return int(seen.pop())


def agree(people: list[SetPerson]) -> None:
    """All say that there is no SET."""
    for each in people:
        each.press("No SET here")
    all_see(people)


def test_a_vote_says_who_sees_no_set(new_page: NewPage, server: Server) -> None:
    ada, ben, cleo = seat(new_page, server, 3, "set-vote", SMALL)
    words = [each.page.locator(".status .line") for each in (ada, ben, cleo)]
    ada.press("No SET here")
    expect(words[0]).to_have_text("You see no SET")
    expect(words[1]).to_have_text("Ada sees no SET")
    expect(ada.page.get_by_role("button", name="No SET here"), "said once").to_be_disabled()
    ben.press("No SET here")
    for each in words:
        expect(each).to_have_text("2 of 3 see no SET")
    for player in (0, 1):
        expect(cleo.page.locator(f'[data-chip="{player}"]')).to_contain_text("∅")


def test_without_a_connection_a_race_does_not_ask_for_a_call(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-lost", SMALL, allow="WebSocket")
    line = ada.page.locator(".status .line")
    expect(line).to_contain_text("Press SET!")
    ada.page.context.set_offline(True)
    expect(line).to_have_text("No connection. The others play on.")
    ada.page.context.set_offline(False)
    ada.until("threefold.status === 'connected'")
    expect(line).to_contain_text("Press SET!")


# ---------------------------------------------------------------- Racing


def test_two_people_race_and_exactly_one_gets_each_call(new_page: NewPage, server: Server) -> None:
    people = seat(new_page, server, 2, "set-race", SMALL)
    ada, ben = people
    won = [0, 0]
    while ada.view()["ending"] is None:
        assert_nothing_leaks(people, "set-race")
        found = sets_in(ada.cards())
        if not found:
            agree(people)
            continue
        together(people if sum(won) % 2 else people[::-1], "[data-call]")
        first = holder(people)
        won[first] += 1
        winner, loser = people[first], people[1 - first]
        expect(loser.page.locator(".status")).to_contain_text(f"{winner.name} called SET")
        expect(winner.page.locator(".status")).to_contain_text("tap three cards")
        expect(winner.page.locator(".status")).to_contain_text("first")
        winner.take(found[0])
        all_see(people)
    assert sum(won) == sum(ada.view()["sets"]) > 4
    assert ada.view()["scores"] == ben.view()["scores"] == won
    assert ada.view()["points_lost"] == [0, 0]  # to be slower costs nothing
    settled = [line["event"] for line in ada.store()["lines"] if line["event"]["event"] == "call_settled"]
    assert any(each["others"] for each in settled)
    expect(ada.page.get_by_role("heading", name="You win!" if won[0] >= won[1] else "You lost")).to_be_visible()
    expect(ben.page.get_by_role("row", name=f"Ada {won[0]} {won[0]} 0")).to_be_visible()
    assert_stores_are_what_the_engine_tells(people)
    for each in people:
        each.page.get_by_role("button", name="Play again").click()
    ben.page.locator("button[data-card]").nth(8).wait_for()


def assert_nothing_leaks(people: list[SetPerson], seed: str) -> None:
    """During a game no page knows the deck, or what it was shuffled from."""
    for each in people:
        store = each.store()
        assert f"v1:{seed}" not in str(store)
        assert not {"deck", "random", "setup"} & set(words_in({**store, "table": None}))


def assert_stores_are_what_the_engine_tells(people: list[SetPerson]) -> None:
    """What a page knows is its View and its events; those obey the leak law."""
    people[0].until("threefold.table.playing.id")
    found = people[0].page.request.get(f"/api/games/{people[0].page.evaluate('threefold.table.playing.id')}").json()
    replay = load(found["saved"])
    for each in people:
        store, viewer = each.store(), each.view()["viewer"]
        assert set(store) == {"table", "view", "shown", "lines", "said"}
        assert store["view"] == replay.game.view(replay.table, viewer)
        assert store["shown"] is None
        seen = [event.seen_by(viewer) for events in replay.events for event in events]
        assert [line["event"] for line in store["lines"] if line["event"]["event"] != "call_settled"] == seen


def test_three_taps_at_once_race_for_the_same_set(new_page: NewPage, server: Server) -> None:
    people = seat(new_page, server, 2, "set-taps", TAKING)
    raced = contested = 0
    while raced < 5 and contested < 3:
        found = sets_in(people[0].cards())
        if not found:
            agree(people)
            continue
        raced += 1
        taken = sum(people[0].view()["sets"])
        together(people, *(f'button[data-card="{card}"]' for card in found[0]))
        for each in people:
            each.until("taken => threefold.view.sets[0] + threefold.view.sets[1] > taken && !threefold.open", taken)
        assert sum(people[0].view()["sets"]) == taken + 1
        all_see(people)
        for each in people:
            still(each.page)
        quicker = [each.page.locator(".status.taken").count() for each in people]
        assert sum(quicker) < 2
        if any(quicker):  # on a busy machine the cards may be gone before the other has tapped all three
            contested += 1
            late = people[quicker.index(1)]
            expect(late.page.locator(".status.taken")).to_contain_text(late.why_late())
    assert contested > 0
    assert people[0].view()["points_lost"] == [0, 0]


def test_a_wrong_set_is_explained_on_the_cards_for_everybody(new_page: NewPage, server: Server) -> None:
    people = seat(new_page, server, 2, "set-wrong", SMALL)
    ada, ben = people
    three = no_set_in(ada.cards())
    ada.call()
    ada.take(three)
    for each in people:
        expect(each.page.locator("button.wrong")).to_have_count(3)
        expect(each.page.locator("button.wrong.odd .spoils").first).to_be_visible()
        expect(each.page.locator(".status.wrong")).to_contain_text("not a SET", ignore_case=True)
        assert each.view()["scores"] == [-1, 0]
        expect(each.heard()).to_contain_text(", 1 ")
        expect(each.heard()).to_contain_text(re.compile("one point|a point"))
    expect(ada.page.locator("[data-call]")).to_be_enabled()
    ben.page.get_by_role("button", name="Close").click()
    expect(ben.page.locator("button.wrong")).to_have_count(0)
    expect(ada.page.locator("button.wrong")).to_have_count(3)


def test_a_call_that_ran_out_says_what_it_cost(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-late", {**SMALL, "options": {**SMALL["options"], "call_ms": 500}})
    ada.call()
    expect(ada.page.locator(".status .line")).to_have_text(
        "Time's up: you didn't name a SET. That costs you a point. Your score: -1."
    )
    expect(ben.page.locator(".status .line")).to_have_text(
        "Time's up: Ada didn't name a SET. That costs Ada a point. Score: -1."
    )


def test_a_shared_win_reads_as_a_tie(new_page: NewPage, server: Server) -> None:
    people = seat(new_page, server, 2, "set-tie", SMALL)
    while (view := people[0].view())["ending"] is None:
        if view["deck_size"] > 0 and len(people[0].cards()) == 21:  # a SET must be taken
            taker = people[sum(view["sets"])]
            taker.call()
            taker.take(sets_in(taker.cards())[0])
            all_see(people)
        else:
            agree(people)
    assert people[0].view()["scores"] == [1, 1]
    for each in people:
        expect(each.page.get_by_role("heading", name="It's a tie!")).to_be_visible()
    expect(people[0].page.get_by_text("It's a tie: you and Ben share the win!")).to_be_visible()


def test_a_table_that_deals_by_itself_does_not_ask_whether_there_is_no_set(new_page: NewPage, server: Server) -> None:
    dealing = {"variant": "small_deck", "options": {**TAKING["options"], "auto_deal": True}}
    ada, ben = seat(new_page, server, 2, "set-auto", dealing)
    for each in (ada, ben):
        expect(each.page.locator(".status")).to_be_visible()
        expect(each.page.get_by_role("button", name="No SET here")).to_have_count(0)
    ada.page.keyboard.press("0")
    ada.take(sets_in(ada.cards())[0])
    for each in (ada, ben):
        each.until("threefold.view.sets[0] === 1")
        assert "agreed_no_set" not in [line["event"]["event"] for line in each.store()["lines"]], "the key did nothing"


def test_cards_are_picked_when_the_view_offers_a_take_and_not_before(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-pick", {**SMALL, "options": {**SMALL["options"], "call_ms": 60_000}})
    first = ada.page.locator("button[data-card]").first
    first.click()
    expect(ada.page.locator(".status.tip")).to_be_visible()
    expect(first).to_have_attribute("aria-pressed", "false")
    ben.call()
    ada.until("threefold.view.control === 1")
    expect(first).to_have_attribute("aria-disabled", "true")
    first.click(force=True)
    expect(first).to_have_attribute("aria-pressed", "false")
    theirs = ben.page.locator("button[data-card]").first
    expect(theirs).not_to_have_attribute("aria-disabled", "true")
    theirs.click()
    expect(theirs).to_have_attribute("aria-pressed", "true")


def test_a_press_counts_when_the_finger_comes_down_and_once(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-press", SMALL)
    card = ada.page.locator("button[data-card]")
    card.nth(0).click()
    expect(ada.page.locator(".status")).to_contain_text("Press SET! first")
    ada.page.locator("[data-call]").dispatch_event("pointerdown", {"isPrimary": True, "button": 0})
    assert ada.page.locator("[data-call].called").count() == 1  # at once, before the table has answered
    card.nth(0).dispatch_event("pointerdown", {"isPrimary": True, "button": 0})
    expect(card.nth(0)).to_have_attribute("aria-pressed", "true")
    card.nth(1).click()
    expect(card.nth(1)).to_have_attribute("aria-pressed", "true")
    card.nth(2).evaluate("each => each.click()")
    ada.until("threefold.view.control === null && threefold.view.sets[0] + threefold.view.points_lost[0] === 1")


# ---------------------------------------------------------------- Alone, long, with personal cards


def test_solitaire_to_its_end(new_page: NewPage, server: Server) -> None:
    server.seed("alone12")  # once there is no SET; the penalty is worked off among the last twelve cards
    page = new_page()
    page.goto("/")
    page.get_by_role("region", name="SET").get_by_role("button", name="Solitaire").click()
    page.locator("button[data-card]").nth(11).wait_for()
    ada = SetPerson(page, "Ada")
    penalties = seen = 0
    expect(page.get_by_text(re.compile("−. SET")), "no penalty, no figure").to_have_count(0)
    while ada.view()["ending"] is None:
        found = sets_in(ada.cards())
        if found:
            ada.take(found[0])
        else:
            ada.press("Deal more cards")
            penalties += 1
            expect(page.get_by_text("−1 SET")).to_be_visible()
        if ada.view()["works_off"]:
            expect(page.locator(".status .line")).to_have_text("Last cards: each SET now works off a penalty.")
            seen += 1
    assert penalties == 1
    assert seen > 0, "the View said when"
    expect(page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(page.locator("[data-race]")).to_contain_text("24 SETs")


def test_a_game_alone_is_compared_set_by_set_with_the_best_before(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "alone12", {"variant": "solitaire"})
    race = ada.page.locator("[data-race]")
    play_alone(ada)
    expect(race.get_by_role("status")).to_contain_text("New best")
    expect(race.get_by_text("Seconds per SET")).to_be_visible()
    expect(race.get_by_text("Best before"), "nothing to compare with").to_have_count(0)
    ada.page.get_by_role("button", name="Play again").click()
    ada.until("threefold.view.ending === null")
    ada.page.locator("button[data-card]").first.wait_for()
    ada.take(no_set_in(ada.cards()))
    play_alone(ada)
    took = ada.view()["now"]
    shown = race.locator("[data-read]").text_content()
    assert shown is not None
    assert shown.strip() == f"{took // 60_000}:{took // 1000 % 60:02}.{took // 10 % 100:02}", "in hundredths"
    expect(race.get_by_role("status")).to_contain_text(re.compile(r"[+−]\d+\.\d\d s"))
    expect(race.get_by_text(re.compile("Best before|Your best"))).to_be_visible()
    expect(race.locator("svg path.before")).to_have_count(1)
    figures = [each.inner_text() for each in race.locator("dd").all()]
    median, fastest, average = (float(each.removesuffix(" s")) for each in figures[:3])
    assert fastest <= min(median, average)
    assert figures[3] == "1", "mistakes"
    expect(race.locator("section")).to_contain_text(re.compile(r"Your slowest SET.*\d\.\d\d s.*differ"))


def play_alone(person: SetPerson) -> None:
    """A game of solitaire to its end, by moves without taps."""
    while person.view()["ending"] is None:
        before, found = person.seq(), sets_in(person.cards())
        move = "take " + " ".join(found[0]) if found else "more cards"
        person.page.evaluate("move => threefold.move(move)", move)
        person.until("seq => threefold.seq > seq && threefold.open === 0", before)
    person.page.get_by_role("button", name="Play again").wait_for()


def test_cards_keep_row_and_column_from_twelve_to_twenty_one(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "set-places", {"variant": "solitaire"})
    ground = ada.page.locator("div.ground").bounding_box()
    first = spoken_places(ada)
    ada.press("Deal more cards")
    assert {card: place for card, place in spoken_places(ada).items() if card in first} == first
    taken = sets_in(ada.cards())[0]
    ada.take(taken)
    now = spoken_places(ada)
    assert {card: now[card] for card in first if card not in taken} == {
        card: place for card, place in first.items() if card not in taken
    }
    while len(places(ada)) < 21:
        ada.press("Deal more cards")
    assert ada.page.locator("div.ground").bounding_box() == ground, "the board has a fixed size"
    assert ada.overflow() <= 0


def spoken_places(person: SetPerson) -> dict[str, str]:
    """Card -> its row and column, as they are read out."""
    return {
        each.get_attribute("data-card") or "": (each.text_content() or "").split(", ", 1)[1][:17]
        for each in person.page.locator("button[data-card]").all()
    }


def places(person: SetPerson) -> list[Json]:
    return [each.bounding_box() for each in person.page.locator("button[data-card]").all()]


@pytest.mark.slow
def test_the_longer_game_is_dealt_by_each(new_page: NewPage, server: Server) -> None:
    options = {"call": "with take", "auto_deal": True, "cooldown_ms": 100}
    people = seat(new_page, server, 2, "set-longer", {"variant": "longer_game", "options": options})
    expect(people[0].page.get_by_text("Deal 1 of 2")).to_be_visible()
    turn = 0
    while people[0].view()["ending"] is None:
        found = sets_in(people[0].cards())
        if found and people[0].view()["next_deal_at"] is None:
            people[turn % 2].take(found[0])
            turn += 1
        all_see(people)
        if people[0].view()["deal"] == 2 and turn % 10 == 0:
            expect(people[0].page.get_by_text("Deal 2 of 2")).to_be_visible()
    assert sum(people[0].view()["sets"]) == turn > 30
    people[1].page.get_by_role("button", name="Play again").wait_for()


def test_three_play_20_20_to_the_goal(new_page: NewPage, server: Server) -> None:
    setup = {"variant": "twenty_twenty", "options": {"cooldown_ms": 150}}
    people = seat(new_page, server, 3, "tt184", setup)
    ada, ben, cleo = people
    ben.press("Ask for a card")
    cleo.call()
    cleo.take(no_set_in(cleo.cards()))
    all_see(people)
    assert [len([card for card in hand if card]) for hand in ada.view()["personal"]] == [6, 7, 7]
    expect(ada.page.get_by_role("button", name="Ben: 7 cards")).to_be_visible()
    expect(ada.page.get_by_role("list", name="Your cards").get_by_role("button")).to_have_count(6)
    while ada.view()["ending"] is None:
        if ada.view()["next_deal_at"] is not None:
            ada.until("threefold.view.next_deal_at === null")
            continue
        view = ada.view()
        own = set(view["personal"][0]) - {None}
        found = sorted(sets_in(ada.cards()), key=lambda three: -len(own & set(three)))
        if found and own & set(found[0]):
            ada.call()
            ada.take(found[0])
        elif len(own) in range(4, 9) and not found:
            ada.press("Ask for a card")
        else:
            agree(people)
        all_see(people)
    assert ada.view()["scores"][0] >= ada.view()["target"] == 30
    hands = ada.view()["deal"]  # nobody else ever gets rid of a card
    assert hands > 1
    expect(ada.page.get_by_role("heading", name="You win!")).to_be_visible()
    expect(
        ben.page.get_by_role("row", name=f"Ada {ada.view()['scores'][0]} {ada.view()['sets'][0]} {hands}")
    ).to_be_visible()


# ---------------------------------------------------------------- By keyboard, by ear


def test_one_plays_by_keyboard_alone_the_other_by_what_a_screen_reader_is_given(
    new_page: NewPage, server: Server
) -> None:
    ada, ben = seat(new_page, server, 2, "set-keys", SMALL, width=1280, height=800)
    listening = Listener(ben.page)
    moves = 0
    while ada.view()["ending"] is None:
        before = ada.seq()
        lying = {card: f"row {i % 3 + 1}, column {i // 3 + 1}" for i, card in enumerate(ada.cards()) if card}
        wait_until(lambda lying=lying: listening.places() == lying, "for the cards to be read out")  # type: ignore[misc]
        cards = listening.cards()
        found = sets_in(list(cards))
        if not found:
            ada.page.keyboard.press("0")
            ben.until("threefold.view.agreed.length === 1")
            listening.button("No SET here").evaluate("each => each.click()")
        elif moves % 2 == 0:
            type_out(ada, found[0])
        else:
            listening.take(cards, found[0])
        moves += 1
        all_see([ada, ben], before + 1)
        for each in (ada, ben):
            each.until("threefold.open === 0 && threefold.view.control === null || threefold.view.ending")
        all_see([ada, ben])
        if found and ada.view()["ending"] is None:
            expect(listening.log()).to_contain_text(re.compile("takes? a SET"))
    assert min(ada.view()["sets"]) > 1
    expect(ada.page.get_by_role("button", name="Play again")).to_be_visible()


def type_out(person: SetPerson, three: tuple[str, ...]) -> None:
    """Space, then the letters that lie where the cards do."""
    keys = person.page.keyboard
    keys.press("Space")
    letters = "qazwsxedcrfvtgbyhnujm"
    for card in three:
        keys.press(letters[person.cards().index(card)])


class Listener:
    """Somebody who knows roles and names, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def cards(self) -> dict[str, tuple[str, Locator]]:
        """The cards by what they are called, each with its place in words."""
        buttons = self.page.get_by_role("list", name="Cards on the table").get_by_role("button")
        tree = self.page.get_by_role("list", name="Cards on the table").aria_snapshot()
        named = [name.split(", ", 1) for name in re.findall(r'button "([^"]+)"', tree)]
        return {NAMED[words]: (place, buttons.nth(i)) for i, (words, place) in enumerate(named)}

    def places(self) -> dict[str, str]:
        """Where each card lies, in words."""
        return {card: place for card, (place, _) in self.cards().items()}

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name)

    def take(self, cards: dict[str, tuple[str, Locator]], three: tuple[str, ...]) -> None:
        """Activates buttons as a screen reader does."""
        self.button("SET!").evaluate("each => each.click()")
        self.page.get_by_text("You called: tap three cards").first.wait_for(state="attached")
        for card in three:
            cards[card][1].evaluate("each => each.click()")

    def log(self) -> Locator:
        return self.page.get_by_role("log", name="What happened")


def test_those_who_listen_hear_which_cards_are_new_and_where(new_page: NewPage, server: Server) -> None:
    (ada,) = seat(new_page, server, 1, "set-hear", {"variant": "solitaire"})
    ada.press("Deal more cards")
    new = ada.cards()[12:]
    for i, card in enumerate(new):
        name = next(words for words, each in NAMED.items() if each == card)
        expect(ada.heard()).to_contain_text(f"{name}, row 5, column {i + 1}")
    ada.page.locator("button[data-card]").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        ada.page.keyboard.press(key)
    expect(ada.page.locator('button[data-place="4"]')).to_be_focused()
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator('button[data-place="4"]')).to_have_attribute("aria-pressed", "true")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator('button[data-place="4"]')).to_have_attribute("aria-pressed", "false")


# ---------------------------------------------------------------- At the table


def test_everybody_s_sets_can_be_looked_at_and_a_pause_covers_the_cards(new_page: NewPage, server: Server) -> None:
    ada, ben = seat(new_page, server, 2, "set-look", SMALL)
    three = sets_in(ada.cards())[0]
    ada.call()
    ada.take(three)
    all_see([ada, ben])
    ben.page.get_by_role("button", name="Ada: one point").click()
    expect(ben.page.get_by_role("dialog").locator("svg.set")).to_have_count(3)
    ben.page.keyboard.press("Escape")
    ada.page.get_by_role("button", name="More", exact=True).click()
    ada.page.get_by_role("button", name="Pause").click()
    expect(ben.page.get_by_text("The cards stay hidden")).to_be_visible()
    expect(ben.page.locator("[data-card]")).to_have_count(0)
    for each in (ada, ben):
        expect(each.page.locator(".status"), "nobody can press SET! now").to_contain_text("Paused")
        expect(each.page.locator(".status")).not_to_contain_text("Press")
    ben.page.get_by_role("button", name="Resume").click()
    expect(ada.page.locator("button[data-card]")).to_have_count(9)


def test_a_table_with_other_options_is_made_by_taps(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/play/new/set")
    expect(page.get_by_role("radio", name="Quick rules")).to_be_checked()
    page.get_by_role("radio", name="Tabletop rules").check()
    page.get_by_role("radio", name="Small deck").check()
    expect(page.get_by_role("radio", name="Press SET!, then tap")).to_be_checked()
    page.get_by_role("radio", name="Just tap three cards").check()
    expect(page.get_by_role("radio", name="Tabletop rules")).not_to_be_checked()
    page.get_by_role("radio", name="9", exact=True).check()
    page.get_by_role("checkbox", name="Deal more automatically").check()
    page.get_by_role("button", name="More: Bots").click()
    page.get_by_role("button", name="More: Bots").click()
    page.get_by_role("button", name="Start now").click()
    page.locator("button[data-card]").nth(8).wait_for()
    options = page.evaluate("threefold.view.options")
    assert {**options, "layout": 9, "call": "with take", "auto_deal": True} == options
    expect(page.locator("[data-call]")).to_have_count(0)


def test_play_now_takes_three_cards_at_once_and_tabletop_rules_are_one_tap_away_and_remembered(
    new_page: NewPage, server: Server
) -> None:
    server.seed("set-now")
    page = new_page()
    page.goto("/")
    tile = page.get_by_role("region", name="SET")
    tile.get_by_role("button", name="Play now").click()
    page.locator("button[data-card]").nth(11).wait_for()
    expect(page.locator("[data-call]")).to_have_count(0)
    assert page.evaluate("[threefold.view.options.call, threefold.view.options.auto_deal]") == ["with take", True]
    page.goto("/play/settings")
    page.get_by_role("radio", name="Tabletop rules").check()
    page.reload()
    expect(page.get_by_role("radio", name="Tabletop rules"), "remembered").to_be_checked()
    page.goto("/")
    tile.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-call]")).to_be_visible()
    assert page.evaluate("[threefold.view.options.call, threefold.view.options.auto_deal]") == ["first", False]
    page.goto("/play/new/set")
    expect(page.get_by_role("radio", name="Tabletop rules")).to_be_checked()


def test_a_spectator_sees_everything_and_can_press_nothing(new_page: NewPage, server: Server) -> None:
    ada, _ = seat(new_page, server, 2, "set-watch", SMALL)
    zoe = SetPerson(new_page(), "Zoe")
    zoe.be_somebody()
    zoe.come(f"/t/{ada.page.evaluate('threefold.code')}")
    cards = zoe.page.get_by_role("list", name="Cards on the table")
    expect(cards.get_by_role("img")).to_have_count(9)
    expect(cards.get_by_role("button")).to_have_count(0)
    expect(zoe.page.get_by_role("button", name="SET!")).to_have_count(0)
    ada.call()
    expect(zoe.page.locator(".status")).to_contain_text("Ada called SET")


# ---------------------------------------------------------------- Colours and keys


def test_palettes_and_signs_are_chosen_in_the_settings_and_hold_at_the_table(new_page: NewPage, server: Server) -> None:
    page = new_page()
    page.goto("/play/settings")
    first = "getComputedStyle(document.querySelector('svg.set.red')).color"
    expect(page.get_by_role("radio", name="Colour-blind safe")).to_be_visible()
    still(page)
    assert page.evaluate(first) == "rgb(212, 33, 60)"
    page.get_by_role("radio", name="Colour-blind safe").check()
    still(page)
    assert page.evaluate(first) == "rgb(211, 17, 15)"
    page.get_by_role("checkbox", name="Mark each colour with a sign").check()
    page.get_by_role("group", name="Colours").get_by_role("radio", name="High contrast").check()
    page.emulate_media(color_scheme="dark")
    ada = SetPerson(page, "Ada")
    server.seed("set-colours")
    made = ada.make_table({"game": "set", "variant": "solitaire", "seats": 1, "start": True})
    ada.come(made["path"])
    page.locator("button[data-card]").first.wait_for()
    still(page)
    face = "getComputedStyle(document.querySelector('button[data-card] .face-of')).backgroundColor"
    assert page.evaluate(face) == "rgb(0, 0, 0)"
    symbols = sum(int(card[0]) for card in ada.cards() if card)
    expect(page.locator("svg.set circle.plain")).to_have_count(symbols)


def test_keys_of_one_s_own_are_pressed_once_each_and_conflicts_are_explained(new_page: NewPage, server: Server) -> None:
    page = new_page(width=1280, height=800)
    page.goto("/play/settings")
    page.get_by_role("radio", name="Dvorak").check()
    expect(page.get_by_role("list", name="Card keys")).to_contain_text("aoeuidh")
    page.get_by_role("radio", name="My own").check()
    page.get_by_role("button", name="Key for row 1, column 1:").click()
    page.keyboard.press("Space")
    expect(page.get_by_text("is already used for something else")).to_be_visible()
    page.get_by_role("button", name="Key for row 1, column 1:").click()
    page.keyboard.press("m")
    expect(page.get_by_text("M was the key for row 3, column 7. The two have swapped.")).to_be_visible()
    page.get_by_role("button", name="Key for row 2, column 1:").click()
    page.keyboard.press("]")
    ada = SetPerson(page, "Ada")
    server.seed("set-own-keys")
    made = ada.make_table({"game": "set", "variant": "solitaire", "seats": 1, "start": True})
    ada.come(made["path"])
    page.locator("button[data-card]").first.wait_for()
    expect(page.locator('button[data-place="1"] kbd')).to_have_text("m")
    for key, place in (("m", 1), ("]", 2)):
        page.keyboard.press(key)
        expect(page.locator(f'button[data-place="{place}"]')).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("call SET")


def test_is_set_is_the_engine_s() -> None:
    assert is_set(("1RSD", "2RSD", "3RSD"))
    assert not is_set(("1RSD", "2RSD", "3RSO"))
