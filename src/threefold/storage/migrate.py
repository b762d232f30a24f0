"""Brings a database's schema up to date, with Alembic; one that is up to date is left alone and costs nothing."""

from pathlib import Path

import sqlalchemy as sa

HEAD = "0005"
"""The newest revision; a test compares it with the migrations."""
MIGRATIONS = Path(__file__).with_name("migrations")


def revision_of(connection: sa.Connection) -> str | None:
    """Which revision the schema has; None: none at all."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def is_ready(connection: sa.Connection) -> bool:
    """Whether the schema is the newest that this version knows, or newer: migrations add, they take nothing away."""
    return (revision_of(connection) or "") >= HEAD


def upgrade(connection: sa.Connection) -> None:
    """Runs the migrations that are missing. Several processes may start at once: one of them does it."""
    if is_ready(connection):
        return
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(3003)"))
        if is_ready(connection):
            return
    from alembic import command  # noqa: PLC0415 (a start with nothing to do should not load it)
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
