"""The server of the browser tests: the real one, but its shuffles come from a file, so that games can be repeated.

Run as `python -m tests.browser.serve PORT FOLDER`. FOLDER/seed holds the seed of the next games; FOLDER/position, if
there is one, the position that the next games of Karma start from; FOLDER/clock, if there is one, by how many
milliseconds the server's clock is wrong.
"""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import uvicorn

from threefold import karma
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

    position = folder / "position"

    def new(setup: Mapping[str, Any]) -> Any:
        chosen = position.read_text("utf-8") if position.exists() else None
        text = setup.get("position", chosen)
        return karma.new(setup if text is None else {"position": text})

    def setup_of(table: Any) -> dict[str, Any]:
        return {"seed": "v1:position", "dealer": 0, **karma.setup(table)}

    for name, function in (("new", new), ("setup", setup_of)):
        setattr(karma.Karma, name, staticmethod(function))
    vars(lifespan)["WallClock"] = Shifted
    vars(acts)["new_seed"] = lambda: f"v1:{(folder / 'seed').read_text('utf-8').strip()}"
    settings = settings_from_environment()
    served = create_app(replace(settings, data_dir=folder, rates=0, sockets_per_person=100, sockets_per_address=1000))
    ws = "threefold.web.table_socket:TableSocket"
    http = "threefold.web.http_connection:HttpConnection"
    uvicorn.run(served, port=port, log_level="warning", http=http, ws=ws, access_log=False)


if __name__ == "__main__":
    main()
