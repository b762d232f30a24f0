"""The page under a path of another site: real nginx in front, as deploy/nginx-path.conf says, and another way."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, serving
from tests.browser.people import Server
from tests.debian import installed
from tests.waiting import PATIENCE_S, wait_until
from tests.web.server import fetched, port_of_its_own

EXAMPLE = (Path(__file__).parents[2] / "deploy" / "nginx-path.conf").read_text("utf-8")
PLACES = (
    "access_log",
    "client_body_temp_path",
    "proxy_temp_path",
    "fastcgi_temp_path",
    "uwsgi_temp_path",
    "scgi_temp_path",
)
Change = Callable[[str], str]


def as_it_is(example: str) -> str:
    """The proxy passes the root path on."""
    return example


def without_path(example: str) -> str:
    """The proxy removes the root path before it passes a request on."""
    return re.sub(r"(proxy_pass http://[\d.:]+);", r"\1/;", example)


@contextmanager
def behind_nginx(folder: Path, server: Server, change: Change) -> Iterator[str]:
    """nginx with the example, changed only as far as a test on loopback needs; gives the address of the tables."""
    port = port_of_its_own()
    site = change(EXAMPLE.replace("http://127.0.0.1:8033", server.url))
    site = re.sub(r"listen 443 ssl;", f"listen 127.0.0.1:{port};", re.sub(r"\n *ssl_.*", "", site))
    temporary = "".join(f"{name} {folder / name};\n" for name in PLACES)
    conf = folder / "nginx.conf"
    conf.write_text(f"daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\n{temporary}{site}}}\n", "utf-8")
    nginx = installed(lambda: shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), "nginx-light")
    running = subprocess.Popen([nginx, "-c", conf, "-p", folder, "-e", folder / "errors"])
    try:
        wait_until(lambda: (folder / "pid").exists() and running.poll() is None, "for nginx")
        address = f"http://127.0.0.1:{port}/cards"
        assert fetched(f"{address}/api/health").is_success
        yield address
    finally:
        running.terminate()
        running.wait(PATIENCE_S)


@pytest.fixture(scope="module", params=[as_it_is, without_path], ids=lambda change: change.__name__)
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("nginx")
    folder.chmod(0o755)
    proxied = serving(THREEFOLD_ROOT_PATH="/cards", THREEFOLD_PROXIED="1")
    with proxied as server, behind_nginx(folder, server, request.param) as address:
        yield address


@pytest.fixture
def page(new_page: NewPage, address: str) -> Page:
    """The first place; a test may take the network away."""
    page = new_page(base_url=address, allow="ERR_INTERNET_DISCONNECTED")
    page.goto(f"{address}/")
    return page


def test_every_request_and_every_link_of_the_page_is_under_the_path(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in ("/", "/rules/karma", "/play/settings", "/daily", "/play/new/set", "/learn/karma"):
        page.goto(address + path, wait_until="networkidle")
        expect(page.locator("h1").first).to_be_visible()
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(each => each.href)")
        assert links
        assert [each for each in links if not each.startswith(f"{address}/")] == []
    assert [each for each in asked if not each.startswith((f"{address}/", "data:"))] == []


def test_a_game_is_made_joined_and_played_under_the_path(page: Page, new_page: NewPage, address: str) -> None:
    page.evaluate("localStorage.setItem('threefold.name', JSON.stringify('Ada'))")
    page.request.post(f"{address}/api/me", data={"name": "Ada"})
    cookies = page.context.cookies()
    assert [each["path"] for each in cookies] == ["/cards"]
    made = page.request.post(f"{address}/api/tables", data={"game": "karma", "seats": 2, "listed": False}).json()
    assert made["path"] == f"/cards/t/{made['code']}"
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    page.goto(f"{address}/t/{made['code']}")
    expect(page.locator(".invite img")).to_have_js_property("complete", value=True)
    assert page.evaluate("document.querySelector('.invite img').naturalWidth") > 0
    assert sockets[0].startswith(address.replace("http", "ws") + "/api/tables/")
    friend = new_page(base_url=address)
    friend.goto(f"{address}/t/{made['code']}")
    expect(friend.get_by_text("Ada").first).to_be_visible()
    tags = fetched(f"{address}/t/{made['code']}").text
    picture = re.search(r'og:image" content="([^"]+)"', tags)
    assert picture is not None
    assert picture.group(1).startswith(f"{address}/preview/")
    assert fetched(picture.group(1)).headers["content-type"] == "image/png"


def test_links_move_within_the_page_and_back(page: Page, address: str) -> None:
    page.evaluate("window.stayed = true")
    page.locator(f"a[href^='{'/cards/'}']").filter(visible=True).first.click()
    wait_until(lambda: page.url != f"{address}/", "for another place")
    assert page.url.startswith(f"{address}/")
    assert page.evaluate("window.stayed"), "the page was not loaded anew"
    page.go_back()
    expect(page).to_have_url(f"{address}/")


def test_the_service_worker_and_the_manifest_stay_within_the_path(page: Page, address: str) -> None:
    scope = page.evaluate("navigator.serviceWorker.ready.then(ready => ready.scope)")
    assert scope == f"{address}/"
    stored = page.evaluate(
        "caches.keys().then(names => caches.open(names[0])).then(c => c.keys()).then(all => all.map(each => each.url))"
    )
    assert f"{address}/" in stored
    assert [each for each in stored if not each.startswith(f"{address}/")] == []
    where = page.evaluate("document.querySelector('link[rel=manifest]').href")
    manifest = fetched(where).json()
    assert (manifest["start_url"], manifest["scope"]) == (".", ".")
    for icon in manifest["icons"]:
        assert fetched(f"{address}/{icon['src']}").is_success
    page.context.set_offline(True)
    page.goto(f"{address}/")
    expect(page.locator("h1").first).to_be_visible()


def test_the_plain_page_and_the_description_name_the_path(address: str) -> None:
    links = re.findall(r'(?:href|src)="(/[^"]*)"', fetched(f"{address}/plain").text)
    assert links
    assert all(each.startswith("/cards/") for each in links)
    assert fetched(f"{address}/api/openapi.json").json()["servers"] == [{"url": "/cards"}]
