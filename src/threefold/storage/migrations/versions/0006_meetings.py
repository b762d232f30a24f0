"""The public list of tables, and the tables that wait for a quick match."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Creates both, and the fact whose row orders matches."""
    op.create_table(
        "listings",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "offers",
        sa.Column("table_id", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("person", sa.Text, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.execute("INSERT INTO facts (name, value) VALUES ('matches', '')")


def downgrade() -> None:
    """Drops both."""
    op.execute("DELETE FROM facts WHERE name = 'matches'")
    op.drop_table("offers")
    op.drop_table("listings")
