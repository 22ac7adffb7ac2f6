"""The tables of the inducer's experiments, of made-up runs, and small runs of its parts."""

import json
from pathlib import Path

import numpy as np
import pytest

from research.experiments import _dmv_work as work
from research.experiments import _synthetic, global_dmv
from research.report.tables import global_dmv as tables
from treaty.induce import Corpus, EdgeConstraint, viterbi_em

MOMENTS = [[0.1, -30.0, -1.0, 1, 0.5], [2.0, -20.0, -2.0, 5, 0.45], [5.0, -20.0, -2.5, 9, None]]


def made_up(part, method, constrained=False, data="synthetic-5/1", **more):
    key = dict(zip(tables.KEY, (part, data, method, constrained), strict=True))
    return {**key, "limit": 5.0, **more}


RUNS = [
    made_up("table1", "chords", data="synthetic-8/1", searched=7,
            **{"searched seconds": 0.1, "searched status": "OPTIMAL"}),
    made_up("table1", "mccormick", data="synthetic-8/1", milliseconds=6.0, samples=3, nodes=2e9,
            hours=1e4, rows=9, **{"nodes deviation": 3e9, "linked rows": 4, "nodes median": 7e5,
                                  "largest share": 0.875}),
    made_up("figure4", "0%", bound=0.0, objective=-5.0, rows=4, possible=90, seconds=0.1,
            is_solved=True, **{"linked rows": 4}),
    made_up("figure4", "100%", bound=-2.0, objective=-5.0, rows=90, possible=90, seconds=5.0,
            is_solved=False, **{"linked rows": 45}),
    made_up("figure5", "mccormick", objective=-5.0, bound=-4.0, nodes=10, seconds=5.0, done=False,
            moments=[[0.1, None, 0.0, 1, None], [1.0, -5.0, -4.0, 10, None]]),
    made_up("figure6", "chords", True, "ptb-sample", moments=MOMENTS, share=0.75, seconds=5.0,
            nodes=9),
    made_up("figure6", "viterbi-em", data="ptb-sample", share=None, seconds=4.0, nodes=32,
            moments=[[0.1, -30.0, None, 16, 0.4]]),
    made_up("speed", "mccormick", data="toy", rows=9, nodes=5, before=6.0, after=3.0,
            **{"linked rows": 4, "bound before": -1.0, "bound after": -1.5}),
    made_up("interior", "30 % of all", data="toy", nodes=1, before=20.0, after=0.5,
            **{"linked rows": 4, "bound before": -1.0, "bound after": -1.5}),
]  # fmt: skip


def test_tables_hold_what_was_run():
    assert "| 100% | -2.00 (not solved) | 50% | 5.00 |" in tables.figure4(RUNS)
    assert tables.figure4([]) == tables.NOT_YET
    row = "| Max.0k (envelopes) | 20.0%, 10 nodes, stopped at 5 s | 500 |"
    assert row in tables.figure5(RUNS, "figure5")
    estimates = tables.table1(RUNS)
    row = "| 1 | Max.0k (envelopes) | 4 of 9 | 6 | 3 | 2.0e+09 ± 3e+09 | 88% | 7.0e+05 | 1.0e+04 |"
    assert row in estimates
    assert estimates.endswith("ended OPTIMAL after 7 nodes and 0.1 s.")
    answers = tables.figure6(RUNS, "ptb-sample")
    assert "| chords (ours) | 75% | 5 | 9 | -20.0 | 45.0 | 50.0 | -2.5 |" in answers
    assert "| Viterbi EM | – | 4 | 32 | -30.0 | 40.0 | 40.0 | – |" in answers
    assert "| toy | Max.0k (envelopes) | 9 | 4 | 5 | 6 | 3 | 2.0 |" in tables.speed(RUNS)
    row = "| toy | 30 % of all | 4 | 1 | 20.0 | 0.5 |  |  | -1.00 | -1.50 |"
    assert row in tables.interior(RUNS)


