"""Finds everybody's times in the puzzle of one day."""

from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Creates the index."""
    op.create_index("puzzles_by_day", "puzzles", ["day", "kind", "milliseconds"])


def downgrade() -> None:
    """Drops it."""
    op.drop_index("puzzles_by_day", "puzzles")
