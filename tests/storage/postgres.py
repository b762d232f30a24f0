"""A throw-away PostgreSQL: installed if it is missing, started on a free loopback port, gone after the tests."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from threefold.storage.database import url_of

USER = "postgres"
EMPTY = ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")


async def run_sql(address: str, *statements: str) -> None:
    """Runs statements, each by itself."""
    engine = create_async_engine(url_of(address), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for statement in statements:
            await connection.execute(sa.text(statement))
    await engine.dispose()


def programs() -> Path:
    """The folder with `initdb` and `postgres`; installs them where that is possible."""
    for _ in range(2):
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) + [
            Path(path) for path in (shutil.which("initdb"),) if path
        ]
        if found:
            return found[-1].resolve().parent
        if os.geteuid() != 0 or shutil.which("apt-get") is None:
            break
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=environment)
        subprocess.run(["apt-get", "install", "-y", "-qq", "postgresql"], check=False, env=environment)
    raise RuntimeError("The tests need PostgreSQL (Debian: apt-get install postgresql).")


def as_owner(command: list[str]) -> list[str]:
    """PostgreSQL refuses to run as root: then it runs as its own user."""
    return (
        ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", *command] if os.geteuid() == 0 else command
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def throw_away() -> Iterator[str]:
    """The address of a fresh PostgreSQL."""
    folder = programs()
    home = Path(tempfile.mkdtemp(prefix="threefold-pg-"))
    data = home / "data"
    if os.geteuid() == 0:
        owner = pwd.getpwnam(USER)
        os.chown(home, owner.pw_uid, owner.pw_gid)
    server: subprocess.Popen[bytes] | None = None
    try:
        make = [str(folder / "initdb"), "-D", str(data), "-U", "threefold", "--auth=trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(as_owner(make), check=True, capture_output=True, cwd=home)
        port = free_port()
        run = [str(folder / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1", "-k", str(home)]
        with (home / "log").open("wb") as log:
            server = subprocess.Popen(as_owner(run), stdout=log, stderr=log, cwd=home)
        wait_for(port, server)
        yield f"postgresql://threefold@127.0.0.1:{port}/postgres"
    finally:
        if server is not None:
            server.terminate()
            server.wait(timeout=20)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A PostgreSQL for this test process."""
    with throw_away() as address:
        yield address


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        assert server.poll() is None, "PostgreSQL ended by itself"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            time.sleep(0.2)
            return
    raise AssertionError("PostgreSQL does not answer")
