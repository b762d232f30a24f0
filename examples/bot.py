"""A program that plays at a table, in forty lines: `python examples/bot.py ADDRESS CODE TOKEN`.

It sits down, waits for its turn, and makes the first legal move there is. See docs/guides/bot-interface.md.
"""

import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import connect


def choose(view: dict[str, Any]) -> str | None:
    """The first legal move; None while there is nothing to do. This is the line to improve."""
    return next(iter(view["moves"]), None)


def over(table: dict[str, Any]) -> bool:
    """Is a game over, so that the next one can begin?"""
    return bool(table["playing"] and table["playing"]["over"])


async def play(address: str, code: str, token: str) -> None:
    """Plays game after game until the table closes."""
    number = 0
    async with connect(f"{address.replace('http', 'ws', 1)}/api/tables/{code}/socket") as socket:

        async def ask(what: str, **fields: Any) -> None:
            nonlocal number
            number += 1
            await socket.send(json.dumps({"is": what, "n": number, **fields}))

        await socket.send(json.dumps({"is": "hello", "protocol": 1, "client": "example", "token": token}))
        await ask("sit")
        async for text in socket:
            message = json.loads(text)
            if message["is"] == "probe":  # the table measures the way, and makes good for it when people race
                await socket.send(json.dumps({"is": "probed", "mark": message["mark"]}))
            elif message["is"] == "view" and (move := choose(message["view"])):
                await ask("move", move=move, game=message["game"])
            elif message["is"] == "table" and over(message) and message["you"] not in message["ready"]:
                await ask("ready")


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:4]))
