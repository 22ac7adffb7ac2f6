"""The contents of the file of a `GraphModel`, and their validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty.errors import UsageError
from treaty.learn._model_file import ModelFile, string_tensor
from treaty.learn._scorers import HashedLinear, Scorer

__all__ = [
    "checked_settings",
    "checked_tables",
    "read_settings",
    "read_tables",
    "read_templates",
    "read_weights",
    "table_tensors",
    "weight_tensors",
]

Tables = dict[str, dict[str, float]]
Tensors = dict[str, npt.NDArray[Any]]

MOST_WEIGHT = 1e9
"""Limit on the size of weights: far above any learned weight, and sums of them stay finite."""


def weight_tensors(weights: npt.NDArray[np.float32]) -> Tensors:
    """Store the nonzero weights."""
    (places,) = np.nonzero(weights)
    return {"weights.places": places.astype(np.int32), "weights.values": weights[places]}


def read_weights(file: ModelFile, scorer: Scorer) -> npt.NDArray[np.floating[Any]]:
    """Read the weights of a scorer: of a hashed one, those that `weight_tensors` has stored."""
    limits = {"least": -MOST_WEIGHT, "most": MOST_WEIGHT}
    if not isinstance(scorer, HashedLinear):
        return file.tensor("weights", np.float64, scorer.size, **limits)
    places = file.tensor("weights.places", np.int32, least=0, most=scorer.size - 1)
    values = file.tensor("weights.values", np.float32, len(places), **limits)
    if not (np.diff(places) > 0).all():
        raise file.fault("weights.places: expected ascending numbers")
    weights = scorer.initial(0)
    weights[places] = values
    return weights


def checked_tables(tables: Mapping[str, Mapping[str, float]], names: Sequence[str]) -> Tables:
    """Raise `UsageError` for tables that the model does not declare or a file cannot store."""
    if set(tables) != set(names):
        raise UsageError(
            f"count() returned the tables {', '.join(map(repr, tables)) or 'none'}, but the model "
            f"declares {', '.join(map(repr, names)) or 'none'}"
        )
    for name, table in tables.items():
        for key, value in table.items():
            if not isinstance(key, str) or "\n" in key or not np.isfinite(value):
                raise UsageError(
                    f"table {name!r}: expected strings without line breaks and finite numbers, "
                    f"found {key!r}: {value!r}"
                )
    return {name: {key: float(tables[name][key]) for key in sorted(tables[name])} for name in names}


def table_tensors(tables: Tables) -> Tensors:
    """Store tables made by `checked_tables`."""
    tensors: Tensors = {}
    for name, table in tables.items():
        tensors[f"table.{name}.keys"] = string_tensor(table)
        tensors[f"table.{name}.values"] = np.array([*table.values()], np.float64)
    return tensors


def read_tables(file: ModelFile, names: Sequence[str]) -> Tables:
    """Invert `table_tensors`."""
    tables: Tables = {}
    for name in names:
        keys = file.string_list(f"table.{name}.keys")
        values = file.tensor(f"table.{name}.values", np.float64, len(keys))
        if any(first >= second for first, second in pairwise(keys)):
            raise file.fault(f"table {name!r}: expected ascending keys")
        tables[name] = dict(zip(keys, values.tolist(), strict=True))
    return tables


def read_templates(file: ModelFile) -> dict[str, tuple[str, ...]]:
    """Read the templates of each kind."""
    templates = file.value("templates", dict)
    return {
        file.checked(kind, str, "templates"): tuple(
            file.checked_strings(own, f"templates of {kind}")
        )
        for kind, own in templates.items()
    }


def checked_settings(
    task: str, defaults: Mapping[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the given settings; raise `UsageError` for names and types unlike the defaults'."""
    checked = dict(given)
    for name, value in given.items():
        if name not in defaults:
            known = ", ".join(defaults) or "none"
            raise UsageError(f"{task} has no setting {name!r}; there are: {known}")
        kind = type(defaults[name])
        if kind is float and type(value) is int:
            checked[name] = float(value)
        elif type(value) is not kind:
            raise UsageError(f"{name}: expected a value of type {kind.__name__}, found {value!r}")
    return checked


def read_settings(file: ModelFile, defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Read the settings, which must have the same names and types as the defaults."""
    settings = file.value("settings", dict)
    if set(settings) != set(defaults):
        raise file.fault(f"settings: expected {', '.join(defaults) or 'none'}")
    return {
        name: file.checked(settings[name], type(default), f"settings: {name}")
        for name, default in defaults.items()
    }
