"""/metrics for Prometheus: the server's measures at the time of the request."""

from collections.abc import Iterator

from litestar import Response, get
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from threefold import __version__
from threefold.live.measures import Histogram
from threefold.web.guards import check_operator, is_local
from threefold.web.server import HttpRequest, Server, server_of


@get("/metrics", include_in_schema=False)
async def metrics(request: HttpRequest) -> Response[bytes]:
    """All metrics. Needs the operator's token, except from this machine without a proxy."""
    if not is_local(request):
        check_operator(request)
    registry = CollectorRegistry()
    registry.register(ServerCollector(server_of(request)))
    ProcessCollector(registry=registry)
    return Response(generate_latest(registry), headers={"content-type": CONTENT_TYPE_LATEST})


class ServerCollector(Collector):
    """The server's measures in Prometheus' form."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def describe(self) -> list[Metric]:
        """Nothing, so that registering does not collect."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Every metric with its current value."""
        server, measured = self._server, self._server.measures
        build = GaugeMetricFamily("threefold_build_info", "The server's version.", labels=["version"])
        build.add_metric([__version__], 1)
        yield build
        sessions = list(server.lobby.sessions.values())
        yield GaugeMetricFamily("threefold_sockets", "Open table sockets.", server.sockets)
        yield GaugeMetricFamily("threefold_tables", "Tables in memory.", len(sessions))
        running = sum(each.state.running is not None for each in sessions)
        yield GaugeMetricFamily("threefold_games_running", "Tables in memory with a running game.", running)
        loading = "Running games that a new server has not loaded yet."
        yield GaugeMetricFamily("threefold_games_loading", loading, server.lobby.loading)
        engines = server.lobby.engines
        compiled = any(engines.speed(name) == "compiled" for name in engines.kits)
        yield GaugeMetricFamily("threefold_compiled", "Whether new games run compiled.", int(compiled))
        moves = CounterMetricFamily("threefold_moves", "Moves by game and result.", labels=["game", "result"])
        for (game, result), count in measured.moves.items():
            moves.add_metric([game, result], count)
        yield moves
        yield _counter("threefold_refusals", "Refusals by text key.", "key", dict(measured.refusals))
        yield _counter("threefold_store_errors", "Database errors.", "problem", dict(server.store.errors))
        yield _histogram("threefold_ack_seconds", "Time from a message to its ack or refusal.", measured.acks)
        yield _histogram("threefold_commit_seconds", "Time of a group commit.", measured.commits)
        yield _histogram("threefold_commit_entries", "Entries per group commit.", measured.batches)
        yield _histogram("threefold_bot_seconds", "Time of a bot's decision.", measured.thoughts)
        yield _histogram("threefold_loop_lag_seconds", "Delay of the event loop.", measured.loop_lag)
        yield from self._notices()

    def _notices(self) -> Iterator[Metric]:
        cluster = self._server.cluster
        if cluster is None:
            return
        notices = CounterMetricFamily("threefold_notices", "Notices between processes.", labels=["what"])
        for what in ("sent", "received", "caught_up", "unknown"):
            notices.add_metric([what], getattr(cluster.counts, what))
        yield notices
        yield GaugeMetricFamily("threefold_processes", "Processes on this database.", 1 + len(cluster.peers))
        yield GaugeMetricFamily("threefold_listening", "Whether notices arrive.", int(cluster.bus.listening))


def _counter(name: str, description: str, label: str, counts: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, description, labels=[label])
    for key, count in counts.items():
        family.add_metric([key], count)
    return family


def _histogram(name: str, description: str, measured: Histogram) -> Metric:
    buckets: list[tuple[str, float]] = []
    total = 0
    for bound, count in zip((*measured.bounds, float("inf")), measured.counts, strict=True):
        total += count
        buckets.append(("+Inf" if bound == float("inf") else str(bound), total))
    return HistogramMetricFamily(name, description, buckets=buckets, sum_value=measured.total)


ROUTES = [metrics]
