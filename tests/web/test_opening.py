"""`threefold` alone serves the tables and opens them in the browser of the person at the screen."""

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.waiting import PATIENCE_S, wait_until
from tests.web.server import fetched, port_of_its_own


def start(folder: Path, *arguments: str, screen: bool) -> tuple[subprocess.Popen[bytes], Path]:
    """The command on a terminal, with a browser that writes down what it is asked to open."""
    opened = folder / "opened"
    browser = folder / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> {shlex.quote(str(opened))}\n', "utf-8")
    browser.chmod(0o755)
    variables = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    variables |= {"BROWSER": str(browser), "THREEFOLD_DATA_DIR": str(folder), "THREEFOLD_COMPILED": "0"}
    if screen:
        variables["DISPLAY"] = ":99"
    _, terminal = pty.openpty()
    command = [sys.executable, "-m", "threefold", *arguments]
    return subprocess.Popen(command, env=variables, stdout=terminal, stderr=subprocess.STDOUT, cwd=folder), opened


@pytest.mark.parametrize("screen", [True, False])
def test_the_tables_open_in_the_browser_of_a_person_at_a_screen(tmp_path: Path, *, screen: bool) -> None:
    port = port_of_its_own()
    process, opened = start(tmp_path, "serve", "--open", "--port", str(port), screen=screen)
    try:
        address = f"http://127.0.0.1:{port}/"
        wait_until(lambda: answers(address))
        if screen:
            wait_until(lambda: opened.exists() and opened.read_text("utf-8"))
            assert opened.read_text("utf-8") == f"{address}\n"
    finally:
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    assert opened.exists() is screen


def answers(address: str) -> bool:
    """Does the server answer there?"""
    try:
        return fetched(f"{address}api/health").status_code == 200
    except httpx.TransportError:
        return False


def test_without_a_command_the_tables_open(monkeypatch: pytest.MonkeyPatch) -> None:
    from threefold import cli

    run: list[list[str]] = []
    monkeypatch.setattr(sys, "argv", ["threefold"])
    monkeypatch.setattr(cli, "app", lambda words, **_: run.append(words))
    cli.main()
    assert run == [["serve", "--open"]]
