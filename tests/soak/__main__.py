"""`./run soak`: a long campaign against servers of its own, and the audit of everything that was promised."""

import argparse
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from tests.soak.campaign import Settings, as_words, soak


def main() -> int:
    """Runs the campaign; the exit code says whether every promise was kept."""
    asked = argparse.ArgumentParser(prog="./run soak", description=__doc__)
    asked.add_argument("--minutes", type=float, default=20.0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=3)
    asked.add_argument("--tables", type=int, default=24)
    asked.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    asked.add_argument("--kills-per-minute", type=float, default=4.0)
    asked.add_argument("--json", action="store_true", help="one object for programs to read")
    asked.add_argument("--keep", type=Path, help="a folder for everybody's notes and the servers' logs")
    given = asked.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    settings = Settings(
        seconds=60 * given.minutes,
        seed=given.seed,
        processes=given.processes,
        tables=given.tables,
        sqlite=given.database == "sqlite",
        kills_per_minute=given.kills_per_minute,
    )
    try:
        report = soak(settings, given.keep)
    except KeyboardInterrupt:
        return 130
    print(json.dumps(asdict(report)) if given.json else "\n".join(as_words(report)))  # noqa: T201 (the report)
    return int(bool(report.violations))


if __name__ == "__main__":
    sys.exit(main())
