"""Film strips: the signature moments, frame by frame, side by side in one picture.

The page's clock and its animations are stopped before the moment and then moved on by hand, so a strip shows the same
frames on every machine. Messages of the server that follow the moment are held back.
"""

import io
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image
from playwright.sync_api import CDPSession, Page, WebSocketRoute

from tests.browser.karma_states import OTHERS, QUESTIONS, sit_at
from tests.browser.people import Person, Server
from tests.browser.set_people import SetPerson, seat, sets_in

NewPage = Callable[..., Page]
STEP_MS = 60
FRAMES = 20
FRAMES_PER_ROW = 10
FRAME_WIDTH = 195
GAP = 4

STEP = """
(milliseconds) => {
  globalThis.filmed ??= new Map();
  for (const each of document.getAnimations()) {
    const time = (filmed.get(each) ?? 0) + milliseconds;
    filmed.set(each, time);
    if (time >= each.effect.getComputedTiming().endTime) each.finish();
    else each.currentTime = time;
  }
}
"""
"""Moves every animation on; those that are over finish, so that the page goes on."""


@dataclass  # without slots: Playwright notes its handlers on the object
class Socket:
    """The page's socket. Once it is armed, the next View is the last message that the page gets."""

    armed: bool = False
    held: bool = False

    def route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: self.pass_on(socket, message))

    def pass_on(self, socket: WebSocketRoute, message: str | bytes) -> None:
        if self.held:
            return
        self.held = self.armed and '"is":"view"' in str(message).replace(" ", "")
        socket.send(message)


@dataclass(frozen=True, slots=True)
class Film:
    """Pages that can be stopped in time."""

    open_page: NewPage
    server: Server

    def new_page(self, **_: object) -> Page:
        """A page with a clock that can be stopped."""
        page = self.open_page()
        page.clock.install()
        return page

    def shoot(self, person: Person, act: Callable[[], None], shown: str = "true") -> list[bytes]:
        """Frames of a page from a moment on: `act` causes it; it has arrived when `shown` holds after a new entry."""
        page, before = person.page, person.page.evaluate("threefold.seq")
        page.wait_for_load_state("networkidle")
        cdp = stopped(page)
        act()
        person.until(f"before => threefold.seq > before && threefold.open === 0 && Boolean({shown})", before)
        frames = []
        for _ in range(FRAMES):
            frames.append(page.screenshot())
            page.evaluate(STEP, STEP_MS)
            page.clock.run_for(STEP_MS)
        cdp.detach()
        return frames

    # ------------------------------------------------------------ Karma

    def karma(self, position: str, move: str) -> list[bytes]:
        """One move in a position of Karma; the bots' answers are held back."""
        socket = Socket()

        def new_page(**_: object) -> Page:
            page = self.new_page()
            page.route_web_socket("**/socket", socket.route)
            return page

        ada = sit_at(new_page, self.server, position, pace="human")

        def act() -> None:
            socket.armed = True
            ada.page.evaluate("move => threefold.move(move)", move)

        return self.shoot(ada, act)

    def deal(self) -> list[bytes]:
        ada = self.lobby()
        start = ada.page.get_by_role("button", name="Start game")
        return self.shoot(ada, start.click, "document.querySelector('.hand .group')")

    def reveal(self) -> list[bytes]:
        ada = self.lobby()
        ada.page.get_by_role("button", name="Start game").click()
        ada.page.locator(".hand .group").first.wait_for()
        ada.until("threefold.view.awaits.every(each => each.player === threefold.view.viewer)")
        move = ada.careful_move()
        return self.shoot(ada, lambda: ada.page.evaluate("move => threefold.move(move)", move))

    def lobby(self) -> Person:
        """The host of a table of four, before the game."""
        self.server.seed("g20")
        ada = Person(self.new_page(), "Ada")
        table = {"game": "karma", "seats": 4, "bots": ["careful"] * 3, "pace": "fast"}
        ada.come(ada.make_table(table)["path"])
        ada.page.get_by_role("button", name="Start game").wait_for()
        return ada

    # ------------------------------------------------------------ SET

    def taken(self, *, mine: bool) -> list[bytes]:
        """A SET of the viewer, or of the other player."""
        setup = {"variant": "full", "options": {"call": "with take", "auto_deal": True, "cooldown_ms": 0}}
        ada, ben = seat(self.new_page, self.server, 2, "set-places", setup)
        move = "take " + " ".join(sets_in(ada.cards())[0])
        taker: SetPerson = ada if mine else ben
        return self.shoot(ada, lambda: taker.page.evaluate("move => threefold.move(move)", move))


def stopped(page: Page) -> CDPSession:
    """Stops the page's clock and its animations."""
    page.clock.pause_at(page.evaluate("Date.now()") + 1)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Animation.enable")
    cdp.send("Animation.setPlaybackRate", {"playbackRate": 0})
    return cdp


LAST_CARD = f"{QUESTIONS['turn'].partition('; ')[0]}; 0 hand 12; {OTHERS}; turn 0; pile 6 8 8 9"
CLEARING = (
    f"{QUESTIONS['turn'].partition('; ')[0]}; 0 hand CLR 4 5 up 14 3 12 down 1 2 5; {OTHERS}; turn 0; pile 6 8 8 9"
)
STRIPS: dict[str, Callable[[Film], list[bytes]]] = {
    "deal": Film.deal,
    "reveal": Film.reveal,
    "play": lambda film: film.karma(QUESTIONS["turn"], "play 12 12"),
    "clear": lambda film: film.karma(CLEARING, "play CLR"),
    "give-away": lambda film: film.karma(QUESTIONS["give-pile"], "choose 2"),
    "flip": lambda film: film.karma(QUESTIONS["flip"], "flip 2"),
    "safe": lambda film: film.karma(LAST_CARD, "play 12"),
    "my-set": lambda film: film.taken(mine=True),
    "their-set": lambda film: film.taken(mine=False),
}
"""Each strip by its name."""


def strip(frames: list[bytes]) -> Image.Image:
    """Frames side by side, made smaller, in rows that a screen shows whole."""
    pictures = [Image.open(io.BytesIO(each)).convert("RGB") for each in frames]
    width, height = FRAME_WIDTH, round(pictures[0].height * FRAME_WIDTH / pictures[0].width)
    rows = -(-len(pictures) // FRAMES_PER_ROW)
    result = Image.new("RGB", (FRAMES_PER_ROW * (width + GAP) - GAP, rows * (height + GAP) - GAP), "white")
    for number, each in enumerate(pictures):
        row, column = divmod(number, FRAMES_PER_ROW)
        small = each.resize((width, height), Image.Resampling.LANCZOS)
        result.paste(small, (column * (width + GAP), row * (height + GAP)))
    return result
