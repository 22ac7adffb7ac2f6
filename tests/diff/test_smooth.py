"""LP-SparseMAP against programs solved by HiGHS, and its gradients against differences."""

import ctypes
import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.diff.twins import differences, optimality_gap, quadratic_twin
from tests.solve.random_graphs import COMPACT, EVERY, Listed, graphs

from treaty import FactorGraph, SolverError, UsageError
from treaty._native.graph import Kind
from treaty.diff import WarmStarts, lp_sparsemap, lp_sparsemap_many

strengths = st.sampled_from([1.0, 0.25, 4.0])


def matching(n=3, scores=None):
    graph = FactorGraph()
    x = graph.variables(np.zeros(n * n) if scores is None else scores)
    for i in range(n):
        graph.exactly_one(x[n * i : n * i + n])
        graph.exactly_one(x[i::n])
    return graph


def jacobian(answer):
    """By variables, from products with unit vectors."""
    eye = np.eye(answer.values.shape[-1])
    return np.array([answer.pullback(row).variables for row in eye]).reshape(len(eye), len(eye))


def smooth_or_none(graph, **options):
    try:
        return lp_sparsemap(graph, **options)
    except SolverError:
        return None


@settings(max_examples=120, deadline=None)
@given(graphs(EVERY), strengths)
def test_values_are_optimal_and_infeasible_graphs_are_found(native, strength):
    graph = FactorGraph._of(native)
    answer = smooth_or_none(graph, strength=strength)
    if answer is None:
        assert optimality_gap(graph, np.zeros(len(graph)), strength) is None
        return
    assert optimality_gap(graph, answer.values, strength) <= 2e-6
    assert answer.certificate.converged
    assert answer.certificate.gap <= 1e-10 * max(strength, abs(answer.objective))


@settings(max_examples=40, deadline=None)
@given(graphs(COMPACT), strengths, st.sampled_from([1e6, 1e3, 1e-3, 1e-6]), st.integers(0, 9))
def test_huge_scores_beside_tiny_ones(native, strength, size, seed):
    graph = FactorGraph._of(native)
    few = np.random.default_rng(seed).random(len(graph.parameters)) < 0.3
    scores = np.where(few, graph.parameters * size, graph.parameters)
    graph.set_scores(parameters=scores)
    answer = smooth_or_none(graph, strength=strength)
    if answer is not None:
        unit = max(strength, abs(answer.objective), np.abs(scores[np.isfinite(scores)]).max())
        assert answer.certificate.gap <= 1e-10 * unit
        assert optimality_gap(graph, answer.values, strength) <= 2e-6 * unit


@pytest.mark.parametrize("size", [1e-6, 1.0, 30.0, 1e3, 1e6])
def test_matchings_agree_with_a_quadratic_program(size):
    scores = np.random.default_rng(3).normal(size=16) * size
    graph = matching(4, scores)
    answer = lp_sparsemap(graph)
    np.testing.assert_allclose(answer.values, quadratic_twin(graph, 1.0), atol=1e-6)
    assert answer.certificate.gap <= 1e-10 * max(1.0, abs(answer.objective))


def sparsemax(scores):
    """As Martins & Astudillo (2016) write it."""
    top = np.sort(scores)[::-1]
    total = np.cumsum(top) - 1.0
    k = np.arange(1, len(scores) + 1)
    support = k[k * top > total][-1]
    return np.maximum(scores - total[support - 1] / support, 0.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(st.sampled_from([0.0, 1.0, 1e6, -1e6]), st.floats(-3, 3)), min_size=1))
def test_exactly_one_is_sparsemax(scores):
    graph = FactorGraph()
    graph.exactly_one(graph.variables(scores))
    unit = max(1.0, np.abs(scores).max())
    values = lp_sparsemap(graph).values
    np.testing.assert_allclose(values, sparsemax(np.array(scores)), atol=1e-14 * unit)


