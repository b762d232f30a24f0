"""The `threefold` command: serve tables, play in the terminal, simulate, and run the engine protocol."""

import sys

import typer

from threefold import __version__
from threefold.cli import play, review, serve, simulate
from threefold.engine import converse

app = typer.Typer(
    help="Threefold: card games to host, play and simulate.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
play.register(app)
review.register(app)
serve.register(app)
simulate.register(app)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 (the signature of a typer callback)
    if wanted:
        typer.echo(f"threefold {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),  # noqa: FBT001, FBT003 (typer reads the signature)
) -> None:
    """Threefold: card games to host, play and simulate. Without a command it opens the tables in the browser."""


@app.command()
def engine() -> None:
    """Run the engine protocol: JSON lines on standard input and output (docs/reference/engine-protocol.md)."""
    converse(sys.stdin.buffer, sys.stdout.buffer)


def main() -> None:
    """Runs the command; without one, opens the tables in the browser."""
    app(sys.argv[1:] or ["serve", "--open"], prog_name="threefold")
