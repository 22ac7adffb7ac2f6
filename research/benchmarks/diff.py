"""Smooth answers and their gradients beside other libraries, in one run.

    python -m research.benchmarks.diff                   # everything that is installed, minutes
    python -m research.benchmarks.diff --only matchings trees
    python -m research.benchmarks.diff --out runs.jsonl

Seconds are CPU seconds of a whole batch on one thread, the best of several. Errors are the largest
differences to Treaty's values and gradients; of trees also how far the heads of a word are from a
sum of one. What cannot be imported is left out. lp-sparsemap (which lacks an `#include <tuple>`)
and torch-struct do not install on Python 3.11: build them, and name their folder in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch

from research.benchmarks._measure import cpu_seconds, in_child
from research.report import Run, append_run, say
from research.report.markdown import table, text_of
from treaty import diff
from treaty.graph import FactorGraph

Pass = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, float, float]]
"""Scores and cotangents of a batch to values, gradients, and CPU seconds forwards and backwards."""


def main() -> int:
    """Run what was chosen and print a table of each part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, help="some parts")
    parser.add_argument("--repeat", type=int, default=3, help="runs of which the best counts")
    parser.add_argument("--out", type=Path, help="file of run lines to add to")
    options = parser.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for part in options.only or PARTS:
        say(part)
        runs = [append_run(options.out, run) for run in PARTS[part](options.repeat)]
        print(table(runs, {name: text_of(name) for name in runs[0] if name not in ORIGIN}, text=3))
    return 0


ORIGIN = ("command", "commit", "date", "machine")


def has(module: str) -> bool:
    """Whether a library is installed; says so if not."""
    if importlib.util.find_spec(module) is None:
        print(f"{module} is not installed", file=sys.stderr)
        return False
    return True


def compared(
    part: str, size: str, batch: int, passes: dict[str, Pass], scores: np.ndarray, repeat: int
) -> Iterator[Run]:
    """Run each library on the same scores; the first is what the others are compared with."""
    cotangent = np.random.default_rng(1).normal(size=scores.shape)
    first: Any = None
    for name, run in passes.items():
        tries = [run(scores, cotangent) for _ in range(repeat)]
        values, gradient = tries[0][:2]
        forward, backward = (min(each[i] for each in tries) for i in (2, 3))
        first = first or (values, gradient, forward + backward)
        yield {
            "part": part, "size": size, "library": name, "batch": batch,
            "forward s": f"{forward:.4f}", "backward s": f"{backward:.4f}",
            "times Treaty's": f"{(forward + backward) / first[2]:.1f}",
            "error of values": f"{np.abs(values - first[0]).max():.1e}",
            "error of gradients": f"{np.abs(gradient - first[1]).max():.1e}",
        }  # fmt: skip


def by_treaty(answer: Callable[..., Any], graph: FactorGraph) -> Pass:
    """Forwards and backwards of a function of `treaty.diff`, on one thread."""

    def run(scores: np.ndarray, cotangent: np.ndarray) -> Any:
        started = time.process_time()
        smooth = answer(graph, scores, threads=1)
        values = smooth.values
        middle = time.process_time()
        gradient = smooth.pullback(cotangent).variables
        return values, gradient, middle - started, time.process_time() - middle

    return run


def by_torch(layer: Callable[[torch.Tensor], torch.Tensor], dtype: Any = torch.float64) -> Pass:
    """Forwards and backwards of a layer of torch."""

    def run(scores: np.ndarray, cotangent: np.ndarray) -> Any:
        given = torch.tensor(scores, dtype=dtype, requires_grad=True)
        started = time.process_time()
        values = layer(given)
        middle = time.process_time()
        values.backward(torch.tensor(cotangent, dtype=dtype))
        backward = time.process_time() - middle
        return values.detach().numpy(), given.grad.numpy(), middle - started, backward

    return run


# LP-SparseMAP of assignments


def matching(n: int) -> FactorGraph:
    graph = FactorGraph()
    cells = graph.variables(np.zeros(n * n))
    for i in range(n):
        graph.exactly_one(cells[n * i : n * i + n])
        graph.exactly_one(cells[i::n])
    return graph


def matchings(repeat: int) -> Iterator[Run]:
    """Assignments: a quadratic program for cvxpylayers."""
    for n, batch in ((4, 128), (8, 16), (8, 128)):
        passes: dict[str, Pass] = {"Treaty": by_treaty(diff.lp_sparsemap, matching(n))}
        if has("lpsmap"):
            passes["lp-sparsemap"] = by_torch(lambda scores, n=n: _lpsmap(scores, n))
        if has("cvxpylayers"):
            passes |= {
                f"cvxpylayers, {s}": by_torch(_cvxpy(n, s))
                for s in ("SCS", "SCS, precise", "CLARABEL")
            }
        scores = np.random.default_rng(n).normal(size=(batch, n * n))
        yield from compared("matchings", f"{n}×{n}", batch, passes, scores, min(repeat, 2))


