"""A bot that plays at a table, in forty lines: `python examples/bot.py ADDRESS CODE TOKEN`.

It takes a seat, waits for its turn, and makes the first legal move. See docs/guides/bot-interface.md.
"""

import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import connect


def choose(view: dict[str, Any]) -> str | None:
    """The first legal move; None if there is none. This is the line to improve."""
    return next(iter(view["moves"]), None)


def over(table: dict[str, Any]) -> bool:
    """Is the game over, so that the next one can begin?"""
    return bool(table["playing"] and table["playing"]["over"])


async def play(address: str, code: str, token: str) -> None:
    """Plays game after game until the table closes."""
    number = 0
    async with connect(f"{address.replace('http', 'ws', 1)}/api/tables/{code}/socket") as socket:

        async def send(kind: str, **fields: Any) -> None:
            nonlocal number
            number += 1
            await socket.send(json.dumps({"is": kind, "n": number, **fields}))

        await socket.send(json.dumps({"is": "hello", "protocol": 1, "client": "example", "token": token}))
        await send("sit")
        async for text in socket:
            message = json.loads(text)
            if message["is"] == "probe":  # the server measures the round trip, to compensate for it when players race
                await socket.send(json.dumps({"is": "probed", "mark": message["mark"]}))
            elif message["is"] == "view" and (move := choose(message["view"])):
                await send("move", move=move, game=message["game"])
            elif message["is"] == "table" and over(message) and message["you"] not in message["ready"]:
                await send("ready")


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:4]))
