"""The decoders of pattern problems against enumeration, against each other and against an LP."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.sparse import coo_array
from tests.solve.pattern_graphs import labelings, pattern_graphs
from tests.solve.section_3_3 import is_spanning, section_3_3, section_3_3_edges

from treaty._native import solve as native
from treaty.errors import UsageError
from treaty.graph import FactorGraph
from treaty.solve import Status, solve, solve_many
from treaty.solve._check import check

DECODERS = [
    {"method": "two-slave"},
    {"method": "two-slave", "step_rule": "rush"},
    {"method": "two-slave", "style": "paper"},
    {"method": "two-slave", "style": "paper", "warm_cut": False},
    {"method": "two-slave", "style": "released"},
    {"method": "naive"},
    {"method": "naive", "step_rule": "rush"},
]


STYLES = [native.CutStyle.paper, native.CutStyle.released, native.CutStyle.tight]


def skip_chain(vertices, labels, patterns, seed, sign=0):
    """A chain with skip edges and sparse patterns of 3 to 6 vertices, as in the paper."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    chain = [graph.categorical(random.normal(size=labels)) for _ in range(vertices)]
    graph.sequence(chain, list(random.normal(size=(vertices - 1, labels, labels))))
    for _ in range(vertices // 10):
        u, v = sorted(random.choice(vertices, 2, replace=False))
        graph.table([chain[u], chain[v]], np.diag(random.normal(size=labels)))
    for _ in range(patterns):
        scope = random.choice(vertices, random.integers(3, 7), replace=False)
        weight = random.normal(scale=2.0)
        states = [chain[v][random.integers(labels)] for v in scope]
        graph.reward(*states, abs(weight) * sign if sign else weight)
    return graph


# Whole solvers


@settings(deadline=None, max_examples=60)
@given(pattern_graphs(), st.sampled_from(DECODERS))
def test_bounds_hold_and_certificates_are_true(graph, decoder):
    best = solve(graph, "exhaustive")
    found = solve(graph, **decoder, iterations=200)
    if best.status is Status.INFEASIBLE:
        assert found.status in (Status.INFEASIBLE, Status.UNKNOWN)
        return
    size = 1e-7 * max(1.0, abs(best.objective), np.abs(graph.scores).max(initial=0.0))
    assert found.bound >= best.objective - size
    if found.status is Status.UNKNOWN:
        return
    assert found.objective <= best.objective + size
    assert check(graph, found.values).objective == pytest.approx(found.objective, rel=1e-9)
    if found.status is Status.OPTIMAL:
        assert found.objective == pytest.approx(best.objective, abs=size)


def test_multipliers_that_run_away_leave_the_bound_valid():
    """The step rule diverges here, to multipliers of 1e15: what rounding loses is no bound."""
    graph = FactorGraph()
    one, two = graph.categorical([0.0]), graph.categorical([0.0, 0.0])
    x, three = graph.variable(1.0), graph.categorical([0.0, 0.0])
    outputs = graph.variables([0.0, -1.0, -2.0])
    graph.and_with_output([x, three[0]], outputs[0])
    graph.and_with_output([one[0], two[1], ~x], outputs[1])
    graph.and_with_output([one[0], x, three[1]], outputs[2])
    graph.fix(~outputs[0])
    for iterations in (61, 200, 1000):
        found = solve(graph, "naive", iterations=iterations)
        assert found.objective == 0.0 <= found.bound


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_the_tight_bound_comes_to_the_local_polytope(seed, sign):
    graph = skip_chain(30, 4, 20, seed, sign)
    relaxation = solve(graph, "lp").bound
    for decoder in ({"method": "two-slave"}, {"method": "naive"}):
        found = solve(graph, **decoder, iterations=2000)
        assert found.bound == pytest.approx(relaxation, rel=2e-3)
        assert found.bound >= relaxation - 1e-6
    exact = solve(graph, "ilp").objective
    assert found.objective <= exact + 1e-6
    if relaxation - exact < 1e-6:
        assert solve(graph, "two-slave", iterations=5000).status is Status.OPTIMAL


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6))
def test_a_factor_is_one_subproblem_of_naive_decomposition(seed):
    """At first every copy has half of a vertex's scores: single vertices, and the factor."""
    random = np.random.default_rng(seed)
    counts = random.integers(2, 4, size=random.integers(3, 5)).tolist()
    scores = [random.normal(size=count) for count in counts]
    graph = FactorGraph()
    vertices = [graph.categorical(own) for own in scores]
    every = list(itertools.product(*map(range, counts)))
    weights = dict.fromkeys(every, 0.0)
    for labels in every:
        if random.random() < 0.7 or labels == every[0]:
            weights[labels] = random.normal(loc=random.choice([-2.0, 0.0]))
            graph.reward(*(v[a] for v, a in zip(vertices, labels, strict=True)), weights[labels])
    alone = random.normal(size=2)
    graph.categorical(alone)
    factor = max(
        weight + sum(own[a] for own, a in zip(scores, labels, strict=True)) / 2
        for labels, weight in weights.items()
    )
    found = solve(graph, "naive", iterations=1)
    assert found.bound == pytest.approx(factor + sum(map(max, scores)) / 2 + max(alone))


