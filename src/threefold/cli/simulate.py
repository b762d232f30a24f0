"""`threefold simulate`, `compare` and `design try`: simulations of many games."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from threefold import simulation
from threefold.game import Json, Refusal
from threefold.games import KITS
from threefold.kit import Kit
from threefold.simulation.export import write_csv, write_parquet
from threefold.simulation.report import report_page
from threefold.simulation.runner import MissingExtra, OnProgress
from threefold.simulation_parts.results import Result
from threefold.simulation_parts.shown import Grid

GAME_NAMES = " or ".join(KITS)
WAYS = sorted({kit.way for kit in KITS.values()})
"""The words of the games for their rules: edition, variant."""

Game = Annotated[str, typer.Argument(help=GAME_NAMES)]
Rules = Annotated[
    str | None,
    typer.Option(
        *(f"--{way}" for way in WAYS),
        help="Name of an edition or a variant, or a house edition as JSON or in a JSON file.",
    ),
]
OtherRules = Annotated[
    str | None, typer.Option(*(f"--with-{way}" for way in WAYS), help="Edition or variant of the other side.")
]
Players = Annotated[str | None, typer.Option(help="Bots, separated by commas.")]
Games = Annotated[int, typer.Option(min=1, help="Number of games.")]
Seed = Annotated[str, typer.Option(help="The same seed gives the same result.")]
OptionList = Annotated[list[str] | None, typer.Option("--option", help="Option of the table: decks=2, clear=2 …")]
Workers = Annotated[int | None, typer.Option(min=1, help="Number of cores to use; all by default.")]
Dask = Annotated[str | None, typer.Option(help="Address of a Dask scheduler to run the games on.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
TurnLimit = Annotated[int | None, typer.Option(min=1, help="Stop a game after this number of turns (default 1,000).")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command(name="simulate")(simulate)
    app.command(name="compare")(compare)
    design = typer.Typer(help="Cards that players designed.", no_args_is_help=True)
    design.command(name="try")(try_card)
    app.add_typer(design, name="design")


@contextmanager
def _refusals_printed() -> Iterator[None]:
    """Prints a refusal as a sentence and exits with code 2."""
    try:
        yield
    except (Refusal, MissingExtra) as refused:
        Console(stderr=True).print(str(refused), style="red", markup=False, highlight=False)
        raise typer.Exit(2) from None


@contextmanager
def _progress(*, quiet: bool) -> Iterator[OnProgress | None]:
    """A progress bar with the rate and the time left, on standard error if that is a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[status]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("compiling, which takes a while the first time", total=None, status="")

        def update(progress: simulation.Progress) -> None:
            left = progress.seconds_left
            status = f"{progress.games:,} of {progress.wanted:,} games, {progress.rate:,.0f} a second"
            status += "" if left is None else f", {_time(left)} left"
            bar.update(task, description="playing", total=progress.wanted, completed=progress.games, status=status)

        yield update


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def read_margin(text: str) -> float:
    """Parses `±0.2%`, `0.2%` or `0.002` as a share."""
    number = text.strip().lstrip("±+-").strip()
    try:
        share = float(number.rstrip("% ")) / (100 if number.endswith("%") else 1)
    except ValueError:
        raise typer.BadParameter("give a margin like ±0.2%", param_hint="--until") from None
    if not 0 < share < 1:
        raise typer.BadParameter("give a margin between 0 and 100 %", param_hint="--until")
    return share


def read_rules(text: str | None) -> Json:
    """Reads the name of an edition or variant, or a house edition from JSON or from a JSON file."""
    if text is None:
        return None
    path = Path(text)
    if text.lstrip().startswith("{") or path.suffix == ".json":
        try:
            return json.loads(path.read_text("utf-8") if path.suffix == ".json" else text)
        except (OSError, ValueError) as problem:
            raise typer.BadParameter(str(problem), param_hint=" / ".join(f"--{way}" for way in WAYS)) from None
    return text


def read_options(texts: list[str] | None) -> dict[str, Json]:
    """Parses `decks=2` as {"decks": 2}. Values that are not JSON are strings."""
    options: dict[str, Json] = {}
    for each in texts or ():
        name, equals, value = each.partition("=")
        if not equals:
            raise typer.BadParameter(f"{each!r}: an option is name=value", param_hint="--option")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def _side(game: str, rules: str | None, players: str | None, option: list[str] | None) -> dict[str, Any]:
    chosen = read_rules(rules)
    names = _table_of_bots(KITS[game], chosen) if players is None and game in KITS else (players or "").split(",")
    return {"game": game, "rules": chosen, "players": [name.strip() for name in names], "options": read_options(option)}


def _table_of_bots(kit: Kit, rules: Json) -> Sequence[str]:
    """The bots of a simulation that names none: as many as can play by these rules."""
    most = next((way["players"][-1] for way in kit.ways() if way[kit.way] == rules and "players" in way), None)
    return kit.table_of_bots[:most]


