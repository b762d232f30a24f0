"""`./run soak`: plays against its own servers under failures for a long time, then audits all guarantees."""

import argparse
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from tests.soak.campaign import Settings, as_words, soak


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
    arguments = parser.parse_args()
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


if __name__ == "__main__":
    sys.exit(main())
