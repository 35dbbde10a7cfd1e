"""Packages that only some of it needs."""

from __future__ import annotations

import importlib
from typing import Any

_EXTRAS = {"matplotlib.pyplot": "plot", "pandas": "pandas", "anywidget": "widget"}


def need(module: str, what: str) -> Any:
    """A module, or an error that says what wants it and how it is installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package, extra = module.partition(".")[0], _EXTRAS[module]
        message = f"{what} needs {package}: pip install {package}, or carom with it, pip install '.[{extra}]'"
        raise ImportError(message, name=package) from error
