import pytest

from treaty import FactorGraph
from treaty.errors import InputError
from treaty.tasks import Text
from treaty.text import Sentence
from treaty.web._caps import Caps, TooLargeError
from treaty.web._context import Context
from treaty.web._stop import Stop


def test_what_is_left_out_is_told():
    context = Context(None, Stop(1e-9))
    assert len(list(context.groups(range(40)))) == 1
    told = context.report()
    assert f"{told['left_out']} inputs are left out" in told["notes"][0]
    context = Context(None, Stop(60))
    list(context.groups(range(40)))
    assert context.report() == {}


def test_many_faults_are_counted_and_few_are_told():
    context = Context(None, Stop(60))
    for number in range(30):
        context.fault(InputError(f"line {number}"))
    assert len(context.faults) == context.report()["faults"] == 30
    assert len(context.report()["notes"]) == 10


def test_a_request_names_no_files(shelf):
    context = Context(shelf, Stop(60))
    content = context.content("/etc/passwd", "evidence")
    assert isinstance(content, Text)
    assert content.read() == "/etc/passwd"


@pytest.mark.parametrize(
    ("caps", "items", "admitted"),
    [
        ({"sentences": 2}, [Sentence.from_words(["a"])] * 3, 2),
        ({"sentences": 1}, [Sentence([])] * 3, 3),
        (
            {"sentence_words": 2},
            [Sentence.from_words(["a"] * 2), Sentence.from_words(["a"] * 3)],
            1,
        ),
        ({"message_words": 2}, ["a b", ["a", "b"], "a b c"], 2),
        ({"words": 3}, [[Text("a b"), Text("c")], [Text("d")]], 1),
        ({"variables": 1}, [FactorGraph()], 1),
    ],
)
def test_items_are_admitted_up_to_a_cap(caps, items, admitted):
    context, passed = Context(None, Stop(60), Caps(**caps)), []
    try:
        for item in context.admitted(items):
            passed.append(item)
    except TooLargeError as error:
        assert next(iter(caps)) in error.message
    assert len(passed) == admitted