def simulate(
    game: Game,
    rules: Rules = None,
    players: Players = None,
    games: Games = simulation.GAMES,
    seed: Seed = simulation.SEED,
    option: OptionList = None,
    turn_limit: TurnLimit = None,
    until: Annotated[
        str | None, typer.Option(help="Stop when the rate of every bot is known to this margin: ±0.2%.")
    ] = None,
    workers: Workers = None,
    dask: Dask = None,
    as_json: AsJson = False,  # noqa: FBT002 (typer reads the signature)
    csv: Annotated[Path | None, typer.Option(help="Write a CSV file with one line per game.")] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="Write a Parquet file with one row per game (needs the extra parquet).")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write an HTML page with plots.")] = None,
) -> None:
    """Play many games between bots; show who loses, how long games take, and which cards matter."""
    margin = None if until is None else read_margin(until)
    side = _side(game, rules, players, option)
    with _refusals_printed(), _progress(quiet=as_json) as progress:
        result = simulation.simulate(
            **side,
            games=games,
            seed=seed,
            turn_limit=turn_limit,
            until=margin,
            workers=workers,
            dask=dask,
            keep_games=csv is not None or parquet is not None,
            on_progress=progress,
        )
        if csv is not None:
            write_csv(result, csv)
        if parquet is not None:
            write_parquet(result, parquet)
        if report is not None:
            report.write_text(report_page(result), "utf-8")
    if as_json:
        typer.echo(json.dumps(result.as_json()))
    else:
        show_result(Console(), result)


def show_result(console: Console, result: Result) -> None:
    """Prints the result as grids and facts."""
    rate = result.games / result.seconds if result.seconds else 0
    reason = " (stopped by hand)" if result.interrupted else " (precise enough)" if result.precise_enough else ""
    console.print(
        f"{result.games:,} games{reason}, {result.moves:,} moves in {result.seconds:.1f} s: {rate:,.0f} games a second"
    )
    for each in result.summary():
        console.print()
        if isinstance(each, Grid):
            console.print(_table(each))
        else:
            console.print(f"[bold]{each.label}[/] {each.text}")
            if each.bars:
                console.print(f"       {_bars(each.bars)}", highlight=False)


def _table(grid: Grid) -> Table:
    table = Table(
        title=grid.title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False
    )
    for i, heading in enumerate(grid.headings):
        table.add_column(heading, justify="left" if i == 0 else "right")
    for row in grid.rows:
        table.add_row(*row)
    return table


def _bars(counts: Sequence[int]) -> str:
    """A histogram as one line of block characters."""
    wide = max(1, -(-len(counts) // 60))
    heights = [sum(counts[i : i + wide]) for i in range(0, len(counts), wide)]
    return "".join(" ▁▂▃▄▅▆▇█"[-(-8 * height // max(heights))] for height in heights)


def compare(
    game: Game,
    rules: Rules = None,
    players: Players = None,
    option: OptionList = None,
    with_rules: OtherRules = None,
    with_players: Annotated[str | None, typer.Option(help="Bots of the other side.")] = None,
    with_option: Annotated[list[str] | None, typer.Option(help="Option of the other side.")] = None,
    games: Games = 50_000,
    seed: Seed = simulation.SEED,
    workers: Workers = None,
    dask: Dask = None,
    as_json: AsJson = False,  # noqa: FBT002 (typer reads the signature)
) -> None:
    """Compare two editions, variants, options or lists of bots, with the same cards on both sides."""
    first = _side(game, rules, players, option)
    second = _side(
        game,
        with_rules or rules,
        with_players or players,
        option if with_option is None else [*(option or ()), *with_option],
    )
    with _refusals_printed(), _progress(quiet=as_json) as progress:
        comparison = simulation.compare(
            first, second, games=games, seed=seed, workers=workers, dask=dask, on_progress=progress
        )
    if as_json:
        typer.echo(json.dumps(comparison.as_json()))
        return
    console = Console()
    console.print(f"[bold]{comparison.sentence}[/]\n", highlight=False)
    for each in comparison.differences:
        console.print(f"{'•' if each.is_clear else ' '} {each.sentence}", highlight=False)


def try_card(
    code: Annotated[str, typer.Argument(help="The card's code: K1…")],
    edition: Annotated[str | None, typer.Option(help="The edition that the card is added to.")] = None,
    copies: Annotated[int, typer.Option(min=1, max=6, help="Number of copies of the card.")] = 3,
    players: Players = None,
    games: Games = simulation.TRIAL_GAMES,
    seed: Seed = "design",
    workers: Workers = None,
    as_json: AsJson = False,  # noqa: FBT002 (typer reads the signature)
) -> None:
    """Simulate a designed card (K66): its effect on length, pick-ups, seats, and the player who is dealt it."""
    bots = None if players is None else [name.strip() for name in players.split(",")]
    with _refusals_printed(), _progress(quiet=as_json) as progress:
        trial = simulation.try_design(
            code, edition, copies=copies, players=bots, games=games, seed=seed, workers=workers, on_progress=progress
        )
    if as_json:
        typer.echo(json.dumps(trial.as_json()))
        return
    console = Console()
    console.print(f"[bold]{trial.heading}[/]", highlight=False)
    for sentence in trial.sentences():
        console.print(f"[red]{sentence}[/]" if sentence in trial.warnings else sentence, highlight=False)
