"""Tagger and tokenizer of a labeler: an installed model, or one stored with the labeler."""

from __future__ import annotations

from pathlib import Path

from treaty.learn import is_installed
from treaty.parse import Tagger

__all__ = ["own_tagger"]


def own_tagger(given: str | Path | Tagger | None) -> Tagger | None:
    """Load the tagger to store in the labeler's file; None if it is an installed model.

    Parameters
    ----------
    given
        A tagger, the path of a model file, or the name of an installed model.
    """
    if given is None or isinstance(given, Tagger):
        return given
    installed = isinstance(given, str) and is_installed(given)
    return None if installed else Tagger.load(given)
