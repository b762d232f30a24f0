"""A throw-away PostgreSQL: installed if it is missing, started on a free loopback port, gone after the tests."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from tests.debian import installed
from tests.waiting import PATIENCE_S, wait_until
from tests.web.server import port_of_its_own

USER = "postgres"
EMPTY = ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


async def run_sql(address: str, *statements: str) -> None:
    """Runs statements, each by itself."""
    url = "postgresql+asyncpg://" + address.partition("://")[2]
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))
    await engine.dispose()


def programs() -> Path:
    """The folder with `initdb` and `postgres`; installs them where that is possible."""

    def find() -> Path | None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
        found += [Path(path) for path in (shutil.which("initdb"),) if path]
        return found[-1].resolve().parent if found else None

    return installed(find, "postgresql")


def as_owner(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root: then it runs as its own user."""
    return (
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command] if os.geteuid() == 0 else command
    )


class PostgreSQL:
    """A server of our own, that can be stopped and started again where it was."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = port_of_its_own()
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"postgresql://threefold@127.0.0.1:{self.port}/postgres"

    def make(self) -> None:
        """An empty database."""
        data = str(self.home / "data")
        make = [str(programs() / "initdb"), "-D", data, "-U", "threefold", "--auth=trust", "-E", "UTF8", "--no-sync"]
        make.append("--no-locale")  # the one that the environment names may not be installed
        subprocess.run(as_owner(make), check=True, capture_output=True, cwd=self.home)

    def start(self) -> None:
        """Starts it and waits until it answers, also after a crash."""
        place = ["-D", str(self.home / "data"), "-p", str(self.port), "-h", "127.0.0.1", "-k", ""]
        with (self.home / "log").open("ab") as log:
            command = as_owner([str(programs() / "postgres"), *place])
            self._server = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.home, start_new_session=True)
        wait_for(self.home, self.port, self._server)

    def stop(self, *, crash: bool = False) -> None:
        """Ends all its connections and stops; `crash`: at once, so that it has to recover when it is started."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT if crash else signal.SIGINT)
            self._server.wait(timeout=PATIENCE_S)
            self._server = None


@contextmanager
def running() -> Iterator[PostgreSQL]:
    """A fresh PostgreSQL, gone afterwards."""
    home = Path(tempfile.mkdtemp(prefix="threefold-pg-"))
    if os.geteuid() == 0:
        programs()
        owner = pwd.getpwnam(USER)
        os.chown(home, owner.pw_uid, owner.pw_gid)
    server = PostgreSQL(home)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def throw_away() -> Iterator[str]:
    """The address of a fresh PostgreSQL."""
    with running() as server:
        yield server.address


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL for this test process."""
    with throw_away() as address:
        yield address


def wait_for(home: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    """Returns when it takes connections: after a crash it listens before it does."""
    asks = [str(programs() / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "3"]

    def answers() -> bool:
        assert server.poll() is None, "PostgreSQL ended by itself"
        return subprocess.run(asks, check=False, cwd=home).returncode == 0

    wait_until(answers, "for PostgreSQL to answer")
