"""Solving: the best assignments of factor graphs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from treaty.errors import InputError, UsageError
from treaty.tasks._graphs import GraphRecord, graph_of
from treaty.tasks._options import INPUT_FORMAT, Gap, Iterations, Method, Threads, TimeLimit
from treaty.tasks._request import Http, Option, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import Source
from treaty.tasks._task import Task

if TYPE_CHECKING:
    from treaty.graph import FactorGraph
    from treaty.solve import Solution

__all__ = ["NO_EVIDENCE", "SolveRequest", "Solved", "Solving"]

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
NO_EVIDENCE = "none"
"""The name of no file of evidence."""
LIMITS = ("time_limit", "iterations", "gap", "tolerance", "trace")
COURSE = ("iteration", "seconds", "objective", "bound")
OFTEN = 10
"""Iterations between two reports of a solver."""


@dataclass(frozen=True, kw_only=True)
class SolveRequest(Request):
    """The best assignment of a factor graph: a file's text, or a graph as JSON."""

    examples: ClassVar = (
        {
            "graph": {
                "variables": [
                    {"name": "sun", "score": 1.2},
                    {"name": "rain", "score": 0.7},
                    {"name": "umbrella", "score": -0.3},
                ],
                "factors": [
                    {"kind": "exactly_one", "of": ["sun", "rain"]},
                    {"kind": "implies", "of": ["rain", "umbrella"]},
                ],
            }
        },
        {"text": "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n", "input_format": "fg", "method": "exact"},
    )
    graph: Annotated[
        GraphRecord | None, Option("A graph in the place of a text.", of=("http",))
    ] = None
    method: Method = None
    iterations: Iterations = None
    time_limit: TimeLimit = None
    gap: Gap = None
    tolerance: Annotated[
        float | None,
        Option("ad3, two-slave, naive: when a relaxation is solved.", least=0, metavar="T"),
    ] = None
    every: Annotated[
        bool,
        Option("Solve every graph of the file, not only the first.", flag="all", of=("command",)),
    ] = False
    k_best: Annotated[
        int | None, Option("Give the K best answers.", least=1, metavar="K", of=("command",))
    ] = None
    diverse: Annotated[
        int | None,
        Option(
            "With --k-best: answers differ in D variables.",
            least=1, metavar="D", of=("command",),
        ),
    ] = None  # fmt: skip
    max_marginals: Annotated[
        bool, Option("Give the best objective for every state.", of=("command",))
    ] = False
    marginals: Annotated[
        bool, Option("Give the probability of every state, and the sum.", of=("command",))
    ] = False
    threads: Threads = 1
    input_format: Annotated[Literal["fg", "uai", "mrf"] | None, INPUT_FORMAT] = None
    evidence: Annotated[
        str | None,
        Option(
            "Observed states (.uai.evid); none ignores PROBLEM.evid.",
            metavar="FILE",
            http=Http(help="Observed states, as in a .uai.evid file."),
        ),
    ] = None
    trace: Annotated[
        bool, Option("Whether to add the course of objective and bound.", of=("http",))
    ] = False


@dataclass(frozen=True)
class Solved:
    """A graph and its solution, with its number if there are several."""

    graph: FactorGraph
    solution: Solution
    number: int | None = None
    has_course: bool = False
    """Whether JSON has the course of objective and bound."""

    @property
    def certificate(self) -> Any:
        """That of the solution."""
        return self.solution.certificate

    def to_dict(self) -> dict[str, Any]:
        """Return the solution for JSON."""
        from treaty.show import as_json

        record: dict[str, Any] = json.loads(as_json(self.graph, self.solution))
        if self.has_course and self.solution.trace is not None:
            rows = (row[: len(COURSE)] for row in self.solution.trace.rows())
            record["trace"] = [
                {name: _finite(v) for name, v in zip(COURSE, row, strict=True)} for row in rows
            ]
        return record

    def text(self, format: str, on_terminal: bool = False) -> str:  # noqa: A002
        """Write the solution."""
        from treaty.show import as_json, as_text, as_uai, rendered, solution_table

        has_number = self.number is not None and format == "text"
        head = f"# graph\t{self.number}\n" if has_number else ""
        if format == "text" and on_terminal:
            return head + rendered(solution_table(self.graph, self.solution), wrap=True)
        if format == "json" and self.has_course:
            return json.dumps(self.to_dict()) + "\n"
        write = {"json": as_json, "uai": as_uai, "text": as_text}[format]
        return head + write(self.graph, self.solution)


