"""The one reader of JSON and the one reader of TOML: whatever is wrong is an error with a place."""

from __future__ import annotations

import json
import math
import re
import tomllib
from pathlib import Path
from typing import IO, Any, NoReturn

from treaty._streams import name_of
from treaty.errors import InputError, shortened
from treaty.text._lines import Fault, read_text

__all__ = ["parse_json", "read_toml"]

MOST_NESTED = 100
"""Depth of objects and lists; deeper ones are rejected, before Python's stack ends."""
LARGEST_TOML = 2**18
"""Number of characters of a TOML file; those of Treaty have some 10,000."""
LONG_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){200}""")
"""A key of more than 200 parts, for which Python's reader takes quadratic time."""


def parse_json(text: str) -> Any:
    """Parse a JSON value, without the numbers that JSON does not have.

    Raises
    ------
    Fault
        When it is not JSON, is nested too deeply or contains a number that is too large or a lone
        surrogate, which no file can store.

    Examples
    --------
    >>> parse_json('{"words": [1, 2.5, "tea"]}')
    {'words': [1, 2.5, 'tea']}
    """
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_number)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise Fault(f"not valid JSON: {error.msg} at column {error.colno}", text) from None
    except UnicodeEncodeError:
        raise Fault("a lone surrogate is not a valid character", text) from None
    except RecursionError:
        _refuse_depth(text)
    except ValueError as error:  # an integer of thousands of digits
        raise Fault(f"cannot be read as JSON: {_short(error)}", text) from None
    if text.count("[") + text.count("{") > MOST_NESTED and _is_deep([value]):
        _refuse_depth(text)
    return value


def _refuse_depth(text: str) -> NoReturn:
    raise Fault(f"nested deeper than {MOST_NESTED} objects and lists", text) from None


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_NESTED + 1):
        inner = (item.values() if isinstance(item, dict) else item for item in level)
        level = [v for values in inner for v in values if isinstance(v, dict | list)]
    return bool(level)


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {shortened(text)} is too large")
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a valid JSON number")


def _short(error: Exception) -> str:
    """Shorten Python's messages, which end with advice to programmers."""
    return str(error).partition(";")[0]


def read_toml(origin: str | Path | IO[Any], what: str) -> tuple[dict[str, Any], str]:
    r"""Read a TOML file.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream, in UTF-8; gzip and xz are
        decompressed.
    what
        What it is expected to be, such as ``"rules"``, for messages.

    Returns
    -------
    table, text
        Its contents, and the text that they were read from.

    Raises
    ------
    InputError
        With file, line and cause.

    Examples
    --------
    >>> import io
    >>> read_toml(io.StringIO("share = 0.5\n"), "a constraint")[0]
    {'share': 0.5}
    """
    text = read_text(origin, most=LARGEST_TOML)
    name = name_of(origin)
    if found := LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise InputError("a key has too many parts", path=name, line=line, text=found[0])
    try:
        return tomllib.loads(text), text
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1  # or else at the end
        cause = f"is not valid TOML: {error}"
    except RecursionError:
        line, cause = _deepest_line(text), "is nested too deeply"
    except (ValueError, OverflowError) as error:  # a number of thousands of digits, a wrong date
        line, cause = _longest_number(text), f"cannot be read as TOML: {_short(error)}"
    raise InputError(f"{cause}; expected {what} in TOML", path=name, line=line or None)


def _deepest_line(text: str) -> int:
    counts = [line.count("[") + line.count("{") for line in text.split("\n")]
    return counts.index(max(counts)) + 1


def _longest_number(text: str) -> int:
    found = max(re.finditer(r"[\d_]+", text), key=lambda match: len(match[0]), default=None)
    return text.count("\n", 0, found.start()) + 1 if found else 0
