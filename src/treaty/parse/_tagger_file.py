"""Taggers in model files, alone or among other models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import ModelError, TreatyError
from treaty.features import TemplateSet
from treaty.learn import ModelFile, load_model, pack_weights, save_model
from treaty.parse._clusters import KIN_PREFIX, Clusters
from treaty.parse._tag_dictionary import TagDictionary
from treaty.parse._tagger import TAG_COLUMNS, ColumnTagger, Tagger
from treaty.parse._tokenizer_file import tokenizer_from, tokenizer_header, tokenizer_tensors

__all__ = ["load_tagger", "save_tagger", "tagger_from", "tagger_header", "tagger_tensors"]

TASK = "tagger"
MOST_BITS = 26


def save_tagger(tagger: Tagger, path: str | Path) -> None:
    """Write a tagger, and its tokenizer if it has one, to a model file of its own."""
    header, tensors = tagger_header(tagger), tagger_tensors(tagger)
    if tagger.tokenizer is not None:
        header["tokenizer"] = tokenizer_header(tagger.tokenizer)
        tensors |= tokenizer_tensors(tagger.tokenizer)
    if tagger.clusters is not None:
        tensors |= tagger.clusters.tensors()
    save_model(path, task=TASK, header=header, tensors=tensors)


def load_tagger(path: str | Path | IO[bytes]) -> Tagger:
    """Read a tagger from a model file of its own, or from one that has a parser too."""
    file = load_model(path)
    if file.header["task"] != TASK and "tagger" not in file.header:
        raise ModelError(f"{file.name}: a model for {file.header['task']!r}; it has no tagger")
    header = file.header if file.header["task"] == TASK else file.value("tagger", dict)
    tagger = tagger_from(file, header, Clusters.of_model(file))
    if "tokenizer" in file.header:
        tagger.tokenizer = tokenizer_from(file, file.value("tokenizer", dict))
    return tagger


def tagger_header(tagger: Tagger) -> dict[str, Any]:
    """All of a tagger that is no array."""
    columns = [
        {
            "column": t.column,
            "earlier": list(t.earlier),
            "tags": t.tags,
            "bits": t.bits,
            "templates": [list(s.templates) for s in t.templates],
        }
        for t in tagger.taggers
    ]
    return {"columns": columns, "info": tagger.info}


def tagger_tensors(tagger: Tagger, prefix: str = "tagger.") -> dict[str, npt.NDArray[np.generic]]:
    """All arrays of a tagger, packed, but for the clusters that it may share with a parser."""
    tensors = tagger.kin.tensors(KIN_PREFIX) if tagger.kin is not None else {}
    for t in tagger.taggers:
        name = f"{prefix}{t.column}."
        tensors |= pack_weights(f"{name}weights", t.model.weights.values)
        tensors |= t.dictionary.tensors(name)
    return tensors


def tagger_from(
    file: ModelFile,
    header: Mapping[str, Any],
    clusters: Clusters | None,
    prefix: str = "tagger.",
) -> Tagger:
    """Make a tagger of what a model file holds, checking everything."""
    info = file.checked(header.get("info"), dict, "info")
    sets = {"clusters": clusters, "kin": Clusters.of_model(file, KIN_PREFIX)}
    taggers: list[ColumnTagger] = []
    for entry in file.checked(header.get("columns"), list, "columns"):
        before = [tagger.column for tagger in taggers]
        entry = file.checked(entry, dict, "columns")
        taggers.append(_column(file, entry, before, sets, prefix))
    if not taggers:
        raise file.fault("it fills no column")
    return Tagger(taggers, info)


def _column(
    file: ModelFile,
    entry: dict[str, Any],
    before: list[str],
    clusters: Mapping[str, Clusters | None],
    prefix: str,
) -> ColumnTagger:
    column = file.checked(entry.get("column"), str, "column")
    earlier = file.texts(entry.get("earlier"), "earlier")
    tags = file.texts(entry.get("tags"), "tags")
    bits = file.checked(entry.get("bits"), int, "bits")
    lists = file.checked(entry.get("templates"), list, "templates")
    sets = [TemplateSet(tuple(file.texts(lines, "templates"))) for lines in lists]
    if column not in TAG_COLUMNS or column in before or not set(earlier) <= set(before):
        raise file.fault(f"the column {column!r} cannot be filled")
    if not tags or not 1 <= bits <= MOST_BITS or len(sets) != 3:
        raise file.fault(f"{column}: tags, bits or templates are not those of a tagger")
    name = f"{prefix}{column}."
    codes = file.codes(f"{name}weights", 2**bits)
    dictionary = TagDictionary.read(file, name, len(tags))
    try:
        tagger = ColumnTagger(
            column,
            tags,
            dictionary,
            earlier=earlier,
            templates=sets,
            bits=bits,
            **clusters,
        )
    except TreatyError as error:
        raise file.fault(f"{column}: {error.message}") from error
    tagger.model.weights.freeze(*codes)
    return tagger
