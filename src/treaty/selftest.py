"""Checks an installation in a few seconds: ``python -m treaty.selftest``.

The compiled core is imported, every solver is compared with exhaustive search, a small model is
trained, saved and loaded, and the installed models are used.
"""

from __future__ import annotations

import platform
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from treaty import __version__
from treaty.errors import TreatyError
from treaty.graph import FactorGraph
from treaty.learn import load, models
from treaty.parse import Pipeline, Tagger
from treaty.solve import METHODS, Solution, Status, check

__all__ = ["main"]

GRAPHS = 20
PROVING = ("exact", "ilp", "exhaustive")
"""Methods that must prove the best answer of a small graph; the others must bound it."""
TEXT = "Ada Lovelace wrote the first program in London. It ran on no machine."
TOLERANCE = 1e-6


class Failure(Exception):  # noqa: N818 - what a check found, not an error of the program
    """A fault of the installation."""


def main() -> int:
    """Run all checks and print what they found.

    Returns
    -------
    int
        0 if all is well, else 1.
    """
    start = time.perf_counter()
    _say(f"treaty {__version__}, Python {platform.python_version()}, {platform.platform()}")
    failed = [name for name, run in CHECKS.items() if not _passes(name, run)]
    seconds = time.perf_counter() - start
    _say(f"{'failed: ' + ', '.join(failed) if failed else 'all is well'} ({seconds:.1f} s)")
    return 1 if failed else 0


def _passes(name: str, run: Callable[[], str]) -> bool:
    try:
        summary = run()
    except (Failure, TreatyError, ImportError, OSError) as error:
        _say(f"FAILED  {name}: {error}")
        return False
    _say(f"ok      {name}: {summary}")
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def check_core() -> str:
    """Import the compiled core."""
    from treaty import _native

    path = Path(str(_native.__file__))
    return f"{path.name}, {path.stat().st_size / 1e6:.1f} MB"


def random_graphs(seed: int = 1) -> Iterator[FactorGraph]:
    """Yield small graphs with logic, budgets and pairs, each of which has an answer."""
    draw = random.Random(seed)
    for _ in range(GRAPHS):
        graph = FactorGraph()
        x = graph.variables([draw.uniform(-2, 2) for _ in range(8)])
        graph.exactly_one(*x[:3])
        graph.at_most_one(x[3], ~x[4], x[5])
        graph.implies(x[0], x[6])
        graph.knapsack(x, costs=[draw.uniform(0.1, 1) for _ in x], capacity=2.5)
        for _ in range(4):
            graph.reward(*draw.sample(x, 2), draw.uniform(-2, 2))
        yield graph


def check_solvers() -> str:
    """Compare every solver with exhaustive search."""
    methods = [name for name, method in METHODS.items() if not method.for_patterns]
    for number, graph in enumerate(random_graphs(), 1):
        best = graph.solve("exhaustive").objective
        for method in methods:
            solution = graph.solve(method)
            _compare(f"{method} on graph {number}", graph, solution, best)
            if method in PROVING and solution.status is not Status.OPTIMAL:
                raise Failure(f"{method} did not prove the best answer of graph {number}")
    return f"{len(methods)} methods agree with exhaustive search on {GRAPHS} graphs"


def _compare(name: str, graph: FactorGraph, solution: Solution, best: float) -> None:
    """Check an answer: it is feasible, has its score, and its bound holds."""
    report = check(graph, solution.values)
    if not report.feasible:
        raise Failure(f"{name}: {report.messages[0]}")
    if abs(report.objective - solution.objective) > TOLERANCE:
        raise Failure(f"{name}: the answer is worth {report.objective}, not {solution.objective}")
    if solution.objective > best + TOLERANCE or solution.bound < best - TOLERANCE:
        raise Failure(f"{name}: {solution.certificate}, but the best is {best}")
    if solution.status is Status.OPTIMAL and solution.objective < best - TOLERANCE:
        raise Failure(f"{name}: {solution.objective} is called optimal, but the best is {best}")


def check_files() -> str:
    """Train a small model, save it, load it, and compare what they predict."""
    sample = Tagger.sample()
    tagger = Tagger.train(sample.examples, **sample.options)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.treaty"
        tagger.save(path)
        again = load(path)
        size = path.stat().st_size
    before, after = (list(m.predict(sample.inputs)) for m in (tagger, again))
    if before != after:
        raise Failure("a model that is saved and loaded predicts something else")
    return f"a tagger was trained, saved ({size:,} bytes), loaded, and predicts the same"


def check_models() -> str:
    """Use the installed models."""
    installed = models()
    if not installed:
        return "none is installed; pip install 'treaty[english]' installs the English ones"
    lines = []
    for entry in installed:
        model = load(entry.path)
        used = _parsed(model) if isinstance(model, Pipeline) else "loads"
        lines.append(f"{entry.name} ({entry.size / 1e6:.1f} MB) {used}")
    return "; ".join(lines)


def _parsed(model: Pipeline) -> str:
    if model.tokenizer is None:
        return "loads"
    document = model(TEXT)
    roots = [sum(head == 0 for head in sentence.heads) for sentence in document.sentences]
    if not document.sentences or min(roots) < 1:
        raise Failure("the parser found no tree")
    if any(certificate.gap > 1 for certificate in document.certificates):
        raise Failure("the trees are far from the best of the model")
    return f"parses {len(document)} words"


CHECKS: dict[str, Callable[[], str]] = {
    "core": check_core,
    "solvers": check_solvers,
    "files": check_files,
    "models": check_models,
}


if __name__ == "__main__":
    sys.exit(main())
