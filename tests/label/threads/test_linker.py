"""The linker: what it learns, certificates, confidences, files."""

import dataclasses
import io
import json

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from treaty.corpus import Link, Post, Thread, read_threads
from treaty.errors import ModelError, UsageError
from treaty.evaluate import link_scores
from treaty.label.threads import ORDERS, ThreadLinker, _linker, _pairs
from treaty.label.threads._confidence import calibrate, confidence, margins
from treaty.label.threads._training import f1
from treaty.solve import Status

TEST = toy_threads(12, seed=2)


@pytest.mark.parametrize("order", ORDERS)
def test_the_rule_is_learned(linkers, order):
    linked = list(linkers[order].link(TEST))
    assert link_scores(TEST, [found.thread for found in linked]).links.f1 > 0.85
    for found in linked:
        assert found.gap >= -1e-9
        assert found.left_out == 0
        assert len(found.confidences) == len(found.thread.links)
        assert all(0 <= sure <= 1 for sure in found.confidences)


def test_independent_answers_are_all_certified(linkers):
    assert {found.status for found in linkers["independent"].link(TEST)} == {Status.OPTIMAL}


@pytest.mark.parametrize("order", ORDERS)
def test_margins_are_differences_of_scores(linkers, order):
    linker = linkers[order]
    batch = linker.batch(TEST[:2])
    labels = batch.gold()
    found = margins(linker.crf, batch, labels)
    for pair in range(0, len(labels), 3):
        scores = []
        for label in (0, 1):
            turned = labels.copy()
            turned[pair] = label
            scores.append(linker.crf.scores(batch.instances, turned).sum())
        assert found[pair] == pytest.approx(scores[1] - scores[0], abs=1e-4)


def test_the_answer_does_not_depend_on_threads_or_batches(linkers, monkeypatch):
    linker = linkers["3-wise"]
    answers = [found.to_json() for found in linker.link(TEST)]
    monkeypatch.setattr(_linker, "PAIRS_AT_A_TIME", 1)
    assert [found.to_json() for found in linker.link(TEST, threads=2)] == answers


def test_training_twice_gives_the_same_bytes(linkers, tmp_path):
    for name in ("a", "b"):
        again = ThreadLinker.train(toy_threads(20), order="2d", epochs=2)
        again.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_unbroken_run_and_a_resumed_one_end_the_same(tmp_path):
    def run(name, epochs, **options):
        linker = ThreadLinker.train(toy_threads(20), order="2d", epochs=epochs, **options)
        linker.save(tmp_path / name)
        return (tmp_path / name).read_bytes()

    run("part", 1, checkpoint=tmp_path / "c")
    assert run("rest", 3, checkpoint=tmp_path / "c", resume=True) == run("whole", 3)


def test_a_lower_order_leaves_factors_out(linkers):
    linker = linkers["3-wise"]
    low = linker.reduced("2d")
    assert [family.name for family in low.families] == ["prior", "pair", "targets", "sources"]
    thread = TEST[0]
    given = low.batch([thread]).gold()
    full = linker.crf.scores(linker.batch([thread]).instances, given)
    assert low.crf.scores(low.batch([thread]).instances, given) != full
    assert [f.to_json() for f in linker.link([thread], order="2d")] == [
        f.to_json() for f in low.link([thread])
    ]
    with pytest.raises(UsageError, match="it has no '3-wise'"):
        linkers["2d"].link_one(thread, order="3-wise")
    with pytest.raises(UsageError, match="no order 'x'"):
        linkers["2d"].link_one(thread, order="x")


def test_the_graph_is_the_linkers_own_problem(linkers):
    linker, thread = linkers["2d"], TEST[1]
    graph = linker.graph(thread)
    solution = graph.solve("exact")
    found = linker.link_one(thread, method="exact")
    assert solution.objective == pytest.approx(found.objective, abs=1e-6)
    labels = [solution[pair] for pair in graph.categoricals]
    assert sum(labels) == len(found.thread.links)


def test_large_threads_are_windowed_and_cut_into_pieces(linkers, monkeypatch):
    monkeypatch.setattr(_pairs, "MOST_PAIRS", 100)
    linker = ThreadLinker("2d", counts=linkers["2d"].counts, window=5, crf=linkers["2d"].crf)
    [thread] = toy_threads(1, seed=3, posts=60)
    batch = linker.batch([thread])
    assert len(batch.pieces) > 1
    found = linker.link_one(thread)
    assert found.left_out == sum(max(0, source - 5) for source in range(60))
    assert all(0 < link.source - link.target <= 5 for link in found.thread.links)
    with pytest.raises(UsageError, match="graphs, not one"):
        linker.graph(thread)