def _lpsmap(scores: torch.Tensor, n: int) -> torch.Tensor:
    from lpsmap import TorchFactorGraph, Xor

    values = []
    for row in scores:
        graph = TorchFactorGraph()
        cells = graph.variable_from(row.reshape(n, n))
        for i in range(n):
            graph.add(Xor(cells[i, :]))
            graph.add(Xor(cells[:, i]))
        graph.solve(max_iter=10_000, tol=1e-9)
        values.append(cells.value.reshape(-1))
    return torch.stack(values)


def _cvxpy(n: int, solver: str) -> Callable[[torch.Tensor], torch.Tensor]:
    import cvxpy as cp
    from cvxpylayers.torch import CvxpyLayer

    x, theta = cp.Variable((n, n), nonneg=True), cp.Parameter((n, n))
    cost = 0.5 * cp.sum_squares(x) - cp.sum(cp.multiply(theta, x))
    limits = [cp.sum(x, axis=0) == 1, cp.sum(x, axis=1) == 1]
    layer = CvxpyLayer(cp.Problem(cp.Minimize(cost), limits), parameters=[theta], variables=[x])
    precise = {
        "SCS": {"solve_method": "SCS", "eps": 1e-9, "max_iters": 100_000},
        "SCS, precise": {
            "solve_method": "SCS",
            "eps": 1e-11,
            "max_iters": 200_000,
            "mode": "dense",
        },
        "CLARABEL": {"solve_method": "CLARABEL"},
    }[solver]
    jobs = {"n_jobs_forward": 1, "n_jobs_backward": 1}

    def run(scores: torch.Tensor) -> torch.Tensor:
        grids = scores.reshape(-1, n, n)
        (values,) = layer(grids, solver_args={**precise, **jobs})
        return values.reshape(scores.shape)

    return run


# Calling


def calls(repeat: int) -> Iterator[Run]:
    """What `graph.batch` adds to the solver, for 1,000 assignments."""
    graph, scores = matching(8), np.random.default_rng(0).normal(size=(1000, 64))
    shares = []
    for _ in range(2 * repeat + 1):
        started = time.perf_counter()
        inside = graph.batch(scores, threads=1).seconds.sum()
        shares.append((time.perf_counter() - started) / inside - 1.0)
    yield {
        "part": "calls", "size": "8×8", "library": "Treaty", "batch": 1000,
        "ms an item": f"{inside:.3f}", "% above the solver": f"{100 * np.median(shares):.1f}",
    }  # fmt: skip


# Marginals


def trees(repeat: int) -> Iterator[Run]:
    """Non-projective trees of 30 words with one root, by the matrix-tree theorem."""
    words, batch = 30, 32
    pairs = [(h, m) for h in range(words) for m in range(words)]
    ends = [(0 if h == m else h + 1, m + 1) for h, m in pairs]  # roots on the diagonal
    graph = FactorGraph()
    graph.arborescence(ends, graph.variables(np.zeros(len(ends))), single_root=True)
    ours = by_treaty(diff.marginals, graph)
    for size in (1.0, 1e3):
        passes: dict[str, Pass] = {"Treaty": ours}
        scores = np.random.default_rng(0).normal(size=(batch, len(ends))) * size
        if has("torch_struct"):
            from torch_struct.deptree import deptree_nonproj

            for dtype in (torch.float32, torch.float64):
                passes[f"torch-struct, {str(dtype)[6:]}"] = by_torch(
                    lambda s: deptree_nonproj(
                        s.reshape(-1, words, words), multi_root=False, eps=0.0
                    ).reshape(s.shape),
                    dtype,
                )
        what = f"{words} words, scores ±{size:g}"
        for run in compared("trees", what, batch, passes, scores, repeat):
            heads = passes[run["library"]](scores, scores)[0].reshape(-1, words, words).sum(axis=1)
            yield {**run, "error of a word's sum": f"{np.abs(heads - 1.0).max():.1e}"}


