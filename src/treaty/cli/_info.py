"""``treaty info``: what a model file is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer

from treaty.cli._output import write_text

__all__ = ["HELP", "info"]

HELP = """Tell what a model file is: its task, data, settings, scores and size.

\b
Examples:
  treaty info english
  treaty info danish.treaty --format json

Exit codes: 0 done, 5 model file refused.
"""


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    JSON = "json"


def info(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or english.")],
    format: Annotated[  # noqa: A002 - what users call it
        Format, typer.Option(help="text: 'name value' lines. json: one object.")
    ] = Format.TEXT,
) -> None:
    """Run ``treaty info``."""
    from treaty.learn import describe, load_model
    from treaty.parse import model_path

    told = describe(load_model(model_path(model)))
    if format is Format.JSON:
        write_text("-", json.dumps(told, ensure_ascii=False, indent=2) + "\n")
    else:
        write_text("-", "".join(f"{name:<32} {value}\n" for name, value in _lines(told)))


def _lines(told: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Flatten what is nested: ``info.language``."""
    for key, value in told.items():
        name = f"{prefix}{key}"
        if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
            value = dict(enumerate(value, 1))
        if isinstance(value, Mapping):
            yield from _lines(value, f"{name}.")
        else:
            yield name, ", ".join(map(str, value)) if isinstance(value, list) else value
