"""Folders for files that travelled."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path


class Folder:
    """A folder that lives as long as anything that was read from it: variants of a scene read its files again."""

    def __init__(self, files: Iterable[tuple[str, str | bytes]]) -> None:
        made = tempfile.TemporaryDirectory(prefix="carom-")
        weakref.finalize(self, made.cleanup)
        self._path = made.name
        for name, content in files:
            path = Path(self.path(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def path(self, name: str) -> str:
        """The path of a file in it."""
        return os.path.join(self._path, name)
