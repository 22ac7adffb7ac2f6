"""Run lines, and pages made of them; shared by experiments, benchmarks and scripts."""

from research.report.runs import (
    ALL,
    ROOT,
    Run,
    append_run,
    key_of,
    read_runs,
    report_epoch,
    report_file,
    report_scores,
    say,
)

__all__ = [
    "ALL",
    "ROOT",
    "Run",
    "append_run",
    "key_of",
    "read_runs",
    "report_epoch",
    "report_file",
    "report_scores",
    "say",
]