def test_categorical_variables_have_one_state_without_a_factor():
    graph = FactorGraph()
    graph.categorical([0.6, 0.2, 0.0])
    np.testing.assert_allclose(lp_sparsemap(graph).values, sparsemax(np.array([0.6, 0.2, 0.0])))


def test_variables_in_no_factor():
    graph = FactorGraph()
    graph.variables([0.4, 3.0, -1.0, 0.2])
    graph.fix(graph[3], True)
    answer = lp_sparsemap(graph, strength=2.0)
    assert answer.values.tolist() == [0.2, 1.0, 0.0, 1.0]
    assert answer.pullback(np.ones(4)).variables.tolist() == [0.5, 0.0, 0.0, 0.0]


# Gradients


@settings(max_examples=80, deadline=None)
@given(graphs([k for k in EVERY if k != Kind.custom]), strengths, st.integers(0, 2**32 - 1))
def test_gradients_by_all_parameters_are_those_of_differences(native, strength, seed):
    graph = FactorGraph._of(native)
    random = np.random.default_rng(seed)
    given_scores = graph.parameters
    noise = random.normal(size=len(given_scores))
    parameters = np.where(np.isfinite(given_scores), given_scores + noise, given_scores)
    answer = smooth_or_none(graph, scores=parameters, strength=strength)
    if answer is None:
        return
    cotangent = random.normal(size=len(graph))
    gradient = answer.pullback(cotangent).parameters
    free = np.isfinite(parameters)

    def values(rows):
        every = np.tile(parameters, (len(rows), 1))
        every[:, free] = rows
        return lp_sparsemap(graph, every, strength=strength, threads=1).values

    expected, smooth = differences(values, parameters[free], cotangent)
    np.testing.assert_allclose(gradient[free][smooth], expected[smooth], atol=3e-6)
    assert (gradient[~free] == 0.0).all()


@settings(max_examples=80, deadline=None)
@given(graphs(EVERY), strengths)
def test_the_jacobian_is_a_symmetric_projection_even_at_kinks(native, strength):
    graph = FactorGraph._of(native)  # scores with ties and zeros: kinks
    answer = smooth_or_none(graph, strength=strength)
    if answer is not None:
        projection = jacobian(answer) * strength
        np.testing.assert_allclose(projection, projection.T, atol=1e-9)
        np.testing.assert_allclose(projection @ projection, projection, atol=1e-9)
        assert (projection[:, graph.evidence >= 0] == 0.0).all()


def test_gradients_of_tied_scores_follow_the_whole_face():
    """The mean of few configurations is the mean of many: none may be left out."""
    graph = FactorGraph()
    left, right = graph.categorical([0.0, 0.0]), graph.categorical([0.0, 0.0])
    graph.table([left, right], np.zeros((2, 2)))
    half = 0.5 * np.array([[1, -1, 0, 0], [-1, 1, 0, 0], [0, 0, 1, -1], [0, 0, -1, 1]])
    np.testing.assert_allclose(jacobian(lp_sparsemap(graph)), half, atol=1e-12)


def test_gradients_in_a_batch_are_those_of_single_items():
    graph, random = matching(4), np.random.default_rng(0)
    scores, cotangent = random.normal(size=(2, 9, 16))
    batch = lp_sparsemap(graph, scores)
    together = batch.pullback(cotangent)
    for i in range(9):
        single = lp_sparsemap(graph, scores[i])
        np.testing.assert_array_equal(single.values, batch.values[i])
        np.testing.assert_array_equal(
            single.pullback(cotangent[i]).variables, together.variables[i]
        )


def test_results_do_not_depend_on_the_number_of_threads():
    graph, random = matching(5), np.random.default_rng(0)
    scores, cotangent = random.normal(size=(2, 40, 25)) * 3
    one, four = (lp_sparsemap(graph, scores, threads=threads) for threads in (1, 4))
    np.testing.assert_array_equal(one.values, four.values)
    np.testing.assert_array_equal(one.pullback(cotangent)[1], four.pullback(cotangent)[1])


