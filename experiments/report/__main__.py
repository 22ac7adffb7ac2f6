"""``python -m experiments.report``: see `experiments.report.render`."""

from experiments.report.render import main

main()
