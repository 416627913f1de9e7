"""Logging: one JSON object a line for machines, or coloured lines for a person at a terminal.

Both structlog's and the standard library's loggers end in the same formatter, on standard error.
"""

from typing import Any

import structlog


def configure(*, json: bool, level: str) -> dict[str, Any]:
    """Set structlog up and return Django's ``LOGGING``. ``level`` is a standard level name such as ``"INFO"``."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    rendering: list[structlog.typing.Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        *(
            [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
            if json
            # Its usual tracebacks show the values of variables where rich is installed: hands, secrets, passwords.
            else [structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        ),
    ]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structured": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": shared,
                "processors": rendering,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
        },
    }
