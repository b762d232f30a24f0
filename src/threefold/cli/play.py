"""`threefold play`: a game of Karma against bots in the terminal. It shows only what the player may see."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text as Line

from threefold.game import Json, Refusal, event_text
from threefold.karma.editions import EDITIONS
from threefold.karma.kit import KIT
from threefold.saved import Move, save
from threefold.shuffle import Random, random_from
from threefold.texts import Names, say

ME = 0
NAMES = ("You", "Ada", "Ben", "Cleo", "Dov", "Ela", "Finn", "Gus", "Hana", "Ivo", "Juno", "Kai")
HELP = """Type the number of a move, or the move itself: play 7 7, flip 2, pick up, choose 3 …
[bold]why MOVE[/] explains why a move is refused, [bold]save FILE[/] saves the game to a file, [bold]quit[/] ends it."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command()(play)


def play(
    edition: Annotated[str, typer.Option(help=f"One of {', '.join(EDITIONS)}.")] = "classic",
    players: Annotated[int, typer.Option(help="Number of players, including you.")] = 4,
    bot: Annotated[str, typer.Option(help=f"The bot you play against: {', '.join(KIT.bots)}.")] = "random",
    seed: Annotated[str | None, typer.Option(help="Deal the cards of this seed, v1:TEXT.")] = None,
) -> None:
    """Play a game of Karma in the terminal."""
    setup: dict[str, Json] = {"edition": edition, "players": players}
    if players > 6 or (edition == "mini_round" and players > 4):
        setup["options"] = {"decks": 2}
    if seed is not None:
        setup["seed"] = seed
    console = Console()
    if bot not in KIT.bots:
        console.print(f"There is no bot {bot!r}. Choose one of {', '.join(KIT.bots)}.")
        raise typer.Exit(2)
    try:
        TerminalGame(console, setup, bot).run()
    except Refusal as refused:
        console.print(f"[red]{refused}[/]")
        raise typer.Exit(2) from None


class TerminalGame:
    """A game between one person and bots."""

    def __init__(self, console: Console, setup: dict[str, Json], bot: str) -> None:
        self.console = console
        self.game = KIT.game
        self.table = self.game.new(setup)
        self.seed: str = self.game.setup(self.table)["seed"]
        self.moves: list[Move] = []
        self.bot = KIT.bots[bot]
        self.randoms: list[Random] = [
            random_from(self.seed, f"bot {player}") for player in range(self.game.players(self.table))
        ]
        self.names = Names(players=NAMES, cards=self.game.card_names(self.table))

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
            sentence = say(event_text(KIT.name, event.told(ME)), viewer=ME, names=self.names)
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
            self._save(Path(rest.strip() or "karma.json"))
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
        grid = Grid(box=None, padding=(0, 2))
        for heading in ("", "hand", "face up", "face down"):
            grid.add_column(heading, style="bold" if not heading else "", header_style="dim")
        for seat in view["seats"]:
            arrow = "→ " if seat["player"] == view["turn"] else "  "
            hand = " ".join(seat["hand"]) if seat["hand"] is not None else f"{seat['hand_size']} cards"
            up = " ".join(card or "·" for card in seat["face_up"])
            down = " ".join("·" if card is None else card["card"] or "▒" for card in seat["face_down"])
            grid.add_row(f"{arrow}{seat['player']} {NAMES[seat['player']]}", hand, up, down)
        asks = view["asks_for"]
        wanted = "anything" if asks is None else f"{asks['low']} to {asks['high']} or a karma card"
        pile = " ".join(view["discard_pile"]) or "empty"
        self.console.print(Panel(grid, title=f"Karma, {_edition_name(view['edition'])}", expand=False))
        self.console.print(f"pile: [bold]{pile}[/]   asks for: [bold]{wanted}[/]   draw pile: {view['draw_pile']}")
        choices = Line()
        for number, move in enumerate(view["moves"], 1):
            choices.append(f"{number} ", style="dim").append(f"{move}   ")
        self.console.print(choices)


def _edition_name(edition: Json) -> str:
    return edition.replace("_", " ") if isinstance(edition, str) else "house edition"
