"""`threefold play`: a game against bots in the terminal, drawn by its kit. It shows only what the player may see."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text as Line

from threefold.game import Json, Refusal, event_text
from threefold.games import KITS
from threefold.kit import Kit, Terminal
from threefold.saved import Move, save
from threefold.shuffle import Random, random_from
from threefold.texts import Names, say

OFFERED = KITS.offering(lambda kit: kit.terminal)
assert OFFERED is not None, "a game can be played in the terminal"
KIT, TERMINAL = OFFERED
WAYS: list[str] = [each[KIT.way] for each in KIT.ways()]
BOTS = ", ".join(each.name for each in KIT.characters)
ME = 0
HELP = """Type the number of a move, or the move itself: play 7 7, flip 2, pick up, choose 3 …
[bold]why MOVE[/] explains why a move is refused, [bold]save FILE[/] saves the game to a file, [bold]quit[/] ends it."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(play)


def play(
    edition: Annotated[str, typer.Option(help=f"One of {', '.join(WAYS)}.")] = WAYS[0],
    players: Annotated[int, typer.Option(help="Number of players, including you.")] = 4,
    bot: Annotated[str, typer.Option(help=f"The bots you play against: {BOTS}.")] = KIT.characters[0].name,
    seed: Annotated[str | None, typer.Option(help="Deal the cards of this seed, v1:TEXT.")] = None,
) -> None:
    """Play a game in the terminal."""
    setup = TERMINAL.setup(edition, players)
    if seed is not None:
        setup["seed"] = seed
    console = Console()
    if KIT.level_of(bot) not in KIT.bots:
        console.print(f"There is no bot {bot!r}. Choose one of {BOTS}.")
        raise typer.Exit(2)
    try:
        TerminalGame(console, KIT, TERMINAL, setup, bot).run()
    except Refusal as refused:
        console.print(f"[red]{refused}[/]")
        raise typer.Exit(2) from None


class TerminalGame:
    """A game between one person and bots."""

    def __init__(self, console: Console, kit: Kit, terminal: Terminal, setup: dict[str, Json], bot: str) -> None:
        self.console = console
        self.terminal = terminal
        self.game = kit.game
        self.table = self.game.new(setup)
        self.seed: str = self.game.setup(self.table)["seed"]
        self.moves: list[Move] = []
        self.bot = kit.bots[kit.level_of(bot)]
        self.randoms: list[Random] = [
            random_from(self.seed, f"bot {player}") for player in range(self.game.players(self.table))
        ]
        self.players = ["You"]
        while len(self.players) < len(self.randoms):
            self.players.append(kit.name_for(bot, self.players))
        self.names = Names(players=self.players, cards=self.game.card_names(self.table))

    def run(self) -> None:
        """Plays until the game is over or the player quits."""
        self.console.print(HELP)
        while self.game.ending(self.table) is None:
            awaited = [each.player for each in self.game.decisions(self.table)]
            if ME in awaited:
                if not self._my_move():
                    return
            else:
                self._bot_moves(awaited[0] or 0)
        self.console.print(f"\n[dim]To play the same cards again: threefold play --seed {self.seed}[/]")

    def _bot_moves(self, player: int) -> None:
        choice = self.bot(self.game.view(self.table, player), self.randoms[player])
        assert choice is not None, "a bot that is awaited has a move"
        self._make(player, choice.move)

    def _make(self, player: int, move: str) -> None:
        step = self.game.play(self.table, player, move)
        self.table = step.table
        self.moves.append(Move(player, move))
        for event in step.events:
            sentence = say(event_text(self.game.name, event.seen_by(ME)), viewer=ME, names=self.names)
            self.console.print(f"  [dim]{sentence}[/]" if player != ME else f"  {sentence}")

    def _my_move(self) -> bool:
        view = self.game.view(self.table, ME)
        self._show(view)
        while True:
            try:
                line = self.console.input("[bold]> [/]").strip()
            except (EOFError, KeyboardInterrupt):
                line = "quit"
            if line == "quit":
                self.console.print(
                    f"\nYou leave the game. To play the same cards again: threefold play --seed {self.seed}"
                )
                return False
            if self._run_command(line):
                continue
            moves: list[str] = view["moves"]
            move = moves[int(line) - 1] if line.isdigit() and 1 <= int(line) <= len(moves) else line
            try:
                self._make(ME, move)
            except Refusal as refused:
                self.console.print(f"[red]{self._sentence(refused)}[/]")
            else:
                return True

    def _run_command(self, line: str) -> bool:
        """Runs `help`, `why` or `save`. Returns False if the line is none of them, and so a move."""
        word, _, rest = line.partition(" ")
        if word in ("", "help", "?"):
            self.console.print(HELP)
        elif word == "why":
            refused = self.game.explain(self.table, ME, rest)
            self.console.print("You can make that move now." if refused is None else self._sentence(refused))
        elif word == "save":
            self._save(Path(rest.strip() or f"{self.game.name}.json"))
        else:
            return False
        return True

    def _save(self, path: Path) -> None:
        try:
            path.write_text(json.dumps(save(self.game, self.table, self.moves), indent=1), "utf-8")
        except OSError as problem:
            self.console.print(f"[red]Could not save the game to {path}: {problem.strerror}.[/]")
        else:
            self.console.print(f"The game is saved in {path}.")

    def _sentence(self, refused: Refusal) -> str:
        clause = f" ({refused.clause})" if refused.clause else ""
        return say(refused.text, viewer=ME, names=self.names) + clause

    def _show(self, view: Json) -> None:
        drawing = self.terminal.draw(view, self.players)
        grid = Grid(box=None, padding=(0, 2))
        for heading in drawing.headings:
            grid.add_column(heading, style="bold" if not heading else "", header_style="dim")
        for row in drawing.rows:
            grid.add_row(*row)
        self.console.print(Panel(grid, title=drawing.title, expand=False))
        self.console.print("   ".join(f"{name}: [bold]{value}[/]" for name, value in drawing.facts.items()))
        choices = Line()
        for number, move in enumerate(view["moves"], 1):
            choices.append(f"{number} ", style="dim").append(f"{move}   ")
        self.console.print(choices)
