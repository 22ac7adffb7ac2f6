"""The tables of the inducer's experiments, of made-up runs, and small runs of its parts."""

import json

import numpy as np
import pytest

from experiments import _synthetic, global_dmv
from experiments.report.tables import global_dmv as tables
from treaty.induce import Corpus

STAGES = [[0.1, -30.0, -1.0, 0.4], [2.0, -20.0, -2.0, 0.5], [5.0, -20.0, -2.5, None]]


def made_up(part, method, constrained=False, data="synthetic-5", **more):
    key = dict(zip(tables.KEY, (part, data, method, constrained), strict=True))
    return {**key, "limit": 5.0, **more}


RUNS = [
    made_up("table1", "chords", milliseconds=0.1, samples=10, nodes=9.0, hours=1e-6, searched=7,
            **{"nodes deviation": None, "searched seconds": 0.1, "searched status": "OPTIMAL"}),
    made_up("table1", "mccormick", milliseconds=6.0, samples=3, nodes=2e9, hours=1e4,
            **{"nodes deviation": 3e9}),
    made_up("figure4", "0%", bound=0.0, objective=-5.0, rows=4, possible=90, seconds=0.1,
            is_solved=True),
    made_up("figure4", "100%", bound=-2.0, objective=-5.0, rows=90, possible=90, seconds=5.0,
            is_solved=False),
    made_up("figure5", "mccormick", objective=-5.0, bound=-4.0, gap=0.2, status="FEASIBLE",
            nodes=10, seconds=5.0, trace=[[0.1, None, 0.0], [1.0, -5.0, -4.0]]),
    made_up("figure6", "chords", True, "ptb-sample", stages=STAGES, share=0.75),
    made_up("figure6", "viterbi-em", data="ptb-sample", share=None,
            stages=[[0.1, -30.0, None, 0.4], [5.0, -30.0, None, None]]),
]  # fmt: skip


def test_tables_hold_what_was_run():
    assert "| 100% | 90 | -2.0000 | 5.00 | no, stopped at 5 s |" in tables.figure4(RUNS)
    row = "| Max.0k (envelopes) | -5.0000 | -4.0000 | 20.00% | 10 | 5 | 500 | FEASIBLE |"
    assert row in tables.figure5(RUNS)
    estimates = tables.table1(RUNS)
    assert "| Max.0k (envelopes) | 6 | 3 | 2.0e+09 | 3.0e+09 | 1.0e+04 |" in estimates
    assert estimates.endswith("ended OPTIMAL after 7 nodes and 0.1 s.")
    answers = tables.figure6(RUNS, "ptb-sample")
    assert "| chords (ours) | 75% | -20.0 | 50.0 | -2.5 |" in answers
    assert "| Viterbi EM | – | -30.0 | 40.0 | – |" in answers


def test_figures_are_drawn(tmp_path):
    tables.draw(RUNS, tmp_path)
    for name in ("figure4", "figure5", "figure6_ptb-sample"):
        assert (tmp_path / f"global_dmv_{name}.svg").read_text().startswith("<?xml")


def test_synthetic_sentences_are_the_same_every_time():
    one, two = (_synthetic.sentences(5, 1, 3) for _ in range(2))
    assert np.array_equal(one.tokens, two.tokens)
    assert set(one.tags) == {"Adjective", "Noun", "Verb"}


@pytest.mark.parametrize("part", ["figure4", "figure5", "table1"])
def test_runs_can_be_kept_and_their_bounds_are_true(part):
    key, work = next(iter(global_dmv.PARTS[part](0.2)))
    run = json.loads(json.dumps({**key, **work()}))
    assert run["part"] == part
    if "bound" in run:
        assert run["bound"] >= run["objective"]


@pytest.mark.parametrize("trace", ["_by_restarts", "_by_relaxation", "_by_chords"])
def test_answers_over_time_only_become_better(trace, monkeypatch):
    monkeypatch.setattr(global_dmv, "TIMES", (0.05, 0.1))
    corpus = Corpus.from_tags(
        [["N", "V"], ["N", "V", "N"], ["V", "N"]], [[2, 0], [2, 0, 2], [0, 1]]
    )
    stages = list(getattr(global_dmv, trace)(corpus, "mccormick", None, 0.3))
    values = [stage[1] for stage in stages]
    assert values == sorted(values)
    assert any(stage[3] is not None for stage in stages)
