"""The models that come with Treaty."""

from __future__ import annotations

from pathlib import Path

from treaty.errors import ModelError

__all__ = ["model_path"]

FOLDER = Path(__file__).parents[1] / "models"
EMBEDDED = ("english", "entities", "summarizer", "threads")


def model_path(name: str | Path) -> Path:
    """Find a model file.

    Parameters
    ----------
    name
        ``"english"``, ``"entities"``, ``"summarizer"`` or ``"threads"`` for a model that comes with
        Treaty, or the path of a file.

    Examples
    --------
    >>> model_path("danish.treaty").name
    'danish.treaty'
    """
    if name not in EMBEDDED:
        return Path(name)
    path = FOLDER / f"{name}.treaty"
    if not path.exists():
        raise ModelError(
            f"the model {name!r} is not part of this installation: train one with "
            "'treaty train', and give its file as the model"
        )
    return path
