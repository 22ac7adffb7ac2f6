"""Texts in model files."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from treaty.learn import ModelFile

__all__ = ["text_tensor", "texts_of"]


def text_tensor(texts: Iterable[str]) -> npt.NDArray[np.generic]:
    """Write texts, each ended by a line break, which none of them has in it."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)


def texts_of(file: ModelFile, name: str) -> list[str]:
    """Read what `text_tensor` wrote."""
    try:
        text = file.tensor(name, np.uint8).tobytes().decode()
    except UnicodeDecodeError as error:
        raise file.fault(f"{name}: not UTF-8") from error
    return text.split("\n")[:-1]
