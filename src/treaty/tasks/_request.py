"""Requests: the fields of a task, declared once for Python, the command line, HTTP and clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, asdict, dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    Self,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from treaty.errors import UsageError

__all__ = ["Everywhere", "FrontEnd", "Option", "Parameter", "Record", "Request"]

FrontEnd = Literal["command", "http"]
Everywhere: tuple[FrontEnd, ...] = ("command", "http")


@dataclass(frozen=True)
class Option:
    """How a field of a request is described and checked; used inside of `Annotated`.

    Parameters
    ----------
    help
        The help text, the same in all front ends.
    least, above, most
        Limits of a number; `above` excludes the limit itself.
    longest
        Greatest length of a text or a list.
    metavar
        The name of the value in the help of commands.
    flag
        The name of the option of commands, if it is not that of the field.
    off
        The name of the flag that sets a boolean to False, such as ``"safe"``.
    of
        The front ends that have the field; Python and cluster runs have all.
    """

    help: str
    least: float | None = None
    above: float | None = None
    most: float | None = None
    longest: int | None = None
    metavar: str | None = None
    off: str | None = None
    flag: str | None = None
    of: tuple[FrontEnd, ...] = Everywhere

    def fault(self, value: float) -> str | None:
        """Return what is wrong with a number."""
        if math.isnan(value):
            return "must be a number"
        if self.least is not None and value < self.least:
            return f"must be at least {self.least:g}"
        if self.above is not None and value <= self.above:
            return f"must be more than {self.above:g}"
        if self.most is not None and value > self.most:
            return f"must be at most {self.most:g}"
        return None


@dataclass(frozen=True)
class Parameter:
    """A field of a request with its resolved type.

    Attributes
    ----------
    name, default
        As in the request.
    type
        The type without annotations, such as ``int | None``.
    choices
        The values of a `Literal`, else empty.
    option
        Help and limits.
    """

    name: str
    type: Any
    default: Any
    choices: tuple[str, ...]
    option: Option

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The alternatives of the type, such as ``(int, NoneType)``."""
        return get_args(self.type) if get_origin(self.type) in (Union, UnionType) else (self.type,)

    @property
    def record(self) -> type[Record] | None:
        """The class of the items of a list of records."""
        first = next(iter(get_args(self.type)), None)
        return first if isinstance(first, type) and issubclass(first, Record) else None

    def of(self, value: Any) -> Any:
        """Convert a value from JSON: lists of dictionaries become tuples of records."""
        if self.record is None or not isinstance(value, list | tuple):
            return value
        return tuple(self.record.of(v) if isinstance(v, dict) else v for v in value)

    def check(self, value: Any) -> None:
        """Raise `UsageError` for a value of another type or outside the limits."""
        if value is None and NoneType in self.kinds:
            return
        if self.choices:
            if value not in self.choices:
                raise UsageError(
                    f"{self.name} must be one of {', '.join(self.choices)}, not {value!r}"
                )
            return
        kinds = tuple(get_origin(kind) or kind for kind in self.kinds)
        fits = isinstance(value, (*kinds, int) if float in kinds else kinds)
        if not fits or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds if kind is not NoneType)
            raise UsageError(f"{self.name} must be {names}, not {type(value).__name__}")
        if isinstance(value, int | float) and (fault := self.option.fault(value)):
            raise UsageError(f"{self.name} {fault}, not {value!r}")
        longest = self.option.longest
        if longest is not None and not isinstance(value, int | float) and len(value) > longest:
            raise UsageError(f"{self.name} must have at most {longest:,} items, not {len(value):,}")


@dataclass(frozen=True, kw_only=True)
class Record:
    """A frozen dataclass whose fields are annotated with `Option`; they are checked."""

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            parameter.check(getattr(self, parameter.name))

    @classmethod
    def parameters(cls, front_end: FrontEnd | None = None) -> Iterator[Parameter]:
        """List the fields, or those that a front end has."""
        every: tuple[Parameter, ...] = _parameters(cls)  # type: ignore[arg-type]  # of mypy
        return (p for p in every if front_end is None or front_end in p.option.of)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """Make a record from the values of a dictionary, such as one from JSON."""
        known = {parameter.name: parameter for parameter in cls.parameters()}
        if unknown := sorted(values.keys() - known.keys()):
            raise UsageError(
                f"there is no field {', '.join(map(repr, unknown))}: choose from {', '.join(known)}"
            )
        return cls(**{name: known[name].of(value) for name, value in values.items()})

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, for JSON."""
        return asdict(self)

    def given(self, *names: str) -> dict[str, Any]:
        """Return those of some fields that are not None.

        Examples
        --------
        >>> from treaty.tasks import ParseRequest
        >>> ParseRequest(order="first").given("order", "abbreviations")
        {'order': 'first'}
        """
        values = {name: getattr(self, name, None) for name in names}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Request(Record):
    """Base of all requests.

    Examples
    --------
    >>> from treaty.tasks import ParseRequest
    >>> ParseRequest(longest=80).longest
    80
    >>> ParseRequest(longest=0)
    Traceback (most recent call last):
    treaty.errors.UsageError: longest must be at least 1, not 0
    """

    examples: ClassVar[tuple[dict[str, Any], ...]] = ()
    """Requests over HTTP, for the documentation of the API."""


@cache
def _parameters(record: type[Any]) -> tuple[Parameter, ...]:
    hints = get_type_hints(record, include_extras=True)
    return tuple(_parameter(field, hints[field.name]) for field in fields(record))


def _parameter(field: Field[Any], hint: Any) -> Parameter:
    if get_origin(hint) is not Annotated:
        raise TypeError(f"the field {field.name} has no Option")
    kind, *notes = get_args(hint)
    option = next(note for note in notes if isinstance(note, Option))
    choices = tuple(
        choice
        for one in (kind, *get_args(kind))
        if get_origin(one) is Literal
        for choice in get_args(one)
    )
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return Parameter(field.name, kind, default, choices, option)
