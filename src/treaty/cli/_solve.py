"""``treaty solve``: read a problem, print the best assignment and its certificate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job, stopped
from treaty.cli._output import (
    BAD_INPUT,
    STOPPED,
    check_apart,
    check_output,
    note,
    on_terminal,
    write_text,
)
from treaty.cli._progress import Display
from treaty.cli._several import Diverse, KBest, Marginals, MaxMarginals, Several
from treaty.errors import InputError, UsageError
from treaty.tasks._solve import SolutionFormat, SolvePart, solution_text

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.solve import Solution

__all__ = ["HELP", "solve"]

HELP = """Find the best assignment of a factor graph, with a certificate.

PROBLEM is a .fg, .uai or .mrf file (also as .gz or .xz), or - for standard input. Variables without
a name are x0, x1... (categorical ones c0, c1...) in the order of the file. Evidence (observed
states) is read from PROBLEM.evid if there is such a file beside PROBLEM.

Methods: ad3 (the default) is fast and gives a bound; exact (branch and bound) goes on to the proof;
two-slave (a tree and a cut) and junction are for pattern problems such as .mrf files; lp and ilp
are HiGHS's; subgradient, naive and exhaustive are for comparison. --k-best and --max-marginals use
exact if no method is given.

\b
Examples:
  treaty solve weather.fg
  treaty solve problem.uai --method exact --time-limit 60 --format json
  treaty solve chunks.mrf --method two-slave
  treaty solve disease.uai --evidence patient7.uai.evid --format uai
  treaty solve problem.uai --k-best 5 --diverse 3
  treaty solve problem.uai --marginals --format json
  treaty solve problem.uai --trace trace.csv --plot convergence.png
  treaty solve many.fg --all --cluster tcp://10.0.0.5:8786 -o solutions.txt
  treaty solve hard.uai --method exact --cluster local:8 --run hard.run
  zcat problem.fg.gz | treaty solve - | grep -v '^#' | awk '$2 == 1 {print $1}'

Exit codes: 0 done, 2 usage, 3 bad input, 4 stopped at a limit.
"""


GraphFormat = Literal["fg", "uai", "mrf"]
NO_EVIDENCE = "none"
GRAPHS, PARTS = 64, 64
"""Most graphs of a part of a run on a cluster, and how many parts there should be."""
LIMITS = ("time_limit", "iterations", "gap", "tolerance", "trace")


def solve(
    problem: Annotated[
        str, typer.Argument(metavar="PROBLEM", help="A file, or - for standard input.")
    ],
    method: Annotated[opt.Method | None, opt.METHOD] = None,
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    gap: opt.Gap = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="T", help="ad3, two-slave, naive: when a relaxation is solved."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Solve every graph of the file, not only the first.")
    ] = False,
    k_best: KBest = None,
    diverse: Diverse = None,
    max_marginals: MaxMarginals = False,
    marginals: Marginals = False,
    threads: opt.Threads = 1,
    input_format: Annotated[GraphFormat | None, opt.INPUT_FORMAT] = None,
    evidence: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Observed states (.uai.evid); none ignores PROBLEM.evid.",
        ),
    ] = None,
    format: Annotated[SolutionFormat, opt.FORMAT] = "text",
    output: opt.Output = "-",
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write objective, bound, residuals by iteration as CSV."),
    ] = None,
    plot: opt.Plot = None,
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty solve``; returns the exit code."""
    from treaty.solve import options_of

    far = ClusterChoices(cluster, run, part_limit, resume)
    several = Several(k_best, diverse, max_marginals, marginals)
    options = opt.chosen(
        time_limit=time_limit,
        iterations=iterations,
        gap=gap,
        tolerance=tolerance,
        trace=True if trace or plot else None,
    )
    # What cannot work is refused before a long run, not after it.
    if several.name:
        given = {"--all": every, "--cluster": cluster, "--trace": trace, "--plot": plot}
        given |= {"--method": method, **{opt.flag(o): True for o in options}} if marginals else {}
        several.check(given, format)
    method = method or ("exact" if several.name else "ad3")
    if cluster is not None and not every and (method != "exact" or trace or plot):
        raise UsageError(
            "--cluster solves all graphs of a file (--all), or one by --method exact, without "
            "--trace and --plot"
        )
    known = options_of(method)
    opt.check_taken(method, options, [name for name in LIMITS if name in known])
    if trace or plot:
        _check_course(output, trace, plot, every)
    check_output(output)
    check_apart(output, problem, evidence)
    if problem == "-" == evidence:
        raise UsageError("standard input cannot be both PROBLEM and --evidence")

    graphs, damage = _read(problem, input_format, every, quiet)
    _observe(graphs, problem, evidence, quiet)
    if several.name:
        text, code = several.text(graphs[0], method, options, format, quiet)
        write_text(output, text)
        return code
    if cluster is not None and every:
        return _solve_far(far, graphs, damage, method, options, format, output, quiet)
    if cluster is not None:
        solutions = [_searched_far(far, graphs[0], options, quiet)]
    else:
        solutions = _solved(graphs, method, threads, options, quiet, many=every)
    texts = (
        solution_text(graph, solution, format, number if every else None, on_terminal(output))
        for number, (graph, solution) in enumerate(zip(graphs, solutions, strict=True), 1)
    )
    write_text(output, "".join(texts))
    if trace or plot:
        _write_course(solutions[0], trace, plot, title=Path(problem).name)
    if damage:
        raise damage
    gaps = [s.gap for s in solutions if s.status in ("FEASIBLE", "UNKNOWN")]
    if gaps and not quiet:
        note(stopped(max(gaps)))
    return STOPPED if gaps else 0


