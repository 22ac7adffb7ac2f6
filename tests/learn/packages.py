"""Packages of others, as installers leave them: a folder with entry points on the path."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from treaty.learn import _registry as registry


def forget() -> None:
    """Let the registry look again at what is installed."""
    registry._classes.cache_clear()
    registry._files.cache_clear()


def install(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    *,
    name: str = "others",
    classes: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> Path:
    """Install a distribution with these entry points; gives the folder that is on the path."""
    home = folder / name
    about = home / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = []
    for group, entries in ((registry.CLASSES, classes), (registry.FILES, files)):
        lines += [f"[{group}]", *(f"{key} = {value}" for key, value in (entries or {}).items())]
    (about / "entry_points.txt").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(home)
    forget()
    return home
