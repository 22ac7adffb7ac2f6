"""``treaty cluster``: what a cluster looks like, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from treaty.cli import _options as opt
from treaty.cli._output import check_output, json_line, write_text

if TYPE_CHECKING:
    from treaty.cluster import ClusterStatus

__all__ = ["DOCTOR", "HELP", "STATUS", "cluster", "doctor", "status"]

HELP = """Look at a Dask cluster that commands use by --cluster.

\b
Examples:
  treaty cluster status tcp://10.0.0.5:8786
  treaty cluster doctor tls://10.0.0.5:8786 --format json

Exit codes: 0 done, 2 usage, 3 nothing answers, or doctor has found something.
"""
STATUS = """Tell of a cluster: scheduler, dashboard, workers, threads, memory, tasks.

\b
Examples:
  treaty cluster status tcp://10.0.0.5:8786
  treaty cluster status local:2 --format json

Exit codes: 0 done, 2 usage, 3 nothing answers.
"""
DOCTOR = """Check a cluster: versions, models, clocks, memory, encryption; says what is wrong.

Every worker is asked, and compared with this machine. Nothing is changed.

\b
Examples:
  treaty cluster doctor tcp://10.0.0.5:8786
  treaty cluster doctor tls://10.0.0.5:8786 --format json

Exit codes: 0 done, 2 usage, 3 something is wrong or nothing answers.
"""
WRONG = 3
PATIENCE = 10.0
Address = Annotated[
    str, typer.Argument(metavar="ADDRESS", help="Of a scheduler, or local:N to try it out.")
]
cluster = typer.Typer(help=HELP, rich_markup_mode=None, no_args_is_help=False)


@cluster.command("status", help=STATUS)
def status(
    address: Address,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    output: opt.Output = "-",
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty cluster status``; returns the exit code."""
    check_output(output)
    report = _examined(address)
    text = json_line(report) if format == "json" else _described(report)
    write_text(output, text)
    return 0


@cluster.command("doctor", help=DOCTOR)
def doctor(
    address: Address,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    output: opt.Output = "-",
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty cluster doctor``; returns the exit code."""
    check_output(output)
    report = _examined(address)
    text = json_line(report) if format == "json" else _described(report) + _judged(report)
    write_text(output, text)
    return 0 if report.is_well else WRONG


def _examined(address: str) -> ClusterStatus:
    from treaty.cluster import connect, examine

    with connect(address, patience=PATIENCE) as connection:
        connection.settle()
        return examine(connection)


def _described(report: ClusterStatus) -> str:
    threads = sum(worker.threads for worker in report.workers)
    lines = [
        f"scheduler  {report.address}{' (encrypted)' if report.encrypted else ''}",
        f"dashboard  {report.dashboard or 'none'}",
        f"workers    {len(report.workers)} with {threads} threads",
        f"tasks      {report.tasks}",
    ]
    for worker in report.workers:
        limit = f" of {worker.memory / 2**30:.1f}" if worker.memory else ""
        lines.append(
            f"  {worker.address} on {worker.host}: {worker.threads} threads, "
            f"{worker.used / 2**30:.1f}{limit} GB, treaty {worker.treaty}, Python {worker.python}"
        )
    return "".join(f"{line}\n" for line in lines)


def _judged(report: ClusterStatus) -> str:
    wrong = [*report.problems]
    wrong += [f"{worker.address} {p}" for worker in report.workers for p in worker.problems]
    return "".join(f"wrong: {problem}\n" for problem in wrong) or "nothing is wrong\n"
