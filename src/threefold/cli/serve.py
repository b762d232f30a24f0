"""`threefold serve`, `operator-token`, `verify`, `backup` and `restore`: the server and its data."""

import asyncio
import io
import json
import os
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from threefold.game import Refusal
from threefold.texts import Text, say

if TYPE_CHECKING:
    from threefold.live.keys import Keys

OUT = Console(soft_wrap=True, highlight=False)
ERR = Console(stderr=True, soft_wrap=True, highlight=False)

DataDir = Annotated[
    Path | None,
    typer.Option(help="Folder for tables and secrets.", envvar="THREEFOLD_DATA_DIR", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command()(serve)
    app.command()(operator_token)
    app.command()(verify)
    app.command()(backup)
    app.command()(restore)


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.", min=0, max=65535)] = 8033,
    *,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the tables in the browser.")] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="Listen on the local network; print the address and a QR code.")
    ] = False,
    database: Annotated[
        str, typer.Option(help="Use PostgreSQL, postgresql://…, instead of a SQLite file.", envvar="THREEFOLD_DATABASE")
    ] = "",
    data_dir: DataDir = None,
    secure_cookies: Annotated[bool, typer.Option(help="Send cookies over HTTPS only.")] = False,
    proxy: Annotated[bool, typer.Option(help="Trust X-Forwarded-For of a proxy on this machine.")] = False,
    root_path: Annotated[
        str,
        typer.Option(help="The path under which a proxy shows the server: /cards.", envvar="THREEFOLD_ROOT_PATH"),
    ] = "",
    ping: Annotated[
        float,
        typer.Option(help="Seconds between pings, and to wait for an answer.", envvar="THREEFOLD_PING_S"),
    ] = 10,
    proxy_from: Annotated[
        str,
        typer.Option(help="Trust proxies at these addresses or networks, with commas.", envvar="THREEFOLD_PROXY_FROM"),
    ] = "",
    workers: Annotated[
        int, typer.Option(help="Number of server processes; PostgreSQL only.", min=1, envvar="THREEFOLD_WORKERS")
    ] = 1,
    compiled: Annotated[
        bool,
        typer.Option(help="Compile games that can be: faster, with 130 MB more memory.", envvar="THREEFOLD_COMPILED"),
    ] = True,
) -> None:
    """Start the server: play in the browser, with people and bots."""
    import uvicorn  # noqa: PLC0415 (other commands do not need a web server)

    from threefold.web.limits import NEARLY_FULL  # noqa: PLC0415
    from threefold.web.process import raise_file_limit  # noqa: PLC0415
    from threefold.web.root_path import BadRootPath, read_root_path  # noqa: PLC0415
    from threefold.web.settings import default_data_dir  # noqa: PLC0415

    os.environ["THREEFOLD_DATA_DIR"] = str(data_dir or default_data_dir())
    os.environ["THREEFOLD_DATABASE"] = database
    os.environ["THREEFOLD_COMPILED"] = "1" if compiled else "0"
    os.environ["THREEFOLD_WORKERS"] = str(workers)
    if secure_cookies:
        os.environ["THREEFOLD_SECURE_COOKIES"] = "1"
    if proxy or proxy_from:
        os.environ["THREEFOLD_PROXIED"] = "1"
    try:
        os.environ["THREEFOLD_ROOT_PATH"] = read_root_path(root_path)
    except BadRootPath as problem:
        ERR.print(f"{problem}.")
        raise typer.Exit(2) from None
    if workers > 1 and not database:
        ERR.print("Several processes need PostgreSQL: add --database postgresql://…, or leave out --workers.")
        raise typer.Exit(2)
    keys = _keys()
    _check_store()
    listener = _listen("0.0.0.0" if lan else host, port)  # noqa: S104 (--lan asks for it)
    port = listener.getsockname()[1]
    address = f"http://{lan_address() if lan else host}:{port}/"
    _announce(address, lan=lan)
    if keys.new and sys.stdout.isatty():  # not into log files; `threefold operator-token` shows it too
        OUT.print(f"Operator's page: {address}operator with the token {keys.operator_token}")
    OUT.file.flush()
    if open_browser and can_show_a_browser():
        threading.Thread(target=open_when_ready, args=(address,), daemon=True).start()
    most_connections = raise_file_limit()
    config = uvicorn.Config(
        "threefold.web.app:create_app",
        factory=True,
        loop="uvloop" if os.name != "nt" else "auto",
        http="threefold.web.http_connection:HttpConnection",
        limit_concurrency=None if most_connections is None else int(NEARLY_FULL * most_connections),
        ws="threefold.web.table_socket:TableSocket",
        ws_ping_interval=ping,
        log_level="warning",
        access_log=False,
        server_header=False,
        log_config=None,
        proxy_headers=proxy or bool(proxy_from),
        forwarded_allow_ips=proxy_from or "127.0.0.1,::1",
        timeout_graceful_shutdown=3,
        timeout_keep_alive=30,
        timeout_worker_healthcheck=30,
        workers=workers,
    )
    if workers > 1:
        from uvicorn.supervisors import Multiprocess  # noqa: PLC0415

        listener.set_inheritable(True)
        Multiprocess(config, [listener]).run()
    else:
        server = uvicorn.Server(config)
        server.handle_exit = lambda *_: setattr(server, "should_exit", True)  # type: ignore[method-assign]  # exits with 0
        server.run(sockets=[listener])
        if not server.started:
            raise typer.Exit(3)


