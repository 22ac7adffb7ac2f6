"""Tagger and tokenizer of a labeler: an installed model, or one stored with the labeler."""

from __future__ import annotations

from pathlib import Path

from treaty.errors import ModelError
from treaty.learn import is_installed
from treaty.parse import Tagger

__all__ = ["check_installed", "own_tagger"]


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


def check_installed(name: str) -> None:
    """Raise `ModelError` unless the name, which comes from a file, is an installed model.

    Examples
    --------
    >>> check_installed("english")
    """
    if not is_installed(name):
        raise ModelError(
            f"the labeler needs the language model {name!r}, which is not installed: install the "
            "package that provides it, or retrain the labeler with a model file, which it stores"
        )
