"""Benchmark of the server's start: seconds from `threefold serve` to the first page, and to a table with bots.

./run bench start            all figures
./run bench start --json     one object: first_page_s, play_now_s, cold_first_page_s

Every start is a new process with its data in a temporary folder. The first start, with a new database and a new secret,
is the cold figure; the median of the others is the warm one. `play_now_s`: from the request for a table with three bots
to its first View on the socket.
"""

import argparse
import asyncio
import http.cookiejar
import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

from websockets.asyncio.client import connect

ROUNDS = 5


def started(folder: Path) -> tuple[subprocess.Popen[str], str, float]:
    """A server, its address, and the seconds until it served its page."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "threefold", "serve", "--port", "0", "--data-dir", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
    assert address is not None
    while True:
        try:
            with urllib.request.urlopen(address.group() + "/", timeout=10) as answer:  # noqa: S310 (our own server)
                assert b"<title" in answer.read()
            break
        except OSError:
            time.sleep(0.005)
    return process, address.group(), time.perf_counter() - began


def play_now(address: str) -> float:
    """Seconds from the request for a table with bots to the first View."""
    jar = http.cookiejar.CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def post(path: str, body: object) -> dict[str, str]:
        request = urllib.request.Request(  # noqa: S310 (our own server)
            address + path, json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with opener.open(request, timeout=30) as answer:
            table: dict[str, str] = json.load(answer)
            return table

    post("/api/me", {"name": "Ada"})
    cookie = "; ".join(f"{each.name}={each.value}" for each in jar)

    async def first_view(socket_path: str) -> None:
        url = address.replace("http", "ws", 1) + socket_path
        async with connect(url, additional_headers={"Cookie": cookie}) as socket:
            await socket.send(json.dumps({"is": "hello", "protocol": 1, "client": "bench"}))
            while json.loads(await socket.recv())["is"] != "view":
                pass

    began = time.perf_counter()
    made = post("/api/tables", {"game": "karma", "seats": 4, "bots": ["careful"] * 3, "start": True})
    asyncio.run(first_view(made["socket"]))
    return time.perf_counter() - began


def main() -> None:
    """Measures and prints."""
    options = argparse.ArgumentParser(description="How long a player waits for the server.")
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="threefold-bench-"))
    pages, tables = [], []
    try:
        for _ in range(ROUNDS + 1):
            process, address, seconds = started(folder)
            pages.append(seconds)
            tables.append(play_now(address))
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=20)
            if process.stdout is not None:
                process.stdout.close()
    finally:
        shutil.rmtree(folder)
    figures = {
        "first_page_s": round(median(pages[1:]), 3),
        "play_now_s": round(median(tables[1:]), 3),
        "cold_first_page_s": round(pages[0], 3),
    }
    if chosen.json:
        print(json.dumps(figures))
        return
    for name, value in figures.items():
        print(f"{name:24} {value:8.3f}")


if __name__ == "__main__":
    main()
