"""Statistics of each player in a finished game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the column; older games have no figures."""
    op.add_column("players", sa.Column("figures", sa.Text, nullable=True))


def downgrade() -> None:
    """Drops it."""
    op.drop_column("players", "figures")
