"""`threefold simulate`, `compare` and `design try`: simulations of many games."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from threefold import simulation
from threefold.game import Json, Refusal
from threefold.games import KITS
from threefold.simulation import KarmaResult, SetResult
from threefold.simulation.export import write_csv, write_parquet
from threefold.simulation.report import report_page
from threefold.simulation.runner import MissingExtra, OnProgress

Edition = Annotated[
    str | None, typer.Option(help="Karma: name of an edition, or a house edition as JSON or as a JSON file.")
]
Variant = Annotated[str | None, typer.Option(help="SET: name of a variant.")]
Players = Annotated[str | None, typer.Option(help="Bots, separated by commas: sharp,careful,random.")]
Games = Annotated[int, typer.Option(min=1, help="Number of games.")]
Seed = Annotated[str, typer.Option(help="The same seed gives the same result.")]
OptionList = Annotated[list[str] | None, typer.Option("--option", help="Option of the table: decks=2, clear=2 …")]
Workers = Annotated[int | None, typer.Option(min=1, help="Number of cores to use; all by default.")]
Dask = Annotated[str | None, typer.Option(help="Address of a Dask scheduler to run the games on.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
TurnLimit = Annotated[
    int | None, typer.Option(min=1, help="Karma: stop a game after this number of turns (default 1,000).")
]


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
            raise typer.BadParameter(str(problem), param_hint="--edition") from None
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


def _side(
    game: str, edition: str | None, variant: str | None, players: str | None, option: list[str] | None
) -> dict[str, Any]:
    kit = KITS.get(game)
    rules = read_rules(edition if kit is None or kit.way == "edition" else variant)
    names = [] if kit is None else list(kit.table_of_bots)
    if kit is not None and players is None:
        way = next((each for each in kit.ways() if each[kit.way] == rules), {})
        names = names[: way.get("players", names)[-1] if way else None]
    names = names if players is None else players.split(",")
    return {"game": game, "rules": rules, "players": [name.strip() for name in names], "options": read_options(option)}


def simulate(
    game: Annotated[str, typer.Argument(help="karma or set")],
    edition: Edition = None,
    variant: Variant = None,
    players: Players = None,
    games: Games = 100_000,
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
    side = _side(game, edition, variant, players, option)
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


def _grid(title: str, *heads: str) -> Grid:
    grid = Grid(title=title, title_justify="left", title_style="bold", header_style="dim", box=None, pad_edge=False)
    for i, head in enumerate(heads):
        grid.add_column(head, justify="left" if i == 0 else "right")
    return grid


def show_result(console: Console, result: KarmaResult | SetResult) -> None:
    """Prints the result as tables."""
    rate = result.games / result.seconds if result.seconds else 0
    reason = " (stopped by hand)" if result.interrupted else " (precise enough)" if result.precise_enough else ""
    console.print(
        f"{result.games:,} games{reason}, {result.moves:,} moves in {result.seconds:.1f} s: {rate:,.0f} games a second"
    )
    if isinstance(result, KarmaResult):
        _show_karma(console, result)
    else:
        _show_set(console, result)


def _show_karma(console: Console, result: KarmaResult) -> None:
    grid = _grid("\nGames lost, by bot", "bot", "lost")
    for bot, rate in result.bots.items():
        grid.add_row(bot, rate.in_percent)
    console.print(grid)
    grid = _grid("\nBy player", "player", "lost", "pick-ups", "clears", "moves")
    for each in result.by_player:
        numbers = (f"{each.numbers[name]:.2f}" for name in ("pick_ups", "clears", "moves"))
        grid.add_row(f"{each.place + 1} {each.bot}", each.rate.in_percent, *numbers)
    console.print(grid)
    grid = _grid("\nBy seat, in order of play", "seat", "lost")
    for i, seat in enumerate(result.by_seat):
        grid.add_row("starts" if i == 0 else f"plays {i + 1}.", seat.in_percent)
    console.print(grid)
    spread = ", ".join(f"{p} %: {value:,}" for p, value in result.length_percentiles.items())
    console.print(
        f"\n[bold]Length[/] {result.turns.value:.1f} ± {result.turns.margin:.1f} turns; percentiles: {spread}"
    )
    _show_bars(console, result)
    console.print(
        f"[bold]A game has[/] {result.pick_ups.value:.2f} ± {result.pick_ups.margin:.2f} pick-ups, "
        f"{result.clears.value:.2f} ± {result.clears.margin:.2f} clears"
    )
    console.print(f"[bold]Stopped[/] after {result.spec.turn_limit:,} turns: {result.stopped.in_percent}")
    grid = _grid("\nCards", "card", "plays a game", "cards a game", "dealt it, lost", "played it, lost")
    for card in result.cards:
        plays = f"{card.plays_per_game:.2f}", f"{card.cards_per_game:.2f}"
        grid.add_row(card.card, *plays, card.lost_when_dealt.in_percent, card.lost_when_played.in_percent)
    console.print(grid)


def _show_set(console: Console, result: SetResult) -> None:
    grid = _grid("\nBy player", "player", "won", "score", "SETs", "points lost")
    for each in result.by_player:
        numbers = (f"{each.numbers[name]:.2f}" for name in ("score", "sets", "points_lost"))
        grid.add_row(f"{each.place + 1} {each.bot}", each.rate.in_percent, *numbers)
    console.print(grid)
    seconds = result.seconds_a_game
    console.print(
        f"\n[bold]A game has[/] {result.sets.value:.2f} ± {result.sets.margin:.2f} SETs, {result.deals:.2f} deals, "
        f"and lasts {seconds.value:.0f} ± {seconds.margin:.0f} s"
    )
    _show_bars(console, result)
    grid = _grid("\nSize of the layout reached", "cards", "games")
    for size, reached in result.reached.items():
        grid.add_row(str(size), reached.in_percent)
    console.print(grid)
    layouts = {size: counts for size, counts in result.layouts.items() if size >= 3}
    most = min(9, max((len(counts) for counts in layouts.values()), default=1))
    grid = _grid(
        "\nSETs in a layout, as percentages of the layouts of that size", "cards", *(str(i) for i in range(most))
    )
    for size, counts in layouts.items():
        grid.add_row(str(size), *(f"{100 * count / sum(counts):.1f}" for count in counts[:most]))
    console.print(grid)
    endings = ", ".join(f"{name.replace('_', ' ')} {100 * each.value:.1f} %" for name, each in result.endings.items())
    console.print(f"\n[bold]Ended by[/] {endings}")


def _show_bars(console: Console, result: KarmaResult | SetResult) -> None:
    """Prints the histogram as one line of block characters."""
    counts = [count for _, count in result.histogram]
    wide = max(1, -(-len(counts) // 60))
    heights = [sum(counts[i : i + wide]) for i in range(0, len(counts), wide)]
    most = max(heights)
    line = "".join(" ▁▂▃▄▅▆▇█"[-(-8 * height // most)] for height in heights)
    console.print(f"       {line}", highlight=False)


def compare(
    game: Annotated[str, typer.Argument(help="karma or set")],
    edition: Edition = None,
    variant: Variant = None,
    players: Players = None,
    option: OptionList = None,
    with_edition: Annotated[str | None, typer.Option(help="Edition of the other side.")] = None,
    with_variant: Annotated[str | None, typer.Option(help="Variant of the other side.")] = None,
    with_players: Annotated[str | None, typer.Option(help="Bots of the other side.")] = None,
    with_option: Annotated[list[str] | None, typer.Option(help="Option of the other side.")] = None,
    games: Games = 50_000,
    seed: Seed = simulation.SEED,
    workers: Workers = None,
    dask: Dask = None,
    as_json: AsJson = False,  # noqa: FBT002 (typer reads the signature)
) -> None:
    """Compare two editions, variants, options or lists of bots, with the same cards on both sides."""
    first = _side(game, edition, variant, players, option)
    second = _side(
        game,
        with_edition or edition,
        with_variant or variant,
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
    edition: Annotated[str, typer.Option(help="The edition that the card is added to.")] = "classic",
    copies: Annotated[int, typer.Option(min=1, max=6, help="Number of copies of the card.")] = 3,
    players: Annotated[str, typer.Option(help="Bots, separated by commas.")] = "sharp,sharp,sharp,sharp",
    games: Games = 40_000,
    seed: Seed = "design",
    workers: Workers = None,
    as_json: AsJson = False,  # noqa: FBT002 (typer reads the signature)
) -> None:
    """Simulate a designed card (K66): its effect on length, pick-ups, seats, and the player who is dealt it."""
    bots = [name.strip() for name in players.split(",")]
    with _refusals_printed(), _progress(quiet=as_json) as progress:
        trial = simulation.try_design(
            code, edition, copies=copies, players=bots, games=games, seed=seed, workers=workers, on_progress=progress
        )
    if as_json:
        typer.echo(json.dumps(trial.as_json()))
        return
    console = Console()
    console.print(
        f"[bold]{trial.design.name}[/], {copies} in {edition}, {trial.with_card.games:,} games with it and without it"
    )
    for sentence in trial.sentences():
        console.print(f"[red]{sentence}[/]" if sentence in trial.warnings else sentence, highlight=False)
