"""Inducing: corpora, methods with their options, rules and trees."""

import json

import pytest

from treaty.errors import UsageError
from treaty.induce import Corpus, branch_and_bound
from treaty.tasks import InduceRequest, Run, Text, perform
from treaty.tasks._induce import OF_METHODS, TAKES, Inducing

TAGS = "Det Noun Verb\nDet Noun Verb Det Noun\nNoun Verb Noun\nVerb Det Noun\nNoun Verb\n"


def induce(run=None, **fields):
    return list(perform(InduceRequest(**fields), [Text(TAGS)], run))


def test_a_grammar_is_that_of_the_library():
    (mine,) = induce(trees=True, relative_gap=1e-6)
    record = mine.to_dict()
    corpus = Corpus.from_tags(line.split() for line in TAGS.splitlines())
    twin = branch_and_bound(corpus, relative_gap=1e-6)
    assert record["certificate"]["status"] == "OPTIMAL"
    assert record["certificate"]["objective"] == pytest.approx(twin.objective, abs=1e-5)
    assert record["trees"][0] == {"tags": ["Det", "Noun", "Verb"], "heads": twin.heads[:3].tolist()}
    assert record["rules"]
    assert "rules" not in induce()[0].to_dict()


@pytest.mark.parametrize("method", ["viterbi-em", "em"])
def test_other_methods(method):
    (mine,) = induce(method=method)
    assert mine.to_dict()["method"] == method
    with pytest.raises(UsageError, match="'relative_gap' does not go with 'method'"):
        induce(method=method, relative_gap=0.1)


def test_methods_take_fields_of_the_request():
    names = {one.name for one in InduceRequest.parameters()}
    assert set(OF_METHODS) <= names
    assert {name for taken in TAKES.values() for name in taken} == {
        *OF_METHODS, "checkpoint", "resume"
    }  # fmt: skip


def test_constraints_and_memory(tmp_path):
    path = tmp_path / "arcs.toml"
    task = Inducing(InduceRequest(constraints="universal", memory=3), Run())
    corpus = next(task.read([Text("NOUN VERB\nDET NOUN VERB\n")]))
    assert task.options["memory"] == 3_000_000
    assert task.options["constraint"] is task.constraint
    assert len(corpus) == 2
    assert set(Inducing.files(InduceRequest(constraints=str(path)))) == {"upos", str(path)}


def test_as_many_starts_as_the_time_allows():
    task = Inducing(InduceRequest(method="viterbi-em", time_limit=3.0), Run())
    assert task.options["restarts"] is None
    assert "restarts" not in Inducing(InduceRequest(method="viterbi-em"), Run()).options


def test_progress_and_formats():
    run, moments = Run(), []
    run.progress = moments.append
    task = Inducing(InduceRequest(relative_gap=1e-6), run)
    results = list(task([Text(TAGS)]))
    assert moments
    (text,) = task.texts(iter(results), "text")
    (line,) = task.texts(iter(results), "json")
    assert text.startswith("# status\tOPTIMAL")
    assert json.loads(line) == json.loads(json.dumps(results[0].to_dict()))
