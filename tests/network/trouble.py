"""Simulates a bad network between clients and a server: delay, jitter, loss, silence. Two backends, one interface.

`Packets` gives the server and each client its own network namespace, joined by a pair of TUN devices; a thread forwards
every IP packet, late or never. TCP notices and retransmits, as on a real network. This needs the permission to create
namespaces. `Proxy` needs no permission: a TCP proxy that delays bytes, and imitates packet loss by stalling as long as
a retransmission would take.
"""

import asyncio
import ctypes
import fcntl
import heapq
import os
import random
import selectors
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol, TypeVar

T = TypeVar("T")
CLONE_NEWNET = 0x40000000
TUNSETIFF, TUN_WITHOUT_HEADER = 0x400454CA, 0x1001
SIOCSIFADDR, SIOCSIFNETMASK, SIOCGIFFLAGS, SIOCSIFFLAGS = 0x8916, 0x891C, 0x8913, 0x8914
IFF_UP = 0x1
RETRANSMISSION_S = 0.2
"""The shortest retransmission time-out of TCP: the least stall after a lost packet."""
LARGEST_PACKET = 65_536


@dataclass(slots=True)
class Weather:
    """The condition of the network in each direction; may be changed at any time."""

    delay_s: float = 0.0
    jitter_s: float = 0.0
    loss: float = 0.0
    silent: bool = False
    """Nothing arrives, and no side is notified."""
    dice: random.Random = field(default_factory=lambda: random.Random(6))  # noqa: S311 (a simulated network)

    def late(self) -> float:
        """The delay of the next packet or chunk."""
        return max(0.0, self.delay_s + self.dice.uniform(-self.jitter_s, self.jitter_s))

    def lost(self) -> bool:
        """Is the next packet or chunk lost?"""
        return self.silent or self.dice.random() < self.loss


class Way(Protocol):
    """One client's route to the server."""

    weather: Weather

    async def connect(self, port: int) -> socket.socket:
        """Connects to the server at this port, through the simulated network."""


class Means(Protocol):
    """A backend that simulates a bad network."""

    name: str
    host: str
    """The address on which the server has to listen."""

    def at_home(self, what: Callable[[], T]) -> T:
        """Calls `what` on the server's side, where the network is good."""

    def way(self, weather: Weather) -> "Way":
        """A new route to the server."""


# ---------------------------------------------------------------- Packets


def _libc(name: str, *arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def in_a_thread(what: Callable[[], T]) -> T:
    """Calls `what` in a new thread, because a namespace belongs to a thread."""
    done: list[T] = []
    wrong: list[BaseException] = []

    def run() -> None:
        try:
            done.append(what())
        except BaseException as problem:  # noqa: BLE001 (raised again in the calling thread)
            wrong.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if wrong:
        raise wrong[0]
    return done[0]


class Namespace:
    """An empty network namespace; the system removes it after its last use."""

    def __init__(self) -> None:
        self.file = in_a_thread(self._make)

    @staticmethod
    def _make() -> int:
        _libc("unshare", CLONE_NEWNET)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
            _raise_up(control, b"lo")
        return os.open("/proc/thread-self/ns/net", os.O_RDONLY)

    def inside(self, what: Callable[[], T]) -> T:
        """Calls `what` inside; processes started by it stay inside."""

        def run() -> T:
            _libc("setns", self.file, CLONE_NEWNET)
            return what()

        return in_a_thread(run)

    def close(self) -> None:
        """Releases the namespace."""
        os.close(self.file)


def _raise_up(control: socket.socket, device: bytes) -> None:
    flags = struct.unpack("16sH22x", fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack("16sH22x", device, 0)))[1]
    fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH22x", device, flags | IFF_UP))


def _tun(device: bytes, address: str) -> int:
    """A TUN device in this thread's namespace; reading and writing the file receives and sends its packets."""
    wire = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(wire, TUNSETIFF, struct.pack("16sH22x", device, TUN_WITHOUT_HEADER))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for what, value in ((SIOCSIFADDR, address), (SIOCSIFNETMASK, "255.255.255.252")):
            fcntl.ioctl(control, what, struct.pack("16sH2x4s8x8x", device, socket.AF_INET, socket.inet_aton(value)))
        _raise_up(control, device)
    return wire


