"""Runs migrations on the connection that was handed over; there is no other way in."""

from alembic import context

from threefold.storage.schema import meta

context.configure(connection=context.config.attributes["connection"], target_metadata=meta)
with context.begin_transaction():
    context.run_migrations()
