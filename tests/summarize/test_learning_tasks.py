"""The tasks of learning to summarize: costs, oracles, gradients, projections."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.summarize.toys import compressions, problem, sentences

from treaty.corpus import Sentence
from treaty.learn import TaskWeights, hinge_loss
from treaty.summarize import ArcFeatures, Costs, CoverageFeatures, Problem, Source, k_grams
from treaty.summarize._compression_task import CompressionTask, compress_arcs, events_of, project
from treaty.summarize._oracle import reference_counts
from treaty.summarize._summary_task import SummaryTask
from treaty.summarize._topic import Topic, parts_of

BITS = 10


def topic(seed: int = 0, words: int = 9, *, trees: bool = True) -> Topic:
    stated = problem(seed, documents=2, size=3)
    counts = reference_counts(
        stated, [sentences(seed + 50, 2), sentences(seed + 60, 2)], k_grams(2, str)
    )
    arcs = ArcFeatures(bits=BITS)([s.sentence for s in stated.sources]) if trees else None
    return Topic(stated, CoverageFeatures(bits=BITS)(stated), arcs, counts, words)


def check_subgradient(task, example: int, seed: int, tolerance: float) -> None:
    """The loss is convex: it lies above the plane that a violation tells."""
    rng = np.random.default_rng(seed)
    at = 0.3 * rng.normal(size=2**BITS)
    found = task.violation(example, TaskWeights((at, 1.0)))
    gradient = np.zeros(2**BITS)
    np.add.at(gradient, found.found.places, found.found.values)
    np.add.at(gradient, found.gold.places, -found.gold.values)
    loss = hinge_loss(found, at)
    assert loss >= -tolerance
    slack = []
    for _ in range(30):
        step = rng.choice([0.01, 0.1, 1.0]) * rng.normal(size=2**BITS) * (gradient != 0)
        there = at + step
        after = hinge_loss(task.violation(example, TaskWeights((there, 1.0))), there)
        slack.append(after - loss - float(gradient @ step))
    assert min(slack) >= -tolerance
    assert min(slack) <= tolerance  # near by, it is the plane


def test_references_are_counted_once_each() -> None:
    stated = Problem.of([Source(0, 0, Sentence.from_words(["big", "cats", "sleep"]))], stemmer=str)
    reference = [Sentence.from_words(["Big", "cats", "and", "big", "cats"])]
    other = [Sentence.from_words(["cats", "sleep"]), Sentence.from_words(["big", "cats"])]
    assert reference_counts(stated, [reference, other], k_grams(2, str)).tolist() == [2.0, 1.0]


@pytest.mark.parametrize("seed", range(4))
def test_oracle_extracts_have_the_highest_recall(seed: int) -> None:
    given = topic(seed)
    stated = given.problem
    best = 0.0
    for chosen in itertools.product([False, True], repeat=len(stated.sources)):
        if stated.words[list(chosen)].sum() <= given.words:
            inside = np.array(chosen)[stated.occurrences.source]
            said = np.unique(stated.occurrences.concept[inside])
            best = max(best, given.counts[said].sum())
    assert given.counts @ given.best_extract.concept_values == pytest.approx(best)
    more = given.counts @ given.best_compression.concept_values
    assert more >= best - 1e-6 - 0.05 * len(stated.source_of)


@pytest.mark.parametrize("compressive", [False, True])
def test_summary_tasks_give_subgradients(compressive: bool) -> None:
    task = SummaryTask([topic(1), topic(2)], compressive=compressive, iterations=2000)
    for example in range(2):
        check_subgradient(task, example, example, tolerance=0.02)


def test_saying_nothing_costs_all_and_less_after_a_step() -> None:
    task = SummaryTask([topic(1)], compressive=False, iterations=2000)
    zero = task.violation(0, TaskWeights((np.zeros(2**BITS), 1.0)))
    assert zero.cost == pytest.approx(1.0)
    good = np.zeros(2**BITS)
    np.add.at(good, zero.gold.places, 1e3 * zero.gold.values)
    np.add.at(good, zero.found.places, -1e3 * zero.found.values)
    better = task.violation(0, TaskWeights((good, 1.0)))
    assert better.cost < 0.5


@pytest.mark.parametrize("events", [("cut",), ("cut", "lift"), ("cut", "lift", "keep")])
def test_compression_tasks_give_subgradients(events: tuple[str, ...]) -> None:
    examples = compressions(0, 6)
    arcs = ArcFeatures(bits=BITS)([e.sentence for e in examples])
    gold = np.concatenate([e.keep for e in examples])
    for costs in (Costs(), Costs(0.0, 1.0, 1.0), Costs(0.5, 0.3, 1.0)):
        task = CompressionTask(arcs, gold, events=events, costs=costs, group=3)
        assert len(task) == 2
        check_subgradient(task, 1, seed=3, tolerance=1e-9)


def test_the_projection_is_the_nearest_compression_allowed() -> None:
    rng = np.random.default_rng(0)
    examples = sentences(0, 8)
    arcs = ArcFeatures(bits=BITS)(examples)
    gold, cuttable = rng.random(len(arcs.head)) < 0.5, rng.random(len(arcs.head)) < 0.6
    found = project(arcs, gold, cuttable)
    for begin, end in itertools.pairwise(arcs.begin.tolist()):
        head = np.where(arcs.head[begin:end] < 0, -1, arcs.head[begin:end] - begin)
        allowed = []
        for z in itertools.product([False, True], repeat=end - begin):
            events = events_of(head.astype(np.int32), np.array(z))
            legal = not events["lift"].any() and not (events["cut"] & ~cuttable[begin:end]).any()
            if any(z) and legal:
                allowed.append(int((np.array(z) != gold[begin:end]).sum()))
        assert (found[begin:end] != gold[begin:end]).sum() == min(allowed)
    assert (project(arcs, gold, lift=True) == gold).mean() > 0.9  # all but what is left empty


def test_arcs_that_may_not_be_cut_are_not() -> None:
    arcs = ArcFeatures(bits=BITS)(sentences(1, 4))
    never = np.zeros(len(arcs.head), bool)
    kept, _ = compress_arcs(arcs, {"cut": np.ones(len(never))}, never)
    assert kept.all()


def test_parts_know_the_whole_text() -> None:
    given = topic(3)
    part = given.part([0, 2, 5], 7)
    assert len(part.problem.sources) == 3
    place = {name: n for n, name in enumerate(given.problem.concepts)}
    for number, name in enumerate(part.problem.concepts):
        assert part.counts[number] == given.counts[place[name]]
        assert part.problem.document_counts[number] == given.problem.document_counts[place[name]]
        assert np.array_equal(part.coverage.places[number], given.coverage.places[place[name]])
    assert part.arcs is not None
    assert len(part.arcs.head) == part.problem.begin[-1]
    made = parts_of([given], parts=6, sentences=3, share=0.5, seed=1)
    assert 0 < len(made) <= 6
    assert all(part.words == round(0.5 * part.problem.words.sum()) for part in made)
    assert len(parts_of([given, given], parts=6, sentences=3, share=0.5, seed=1)) > len(made)
    again = parts_of([given], parts=6, sentences=3, share=0.5, seed=1)
    assert [p.problem.concepts for p in made] == [p.problem.concepts for p in again]