@pytest.mark.parametrize("seed", range(3))
def test_no_single_label_can_be_bettered(seed):
    graph = skip_chain(30, 4, 60, seed)
    problem = native.PatternGraph(graph.native).problem
    found = solve(graph, "two-slave", style="paper", iterations=20)
    labels = np.flatnonzero(found.values[: problem.first[-1]]).astype(np.int32) - problem.first[:-1]
    assert problem.score(labels) == pytest.approx(found.objective)
    for vertex, other in itertools.product(range(30), range(4)):
        changed = labels.copy()
        changed[vertex] = other
        assert problem.score(changed) <= found.objective + 1e-9


def test_trees_need_no_cut():
    graph = FactorGraph()
    random = np.random.default_rng(3)
    chain = [graph.categorical(random.normal(size=5)) for _ in range(40)]
    graph.sequence(chain, list(random.normal(size=(39, 5, 5))))
    found = solve(graph, "two-slave")
    assert (found.status, found.iterations) == (Status.OPTIMAL, 1)
    assert found.objective == pytest.approx(solve(graph, "ilp").objective)


def test_warm_and_cold_cuts_come_to_the_same_bound():
    """Ties between cuts may be broken differently, so the ways there need not be the same."""
    graph = skip_chain(40, 4, 30, seed=5)
    warm, cold = (
        solve(graph, "two-slave", warm_cut=warm, trace=True, iterations=300)
        for warm in (True, False)
    )
    assert warm.trace.bound[0] == pytest.approx(cold.trace.bound[0], rel=1e-12)
    assert warm.bound == pytest.approx(cold.bound, rel=1e-3)


def test_limits_traces_and_callbacks():
    graph = skip_chain(40, 4, 30, seed=6)
    seen = []
    stopped = solve(
        graph,
        "two-slave",
        progress=lambda p: seen.append(p.done) or len(seen) < 3,
        progress_every=5,
    )
    assert seen == [5, 10, 15]
    assert stopped.iterations == 15
    limited = solve(graph, "naive", iterations=7, trace=True)
    assert limited.status is Status.FEASIBLE
    assert limited.trace.iteration.tolist() == list(range(1, 8))
    assert np.all(np.diff(limited.trace.bound) <= 0)
    assert np.all(np.diff(limited.trace.objective) >= 0)
    nothing = solve(graph, "two-slave", iterations=0)
    assert nothing.status is Status.UNKNOWN
    assert nothing.bound >= limited.objective
    assert solve(graph, "two-slave", gap=1e9).iterations == 1
    assert solve(graph, "two-slave", time_limit=0.0).iterations == 1


def test_threads_change_nothing():
    graphs = [skip_chain(20, 3, 10, seed) for seed in range(6)]
    one, three = (solve_many(graphs, "two-slave", threads=threads) for threads in (1, 3))
    for a, b in zip(one, three, strict=True):
        assert (a.objective, a.bound, a.iterations) == (b.objective, b.bound, b.iterations)


def test_other_problems_and_options_are_refused():
    graph = FactorGraph()
    graph.at_most(1, *graph.variables([1.0, 2.0]))
    with pytest.raises(UsageError, match="pattern problem"):
        solve(graph, "two-slave")
    with pytest.raises(UsageError, match="style must be one of tight, paper, released"):
        solve(graph, "two-slave", style="loose")
    with pytest.raises(UsageError, match="step_rule must be one of level, rush"):
        solve(graph, "naive", step_rule="polyak")


def test_no_variables_and_contradictions():
    assert solve(FactorGraph(), "two-slave").objective == 0.0
    graph = FactorGraph()
    a, b, c = (graph.categorical([0.0, 0.0]) for _ in range(3))
    for u, v in [(a, b), (b, c), (a, c)]:  # two colors for a triangle
        graph.table([u, v], [[-np.inf, 0.0], [0.0, -np.inf]])
    assert solve(graph, "two-slave").status in (Status.INFEASIBLE, Status.UNKNOWN)
    graph.fix(a[0]), graph.fix(b[0])
    assert solve(graph, "two-slave").status is Status.INFEASIBLE
    assert solve(graph, "naive").status is Status.INFEASIBLE


# The decomposition


