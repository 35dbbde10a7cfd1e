"""``python -m carom`` is the ``carom`` command."""

import sys

from ._command import main

sys.exit(main())
