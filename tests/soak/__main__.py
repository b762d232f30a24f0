"""`./run soak`: plays against its own servers under failures for a long time, then audits all guarantees."""

import argparse
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from tests.soak.campaign import Settings, as_words, soak
from tests.soak.fire import PARTS, Fire, run_fire
from threefold.live.loading import COMPACT_AFTER_MS

LONGEST_MINUTES = COMPACT_AFTER_MS // 60_000 // 2
"""The audit wants every entry of a campaign, and compaction drops old arrangements."""


def main() -> int:
    """Runs the campaign; returns 0 if there were no violations."""
    parser = argparse.ArgumentParser(prog="./run soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--kills-per-minute", type=float, default=4.0)
    parser.add_argument("--json", action="store_true", help="print the report as one JSON object")
    parser.add_argument("--keep", type=Path, help="folder in which to keep the notes and the server logs")
    usual = Fire()
    fire = parser.add_argument_group("--fire: kills, hostile clients and a long evening at a large scale")
    fire.add_argument("--fire", action="store_true")
    fire.add_argument("--kills", type=int, default=usual.kills, help="on each database; a tenth more during migrations")
    fire.add_argument("--rounds", type=int, default=usual.rounds, help="of kills and acts, each with new tables")
    fire.add_argument("--acts", type=int, default=usual.acts, help="acknowledged acts, on both databases together")
    fire.add_argument("--hostile", type=int, default=usual.hostile, help="hostile messages")
    fire.add_argument("--games", type=int, default=usual.games, help="games of the long evening")
    fire.add_argument("--most-minutes", type=float, default=usual.minutes, help="the longest that each part may take")
    fire.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    arguments = parser.parse_args()
    if max(arguments.minutes, arguments.most_minutes) > LONGEST_MINUTES:
        parser.error(f"at most {LONGEST_MINUTES} minutes, because older logs may be compacted and then have gaps")
    if arguments.fire:
        return under_fire(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    settings = Settings(
        seconds=60 * arguments.minutes,
        seed=arguments.seed,
        processes=arguments.processes,
        tables=arguments.tables,
        sqlite=arguments.database == "sqlite",
        kills_per_minute=arguments.kills_per_minute,
    )
    try:
        report = soak(settings, arguments.keep)
    except KeyboardInterrupt:
        return 130
    print(json.dumps(asdict(report)) if arguments.json else "\n".join(as_words(report)))  # noqa: T201 (the report)
    return int(bool(report.violations))


def under_fire(arguments: argparse.Namespace) -> int:
    """Runs the large campaign; returns 0 if there were no violations."""
    fire = Fire(
        kills=arguments.kills,
        migrations=arguments.kills // 10,
        rounds=arguments.rounds,
        acts=arguments.acts,
        hostile=arguments.hostile,
        games=arguments.games,
        minutes=arguments.most_minutes,
        tables=arguments.tables,
        processes=arguments.processes,
        seed=arguments.seed,
        parts=tuple(arguments.parts),
    )
    result = run_fire(fire)
    violations = [f"VIOLATION {each}" for each in result.violations]
    print(json.dumps(asdict(result)) if arguments.json else "\n".join([*result.words, *violations]))  # noqa: T201 (the report)
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main())
