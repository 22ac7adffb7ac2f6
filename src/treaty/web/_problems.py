"""Work on problems: solve a graph, induce a grammar, evaluate predictions."""

from __future__ import annotations

import io
import json
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from treaty.errors import UsageError
from treaty.graph import FactorGraph, read_evidence, read_graph
from treaty.progress import OnProgress, Progress
from treaty.show import as_json, induced_record
from treaty.solve import Certificate, Solution, Status, options_of
from treaty.web._caps import Caps
from treaty.web._context import Context
from treaty.web._graph_json import GraphRecord, graph_of
from treaty.web._requests import InduceRequest, SolveRequest

__all__ = ["induce", "induce_live", "solve", "solve_live"]

Result = TypeVar("Result")
TAKES = {
    "branch-and-bound": ("restarts", "iterations", "relative_gap", "smoothing"),
    "viterbi-em": ("restarts", "start", "smoothing"),
    "em": ("start", "smoothing"),
}
OFTEN = 10
"""Iterations between two reports of a solver."""


def solve(asked: SolveRequest, context: Context) -> Iterator[Any]:
    """Solve a graph, as ``treaty solve`` does."""
    graph = _graph(asked, context)
    yield _solved(asked, graph, _solution(asked, graph, context, None))


def solve_live(asked: SolveRequest, context: Context) -> Iterator[Any]:
    """Solve a graph, and tell of objective and bound on the way: ``{"progress": …}``."""
    graph = _graph(asked, context)
    for news in _told(lambda report: _solution(asked, graph, context, report), context):
        yield _progress(news) if isinstance(news, Progress) else _solved(asked, graph, news)


def _graph(asked: SolveRequest, context: Context) -> FactorGraph:
    if (asked.graph is None) == (asked.text is None):
        raise UsageError("give either text (the content of a file) or graph")
    if asked.graph is not None:
        _check_record(asked.graph, context.caps)
        graph = graph_of(asked.graph)
    else:
        graph = read_graph(io.StringIO(asked.text or ""), asked.input_format)
        _check_size(graph, context.caps)
    if asked.evidence is not None:
        graph.observe(read_evidence(io.StringIO(asked.evidence), graph))
    return graph


def _check_record(record: GraphRecord, caps: Caps) -> None:
    caps.check("variables", len(record.variables))
    caps.check("factors", len(record.factors))
    caps.check("links", sum(len(factor.of) for factor in record.factors))


def _check_size(graph: FactorGraph, caps: Caps) -> None:
    arrays = graph.arrays
    caps.check("variables", len(graph.scores))
    caps.check("factors", len(arrays.kinds))
    caps.check("links", len(arrays.literals) + len(arrays.data))


def _solution(
    asked: SolveRequest, graph: FactorGraph, context: Context, report: OnProgress | None
) -> Solution:
    known = options_of(asked.method)
    given = {
        "iterations": asked.iterations,
        "gap": asked.gap,
        "tolerance": asked.tolerance,
        "trace": True if asked.trace else None,
    }
    options: dict[str, Any] = {name: v for name, v in given.items() if v is not None}
    for name in options:
        if name not in known:
            raise UsageError(f"{name!r} does not go with the method {asked.method!r}")
    if "time_limit" in known:
        options["time_limit"] = context.stop.left
    if "cancel" in known:
        options["cancel"] = context.stop.cancel
    if report is not None and "progress" in known:
        options |= {"progress": report, "progress_every": OFTEN}
    return graph.solve(asked.method, **options)


def _solved(asked: SolveRequest, graph: FactorGraph, solution: Solution) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(as_json(graph, solution))
    if asked.trace and solution.trace is not None:
        columns = ("iteration", "seconds", "objective", "bound")
        rows = [row[:4] for row in solution.trace.rows()]
        record["trace"] = [
            {name: _number(v) for name, v in zip(columns, row, strict=True)} for row in rows
        ]
    return record


def induce(asked: InduceRequest, context: Context) -> Iterator[Any]:
    """Induce a grammar, as ``treaty induce`` does."""
    corpus = _corpus(asked, context)
    yield _induced(asked, corpus, _search(asked, corpus, context, context.stop.watch))


def induce_live(asked: InduceRequest, context: Context) -> Iterator[Any]:
    """Induce a grammar, and tell of objective and bound on the way."""
    corpus = _corpus(asked, context)
    for news in _told(lambda report: _search(asked, corpus, context, report), context):
        yield _progress(news) if isinstance(news, Progress) else _induced(asked, corpus, news)


def _corpus(asked: InduceRequest, context: Context) -> Any:
    from treaty.induce import Corpus

    caps = context.caps
    caps.check("restarts", asked.restarts or 1)
    corpus = Corpus.read(
        io.StringIO(caps.text(asked.text)),
        tags=asked.tags,
        max_length=asked.max_length,
        most=asked.most,
        kind=asked.input_format,
    )
    caps.check("tags", len(corpus.tags))
    caps.check("sentences", len(corpus))
    return corpus


def _search(asked: InduceRequest, corpus: Any, context: Context, report: OnProgress) -> Any:
    from treaty.induce import branch_and_bound, em, viterbi_em

    names = ("restarts", "start", "iterations", "relative_gap", "smoothing")
    options = {n: getattr(asked, n) for n in names if getattr(asked, n) is not None}
    for name in options:
        if name not in TAKES[asked.method]:
            raise UsageError(f"{name!r} does not go with the method {asked.method!r}")
    options |= {"seed": asked.seed, "time_limit": context.stop.left}
    if asked.method == "em":
        return em(corpus, **options)
    if asked.method == "viterbi-em":
        return viterbi_em(corpus, progress=report, **options)
    return branch_and_bound(corpus, progress=report, **options)


def _induced(asked: InduceRequest, corpus: Any, found: Any) -> dict[str, Any]:
    record = induced_record(corpus, found)
    if asked.trees and found.grammar is not None:
        record["rules"] = [[*names, round(p, 6)] for names, p in found.grammar.rules() if p > 0]
        record["trees"] = [
            {"tags": [t.upos if t.upos != "_" else t.form for t in s.tokens], "heads": s.heads}
            for s in corpus.sentences(found.heads)
        ]
    return record


# News of long work


def _told(run: Callable[[OnProgress], Result], context: Context) -> Iterator[Progress | Result]:
    """Run work in a thread of its own; yields its reports, and at the end its result."""
    news: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def report(event: Progress) -> bool:
        news.put(event)
        return context.stop.watch(event)

    def work() -> None:
        try:
            news.put(_End(run(report)))
        except BaseException as error:
            news.put(_End(error=error))

    threading.Thread(target=work, daemon=True).start()
    try:
        while not isinstance(event := news.get(), _End):
            yield event
    except GeneratorExit:
        context.stop.give_up()
        raise
    if event.error is not None:
        raise event.error
    yield event.result


class _End:
    """The end of work: its result, or its error."""

    def __init__(self, result: Any = None, error: BaseException | None = None) -> None:
        self.result, self.error = result, error


def _progress(event: Progress) -> dict[str, Any]:
    objective, bound = (event.scores.get(name, None) for name in ("objective", "bound"))
    told = {"done": event.done, "seconds": round(event.seconds, 3)}
    if objective is not None and bound is not None:
        worth = Certificate(Status.FEASIBLE, objective, bound).to_dict()
        told |= {name: worth[name] for name in ("objective", "bound", "gap", "relative_gap")}
    return {"progress": told}


def _number(value: float) -> float | None:
    return value if abs(value) < float("inf") else None
