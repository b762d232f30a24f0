"""ServerSettings: the server's configuration, from `THREEFOLD_…` variables. Every default works at home."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from threefold.live.keys import Keys, keys_from, keys_in
from threefold.live.race import WINDOW_MS


def default_data_dir() -> Path:
    """The folder for application data of this user account."""
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".local" / "share") / "threefold"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where the server stores its data, who may connect, and the limits."""

    data_dir: Path = field(default_factory=default_data_dir)
    database: str = ""
    """The address of a PostgreSQL database; empty: a SQLite file in the data folder."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may use this server, beside its own."""
    secure_cookies: bool = False
    workers: int = 1
    """Processes for the bots' decisions."""
    bots_share: float = 50
    """The share of the machine, in percent of all its cores, that the bots of this process may use."""
    expire_days: int = 30
    keep_games_days: int = 365
    sockets_per_person: int = 10
    sockets_per_address: int = 100
    fair_window_ms: int = WINDOW_MS
    """Calls that arrive within this time are ordered by when they were made; 0: by arrival."""
    countdown_ms: int = 3000
    """How long people see the countdown before a game; 0: games start at once."""
    secret: str = ""
    """The signing key and the operator's token are derived from this text; empty: they are in a file."""
    secrets: Path | None = None
    """The file with both; None: secrets.json in the data folder."""
    new_secret: bool = False
    """Replace the signing key that the database was used with before."""
    root_path: str = ""
    """The path under which a proxy shows the server: /cards; empty: the server has the site to itself."""
    proxied: bool = False
    """The server runs behind a proxy."""
    log: str = ""
    """json or text; empty: text on a terminal, json elsewhere."""
    log_level: str = "info"
    compiled: bool = False
    """Run games compiled, if they can be, as soon as the compiler is done: faster, for about 130 MB of memory."""
    kits: tuple[str, ...] = ()
    """Further games, each as `package.module:NAME` of its kit."""
    rates: int = 1
    """Multiplies every rate limit: a school behind one address needs more. 0: no limits, for load tests."""

    @property
    def database_address(self) -> str:
        """The address of the database in use."""
        return self.database or str(self.data_dir / "threefold.sqlite")

    @property
    def secrets_file(self) -> Path:
        """The file with the signing key and the operator's token."""
        return self.secrets or self.data_dir / "secrets.json"

    def keys(self) -> Keys:
        """The signing key and the operator's token; created at the first start."""
        return keys_from(self.secret) if self.secret else keys_in(self.secrets_file)


def settings_from_environment() -> ServerSettings:
    """The settings from `THREEFOLD_…` variables, which `threefold serve` sets for its server."""
    variable = os.environ.get
    origins = tuple(each for each in variable("THREEFOLD_ORIGINS", "").split(",") if each)
    data_dir = variable("THREEFOLD_DATA_DIR")
    secrets = variable("THREEFOLD_SECRETS_FILE")
    return ServerSettings(
        data_dir=Path(data_dir) if data_dir else default_data_dir(),
        database=variable("THREEFOLD_DATABASE", ""),
        origins=origins,
        secure_cookies=variable("THREEFOLD_SECURE_COOKIES") == "1",
        workers=int(variable("THREEFOLD_BOT_PROCESSES", "1")),
        bots_share=float(variable("THREEFOLD_BOTS_SHARE", "50")) / int(variable("THREEFOLD_WORKERS", "1")),
        expire_days=int(variable("THREEFOLD_EXPIRE_DAYS", "30")),
        keep_games_days=int(variable("THREEFOLD_KEEP_GAMES_DAYS", "365")),
        sockets_per_person=int(variable("THREEFOLD_SOCKETS_PER_PERSON", "10")),
        sockets_per_address=int(variable("THREEFOLD_SOCKETS_PER_ADDRESS", "100")),
        fair_window_ms=int(variable("THREEFOLD_FAIR_WINDOW_MS", str(WINDOW_MS))),
        countdown_ms=int(variable("THREEFOLD_COUNTDOWN_MS", "3000")),
        secret=variable("THREEFOLD_SECRET", ""),
        secrets=Path(secrets) if secrets else None,
        new_secret=variable("THREEFOLD_NEW_SECRET") == "1",
        root_path=variable("THREEFOLD_ROOT_PATH", ""),
        proxied=variable("THREEFOLD_PROXIED") == "1",
        log=variable("THREEFOLD_LOG", ""),
        log_level=variable("THREEFOLD_LOG_LEVEL", "info"),
        compiled=variable("THREEFOLD_COMPILED") == "1",
        kits=tuple(each for each in variable("THREEFOLD_KITS", "").split(",") if each),
        rates=int(variable("THREEFOLD_RATES", "1")),
    )
