"""``python -m treaty`` is the command ``treaty``."""

import sys

from treaty.cli import main

if __name__ == "__main__":
    sys.exit(main())
