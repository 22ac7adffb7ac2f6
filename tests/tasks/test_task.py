"""Tasks: what all have in common, and that each is complete."""

import subprocess
import sys

import pytest

from treaty.errors import InputError, UsageError
from treaty.solve import Certificate, Status
from treaty.tasks import TASKS, Run, SummarizeRequest, TagRequest, Text, perform
from treaty.tasks._tag import Tagging
from treaty.tasks._task import Task


class Counting(Task):
    """Counts the characters of texts."""

    name = "count"
    formats = ("text", "json")
    asks = TagRequest

    def read(self, sources):
        return (source.getvalue() for source in sources)

    def results(self, items):
        return (len(item) for item in items)

    def texts(self, results, format):  # noqa: A002
        return (f"{format} {result}" for result in results)


def test_sources_become_results_and_texts():
    run = Run()
    task = Counting(TagRequest(), run)
    assert list(task([Text("abc"), Text("")])) == [3, 0]
    assert list(task.written(task.read([Text("ab")]), "json")) == ["json 2"]
    assert (task.format, run.results) == ("json", 3)


def test_a_format_must_be_one_of_the_task():
    Counting.check(TagRequest(), "json")
    with pytest.raises(UsageError, match="--format must be one of text, json, not 'svg'"):
        Counting.check(TagRequest(), "svg")


def test_models_and_files_of_a_request():
    assert Counting.models(TagRequest(model="m")) == ["m"]
    assert Counting.files(TagRequest(model="m", abbreviations="a")) == ["m", "a"]
    assert Counting.at_once(TagRequest()) is None
    assert list(Counting.ending(TagRequest(), Run())) == []
    assert not Counting.falls_short(Run())
    assert not Counting.is_limited(TagRequest())
    assert Counting.is_limited(SummarizeRequest(gap=0.0))


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_task_is_complete(task):
    assert TASKS[task.name] is task
    assert task.doing.endswith("ing")
    assert "Examples:" in task.help
    assert "Exit codes: 0 done" in task.help
    assert set(task.streamed) <= set(task.formats)
    assert task.on_terminal in (None, *task.formats)
    assert set(task.between) <= set(task.formats)
    assert task.asks.examples
    names = {one.name for one in task.asks.parameters("http")}
    assert task.records is None or task.records in names
    for one in task.asks.parameters():
        assert one.option.help.endswith("."), one.name


def test_perform_chooses_the_task_and_ends_at_the_first_fault():
    with pytest.raises(InputError, match="expected 10 columns"):
        list(perform(TagRequest(input_format="conllu"), [Text("1\tx\n\n")]))
    run = Run()
    assert list(perform(TagRequest(input_format="conllu"), [Text("1\tx\n\n")], run)) == []
    assert len(run.faults) == 1
    assert Tagging.asks is TagRequest


def test_a_certificate_of_results_is_seen():
    class Certified:
        certificate = Certificate(Status.FEASIBLE, 1.0, 2.0)

    class One(Counting):
        def results(self, items):
            return (Certified() for _ in items)

    run = Run()
    assert len(list(One(TagRequest(), run)([Text("a")]))) == 1
    assert (run.stopped, run.gap) == (1, 1.0)


def test_nothing_heavy_is_imported():
    code = (
        "import sys, treaty.tasks; "
        "print([n for n in ('numpy', 'treaty._native', 'treaty.parse') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
