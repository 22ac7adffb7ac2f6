"""CRFs read from model files, with nothing taken on trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from treaty.errors import ModelError, TreatyError
from treaty.label._crf import PatternCrf
from treaty.label._kinds import PatternKind
from treaty.learn import ModelFile

__all__ = ["read_crf"]


def read_crf(file: ModelFile, header: Mapping[str, Any], prefix: str) -> PatternCrf:
    """Make a model of what a file holds, or raise a `ModelError`."""
    labels = file.texts(header.get("labels"), "labels")
    entries = file.checked(header.get("kinds"), list, "kinds")
    try:
        crf = PatternCrf(labels, [_kind(file, entry) for entry in entries])
        features = [file.tensor(f"{prefix}{k.name}.features", np.uint64) for k in crf.kinds]
        weights = [
            file.weights(f"{prefix}{kind.name}.weights", len(rows) * len(kind.patterns))
            for kind, rows in zip(crf.kinds, features, strict=True)
        ]
        crf.native.index_features(features)
    except ModelError:
        raise
    except (TreatyError, ValueError, TypeError, OverflowError) as error:
        raise file.fault(f"no labeler ({error})") from error
    crf.native.weights.values[:] = np.concatenate([*weights, np.zeros(0, np.float32)])
    return crf


def _kind(file: ModelFile, entry: Any) -> PatternKind:
    fields = file.checked(entry, dict, "kinds")
    patterns, forbidden = (
        tuple(_pattern(file, p) for p in file.checked(fields.get(key), list, key))
        for key in ("patterns", "forbidden")
    )
    return PatternKind(file.checked(fields.get("name"), str, "name"), patterns, forbidden)


def _pattern(file: ModelFile, entry: Any) -> tuple[int, ...]:
    labels = file.checked(entry, list, "patterns")
    return tuple(file.checked(label, int, "patterns") for label in labels)
