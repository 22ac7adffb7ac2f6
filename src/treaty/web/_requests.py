"""The bodies of requests, made from the requests of tasks: the same fields, limits and choices."""

from __future__ import annotations

from dataclasses import MISSING
from types import NoneType
from typing import Any, ClassVar, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, create_model

from treaty.tasks import Record, Task
from treaty.tasks._request import Parameter

__all__ = ["RequestBody", "body_of", "model_of"]

MOST = 2**31 - 1
"""Greatest number of a field that has no other limit."""


class RequestBody(BaseModel):
    """The fields of all requests."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    examples: ClassVar[tuple[dict[str, Any], ...]] = ()
    time_limit: float | None = Field(
        None,
        gt=0,
        description="Seconds; then the best answer so far, with its bound. By default, and at "
        "most, the server's own limit.",
    )


class _Nested(BaseModel):
    """A record inside of a request."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class _Tolerant(_Nested):
    """A record that may have other fields, which are ignored."""

    model_config = ConfigDict(extra="ignore")


def body_of(task: type[Task[Any]]) -> type[RequestBody]:
    """Make the class of the requests of a task.

    Examples
    --------
    >>> from treaty.tasks import TASKS
    >>> body = body_of(TASKS["tag"])
    >>> body(text="Cats sleep.").lines
    'auto'
    """
    request, texts = task.asks, dict[str, Any]()
    if task.records is not None:
        help_text = f"The text, in the place of `{task.records}`."
        texts["text"] = (str | None, Field(None, description=help_text))
    elif task.has_text:
        texts["text"] = (str, Field(description="The text, in the input format."))
    fields = texts | _fields(request)
    body = create_model(request.__name__, __base__=RequestBody, __doc__=request.__doc__, **fields)
    body.examples = request.examples
    return body


def model_of(record: type[Record]) -> type[BaseModel]:
    """Make a model of a nested record."""
    base = _Tolerant if record.ignores_others else _Nested
    fields = _fields(record)
    return create_model(record.__name__, __base__=base, __doc__=record.__doc__, **fields)


def _fields(record: type[Record]) -> dict[str, Any]:
    return {one.name: (_type(one), _field(one)) for one in record.parameters("http")}


def _type(one: Parameter) -> Any:
    """Return the type of a field, with limits of the items of a list."""
    item: Any = one.kinds[0]
    if one.record is not None:
        item = model_of(one.record)
    elif one.choices:
        item = Literal[one.choices]
    elif one.is_list:
        (item, *_) = item.__args__
    if one.is_list:
        item = tuple[_limited(item, one), ...]  # type: ignore[misc]
    is_optional = NoneType in one.kinds and one.default is None
    return Union[item, None] if is_optional else item  # noqa: UP007 - of types at run time


def _limited(item: Any, one: Parameter) -> Any:
    from typing import Annotated

    return Annotated[item, Field(**_limits(one, item))] if item in (int, float) else item


def _limits(one: Parameter, kind: Any) -> dict[str, Any]:
    option = one.option
    most = MOST if option.most is None and kind is int else option.most
    limits = {"ge": option.least, "gt": option.above, "le": most}
    return {name: value for name, value in limits.items() if value is not None}


def _field(one: Parameter) -> Any:
    option, more = one.option, dict[str, Any]()
    kind = one.kinds[0]
    if kind in (int, float):
        more = _limits(one, kind)
    elif one.is_list or (kind is str and not one.choices):
        lengths = {"min_length": option.shortest or None, "max_length": option.longest}
        more = {name: value for name, value in lengths.items() if value is not None}
        if option.pattern is not None:
            more["pattern"] = f"^(?:{option.pattern})$"
    default = ... if one.default is MISSING else one.default
    return Field(default, description=option.help, **more)
