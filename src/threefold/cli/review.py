"""`threefold review`: what decided a finished game, for every player."""

import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from threefold.fields import a_seed
from threefold.game import BadSetup, Json, Refusal
from threefold.games import KITS
from threefold.saved import opened, played
from threefold.texts import Text, say

OUT, ERR = Console(), Console(stderr=True)
COLUMNS = ("outcome", "start", "luck", "errors", "others", "adjusted")


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command()(review)


def review(
    file: Annotated[
        Path, typer.Argument(help="The file of a finished game, as downloaded or saved.", dir_okay=False, exists=True)
    ],
    *,
    player: Annotated[
        list[int] | None, typer.Option(help="Analyse this player alone, more exactly; may be given again.")
    ] = None,
    seed: Annotated[str, typer.Option(help="The same seed gives the same review.")] = "v2:review",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say what decided a finished game: luck, errors, and what the others chose. The first time takes a minute."""
    try:
        analysis = _analysis(json.loads(file.read_text("utf-8")), player, a_seed(seed))
    except (ValueError, RecursionError) as problem:
        ERR.print(str(problem) if isinstance(problem, Refusal) else f"{file} is not JSON: {problem}")
        raise typer.Exit(2) from None
    if as_json:
        OUT.print_json(data=analysis)
    else:
        _show(analysis)


def _analysis(record: Json, players: list[int] | None, seed: str) -> Json:
    """The analysis of a downloaded record, or of a saved game."""
    saved: Any = record["saved"] if isinstance(record, dict) and "saved" in record else record
    game, first, rows = opened(saved)
    analyse = KITS[game.name].analyse
    if analyse is None:
        raise BadSetup(Text("review.no_analysis", {"given": game.name}))
    for number in players or ():
        if not 0 <= number < game.players(first):
            raise BadSetup(Text("review.no_such_player", {"given": number, "n": game.players(first) - 1}))
    moves = [(each.move.player, each.move.move, each.table, each.events) for each in played(game, first, rows)]
    if not moves or game.ending(moves[-1][2]) is None:
        raise BadSetup(Text("review.not_finished"))
    with Progress(console=ERR, transient=True) as progress:
        task = progress.add_task(say(Text("review.progress")), total=1.0)
        return analyse(
            first,
            moves,
            seed=seed,
            players=players,
            threads=os.cpu_count() or 1,
            on_progress=lambda done: progress.update(task, completed=done),
        )


def _show(analysis: Any) -> None:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("player", *COLUMNS, "decisions", "error"):
        table.add_column(say(Text(f"review.{name}")), justify="left" if name == "player" else "right")
    for each in analysis["summaries"]:
        signs = {name: "+" if name in ("luck", "errors", "others") else "" for name in COLUMNS}
        shares = [f"{100 * each[name]:{sign}.1f}" for name, sign in signs.items()]
        table.add_row(str(each["player"]), *shares, str(each["decisions"]), f"{100 * each['error']:.2f}")
    OUT.print(table)
    for each in analysis["turning_points"]:
        before, after = (round(100 * each[name]) for name in ("before", "after"))
        facts = {"move": each["move"], "player": each["player"], "before": before, "after": after}
        OUT.print(say(Text(f"review.turn.{each['cause']}", facts)))
    for each in analysis["decisions"]:
        if each["error"]:
            facts = {name: each[name] for name in ("move", "player", "made", "best")}
            OUT.print(say(Text("review.error_made", {**facts, "n": round(100 * each["error"])})))
    OUT.print(say(Text("review.legend")), style="dim")
