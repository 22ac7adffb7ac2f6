"""Requests: types, limits, choices and lengths of fields, and records from JSON."""

import json
import math
from dataclasses import MISSING, dataclass, field
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.tasks import TASKS, Option, ParseRequest, Record, Request
from treaty.tasks._request import Http


@dataclass(frozen=True, kw_only=True)
class Inner(Record):
    """A nested record."""

    name: Annotated[str, Option("A name.", shortest=1, longest=4)]


@dataclass(frozen=True, kw_only=True)
class Sample(Request):
    """Fields of all kinds."""

    number: Annotated[int, Option("A number.", least=-3, most=7, http=Http(most=5))] = 0
    share: Annotated[float | None, Option("A share.", above=0, most=1)] = None
    code: Annotated[str, Option("A code.", pattern="[a-z]+")] = "a"
    flag: Annotated[bool, Option("A flag.")] = False
    kind: Annotated[
        Literal["x", "y", "z"] | None,
        Option("A kind.", http=Http(default="x", choices=("x", "y"), help="Of two.")),
    ] = None
    heads: Annotated[tuple[int, ...], Option("Heads.", least=0, most=9, longest=3)] = ()
    by: Annotated[tuple[Literal["a", "b"], ...], Option("Some.", of=("command",))] = ()
    one: Annotated[Inner | None, Option("A record.", of=("http",))] = None
    many: Annotated[tuple[Inner, ...], Option("Records.", longest=2, of=("http",))] = ()
    settings: Annotated[dict[str, Any], Option("Settings.")] = field(default_factory=dict)


SCALARS = st.none() | st.booleans() | st.integers(-99, 99) | st.floats() | st.text(max_size=3)


@given(SCALARS)
def test_numbers_have_a_type_and_limits(value):
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    allowed = {
        "number": is_whole and -3 <= value <= 7,
        "share": value is None
        or ((is_whole or isinstance(value, float)) and not math.isnan(value) and 0 < value <= 1),
        "flag": isinstance(value, bool),
        "kind": value is None or value in ("x", "y", "z"),
        "heads": False,
        "one": value is None,
        "settings": False,
    }
    for name, is_allowed in allowed.items():
        if is_allowed:
            assert getattr(Sample(**{name: value}), name) == value
        else:
            with pytest.raises(UsageError, match=name):
                Sample(**{name: value})


@given(st.lists(st.integers(-2, 11), max_size=5))
def test_the_items_of_lists_have_limits_and_lists_a_length(heads):
    if len(heads) <= 3 and all(0 <= head <= 9 for head in heads):
        assert Sample.from_dict({"heads": heads}).heads == tuple(heads)
    else:
        with pytest.raises(UsageError, match="heads"):
            Sample(heads=tuple(heads))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"heads": [1, 2]}, "heads must be tuple, not list"),
        ({"heads": (1, "2")}, "heads must be int, not str"),
        ({"heads": (True,)}, "heads must be int, not bool"),
        ({"by": ("c",)}, "by must be one of a, b, not 'c'"),
        ({"by": "a"}, "by must be tuple, not str"),
        ({"kind": "w"}, "kind must be one of x, y, z, not 'w'"),
        ({"kind": ["x"]}, "kind must be one of"),
        ({"many": (Inner(name="a"),) * 3}, "many must have at most 2 items, not 3"),
        ({"many": ({"name": "a"},)}, "many must be Inner, not dict"),
        ({"number": math.nan}, "number must be int, not float"),
        ({"share": math.nan}, "share must be a number"),
        ({"share": 0.0}, "share must be more than 0, not 0.0"),
        ({"share": 2}, "share must be at most 1, not 2"),
        ({"number": -4}, "number must be at least -3, not -4"),
        ({"flag": 1}, "flag must be bool, not int"),
        ({"code": "../x"}, "code must match [a-z]+, not '../x'"),
        ({"code": "a\n"}, "code must match"),
    ],
)
def test_faults_are_named(fields, message):
    with pytest.raises(UsageError) as refused:
        Sample(**fields)
    assert message in str(refused.value)


def test_names_have_a_length():
    for wrong in ("", "abcde"):
        with pytest.raises(UsageError, match="name must have at"):
            Inner(name=wrong)


def test_records_are_made_from_json():
    given = {"one": {"name": "a"}, "many": [{"name": "b"}], "by": ["a"], "settings": {"x": [1]}}
    sample = Sample.from_dict(given)
    assert sample.one == Inner(name="a")
    assert sample.many == (Inner(name="b"),)
    assert sample.by == ("a",)
    assert sample.settings == {"x": [1]}
    with pytest.raises(UsageError, match="there is no field 'numbr': choose from number, share"):
        Sample.from_dict({"numbr": 3})
    with pytest.raises(UsageError, match="there is no field 'x'"):
        Sample.from_dict({"one": {"name": "a", "x": 1}})


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_requests_go_to_json_and_back(task):
    needed = {one.name: "x" for one in task.asks.parameters() if one.default is MISSING}
    examples = [{}, *task.asks.examples]
    for example in examples:
        fields = {name: v for name, v in example.items() if name != "text"}
        request = task.asks.from_dict(needed | fields)
        again = task.asks.from_dict(json.loads(json.dumps(request.to_dict())))
        assert again == request


def test_the_fields_of_front_ends():
    names = {
        front: [one.name for one in Sample.parameters(front)] for front in (None, "command", "http")
    }
    assert names["command"] == [n for n in names[None] if n not in ("one", "many")]
    assert names["http"] == [n for n in names[None] if n != "by"]
    over = {one.name: one for one in Sample.parameters("http")}
    here = {one.name: one for one in Sample.parameters("command")}
    kind, number = over["kind"], over["number"]
    assert (kind.default, kind.choices, kind.option.help) == ("x", ("x", "y"), "Of two.")
    assert (here["kind"].default, here["kind"].choices) == (None, ("x", "y", "z"))
    assert (number.option.most, here["number"].option.most) == (5, 7)
    assert over["share"] == here["share"]


def test_a_field_without_an_option_is_a_mistake():
    @dataclass(frozen=True, kw_only=True)
    class Wrong(Record):
        number: int = 0

    with pytest.raises(TypeError, match="the field number has no Option"):
        Wrong()


def test_given_fields():
    request = ParseRequest(order="first", longest=3)
    assert request.given("order", "abbreviations", "nothing") == {"order": "first"}
