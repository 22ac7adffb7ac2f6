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
from treaty.learn import Calibration, Int, ModelFile, OneOf

__all__ = ["file_of_linker", "linker_of_file"]

MOST_WINDOW = 10_000
MOST_POSTS = 10**12
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
        "calibration": {"link": linker.calibration.to_list()},
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
    made = ThreadLinker(
        file.value("order", OneOf(ORDERS)),
        counts=WordCounts(posts, dict(zip(words.tolist(), counts.tolist(), strict=True))),
        window=window,
        families=families,
        crf=crf,
        info=file.info(),
    )
    made.calibration = Calibration.from_file(file, "link", 1)
    return made


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
