"""A user's own factor: a Python object, or a compiled function handed over by its address."""

import ctypes
import gc
import itertools
import math
import shutil
import subprocess
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty._native.graph import Graph, GraphError, best_configuration, configuration_score

INF = math.inf


def new_graph(degree):
    graph = Graph()
    graph.add_variables(np.zeros(degree))
    return graph, np.arange(0, 2 * degree, 2, dtype=np.int32)


def python_factor(oracle, degree):
    graph, literals = new_graph(degree)
    assert graph.add_python_oracle(literals, oracle) == 0
    return graph


def maximize(graph, scores):
    own, on = best_configuration(graph, 0, np.array(scores, dtype=float))
    return own, on.tolist()


def evaluate(graph, on):
    return configuration_score(graph, 0, np.array(on, dtype=np.int32))


class Listed:
    """A factor given by a list of its configurations and their own scores."""

    def __init__(self, own):
        self.own = own

    def maximize(self, scores):
        assert scores.dtype == np.float64
        if not self.own:
            return np.zeros(len(scores)), -INF
        return max(self.own.items(), key=lambda item: item[1] + np.dot(scores, item[0]))


class ListedWithEvaluate(Listed):
    def evaluate(self, configuration):
        assert configuration.dtype == np.int8
        return self.own.get(tuple(configuration.tolist()), -INF)


class Answers:
    """Returns whatever it is told to."""

    def __init__(self, answer):
        self.answer = answer

    def maximize(self, scores):
        return self.answer


@settings(deadline=None, max_examples=60)
@given(st.data(), st.integers(1, 5), st.sampled_from([Listed, ListedWithEvaluate]))
def test_python_oracle_by_enumeration(data, degree, kind):
    bits = st.tuples(*[st.integers(0, 1)] * degree)
    own_scores = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([1e9, -1e9, 1e20]))
    own = data.draw(st.dictionaries(bits, own_scores, max_size=6))
    scores = data.draw(st.lists(st.floats(-3, 3), min_size=degree, max_size=degree))
    graph = python_factor(kind(own), degree)

    for y in itertools.product([0, 1], repeat=degree):
        assert evaluate(graph, np.flatnonzero(y)) == own.get(y, -INF)
    score, on = maximize(graph, scores)
    if not own:
        assert (score, on) == (-INF, [])
        return
    y = tuple(int(i in on) for i in range(degree))
    assert score == own[y]
    best = max(value + np.dot(scores, c) for c, value in own.items())
    assert score + np.dot(scores, y) == pytest.approx(best)


@pytest.mark.parametrize(
    ("answer", "degree", "expected"),
    [
        ([0, 1, 1], 3, (0.0, [1, 2])),
        ((1, 0), 2, (0.0, [0])),  # a configuration of two slots, not a pair
        ((np.int64(1), np.bool_(False)), 2, (0.0, [0])),
        (((1, 0), 2), 2, (2.0, [0])),
        ((np.array([True, False]), np.float32(0.5)), 2, (0.5, [0])),
        (np.array([0, 1], dtype=np.int8), 2, (0.0, [1])),
        (np.array([0, 9, 1, 9])[::2], 2, (0.0, [1])),  # not contiguous
        (([1, 1], -INF), 2, (-INF, [])),
    ],
)
def test_forms_of_an_answer(answer, degree, expected):
    assert maximize(python_factor(Answers(answer), degree), np.zeros(degree)) == expected


@pytest.mark.parametrize(
    "answer",
    [
        [0, 1],
        [0, 1, 1, 0],
        [0, 2, 0],
        [0, 0.5, 0],
        [0, math.nan, 0],
        [[0, 1, 0]],
        "yes",
        None,
        {},
        (),
        ([0, 1, 0], math.nan),
        ([0, 1, 0], INF),
        ([0, 1, 0], "much"),
        ([0, 1, 0], None),
        ([0, 1, 0], True),
        ([0, 1, 0], 1.0, 2.0),
    ],
)
def test_a_bad_answer_is_named(answer):
    with pytest.raises(GraphError, match=r"Answers\.maximize: (expected|the own score)"):
        maximize(python_factor(Answers(answer), 3), np.zeros(3))


@pytest.mark.parametrize("value", [math.nan, INF, None, "no", True, False])
def test_a_bad_evaluation_is_named(value):
    oracle = Answers([0, 0])
    oracle.evaluate = lambda configuration: value
    with pytest.raises(GraphError, match=r"Answers\.evaluate: the own score"):
        evaluate(python_factor(oracle, 2), [])


class BrokenError(Exception):
    pass


class Fails:
    def maximize(self, scores):
        raise BrokenError(len(scores))

    def evaluate(self, configuration):
        raise KeyboardInterrupt


def test_exceptions_come_out_unharmed():
    graph = python_factor(Fails(), 2)
    with pytest.raises(BrokenError) as caught:
        maximize(graph, np.zeros(2))
    assert caught.value.args == (2,)
    assert caught.traceback[-1].name == "maximize"
    with pytest.raises(KeyboardInterrupt):
        evaluate(graph, [0])


