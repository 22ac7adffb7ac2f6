"""What many tests share: the data folder, and graphs small enough to enumerate."""

from __future__ import annotations

import itertools
import math
import random
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treaty._native.graph import Graph
from treaty._native.solve import largest_score, tolerance
from treaty.cluster import Connection, connect
from treaty.graph import Factor, FactorGraph
from treaty.solve import Solution, Status, _solve, check

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of data files beside the project."""
    if not DATA.is_dir():
        pytest.skip(f"there is no data folder at {DATA}")
    return DATA


@pytest.fixture(scope="session", autouse=True)
def _every_answer_is_checked() -> Iterator[None]:
    """Check all solutions of all tests: feasible, scored rightly, OPTIMAL only without a gap."""
    answer = _solve._answer

    def checked_answer(solver: Any, graph: Graph, options: Any) -> Solution:
        solution = answer(solver, graph, options)
        if math.isfinite(solution.objective):
            found = check(graph, solution.values)
            rounding = 1e-12 * max(largest_score(graph), abs(found.objective))
            assert abs(found.objective - solution.objective) <= rounding, found.messages
            if solution.status is Status.OPTIMAL:
                assert solution.gap <= 2e-6 * tolerance(graph, solution.objective, 1.0)
        return solution

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_solve, "_answer", checked_answer)
        yield


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """Two worker processes, which keep models in a folder of their own."""
    import dask

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        patch.setenv("TREATY_CLUSTER_MODELS", str(tmp_path_factory.mktemp("models")))
        strict = {"distributed.scheduler.allowed-failures": 0}
        with dask.config.set(strict), connect("local:2") as connection:
            connection.settle()
            with dask.config.set(_known_to(connection)):
                yield connection


def _known_to(connection: Connection) -> dict[str, str]:
    """Let this process connect to a local cluster again, by address, as commands do."""
    private = connection.client.security
    return {
        "distributed.comm.tls.ca-file": private.tls_ca_file,
        "distributed.comm.tls.client.cert": private.tls_client_cert,
        "distributed.comm.tls.client.key": private.tls_client_key,
    }


def tree_score(on: Sequence[bool], data: Sequence[float], shape: Sequence[int]) -> float:
    *parents, root_needs_child = shape
    score = 0.0
    for node, parent in enumerate(parents):
        above = parent < 0 or on[parent]
        if on[node] and not above:
            return -math.inf
        if not on[node] and above:
            score += data[node]
        childless = not any(on[c] for c, p in enumerate(parents) if p == node)
        if root_needs_child and parent < 0 and on[node] and childless:
            return -math.inf
    return score


def is_arborescence(on: Sequence[bool], shape: Sequence[int]) -> bool:
    nodes, single_root, *ends = shape
    arcs = [
        arc for arc, used in zip(zip(ends[0::2], ends[1::2], strict=True), on, strict=True) if used
    ]
    reached, frontier = {0}, [0]
    while frontier:
        head = frontier.pop()
        new = {m for h, m in arcs if h == head} - reached
        reached |= new
        frontier += new
    roots = sum(head == 0 for head, _ in arcs)
    return len(arcs) == nodes - 1 == len(reached) - 1 and (not single_root or roots == 1)


def table_score(on: Sequence[bool], data: np.ndarray, shape: Sequence[int]) -> float:
    states = []
    for group in np.split(np.array(on), np.cumsum(shape)[:-1]):
        if group.sum() != 1:
            return -math.inf
        states.append(int(group.argmax()))
    return float(data.reshape(shape)[tuple(states)])


def sequence_score(on: Sequence[bool], data: np.ndarray, shape: Sequence[int]) -> float:
    states = [0]  # a start and a stop state around the chain
    for group in np.split(np.array(on), np.cumsum(shape)[:-1]):
        if group.sum() != 1:
            return -math.inf
        states.append(int(group.argmax()))
    total, offset, sizes = 0.0, 0, [1, *shape, 1]
    for (a, b), (m, n) in zip(
        itertools.pairwise([*states, 0]), itertools.pairwise(sizes), strict=True
    ):
        total += float(data[offset + a * n + b])
        offset += m * n
    return total


def general_tree_score(on: Sequence[bool], data: np.ndarray, shape: Sequence[int]) -> float:
    sizes, parents = shape[: len(shape) // 2], shape[len(shape) // 2 :]
    states = []
    *groups, counts = np.split(np.array(on), np.cumsum(sizes))
    for group in groups:
        if group.sum() != 1:
            return -math.inf
        states.append(int(group.argmax()))
    if len(counts) and (counts.sum() != 1 or not counts[states.count(0)]):
        return -math.inf
    total, numbers = 0.0, iter(data.tolist())
    for node in range(1, len(sizes)):
        table = [[next(numbers) for _ in range(sizes[node])] for _ in range(sizes[parents[node]])]
        total += table[states[parents[node]]][states[node]]
    return total


def automaton_score(on: Sequence[bool], data: np.ndarray, shape: Sequence[int]) -> float:
    """A head automaton's own score: the definition, summed over the steps of its path."""
    grandparents, modifiers, has_grand_siblings = shape
    if sum(on[:grandparents]) != min(grandparents, 1):
        return -math.inf
    g = list(on).index(True) if grandparents else 0
    numbers = iter(data.tolist())
    arc = {(i, m): next(numbers) for i in range(grandparents) for m in range(1, modifiers + 1)}
    pairs = list(itertools.combinations(range(modifiers + 2), 2))
    step = {pair: next(numbers) for pair in pairs}
    grand = {
        (i, pair): next(numbers)
        for i in range(grandparents)
        for pair in pairs
        if has_grand_siblings
    }
    path = [0, *(m for m in range(1, modifiers + 1) if on[grandparents + m - 1]), modifiers + 1]
    own = [step[pair] + grand.get((g, pair), 0.0) for pair in itertools.pairwise(path)]
    return sum(own) + sum(arc.get((g, m), 0.0) for m in path)


