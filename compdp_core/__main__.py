"""``python -m compdp_core``: the command line of :mod:`compdp_core.commands`."""

from __future__ import annotations

import sys

from compdp_core.commands.main import main

if __name__ == "__main__":
    sys.exit(main())
