"""Leduc Hold'em in Pgx: 1024 tables a step under jit and scan, any legal action, ended tables are dealt anew."""

from importlib import import_module
from typing import Any

from benchmarks.peers.contestant import Chunk, serve

jax: Any = import_module("jax")  # there in the peers' environment alone
jnp: Any = import_module("jax.numpy")
pgx: Any = import_module("pgx")
auto_reset: Any = import_module("pgx.experimental").auto_reset

TABLES = 1024
STEPS = 100

ENV = pgx.make("leduc_holdem")
step = jax.vmap(auto_reset(ENV.step, ENV.init))


def run(state: Any, key: Any) -> tuple[Any, Any, Any]:
    """A hundred steps at every table; the games that ended are counted."""

    def one(carry: tuple[Any, Any, Any], _: None) -> tuple[tuple[Any, Any, Any], None]:
        state, key, ended = carry
        key, choosing, dealing = jax.random.split(key, 3)
        action = jax.random.categorical(choosing, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=1)
        state = step(state, action, jax.random.split(dealing, TABLES))
        return (state, key, ended + state.terminated.sum()), None

    (state, key, ended), _ = jax.lax.scan(one, (state, key, jnp.int32(0)), None, length=STEPS)
    return state, key, ended


class Tables:
    """The tables as they stand between two chunks."""

    def __init__(self) -> None:
        self.run = jax.jit(run)
        self.key = jax.random.PRNGKey(1)
        self.state = jax.jit(jax.vmap(ENV.init))(jax.random.split(self.key, TABLES))

    def play(self) -> Chunk:
        """A hundred steps at every table."""
        self.state, self.key, ended = self.run(self.state, self.key)
        return TABLES * STEPS, int(ended)


if __name__ == "__main__":
    serve(Tables().play)
