"""Tables of installed models, and descriptions of single ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from treaty.show._arcs import visible

if TYPE_CHECKING:
    from treaty.learn import InstalledModel, ModelFile

__all__ = ["model_record", "model_text", "models_text", "score_text", "scores_line"]

MOST_LISTED = 8
"""Maximum length of a list that is shown; of longer ones, the length is shown."""
MOST_CHARACTERS = 200


def models_text(models: Sequence[InstalledModel]) -> str:
    """Write a table of installed models, followed by what does not fit into a row.

    Examples
    --------
    >>> from treaty.learn import models
    >>> print(models_text(models()).splitlines()[0])
    name        task        language                                       size     license
    """
    head = ("name", "task", "language", "size", "license")
    rows = [head, *((m.name, m.task, m.language, _size(m.size), m.license) for m in models)]
    texts = [[visible(str(cell or "-")) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in texts]
    for model in models:
        data = visible(model.data or "the file does not give its data")
        lines += ["", f"{visible(model.name)}: {data}"]
        lines += [f"  {visible(scores_line(model.scores))}"] if model.scores else []
    return "".join(f"{line}\n" for line in lines)


def model_record(file: ModelFile) -> dict[str, Any]:
    """Return all data of a model for JSON; long lists are replaced by their length.

    Examples
    --------
    >>> from treaty.learn import ModelFile
    >>> model_record(ModelFile("toy", {"labels": ["a"] * 12}, {}))
    {'file': '<model>', 'task': 'toy', 'labels': '12 entries', 'tensors': {'count': 0, 'bytes': 0}}
    """
    tensors = file.tensors.values()
    return {
        "file": file.name,
        "task": file.task,
        **{key: _shortened(value) for key, value in file.header.items()},
        "tensors": {"count": len(tensors), "bytes": sum(tensor.nbytes for tensor in tensors)},
    }


def model_text(file: ModelFile) -> str:
    """Write all data of a model, a line for each entry of its header.

    Examples
    --------
    >>> from treaty.learn import ModelFile
    >>> print(model_text(ModelFile("toy", {"info": {"language": "en"}}, {})), end="")
    file           <model>
    task           toy
    info.language  en
    tensors.count  0
    tensors.bytes  0 B
    """
    lines = [(visible(name), value) for name, value in _lines(model_record(file))]
    width = max(len(name) for name, _ in lines)
    return "".join(f"{name:<{width}}  {visible(value)}\n" for name, value in lines)


def scores_line(scores: Mapping[str, Any]) -> str:
    """Write scores in one line.

    Examples
    --------
    >>> scores_line({"UAS": 0.9125, "candidates": 4.32})
    'UAS 91.25 %; candidates 4.32'
    """
    return "; ".join(f"{name} {score_text(score)}" for name, score in scores.items())


def score_text(score: object) -> str:
    """Format a score: from 0 to 1 in percent, any other number unchanged."""
    if not isinstance(score, int | float):
        return str(score)
    return f"{100 * score:.2f} %" if 0 <= score <= 1 else f"{score:.4g}"


def _shortened(value: Any) -> Any:
    """Replace long lists by their length."""
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        if len(value) > MOST_LISTED:
            return f"{len(value):,} entries"
        return [_shortened(item) for item in value]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:MOST_CHARACTERS]}… ({len(value):,} characters)"
    return value


def _lines(entries: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Flatten nested entries: ``info.language``."""
    for key, value in entries.items():
        name = f"{prefix}{key}"
        if isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
            value = dict(enumerate(value, 1))
        if isinstance(value, Mapping):
            yield from _lines(value, f"{name}.")
        elif name == "tensors.bytes":
            yield name, _size(value)
        else:
            text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield name, " ".join(text.split())


def _size(number: int) -> str:
    """Format a number of bytes for people.

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