class Solving(Task[SolveRequest]):
    """Solves graphs, which come with their numbers, or with None if there is one."""

    name = "solve"
    doing = "solving"
    asks = SolveRequest
    help = HELP
    formats = ("text", "json", "uai")
    streamed = formats
    records = "graph"
    is_single = True
    reports = True

    def __init__(self, request: SolveRequest, run: Run) -> None:
        from treaty.solve import options_of

        super().__init__(request, run)
        self.method = request.method or ("exact" if several(request) else "ad3")
        self.options: dict[str, Any] = request.given("time_limit", "iterations", "gap", "tolerance")
        if request.trace:
            self.options["trace"] = True
        known = options_of(self.method)
        run.check_taken(self.method, self.options, [name for name in LIMITS if name in known])
        self._known = known

    @classmethod
    def models(cls, request: SolveRequest) -> list[str]:
        """There are none."""
        return []

    def read(self, sources: Iterable[Source]) -> Iterator[tuple[int | None, FactorGraph]]:
        """Read the first graph of a source, or all; errors of graphs are raised."""
        records = [] if self.request.graph is None else [self.request.graph]
        for record in self.run.admitted(records):
            yield None, graph_of(record)
        for source in sources:
            graphs, damage = self.graphs(source)
            yield from self.numbered(self.run.admitted(graphs))
            if damage:
                raise damage

    def graphs(self, source: Source) -> tuple[list[FactorGraph], InputError | None]:
        """Read the first graph, or all of them up to the first damaged one, with evidence."""
        from treaty.graph import read_graphs

        every, damage = self.request.every, None
        rest = read_graphs(source, self.request.input_format)
        graphs = [next(rest)]
        try:
            for graph in rest:
                if not every:
                    self._note_first()
                    break
                graphs.append(graph)
        except InputError as error:
            if not every:
                raise
            damage = error
        self._observe(graphs, source)
        return graphs, damage

    def numbered(self, graphs: Iterable[FactorGraph]) -> Iterator[tuple[int | None, FactorGraph]]:
        """Give graphs their numbers, from 1, if there may be several."""
        every = self.request.every
        return ((number if every else None, graph) for number, graph in enumerate(graphs, 1))

    def _note_first(self) -> None:
        hint = ": --all solves every one" if self.run.models.reads_files else ""
        self.run.note(f"only the first graph of the file is solved{hint}")

    def _observe(self, graphs: list[FactorGraph], source: Source) -> None:
        """Fix the states of a file of evidence: the given one, or that beside the problem."""
        from treaty.graph import evidence_beside, read_evidence

        evidence = self.request.evidence
        if evidence is not None and not self.run.models.reads_files:
            observed = read_evidence(self.run.content(evidence, "evidence"), graphs[0])
            graphs[0].observe(observed)
            return
        is_path = isinstance(source, str) and source != "-"
        if evidence == NO_EVIDENCE or not (evidence or is_path):
            return
        beside = None if evidence else evidence_beside(str(source))
        if not evidence and not beside:
            return
        if len(graphs) > 1:
            raise UsageError(
                f"evidence ({evidence or beside}) is about one graph: leave out --all, "
                f"or give --evidence {NO_EVIDENCE}"
            )
        states = read_evidence(evidence or str(beside), graphs[0])
        graphs[0].observe(states)
        if beside:
            self.run.note(
                f"{len(states)} variables are fixed by {beside}: "
                f"--evidence {NO_EVIDENCE} ignores it"
                if states
                else f"{beside} has no evidence"
            )

    def results(self, items: Iterator[tuple[int | None, FactorGraph]]) -> Iterator[Solved]:
        """Solve graphs; if there may be several, on several threads."""
        from treaty.solve import solve_many

        if self.request.every and self.run.deadline is None:
            numbered = list(items)
            graphs = [graph for _, graph in numbered]
            threads = self.request.threads
            solutions = solve_many(graphs, self.method, threads=threads, **self.options)
            for (number, graph), solution in zip(numbered, solutions, strict=True):
                yield Solved(graph, solution, number)
            return
        for number, graph in items:
            solution = graph.solve(self.method, **self.options, **self._of_run())
            yield Solved(graph, solution, number, self.request.trace)

    def _of_run(self) -> dict[str, Any]:
        """Return the options that come from the run, as far as the method has them."""
        options: dict[str, Any] = {}
        if self.run.deadline is not None:
            options = {"time_limit": self.run.deadline.left, "cancel": self.run.deadline.cancel}
        if self.run.progress is not None:
            options |= {"progress": self.run.progress, "progress_every": OFTEN}
        return {name: value for name, value in options.items() if name in self._known}

    def texts(self, results: Iterator[Solved], format: str) -> Iterator[str]:  # noqa: A002
        """Write solutions."""
        return (solved.text(format, self.run.on_terminal) for solved in results)


def several(request: SolveRequest) -> str | None:
    """Return the option that requests more than one answer, if one does."""
    if request.k_best is not None:
        return "--k-best"
    if request.max_marginals:
        return "--max-marginals"
    return "--marginals" if request.marginals else None


def _finite(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
