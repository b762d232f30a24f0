"""Benchmark of the page: its size, the delay from a tap to motion and to all screens, and its longest task.

./run bench page                  all figures
./run bench page --json           one object with the same figures
./run bench page --only calling   one part: a function of this file
./run bench page --lighthouse     Lighthouse too, five times on a table page (fetches it from the npm registry)

A real server and a real browser on this machine. `first_load_karma_kb`, `first_load_set_kb`: the compressed JavaScript
and CSS that a first visit fetches, from the home page through "Play now" into a running game; `font_…_kb`: the font on
the same way. `sounds_…_kb`: the sounds that a page with sounds on fetches before and after its first game starts.
`tap_to_motion_ms`: from the tap to the first frame in which the card has moved. `tap_to_everybody_ms`: from a person's
tap until three other browsers show it. `longest_task_ms`: the longest task while a table of twelve plays, with the
processor slowed down four times. Medians of several rounds, and the worst. Figures with a limit say whether it is kept.

SET: `call_leaves_ms`: from the touch of the button, by the time stamp of its event, until the call is handed to the
socket. `call_to_everybody_ms`: from that touch until three browsers have drawn who has control, including the window in
which calls are settled.

`replay_opens_ms`: from the tap on a game of 500 moves in a player's list until its replay is drawn;
`replay_opens_first_visit_ms`: from opening a link to its middle, for a new visitor with an empty cache. Each game is
opened for the first time.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import hatch_build  # noqa: E402 (the folder above is on the path now)
from tests.browser.conftest import ARGUMENTS, chromium, serving  # noqa: E402 (likewise)
from tests.browser.past import who  # noqa: E402 (likewise)
from tests.browser.people import Person, Server  # noqa: E402 (likewise)
from tests.browser.places import Lone  # noqa: E402 (likewise)
from tests.browser.set_people import SetPerson, all_see, seat  # noqa: E402 (likewise)
from tests.finished import planted, play_out  # noqa: E402 (likewise)

Json = Any
TAPS = 12
FIRST_CARDS = {"Karma": ".hand .group", "SET": "button[data-card]"}
SOUNDS = "synthesiser"
"""The name of the part of the page that makes the sounds."""
LIMITS = {
    "first_load_karma_kb": 95,
    "first_load_set_kb": 95,
    "font_karma_kb": 35,
    "font_set_kb": 35,
    "sounds_before_game_kb": 0,
    "tap_to_motion_ms": 50,
    "tap_to_motion_worst_ms": 50,
    "longest_task_ms": 50,
}
"""Figure -> the most that it may be."""
LEAST = {"lighthouse_performance": 0.95, "lighthouse_accessibility": 1.0, "lighthouse_best_practices": 1.0}
"""Figure -> the least that it may be."""
LIGHTHOUSE = "lighthouse@13.5.0"
WATCH_TAP = """
() => {
  const hand = document.querySelector('ul.hand');
  globalThis.tapped = null;
  hand.addEventListener('click', event => {
    const card = event.target.closest('.group');
    const before = card.querySelector('.one').getBoundingClientRect().top;
    const began = performance.now();
    const look = () => {
      const one = card.isConnected ? card.querySelector('.one') : null;
      if (!one || Math.abs(one.getBoundingClientRect().top - before) > 0.5 || document.querySelector('.flying')) {
        globalThis.tapped = performance.now() - began;
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true, once: true });
}
"""
WATCH_SEQ = """
() => {
  globalThis.shownAt = {};
  const look = () => {
    const seq = globalThis.threefold?.seq ?? 0;
    globalThis.shownAt[seq] ??= Date.now();
    requestAnimationFrame(look);
  };
  look();
}
"""
WATCH_CALL = """
() => {
  globalThis.calls = { touched: 0, left: null, shown: null };
  const calls = globalThis.calls;
  const button = document.querySelector('[data-call]');
  button?.addEventListener('pointerdown', event => {
    [calls.touched, calls.stamp] = [Date.now() - (performance.now() - event.timeStamp), event.timeStamp];
  }, { capture: true, once: true });
  globalThis.sends ??= WebSocket.prototype.send;
  WebSocket.prototype.send = function (message) {
    globalThis.sends.call(this, message);
    if (String(message).includes('"call"')) calls.left ??= performance.now() - calls.stamp;
  };
  const look = () => {
    if (document.querySelector('.status .run-out')) calls.shown = Date.now();
    else requestAnimationFrame(look);
  };
  look();
}
"""
WATCH_REPLAY = """
  const look = () => {
    if (document.querySelector('.felt .discard') && document.querySelector('input[type=range]')?.max === '500') {
      requestAnimationFrame(() => setTimeout(() => { globalThis.drawnAt = performance.now(); }));
    } else requestAnimationFrame(look);
  };
  look();
"""
REPLAYED = 500
ROUNDS = 9
WATCH_TASKS = """
() => {
  globalThis.tasks = [];
  new PerformanceObserver(list => list.getEntries().forEach(each => globalThis.tasks.push(each.duration)))
    .observe({ type: 'longtask' });
}
"""


def open_page(browser: Browser, server: Server, width: int = 390, height: int = 844) -> Page:
    """A new browser context with animations enabled."""
    context = browser.new_context(base_url=server.url, viewport={"width": width, "height": height}, locale="en-GB")
    return context.new_page()


def first_load(browser: Browser, server: Server) -> Json:
    """Compressed kilobytes of a first visit to a running game of each kind, and the seconds until its cards show."""
    figures: dict[str, float] = {}
    for game, cards in FIRST_CARDS.items():
        page = open_page(browser, server)
        loaded = watch_loads(page)
        page.goto("/")
        page.get_by_role("region", name=game).get_by_role("button", name="Play now").wait_for()
        page.evaluate("document.fonts.ready.then(() => null)")
        began = time.perf_counter()
        page.get_by_role("region", name=game).get_by_role("button", name="Play now").click()
        page.locator(cards).nth(5).wait_for()
        seconds = time.perf_counter() - began
        page.wait_for_load_state("networkidle")  # parts that load after the cards count too
        name = game.lower()
        figures |= {
            f"first_load_{name}_kb": kilobytes(loaded, ".js", ".css"),
            f"font_{name}_kb": kilobytes(loaded, ".woff2"),
            f"play_now_{name}_s": round(seconds, 2),
        }
        page.context.close()
    return figures


def sounds_load(browser: Browser, server: Server) -> Json:
    """Kilobytes of sounds that a page with sounds on loads before and after its first game starts."""
    page = open_page(browser, server)
    page.add_init_script("""localStorage['threefold.settings'] ??= '{"volume":"quiet"}'""")
    loaded = watch_loads(page)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    before = kilobytes({url: size for url, size in loaded.items() if SOUNDS in url}, ".js")
    page.get_by_role("region", name="Karma").get_by_role("button", name="Play now").click()
    arrived = f"performance.getEntriesByType('resource').some(each => each.name.includes('{SOUNDS}'))"
    Person(page, "Ada").until(arrived, seconds=30)
    page.wait_for_load_state("networkidle")
    after = kilobytes({url: size for url, size in loaded.items() if SOUNDS in url}, ".js")
    page.context.close()
    return {"sounds_before_game_kb": before, "sounds_in_game_kb": after}


def watch_loads(page: Page) -> dict[str, int]:
    """Address -> compressed bytes of the parts of the page, filled while they load."""
    sizes: dict[str, int] = {}

    def count(answer: Any) -> None:
        if "/assets/" in answer.url:
            sizes[answer.url] = int(answer.headers["content-length"])

    page.on("response", count)
    return sizes


def kilobytes(sizes: dict[str, int], *endings: str) -> float:
    """The sum of the files with these endings."""
    return round(sum(size for url, size in sizes.items() if url.endswith(endings)) / 1000, 1)


def alone(browser: Browser, server: Server, seats: int, edition: str, **more: Any) -> Lone:
    """A person at a table of fast bots."""
    person = Lone(open_page(browser, server), "Ada")
    table = {"game": "karma", "edition": edition, "seats": seats, "bots": ["careful"] * (seats - 1), "pace": "fast"}
    person.come(person.make_table({**table, "start": True, **more})["path"])
    person.page.locator(".hand .group").first.wait_for()
    return person


def tap_to_motion(browser: Browser, server: Server) -> Json:
    """Milliseconds from the tap on a card to the first frame in which it moves."""
    server.seed("bench")
    person = alone(browser, server, 3, "classic")
    person.play_until("threefold.view.turn !== null")
    delays: list[float] = []
    for _ in range(40 * TAPS):
        if len(delays) == TAPS or person.view()["ending"] is not None:
            break
        person.until("threefold.view.ending || (threefold.view.moves.length && threefold.open === 0)", seconds=30)
        person.until("!threefold.presenter?.playing", seconds=30)
        move = "" if person.view()["ending"] is not None else person.careful_move()
        before = person.page.evaluate("threefold.seq")
        if move.startswith("play") and person.page.locator(".hand .group.lit").count():
            person.page.evaluate(WATCH_TAP)
            person.tap_out(move)
            person.until("globalThis.tapped !== null")
            delays.append(person.page.evaluate("globalThis.tapped"))
        elif move:
            person.page.evaluate("move => threefold.move(move)", move)
        person.until("seq => threefold.seq > seq || threefold.view.ending", before)
    person.page.context.close()
    return {"tap_to_motion_ms": round(median(delays), 1), "tap_to_motion_worst_ms": round(max(delays), 1)}


def tap_to_everybody(browser: Browser, server: Server) -> Json:
    """Milliseconds from a tap until the other three browsers show the move."""
    server.seed("g141")
    host = Person(open_page(browser, server), "Ada")
    made = host.make_table({"game": "karma", "edition": "classic", "seats": 4})
    seated = [host, *(Person(open_page(browser, server), name) for name in ("Ben", "Cleo", "Dov"))]
    for each in seated:
        if each is not host:
            each.be_somebody()
        each.come(made["path"])
        if each is not host:
            each.sit()
    host.page.get_by_role("button", name="Start game").click()
    for each in seated:
        each.page.locator(".hand .group").first.wait_for()
        each.page.evaluate(WATCH_SEQ)
    delays = []
    for _ in range(TAPS + 4):
        player = seated[host.view()["awaits"][0]["player"]]
        player.until("threefold.view.moves.length && threefold.open === 0 && !threefold.presenter?.playing", seconds=30)
        move, seq = player.careful_move(), player.page.evaluate("threefold.seq")
        player.page.evaluate("() => addEventListener('click', () => { globalThis.tapAt = Date.now(); }, true)")
        player.tap_out(move)
        for each in seated:
            each.until("seq => threefold.seq > seq", seq)
        tapped = player.page.evaluate("globalThis.tapAt")
        shown = [each.page.evaluate("seq => globalThis.shownAt[seq]", seq + 1) for each in seated]
        if all(shown):
            delays.append(max(shown) - tapped)
    for each in seated:
        each.page.context.close()
    return {"tap_to_everybody_ms": round(median(delays), 1), "tap_to_everybody_worst_ms": round(max(delays), 1)}


def calling(browser: Browser, server: Server) -> Json:
    """Milliseconds from the touch of the SET button to the socket, and until three screens show who has control."""

    def new_page(**_: Any) -> Page:
        return open_page(browser, server)

    options = {"cooldown_ms": 0}
    people: list[SetPerson] = seat(new_page, server, 3, "bench", {"variant": "full", "options": options})
    people[0].page.wait_for_timeout(2_000)  # by then the server has measured round trips
    left, shown = [], []
    for i in range(2 * TAPS):
        caller = people[i % 3]
        for each in people:
            each.page.evaluate(WATCH_CALL)
        caller.page.locator("[data-call]").click()
        for each in people:
            each.until("globalThis.calls.shown !== null")
        calls = [each.page.evaluate("globalThis.calls") for each in people]
        left.append(calls[i % 3]["left"])
        shown.append(max(each["shown"] for each in calls) - calls[i % 3]["touched"])
        caller.press("Give up")
        all_see(people)
    for each in people:
        each.page.context.close()
    return {
        "call_leaves_ms": round(median(left), 1),
        "call_leaves_worst_ms": round(max(left), 1),
        "call_to_everybody_ms": round(median(shown), 1),
        "call_to_everybody_worst_ms": round(max(shown), 1),
    }


def longest_task(browser: Browser, server: Server) -> Json:
    """The longest task, in milliseconds, while twelve seats animate on a slow processor."""
    server.seed("g7")
    person = Person(open_page(browser, server, 1280, 800), "Zoe")
    table = {"game": "karma", "edition": "classic", "seats": 12, "options": {"decks": 2}, "bots": ["careful"] * 12}
    person.come(person.make_table({**table, "start": True})["path"])
    person.until("threefold.view && threefold.view.turn !== null", seconds=60)
    person.page.evaluate(WATCH_TASKS)
    slow = person.page.context.new_cdp_session(person.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    person.page.wait_for_timeout(15_000)
    tasks = person.page.evaluate("globalThis.tasks")
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    person.page.context.close()
    return {"longest_task_ms": round(max(tasks, default=0)), "tasks_over_50_ms": len(tasks)}


def replay_opens(browser: Browser, server: Server) -> Json:
    """Milliseconds until a replay of 500 moves is drawn: from the list of one's games, and for new visitors.

    Each round is another game; a new visitor has another browser context: neither it nor the server has seen the game.
    """
    bots = ["random"] * 6
    person = Person(open_page(browser, server), "Ada")
    person.be_somebody()
    seeds = [f"v1:replay{i}" for i in range(60)]
    games = [play_out("karma", {"edition": "classic"}, bots, seed, most=REPLAYED) for seed in seeds]
    games = [each for each in games if len(each.moves) == REPLAYED][: 2 * ROUNDS]
    assert len(games) == 2 * ROUNDS
    ids = planted(server.folder / "threefold.sqlite", who(person), [(each, bots, {}) for each in games])
    times: list[float] = []
    for game in ids[:ROUNDS]:
        page = open_page(browser, server)
        page.add_init_script(WATCH_REPLAY)
        page.goto(f"/games/{game}?move=250")
        while not (drawn := page.evaluate("globalThis.drawnAt")):
            page.wait_for_timeout(5)
        times.append(drawn)
        page.context.close()
    tapped = [from_the_list(person.page, game) for game in ids[ROUNDS:]]
    person.page.context.close()
    return {
        "replay_opens_ms": round(median(tapped)),
        "replay_opens_worst_ms": round(max(tapped)),
        "replay_opens_first_visit_ms": round(median(times)),
        "replay_opens_first_visit_worst_ms": round(max(times)),
    }


def from_the_list(page: Page, game: str) -> float:
    """Milliseconds from the tap on a game in the player's list until its table is drawn, after a reload."""
    page.goto("/me")
    link = page.locator(f'a[href="/games/{game}"]').first
    link.wait_for()
    page.wait_for_timeout(300)
    page.evaluate("delete globalThis.drawnAt")
    began: float = link.evaluate(
        f"link => {{ const now = performance.now(); link.click(); {WATCH_REPLAY} return now; }}"
    )
    while not (drawn := page.evaluate("globalThis.drawnAt")):
        page.wait_for_timeout(5)
    return float(drawn - began)


def lighthouse(server: Server) -> Json:
    """Lighthouse's three scores of a table page: medians of five runs."""
    folder, npm = hatch_build.node_and_npm()
    surroundings = {**hatch_build.environment(folder), "CHROME_PATH": chromium() or ""}
    marks: dict[str, list[float]] = {"performance": [], "accessibility": [], "best-practices": []}
    with tempfile.TemporaryDirectory() as made:
        for i in range(5):
            report = Path(made) / f"{i}.json"
            command = [*npm, "exec", "--yes", "--", LIGHTHOUSE, f"{server.url}/t/{table_code(server)}", "--quiet"]
            command += [
                "--output=json",
                f"--output-path={report}",
                "--chrome-flags=--headless --no-sandbox --disable-gpu",
            ]
            command += [f"--only-categories={','.join(marks)}"]
            ran = subprocess.run(command, check=False, env=surroundings, cwd=made, capture_output=True, text=True)
            if ran.returncode:
                sys.exit(f"threefold: Lighthouse failed, its last words were: {ran.stderr[-2000:]}")
            categories = json.loads(report.read_text("utf-8"))["categories"]
            for name, scores in marks.items():
                scores.append(categories[name]["score"])
    return {f"lighthouse_{name.replace('-', '_')}": median(scores) for name, scores in marks.items()}


def table_code(server: Server) -> str:
    """The code of a new table."""
    with sync_playwright() as playwright:
        asking = playwright.request.new_context(base_url=server.url)
        asking.post("/api/me", data={"name": "Ada"})
        made: str = asking.post("/api/tables", data={"game": "karma", "edition": "classic"}).json()["code"]
        asking.dispose()
    return made


MEASURES = (first_load, sounds_load, tap_to_motion, tap_to_everybody, calling, longest_task, replay_opens)


def verdict(name: str, value: float) -> str:
    """The limit of a figure, and whether it is kept."""
    if name in LIMITS:
        return f"at most {LIMITS[name]}: {'kept' if value <= LIMITS[name] else 'MISSED'}"
    if name in LEAST:
        return f"at least {LEAST[name]}: {'kept' if value >= LEAST[name] else 'MISSED'}"
    return ""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--lighthouse", action="store_true")
    parser.add_argument("--only", choices=[each.__name__ for each in MEASURES], nargs="*", help="only these parts")
    arguments = parser.parse_args()
    os.environ.setdefault("THREEFOLD_RATES", "0")
    figures: dict[str, Json] = {}
    with serving() as server:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            for measure in MEASURES:
                if arguments.only is None or measure.__name__ in arguments.only:
                    figures |= measure(browser, server)
            browser.close()
        if arguments.lighthouse:
            figures |= lighthouse(server)
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:34} {value:<8} {verdict(name, value)}".rstrip())


if __name__ == "__main__":
    main()
