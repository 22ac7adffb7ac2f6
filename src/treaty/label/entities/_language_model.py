"""What tags words and finds the words of a text: an installed model, or the labeler's own."""

from __future__ import annotations

from pathlib import Path

from treaty.errors import ModelError
from treaty.learn import is_installed
from treaty.parse import Tagger

__all__ = ["check_installed", "own_tagger"]


def own_tagger(given: str | Path | Tagger | None) -> Tagger | None:
    """Load the tagger that a labeler shall keep in its file; None if an installed model serves.

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
    """Refuse a name that leads anywhere but to an installed model: it comes from a file.

    Examples
    --------
    >>> check_installed("english")
    """
    if not is_installed(name):
        raise ModelError(
            f"the labeler needs the language model {name!r}, which is not installed: install the "
            "package that has it, or train the labeler again with a file, which it then keeps"
        )
