"""The bodies of requests have the fields, choices and limits of the requests of tasks."""

import math
from dataclasses import MISSING, dataclass
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from treaty.errors import UsageError
from treaty.tasks import TASKS, Option, Record, Request
from treaty.web._operations import OPERATIONS
from treaty.web._requests import body_of, model_of

ParseBody, SolveBody = OPERATIONS["parse"].request, OPERATIONS["solve"].request


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_body_has_the_fields_of_the_request(task):
    schema = body_of(task).model_json_schema()
    parameters = {one.name: one for one in task.asks.parameters("http")}
    texts = {"text"} if task.has_text else set()
    assert set(schema["properties"]) == {*parameters, *texts, "time_limit"}
    for name, one in parameters.items():
        described = schema["properties"][name]
        assert described["description"] == one.option.help
        assert (name in schema.get("required", [])) == (one.default is MISSING)
        if one.choices and not one.is_list:
            of_literal = [described, *described.get("anyOf", [])]
            assert any(tuple(kind.get("enum", ())) == one.choices for kind in of_literal)


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_examples_are_valid(operation):
    assert operation.request.examples
    for example in operation.request.examples:
        operation.request.model_validate(example)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"text": 3},
        {"text": "a", "modell": "english"},
        {"text": "a", "time_limit": 0},
        {"text": "a", "time_limit": "NaN"},
        {"text": "a", "longest": 10**9},
        {"text": "a", "threads": 2},
        {"text": "a", "abbreviations": "/etc/passwd"},
        {"text": "a", "input_format": "docx"},
        {"text": "a", "constraints": [{"kind": "attach", "word": -1, "head": 2}]},
        {"text": "a", "constraints": [{"kind": "attach", "word": 1, "head": 2, "x": 1}]},
        {"text": "a", "constraints": [{"kind": "one_of", "word": 1, "heads": [-1]}]},
        {"text": "a", "constraints": [{"kind": "leaf", "upos": ""}]},
    ],
)
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(ValidationError):
        ParseBody.model_validate(wrong)


def test_scores_are_finite():
    graph = {"variables": [{"name": "a", "score": float("inf")}]}
    with pytest.raises(ValidationError):
        SolveBody.model_validate({"graph": graph})


def test_posts_may_have_other_fields():
    body = OPERATIONS["link"].request.model_validate({"posts": [{"text": "a", "time": 3}]})
    assert body.model_dump()["posts"] == ({"text": "a", "author": None},)


@dataclass(frozen=True, kw_only=True)
class Sample(Request):
    """Fields of all kinds."""

    number: Annotated[int, Option("A number.", least=-3, most=7)] = 0
    share: Annotated[float | None, Option("A share.", above=0, most=1)] = None
    name: Annotated[str, Option("A name.", shortest=1, longest=3)] = "a"
    kind: Annotated[Literal["x", "y"] | None, Option("A kind.")] = None
    heads: Annotated[tuple[int, ...], Option("Heads.", least=0, longest=2)] = ()
    code: Annotated[str | None, Option("A code.", pattern="[a-z]{2}")] = None


VALUES = {
    "number": st.integers(-10, 10),
    "share": st.none() | st.floats(-1, 2) | st.just(math.inf),
    "name": st.text(max_size=5),
    "code": st.none() | st.sampled_from(["", "a", "ab", "ab\n", "abc", "AB", "ßß", "éa"]),
    "kind": st.none() | st.sampled_from("xyz"),
    "heads": st.lists(st.integers(-1, 3), max_size=3),
}


@given(st.fixed_dictionaries({}, optional=VALUES))
def test_a_body_refuses_what_the_request_refuses(values):
    assert issubclass(Sample, Record)
    try:
        request = Sample.from_dict(values)
    except UsageError:
        with pytest.raises(ValidationError):
            model_of(Sample).model_validate(values)
        return
    assert Sample.from_dict(model_of(Sample).model_validate(values).model_dump()) == request
