"""Linking: posts of a request, threads as lines, long threads."""

import json

import pytest

from treaty.errors import UsageError
from treaty.tasks import LinkRequest, PostRecord, Run, Text
from treaty.tasks._link import Linking

POSTS = LinkRequest.examples[0]["posts"]


def test_threads_as_posts_or_as_lines(perform):
    (one,) = perform("link", posts=POSTS)
    (two,) = perform("link", json.dumps({"posts": POSTS}) + "\n")
    assert one.to_dict()["links"] == two.to_dict()["links"] == [[1, 0]]


def test_posts_from_json_may_have_other_fields():
    assert PostRecord.from_dict({"text": "a", "time": 3}) == PostRecord(text="a")
    with pytest.raises(UsageError, match="text must be str"):
        PostRecord(text=3)


def test_pairs_that_are_too_far_apart_are_noted_at_the_end(perform, run):
    posts = [{"author": f"a{n}", "text": f"question {n}?"} for n in range(120)]
    perform("link", posts=posts, order="independent", run=run)
    (note,) = Linking.ending(LinkRequest(), run)
    assert note.startswith(f"1 long thread: links reach {run.tally['window']} posts back")
    run.tally["long"] = 2
    assert "2 long threads" in next(Linking.ending(LinkRequest(), run))
    assert list(Linking.ending(LinkRequest(), Run())) == []


def test_formats(run):
    task = Linking(LinkRequest(order="independent"), run)
    source = json.dumps({"posts": POSTS}) + "\n"
    drawn = "".join(task.written(task.read([Text(source)]), "svg"))
    assert drawn.startswith("<svg")
    assert "".join(task.written(iter([]), "svg")) == ""
    assert "ann" in "".join(task.written(task.read([Text(source)]), "text"))
