"""Logging to standard error: one JSON object per line, or plain lines on a terminal.

Log lines contain no cookies, tokens, seeds or names: no code logs them, paths are logged as patterns, tracebacks
without the values of variables, and the secrets that the server knows are redacted from every line.
"""

import logging
import sys
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
SHORTEST_SECRET = 4
"""Letters; shorter texts would be redacted where they are no secret."""
_secrets: set[str] = set()


def redact(secrets: Iterable[str]) -> None:
    """Redacts these texts from every following line."""
    _secrets.update(each for each in secrets if len(each) >= SHORTEST_SECRET)


def secrets_of_address(address: str) -> list[str]:
    """The password in a database address, as written and decoded."""
    password = urlsplit(address).password if "://" in address else None
    return [] if password is None else [password, unquote(password)]


class _Redacting:
    """A renderer that redacts the secrets from the lines of another one."""

    def __init__(self, renderer: Processor) -> None:
        self._renderer = renderer

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> str:
        line = str(self._renderer(logger, method, event))
        for secret in _secrets:
            line = line.replace(secret, "•••")
        return line


def configure_logging(form: str = "", level: str = "info") -> None:
    """Sets up logging; `form` is json or text, by default text on a terminal and json elsewhere."""
    plain = form == "text" or (form != "json" and sys.stderr.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer(colors=False) if plain else structlog.processors.JSONRenderer()
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, _Redacting(renderer)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _Redacting(renderer)],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(LEVELS[level], logging.WARNING), force=True)