def split_values(problem, style, labels):
    """What forest and cut score for labels, with all auxiliaries at their best."""
    split = native.TreeCut(problem, style)
    forest = split.forest
    pairs = np.array(split.pairs, dtype=int).reshape(-1, 2)
    sizes = np.diff(forest.first)[problem.vertices :]
    best = -np.inf
    for extra in itertools.product(*map(range, sizes)):
        chosen = np.array([*labels, *extra], np.int32)
        taken = np.zeros(forest.first[-1])
        taken[forest.first[:-1] + chosen] = 1
        linked = [1 - taken[state] if other else taken[state] for state, other in split.links]
        free = len(split.linear) - len(linked)
        for auxiliary in itertools.product([0.0, 1.0], repeat=free):
            z = np.array([*linked, *auxiliary])
            cut = split.linear @ z + split.weights @ (z[pairs[:, 0]] * z[pairs[:, 1]])
            best = max(best, split.constant + forest.score(chosen) + cut)
    return best


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("weight", [1.5, -1.5])
@pytest.mark.parametrize("size", [3, 4, 5, 6, 7])
def test_a_pattern_is_reduced_to_pairs_without_loss(size, weight, style):
    graph = FactorGraph()
    variables = [graph.categorical([0.0, 0.0]) for _ in range(size)]
    graph.reward(*[v[1] for v in variables], weight)
    problem = native.PatternGraph(graph.native).problem
    for labels in labelings(problem):
        assert split_values(problem, style, labels) == pytest.approx(problem.score(labels))


@settings(deadline=None, max_examples=40)
@given(
    pattern_graphs(most_vertices=3, forbidding=False, evidence=False),
    st.sampled_from(STYLES),
)
def test_the_split_scores_every_labeling_as_the_problem_does(graph, style):
    problem = native.PatternGraph(graph.native).problem
    assume_small(native.TreeCut(problem, style), problem)
    size = 1e-9 * (1 + np.abs(problem.cells).sum() + np.abs(problem.pattern_weights).sum())
    for labels in labelings(problem):
        expected = problem.score(labels)
        assert split_values(problem, style, labels) == pytest.approx(expected, rel=1e-9, abs=size)


def assume_small(split, problem):
    extra = np.prod(np.diff(split.forest.first)[problem.vertices :], dtype=float)
    assume(extra * 2.0 ** (len(split.linear) - len(split.links)) <= 300)


@settings(deadline=None, max_examples=60)
@given(pattern_graphs(), st.sampled_from(STYLES))
def test_only_positive_pairs_come_to_the_cut(graph, style):
    split = native.TreeCut(native.PatternGraph(graph.native).problem, style)
    assert np.all(split.weights > 0)
    assert all(i < j for i, j in split.pairs)
    assert len(set(split.pairs)) == len(split.pairs)


def relaxation(split):
    """The best value that forest and cut can agree on: the dual of the two slaves, as an LP."""
    forest, first = split.forest, split.forest.first
    cells = np.arange(len(forest.cells)) + first[-1]
    nodes = first[-1] + len(cells) + np.arange(len(split.linear))
    products = nodes[-1] + 1 + np.arange(len(split.pairs))
    objective = np.concatenate([forest.state_scores, forest.cells, split.linear, split.weights])
    rows = [(range(a, b), [1] * (b - a), 1) for a, b in itertools.pairwise(first)]
    for u, v in forest.edges:
        states = [np.arange(first[w], first[w + 1]) for w in (u, v)]
        table, cells = np.split(cells, [len(states[0]) * len(states[1])])
        table = table.reshape(len(states[0]), len(states[1]))
        rows += [([s, *r], [-1] + [1] * len(r), 0) for s, r in zip(states[0], table, strict=True)]
        rows += [([s, *r], [-1] + [1] * len(r), 0) for s, r in zip(states[1], table.T, strict=True)]
    rows += [
        ([nodes[m], state], [1, 1 if other else -1], int(other))
        for m, (state, other) in enumerate(split.links)
    ]
    below = [
        ([p, nodes[i]], [1, -1], 0)
        for p, ends in zip(products, split.pairs, strict=True)
        for i in ends
    ]
    equal, at_most = (_matrix(part, len(objective)) for part in (rows, below))
    result = linprog(
        -objective, *(at_most if below else (None, None)), *equal, bounds=(0, 1), method="highs"
    )
    return split.constant - result.fun


def _matrix(rows, columns):
    where = [(r, c, v) for r, (cs, vs, _) in enumerate(rows) for c, v in zip(cs, vs, strict=True)]
    if not where:
        return None, None
    r, c, v = zip(*where, strict=True)
    return coo_array((v, (r, c)), shape=(len(rows), columns)).tocsr(), [row[2] for row in rows]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("style", ["paper", "released", "tight"])