def chains(repeat: int) -> Iterator[Run]:
    """Linear chains: 30 words, 10 tags; scores are those of transitions."""
    words, tags, batch = 30, 10, 32
    graph = FactorGraph()
    states = [graph.categorical(np.zeros(tags)) for _ in range(words)]
    graph.sequence(states, np.zeros((words - 1, tags, tags)))
    first = graph.slice_of(graph.factors[0])
    edges = (words - 1) * tags * tags

    def ours(scores: np.ndarray, cotangent: np.ndarray) -> Any:
        rows = np.zeros((len(scores), len(graph.parameters)))
        still = np.zeros((len(scores), tags))  # from the start, and to the stop
        rows[:, first] = np.concatenate([still, scores, still], axis=1)
        started = time.process_time()
        sums = diff.marginals(graph, rows, threads=1)
        forward = time.process_time() - started
        expected = from_sequence(sums.expectations[:, first], words, tags)
        return expected, expected, forward, 0.0

    passes: dict[str, Pass] = {"Treaty": ours}
    if has("torch_struct"):
        from torch_struct import LinearChainCRF

        def theirs(scores: np.ndarray, cotangent: np.ndarray) -> Any:
            grid = torch.tensor(scores.reshape(-1, words - 1, tags, tags))
            started = time.process_time()
            values = LinearChainCRF(grid.transpose(2, 3)).marginals.transpose(2, 3)
            flat = values.reshape(len(scores), -1).detach().numpy()
            return flat, flat, time.process_time() - started, 0.0

        passes["torch-struct"] = theirs
    scores = np.random.default_rng(0).normal(size=(batch, edges))
    yield from compared("chains", f"{words} words, {tags} tags", batch, passes, scores, repeat)


def from_sequence(rows: np.ndarray, words: int, tags: int) -> np.ndarray:
    """The transitions alone."""
    return rows[:, tags : tags + (words - 1) * tags * tags]


def sparsemax(repeat: int) -> Iterator[Run]:
    """One of 100 states."""
    graph, batch = FactorGraph(), 1024
    graph.exactly_one(graph.variables(np.zeros(100)))
    passes: dict[str, Pass] = {"Treaty": by_treaty(diff.lp_sparsemap, graph)}
    if has("entmax"):
        import entmax

        passes["entmax"] = by_torch(lambda scores: entmax.sparsemax(scores, dim=-1))
    scores = np.random.default_rng(0).normal(size=(batch, 100))
    yield from compared("sparsemax", "100 states", batch, passes, scores, repeat)


# Predict, then optimize


def decisions(repeat: int) -> Iterator[Run]:
    """SPO+ of PyEPO on its generated data: regret on test data, and CPU seconds of training.

    Each runs in a process of its own: OR-Tools and Treaty's HiGHS cannot be in one.
    """
    if not has("pyepo"):
        return
    for problem in ("knapsack, 16 items", "shortest path, 5×5"):
        for library in ("Treaty", "OR-Tools") if has("ortools") else ("Treaty",):
            trained = in_child(lambda p=problem, o=library: _trained(p, o), 300.0)
            yield {"part": "decisions", "size": problem, "library": library, "batch": 32, **trained}


def _model(problem: str, library: str) -> Any:
    if library == "Treaty":
        from treaty.integrations import pyepo as models

        knapsack, path = models.Knapsack, models.ShortestPath
    else:
        from pyepo.model import ort

        knapsack, path = ort.knapsackModel, ort.shortestPathModel
    import pyepo.data

    if problem.startswith("knapsack"):
        weights, *data = pyepo.data.knapsack.genData(700, 5, 16, deg=4, noise_width=0.5)
        return knapsack(weights, [20.0]), *data
    return path((5, 5)), *pyepo.data.shortestpath.genData(700, 5, (5, 5), deg=4, noise_width=0.5)


def _trained(problem: str, library: str) -> dict[str, str]:
    model, feats, costs = _model(problem, library)
    import pyepo
    from pyepo.data.dataset import optDataset
    from torch.utils.data import DataLoader

    torch.manual_seed(0)
    train = optDataset(model, feats[:200], costs[:200])
    test = DataLoader(optDataset(model, feats[200:], costs[200:]), batch_size=500)
    batches = DataLoader(train, batch_size=32, shuffle=True)
    predictor = torch.nn.Linear(feats.shape[1], model.num_cost)
    optimizer = torch.optim.Adam(predictor.parameters(), lr=0.01)
    loss = pyepo.func.SPOPlus(model, processes=1)
    untrained = pyepo.metric.regret(predictor, model, test)

    def epochs() -> None:
        for _ in range(10):
            for x, c, w, z in batches:
                optimizer.zero_grad()
                loss(predictor(x), c, w, z).backward()
                optimizer.step()

    seconds = cpu_seconds(epochs, 1)
    regret = pyepo.metric.regret(predictor, model, test)
    return {
        "training s": f"{seconds:.2f}", "regret before": f"{100 * untrained:.2f} %",
        "regret": f"{100 * regret:.2f} %",
    }  # fmt: skip


PARTS: dict[str, Callable[[int], Iterator[Run]]] = {
    "matchings": matchings,
    "calls": calls,
    "trees": trees,
    "chains": chains,
    "sparsemax": sparsemax,
    "decisions": decisions,
}

if __name__ == "__main__":
    sys.exit(main())
