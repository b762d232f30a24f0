"""Storage trouble: full disks, read-only files, damaged secrets and other schemas are reported in one sentence."""

import asyncio
import json
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import PATIENCE_S, until
from tests.web.raw_socket import new_table
from tests.web.server import COMMAND, Guest, Server, cookie_of, fetched
from threefold.live.store import StoreDown
from threefold.storage.migrate import HEAD
from threefold.storage.sql import cause_of
from threefold.web import lifespan
from threefold.web.app import create_app
from threefold.web.settings import ServerSettings

Json = Any
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can limit another process")


class Watched(Server):
    """A server whose log is kept, with its usual memory of what went wrong."""

    def start(self) -> "Watched":
        command = [*COMMAND, "serve", "--port", "0", "--data-dir", str(self.data_dir)]
        with (self.data_dir / "log").open("wb") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **self.environment}
            )
        assert self.process.stdout is not None
        self._answers(self.process.stdout.readline())
        return self

    def troubles(self) -> list[Json]:
        lines = [json.loads(line) for line in (self.data_dir / "log").read_text("utf-8").splitlines()]
        return [line for line in lines if line["level"] in ("warning", "error") and line["event"] != "request"]

    def fill_disk(self) -> None:
        """From now on no file of the process can grow beyond its present size, nearly."""
        assert self.process is not None
        _, most = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        wal = self.data_dir / "threefold.sqlite-wal"
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (max(wal.stat().st_size, 40_000), most))

    def free_disk(self) -> None:
        assert self.process is not None
        _, most = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most, most))


@linux
def test_a_full_disk_means_not_ready_one_log_line_and_a_message_to_the_players(tmp_path: Path) -> None:
    async def test(own: Watched) -> None:
        with own.people("Ann", "Bob") as (ann, bob):
            code = new_table(ann)
            guest = await Guest(own, code, cookie=cookie_of(bob)).open()
            assert fetched(own.url + "/api/ready").status_code == 200
            own.fill_disk()
            for _ in range(40):  # until the present file is full
                if guest.closed:
                    break
                await guest.ask("sit")
                await guest.ask("stand")
            await guest.until(lambda: guest.closed)
            assert guest.last("refused")["text"]["key"] == "live.refusal.store_down"
            pending = guest.n
            assert guest.ack < pending, "the message is not acknowledged, and can be sent again"
            assert fetched(own.url + "/api/ready").status_code == 503
            assert bob.post("/api/tables", json={"game": "karma", "seats": 2}).status_code == 503
            (trouble,) = own.troubles()
            assert trouble["event"] == "the database cannot be used"
            assert "the disk refuses to read or write (SQLITE_IOERR" in trouble["cause"]
            own.free_disk()
            await until(lambda: fetched(own.url + "/api/ready").status_code == 200, "for the server to be ready again")
            await guest.resume()
            await guest.until(lambda: guest.ack >= pending)
            await guest.close()
            assert len(own.troubles()) == 1

    with Watched(tmp_path, THREEFOLD_RATES="0") as own:
        asyncio.run(test(own))


def started(data_dir: Path, limit: int | None = None) -> tuple[int, str]:
    """Starts a server that cannot start; gives its exit code and its last words."""

    def limit_files() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(
        [*COMMAND, "serve", "--port", "0", "--data-dir", str(data_dir)],
        capture_output=True, text=True, timeout=PATIENCE_S, check=False, preexec_fn=limit_files,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_a_start_on_a_full_disk_ends_with_one_sentence(tmp_path: Path) -> None:
    code, words = started(tmp_path, limit=40_000)
    assert code == 1
    assert "The database cannot be used: the disk refuses to read or write" in words


@pytest.mark.filterwarnings("ignore::litestar.exceptions.LitestarDeprecationWarning")  # at the start
@pytest.mark.parametrize("is_expected", [True, False], ids=["expected", "a bug"])
def test_a_disk_that_is_full_a_moment_later_is_no_traceback_either(
    *, is_expected: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store was checked before the server starts, and fails now."""
    sent: list[Json] = []

    async def full_disk(_: str) -> None:
        raise StoreDown("the disk is full (SQLITE_FULL)") if is_expected else RuntimeError("StoreDown: is no cause")

    async def start() -> None:
        scope: Any = {"type": "lifespan", "state": {}}

        async def receive() -> Any:
            return {"type": "lifespan.startup"}

        async def send(message: Any) -> None:
            sent.append(message)

        with suppress(Exception):  # Litestar reports it and raises it as well
            await create_app(ServerSettings(data_dir=tmp_path))(scope, receive, send)

    monkeypatch.setattr(lifespan, "open_store", full_disk)
    asyncio.run(start())
    (message,) = sent
    assert message["type"] == "lifespan.startup.failed"
    if is_expected:
        assert message["message"] == "cannot start: the disk is full (SQLITE_FULL)"
    else:
        assert "Traceback" in message["message"], "a bug is reported as one"


@pytest.mark.parametrize("content", ["", "{}", "[]", "not json", '{"operator_token": "x"}'])
def test_a_start_with_an_empty_or_damaged_secrets_file_ends_with_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content, "utf-8")
    code, words = started(tmp_path)
    assert code == 2
    assert "is empty or no secrets file" in words
    assert (tmp_path / "secrets.json").read_text("utf-8") == content, "nothing is overwritten"


def test_a_start_in_a_folder_that_cannot_be_made_ends_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, words = started(tmp_path / "file" / "folder")
    assert code == 2
    assert "cannot be used: Not a directory" in words


def set_revision(data_dir: Path, revision: str) -> None:
    with closing(sqlite3.connect(data_dir / "threefold.sqlite")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))


def test_a_newer_schema_is_named_in_one_sentence_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    with Watched(tmp_path):
        pass
    set_revision(tmp_path, "9999")
    with Watched(tmp_path) as own:
        warnings = {line["event"]: line for line in own.troubles()}
        assert list(warnings) == ["a newer version made this database; it is used as it is"]
        assert next(iter(warnings.values()))["schema"] == "9999"
    set_revision(tmp_path, "0000")
    code, words = started(tmp_path)
    assert code == 1
    assert "this version does not know its schema (0000)" in words
    assert HEAD > "0000"


def test_causes_are_said_in_plain_words(tmp_path: Path) -> None:
    file = tmp_path / "some.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE some (value)")
        connection.execute("PRAGMA max_page_count = 3")
        with pytest.raises(sqlite3.Error) as full:
            connection.execute("INSERT INTO some VALUES (zeroblob(100000))")
        assert cause_of(full.value) == "the disk is full (SQLITE_FULL)"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        with pytest.raises(sqlite3.Error) as read_only:
            connection.execute("INSERT INTO some VALUES (1)")
        assert cause_of(read_only.value) == "the database is read-only (SQLITE_READONLY)"
    assert cause_of(OSError(28, "No space left on device")) == "the disk is full (ENOSPC)"
    assert cause_of(ConnectionRefusedError(111, "secret")) == "it does not answer (ECONNREFUSED)"
    assert cause_of(TimeoutError()) == "it does not answer (TimeoutError)"
