"""Brings a database's schema up to date with Alembic. If it already is, Alembic is not even imported."""

from pathlib import Path

import sqlalchemy as sa

HEAD = "0007"
"""The newest revision; a test compares it with the migrations."""
MIGRATIONS = Path(__file__).with_name("migrations")


class UnknownSchema(RuntimeError):
    """The database has a schema that no version of Threefold has made."""


def revision_of(connection: sa.Connection) -> str | None:
    """The revision of the schema; None for an empty database."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def is_ready(connection: sa.Connection) -> bool:
    """Is the schema the newest that this version knows, or newer? Migrations only add."""
    return (revision_of(connection) or "") >= HEAD


def upgrade(connection: sa.Connection, to: str = HEAD) -> None:
    """Runs the missing migrations. The caller holds a lock that keeps other processes from doing the same."""
    revision = revision_of(connection)
    if is_ready(connection):
        return
    from alembic import command  # noqa: PLC0415 (importing it is slow, and rarely needed)
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError:
        raise UnknownSchema(f"this version does not know its schema ({revision})") from None