def _solve_far(
    far: ClusterChoices,
    graphs: list[FactorGraph],
    damage: InputError | None,
    method: opt.Method,
    options: dict[str, Any],
    shown: SolutionFormat,
    output: str,
    quiet: bool,
) -> int:
    """Solve all graphs of a file on a cluster."""
    from treaty.cluster._parts import parts_of_items

    job = Job("solve", f"solving {len(graphs)} graphs by {method}", output, quiet)
    settings = {"method": method, "options": options, "shown": shown}
    size = max(1, min(GRAPHS, len(graphs) // PARTS))
    parts = parts_of_items(enumerate(graphs, 1), size)
    far.run_parts(job, SolvePart, settings, [], parts)
    if damage:
        raise damage
    if job.stopped and not quiet:
        note(stopped(job.gap))
    return BAD_INPUT if job.faulty else STOPPED if job.stopped else 0


def _searched_far(
    far: ClusterChoices, graph: FactorGraph, options: dict[str, Any], quiet: bool
) -> Solution:
    """Search for the optimum of one graph on a cluster."""
    from treaty.cluster import solve

    with far.connected(quiet) as connection, Display("solving by exact", quiet=quiet) as display:
        shown = display if display.is_live else None
        if far.run is not None:
            Path(far.run).mkdir(parents=True, exist_ok=True)
            options = {**options, "checkpoint": Path(far.run) / "search.json", "resume": far.resume}
        return solve(connection, graph, progress=shown, **options)


def _check_course(output: str, trace: str | None, plot: str | None, every: bool) -> None:
    from treaty.show import check_plot

    if every:
        raise UsageError("--trace and --plot show one run: leave out --all")
    if trace == output == "-":
        raise UsageError("--trace - would mix with the results: give --output FILE too")
    check_output(trace)
    check_output(plot)
    if plot:
        check_plot(plot)


def _read(
    problem: str, input_format: str | None, every: bool, quiet: bool
) -> tuple[list[FactorGraph], InputError | None]:
    """Read the first graph, or all of them up to the first damaged one."""
    from treaty.graph import read_graphs

    source = read_graphs(problem, input_format)
    graphs = [next(source)]
    try:
        for graph in source:
            if not every:
                if not quiet:
                    note("only the first graph of the file is solved: --all solves every one")
                break
            graphs.append(graph)
    except InputError as error:
        if every:
            return graphs, error
        raise
    return graphs, None


def _observe(graphs: list[FactorGraph], problem: str, evidence: str | None, quiet: bool) -> None:
    """Fix what an evidence file says, the one that is given or the one beside the problem."""
    from treaty.graph import evidence_beside, read_evidence

    if evidence == NO_EVIDENCE:
        return
    beside = None if evidence or problem == "-" else evidence_beside(problem)
    if not evidence and not beside:
        return
    if len(graphs) > 1:
        raise UsageError(
            f"evidence ({evidence or beside}) is about one graph: leave out --all, "
            f"or give --evidence {NO_EVIDENCE}"
        )
    states = read_evidence(evidence or str(beside), graphs[0])
    graphs[0].observe(states)
    if beside and not quiet:
        note(
            f"{len(states)} variables are fixed by {beside}: --evidence {NO_EVIDENCE} ignores it"
            if states
            else f"{beside} has no evidence"
        )


def _solved(
    graphs: list[FactorGraph],
    method: opt.Method,
    threads: int,
    options: dict[str, Any],
    quiet: bool,
    *,
    many: bool,
) -> list[Solution]:
    from treaty.solve import options_of, solve_many

    if many:
        with Display(f"solving {len(graphs)} graphs by {method}", quiet=quiet):
            return solve_many(graphs, method, threads=threads, **options)
    with Display(f"solving by {method}", quiet=quiet) as display:
        if display.is_live and "progress" in options_of(method):
            options = {**options, "progress": display, "progress_every": 10}
        return [graphs[0].solve(method, **options)]


def _write_course(solution: Solution, trace: str | None, plot: str | None, title: str) -> None:
    """Write how the answer and the bound came to where they are."""
    from treaty.show import as_csv, plot_convergence

    if trace and solution.trace:
        write_text(trace, as_csv(solution.trace))
    if plot:
        plot_convergence(solution, plot, title=title)