# Users' own factors


def test_own_factors_in_python_and_compiled():
    every = [y for y in itertools.product([0, 1], repeat=3) if sum(y) != 1]
    scores = np.array([0.4, -0.3, 0.8])
    listed = FactorGraph()
    x = listed.variables(scores)
    listed.factor(Listed(every, np.zeros(len(every))), x)
    listed.at_most_one(~x[0], x[1])

    signature = ctypes.CFUNCTYPE(
        ctypes.c_double,
        ctypes.POINTER(ctypes.c_double),
        ctypes.c_int64,
        ctypes.POINTER(ctypes.c_uint8),
        ctypes.c_void_p,
    )

    def maximize(given, degree, configuration, _):
        best = max(every, key=lambda y: sum(a * b for a, b in zip(y, given[:degree], strict=True)))
        for i, value in enumerate(best):
            configuration[i] = value
        return 0.0

    compiled = FactorGraph()
    y = compiled.variables(scores)
    compiled.compiled_factor(signature(maximize), y)
    compiled.at_most_one(~y[0], y[1])
    answers = lp_sparsemap(listed), lp_sparsemap(compiled)
    assert optimality_gap(listed, answers[0].values, 1.0) <= 1e-6
    np.testing.assert_allclose(answers[0].values, answers[1].values, atol=1e-12)
    np.testing.assert_allclose(jacobian(answers[0]), jacobian(answers[1]), atol=1e-12)


def test_own_factors_in_python_in_several_threads():
    every = [y for y in itertools.product([0, 1], repeat=3) if sum(y) != 1]
    graph = FactorGraph()
    graph.factor(Listed(every, np.zeros(len(every))), graph.variables(np.zeros(3)))
    scores = np.random.default_rng(0).normal(size=(20, 3))
    one, four = (lp_sparsemap(graph, scores, threads=threads) for threads in (1, 4))
    np.testing.assert_array_equal(one.values, four.values)
    for row, values in zip(scores, one.values, strict=True):
        graph.set_scores(row)
        assert optimality_gap(graph, values, 1.0) <= 1e-6


def test_a_graph_cannot_change_while_it_is_solved():
    graph = FactorGraph()

    class Changing:
        def maximize(self, scores):
            graph.set_scores(np.zeros(2))
            return [1.0, 0.0]

    graph.factor(Changing(), graph.variables([0.1, 0.2]))
    with pytest.raises(UsageError, match="in use"):
        lp_sparsemap(graph)


def test_errors_of_own_factors_arrive():
    class Broken:
        def maximize(self, scores):
            return [0.5] * len(scores)

    graph = FactorGraph()
    graph.factor(Broken(), graph.variables([0.1, 0.2]))
    with pytest.raises(UsageError, match=r"lp_sparsemap: Broken.maximize"):
        lp_sparsemap(graph)


# Certificates and limits


@settings(max_examples=60, deadline=None)
@given(graphs(COMPACT), st.integers(1, 8), st.integers(0, 99))
def test_the_certificate_of_a_run_stopped_early_bounds_the_distance(native, iterations, seed):
    graph = FactorGraph._of(native)
    scores = graph.scores + np.random.default_rng(seed).normal(size=len(graph)) * 3
    graph.set_scores(scores)
    early = smooth_or_none(graph, iterations=iterations)
    best = smooth_or_none(graph)
    if early is not None and best is not None:
        distance = np.linalg.norm(early.values - best.values)
        assert distance <= early.certificate.distance + 1e-9


def test_strict_names_the_item():
    graph = matching(6)
    scores = np.random.default_rng(0).normal(size=(40, 36)) * 5
    converged = lp_sparsemap(graph, scores, iterations=7).certificate.converged
    assert converged.any() and not converged.all()
    first = int(np.flatnonzero(~converged)[0])
    with pytest.raises(SolverError, match=f"item {first}: the duality gap is"):
        lp_sparsemap(graph, scores, iterations=7, strict=True)
    assert lp_sparsemap(graph, scores, strict=True).certificate.converged.all()


