"""Folders of studies, compared byte by byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT

SCENE = ROOT / "scenes" / "double_pendulum.toml"
VARY = {"contact.0.restitution": "0:0.9:30", "contact.0.friction": "0:1:20"}
RESULTS = {"rest": "time(rest, 1)", "lost": "energy.lost", "impacts": "count(impact)"}
OPTIONS = {"part_rows": 64, "set": {"solver.until": 3.0}}


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a study, by name; nobody holds its lock any more."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def by_command(out: Path) -> dict[str, bytes]:
    """The study of the command, on one thread."""
    words = [str(Path(sys.executable).parent / "carom"), "study", str(SCENE), "--threads", "1", "-q"]
    words += [word for name, text in VARY.items() for word in ("--vary", f"{name}={text}")]
    words += [word for name, text in RESULTS.items() for word in ("--result", f"{name}={text}")]
    words += ["--set", "solver.until=3.0", "--part-rows", "64", "--out", str(out)]
    subprocess.run(words, check=True, timeout=300)
    return contents(out)
