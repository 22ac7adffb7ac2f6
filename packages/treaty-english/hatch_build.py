"""Takes the model files from the repository, where there is only one copy of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ModelFiles(BuildHookInterface):
    """In the repository, add the files of src/treaty/shipped; a source distribution has them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to what is built."""
        own = Path(self.root) / "src" / "treaty_english"
        shipped = Path(self.root).parents[1] / "src" / "treaty" / "shipped"
        folder = "src/treaty_english" if self.target_name == "sdist" else "treaty_english"
        files = sorted(shipped.glob("*.treaty")) if shipped.is_dir() else []
        if not files and not list(own.glob("*.treaty")):
            raise FileNotFoundError(f"there are no models in {own} and {shipped}")
        for path in [*files, shipped / "README.md"] if files else []:
            name = "LICENSES.md" if path.name == "README.md" else path.name
            build_data["force_include"][str(path)] = f"{folder}/{name}"
