"""What the server notes: one JSON object a line on standard error, without the values of variables."""

import logging
import sys

import structlog


def write_logs() -> None:
    """From now on, notes are written this way."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
