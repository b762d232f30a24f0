"""The server of the browser tests: the real one, but its shuffles come from a file, so that games can be repeated.

Run as `python -m tests.browser.serve PORT FOLDER`. FOLDER/seed holds the seed of the next games; FOLDER/clock, if
there is one, by how many milliseconds the server's clock is wrong.
"""

import sys
from dataclasses import replace
from pathlib import Path

import uvicorn

from threefold.live import acts
from threefold.live.clock import WallClock
from threefold.web import lifespan
from threefold.web.app import create_app
from threefold.web.settings import settings_from_environment


def main() -> None:
    port, folder = int(sys.argv[1]), Path(sys.argv[2])
    clock = folder / "clock"

    class Shifted(WallClock):
        def now(self) -> int:
            return super().now() + (int(clock.read_text("utf-8")) if clock.exists() else 0)

    vars(lifespan)["WallClock"] = Shifted
    vars(acts)["new_seed"] = lambda: f"v1:{(folder / 'seed').read_text('utf-8').strip()}"
    given = settings_from_environment()
    served = create_app(replace(given, data_dir=folder, rates=0, sockets_per_person=100, sockets_per_address=1000))
    ws = "threefold.web.table_socket:TableSocket"
    http = "threefold.web.http_connection:HttpConnection"
    uvicorn.run(served, port=port, log_level="warning", http=http, ws=ws, access_log=False)


if __name__ == "__main__":
    main()
