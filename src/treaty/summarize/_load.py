"""The summarizer that comes with Treaty."""

from __future__ import annotations

from pathlib import Path

from treaty.summarize._summarizer import Summarizer

__all__ = ["load_summarizer"]


def load_summarizer(name: str | Path = "summarizer") -> Summarizer:
    """Load a summarizer."""
    return Summarizer(info={"model": str(name)})
