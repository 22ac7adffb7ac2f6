"""``treaty solve``: read a problem, print the best assignment and its certificate."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._output import check_writable, note, write_text
from treaty.cli._progress import progress
from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.solve import Solution

__all__ = ["HELP", "Method", "solve"]

STOPPED = 4
HELP = """Find the best assignment of a factor graph, with a certificate.

PROBLEM is a .fg, .uai or .mrf file (also as .gz or .xz), or - for standard input. Variables without
a name are x0, x1... (categorical ones c0, c1...) in the order of the file.

\b
Examples:
  treaty solve weather.fg
  treaty solve problem.uai --method exact --time-limit 60 --format json
  treaty solve chunks.mrf --method two-slave
  treaty solve problem.uai --trace trace.csv --plot convergence.png
  zcat problem.fg.gz | treaty solve - | grep -v '^#' | awk '$2 == 1 {print $1}'

Exit codes: 0 done, 2 usage, 3 bad input, 4 stopped at a limit.
"""


class Method(StrEnum):
    """The solvers of `treaty.solve.METHODS`, which is costly to import."""

    AD3 = "ad3"
    SUBGRADIENT = "subgradient"
    TWO_SLAVE = "two-slave"
    NAIVE = "naive"
    LP = "lp"
    ILP = "ilp"
    EXACT = "exact"
    JUNCTION = "junction"
    EXHAUSTIVE = "exhaustive"


BRANCHING = (Method.EXACT, Method.JUNCTION)
"""Their iterations are nodes."""


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


class InputFormat(StrEnum):
    """The formats that `treaty.graph.read_graph` knows."""

    FG = "fg"
    UAI = "uai"
    MRF = "mrf"


def solve(
    problem: Annotated[
        str, typer.Argument(metavar="PROBLEM", help="A file, or - for standard input.")
    ],
    method: Annotated[
        Method,
        typer.Option(
            help="ad3: fast, with a bound. exact: branch and bound, to the proven optimum. "
            "two-slave: a tree and a cut, for pattern problems such as .mrf files. "
            "lp, ilp: HiGHS. subgradient, naive, exhaustive: for comparison."
        ),
    ] = Method.AD3,
    time_limit: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="Stop after so many seconds.")
    ] = None,
    iterations: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Stop after so many iterations (exact: nodes)."),
    ] = None,
    gap: Annotated[
        float | None,
        typer.Option(min=0, metavar="G", help="Stop when the bound is so near to the answer."),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="T", help="ad3, two-slave, naive: when a relaxation is solved."
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Solve every graph of the file, not only the first.")
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="With --all: how many graphs at a time."),
    ] = None,
    input_format: Annotated[
        InputFormat | None,
        typer.Option(help="By default the suffix tells, or else the content."),
    ] = None,
    format: Annotated[  # noqa: A002 - what users call it
        Format,
        typer.Option(help="text: certificate, then 'name value' lines. json: one object a line."),
    ] = Format.TEXT,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Where results go; - is stdout.")
    ] = "-",
    trace: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write objective, bound, residuals by iteration as CSV."),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Draw them (.png, .svg, .pdf). Needs matplotlib."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")
    ] = False,
) -> int:
    """Run ``treaty solve``; returns the exit code."""
    limits = {
        "--time-limit": time_limit,
        "--max-iterations": iterations,
        "--gap": gap,
        "--tolerance": tolerance,
        "--trace": True if trace else None,
        "--plot": True if plot else None,
    }
    # What cannot work is refused before a long run, not after it.
    options = _options(method, {flag: value for flag, value in limits.items() if value is not None})
    _check_outputs(output, trace, plot)
    if every and (trace or plot):
        raise UsageError("--trace and --plot show one run: leave out --all")
    if threads and not every:
        raise UsageError("--threads is for many graphs: give --all too")

    graphs, damage = _read(problem, input_format, every, quiet)
    if every:
        solutions = _solve_all(graphs, method, threads, options, quiet)
    else:
        solutions = [_solve_one(graphs[0], method, options, quiet)]
    _write_results(graphs, solutions, format, output, numbered=every)
    if trace or plot:
        _write_course(solutions[0], trace, plot, title=Path(problem).name)
    if damage:
        raise damage
    return _verdict(solutions, quiet)


def _options(method: Method, given: dict[str, Any]) -> dict[str, Any]:
    """Translate the flags that were given into the words of the solver, if it has them."""
    from treaty.solve import options_of

    words = {
        "--time-limit": "time_limit",
        "--max-iterations": "iterations",
        "--gap": "gap",
        "--tolerance": "tolerance",
        "--trace": "trace",
        "--plot": "trace",
    }
    known = options_of(method)
    taken = [flag for flag, word in words.items() if word in known]
    for flag in given:
        if flag not in taken:
            raise UsageError(
                f"{flag} does not go with --method {method}, "
                f"which takes {', '.join(taken) or 'no limits'}"
            )
    return {words[flag]: value for flag, value in given.items()}


def _check_outputs(output: str, trace: str | None, plot: str | None) -> None:
    if trace == output == "-":
        raise UsageError("--trace - would mix with the results: give --output FILE too")
    for path in (output, trace, plot):
        if path is not None and path != "-":
            check_writable(path)
    if plot:
        from treaty.show import check_plot

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


def _solve_one(
    graph: FactorGraph, method: Method, options: dict[str, Any], quiet: bool
) -> Solution:
    from treaty.solve import options_of

    unit = "nodes" if method is Method.EXACT else "iterations"
    with progress(f"solving by {method}", unit, quiet=quiet) as report:
        if report and "progress" in options_of(method):
            options = {**options, "progress": report, "progress_every": 10}
        return graph.solve(method, **options)


def _solve_all(
    graphs: list[FactorGraph],
    method: Method,
    threads: int | None,
    options: dict[str, Any],
    quiet: bool,
) -> list[Solution]:
    from treaty.solve import solve_many

    with progress(f"solving {len(graphs)} graphs by {method}", quiet=quiet):
        return solve_many(graphs, method, threads=threads, **options)


def _write_results(
    graphs: list[FactorGraph],
    solutions: list[Solution],
    format: Format,  # noqa: A002
    output: str,
    *,
    numbered: bool,
) -> None:
    from treaty.show import as_json, as_text

    show = as_json if format is Format.JSON else as_text
    if show is as_text and output == "-" and sys.stdout.isatty():
        show = _as_table
    texts = []
    for number, (graph, solution) in enumerate(zip(graphs, solutions, strict=True), 1):
        if numbered and format is Format.TEXT:
            texts.append(f"# graph\t{number}\n")
        texts.append(show(graph, solution))
    write_text(output, "".join(texts))


def _as_table(graph: FactorGraph, solution: Solution) -> str:
    from rich.console import Console

    from treaty.show import solution_table

    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(solution_table(graph, solution))
    return capture.get()


def _write_course(solution: Solution, trace: str | None, plot: str | None, title: str) -> None:
    """Write how the answer and the bound came to where they are."""
    from treaty.show import as_csv, plot_convergence

    if trace and solution.trace:
        write_text(trace, as_csv(solution.trace))
    if plot:
        plot_convergence(solution, plot, title=title)


def _verdict(solutions: list[Solution], quiet: bool) -> int:
    stopped = [s for s in solutions if s.status in ("FEASIBLE", "UNKNOWN")]
    if stopped and not quiet:
        note(f"stopped at a limit: the best may be better by {max(s.gap for s in stopped):.4g}")
    return STOPPED if stopped else 0
