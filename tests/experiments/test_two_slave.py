"""The tables and figures of the two slaves, from runs small enough for a test."""

import pytest

from experiments import two_slave as experiment
from experiments.report import key_of, read_runs
from experiments.report.tables import two_slave as tables


def run_of(what, task, dataset, system, method, iterations=200, fold=None, **found):
    key = (what, task, dataset, fold, system, method, iterations, 1)
    usual = {
        "F1": 0.5, "interval": [0.4, 0.6], "macro F1": 0.45, "seconds": 1.0,
        "training seconds": 2.0, "certificates": 1.0, "bound": 10.0, "words": 100,
    }  # fmt: skip
    return {**dict(zip(experiment.KEY, key, strict=True)), **usual, **found}


def test_lines_stand_in_the_order_of_the_paper_and_folds_are_one_line():
    runs = [
        run_of("table", "threads", "stac", "3-wise", "exact"),
        run_of("table", "threads", "stac", "independent", "auto", None),
        run_of("table", "entities", "msm2013", "chain", "auto", None, fold=0, F1=0.7, words=300),
        run_of("table", "entities", "msm2013", "chain", "auto", None, fold=1, F1=0.5, words=100),
    ]
    assert tables.entities(runs).splitlines()[2:] == [
        "| MSM2013 (10 folds) | linear chain | 65.00 | 50.0 to 70.0 by fold | 45.00 | 2.0 | 100.0% "
        "| 20.00 |"
    ]
    links = tables.threads(runs).splitlines()[2:]
    assert [line.split("|")[2].strip() for line in links] == ["independent", "3-wise, exact"]


def test_what_was_done_is_not_done_again(tmp_path):
    out, done = tmp_path / "runs.jsonl", []

    def job(method):
        run = run_of("table", "threads", "stac", "2d", method)
        key = {name: run[name] for name in experiment.KEY}
        return key, lambda: (done.append(method), {"F1": 0.1})[1]

    experiment.do([job("ad3"), job("naive")], out)
    experiment.do([job("ad3"), job("exact")], out)
    assert done == ["ad3", "naive", "exact"]
    assert len(read_runs(out, experiment.KEY)) == 3


def test_all_jobs_differ():
    jobs = [
        *experiment.entity_jobs(["tweebank", "msm2013"], 1),
        *experiment.thread_jobs(["stac"], 1),
        *experiment.course_jobs(1),
    ]
    keys = [key_of(key, experiment.KEY) for key, _ in jobs]
    assert len(set(keys)) == len(keys)


def test_the_course_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    runs = [
        run_of("course", "threads", "stac", "3-wise", method, iterations, bound=100.0 / iterations)
        for method in experiment.DUAL
        for iterations in (1, 10, 100)
    ]
    tables.draw(runs, tmp_path)
    picture = (tmp_path / "two_slave_figure4.svg").read_text()
    assert all(method in picture for method in experiment.DUAL)
