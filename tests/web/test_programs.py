"""Programs that play: a token, the same socket, and the example that shows how."""

import ast
import asyncio
import subprocess
import sys
from typing import Any

from tests.rule_coverage import ROOT
from tests.waiting import PATIENCE_S
from tests.web.server import Guest, Server, cookie_of
from threefold.web.typescript import typescript

Json = Any
EXAMPLE = ROOT / "examples" / "bot.py"


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(EXAMPLE), *arguments])


def test_the_example_bot_plays_a_whole_game_and_a_rematch_with_nothing_but_a_token(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            plan = {"game": "karma", "edition": "mini_round", "seats": 2, "options": {"turn_limit": 60}}
            code = ann.post("/api/tables", json=plan).json()["code"]
            made = ann.post(f"/api/tables/{code}/tokens", json={"name": "Robot"}).json()
            program = started(server.url, code, made["token"])
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            try:
                await guest.until(lambda: guest.table and guest.table["seats"][1]["guest"] is not None)
                assert guest.table["guests"][1]["name"] == "Robot"
                assert guest.table["guests"][1]["program"]
                await guest.ask("start")
                await guest.play("careful")
                await guest.until(lambda: guest.over)
                await guest.ask("ready")
                await guest.until(lambda: guest.table["playing"]["number"] == 2)
                await guest.play("careful", number=2)
                await guest.until(lambda: guest.ended(2))
                await guest.send({"is": "close_table"})
                await asyncio.to_thread(program.wait, PATIENCE_S)
            finally:
                program.kill()
                program.wait()
                await guest.close()

    asyncio.run(test())


def test_a_program_is_no_person_and_cannot_be_two(server: Server) -> None:
    async def test() -> None:
        with server.people("Ann") as (ann,):
            code = ann.post("/api/tables", json={"game": "karma", "seats": 3}).json()["code"]
            token = ann.post(f"/api/tables/{code}/tokens", json={"name": "Robot"}).json()["token"]
            first = await Guest(server, code, token=token).open()
            second = await Guest(server, code, token=token).open()
            assert first.welcome["you"] == second.welcome["you"] == 1
            assert (await first.refused("start"))["text"]["key"] == "live.refusal.only_host"
            await first.close()
            await second.close()

    asyncio.run(test())


def test_the_example_has_forty_lines_of_code() -> None:
    source = EXAMPLE.read_text("utf-8")
    tree = ast.parse(source)
    words: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node):
            text = node.body[0]
            words |= set(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = [line for number, line in enumerate(source.splitlines(), 1) if line.strip() and number not in words]
    assert len(lines) <= 40


def test_the_types_and_facts_of_the_page_are_generated_from_python() -> None:
    folder = ROOT / "frontend" / "src" / "generated"
    kept = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    assert kept == typescript(), "run: python -m threefold.web.typescript frontend/src/generated"