@pytest.mark.parametrize("posts", [[], [Post("alone")]])
def test_threads_without_pairs(linkers, posts):
    found = linkers["3-wise"].link_one(Thread(posts))
    assert (found.thread.links, found.status, found.objective, found.gap) == ([], "OPTIMAL", 0, 0)


def test_context_has_no_links(linkers):
    thread = dataclasses.replace(TEST[0], annotated_from=5)
    found = linkers["2d"].link_one(thread)
    assert all(link.source >= 5 for link in found.thread.links)


def test_results_are_threads_again(linkers):
    found = linkers["2d"].link_one(TEST[0])
    [read] = read_threads(io.StringIO(found.to_json()))
    assert read.links == found.thread.links
    assert read.more["status"] == found.status
    assert len(read.more["confidences"]) == len(read.links)


def test_files_go_round(linkers, tmp_path):
    linker = linkers["3-wise"]
    linker.save(tmp_path / "m.treaty")
    loaded = ThreadLinker.load(tmp_path / "m.treaty")
    assert loaded.families == linker.families
    assert loaded.info == json.loads(json.dumps(linker.info))
    linked = [found.thread for found in loaded.link(TEST)]  # by weights that have been rounded
    assert link_scores(TEST, linked).links.f1 > 0.85
    loaded.save(tmp_path / "again.treaty")
    assert [
        found.thread for found in ThreadLinker.load(tmp_path / "again.treaty").link(TEST)
    ] == linked


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"window": 0}, "window or counts"),
        ({"window": "a"}, "window: expected int"),
        ({"scale": [1.0]}, "scale: expected two numbers"),
        ({"families": []}, "do not belong together"),
        ({"families": [{"name": "prior", "directions": ["in"], "templates": [""]}] * 4}, "grid"),
        ({"families": [{"name": "prior", "directions": [], "templates": ["x"]}] * 4}, "no code"),
        ({"families": [3] * 4}, "families: expected dict"),
    ],
)
def test_damaged_files_are_refused(linkers, tmp_path, change, cause):
    from treaty.learn import load_model, save_model

    linkers["2d"].save(tmp_path / "m.treaty")
    file = load_model(tmp_path / "m.treaty")
    save_model(
        tmp_path / "n.treaty",
        task="threads",
        header={**file.header, **change},
        tensors=file.tensors,
    )
    with pytest.raises(ModelError, match=cause):
        ThreadLinker.load(tmp_path / "n.treaty")


def test_what_cannot_be_learned_from_is_refused():
    with pytest.raises(UsageError, match="no links to learn from"):
        ThreadLinker.train([Thread([Post("a"), Post("b")])])
    with pytest.raises(UsageError, match="have no links to tune on"):
        ThreadLinker.train(toy_threads(1), [Thread([Post("a"), Post("b")])])
    with pytest.raises(UsageError, match="window must be 1 or more"):
        ThreadLinker.train([Thread([Post("a"), Post("b")], [Link(1, 0)])], window=0)


def test_calibration_finds_the_scale_of_simulated_answers():
    rng = np.random.default_rng(0)
    margin = rng.normal(0, 30, 20_000)
    gold = (rng.random(len(margin)) < confidence(margin, (0.1, -0.5))).astype(np.int32)
    slope, offset = calibrate(margin, gold)
    assert slope == pytest.approx(0.1, rel=0.05)
    assert offset == pytest.approx(-0.5, abs=0.06)


def test_the_prior_is_tuned_for_f1(linkers):
    from treaty.label.threads._training import tune_prior

    linker = ThreadLinker.train(toy_threads(30), order="independent", epochs=2)
    dev = linker.batch(toy_threads(20, seed=9))
    gold = dev.gold()
    linker.crf.weights()[0][:] -= 0.5
    before = f1(np.concatenate([x.labels for x in linker.crf.decode(dev.instances)]), gold)
    labels = tune_prior(linker, dev, gold, {})
    again = np.concatenate([x.labels for x in linker.crf.decode(dev.instances)])
    assert np.array_equal(labels, again)
    assert f1(labels, gold) >= before
