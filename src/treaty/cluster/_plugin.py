"""The worker plugin that brings models to workers. It needs `distributed` when it is imported."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from distributed import WorkerPlugin

from treaty.cluster._models import kept_model, missing_models

__all__ = ["ModelPlugin"]


class ModelPlugin(WorkerPlugin):  # type: ignore[misc] # distributed has no types
    """Brings the files of models to workers that lack them, also to those that join later.

    Parameters
    ----------
    models
        The hashes of model files by name.
    files
        The content of those that some workers may lack, by hash.

    Examples
    --------
    >>> ModelPlugin({"english": "ab" * 32}, {}).name == ModelPlugin({"e": "ab" * 32}, {}).name
    True
    """

    def __init__(self, models: Mapping[str, str], files: Mapping[str, bytes]) -> None:
        self.models, self.files = dict(models), dict(files)
        key = hashlib.sha256("".join(sorted(self.models.values())).encode()).hexdigest()[:16]
        self.name = f"treaty-models-{key}"

    def setup(self, worker: Any) -> None:
        """Keep the files that this worker lacks."""
        for name in missing_models(self.models):
            sha256 = self.models[name]
            if sha256 in self.files:
                kept_model(self.files[sha256], sha256)
