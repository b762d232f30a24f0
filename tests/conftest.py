"""Shared test configuration: Hypothesis profiles, and the check that every clause of the rules has a passing test."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.rule_coverage import PAGE, all_clauses, clauses_marked, complaints, coverage_page

TESTS = Path(__file__).parent
OF_A_SERVER = ("DATABASE", "DATA_DIR", "SECRET", "SECRETS_FILE", "WORKERS", "PROXIED", "RATES", "LOG", "LOG_LEVEL")
"""Settings of somebody's own server, which are not for the servers that tests start."""
UNHURRIED: Any = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
"""On a busy machine everything is slow, and nothing is wrong."""
hypothesis.settings.register_profile("fast", max_examples=20, **UNHURRIED)
hypothesis.settings.register_profile("default", max_examples=100, print_blob=True, **UNHURRIED)
hypothesis.settings.register_profile("thorough", max_examples=5000, print_blob=True, **UNHURRIED)
hypothesis.settings.load_profile(os.environ.get("THREEFOLD_PROFILE", "default"))
for name in OF_A_SERVER:
    os.environ.pop(f"THREEFOLD_{name}", None)
os.environ.setdefault("THREEFOLD_COMPILED", "0")  # servers that tests start play plain, unless a test is about that
if not os.access(os.environ.get("XDG_CACHE_HOME") or Path("~").expanduser(), os.W_OK):  # nowhere to keep compiled code
    os.environ.setdefault("THREEFOLD_CACHE", str(Path(tempfile.gettempdir(), f"threefold-cache-{os.getuid()}")))
not_proxied = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
os.environ["NO_PROXY"] = os.environ["no_proxy"] = f"127.0.0.1,{not_proxied}"  # the servers of the tests are here


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--coverage-page",
        nargs="?",
        type=Path,
        const=PAGE,
        help="regenerate docs/rules/coverage.md (or another file: --coverage-page=FILE); with --collect-only",
    )


COMPILED = ("benchmarks", "bots", "karma", "simulation", "setgame/test_compiled.py")
"""Where tests play compiled games."""


@pytest.hookimpl(trylast=True)  # after the tests were shuffled
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Puts compiled games first, so that of two processes one compiles the rules, and not each for itself."""
    if hasattr(config, "workerinput"):
        folders = tuple(TESTS / each for each in COMPILED)
        items.sort(key=lambda item: not any(item.path.is_relative_to(each) for each in folders))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(ClauseCheck(config), "clause-check")


class ClauseCheck:
    """Fails a complete run if a clause has no passing test."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.proved: set[str] = set()
        self.complaints: list[str] = []

    @pytest.hookimpl(tryfirst=True)  # before tests are deselected or shuffled
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        known = set(all_clauses())
        letters = {clause[0] for clause in known}
        tests: dict[str, list[str]] = {}
        for item in items:
            for clause in clauses_marked(item):
                if clause not in known and clause[0] in letters:
                    raise pytest.UsageError(f"{item.nodeid} is marked with {clause}, which is no clause in docs/rules")
                item.user_properties.append(("clause", clause))  # goes with the report, from a worker process too
                tests.setdefault(clause, []).append(item.nodeid.partition("[")[0])
        page: Path | None = self.config.getoption("--coverage-page")
        if page is not None:
            if not runs_everything(self.config):
                raise pytest.UsageError("--coverage-page needs all tests: no paths, no -k, no -m")
            page.write_text(coverage_page(tests), "utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.proved.update(str(value) for name, value in report.user_properties if name == "clause")

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        in_a_worker = hasattr(self.config, "workerinput")
        finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if finished and not in_a_worker and not self.config.option.collectonly and runs_everything(self.config):
            self.complaints = complaints(self.proved)
            if self.complaints:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.complaints:
            terminalreporter.section("clauses without proof", red=True)
            for each in self.complaints:
                terminalreporter.line(each, red=True)


BROWSER_TESTS = ["tests/browser"]
"""`./run test` runs these separately, as Playwright occupies the event loop of its thread. They prove no clause."""


def runs_everything(config: pytest.Config) -> bool:
    """Were no tests left out on purpose?"""
    left_out: Iterable[str] = ("keyword", "markexpr", "lf", "stepwise", "deselect", "ignore_glob")
    everywhere = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    ignored = config.getoption("ignore", None) or BROWSER_TESTS
    return everywhere and ignored == BROWSER_TESTS and not any(config.getoption(name, None) for name in left_out)
