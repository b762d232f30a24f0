"""The server's commands: serve on a local network, verify a game, back up and restore the database."""

import asyncio
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE_S
from tests.web.leaks import log_of
from tests.web.server import COMMAND, Guest, Server, cookie_of

Json = Any


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *(str(each) for each in arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE_S, check=False)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Json:
    """A finished game, downloaded."""
    plan = {"game": "karma", "edition": "mini_round", "seats": 2, "bots": ["hard", "random"], "pace": "fast"}
    with server.people("Ann") as (ann,):
        code = ann.post("/api/tables", json={**plan, "options": {"turn_limit": 20}, "start": True}).json()["code"]

        async def watched() -> str:
            guest = await Guest(server, code, cookie=cookie_of(ann)).open()
            await guest.until(lambda: guest.over and guest.table["playing"]["id"])
            await guest.close()
            return str(guest.table["playing"]["id"])

        return ann.get(f"/api/games/{asyncio.run(watched())}").json()


@pytest.mark.slow
def test_verify_confirms_a_game_and_finds_out_a_changed_one(tmp_path: Path, record: Json) -> None:
    file = tmp_path / "game.json"
    for name in ("game.json", "sound.json"):
        file.with_name(name).write_text(json.dumps(record), "utf-8")
    sound = run("verify", file)
    assert sound.returncode == 0, sound.stderr
    assert record["commitment"] in sound.stdout
    file.write_text(json.dumps({**record, "commitment": "sha256:" + "0" * 64}), "utf-8")
    changed = run("verify", file)
    assert changed.returncode == 1
    assert "hash" in changed.stderr
    proven = run("verify", "--bots", file.with_name("sound.json"))
    assert proven.returncode == 0, proven.stderr
    assert "found again" in proven.stdout
    thoughts = [each and {**each, "percent": each["percent"] + 1} for each in record["thoughts"]]
    file.write_text(json.dumps({**record, "thoughts": thoughts}), "utf-8")
    peeked = run("verify", "--bots", file)
    assert peeked.returncode == 1
    assert peeked.stderr.startswith("Move ")
    moves = [*record["saved"]["moves"]]
    moves[0] = {**moves[0], "move": "pick up"}
    file.write_text(json.dumps({**record, "saved": {**record["saved"], "moves": moves}}), "utf-8")
    assert run("verify", file).returncode == 2
    for text in ("{", "[]", "{}"):
        file.write_text(text, "utf-8")
        wrong = run("verify", file)
        assert wrong.returncode == 2
        assert wrong.stderr
        assert "Traceback" not in wrong.stderr


@pytest.mark.slow
def test_a_copy_made_while_the_server_runs_brings_its_tables_back(tmp_path: Path) -> None:
    """People play on while the copy is made; put back elsewhere, the tables are as they were at that moment."""

    async def test(server: Server) -> None:
        with server.people("Ann", "Bob") as people:
            code = people[0].post("/api/tables", json={"game": "karma", "seats": 2}).json()["code"]
            pair = [await Guest(server, code, cookie=cookie_of(each)).open() for each in people]
            await pair[1].ask("sit")
            await pair[0].ask("start")
            playing = [asyncio.create_task(each.play("random")) for each in pair]
            await pair[0].until(lambda: pair[0].seq > 15)
            before = pair[0].ack
            copied = await asyncio.to_thread(run, "backup", tmp_path / "copy", "--data-dir", server.data_dir)
            assert copied.returncode == 0, copied.stderr
            await pair[0].until(lambda: pair[0].ack > before + 1 or pair[0].over)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for each in pair:
                await each.close()
        in_use = await asyncio.to_thread(run, "restore", tmp_path / "copy", "--data-dir", server.data_dir)
        assert in_use.returncode == 1
        assert "stop the server" in in_use.stderr
        elsewhere = tmp_path / "elsewhere"
        restored = await asyncio.to_thread(run, "restore", tmp_path / "copy", "--data-dir", elsewhere)
        assert restored.returncode == 0, restored.stderr
        (elsewhere / "secrets.json").write_bytes((server.data_dir / "secrets.json").read_bytes())
        kept = log_of(elsewhere, code)
        assert 10 < len(kept) <= len(log_of(server.data_dir, code))
        with Server(elsewhere, THREEFOLD_RATES="0") as again:
            pair = [await Guest(again, code, cookie=cookie_of(each)).open() for each in people]
            assert pair[0].welcome["you"] == 0
            await pair[0].until(lambda: pair[0].view is not None)
            assert pair[0].view["seq"] >= len(kept)
            for each in pair:
                await each.close()

    with Server(tmp_path / "data", THREEFOLD_RATES="0") as server:
        asyncio.run(test(server))
    back = run("restore", tmp_path / "copy", "--data-dir", tmp_path / "data")
    assert back.returncode == 0, back.stderr
    assert (tmp_path / "data" / "threefold.sqlite.before-restore").exists()


def test_what_is_no_copy_is_not_put_back(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"no database at all" * 100)
    assert run("restore", tmp_path / "x", "--data-dir", tmp_path / "d").returncode == 1
    assert run("backup", tmp_path / "y", "--data-dir", tmp_path / "d").returncode == 1
    assert not (tmp_path / "y").exists()


def test_serving_the_local_network_prints_the_address_and_a_qr_code(tmp_path: Path) -> None:
    command = [*COMMAND, "serve", "--lan", "--port", "0", "--data-dir", str(tmp_path)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        lines = [server.stdout.readline() for _ in range(10)]
        assert re.fullmatch(r"Threefold is open at http://\d+\.\d+\.\d+\.\d+:\d+/\n", lines[0])
        assert sum("█" in line for line in lines) >= 6
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_S)
        if server.stdout is not None:
            server.stdout.close()


def test_a_port_in_use_is_said_in_a_sentence(server: Server, tmp_path: Path) -> None:
    second = run("serve", "--port", server.port, "--data-dir", tmp_path)
    assert second.returncode == 1
    assert "another --port" in second.stderr
    assert "Traceback" not in second.stderr
