"""Requests: the fields of a task, declared once for Python, the command line, HTTP and clusters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, asdict, dataclass, fields, replace
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

__all__ = ["Everywhere", "FrontEnd", "Http", "Option", "Parameter", "Record", "Request"]

FrontEnd = Literal["command", "http"]
Everywhere: tuple[FrontEnd, ...] = ("command", "http")


@dataclass(frozen=True)
class Http:
    """Differences of a field over HTTP; None where there is no difference.

    Parameters
    ----------
    default
        The default.
    choices
        Fewer choices.
    most
        A smaller limit.
    help
        Another help text.
    """

    default: Any = None
    choices: tuple[str, ...] | None = None
    most: float | None = None
    help: str | None = None


@dataclass(frozen=True)
class Option:
    """How a field of a request is described and checked; used inside of `Annotated`.

    Parameters
    ----------
    help
        The help text, the same in all front ends.
    least, above, most
        Limits of a number; `above` excludes the limit itself.
    shortest, longest
        Limits of the length of a text or a list.
    pattern
        A regular expression for a whole text.
    metavar
        The name of the value in the help of commands.
    flag
        The name of the option of commands, if it is not that of the field.
    off
        The name of the flag that sets a boolean to False, such as ``"safe"``.
    argument
        Whether commands take it by its position.
    of
        The front ends that have the field; Python and cluster runs have all.
    http
        What is different over HTTP.
    """

    help: str
    least: float | None = None
    above: float | None = None
    most: float | None = None
    shortest: int = 0
    longest: int | None = None
    pattern: str | None = None
    metavar: str | None = None
    off: str | None = None
    flag: str | None = None
    argument: bool = False
    of: tuple[FrontEnd, ...] = Everywhere
    http: Http | None = None

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
        """The class of the value, or of the items of a list, if they are records."""
        nested = (one for kind in self.kinds for one in (kind, *get_args(kind)))
        classes = (one for one in nested if get_origin(one) is None and isinstance(one, type))
        return next((one for one in classes if issubclass(one, Record)), None)

    @property
    def is_list(self) -> bool:
        """Whether the value is a list: a tuple in Python."""
        return any(get_origin(kind) is tuple for kind in self.kinds)

    @property
    def over_http(self) -> Parameter:
        """The parameter with what is different over HTTP."""
        if (other := self.option.http) is None:
            return self
        most = self.option.most if other.most is None else other.most
        return replace(
            self,
            default=self.default if other.default is None else other.default,
            choices=other.choices or self.choices,
            option=replace(self.option, help=other.help or self.option.help, most=most),
        )

    def of(self, value: Any) -> Any:
        """Convert a value from JSON: lists become tuples, and dictionaries records."""
        if isinstance(value, list | tuple) and self.is_list:
            return tuple(map(self.of, value))
        return (
            value
            if self.record is None or not isinstance(value, dict)
            else self.record.from_dict(value)
        )

    def check(self, value: Any) -> None:
        """Raise `UsageError` for a value of another type or outside the limits."""
        if value is None and NoneType in self.kinds:
            return
        kinds = tuple(_class(kind) for kind in self.kinds)
        if not self.choices or self.is_list:
            self._check_type(value, kinds)
        if self.is_list:
            kinds = tuple(_class(get_args(kind)[0]) for kind in self.kinds if get_args(kind))
        for item in value if self.is_list else (value,):
            if self.choices and item not in self.choices:
                raise UsageError(
                    f"{self.name} must be one of {', '.join(self.choices)}, not {item!r}"
                )
            self._check_type(item, kinds)
            if isinstance(item, int | float) and (fault := self.option.fault(item)):
                raise UsageError(f"{self.name} {fault}, not {item!r}")
        if isinstance(value, str | tuple):
            self._check_length(len(value))
        pattern = self.option.pattern
        if pattern is not None and not re.fullmatch(pattern, value):
            raise UsageError(f"{self.name} must match {pattern}, not {value!r}")

    def _check_type(self, value: Any, kinds: tuple[Any, ...]) -> None:
        fits = isinstance(value, (*kinds, int) if float in kinds else kinds)
        if not fits or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds if kind is not NoneType)
            raise UsageError(f"{self.name} must be {names}, not {type(value).__name__}")

    def _check_length(self, length: int) -> None:
        longest, shortest = self.option.longest, self.option.shortest
        if longest is not None and length > longest:
            raise UsageError(f"{self.name} must have at most {longest:,} items, not {length:,}")
        if length < shortest:
            raise UsageError(f"{self.name} must have at least {shortest:,} items, not {length:,}")


def _class(kind: Any) -> Any:
    """Return the class of the values of a type, such as `str` for a `Literal`."""
    origin = get_origin(kind)
    return type(get_args(kind)[0]) if origin is Literal else origin or kind


@dataclass(frozen=True, kw_only=True)
class Record:
    """A frozen dataclass whose fields are annotated with `Option`; they are checked."""

    ignores_others: ClassVar[bool] = False
    """Whether a record from JSON may have other fields, which are ignored."""

    def __post_init__(self) -> None:
        for parameter in self.parameters():
            parameter.check(getattr(self, parameter.name))

    @classmethod
    def parameters(cls, front_end: FrontEnd | None = None) -> Iterator[Parameter]:
        """List the fields, or those that a front end has."""
        every: tuple[Parameter, ...] = _parameters(cls)  # type: ignore[arg-type]  # of mypy
        parameters = (p for p in every if front_end is None or front_end in p.option.of)
        return (p.over_http for p in parameters) if front_end == "http" else parameters

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Make a record from the values of a dictionary, such as one from JSON."""
        known = {parameter.name: parameter for parameter in cls.parameters()}
        if cls.ignores_others:
            values = {name: value for name, value in values.items() if name in known}
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
    nested = [kind, *get_args(kind), *(a for one in get_args(kind) for a in get_args(one))]
    choices = tuple(c for one in nested if get_origin(one) is Literal for c in get_args(one))
    default = field.default if field.default_factory is MISSING else field.default_factory()
    return Parameter(field.name, kind, default, choices, option)
