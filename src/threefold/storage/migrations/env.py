"""Alembic's entry point: runs the migrations on the connection that `migrate.py` passes."""

from alembic import context

from threefold.storage.schema import meta

context.configure(connection=context.config.attributes["connection"], target_metadata=meta)
with context.begin_transaction():
    context.run_migrations()
