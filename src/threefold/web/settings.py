"""What a server is told at its start; everything has a default that works at home."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from threefold.live.calls import WINDOW_MS
from threefold.live.keys import Keys, keys_from, keys_in


def default_data_dir() -> Path:
    """Where a person's programs keep their data."""
    home = os.environ.get("XDG_DATA_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".local" / "share") / "threefold"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where things are kept, who may come in from where, and how much of it."""

    data_dir: Path = field(default_factory=default_data_dir)
    database: str = ""
    """Empty: a SQLite file in the data folder; or the address of a PostgreSQL database."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may use this server; its own always may."""
    secure_cookies: bool = False
    workers: int = 1
    """Processes in which bots think."""
    expire_days: int = 30
    keep_games_days: int = 365
    sockets_per_person: int = 10
    sockets_per_address: int = 100
    fair_window_ms: int = WINDOW_MS
    """Calls in SET that arrive within so many milliseconds are put in order by when they set out; 0: by arrival."""
    secret: str = ""
    """The signing key and the operator's token come from this text, instead of from a file."""
    secrets: Path | None = None
    """The file with both, if it is not in the data folder."""
    new_secret: bool = False
    """This signing key counts from now on, though the database knows another."""
    proxied: bool = False
    """A proxy stands in front."""
    log: str = ""
    """json or text; by default what fits."""
    log_level: str = "info"
    compiled: bool = False
    """Karma is played compiled as soon as that is ready: quicker, for some 130 MB of memory."""
    rates: int = 1
    """Limits on how often, times this: a school behind one address needs more. 0: none, for tests with thousands."""

    @property
    def database_address(self) -> str:
        """The database to use."""
        return self.database or str(self.data_dir / "threefold.sqlite")

    @property
    def secrets_file(self) -> Path:
        """Where the signing key is."""
        return self.secrets or self.data_dir / "secrets.json"

    def keys(self) -> Keys:
        """The signing key and the operator's token; made at the first start."""
        return keys_from(self.secret) if self.secret else keys_in(self.secrets_file)


def settings_from_environment() -> ServerSettings:
    """The settings of `THREEFOLD_…` variables, as `threefold serve` leaves them for its server."""
    given = os.environ.get
    origins = tuple(each for each in given("THREEFOLD_ORIGINS", "").split(",") if each)
    data_dir = given("THREEFOLD_DATA_DIR")
    secrets = given("THREEFOLD_SECRETS_FILE")
    return ServerSettings(
        data_dir=Path(data_dir) if data_dir else default_data_dir(),
        database=given("THREEFOLD_DATABASE", ""),
        origins=origins,
        secure_cookies=given("THREEFOLD_SECURE_COOKIES") == "1",
        workers=int(given("THREEFOLD_BOT_PROCESSES", "1")),
        expire_days=int(given("THREEFOLD_EXPIRE_DAYS", "30")),
        keep_games_days=int(given("THREEFOLD_KEEP_GAMES_DAYS", "365")),
        sockets_per_person=int(given("THREEFOLD_SOCKETS_PER_PERSON", "10")),
        sockets_per_address=int(given("THREEFOLD_SOCKETS_PER_ADDRESS", "100")),
        fair_window_ms=int(given("THREEFOLD_FAIR_WINDOW_MS", str(WINDOW_MS))),
        secret=given("THREEFOLD_SECRET", ""),
        secrets=Path(secrets) if secrets else None,
        new_secret=given("THREEFOLD_NEW_SECRET") == "1",
        proxied=given("THREEFOLD_PROXIED") == "1",
        log=given("THREEFOLD_LOG", ""),
        log_level=given("THREEFOLD_LOG_LEVEL", "info"),
        compiled=given("THREEFOLD_COMPILED") == "1",
        rates=int(given("THREEFOLD_RATES", "1")),
    )
