"""``python -m research.report``: see `research.report.render`."""

from research.report.render import main

main()
