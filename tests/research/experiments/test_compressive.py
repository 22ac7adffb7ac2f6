"""Tables of compressive summaries from runs that are made up, and what the runs are made of."""

import pytest

from research.experiments import compressive as experiment
from research.experiments._compressions import head_chain
from research.experiments._summary_learning import chosen_settings, text_of
from research.report.tables import compressive as tables
from treaty.summarize import Problem, Source
from treaty.text import Compression, Sentence


def run_of(what, dataset, system, topic, **found):
    return dict(zip(tables.KEY, (what, dataset, system, topic), strict=True)) | found


def test_tables_hold_what_was_run():
    exact = {"R2": 0.2, "seconds": 2.0, "objective": 10.0, "bound": 10.0}
    quick = {"R2": 0.2, "seconds": 0.1, "objective": 9.9, "bound": 10.1}
    runs = [
        run_of("settings", "multiling", "extractive", None, settings=[{"a": 1}, {"a": 1}]),
        run_of("summaries", "multiling", "LEAD", 0, R2=0.2, SU4=0.3),
        run_of("summaries", "multiling", "LEAD", 1, R2=0.3, SU4=0.3),
        run_of("solvers", "multiling", "ILP, exact", 0, **exact),
        run_of("solvers", "multiling", "AD3-1000", 0, **quick),
        run_of("compressions", "google_eval", "cuts", None, F1=0.75, interval=[0.7, 0.8], rate=0.4,
               arcs=0.8, **{"gold rate": 0.41, "dev F1": 0.76}),
    ]  # fmt: skip
    assert "| multiling | extractive | a 1 | 2 |" in tables.settings(runs)
    assert "| LEAD | 25.00 | 20.0-30.0 | 30.00 |  |  |" in tables.news(runs)
    assert "| M001 | 30.0 |" in tables.news_by_topic(runs)
    row = "| AD3-1000 | 0.100 | 0.050 |  | 99.00 (99.00) | 1 of 1 | 20.00 | 0.406 / 12.30 |"
    assert row in tables.solvers(runs)
    row = "| google_eval | cuts | 75.00 | 70.0-80.0 | 0.400 | 0.410 | 80.0 | 76.00 |"
    assert row in tables.compressions(runs)


def test_tables_of_limits_and_bounds_hold_what_was_run():
    reached = {f"{name} {share}": 10 for name in ("AD3", "subgradient")
               for share in ("1%", "0.1%", "0.01%")}  # fmt: skip
    reached |= {f"{key} seconds": 0.004 for key in reached}
    late = reached | {"subgradient 0.01%": None, "subgradient 0.01% seconds": None}
    runs = [
        run_of("summaries", "multiling", "multi-task", 0, R2=0.2, SU4=0.3),
        run_of("summaries", "multiling-100-6", "multi-task", 0, R2=0.1, SU4=0.15),
        run_of("bounds", "multiling-6", "multi-task", 0, **reached, **{"LP seconds": 0.01}),
        run_of("bounds", "multiling-6", "multi-task", 1, **late, **{"LP seconds": 0.03}),
    ]
    row = "| multi-task | 20.00 / 30.00 | 20.0-20.0 |  | 10.00 / 15.00 | 12.30 / 15.18 |"
    assert row in tables.table2(runs)
    told = tables.bounds(runs)
    assert "| 250 words, 6 sentences | LP (HiGHS), to the end | 2 | 20.0 |  |  |" in told
    assert "| 250 words, 6 sentences | subgradient | 2 | 4.0 | 4.0 | 4.0 (not in 1) |" in told
    assert tables.solvers(runs) == tables.NOT_YET


def test_a_line_for_all_topics_counts_until_there_are_single_ones():
    whole = run_of("summaries", "amazon", "LEAD", "all", R2=0.1, interval=[0, 1], SU4=0.2)
    single = run_of("summaries", "amazon", "LEAD", 0, R2=0.3, SU4=0.4)
    assert "| LEAD | 10.00 |" in tables.reviews([whole], "amazon")
    assert "| LEAD | 30.00 |" in tables.reviews([whole, single], "amazon")


def test_the_head_chain_is_what_core_labels_hold():
    words = Sentence.from_words(["Big", "cats", "sleep", "on", "mats"])
    labels = ["amod", "nsubj", "root", "case", "obl"]
    cats = words.with_tree([2, 3, 0, 5, 3], labels)
    assert head_chain(Compression(cats, [True] * 5)) == [False, True, True, False, False]


def test_no_more_words_count_than_a_summary_may_have():
    sources = [Source(0, n, Sentence.from_words(["a", "-", "b"])) for n in range(2)]
    stated = Problem.of(sources, stop_words=frozenset(), reduce_to=None)
    keep = stated.source_of >= 0
    assert text_of(stated, keep, 6) == "A - b.\nA - b."
    assert text_of(stated, keep, 4) == "A - b.\nA"
    assert text_of(stated, keep, 3) == "A - b."


def test_the_usual_settings_are_those_chosen_most_often():
    assert experiment.usual([{"a": 1}, {"a": 2}, {"a": 2}]) == {"a": 2}
    with pytest.raises(IndexError):
        experiment.usual([])


class FakeBench:
    """A bench on which topics from 4 on like ``a``, and the others do not; ties are for not."""

    def train(self, system, topics, **settings):
        return set(topics), settings

    def recall(self, scorer, system, topic):
        seen, settings = scorer
        assert topic not in seen
        return float(settings["a"] == (topic >= 4))


def test_settings_are_chosen_by_the_neighbors_of_a_fold():
    folds = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]
    grid = [{"a": False}, {"a": True}]
    fixed = [{"b": n} for n in range(6)]
    found = chosen_settings(FakeBench(), "any", grid, fixed, folds)
    assert [settings["b"] for settings in found] == list(range(6))
    assert [settings["a"] for settings in found] == [True, True, False, True, True, False]