def _keys() -> "Keys":
    from threefold.live.keys import BadSecret  # noqa: PLC0415 (only `serve` needs it)
    from threefold.web.settings import settings_from_environment  # noqa: PLC0415

    try:
        return settings_from_environment().keys()
    except BadSecret as problem:
        ERR.print(f"{problem}.")
        raise typer.Exit(2) from None


def _check_store() -> None:
    """Ends with one sentence if the database cannot be used."""
    from threefold.live.store import StoreDown  # noqa: PLC0415 (only `serve` needs it)
    from threefold.storage.check import check_store  # noqa: PLC0415
    from threefold.web.logs import configure_logging  # noqa: PLC0415
    from threefold.web.settings import settings_from_environment  # noqa: PLC0415

    settings = settings_from_environment()
    configure_logging(settings.log, settings.log_level)
    try:
        asyncio.run(check_store(settings.database_address))
    except StoreDown as problem:
        ERR.print(f"The database cannot be used: {problem}.")
        raise typer.Exit(1) from None


def operator_token(data_dir: DataDir = None) -> None:
    """Show the token for the operator's page."""
    from threefold.web.settings import default_data_dir  # noqa: PLC0415

    os.environ["THREEFOLD_DATA_DIR"] = str(data_dir or default_data_dir())
    OUT.print(_keys().operator_token)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as problem:
        listener.close()
        ERR.print(f"Cannot listen on {host}, port {port}: {problem.strerror}. Try another --port.")
        raise typer.Exit(1) from None
    return listener


def can_show_a_browser() -> bool:
    """Is there a person at a screen? In a terminal without one, a browser in text would take the terminal over."""
    windows_of_a_desktop = os.name == "nt" or sys.platform == "darwin"
    has_screen = windows_of_a_desktop or not {"DISPLAY", "WAYLAND_DISPLAY"}.isdisjoint(os.environ)
    return has_screen and sys.stdout.isatty()


def open_when_ready(address: str) -> None:
    """Opens the address in the browser as soon as the server answers there."""
    host, port = address.split("/")[2].rsplit(":", 1)
    for _ in range(300):
        try:
            with socket.create_connection((host, int(port)), timeout=1) as connection:
                connection.sendall(b"GET /api/health HTTP/1.0\r\n\r\n")
                if connection.recv(1):
                    webbrowser.open(address)
                    return
        except OSError:
            time.sleep(0.1)


def lan_address() -> str:
    """This machine's address in the local network, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, so never in use
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _announce(address: str, *, lan: bool) -> None:
    OUT.print(f"Threefold is open at {address}")
    if lan:
        import segno  # noqa: PLC0415

        picture = io.StringIO()
        segno.make(address, error="m").terminal(out=picture, border=2, compact=True)
        OUT.out(picture.getvalue(), highlight=False)


def verify(
    file: Annotated[
        Path, typer.Argument(help="The file of a finished game, as downloaded.", dir_okay=False, exists=True)
    ],
    *,
    bots: Annotated[
        bool, typer.Option("--bots", help="Also repeat the bots' searches from what their players could know.")
    ] = False,
) -> None:
    """Replay a downloaded game and check that nobody chose the cards, and that no bot peeked."""
    from threefold.live.bot_proof import prove  # noqa: PLC0415
    from threefold.live.record import verify as verify_record  # noqa: PLC0415

    try:
        record = json.loads(file.read_text("utf-8"))
        verified = verify_record(record)
        proof = prove(record) if bots else None
    except (ValueError, RecursionError) as problem:
        ERR.print(str(problem) if isinstance(problem, Refusal) else f"{file} is not JSON: {problem}")
        raise typer.Exit(2) from None
    problems = [Text(f"live.verify.{key}") for key in verified.problems]
    if proof is not None:
        problems += [Text("live.verify.peeked", {"n": number}) for number in proof.peeked]
        problems += [Text("live.verify.moved_otherwise", {"n": number}) for number in proof.moved_otherwise]
    for each in problems:
        ERR.print(say(each))
    if problems:
        raise typer.Exit(1)
    OUT.print(say(Text("live.verify.sound")))
    if proof is not None:
        OUT.print(say(Text("live.verify.bots", {"n": proof.again})))
        if proof.other_version:
            OUT.print(say(Text("live.verify.other_bots", {"n": proof.other_version})))
    OUT.print(f"{len(verified.replay.moves)} moves, {verified.commitment}")


def _database(data_dir: Path | None) -> Path:
    from threefold.web.settings import ServerSettings, default_data_dir  # noqa: PLC0415

    return Path(ServerSettings(data_dir=data_dir or default_data_dir()).database_address)


def backup(
    file: Annotated[Path, typer.Argument(help="The backup file to write.", dir_okay=False)],
    data_dir: DataDir = None,
) -> None:
    """Copy the SQLite database to a file; the server may keep running."""
    from threefold.storage.sqlite.backup import BadBackup, back_up  # noqa: PLC0415

    try:
        entries = back_up(_database(data_dir), file)
    except BadBackup as problem:
        ERR.print(f"{problem}.")
        raise typer.Exit(1) from None
    OUT.print(f"{file}: {entries} log entries.")


def restore(
    file: Annotated[Path, typer.Argument(help="A file made by `threefold backup`.", dir_okay=False, exists=True)],
    data_dir: DataDir = None,
) -> None:
    """Restore a backup; stop the server first. The old database is kept beside it."""
    from threefold.storage.sqlite.backup import BadBackup, put_back  # noqa: PLC0415

    try:
        entries = put_back(file, _database(data_dir))
    except BadBackup as problem:
        ERR.print(f"{problem}.")
        raise typer.Exit(1) from None
    OUT.print(f"{entries} log entries restored.")
