"""How each player played: the times of their SETs and the like, noted with the finished game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Adds the column; games of before have no figures."""
    op.add_column("players", sa.Column("figures", sa.Text, nullable=True))


def downgrade() -> None:
    """Takes it away."""
    op.drop_column("players", "figures")
