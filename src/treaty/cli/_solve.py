"""``treaty solve``: read a problem, print the best assignment and its certificate."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job, stopped
from treaty.cli._output import BAD_INPUT, STOPPED, check_apart, check_output, write_text
from treaty.cli._progress import Display
from treaty.cli._several import Several
from treaty.cli._task import OF_CLUSTERS, formats_of, made_of
from treaty.errors import InputError, UsageError
from treaty.tasks import SolveRequest
from treaty.tasks._part import TaskPart
from treaty.tasks._solve import HELP, LIMITS, Solved, Solving

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["HELP", "solve"]

GRAPHS, PARTS = 64, 64
"""Most graphs of a part of a run on a cluster, and how many parts there should be."""
OPTIONS = {
    "problem": (
        Annotated[str, typer.Argument(metavar="PROBLEM", help="A file, or - for standard input.")],
        ...,
    ),
    "format": formats_of(Solving),
    "output": (opt.Output, "-"),
    "trace": (
        Annotated[
            str | None,
            typer.Option(
                metavar="FILE", help="Write objective, bound, residuals by iteration as CSV."
            ),
        ],
        None,
    ),
    "plot": (opt.Plot, None),
    **OF_CLUSTERS,
    "quiet": (opt.Quiet, False),
}


class Course(NamedTuple):
    """Where the course of objective and bound is written."""

    trace: str | None
    plot: str | None

    def check(self, output: str, every: bool) -> None:
        """Refuse what cannot be written."""
        from treaty.show import check_plot

        if not any(self):
            return
        if every:
            raise UsageError("--trace and --plot show one run: leave out --all")
        if self.trace == output == "-":
            raise UsageError("--trace - would mix with the results: give --output FILE too")
        check_output(self.trace)
        check_output(self.plot)
        if self.plot:
            check_plot(self.plot)

    def write(self, solved: Solved, title: str) -> None:
        """Write the course of a solution."""
        from treaty.show import as_csv, plot_convergence

        if self.trace and solved.solution.trace:
            write_text(self.trace, as_csv(solved.solution.trace))
        if self.plot:
            plot_convergence(solved.solution, self.plot, title=title)


def _run(
    request: SolveRequest,
    problem: str,
    format: str,
    output: str,
    trace: str | None,
    plot: str | None,
    cluster: str | None,
    run: str | None,
    part_limit: float | None,
    resume: bool,
    quiet: bool,
) -> int:
    """Run ``treaty solve``; returns the exit code."""
    far, course = ClusterChoices(cluster, run, part_limit, resume), Course(trace, plot)
    several = Several(request)
    request = replace(request, trace=any(course))
    # What cannot work is refused before a long run, not after it.
    if several.name:
        given = {"--all": request.every, "--cluster": cluster, "--trace": trace, "--plot": plot}
        if request.marginals:
            options = {opt.flag(name): True for name in request.given(*LIMITS) if name != "trace"}
            given |= {"--method": request.method, **options}
        several.check(given, format)
    if cluster is not None and not request.every and (request.method != "exact" or any(course)):
        raise UsageError(
            "--cluster solves all graphs of a file (--all), or one by --method exact, without "
            "--trace and --plot"
        )
    job = Job("solve", "solving", output, quiet)
    task = Solving(request, job)
    course.check(output, request.every)
    check_apart(output, problem, request.evidence)
    if problem == "-" == request.evidence:
        raise UsageError("standard input cannot be both PROBLEM and --evidence")

    graphs, damage = task.graphs(problem)
    if several.name:
        text, code = several.text(graphs[0], task.method, task.options, format, quiet)
        write_text(output, text)
        return code
    if cluster is not None and request.every:
        _solve_far(far, job, request, graphs, format)
        return _end(job, damage)
    if cluster is not None:
        solved = [_searched_far(far, graphs[0], task.options, quiet)]
    else:
        solved = _solved(task, graphs)
    write_text(output, "".join(task.texts(job.watched(solved), format)))
    if any(course):
        course.write(solved[0], title=Path(problem).name)
    return _end(job, damage)


def _solved(task: Solving, graphs: list[FactorGraph]) -> list[Solved]:
    """Solve graphs in this process."""
    job, every = task.run, task.request.every
    title = f"solving {len(graphs)} graphs" if every else "solving"
    with Display(f"{title} by {task.method}", quiet=job.quiet) as display:
        if display.is_live:
            job.progress = display
        return list(task.results(task.numbered(graphs)))


def _solve_far(
    far: ClusterChoices, job: Job, request: SolveRequest, graphs: list[FactorGraph], shown: str
) -> None:
    """Solve all graphs of a file on a cluster."""
    from treaty.cluster._parts import parts_of_items

    settings = {"task": Solving.name, "request": request.to_dict(), "shown": shown}
    size = max(1, min(GRAPHS, len(graphs) // PARTS))
    job.doing = f"solving {len(graphs)} graphs"
    far.run_parts(job, TaskPart, settings, [], parts_of_items(enumerate(graphs, 1), size))


def _searched_far(
    far: ClusterChoices, graph: FactorGraph, options: dict[str, Any], quiet: bool
) -> Solved:
    """Search for the optimum of one graph on a cluster."""
    from treaty.cluster import solve

    with far.connected(quiet) as connection, Display("solving by exact", quiet=quiet) as display:
        shown = display if display.is_live else None
        if far.run is not None:
            Path(far.run).mkdir(parents=True, exist_ok=True)
            options = {**options, "checkpoint": Path(far.run) / "search.json", "resume": far.resume}
        return Solved(graph, solve(connection, graph, progress=shown, **options))


def _end(job: Job, damage: InputError | None) -> int:
    """Tell what has stopped at a limit, and return the exit code; raises a damage."""
    if damage:
        raise damage
    if job.stopped and not job.quiet:
        job.note(stopped(job.gap))
    return BAD_INPUT if job.faulty else STOPPED if job.stopped else 0


solve = made_of(Solving, OPTIONS, _run)