def tri_sibling_score(on: Sequence[bool], data: np.ndarray) -> float:
    triples = itertools.combinations(range(len(on) + 2), 3)
    score = dict(zip(triples, data.tolist(), strict=True))
    path = [0, *(m for m, used in enumerate(on, start=1) if used), len(on) + 1]
    return sum(score[triple] for triple in zip(path, path[1:], path[2:], strict=False))


def factor_score(factor: Factor, on: Sequence[bool]) -> float:
    """A factor's own score, written down from its definition."""
    kind, data, shape, total = factor.kind, factor.data, factor.shape.tolist(), sum(on)
    if kind == "reward":
        return float(data[0]) if all(on) else 0.0
    if kind == "table":
        return table_score(on, data, shape)
    if kind == "sequence":
        return sequence_score(on, data, shape)
    if kind == "sequence_budget":
        firsts = sum(on[i] for i in np.cumsum([0, *shape[1:-1]]))
        return sequence_score(on, data, shape[1:]) if firsts <= shape[0] else -math.inf
    if kind in ("general_tree", "general_tree_counts"):
        return general_tree_score(on, data, shape)
    if kind == "compression_tree":
        return tree_score(on, data.tolist(), shape)
    if kind == "head_automaton":
        return automaton_score(on, data, shape)
    if kind == "tri_sibling_automaton":
        return tri_sibling_score(on, data)
    allowed = {
        "exactly_one": lambda: total == 1,
        "at_most_one": lambda: total <= 1,
        "at_least_one": lambda: total >= 1,
        "xor_with_output": lambda: sum(on[:-1]) <= 1 and sum(on[:-1]) == on[-1],
        "or_with_output": lambda: any(on[:-1]) == on[-1],
        "and_with_output": lambda: all(on[:-1]) == on[-1],
        "at_most": lambda: total <= shape[0],
        "exactly": lambda: total == shape[0],
        "knapsack": lambda: float(data[:-1] @ np.array(on)) <= data[-1],
        "arborescence": lambda: is_arborescence(on, shape),
    }[kind]()
    return 0.0 if allowed else -math.inf


def objective(graph: FactorGraph, values: Sequence[int]) -> float:
    """The score of an assignment, -inf where it is not allowed."""
    array = np.array(values, np.int8)
    if any(e >= 0 and e != v for e, v in zip(graph.evidence, values, strict=True)):
        return -math.inf
    if any(sum(values[c.first : c.first + c.size]) != 1 for c in graph.categoricals):
        return -math.inf
    own = [factor_score(f, [x.state_in(array) for x in f.literals]) for f in graph.factors]
    return float(graph.scores @ array) + sum(own)


