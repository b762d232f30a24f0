"""What the server notes, on standard error: one JSON object a line, or plain lines on a terminal. No secrets.

Notes hold no cookie, token, seed or name: nobody writes them, paths are noted as patterns, exceptions without the
values of variables, and the secrets that the server itself knows are struck from every line that is written.
"""

import logging
import sys
from collections.abc import Iterable
from typing import Any
from urllib.parse import unquote, urlsplit

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
_hidden: set[str] = set()


def hide(secrets: Iterable[str]) -> None:
    """From now on these are struck from every line."""
    _hidden.update(each for each in secrets if len(each) >= 4)


def secrets_of_address(address: str) -> list[str]:
    """The password in a database's address, as it is written there and as it is meant."""
    password = urlsplit(address).password if "://" in address else None
    return [] if password is None else [password, unquote(password)]


class _Struck:
    """Writes a line as another renderer does, without what is hidden."""

    def __init__(self, renderer: Processor) -> None:
        self._renderer = renderer

    def __call__(self, logger: WrappedLogger, method: str, event: EventDict) -> str:
        line = str(self._renderer(logger, method, event))
        for secret in _hidden:
            line = line.replace(secret, "•••")
        return line


def write_logs(form: str = "", level: str = "info") -> None:
    """From now on, notes are written this way; `form` is json or text, and what fits the terminal by default."""
    plain = form == "text" or (form != "json" and sys.stderr.isatty())
    renderer: Any = structlog.dev.ConsoleRenderer(colors=False) if plain else structlog.processors.JSONRenderer()
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, _Struck(renderer)],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _Struck(renderer)],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(LEVELS[level], logging.WARNING), force=True)