def test_infeasible_graphs_name_the_item():
    graph = FactorGraph()
    x, y = graph.variables([0.0, 0.0])
    graph.exactly_one(x, y)
    graph.exactly(2, x, y)
    with pytest.raises(SolverError, match="lp_sparsemap: no assignment satisfies"):
        lp_sparsemap(graph)
    tables = FactorGraph()
    c = tables.categorical([0.0, 0.0])
    d = tables.categorical([0.0, 0.0])
    place = tables.slice_of(tables.table([c, d], np.zeros((2, 2))))
    scores = np.zeros((3, len(tables.parameters)))
    scores[2, place] = -np.inf
    with pytest.raises(SolverError, match="item 2: no assignment satisfies"):
        lp_sparsemap(tables, scores)


# Batches and warm starts


def test_empty_batches_and_graphs():
    graph = matching(3)
    answer = lp_sparsemap(graph, np.zeros((0, 9)))
    assert answer.values.shape == (0, 9) and len(answer) == 0
    assert answer.pullback(np.zeros((0, 9))).parameters.shape == (0, 9)
    empty = lp_sparsemap(FactorGraph())
    assert empty.values.shape == (0,) and empty.pullback([]).parameters.shape == (0,)
    assert lp_sparsemap_many([]) == []


def test_rows_of_all_parameters():
    graph = FactorGraph()
    x, y = graph.variables([0.3, 0.2])
    graph.reward(x, y, 0.5)
    rows = np.array([[0.3, 0.2, 0.5], [0.1, 0.9, -0.4]])
    answer = lp_sparsemap(graph, rows)
    for row, values in zip(rows, answer.values, strict=True):
        graph.set_scores(parameters=row)
        np.testing.assert_allclose(lp_sparsemap(graph).values, values, atol=1e-12)


def test_ragged_batches():
    random = np.random.default_rng(0)
    several = [matching(n) for n in (1, 2, 3, 4)]
    scores = [random.normal(size=len(graph)).astype(np.float32) for graph in several]
    answers = lp_sparsemap_many(several, scores, threads=2)
    for graph, row, answer in zip(several, scores, answers, strict=True):
        np.testing.assert_array_equal(lp_sparsemap(graph, row).values, answer.values)
    warm = WarmStarts()
    for _ in range(2):
        again = lp_sparsemap_many(several, scores, warm=warm, keys=[5, 6, 7, 8])
        for cold, hot in zip(answers, again, strict=True):
            np.testing.assert_allclose(hot.values, cold.values, atol=1e-12)
    assert len(warm) == 4
    assert again[3].certificate.iterations < answers[3].certificate.iterations
    with pytest.raises(UsageError, match="got 4 graphs but 1 arrays"):
        lp_sparsemap_many(several, scores[:1])
    with pytest.raises(UsageError, match="scores of graph 1: expected a score for each of the 4"):
        lp_sparsemap_many(several, [scores[0]] * 4)


def test_warm_starts_take_fewer_iterations_to_the_same_answer():
    graph, random, warm = matching(6), np.random.default_rng(0), WarmStarts(most=20)
    scores = random.normal(size=(20, 36)) * 3
    first = lp_sparsemap(graph, scores, warm=warm)
    again = lp_sparsemap(graph, scores + 1e-3 * random.normal(size=scores.shape), warm=warm)
    assert again.certificate.iterations.sum() < 0.5 * first.certificate.iterations.sum()
    exactly = lp_sparsemap(graph, scores, warm=warm)
    np.testing.assert_allclose(exactly.values, first.values, atol=1e-10)


