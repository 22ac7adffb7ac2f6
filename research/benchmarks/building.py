"""Large graphs: time and memory to build one from arrays, and to run AD3 on it.

``python -m research.benchmarks.building [--variables N] [--factors N] [--iterations N]``

The graph has triples that exclude one another, clauses, and rewards of pairs. The figures are
seconds, and the most memory that the process has had so far.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from treaty import FactorGraph

SHARES = {"at_most_one": 0.3, "at_least_one": 0.2, "reward": 0.4, "implies": 0.1}
"""Of the factors, by kind."""


def large_graph(variables: int, factors: int, seed: int = 0) -> FactorGraph:
    """Build a random graph from arrays, most of it logic over neighboring variables."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    x = graph.variables(random.normal(size=variables)).indices
    for kind, share in SHARES.items():
        count, size = int(share * factors), 2 if kind in ("reward", "implies") else 3
        first = random.integers(0, variables, count)
        near = random.integers(1, 1 + variables // 100, (count, size - 1)).cumsum(axis=1)
        members = x[np.column_stack([first, (first[:, None] + near) % variables])]
        options = {"score": random.normal(size=count)} if kind == "reward" else {}
        negated = (
            True if kind == "at_least_one" else None
        )  # not all three of them: the graph has answers
        graph.add_many(kind, members, negated=negated, **options)
    return graph


def main() -> None:
    """Build, run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variables", type=int, default=10**6)
    parser.add_argument("--factors", type=int, default=5 * 10**6)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--method", default="ad3")
    parser.add_argument("--time-limit", type=float)
    given = parser.parse_args()
    started = time.perf_counter()
    graph = large_graph(given.variables, given.factors)
    print(f"{graph}: built in {time.perf_counter() - started:.2f} s, {_peak():.2f} GB at most")
    options = {} if given.time_limit is None else {"time_limit": given.time_limit}
    if given.method in ("ad3", "subgradient"):
        options["iterations"] = given.iterations if given.time_limit is None else 10**6
    started = time.perf_counter()
    solution = graph.solve(given.method, **options)
    seconds = time.perf_counter() - started
    print(f"{given.method}: {seconds:.2f} s, {_peak():.2f} GB at most: {solution.certificate}")


def _peak() -> float:
    """Return the most memory the process has had, in gigabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


if __name__ == "__main__":
    main()
