"""``treaty info``: which models are installed, and what one of them is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli._options import FORMAT, Format, Output
from treaty.cli._output import check_output, write_text
from treaty.cli._progress import score_text

if TYPE_CHECKING:
    from treaty.learn import InstalledModel

__all__ = ["HELP", "info"]

HELP = """List the models that are installed, or tell all of one.

Of a model you see its task, language, data, license, settings, scores and size; long lists are
counted.

\b
Examples:
  treaty info
  treaty info english
  treaty info danish.treaty --format json

Exit codes: 0 done, 2 usage, 5 model file refused.
"""
MOST_LISTED = 8
"""Entries of a list that are shown; longer ones are counted."""
MOST_CHARACTERS = 200


def info(
    model: Annotated[
        str | None, typer.Argument(metavar="[MODEL]", help="A model by name, or its file.")
    ] = None,
    format: Annotated[Format, FORMAT] = Format.TEXT,  # noqa: A002 - what users call it
    output: Output = "-",
) -> None:
    """Run ``treaty info``."""
    from treaty.learn import models

    check_output(output)
    if model is None:
        installed = models()
        shown = [found.to_dict() for found in installed]
        text = _table(installed)
    else:
        shown = _described(model)
        lines = list(_lines(shown))
        width = max(len(name) for name, _ in lines)
        text = "".join(f"{name:<{width}}  {value}\n" for name, value in lines)
    if format is Format.JSON:
        text = json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    write_text(output, text)


def _table(models: Sequence[InstalledModel]) -> str:
    """Write a row for each model, and below them what does not fit in a row."""
    head = ("name", "task", "language", "size", "license")
    rows = [head, *((m.name, m.task, m.language, _size(m.size), m.license) for m in models)]
    texts = [[str(cell or "-") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in texts]
    for model in models:
        lines += ["", f"{model.name}: {model.data or 'its file does not name the data'}"]
        lines += [f"  {name}: {score_text(score)}" for name, score in model.scores.items()]
    return "".join(f"{line}\n" for line in lines)


def _described(name: str) -> dict[str, Any]:
    from treaty.learn import ModelFile, model_path

    path = model_path(name)
    file = ModelFile.read(path)
    tensors = file.tensors.values()
    return {
        "file": str(path),
        "size": path.stat().st_size,
        "task": file.task,
        **{key: _shortened(value) for key, value in file.header.items()},
        "tensors": {"count": len(tensors), "bytes": sum(tensor.nbytes for tensor in tensors)},
    }


def _shortened(value: Any) -> Any:
    """Count what is long."""
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        if len(value) > MOST_LISTED:
            return f"{len(value):,} entries"
        return [_shortened(item) for item in value]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}… ({len(value):,} characters)"
    return value


def _lines(told: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Flatten what is nested: ``info.language``."""
    for key, value in told.items():
        name = f"{prefix}{key}"
        if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
            value = dict(enumerate(value, 1))
        if isinstance(value, Mapping):
            yield from _lines(value, f"{name}.")
        elif name in ("size", "tensors.bytes"):
            yield name, _size(value)
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield name, " ".join(text.split())


def _size(number: int) -> str:
    """Write a number of bytes for people.

    Examples
    --------
    >>> _size(999), _size(21353447)
    ('999 B', '21.4 MB')
    """
    size, unit = float(number), "B"
    for larger in ("kB", "MB", "GB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{number} B" if unit == "B" else f"{size:.3g} {unit}"
