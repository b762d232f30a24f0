"""Solo play: daily puzzles and practice."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Creates both tables."""
    op.create_table(
        "puzzles",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("milliseconds", sa.BigInteger, nullable=True),
        sa.Column("solved", sa.BigInteger, nullable=True),
    )
    op.create_table(
        "practice",
        sa.Column("person", sa.Text, primary_key=True),
        sa.Column("differing", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("total_ms", sa.BigInteger, nullable=False),
        sa.Column("best_ms", sa.BigInteger, nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Drops both."""
    for name in ("practice", "puzzles"):
        op.drop_table(name)
