"""Runs: groups of items, deadlines, counts, and reports."""

import itertools
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tasks.conftest import Looks

from treaty.errors import InputError, UsageError
from treaty.solve import Certificate, Status
from treaty.tasks import Run, Text, _run
from treaty.tasks._run import HEAVY, LIGHT, Models
from treaty.text import Sentence


@dataclass
class Result:
    certificate: Certificate


@given(st.lists(st.integers(0, 3)), st.integers(1, 7))
def test_groups_hold_all_items_and_end_at_pauses(lengths, most):
    items = ["x" * length for length in lengths]
    groups = list(Run().groups(items, most))
    assert [item for group in groups for item in group] == [item for item in items if item]
    assert all(1 <= len(group) <= most for group in groups)
    between = [list(g) for has, g in itertools.groupby(items, bool) if has]
    assert len(groups) == sum(-(-len(run) // most) for run in between)


@given(st.lists(st.integers(1, 2 * HEAVY)), st.integers(1, 99))
def test_with_a_deadline_groups_are_light(weights, most):
    groups = list(Run(deadline=Looks(10**6)).groups(weights, most, weight=lambda w: w))
    assert [weight for group in groups for weight in group] == weights
    for group in groups:
        assert len(group) <= min(most, LIGHT)
        assert sum(group[:-1]) < HEAVY


@given(st.integers(0, 99), st.integers(0, 9), st.integers(1, 20))
def test_at_the_deadline_the_rest_is_counted(number, looks, most):
    run = Run(deadline=Looks(looks))
    done = [item for group in run.groups(range(number), most) for item in group]
    size = min(most, LIGHT)
    assert done == list(range(min(number, size * max(looks, 1))))
    assert run.left_out == number - len(done)
    assert run.is_counted


def test_counting_what_is_left_out_ends_soon(monkeypatch):
    monkeypatch.setattr(_run, "COUNTING", -1.0)
    run = Run(deadline=Looks(0))
    assert list(run.groups(itertools.count(), 4)) == [[0, 1, 2, 3]]
    assert (run.left_out, run.is_counted) == (5, False)


def test_batches_are_groups_only_with_a_deadline():
    items = range(100)
    assert list(Run().batches(items, 30)) == [items]
    batches = list(Run(deadline=Looks(99)).batches(items, 30))
    assert [len(batch) for batch in batches] == [30, 30, 30, 10]


def test_pauses_are_items_without_words():
    sentences = [Sentence.from_words(["a"]), Sentence([]), Sentence.from_words(["b"])]
    assert [len(group) for group in Run().groups(sentences)] == [1, 1]


def test_the_limit_of_the_rest():
    assert Run().limits() == {}
    assert Run(deadline=Looks(1, left=3.0)).limits() == {"time_limit": 3.0}
    assert Run(deadline=Looks(1, left=0.0)).limits() == {"time_limit": 0.1}


def test_results_at_limits_are_counted():
    run = Run()
    bounds = {"OPTIMAL": 1.0, "FEASIBLE": 1.5, "UNKNOWN": 3.0, "FRACTIONAL": 9.0}
    results = [Result(Certificate(Status(s), 1.0, bound)) for s, bound in bounds.items()]
    assert list(run.watched([*results, "plain"])) == [*results, "plain"]
    assert (run.results, run.stopped, run.gap) == (5, 2, 2.0)


def test_reports_are_added_and_notes_kept_once():
    whole = Run()
    for number in (1, 2):
        part = Run()
        part.fault(InputError("bad", path="a.txt", line=number))
        part.note("the model has no tagger")
        part.tally["longer"] += number
        list(part.watched([Result(Certificate(Status.FEASIBLE, 0.0, float(number)))]))
        whole.take(part.report())
    assert (whole.results, whole.stopped, whole.gap) == (2, 2, 2.0)
    assert whole.notes == ["the model has no tagger"]
    assert whole.tally["longer"] == 3
    assert [(error.path, str(error)) for error in whole.faults] == [
        ("a.txt", "a.txt:1: bad"), ("a.txt", "a.txt:2: bad")
    ]  # fmt: skip


def test_content_is_a_file_here_and_a_text_for_a_server():
    class Served(Models):
        reads_files = False

    assert Run().content("a.txt", "gold") == "a.txt"
    content = Run(Served()).content("a.txt", "gold")
    assert isinstance(content, Text)
    assert (content.name, content.read()) == ("gold", "a.txt")
    assert Text.name == "<text>"


def test_options_that_a_method_does_not_take_are_named():
    run = Run()
    run.check_taken("lp", ["gap"], ["gap", "iterations"])
    with pytest.raises(UsageError, match="which takes none of these options"):
        run.check_taken("lp", ["gap"], [])
    items = [1, 2]
    assert run.admitted(items) is items


def test_models_are_loaded_by_their_class(tmp_path):
    loaded = []

    class Kind:
        @classmethod
        def load(cls, name):
            loaded.append(name)
            return cls

    assert Models().load(Kind, "a") is Kind
    assert loaded == ["a"]
    assert Models().with_parser("summarizer", None) == "summarizer"
