# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package's log: silent unless FLYDSL_DEBUG_LOG_TO_CONSOLE or FLYDSL_DEBUG_LOG_TO_FILE says where to."""
from __future__ import annotations

import logging
import sys

from . import env

_FORMAT = "%(asctime)s %(levelname)s flydsl: %(message)s"
_state: tuple = ()


def log() -> logging.Logger:
    """The logger, set up as the environment says now."""
    global _state
    logger = logging.getLogger("flydsl")
    wanted = (env.debug.log_level, env.debug.log_to_file, env.debug.log_to_console)
    if wanted != _state:
        _state = wanted
        for handler in list(logger.handlers):
            if getattr(handler, "_flydsl", False) or isinstance(handler, logging.NullHandler):
                logger.removeHandler(handler)
                handler.close()
        try:
            handlers = [logging.FileHandler(wanted[1])] if wanted[1] else []
        except OSError as error:
            _state = ()
            raise ValueError(f"environment variable FLYDSL_DEBUG_LOG_TO_FILE: cannot write to '{wanted[1]}': {error.strerror}") from None
        handlers += [logging.StreamHandler(sys.stderr)] if wanted[2] else []
        for handler in handlers:
            handler._flydsl = True
            handler.setFormatter(logging.Formatter(_FORMAT))
            logger.addHandler(handler)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
        logger.setLevel(getattr(logging, wanted[0]))
        logger.propagate = False
    return logger


def show(level: int, text: str) -> None:
    """Logs a text that was asked for by a variable of its own: without a log it goes to standard error."""
    logger = log()
    if any(getattr(handler, "_flydsl", False) for handler in logger.handlers):
        logger.log(max(level, logger.level), text)
    else:
        print(text, file=sys.stderr)
