"""/metrics, for Prometheus: the server's own measures, brought into its form when it asks."""

import hmac
import ipaddress
from collections.abc import Iterator

from litestar import Response, get
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from threefold import __version__
from threefold.live.measures import Histogram
from threefold.live.refusals import NotAllowed, refuse
from threefold.web.hall import Asking, Hall, address_of, hall_of

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


class NotOperator(NotAllowed):
    """Somebody asks for what is the operator's alone."""


def is_operator(request: Asking) -> bool:
    """Whether the request shows the operator's token."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    wanted = hall_of(request).keys.operator_token
    return kind.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), wanted.encode())


def check_operator(request: Asking) -> None:
    """Refuses everybody else; who guesses is soon refused without a look."""
    limits = hall_of(request).limits
    if not is_operator(request):
        limits.check("guesses", address_of(request))
        raise NotOperator(refuse("not_operator").text)


def is_local(request: Asking) -> bool:
    """Whether it comes from this very machine and no proxy has passed it on."""
    try:
        near = ipaddress.ip_address(address_of(request)).is_loopback
    except ValueError:
        return False
    return near and not hall_of(request).settings.proxied and not any(name in request.headers for name in FORWARDED)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asking) -> Response[bytes]:
    """For the operator's token, or from this machine itself where there is no proxy in between."""
    if not is_local(request):
        check_operator(request)
    return Response(hall_of(request).metrics.text(), headers={"content-type": CONTENT_TYPE_LATEST})


class Figures(Collector):
    """Reads the measures whenever somebody looks."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """All of it."""
        return generate_latest(self._registry)

    def describe(self) -> list[Metric]:
        """Nothing is measured before it is asked for."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Every measure, as it is now."""
        hall, measured = self._hall, self._hall.measures
        build = GaugeMetricFamily("threefold_build_info", "The version that runs.", labels=["version"])
        build.add_metric([__version__], 1)
        yield build
        sessions = list(hall.lobby.sessions.values())
        yield GaugeMetricFamily("threefold_sockets", "Open lines.", sum(len(each.lines) for each in sessions))
        yield GaugeMetricFamily("threefold_tables", "Tables in memory.", len(sessions))
        running = sum(each.sitting.running is not None for each in sessions)
        yield GaugeMetricFamily("threefold_games_running", "Tables in memory at which a game runs.", running)
        compiled = hall.lobby.engines.speed("karma") == "compiled"
        yield GaugeMetricFamily(
            "threefold_compiled", "Whether games that begin now are played compiled.", int(compiled)
        )
        moves = CounterMetricFamily("threefold_moves", "Moves that were asked for.", labels=["game", "result"])
        for (game, result), count in measured.moves.items():
            moves.add_metric([game, result], count)
        yield moves
        yield _counts("threefold_refusals", "Refusals, by their key.", "key", dict(measured.refusals))
        yield _counts("threefold_store_errors", "Times the store failed.", "problem", dict(hall.store.errors))
        yield _histogram("threefold_ack_seconds", "From a message to its being durable or refused.", measured.acks)
        yield _histogram("threefold_commit_seconds", "One group commit.", measured.commits)
        yield _histogram("threefold_commit_entries", "Entries in one group commit.", measured.batches)
        yield _histogram("threefold_bot_seconds", "A bot thinks.", measured.thoughts)
        yield _histogram("threefold_loop_lag_seconds", "How late the event loop was.", measured.loop_lag)
        yield from self._notices()

    def _notices(self) -> Iterator[Metric]:
        exchange = self._hall.exchange
        if exchange is None:
            return
        told = CounterMetricFamily("threefold_notices", "Notices between processes.", labels=["what"])
        for what in ("sent", "heard", "healed", "strange"):
            told.add_metric([what], getattr(exchange.counts, what))
        yield told
        yield GaugeMetricFamily("threefold_processes", "Processes on this database.", 1 + len(exchange.peers))
        yield GaugeMetricFamily("threefold_listening", "Whether notices are heard.", int(exchange.wire.listening))


def _counts(name: str, words: str, label: str, found: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, words, labels=[label])
    for key, count in found.items():
        family.add_metric([key], count)
    return family


def _histogram(name: str, words: str, measured: Histogram) -> Metric:
    buckets: list[tuple[str, float]] = []
    total = 0
    for bound, count in zip((*measured.bounds, float("inf")), measured.counts, strict=True):
        total += count
        buckets.append(("+Inf" if bound == float("inf") else str(bound), total))
    return HistogramMetricFamily(name, words, buckets=buckets, sum_value=measured.total)


ROUTES = [metrics]
