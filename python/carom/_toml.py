"""TOML, out."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def key(name: str) -> str:
    """A key, quoted where it must be."""
    if not isinstance(name, str):
        raise TypeError(f"keys of a scene are texts, not {type(name).__name__}: {name!r}")
    return name if _BARE.match(name) else _text(name)


def plain(x: Any) -> Any:
    """The same in dicts, lists and plain numbers, copied."""
    if isinstance(x, (np.generic, np.ndarray)):
        return x.tolist()
    if isinstance(x, Mapping):
        return {k: plain(v) for k, v in x.items()}
    if isinstance(x, Sequence) and not isinstance(x, str):
        return [plain(v) for v in x]
    return os.fspath(x) if isinstance(x, os.PathLike) else x


def value(x: Any) -> str:
    """A value on one line."""
    if isinstance(x, (np.generic, np.ndarray)):
        x = x.tolist()
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        return str(x)
    if isinstance(x, float):
        if math.isfinite(x):
            return repr(x)
        return "nan" if math.isnan(x) else ("inf" if x > 0 else "-inf")
    if isinstance(x, str):
        return _text(x)
    if isinstance(x, os.PathLike):
        return _text(os.fspath(x))
    if isinstance(x, Mapping):
        inner = ", ".join(f"{key(k)} = {value(v)}" for k, v in x.items() if v is not None)
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(x, Sequence):
        return "[" + ", ".join(value(v) for v in x) + "]"
    raise TypeError(f"a scene cannot hold a {type(x).__name__}: {x!r}")


def document(tree: Mapping[str, Any]) -> str:
    """A whole file: plain values first, then tables, then lists of tables."""
    lines: list[str] = []
    _table((), tree, lines)
    return "\n".join(lines).strip() + "\n"


def _text(x: str) -> str:
    # JSON escapes are TOML's, but for the character that deletes.
    return json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_table(x: Any) -> bool:
    return isinstance(x, Mapping)


def _is_tables(x: Any) -> bool:
    is_list = isinstance(x, Sequence) and not isinstance(x, str)
    return is_list and len(x) > 0 and all(isinstance(v, Mapping) for v in x)


def _table(path: tuple[str, ...], tree: Mapping[str, Any], lines: list[str]) -> None:
    inner = {k: v for k, v in tree.items() if v is not None}
    # One level of names, such as body.NAME, has a header; what is below stays on its line.
    deep = len(path) < 2
    for k, v in inner.items():
        if not (deep and (_is_table(v) or (_is_tables(v) and not path))):
            lines.append(f"{key(k)} = {value(v)}")
    for k, v in inner.items():
        here = (*path, k)
        if deep and _is_table(v):
            named = len(here) == 1 and v and all(_is_table(entry) for entry in v.values())
            if not named:
                lines.extend(["", f"[{'.'.join(map(key, here))}]"])
            _table(here, v, lines)
        elif not path and _is_tables(v):
            for entry in v:
                lines.extend(["", f"[[{key(k)}]]"])
                _table((k, "0"), entry, lines)