def test_the_dual_comes_to_what_its_relaxation_can_reach(style, seed):
    graph = skip_chain(20, 3, 15, seed)
    best = relaxation(
        native.TreeCut(native.PatternGraph(graph.native).problem, getattr(native.CutStyle, style))
    )
    for rule, closeness in [("level", 5e-3), ("rush", 1e-2)]:
        found = solve(graph, "two-slave", style=style, step_rule=rule, iterations=500)
        assert best - 1e-6 <= found.bound <= best + closeness * abs(best)


@pytest.mark.parametrize("seed", range(3))
def test_tight_is_the_local_polytope_the_paper_is_looser_and_its_program_looser_still(seed):
    graph = skip_chain(20, 3, 15, seed)
    problem = native.PatternGraph(graph.native).problem
    paper, released, tight = (relaxation(native.TreeCut(problem, style)) for style in STYLES)
    assert tight == pytest.approx(solve(graph, "lp").bound)
    assert tight < paper < released


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("chain", [True, False])
def test_the_paper_is_section_3_3(chain, seed):
    """Also when the tree needs pairs that only negative patterns have (without a chain)."""
    graph = skip_chain(12, 3, 10, seed) if chain else loose_patterns(12, 3, 10, seed)
    problem = native.PatternGraph(graph.native).problem
    split = native.TreeCut(problem, native.CutStyle.paper)
    assert is_spanning(split.forest.edges, section_3_3_edges(problem))
    assert relaxation(split) == pytest.approx(section_3_3(problem, split.forest.edges))


def loose_patterns(vertices, labels, patterns, seed):
    """Patterns alone, without a table of pairs."""
    random = np.random.default_rng(seed)
    graph = FactorGraph()
    variables = [graph.categorical(random.normal(size=labels)) for _ in range(vertices)]
    for _ in range(patterns):
        scope = random.choice(vertices, random.integers(3, 6), replace=False)
        states = [variables[v][random.integers(labels)] for v in scope]
        graph.reward(*states, random.normal(scale=2.0))
    return graph


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "paper", "released"),
    [("skip_N50_S5_0", 796.55, 1019.72), ("grid8_0", 227.55, 279.98)],
)
def test_both_forms_come_close_to_their_relaxation(data_folder, name, paper, released):
    graph = FactorGraph.load(data_folder / "patterns" / f"{name}.mrf")
    problem = native.PatternGraph(graph.native).problem
    for style, best in [("paper", paper), ("released", released)]:
        split = native.TreeCut(problem, getattr(native.CutStyle, style))
        own = relaxation(split)
        assert own == pytest.approx(best, abs=0.1)
        if style == "paper":
            assert own == pytest.approx(section_3_3(problem, split.forest.edges))
        for rule in ("level", "rush"):
            found = solve(graph, "two-slave", style=style, step_rule=rule, iterations=300)
            assert own - 1e-6 <= found.bound <= 1.01 * own


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "best"),
    [
        ("skip_N50_S5_0", 90.173),
        ("skip_N50_S17_0", 125.384),
        ("skip_N100_S9_0", 209.139),
        ("skip_N200_S5_0", 366.944),
        ("skip_N400_S5_0", 689.397),
        ("light_N100_S9_0", 197.938),
        ("pos_skip_N50_S5_0", 91.944),
    ],
)
def test_the_tight_bound_comes_within_one_per_cent_of_the_published_value(data_folder, name, best):
    graph = FactorGraph.load(data_folder / "patterns" / f"{name}.mrf")
    for decoder in DECODERS[:2]:
        found = solve(graph, **decoder, iterations=500)
        assert best - 1e-3 <= found.bound <= 1.01 * best


# The tree slave


@settings(deadline=None, max_examples=60)
@given(pattern_graphs(most_vertices=4), st.data())
def test_the_tree_slave_finds_the_best_labels_of_a_forest(graph, data):
    forest = native.TreeCut(native.PatternGraph(graph.native).problem, native.CutStyle.paper).forest
    states = int(forest.first[-1])
    price = st.sampled_from([0.0, 1.0, -1.0, 0.3])
    prices = np.array(data.draw(st.lists(price, min_size=states, max_size=states)))

    def score(chosen):
        return forest.score(chosen) + prices[forest.first[:-1] + chosen].sum()

    value, labels = native.best_labels(forest, forest.state_scores + prices)
    best = max(score(chosen) for chosen in labelings(forest))
    finite = forest.state_scores[np.isfinite(forest.state_scores)]
    size = 1e-9 * np.abs(finite).max(initial=1.0)  # large scores may cancel
    assert value == pytest.approx(best, rel=1e-9, abs=size)
    if np.isfinite(value):
        assert score(labels) == pytest.approx(value, rel=1e-9, abs=size)
