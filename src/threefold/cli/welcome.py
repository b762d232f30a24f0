"""What `./run` does until there is a page to serve: says what can be done today, and offers a game in the terminal."""

import sys

import typer
from rich.console import Console

from threefold.cli.play import play

WELCOME = """[bold]Threefold[/]: the card games Karma and SET.

There is no page in the browser yet. Today you can
  • play Karma against bots in this terminal    [bold]./run play[/]   (--help lists editions and players)
  • let a program play, test or referee         [bold]./run engine[/] (docs/reference/engine-protocol.md)
  • use the rules from Python                   README.md shows how
"""


def register(app: typer.Typer) -> None:
    """Adds the command of this file."""
    app.command()(serve)


def serve() -> None:
    """Say what can be done today, and offer a game of Karma."""
    console = Console()
    console.print(WELCOME)
    if not sys.stdin.isatty():
        return
    if typer.confirm("Shall we play a game of Karma now?", default=True):
        play()
