"""The ``carom`` command, as the wheel installs it."""

from __future__ import annotations

import sys

from . import _carom


def main() -> int:
    """Do what the arguments ask for; the exit code."""
    return _carom.main(["carom", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
