"""CRFs as parts of model files; all contents are validated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treaty.errors import ModelError, TreatyError
from treaty.label._crf import PatternCrf
from treaty.label._kinds import PatternKind
from treaty.learn import Int, ModelFile, Text, Texts, pack_weights, rows_to_keep

__all__ = ["TASK", "crf_header", "crf_of_bytes", "crf_of_file", "file_of_crf"]

TASK = "crf"
MOST_LABELS, MOST_KINDS, LONGEST_PATTERN = 2**12, 256, 16
LEAST_WEIGHT = 1e-3
"""Rows whose weights are all smaller are not stored."""


def file_of_crf(crf: PatternCrf) -> ModelFile:
    """Return the contents of a CRF's file: labels and kinds in the header, features and weights."""
    tensors: dict[str, Any] = {}
    for number, (kind, rows) in enumerate(zip(crf.kinds, crf.weights(), strict=True)):
        kept = rows_to_keep(rows, LEAST_WEIGHT)
        tensors[f"{kind.name}.features"] = crf.native.features(number)[kept]
        tensors |= pack_weights(f"{kind.name}.weights", rows[kept].ravel())
    return ModelFile(TASK, crf_header(crf.labels, crf.kinds), tensors)


def crf_header(labels: Sequence[str], kinds: Sequence[PatternKind]) -> dict[str, Any]:
    """Return all of a CRF but its arrays, as JSON values."""
    entries = [
        {
            "name": kind.name,
            "patterns": _lists(kind.patterns),
            "forbidden": _lists(kind.forbidden),
            **({"tied": True} if kind.tied else {}),
        }
        for kind in kinds
    ]
    return {"labels": list(labels), "kinds": entries}


def _lists(patterns: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(pattern) for pattern in patterns]


def crf_of_bytes(data: bytes) -> PatternCrf:
    """Make a CRF from the bytes of its file."""
    return crf_of_file(ModelFile.from_bytes(data, task=TASK))


def crf_of_file(file: ModelFile) -> PatternCrf:
    """Make a CRF from the contents of a file; raise `ModelError` if anything is invalid."""
    labels, entries = file.strings("labels", Texts(1, MOST_LABELS)), file.value("kinds", list)
    if not 1 <= len(entries) <= MOST_KINDS:
        raise file.fault(f"kinds: expected 1 to {MOST_KINDS}, found {len(entries)}")
    try:
        crf = PatternCrf(labels, [_kind(file, entry) for entry in entries])
        features = [file.tensor(f"{kind.name}.features", np.uint64) for kind in crf.kinds]
        weights = [
            file.weights(f"{kind.name}.weights", len(rows) * kind.columns)
            for kind, rows in zip(crf.kinds, features, strict=True)
        ]
        crf.native.index_features(features)
    except ModelError:
        raise
    except (TreatyError, ValueError) as error:
        raise file.fault(f"not a valid labeler ({error})") from error
    crf.native.weights.values[:] = np.concatenate([*weights, np.zeros(0, np.float32)])
    return crf


def _kind(file: ModelFile, entry: object) -> PatternKind:
    fields = file.checked(entry, dict, "kinds")
    patterns, forbidden = (
        tuple(_pattern(file, p) for p in file.checked(fields.get(key), list, key))
        for key in ("patterns", "forbidden")
    )
    name = file.checked(fields.get("name"), Text(), "name")
    tied = file.checked(fields.get("tied", False), bool, "tied")
    return PatternKind(name, patterns, forbidden, tied)


def _pattern(file: ModelFile, entry: object) -> tuple[int, ...]:
    labels = file.checked(entry, list, "patterns")
    if len(labels) > LONGEST_PATTERN:
        raise file.fault(f"patterns: expected at most {LONGEST_PATTERN} labels")
    return tuple(file.checked(label, Int(0, MOST_LABELS), "patterns") for label in labels)
