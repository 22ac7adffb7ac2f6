"""``treaty solve`` with more than one answer: k best, max-marginals, marginals."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treaty.cli._job import stopped
from treaty.cli._output import STOPPED, note
from treaty.cli._progress import Display
from treaty.errors import UsageError
from treaty.tasks import SolveRequest
from treaty.tasks._solve import several

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["Several"]


@dataclass(frozen=True)
class Several:
    """A request for more than the best answer."""

    request: SolveRequest

    def __post_init__(self) -> None:
        request = self.request
        given = [request.k_best is not None, request.max_marginals, request.marginals]
        if sum(given) > 1:
            raise UsageError("choose one of --k-best, --max-marginals and --marginals")
        if request.diverse is not None and request.k_best is None:
            raise UsageError("--diverse says how far the answers of --k-best are apart: give both")

    @property
    def name(self) -> str | None:
        """The option that was given, if any."""
        return several(self.request)

    def check(self, given: dict[str, Any], shown: str) -> None:
        """Refuse options that do not go with more than one answer."""
        for flag, value in given.items():
            if value:
                raise UsageError(f"{flag} does not go with {self.name}")
        if shown == "uai" and self.request.max_marginals:
            raise UsageError("--format uai has no max-marginals: choose text or json")

    def text(
        self, graph: FactorGraph, method: str, options: dict[str, Any], shown: str, quiet: bool
    ) -> tuple[str, int]:
        """Compute the answers; returns the text and the exit code."""
        if self.request.marginals:
            return _marginals(graph, shown, quiet)
        if self.request.max_marginals:
            return _max_marginals(graph, method, options, shown, quiet)
        return self._answers(graph, method, options, shown, quiet)

    def _answers(
        self, graph: FactorGraph, method: str, options: dict[str, Any], shown: str, quiet: bool
    ) -> tuple[str, int]:
        from treaty.show import as_json, as_text, as_uai
        from treaty.solve import k_best

        wanted = self.request.k_best or 0
        with Display(f"solving by {method}", quiet=quiet):
            answers = k_best(graph, wanted, method, distance=self.request.diverse or 1, **options)
            solutions = answers or [graph.solve(method, **options)]  # says why there is none
        texts = []
        for number, solution in enumerate(solutions, 1):
            if shown == "json":
                record = {"answer": number} | json.loads(as_json(graph, solution))
                texts.append(json.dumps(record) + "\n")
            elif shown == "uai":
                texts.append(as_uai(graph, solution))
            else:
                texts.append(f"# answer\t{number}\n{as_text(graph, solution)}")
        if len(answers) < wanted and not quiet:
            note(f"{len(answers)} answers were found")
        gaps = [s.gap for s in solutions if s.status in ("FEASIBLE", "UNKNOWN")]
        return "".join(texts), _code(max(gaps, default=0.0), bool(gaps), quiet)


def _max_marginals(
    graph: FactorGraph, method: str, options: dict[str, Any], shown: str, quiet: bool
) -> tuple[str, int]:
    from treaty.show import max_marginals_json, max_marginals_text
    from treaty.solve import max_marginals

    with Display(f"solving by {method} for every state", quiet=quiet):
        results = max_marginals(graph, method=method, **options)
    show = max_marginals_json if shown == "json" else max_marginals_text
    gap = 0.0
    for one in results:
        possible = one.bound > -math.inf
        gaps = one.bound[possible] - one.objective[possible]
        gap = max(gap, float(gaps.max(initial=0.0)))
    return show(graph, results), _code(gap, not all(one.is_exact for one in results), quiet)


def _marginals(graph: FactorGraph, shown: str, quiet: bool) -> tuple[str, int]:
    from treaty.show import marginals_json, marginals_text, marginals_uai
    from treaty.solve import log_partition, marginals

    with Display("summing", quiet=quiet):
        total = log_partition(graph)
        has_some = total.is_exact and math.isfinite(total.value)
        probabilities = marginals(graph) if has_some else None
    if not total.is_exact and not quiet:
        note("the graph is too large for marginals: log_partition is an upper bound")
    if shown == "uai":
        return marginals_uai(probabilities), 0 if total.is_exact else STOPPED
    show = marginals_json if shown == "json" else marginals_text
    return show(graph, total, probabilities), 0 if total.is_exact else STOPPED


def _code(gap: float, is_open: bool, quiet: bool) -> int:
    if is_open and not quiet:
        note(stopped(gap))
    return STOPPED if is_open else 0