def test_warm_starts_of_structured_factors_and_of_other_graphs():
    graph, warm = FactorGraph(), WarmStarts()
    tags = [graph.categorical(np.zeros(3)) for _ in range(4)]
    graph.sequence(tags, np.random.default_rng(0).normal(size=(3, 3, 3)))
    graph.at_most(2, [tag[0] for tag in tags])
    scores = np.random.default_rng(1).normal(size=(5, 12))
    cold = lp_sparsemap(graph, scores)
    for _ in range(2):
        hot = lp_sparsemap(graph, scores, warm=warm)
        np.testing.assert_allclose(hot.values, cold.values, atol=1e-10)
    other = FactorGraph()
    other.exactly_one(other.variables(np.zeros(12)))
    np.testing.assert_allclose(
        lp_sparsemap(other, scores, warm=warm).values, lp_sparsemap(other, scores).values
    )


# Bad input


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([0.0] * 8, "expected a score for each of the 9 variables"),
        (np.zeros((2, 2, 9)), "expected a score for each"),
        (np.full(9, np.nan), "the score of x0 is nan"),
        (np.array([[0.0] * 9, [0, 0, 0, 0, np.inf, 0, 0, 0, 0]]), "item 1: the score of x4 is inf"),
        (np.array([-np.inf] + [0.0] * 8), "the score of x0 is -inf"),
        ([1e101] + [0.0] * 8, "1e100"),
        (["a"] * 9, "expected an array of numbers"),
        (np.zeros(9, complex), "expected an array of numbers"),
    ],
)
def test_bad_scores_are_refused_by_name(scores, message):
    with pytest.raises(UsageError, match=message):
        lp_sparsemap(matching(3), scores)


def test_bad_scores_of_factors_are_named():
    graph = FactorGraph()
    x, y = graph.variables([0.3, 0.2])
    graph.reward(x, y, 0.5)
    with pytest.raises(UsageError, match=r"score 0 of <Factor 0: reward\(x0, x1\)> is nan"):
        lp_sparsemap(graph, [0.0, 0.0, np.nan])


@pytest.mark.parametrize(
    "options",
    [
        {"strength": 0.0},
        {"strength": np.nan},
        {"tolerance": -1.0},
        {"iterations": 0},
        {"threads": 0},
        {"keys": [1]},
        {"warm": WarmStarts(), "keys": [1, 2]},
        {"warm": WarmStarts(), "keys": [0.5]},
        {"warm": "yes"},
    ],
)
def test_bad_options(options):
    with pytest.raises(UsageError):
        lp_sparsemap(matching(3), **options)


def test_bad_cotangents():
    graph = matching(3)
    answer = lp_sparsemap(graph, np.zeros((2, 9)))
    with pytest.raises(UsageError, match=r"shape \(2, 9\), got one of shape \(9,\)"):
        answer.pullback(np.zeros(9))
    bad = np.zeros((2, 9))
    bad[1, 3] = np.nan
    with pytest.raises(UsageError, match="item 1: the derivative by x3 is nan"):
        answer.pullback(bad)
    with pytest.raises(UsageError, match="expected an array of numbers"):
        answer.pullback([["a"] * 9] * 2)


def test_a_changed_graph_is_refused_by_the_backward_pass():
    graph = matching(3)
    for change in (
        lambda: graph.set_scores(np.ones(9)),
        lambda: graph.set_score(graph[0], 2.0),
        lambda: graph.fix(graph[0]),
        lambda: graph.variable(),
        lambda: graph.at_most_one(graph[0], graph[4]),
    ):
        answer = lp_sparsemap(graph)
        change()
        with pytest.raises(UsageError, match="the graph has changed"):
            answer.pullback(np.zeros(9))


def test_values_are_read_only_and_copies_are_not_bound():
    answer = lp_sparsemap(matching(3))
    with pytest.raises(ValueError, match="read-only"):
        answer.values[0] = 1.0
    assert repr(answer) == "<Smooth: 9 variables>"
    with pytest.raises(TypeError, match="not a batch"):
        len(answer)
    assert pickle.loads(pickle.dumps(answer.certificate)) == answer.certificate