def test_figures_are_drawn(tmp_path):
    tables.draw(RUNS, tmp_path)
    for name in ("figure4", "figure5", "figure6_ptb-sample"):
        assert (tmp_path / f"global_dmv_{name}.svg").read_text().startswith("<?xml")


def test_synthetic_sentences_are_the_same_every_time():
    one, two = (_synthetic.sentences(5, 1, 3) for _ in range(2))
    assert np.array_equal(one.tokens, two.tokens)
    assert set(one.tags) == {"Adjective", "Noun", "Verb"}


CORPUS = Corpus.from_tags(
    [["N", "V"], ["N", "V", "N"], ["V", "N"], ["N", "N", "V"]],
    [[2, 0], [2, 0, 2], [0, 1], [2, 3, 0]],
)
RULE = EdgeConstraint([("ROOT", "V"), ("V", "N")], 0.5)


def works(folder):
    """One of each kind, anew or from its state."""
    key = made_up("figure6", "mccormick")
    em = work.Restarts(key | {"method": "em-1"}, folder, CORPUS, RULE, smoothing=1.0, relaxed=True)
    return {
        "root": work.Root(key | {"method": "root"}, folder, CORPUS, "rlt-20%"),
        "relaxed": work.Searched(key, folder, CORPUS, RULE, 1.0),
        "chords": work.Searched(key | {"method": "chords"}, folder, CORPUS, RULE, None),
        "em": work.Restarts(key | {"method": "em"}, folder, CORPUS, None, smoothing=1.0),
        "em, relaxed": em,
        "after em": work.Searched(key | {"method": "rlt-obj"}, folder, CORPUS, RULE, 0.5, em),
        "descents": work.Descents(key | {"method": "rlt-max-50"}, folder, CORPUS, 6),
    }


@pytest.mark.parametrize("kind", works(Path()))
def test_work_goes_on_from_its_state(kind, tmp_path):
    first = works(tmp_path)[kind]
    first.go_on(0.05)
    again = works(tmp_path)[kind]
    assert again.state == json.loads(json.dumps(first.state))
    before = again.result()
    if not again.done:
        again.go_on(0.05)
        assert again.seconds > first.seconds
    after = json.loads(json.dumps(again.result()))
    best = viterbi_em(CORPUS, restarts=50).objective
    if before.get("objective") is not None:
        assert before["objective"] <= after["objective"] <= best + 1e-9
    if None not in (after.get("bound"), after.get("objective")):
        assert after["bound"] >= after["objective"]
    if kind == "descents":
        assert before["samples"] <= after["samples"] <= 6 and after["nodes"] >= 1
    values = [moment[1] for moment in again.state["moments"] if moment[1] is not None]
    assert values == sorted(values)


def test_a_search_that_was_broken_off_ends_like_one_that_was_not(tmp_path):
    few = Corpus.from_tags([["N", "V"], ["V"], ["N", "V"]])

    def opened(folder):
        return work.Searched(made_up("figure5", "mccormick"), tmp_path / folder, few, None, None)

    whole = opened("whole")
    whole.go_on(30.0)
    assert whole.done
    while not (part := opened("parts")).done:
        part.go_on(0.01)
    for name in ("objective", "bound", "nodes"):
        assert part.state[name] == whole.state[name]


def test_runs_take_turns_until_all_have_spent_their_budget(tmp_path):
    jobs = [works(tmp_path)["em"], works(tmp_path)["descents"]]
    global_dmv.run_all(jobs, 0.2, 0.05)
    assert all(job.done or job.seconds >= 0.2 for job in jobs)


@pytest.mark.parametrize("part", ["figure4", "figure5", "table1"])
def test_the_synthetic_parts_have_all_seeds(part, tmp_path):
    jobs = list(global_dmv.PARTS[part](tmp_path, 1.0))
    seeds = {job.key["data"] for job in jobs}
    assert len(seeds) >= 3
    assert len({job.folder for job in jobs}) == len(jobs)
