"""Linkers in model files."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import TreatyError
from treaty.label._crf import PatternCrf
from treaty.label.threads._linker import ThreadLinker
from treaty.label.threads._models import LABELS, ORDERS, kinds_of
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts
from treaty.learn import Int, ModelFile, OneOf, Real

__all__ = ["file_of_linker", "linker_of_file"]

MOST_WINDOW = 10_000
MOST_POSTS = 10**12
MOST_SCALE = 1e9
DIRECTIONS = ("left", "right", "up", "down")


def file_of_linker(linker: ThreadLinker) -> ModelFile:
    """Return the contents of a linker's model file."""
    header: dict[str, Any] = {
        "order": linker.order,
        "window": linker.window,
        "families": [
            {"name": f.name, "directions": list(f.directions), "templates": list(f.templates)}
            for f in linker.families
        ],
        "scale": list(linker.scale),
        "posts": linker.counts.posts,
        "info": linker.info,
    }
    words = sorted(linker.counts.counts.items())
    tensors: dict[str, npt.NDArray[np.generic]] = {
        "words": np.array([word for word, _ in words], np.uint64),
        "counts": np.array([count for _, count in words], np.int32),
    }
    return ModelFile(ThreadLinker.task, header, tensors).with_part("crf", linker.crf.to_file())


def linker_of_file(file: ModelFile) -> ThreadLinker:
    """Make a linker from the contents of a model file and validate it."""
    window = file.value("window", Int(1, MOST_WINDOW))
    posts = file.value("posts", Int(0, MOST_POSTS))
    words = file.tensor("words", np.uint64)
    counts = file.tensor("counts", np.int32, len(words), least=0)
    crf = PatternCrf.from_file(file.part("crf"))
    families = [
        _family(file, entry, kind.patterns)
        for entry, kind in zip(file.value("families", list), crf.kinds, strict=False)
    ]
    if crf.labels != LABELS or tuple(kinds_of(families)) != crf.kinds:
        raise file.fault("the factors do not match the model")
    return ThreadLinker(
        file.value("order", OneOf(ORDERS)),
        counts=WordCounts(posts, dict(zip(words.tolist(), counts.tolist(), strict=True))),
        window=window,
        families=families,
        crf=crf,
        scale=_scale(file),
        info=file.info(),
    )


def _family(file: ModelFile, entry: object, patterns: tuple[tuple[int, ...], ...]) -> Family:
    fields = file.checked(entry, dict, "families")
    directions = file.checked_strings(fields.get("directions"), "directions")
    templates = file.checked_strings(fields.get("templates"), "templates")
    name = file.checked(fields.get("name"), str, "families")
    if len(directions) > 2 or not set(directions) <= set(DIRECTIONS):
        raise file.fault(f"{name}: not valid directions in the grid")
    try:
        return Family(name, tuple(directions), tuple(templates), patterns)
    except TreatyError as error:
        raise file.fault(error.message) from error


def _scale(file: ModelFile) -> tuple[float, float]:
    numbers = file.value("scale", list)
    if len(numbers) != 2:
        raise file.fault("scale: expected two numbers")
    slope, offset = (
        file.checked(number, Real(-MOST_SCALE, MOST_SCALE), "scale") for number in numbers
    )
    return slope, offset
