"""The tables and figures of the two slaves, from runs small enough for a test."""

import numpy as np
import pytest
from tests.label.threads.toy import toy_threads

from research.experiments import _paper_entities as paper
from research.experiments import _pattern_decoders, entities, threads
from research.experiments import two_slave as experiment
from research.experiments._gold_agreement import agreement
from research.report import key_of, read_runs
from research.report.tables import two_slave as tables
from treaty.label import EntityLabeler
from treaty.text import ColumnSentence, write_threads


def run_of(what, task, dataset, system, method, iterations=200, fold=None, **found):
    key = (what, task, dataset, fold, "library", system, method, iterations, 1)
    usual = {
        "F1": 0.5, "interval": [0.4, 0.6], "macro F1": 0.45, "seconds": 1.0,
        "training seconds": 2.0, "certificates": 1.0, "bound": 10.0, "words": 100,
        "instances": 10, "done": 1000,
    }  # fmt: skip
    return {**dict(zip(experiment.KEY, key, strict=True)), **usual, **found}


def test_lines_stand_in_the_order_of_the_paper_and_folds_are_one_line():
    runs = [
        run_of("table", "links", "stac", "3-wise", "exact", None),
        run_of("table", "links", "stac", "independent", "exact", None),
        run_of("table", "entities", "msm2013", "chain", "exact", None, fold=0, F1=0.7, words=300),
        run_of("table", "entities", "msm2013", "chain", "exact", None, fold=1, F1=0.5, words=100),
    ]
    (line,) = tables.entities(runs, "library").splitlines()[2:]
    cells = [cell.strip() for cell in line.split("|")[1:-1]]
    assert cells[:4] == ["MSM2013 (2 folds)", "linear chain", "45.00", "65.00"]
    assert cells[-4:] == ["4", "2.00", "", "100.0%"]
    links = tables.links(runs, "library").splitlines()[2:]
    assert [line.split("|")[2].strip() for line in links] == ["independent", "3-wise, exact"]
    beside = [{**runs[0], "setting": "paper", "method": "naive rush", "fold": 0}]
    last = tables.links(beside, "paper").splitlines()[-1]
    assert last.endswith("| 1.00 | 1.000 | 100.0% | 0.572 | 18.7 |")


def test_folds_stand_side_by_side():
    runs = [
        {**run_of("table", "entities", "msm2013", "chain", "exact", fold=fold), "setting": "paper"}
        for fold in (1, 0)
    ]
    runs[0]["F1"] = 0.75
    runs.append({**runs[0], "system": "global", "method": "naive rush"})
    lines = tables.folds(runs, "entities").splitlines()
    assert lines[0] == "| data | system | fold 0 | fold 1 |"
    assert lines[2:] == [
        "| MSM2013 | linear chain | 50.00 (100 %) | 75.00 (100 %) |",
        "| MSM2013 | general, naive, the paper's steps |  | 75.00 (100 %) |",
    ]


def test_what_was_done_is_not_done_again(tmp_path):
    out, done = tmp_path / "runs.jsonl", []

    def job(method):
        run = run_of("table", "links", "stac", "2d", method)
        key = {name: run[name] for name in experiment.KEY}
        found = {"F1": 0.1, "certificates": 1.0, "seconds": 0.0}
        return key, lambda: (done.append(method), found)[1]

    experiment.do([job("ad3"), job("naive")], out)
    experiment.do([job("ad3"), job("exact")], out)
    assert done == ["ad3", "naive", "exact"]
    assert len(read_runs(out, experiment.KEY)) == 3


def test_all_jobs_differ():
    jobs = [
        *experiment.entity_jobs(["tweebank", "msm2013"], range(10), 1),
        *experiment.paper_entity_jobs(range(10), 1),
        *experiment.link_jobs(["stac"], 1),
        *experiment.paper_link_jobs(["stac"], range(10), 1),
        *experiment.course_jobs(["stac", "irc", "msm2013"], 1),
        *experiment.why_jobs(["stac"], range(2), 1),
        *experiment.gold_jobs(["tweebank", "msm2013"]),
    ]
    keys = [key_of(key, experiment.KEY) for key, _ in jobs]
    assert len(set(keys)) == len(keys)


@pytest.fixture
def toy(tmp_path, monkeypatch):
    monkeypatch.setattr(threads, "DATA", tmp_path)
    splits = {split: f"{split}.jsonl" for split in ("train", "dev", "test")}
    monkeypatch.setitem(threads.FILES, "toy", splits)
    for seed, (split, count) in enumerate([("train", 12), ("dev", 4), ("test", 4)]):
        write_threads(toy_threads(count, seed=seed), tmp_path / splits[split])
    for cached in (threads.read_split, threads.read_fold, threads.trained_on_fold):
        cached.cache_clear()


def test_three_folds_hold_every_thread_once(toy):
    parts = [threads.read_fold("toy", fold) for fold in range(3)]
    tested = [threads._texts(thread) for _, test in parts for thread in test]
    every = {
        threads._texts(t) for s in ("train", "dev", "test") for t in threads.read_split("toy", s)
    }
    assert len(tested) == len(set(tested)) == len(every)
    for train, test in parts:
        assert not {threads._texts(t) for t in train} & {threads._texts(t) for t in test}