class Carrier(threading.Thread):
    """Forwards packets between devices, with the delay of the weather."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._selector = selectors.DefaultSelector()
        self._due: list[tuple[float, int, int, bytes]] = []
        self._last: dict[int, float] = {}
        self._number = count()
        self._ended = False
        self.carried = self.dropped = 0

    def join_wires(self, one: int, other: int, weather: Weather) -> None:
        """Connects two devices, in both directions."""
        self._selector.register(one, selectors.EVENT_READ, (other, weather))
        self._selector.register(other, selectors.EVENT_READ, (one, weather))

    def run(self) -> None:
        while not self._ended:
            wait = min(0.05, max(0.0, self._due[0][0] - time.monotonic())) if self._due else 0.05
            for key, _ in self._selector.select(wait):
                self._take(key.fd, *key.data)
            while self._due and self._due[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(self._due)
                os.write(to, packet)

    def _take(self, wire: int, to: int, weather: Weather) -> None:
        while True:
            try:
                packet = os.read(wire, LARGEST_PACKET)
            except BlockingIOError:
                return
            if weather.lost():
                self.dropped += 1
                continue
            self.carried += 1
            due = max(self._last.get(to, 0.0), time.monotonic() + weather.late())
            self._last[to] = due
            heapq.heappush(self._due, (due, next(self._number), to, packet))

    def end(self) -> None:
        """Stops forwarding."""
        self._ended = True
        self.join()
        wires = [key.fd for key in self._selector.get_map().values()]
        self._selector.close()
        for wire in wires:
            os.close(wire)


@dataclass(slots=True)
class PacketWay:
    """The namespace of one client, and the server's address as seen from there."""

    weather: Weather
    namespace: Namespace
    server: str

    async def connect(self, port: int) -> socket.socket:
        """Connects to the server at this port."""
        made = self.namespace.inside(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
        made.settimeout(0)
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await asyncio.get_running_loop().sock_connect(made, (self.server, port))
        return made


class Packets:
    """Namespaces, joined by devices that lose and delay packets."""

    name = "network namespaces, joined by TUN devices; every packet is carried late or not at all"
    host = "0.0.0.0"  # noqa: S104 (inside a namespace that only the test's clients can reach)

    def __init__(self) -> None:
        self.home = Namespace()
        self.carrier = Carrier()
        self.ways: list[PacketWay] = []
        self.carrier.start()

    def at_home(self, what: Callable[[], T]) -> T:
        """Calls `what` in the server's namespace."""
        return self.home.inside(what)

    def way(self, weather: Weather) -> Way:
        """A new client namespace, connected to the server's; the addresses are reserved for documentation."""
        number = len(self.ways)
        theirs, ours = f"192.0.2.{4 * number + 2}", f"192.0.2.{4 * number + 1}"
        away = Namespace()
        self.carrier.join_wires(
            self.home.inside(lambda: _tun(f"tun{number}".encode(), ours)),
            away.inside(lambda: _tun(b"tun0", theirs)),
            weather,
        )
        self.ways.append(PacketWay(weather, away, ours))
        return self.ways[-1]

    def close(self) -> None:
        """Closes all namespaces and devices."""
        self.carrier.end()
        for each in self.ways:
            each.namespace.close()
        self.home.close()


# ---------------------------------------------------------------- Proxy


@dataclass(slots=True)
class ProxyWay:
    """The proxy of one client."""

    weather: Weather
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def listen(self, port: int) -> asyncio.Server:
        """Listens on a new port for a browser, and forwards to the server at this port."""

        async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection("127.0.0.1", port)
            await self._between(reader, writer, there, back)

        return await asyncio.start_server(accept, "127.0.0.1", 0)

    async def connect(self, port: int) -> socket.socket:
        """Connects to the server at this port."""
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=theirs)
        there, back = await asyncio.open_connection("127.0.0.1", port)
        task = asyncio.create_task(self._between(reader, writer, there, back))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return ours

    async def _between(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        there: asyncio.StreamReader,
        back: asyncio.StreamWriter,
    ) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._carry(reader, back))
            group.create_task(self._carry(there, writer))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forwards bytes in order, each chunk with its delay; a lost chunk stalls all chunks behind it."""
        queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sender = asyncio.create_task(self._deliver(queue, writer))
        loop = asyncio.get_running_loop()
        try:
            while lump := await reader.read(LARGEST_PACKET):
                stall = RETRANSMISSION_S if self.weather.dice.random() < self.weather.loss else 0.0
                queue.put_nowait((loop.time() + self.weather.late() + stall, lump))
        except ConnectionError:
            pass
        finally:
            queue.put_nowait((loop.time() + self.weather.late(), b""))
        await sender

    async def _deliver(self, queue: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                due, lump = await queue.get()
                await asyncio.sleep(due - loop.time())
                while self.weather.silent:  # noqa: ASYNC110 (the test changes the weather at any time)
                    await asyncio.sleep(0.02)
                if not lump:
                    break
                writer.write(lump)
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


class Proxy:
    """TCP proxies in this process."""

    name = "a TCP proxy that holds bytes back; loss is a stall, as TCP shows it"
    host = "127.0.0.1"

    def at_home(self, what: Callable[[], T]) -> T:
        """Calls `what` here, where the server runs."""
        return what()

    def way(self, weather: Weather) -> Way:
        """A new proxy."""
        return ProxyWay(weather)

    def close(self) -> None:
        """Closes all proxies."""


# ---------------------------------------------------------------- Which


def packets_are_possible() -> bool:
    """May this process create network namespaces, and devices in them?"""
    try:
        tried = Packets()
    except (OSError, AttributeError):
        return False
    try:
        tried.way(Weather())
    except OSError:
        return False
    else:
        return True
    finally:
        tried.close()


@contextmanager
def the_best_means() -> Iterator[Packets | Proxy]:
    """`Packets` if possible, else `Proxy`."""
    means = Packets() if packets_are_possible() else Proxy()
    try:
        yield means
    finally:
        means.close()


@contextmanager
def behind_a_proxy(port: int, weather: Weather) -> Iterator[int]:
    """A port on which a browser reaches the server through the simulated network, run by its own thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        listener = asyncio.run_coroutine_threadsafe(ProxyWay(weather).listen(port), loop).result(10)
        yield int(listener.sockets[0].getsockname()[1])
        asyncio.run_coroutine_threadsafe(hang_up(listener), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def hang_up(listener: asyncio.Server) -> None:
    """Cancels all tasks of this loop."""
    listener.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for each in others:
        each.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0.05)