def all_objectives(graph: FactorGraph) -> list[float]:
    """The score of every assignment, in counting order."""
    return [objective(graph, v) for v in itertools.product((0, 1), repeat=len(graph))]


SIMPLE = ("exactly_one", "at_most_one", "at_least_one")
OUTPUT = ("xor_with_output", "or_with_output", "and_with_output")
COUNTING = ("reward", "at_most", "exactly", "at_least", "knapsack")
GROUPS = ("table", "sequence", "sequence_budget", "general_tree")


def add_factor(graph: FactorGraph, kind: str, rng: random.Random) -> None:
    literals = [x if rng.random() < 0.7 else ~x for x in graph]
    some = rng.choices(literals, k=rng.randint(2, 4))  # the same one may come twice
    if kind in SIMPLE:
        getattr(graph, kind)(some)
    elif kind in OUTPUT:
        getattr(graph, kind)(some[:-1], some[-1])
    elif kind == "reward":
        graph.reward(some[0], some[1], rng.uniform(-2, 2))
    elif kind in ("at_most", "exactly", "at_least"):
        getattr(graph, kind)(rng.randint(0, len(some)), some)
    elif kind == "knapsack":
        graph.knapsack(some, [rng.randint(0, 4) for _ in some], rng.randint(0, 8))
    else:
        chain = rng.sample([*graph.categoricals, literals[-1]], k=rng.randint(1, 3))
        sizes = [len(v) if v in graph.categoricals else 2 for v in chain]
        scores = np.array([rng.choice([-math.inf, 0, rng.uniform(-1, 1)]) for _ in range(27)])
        if kind == "table":
            graph.table(chain, scores[: math.prod(sizes)].reshape(sizes))
        elif kind == "general_tree":
            parents = [-1, *(rng.randrange(i) for i in range(1, len(chain)))]
            edges = [
                scores[: sizes[p] * n].reshape(sizes[p], n)
                for p, n in zip(parents[1:], sizes[1:], strict=True)
            ]
            counts = rng.choices(literals, k=len(chain) + 1) if rng.random() < 0.5 else []
            graph.general_tree(chain, parents, edges, counts)
        elif kind == "sequence_budget":
            edges = [scores[: m * n].reshape(m, n) for m, n in itertools.pairwise(sizes)]
            graph.sequence_budget(rng.randint(0, 3), chain, edges, start=scores[: sizes[0]])
        else:
            edges = [scores[: m * n].reshape(m, n) for m, n in itertools.pairwise(sizes)]
            graph.sequence(chain, edges, start=scores[: sizes[0]], stop=scores[-sizes[-1] :])


def random_graph(rng: random.Random) -> FactorGraph:
    """Two categorical and three binary variables, some evidence, and a few factors of any kind."""
    graph = FactorGraph()
    for size in (rng.randint(1, 3), rng.randint(2, 3)):
        graph.categorical([rng.uniform(-1, 1) for _ in range(size)])
    graph.variables([rng.choice([0.0, rng.uniform(-1, 1)]) for _ in range(3)])
    for _ in range(rng.randint(0, 3)):
        add_factor(graph, rng.choice([*SIMPLE, *OUTPUT, *COUNTING, *GROUPS]), rng)
    if rng.random() < 0.5:
        graph.fix(rng.choice([x if rng.random() < 0.5 else ~x for x in graph]))
    return graph


@pytest.fixture(scope="session", name="all_objectives")
def _all_objectives() -> Callable[[FactorGraph], list[float]]:
    return all_objectives


@pytest.fixture(scope="session", name="objective")
def _objective() -> Callable[[FactorGraph, Sequence[int]], float]:
    return objective


@pytest.fixture(scope="session", name="random_graph")
def _random_graph() -> Callable[[random.Random], FactorGraph]:
    return random_graph


@pytest.fixture(scope="session")
def house():
    """Run commands with faults, see `tests.faults.checking`."""
    from tests.faults.checking import House
    from tests.faults.zygote import Zygote

    folder = Path(tempfile.mkdtemp(prefix="treaty-faults-"))  # nobody may go into pytest's folder
    folder.chmod(0o777)
    with Zygote() as zygote:
        yield House(zygote, folder)
    shutil.rmtree(folder)