def test_the_setting_of_the_paper_links_threads_by_its_own_decoder(toy):
    jobs = experiment.paper_link_jobs(["toy"], [0], 1)
    key, work = next(job for job in jobs if job[0]["method"] == "paper")
    assert (key["setting"], key["system"], key["fold"]) == ("paper", "2d", 0)
    found = work()
    assert 0 <= found["F1"] <= 1
    assert found["training seconds"] > 0
    assert found["bound"] >= found["objective"] - 1e-6


def test_decoders_agree_where_they_prove(toy):
    linker, _ = threads.trained_on_fold("toy", 0, "3-wise", "two-slave")
    problems = threads.problems(linker, threads.read_fold("toy", 0)[1])
    best = problems.decode("exact")
    assert best["certificates"] == 1.0
    for decoder in _pattern_decoders.DUAL:
        found = problems.decode(decoder, 200)
        assert found["bound"] >= best["bound"] - 1e-6
        assert found["objective"] <= best["objective"] + 1e-6
        if found["certificates"] == 1.0:
            assert found["objective"] == pytest.approx(best["objective"])


COMMON = [(word, "O") for word in ("we", "all", "saw", "the")]
MESSAGES = [
    ColumnSentence([*COMMON, ("New", "B-LOC"), ("York", "I-LOC")]),
    ColumnSentence([("Ann", "B-PER"), ("runs", "O")]),
    ColumnSentence([*COMMON, ("new", "O"), ("York", "B-LOC")]),
]


def chain_of(messages):
    return EntityLabeler.train(
        messages, tags=False, language_model=None, learner="perceptron", epochs=1
    )


def test_groups_share_more_than_four_words_and_phrases_may_be_any():
    words = [message.words for message in MESSAGES]
    setting = paper.Setting(longest=6)
    labeler = paper.PaperLabeler(chain_of(MESSAGES), MESSAGES)
    assert labeler.groups(words) == [[0, 2], [1]]
    assert labeler.groups(words, joined=False) == [[0], [1], [2]]
    pairs = paper.pairs_of([words[0], words[2]], setting)
    assert len(pairs) == 6 * 7 // 2
    assert paper.Pair(0, 6, 6) in pairs
    assert paper.Pair(4, 10, 2).vertices() == [4, 5, 10, 11]
    again = paper.pairs_of([["x", "x"], ["x"], ["x"], ["x"]], setting)
    assert [(p.first, p.second) for p in again if p.length == 1] == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_patterns_are_label_sequences_that_occur():
    kinds = paper.phrase_kinds([[0, 1, 2], [0, 1]], 3)
    assert [kind.name for kind in kinds] == ["same1", "same2", "same3"]
    assert kinds[1].patterns == ((0, 1, 0, 1), (1, 2, 1, 2))
    assert all(kind.columns == 1 for kind in kinds)
    assert len(paper.Pair(0, 6, 2).features(["a", "b", "c", "d", "e", "f", "g", "h"])) == 1


def test_gold_labels_of_identical_names_are_compared():
    rome = [("Rome", "B-LOC"), ("burns", "O")]
    team = [("Rome", "B-ORG"), ("burns", "O")]
    messages = [ColumnSentence(rome), ColumnSentence(rome), ColumnSentence(team)]
    found = agreement(messages, 0, all_words=False)
    assert (found["pairs"], found["named pairs"], found["joined"]) == (3, 3, 1.0)
    assert found["agree"] == pytest.approx(1 / 3)
    assert agreement(messages, 4, all_words=True)["joined"] == 0.0


def test_labels_of_other_models_become_features():
    features, begin = np.arange(5, dtype=np.uint64), np.array([0, 2, 5])
    joined, moved = paper.with_columns(features, begin, [[["N", "V"], ["O", "B"]]])
    assert np.diff(moved).tolist() == [2 + 10, 3 + 10]
    assert joined[moved[1] : moved[1] + 3].tolist() == [2, 3, 4]
    other, _ = paper.with_columns(features, begin, [[["N", "V"], ["O", "O"]]])
    assert (joined != other).sum() == 5  # those of the second model that see the second word


@pytest.mark.parametrize("decoder", ["paper", "naive rush"])
def test_all_weights_are_learned_jointly(decoder):
    base = chain_of(MESSAGES)
    labeler = paper.PaperLabeler(base, MESSAGES)
    method, options = _pattern_decoders.DECODERS[decoder]
    labeler.learn(method, {**options, "iterations": 50}, 1, joined=True)
    words = [message.words for message in MESSAGES]
    groups = labeler.groups(words)
    instances = labeler.instances(words, groups, None)
    score = entities.scorer(base.labels, MESSAGES, groups)
    found = _pattern_decoders.Problems.of(labeler.crf, instances, score).decode(decoder, 50)
    assert found["F1"] == 1.0
    same = [
        w for k, w in zip(labeler.kinds, labeler.crf.weights(), strict=True) if "same" in k.name
    ]
    assert sum(np.abs(weights).sum() for weights in same) > 0


def test_the_course_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    runs = [
        run_of("course", "links", "stac", "3-wise", method, iterations, bound=100.0 / iterations)
        for method in _pattern_decoders.DUAL
        for iterations in (1, 10, 100)
    ]
    tables.draw(runs, tmp_path)
    picture = (tmp_path / "two_slave_figure4.svg").read_text()
    assert all(tables.DECODERS[method] in picture for method in _pattern_decoders.DUAL)
    assert "CPU seconds" in picture
