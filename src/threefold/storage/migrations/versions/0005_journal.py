"""SQLite's write-ahead journal, and a view of the entries in the journal and the log."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ENTRIES = (
    "CREATE VIEW entries AS SELECT table_id, seq, body FROM log"
    " UNION SELECT value ->> 0, value ->> 1, value ->> 2 FROM journal, json_each(journal.entries)"
)


def upgrade() -> None:
    """Creates both; PostgreSQL needs neither."""
    if op.get_bind().dialect.name == "sqlite":
        op.create_table(
            "journal",
            sa.Column("id", sa.Integer, primary_key=True),
            sa.Column("entries", sa.Text, nullable=False),
        )
        op.execute(ENTRIES)


def downgrade() -> None:
    """Moves the journal's entries to the log and drops both."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("INSERT INTO log SELECT * FROM entries WHERE true ON CONFLICT DO NOTHING")
        op.execute("DROP VIEW entries")
        op.drop_table("journal")
