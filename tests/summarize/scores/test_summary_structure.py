"""Summaries as a task to be learned: costs and subgradients."""

from __future__ import annotations

import numpy as np
import pytest
from tests.summarize.scores.test_topic import topic
from tests.summarize.subgradients import BITS, check_subgradient

from treaty import UsageError
from treaty.learn import TaskWeights
from treaty.summarize import Summarizer, decode
from treaty.summarize.scores._summary_structure import SummaryStructure, summary_examples


@pytest.mark.parametrize("compressive", [False, True])
def test_summary_structures_give_subgradients(compressive: bool) -> None:
    task = summary_examples(
        [topic(1), topic(2)], compressive=compressive, bits=BITS, iterations=2000
    )
    for example in range(2):
        check_subgradient(task, example, example, tolerance=0.02)


def test_saying_nothing_costs_all_and_less_after_a_step() -> None:
    task = summary_examples([topic(1)], compressive=False, bits=BITS, iterations=2000)
    zero = task.violation(0, TaskWeights((np.zeros(2**BITS), 1.0)))
    assert zero.cost == pytest.approx(1.0)
    good = np.zeros(2**BITS)
    np.add.at(good, zero.gold.places, 1e3 * zero.gold.values)
    np.add.at(good, zero.predicted.places, -1e3 * zero.predicted.values)
    better = task.violation(0, TaskWeights((good, 1.0)))
    assert better.cost < 0.5


@pytest.mark.parametrize("compressive", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_decoding_any_scores_is_that_of_decode(compressive: bool, seed: int) -> None:
    structure = SummaryStructure(compressive=compressive, bits=BITS)
    parts = structure.parts(topic(seed))
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=len(parts))
    concepts, cuts = parts.split(scores)
    assert (cuts is not None) == compressive
    limits = {"words": parts.topic.words, "sentences": parts.topic.sentences}
    expected = decode(parts.topic.problem, concepts, cuts, method="ilp", **limits)
    decoding = structure.decode(parts, scores, method="ilp")
    assert decoding.objective == pytest.approx(expected.objective)
    assert float(scores @ decoding.amounts) == pytest.approx(expected.objective)
    assert structure.read(parts, decoding).keep.tolist() == expected.keep.tolist()
    relaxed = structure.decode(parts, scores, relaxed=True, iterations=2000)
    assert relaxed.bound >= expected.objective - 1e-6
    best = structure.graph(parts, scores).solve("ilp")
    assert best.objective == pytest.approx(expected.objective)


@pytest.mark.parametrize("compressive", [False, True])
def test_the_cost_of_the_right_answer_is_least(compressive: bool) -> None:
    structure = SummaryStructure(compressive=compressive, bits=BITS)
    parts = structure.training_parts(topic(1))
    gold = structure.gold(parts, parts.topic)
    costs = structure.costs(parts, gold)
    assert parts.scale == max(1.0, gold[parts.kinds["concept"]].sum())
    for seed in range(5):
        scores = np.random.default_rng(seed).normal(size=len(parts))
        amounts = structure.decode(parts, scores).amounts
        assert costs @ (amounts - gold) >= -1e-9
    (nothing,) = [np.zeros(len(parts))]
    share = 0.8 if compressive else 1.0
    assert costs @ (nothing - gold) == pytest.approx(share, abs=1e-6)


def test_a_summarizer_shows_its_structures() -> None:
    sample = Summarizer.sample()
    model = Summarizer.train(sample.examples, **sample.options)
    structures = model.structures()
    assert list(structures) == ["extractive", "compression"]  # there is no parser
    parts = structures["extractive"].parts(sample.inputs[2])
    scored = model.scored("extractive")
    problem = parts.topic.problem
    assert scored(parts).tolist() == model.scorer.concept_scores(problem).tolist()
    decoding = structures["extractive"].decode(parts, scored(parts))
    assert decoding.objective == pytest.approx(model.summarize(sample.inputs[2]).objective)
    assert Summarizer(parser=None).structures() == {}
    with pytest.raises(UsageError, match="there is no structure 'extractive'"):
        Summarizer(parser=None).scored("extractive")
