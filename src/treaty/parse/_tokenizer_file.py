"""Tokenizers in model files, alone or among other models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from treaty.errors import TreatyError
from treaty.features import TemplateSet
from treaty.learn import ModelFile, load_model, pack_weights, save_model
from treaty.parse._tokenizer import Tokenizer

__all__ = [
    "load_tokenizer",
    "save_tokenizer",
    "tokenizer_from",
    "tokenizer_header",
    "tokenizer_tensors",
]

TASK = "tokenizer"
MOST_BITS = 26


def save_tokenizer(tokenizer: Tokenizer, path: str | Path) -> None:
    """Write a tokenizer to a model file of its own."""
    header, tensors = tokenizer_header(tokenizer), tokenizer_tensors(tokenizer)
    save_model(path, task=TASK, header=header, tensors=tensors)


def load_tokenizer(path: str | Path | IO[bytes]) -> Tokenizer:
    """Read a tokenizer from a model file of its own."""
    file = load_model(path, task=TASK)
    return tokenizer_from(file, file.header)


def tokenizer_header(tokenizer: Tokenizer) -> dict[str, Any]:
    """All of a tokenizer that is no array."""
    templates = [list(s.templates) for s in tokenizer.templates]
    return {"bits": tokenizer.bits, "templates": templates, "info": tokenizer.info}


def tokenizer_tensors(
    tokenizer: Tokenizer, prefix: str = "tokenizer."
) -> dict[str, npt.NDArray[np.generic]]:
    """All arrays of a tokenizer, packed; their names begin with the prefix."""
    return pack_weights(f"{prefix}weights", tokenizer.model.weights.values)


def tokenizer_from(
    file: ModelFile, header: Mapping[str, Any], prefix: str = "tokenizer."
) -> Tokenizer:
    """Make a tokenizer of what a model file holds, checking everything."""
    bits = file.checked(header.get("bits"), int, "bits")
    info = file.checked(header.get("info"), dict, "info")
    lists = file.checked(header.get("templates"), list, "templates")
    sets = [TemplateSet(tuple(file.texts(lines, "templates"))) for lines in lists]
    if not 1 <= bits <= MOST_BITS or len(sets) != 3:
        raise file.fault("bits or templates are not those of a tokenizer")
    codes = file.codes(f"{prefix}weights", 2**bits)
    try:
        tokenizer = Tokenizer(templates=sets, bits=bits, info=info)
    except TreatyError as error:
        raise file.fault(error.message) from error
    tokenizer.model.weights.freeze(*codes)
    return tokenizer
