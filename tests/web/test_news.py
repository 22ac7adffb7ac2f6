import pytest

from treaty.errors import InputError
from treaty.tasks import TASKS, InduceRequest, SolveRequest, Text
from treaty.web._context import Context
from treaty.web._news import with_news
from treaty.web._stop import Stop

PAIR = "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n"
TAGS = "Det Noun Verb\nDet Noun Verb Det Noun\nNoun Verb Noun\nVerb Det Noun\nNoun Verb\n"


def hard():
    """A set-packing problem that branch and bound does not finish in a moment."""
    variables = [{"name": f"x{i}", "score": 1 + (i * 7919 % 101) / 101} for i in range(120)]
    triples = [(i, (i * 17 + 5) % 120, (i * 31 + 11) % 120) for i in range(120)]
    pairs = [(i, (i * 13 + 7) % 120) for i in range(120)]
    factors = [
        {"kind": "at_most_one", "of": [f"x{k}" for k in some]}
        for some in (*triples, *pairs)
        if len(set(some)) == len(some)
    ]
    return {"variables": variables, "factors": factors}


def solving(context, *texts, **fields):
    request = SolveRequest.from_dict(fields)
    return with_news(TASKS["solve"](request, context), [Text(text) for text in texts], context)


def test_news_come_before_the_answer(context):
    *news, last = solving(context, graph=hard())
    assert news
    assert {"done", "seconds", "objective", "bound", "gap", "relative_gap"} <= set(
        news[-1]["progress"]
    )
    assert last.solution.bound <= news[0]["progress"]["bound"] + 1e-6


def test_without_news_there_is_the_answer(context):
    (last,) = solving(context, PAIR, input_format="fg", method="exhaustive")
    assert last.solution.values.tolist() == [0, 1]


def test_an_error_is_passed_on(context):
    with pytest.raises(InputError):
        list(solving(context, "nonsense", input_format="fg"))


def test_a_search_ends_when_nobody_listens(shelf):
    context = Context(shelf, Stop(30))
    task = TASKS["induce"](InduceRequest(relative_gap=0.0, input_format="tags"), context)
    news = with_news(task, [Text("A B C D B A C\n" * 30 + TAGS * 3)], context)
    assert "progress" in next(news)
    news.close()
    assert context.stop.is_gone
