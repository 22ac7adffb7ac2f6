"""Parts of pattern CRFs under any scores: against enumeration, and against the native learners."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty import Status, UsageError
from treaty.label import Instances, PatternCrf, PatternKind, SequenceModel
from treaty.label._structure import PatternParts
from treaty.learn import Decoding, HashedLinear, LearnerOptions, TrainOptions, train_scorer

SCORES = st.sampled_from([0.0, 0.0, 1.0, -1.0, 0.5, 1e-9, 1e6, -np.inf])


def kinds_of(labels, *, larger, forbidden):
    banned = ((0, labels - 1),) if forbidden else ()
    every = tuple(itertools.product(range(labels), repeat=3))
    kinds = [
        PatternKind.every("word", labels, 1),
        PatternKind.every("next", labels, 2, banned),
        PatternKind("some", ((0, 0), (labels - 1, 0))),
        PatternKind("tied", ((0,), (labels - 1,)), tied=True),
    ]
    return kinds + ([PatternKind("three", every[:2])] if larger else [])


def random_crf(seed, *, larger=False, forbidden=False, evidence=False, sizes=(3, 2)):
    """Two chains, some of whose pairs are tied by two factors, one of them turned."""
    rng = np.random.default_rng(seed)
    labels = int(rng.integers(2, 4))
    kinds = kinds_of(labels, larger=larger, forbidden=forbidden)
    instances = Instances(kinds)
    for size in sizes:
        instances.start(size)
        order = np.arange(size)
        instances.add("word", order, rng.integers(0, 9, (size, 2)))
        pairs = np.stack([order[:-1], order[1:]], axis=1)
        instances.add("next", pairs, rng.integers(0, 3, (size - 1, 1)))
        if size > 1:
            instances.add("some", pairs[:1, ::-1], [[4]])
        instances.add("tied", order[-1:], [[5]], values=[2.5])
        if larger and size > 2:
            instances.add("three", [[2, 0, 1]], [[6]])
        if evidence:
            instances.add_evidence([0, size - 1], [0, 1], [1.5, -np.inf])
    crf = PatternCrf([f"L{n}" for n in range(labels)], kinds)
    crf.native.index(instances.native, 1)
    crf.native.weights.values[:] = rng.normal(size=len(crf.native.weights.values))
    return crf.structure(), instances


def labelings(structure, instances):
    """All labelings of all vertices, with their amounts and fixed scores, by the definition."""
    parts = structure.parts(instances)
    vertices, labels = int(instances.sizes.sum()), len(structure.crf.labels)
    for every in itertools.product(range(labels), repeat=vertices):
        yield (
            np.array(every, np.int32),
            parts.amounts(every),
            parts.fixed(np.array(every, np.int32)),
        )


def total(scores, amounts):
    on = amounts > 0
    return float(scores[on].sum())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("larger", "forbidden", "evidence"),
    [(False, False, False), (False, True, False), (False, False, True), (True, True, True)],
)
def test_decoding_any_scores_is_enumeration(seed, larger, forbidden, evidence):
    structure, instances = random_crf(seed, larger=larger, forbidden=forbidden, evidence=evidence)
    parts = structure.parts(instances)
    scores = np.random.default_rng(seed).normal(size=len(parts))
    best = max(total(scores, on) + fixed for _, on, fixed in labelings(structure, instances))
    decoding = structure.decode(parts, scores)
    assert decoding.objective <= best + 1e-9
    assert decoding.bound >= best - 1e-9
    if not larger:
        assert decoding.status is Status.OPTIMAL
    assert structure.decode(parts, scores, method="exact").objective == pytest.approx(best)
    assert total(scores, decoding.amounts) + decoding.fixed == pytest.approx(decoding.objective)
    again = parts.amounts(parts.labels(decoding.amounts))
    assert again.tolist() == decoding.amounts.tolist()


@settings(deadline=None)
@given(st.integers(0, 5), st.data())
def test_ties_zeros_huge_and_forbidden_scores(seed, data):
    structure, instances = random_crf(seed, forbidden=True, sizes=(2, 1))
    parts = structure.parts(instances)
    scores = np.array(data.draw(st.lists(SCORES, min_size=len(parts), max_size=len(parts))))
    best = max(total(scores, on) + fixed for _, on, fixed in labelings(structure, instances))
    decoding = structure.decode(parts, scores)
    assert decoding.is_answer == bool(np.isfinite(best))
    assert decoding.status is (Status.OPTIMAL if np.isfinite(best) else Status.INFEASIBLE)
    if decoding.is_answer:
        assert decoding.objective == pytest.approx(best)


@pytest.mark.parametrize("seed", range(4))
def test_marginals_are_those_of_enumeration(seed):
    structure, instances = random_crf(seed, forbidden=True, evidence=True)
    parts = structure.parts(instances)
    scores = np.random.default_rng(seed).normal(size=len(parts))
    sums, expected = 0.0, np.zeros(len(parts))
    for _, on, fixed in labelings(structure, instances):
        weight = np.exp(total(scores, on) + fixed)
        sums, expected = sums + weight, expected + weight * on
    assert structure.marginals(parts, scores) == pytest.approx(expected / sums)
    assert structure.log_partition(parts, scores) == pytest.approx(np.log(sums))
    structure, instances = random_crf(seed, larger=True)
    parts = structure.parts(instances)
    with pytest.raises(UsageError, match="chains or trees"):
        structure.marginals(parts, np.zeros(len(parts)))


@pytest.mark.parametrize("larger", [False, True])
def test_k_best_are_those_of_enumeration(larger):
    structure, instances = random_crf(3, larger=larger, forbidden=True, sizes=(3,))
    parts = structure.parts(instances)
    scores = np.random.default_rng(1).normal(size=len(parts))
    every = sorted(
        (total(scores, on) + fixed for _, on, fixed in labelings(structure, instances)),
        reverse=True,
    )
    best = structure.k_best(parts, scores, 5)
    assert [one.objective for one in best] == pytest.approx(every[:5])
    assert len({one.amounts.tobytes() for one in best}) == 5


def test_an_input_of_several_pieces_has_no_single_graph():
    structure, instances = random_crf(0)
    parts = structure.parts(instances)
    with pytest.raises(UsageError, match="the input has 2 pieces; expected one"):
        structure.graph(parts, np.zeros(len(parts)))


@pytest.mark.parametrize("seed", range(3))
def test_scores_of_the_model_are_those_of_its_features(seed):
    structure, instances = random_crf(seed, larger=True)
    parts, scored = structure.parts(instances), structure.model_scores()
    for labels, on, _ in itertools.islice(labelings(structure, instances), 40):
        (expected) = structure.crf.scores(instances, labels).sum()
        assert float(scored(parts) @ on) == pytest.approx(expected, abs=1e-4)
    fast, slow = structure.fused(parts), structure.decode(parts, scored(parts))
    assert fast.amounts.tolist() == slow.amounts.tolist()
    assert fast.objective == pytest.approx(slow.objective, abs=1e-4)


def test_the_cost_is_the_number_of_wrong_labels():
    structure, instances = random_crf(1)
    parts = structure.parts(instances)
    every = list(labelings(structure, instances))
    for gold, right, _ in every[::7]:
        costs = structure.costs(parts, right)
        for labels, on, _ in every[::5]:
            assert costs @ (on - right) == int((labels != gold).sum())


@pytest.mark.parametrize("learner", ["perceptron", "mira"])
@pytest.mark.parametrize("batch", [1, 3])
def test_the_native_learner_learns_the_same(learner, batch):
    """The learner of `PatternCrf.train`, which is fused, and the one over parts and scores."""
    rng = np.random.default_rng(4)
    words, labels = [f"w{n}" for n in range(6)], ["A", "B", "C"]
    examples = []
    for _ in range(8):
        row = rng.integers(0, 6, 5)
        examples.append(([[words[n]] for n in row], [labels[n % 3] for n in row]))
    native = SequenceModel.train(
        examples, learner=learner, epochs=3, seed=2, warm_up=0, batch=batch, aggressiveness=0.1
    )
    structure = native.structures()["labels"]
    general = train_scorer(
        structure,
        HashedLinear(structure.bits),
        examples,
        LearnerOptions(learner, batch=batch),
        TrainOptions(epochs=3, seed=2),
    )
    learned = native.crf.native.weights.values
    assert np.abs(learned).max() > 0.05
    assert general.weights[: len(learned)] == pytest.approx(learned, abs=1e-5)


@pytest.mark.parametrize("scores", [[0.0], [np.nan] * 40])
def test_scores_that_make_no_sense_are_refused(scores):
    structure, instances = random_crf(0)
    parts = structure.parts(instances)
    with pytest.raises(UsageError, match="scores"):
        structure.decode(parts, np.resize(scores, len(parts) if len(scores) > 1 else 1))


def test_what_is_no_answer_has_no_labels():
    structure, instances = random_crf(0, sizes=(1,))
    parts = structure.parts(instances)
    none = structure.decode(parts, np.full(len(parts), -np.inf))
    assert isinstance(none, Decoding)
    assert not none.is_answer
    assert none.status is Status.INFEASIBLE


def test_an_empty_input():
    structure, _ = random_crf(0)
    empty = Instances(structure.crf.kinds)
    empty.start(0)
    parts = structure.parts(empty)
    assert isinstance(parts, PatternParts)
    assert len(parts) == 0
    assert structure.decode(parts, np.zeros(0)).objective == 0.0