def test_scores_belong_to_the_user():
    """Kept or overwritten scores are the user's own copy."""

    class Keeps:
        def maximize(self, scores):
            self.kept = scores
            scores[:] = 7.0
            return [0, 0]

    oracle, scores = Keeps(), np.zeros(2)
    graph = python_factor(oracle, 2)
    best_configuration(graph, 0, scores)
    assert scores.tolist() == [0.0, 0.0]
    del graph
    assert oracle.kept.tolist() == [7.0, 7.0]


def test_an_oracle_needs_a_maximizer():
    graph, literals = new_graph(2)
    for oracle in (object(), type("Odd", (), {"maximize": 3})()):
        with pytest.raises(GraphError, match="maximize"):
            graph.add_python_oracle(literals, oracle)
    assert graph.factors == 0


def test_the_graph_keeps_the_oracle_and_lets_it_go():
    oracle = Answers([1])
    alive = weakref.ref(oracle)
    graph = python_factor(oracle, 1)
    copy = graph.copy()
    del oracle, graph
    gc.collect()
    assert maximize(copy, [0.0]) == (0.0, [0])
    del copy
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("copies", [0, 1])
def test_an_oracle_may_know_its_graph(copies):
    oracle = Answers([1])
    alive = weakref.ref(oracle)
    oracle.graph = python_factor(oracle, 1)
    others = [oracle.graph.copy() for _ in range(copies)]
    del oracle
    gc.collect()
    assert (alive() is None) == (copies == 0)
    for other in others:
        assert maximize(other, [0.0]) == (0.0, [0])
    others.clear()


# Compiled functions

SOURCE = """
#include <cmath>
#include <cstdint>

extern "C" {
// At most *user_data literals, each worth 0.5 more.
double at_most(const double* scores, int64_t degree, uint8_t* configuration, void* user_data) {
  const int64_t most = *static_cast<const int64_t*>(user_data);
  double own = 0.0;
  for (int64_t k = 0; k < most; ++k) {
    int64_t best = -1;
    for (int64_t i = 0; i < degree; ++i)
      if (!configuration[i] && scores[i] > -0.5 && (best < 0 || scores[i] > scores[best])) best = i;
    if (best < 0) break;
    configuration[best] = 1;
    own += 0.5;
  }
  return own;
}
double none_at_all(const double*, int64_t, uint8_t* c, void*) { c[0] = 1; return -INFINITY; }
double not_a_bit(const double*, int64_t, uint8_t* c, void*) { c[1] = 2; return 0.0; }
double not_a_number(const double*, int64_t, uint8_t*, void*) { return NAN; }
double too_much(const double*, int64_t, uint8_t*, void*) { return INFINITY; }
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("oracle")
    source, binary = folder / "oracle.cpp", folder / "oracle.so"
    source.write_text(SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", binary, source], check=True)
    return ctypes.CDLL(str(binary))


def address_of(library, name):
    return ctypes.cast(library[name], ctypes.c_void_p).value


def compiled_factor(library, name, degree, **options):
    graph, literals = new_graph(degree)
    assert graph.add_compiled_oracle(literals, address_of(library, name), **options) == 0
    return graph


@pytest.mark.parametrize("most", [0, 1, 2, 4])
def test_compiled_oracle_by_enumeration(library, most):
    limit = ctypes.c_int64(most)
    options = {"user_data": ctypes.addressof(limit), "owner": limit}
    graph = compiled_factor(library, "at_most", 4, **options)
    rng = np.random.default_rng(most)
    every = [np.flatnonzero(bits) for bits in itertools.product([0, 1], repeat=4)]
    for on in every:
        assert evaluate(graph, on) == (0.5 * len(on) if len(on) <= most else -INF)
    for _ in range(10):
        scores = rng.normal(size=4)
        own, on = maximize(graph, scores)
        best = max(0.5 * len(y) + scores[y].sum() for y in every if len(y) <= most)
        assert own == 0.5 * len(on)
        assert own + scores[on].sum() == pytest.approx(best)


def test_compiled_oracle_keeps_its_owner(library):
    owner = Answers(None)
    alive = weakref.ref(owner)
    graph = compiled_factor(library, "none_at_all", 2, owner=owner)
    del owner
    gc.collect()
    assert alive() is not None
    del graph
    gc.collect()
    assert alive() is None


def test_compiled_oracle_without_any_configuration(library):
    graph = compiled_factor(library, "none_at_all", 2)
    assert maximize(graph, np.ones(2)) == (-INF, [])
    assert evaluate(graph, [0]) == -INF


@pytest.mark.parametrize(
    ("name", "cause"),
    [("not_a_bit", "got 2 in slot 1"), ("not_a_number", "got nan"), ("too_much", "got inf")],
)
def test_a_bad_compiled_answer_is_named(library, name, cause):
    graph = compiled_factor(library, name, 2)
    with pytest.raises(GraphError, match=f"compiled oracle.*{cause}"):
        maximize(graph, np.zeros(2))


def test_a_compiled_oracle_needs_an_address():
    graph, literals = new_graph(1)
    with pytest.raises(GraphError, match="null"):
        graph.add_compiled_oracle(literals, 0)
    with pytest.raises(TypeError):
        graph.add_compiled_oracle(literals, -1)
