"""How long `./run` takes to the first page on a bare Debian, and how much disk it needs: `./run bench first_page`.

Debian's debootstrap makes a system that has Python and pip and nothing else. The project's files are copied into it,
and `./run serve` starts there. Needs root, debootstrap and Debian's package archive. Package indexes, certificates and
proxies are those that pip and npm use on this machine: their configuration is copied for the measurement.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = "python3,python3-pip,ca-certificates"
SECONDS, MEGABYTES, AGAIN_SECONDS = 30, 450, 2
"""The goals: the first page, its disk, the second start."""
PASSED_ON = ("PIP_", "UV_", "NPM_CONFIG_", "SSL_CERT_", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")


def configuration() -> set[Path]:
    """The files that tell this machine's pip, npm and resolver how to reach the packages."""
    found = {Path("/etc/resolv.conf"), Path("/etc/hosts"), Path("/etc/ssl/certs/ca-certificates.crt")}
    pip = subprocess.run([sys.executable, "-m", "pip", "config", "debug"], capture_output=True, text=True, check=False)
    if pip.returncode:  # .venv has no pip
        pip = subprocess.run(["pip", "config", "debug"], capture_output=True, text=True, check=False)
    for line in pip.stdout.splitlines():
        name, _, exists = line.strip().partition(", exists: ")
        if exists == "True":
            found.add(Path(name))
    if shutil.which("npm"):
        for which in ("userconfig", "globalconfig"):
            told = subprocess.run(["npm", "config", "get", which], capture_output=True, text=True, check=False)
            found.add(Path(told.stdout.strip()))
    return {path for path in found if path.is_file()}


def prepare(system: Path, base: Path | None) -> None:
    """Makes the bare system and copies the project into it, without anything that tools made."""
    if base is None:
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", str(system)]
        subprocess.run(command, check=True, stdout=sys.stderr)
    else:
        subprocess.run(["cp", "-a", f"{base}/.", str(system)], check=True)
    for path in configuration():
        inside = system / path.relative_to("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path.resolve(), inside)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (system / "threefold" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, system / "threefold" / name)


def megabytes(folder: Path) -> float:
    """The disk that a folder occupies."""
    told = subprocess.run(["du", "-sk", str(folder)], capture_output=True, text=True, check=False)
    return int((told.stdout or "0").split()[0]) / 1024  # du gives up when a folder vanishes under it


def serve(system: Path, port: int) -> subprocess.Popen[bytes]:
    """Starts `./run serve` inside."""
    passed_on = {name: value for name, value in os.environ.items() if name.upper().startswith(PASSED_ON)}
    variables = {"PATH": "/usr/bin:/usr/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", **passed_on}
    inside = f"cd /threefold && exec ./run serve --port {port}"
    return subprocess.Popen(
        ["chroot", str(system), "sh", "-c", inside], env=variables, stdout=sys.stderr, start_new_session=True
    )


def seconds_to_page(server: subprocess.Popen[bytes], port: int, began: float) -> float:
    """Waits for the built page, not the plain one."""
    while time.monotonic() - began < 600:
        if server.poll() is not None:
            sys.exit("./run ended before the page came; see above.")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
                if b"/assets/" in page.read():
                    return time.monotonic() - began
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.05)
    sys.exit("no page within ten minutes")


def stop(server: subprocess.Popen[bytes]) -> None:
    """Ends the server with everything that it started."""
    os.killpg(server.pid, signal.SIGTERM)
    server.wait(30)


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def measure(system: Path, *, peak: bool) -> dict[str, float]:
    """Both starts, with the disk that the first one took."""
    before, most, done = megabytes(system), 0.0, threading.Event()

    def watch() -> None:
        nonlocal most
        while not done.wait(1):
            most = max(most, megabytes(system))

    port = free_port()
    watching = threading.Thread(target=watch)
    if peak:
        watching.start()
    began = time.monotonic()
    server = serve(system, port)
    try:
        first = seconds_to_page(server, port, began)
        occupied = megabytes(system) - before
    finally:
        done.set()
        stop(server)
    began = time.monotonic()
    server = serve(system, port)
    try:
        again = seconds_to_page(server, port, began)
    finally:
        stop(server)
    figures = {"first page, s": round(first, 1), "disk, MB": round(occupied), "second start, s": round(again, 2)}
    if peak:
        watching.join()
        figures["most disk on the way, MB"] = round(most - before)
    return figures


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--base", type=Path, help="a folder with a bare Debian, instead of making one")
    parser.add_argument("--peak", action="store_true", help="also the most disk on the way; watching takes time")
    parser.add_argument("--check", action="store_true", help="fail if a goal is missed")
    options = parser.parse_args()
    if os.geteuid() != 0 or (options.base is None and not shutil.which("debootstrap")):
        sys.exit("This needs root and debootstrap (Debian: apt-get install debootstrap).")
    with tempfile.TemporaryDirectory(prefix="threefold-bare-") as folder:
        system = Path(folder)
        system.chmod(0o755)
        prepare(system, options.base)
        figures = measure(system, peak=options.peak)
    figures["load of the machine"] = round(os.getloadavg()[0], 1)
    print(json.dumps(figures) if options.json else "\n".join(f"{name:>26}  {value}" for name, value in figures.items()))
    goals = {"first page, s": SECONDS, "disk, MB": MEGABYTES, "second start, s": AGAIN_SECONDS}
    missed = [name for name, goal in goals.items() if figures[name] > goal]
    if options.check and missed:
        sys.exit(f"missed: {', '.join(missed)}")


if __name__ == "__main__":
    main()
