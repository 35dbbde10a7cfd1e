"""The ``carom`` command, as the wheel installs it."""

from __future__ import annotations

import signal
import sys

from . import _carom


def main() -> int:
    """Do what the arguments ask for; the exit code."""
    # Python's own handler only notes the signal, which nobody would look at before the command is done.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _carom.main(["carom", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
