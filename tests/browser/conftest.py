"""Fixtures: a server, a browser, and people at its tables. CHROMIUM may name a Chromium other than the system's."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.people import Person, Server
from tests.waiting import PATIENCE_S, wait_until
from tests.web.server import fetched, port_of_its_own

expect.set_options(timeout=1000 * PATIENCE_S)
ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "threefold" / "web" / "static"
UNUSED_FEATURES = (
    # Playwright's own list, which the argument replaces; without these, pages behave differently
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    # the address bar of each window is two pages more, which take a third of the time of opening a window
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
ARGUMENTS = [
    f"--disable-features={','.join(UNUSED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP table.test 127.0.0.1",  # not a secure context, as on a local network
]

ASKED = """
try { localStorage['threefold.settings'] ??= '{"volume":"off"}'; } catch {}
"""
"""Answers the offer of sounds, which would otherwise stand in the bar of every first game."""


@contextmanager
def serving(folder: Path | None = None, copy: Path = ROOT, **variables: str) -> Iterator[Server]:
    """The real server with reproducible shuffles; `copy` is the repository that it runs."""
    with tempfile.TemporaryDirectory() as made:
        folder = folder or Path(made)
        (folder / "seed").write_text("any", "utf-8")
        port = port_of_its_own()
        with (folder / "log").open("w") as log:
            command = [sys.executable, "-m", "tests.browser.serve", str(port), str(folder)]
            overrides = {"THREEFOLD_COUNTDOWN_MS": "0", **variables}
            environment = {**os.environ, "PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", **overrides}
            running = subprocess.Popen(command, cwd=copy, env=environment, stderr=log)
        try:
            server = Server(f"http://127.0.0.1:{port}", folder)
            wait_until(lambda: _answers(server, running), "for the server to answer")
            yield server
        finally:
            running.terminate()
            running.wait(PATIENCE_S)


def _answers(server: Server, running: subprocess.Popen[bytes]) -> bool:
    assert running.poll() is None, "the server ended: " + (server.folder / "log").read_text("utf-8")
    try:
        return fetched(server.url + "/api/health").is_success
    except httpx.HTTPError:
        return False


def chromium() -> str | None:
    """The path of Chromium."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built: python hatch_build.py")
    with serving(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


NewPage = Callable[..., Page]


@pytest.fixture
def new_page(browser: Browser, server: Server) -> Iterator[NewPage]:
    """Pages, each in its own browser context; errors in their consoles fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(width: int = 390, height: int = 844, *, allow: str = "", asked: bool = True, **more: Any) -> Page:
        """`allow` is a word of console errors that the test expects; `asked`: sounds have been offered already."""
        context = browser.new_context(
            viewport={"width": width, "height": height},
            **{"base_url": server.url, "reduced_motion": "reduce", "locale": "en-GB", **more},
        )
        context.set_default_timeout(1000 * PATIENCE_S)
        contexts.append(context)
        if asked:
            context.add_init_script(ASKED)
        page = context.new_page()

        def complain(words: str) -> None:
            if not allow or allow not in words:
                complaints.append(words)

        page.on("pageerror", lambda problem: complain(str(problem)))
        page.on(
            "console",
            lambda said: complain(f"{said.text} {said.location}") if said.type in {"error", "warning"} else None,
        )
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def people(new_page: NewPage, server: Server) -> Callable[..., list[Person]]:
    """Seats people at a new table; the first is the host."""

    def seat(count: int, seed: str = "any", *, width: int = 390, start: bool = True, **table: Any) -> list[Person]:
        server.seed(seed)
        host = Person(new_page(width=width), "Ada")
        made = host.make_table({"game": "karma", "seats": count, "grace_s": 0, "pace": "fast", **table})
        others = [Person(new_page(width=width), name) for name in ("Ben", "Cleo", "Dov", "Eve", "Finn")[: count - 1]]
        if table.get("bots"):
            others = []
        host.come(made["path"])
        for other in others:
            other.be_somebody()
            other.come(made["path"])
            other.sit()
        if start:
            host.page.get_by_role("button", name="Start game").click()
            for each in (host, *others):
                each.page.locator(".hand .group").first.wait_for()
        return [host, *others]

    return seat
