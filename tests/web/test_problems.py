import io
import time

import pytest

from treaty import read_graph
from treaty.errors import InputError, UsageError
from treaty.induce import Corpus, branch_and_bound
from treaty.web import _problems
from treaty.web._context import Context
from treaty.web._requests import InduceRequest, SolveRequest
from treaty.web._stop import Stop

PAIR = "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n"
TAGS = "Det Noun Verb\nDet Noun Verb Det Noun\nNoun Verb Noun\nVerb Det Noun\nNoun Verb\n"


def solve(context, work=_problems.solve, **asked):
    return list(work(SolveRequest.model_validate(asked), context))


def hard(seed=1):
    """A set-packing problem that branch and bound does not finish in a moment."""
    variables = [{"name": f"x{i}", "score": 1 + (i * 7919 % 101) / 101} for i in range(120)]
    triples = [(i, (i * 17 + 5) % 120, (i * 31 + 11) % 120) for i in range(120)]
    factors = [
        {"kind": "at_most_one", "of": [f"x{k}" for k in t]} for t in triples if len(set(t)) == 3
    ]
    odd = [(i, (i * 13 + 7) % 120) for i in range(120)]
    factors += [{"kind": "at_most_one", "of": [f"x{a}", f"x{b}"]} for a, b in odd if a != b]
    return {"variables": variables, "factors": factors}


def test_a_file_is_solved_as_by_the_library(context):
    (mine,) = solve(context, text=PAIR, input_format="fg", method="exact")
    twin = read_graph(io.StringIO(PAIR), "fg").solve("exact")
    assert mine["values"] == twin.values.tolist() == [0, 1]
    assert mine["certificate"]["bound"] == twin.bound == 1.5
    assert mine["names"] == ["x0", "x1"]


@pytest.mark.parametrize("example", SolveRequest.examples)
def test_the_examples(context, example):
    (found,) = solve(context, **example)
    assert found["certificate"]["status"] == "OPTIMAL"


def test_the_course_is_told(context):
    (found,) = solve(context, graph=hard(), trace=True)
    bounds = [row["bound"] for row in found["trace"]]
    assert len(bounds) > 2
    assert bounds[-1] <= bounds[0]


def test_news_come_before_the_answer(context):
    *news, last = solve(context, _problems.solve_live, graph=hard())
    assert news
    assert {"done", "seconds", "objective", "bound", "gap", "relative_gap"} <= set(
        news[-1]["progress"]
    )
    assert last["certificate"]["bound"] <= news[0]["progress"]["bound"] + 1e-6


def test_at_the_limit_there_is_an_answer_with_a_bound(shelf):
    started = time.perf_counter()
    context = Context(shelf, Stop(1.0))
    (found,) = solve(context, graph=hard(), method="exact")
    told = found["certificate"]
    assert time.perf_counter() - started < 10
    assert told["bound"] >= told["objective"]


def test_observed_states(context):
    text = "MARKOV\n1\n2\n1\n1 0\n2\n1 9\n"
    (free,) = solve(context, text=text, input_format="uai")
    (seen,) = solve(context, text=text, input_format="uai", evidence="1 0 0\n")
    assert (free["values"], seen["values"]) == ([0, 1], [1, 0])


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({}, UsageError),
        ({"text": "2\n", "graph": {"variables": [{"name": "a"}]}}, UsageError),
        ({"text": "nonsense", "input_format": "fg"}, InputError),
        ({"text": PAIR, "input_format": "fg", "method": "lp", "gap": 1}, UsageError),
        ({"text": PAIR, "input_format": "fg", "evidence": "9 9"}, InputError),
    ],
)
def test_what_cannot_be_solved(context, asked, error):
    with pytest.raises(error):
        solve(context, **asked)


def induce(context, work=_problems.induce, **asked):
    return list(work(InduceRequest.model_validate({"text": TAGS, **asked}), context))


def test_a_grammar_is_that_of_the_library(context):
    (mine,) = induce(context, trees=True, relative_gap=1e-6)
    corpus = Corpus.from_tags(line.split() for line in TAGS.splitlines())
    twin = branch_and_bound(corpus, relative_gap=1e-6)
    assert mine["certificate"]["status"] == "OPTIMAL"
    assert mine["certificate"]["objective"] == pytest.approx(twin.objective, abs=1e-5)
    assert mine["trees"][0] == {"tags": ["Det", "Noun", "Verb"], "heads": twin.heads[:3].tolist()}
    assert mine["rules"]


@pytest.mark.parametrize("method", ["viterbi-em", "em"])
def test_other_methods(context, method):
    (found,) = induce(context, method=method)
    assert found["method"] == method
    with pytest.raises(UsageError, match="'relative_gap' does not go with"):
        induce(context, method=method, relative_gap=0.1)


def test_a_search_tells_news_and_ends_when_nobody_listens(shelf):
    context = Context(shelf, Stop(30))
    asked = InduceRequest(text="A B C D B A C\n" * 30 + TAGS * 3, relative_gap=0)
    news = _problems.induce_live(asked, context)
    first = next(news)
    assert "progress" in first
    news.close()
    assert context.stop.is_gone
