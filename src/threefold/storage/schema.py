"""The tables of the database, as the statements use them. Alembic creates them (`migrations/`)."""

import sqlalchemy as sa

meta = sa.MetaData()

log = sa.Table(
    "log",
    meta,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("body", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)

journal = sa.Table(
    "journal",
    meta,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("entries", sa.Text, nullable=False),
)
"""SQLite only: the write-ahead journal (`sqlite/journal.py`)."""

tables = sa.Table(
    "tables",
    meta,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("code", sa.Text, nullable=False, unique=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("opened", sa.BigInteger, nullable=False),
    sa.Column("touched", sa.BigInteger, nullable=False, index=True),
    sa.Column("playing", sa.Boolean, nullable=False),
    sa.Column("closed", sa.Boolean, nullable=False),
)

listings = sa.Table(
    "listings",
    meta,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
)
"""What the public list says of a table, as JSON; it is void after `expires`."""

offers = sa.Table(
    "offers",
    meta,
    sa.Column("table_id", sa.Text, primary_key=True),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("person", sa.Text, nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
)
"""Tables at which a person waits for a quick match."""

people = sa.Table(
    "people",
    meta,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("made", sa.BigInteger, nullable=False),
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("nonce", sa.Text, nullable=True),
)

visits = sa.Table(
    "visits",
    meta,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, primary_key=True, index=True),
)

games = sa.Table(
    "games",
    meta,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Text, nullable=False, index=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("began", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("first_seq", sa.BigInteger, nullable=False),
    sa.Column("last_seq", sa.BigInteger, nullable=False),
    sa.Column("ending", sa.Text, nullable=False),
)

players = sa.Table(
    "players",
    meta,
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("person", sa.Text, nullable=True, index=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("score", sa.Integer, nullable=True),
    sa.Column("figures", sa.Text, nullable=True),
)

puzzles = sa.Table(
    "puzzles",
    meta,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("began", sa.BigInteger, nullable=False),
    sa.Column("milliseconds", sa.BigInteger, nullable=True),
    sa.Column("solved", sa.BigInteger, nullable=True),
    sa.Index("puzzles_by_day", "day", "kind", "milliseconds"),
)

bans = sa.Table(
    "bans",
    meta,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, nullable=True),
    sa.Column("address", sa.Text, nullable=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("words", sa.Text, nullable=False),
    sa.Column("made", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=True),
    sa.Column("addresses_too", sa.Boolean, nullable=False),
)

facts = sa.Table(
    "facts",
    meta,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

practice = sa.Table(
    "practice",
    meta,
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("differing", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("total_ms", sa.BigInteger, nullable=False),
    sa.Column("best_ms", sa.BigInteger, nullable=False),
    sa.Column("asked", sa.BigInteger, nullable=False),
)
