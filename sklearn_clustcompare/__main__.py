"""Run the command ``clustcompare`` as ``python -m sklearn_clustcompare``."""

import sys

from sklearn_clustcompare.cli import main

# Worker processes import this file again under another name.
if __name__ == "__main__":
    sys.exit(main())
