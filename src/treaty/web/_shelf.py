"""The models of a server: installed ones by name, each loaded once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from treaty.errors import TreatyError
from treaty.learn import Model, load, models
from treaty.parse import Pipeline, Tagger
from treaty.tasks._run import Models

__all__ = ["Shelf", "UnknownModelError"]

Loaded = TypeVar("Loaded", bound=Model)


class UnknownModelError(TreatyError):
    """A request names a model that is not installed, or one for something else."""


class Shelf(Models):
    """Installed models, loaded when they are first requested. Paths are refused.

    Examples
    --------
    >>> shelf = Shelf()
    >>> shelf.names
    ['english', 'entities', 'summarizer', 'threads']
    >>> shelf.load(Model, "../secret.treaty")
    Traceback (most recent call last):
    treaty.web._shelf.UnknownModelError: there is no model '../secret.treaty': choose one of
    english, entities, summarizer, threads
    """

    reads_files = False

    def __init__(self) -> None:
        self.installed = models()
        self._kept: dict[tuple[str, str], Any] = {}
        self._lock = threading.RLock()
        self.is_ready = False

    @property
    def names(self) -> list[str]:
        """The names of the models."""
        return [model.name for model in self.installed]

    def warm_up(self) -> None:
        """Load the models that come with Treaty, as far as they are installed."""
        from treaty.label import EntityLabeler, ThreadLinker
        from treaty.summarize import Summarizer

        kinds: tuple[type[Model], ...] = (Pipeline, EntityLabeler, ThreadLinker, Summarizer)
        for kind in kinds:
            if kind.shipped in self.names:
                self.load(kind, str(kind.shipped))
        self.is_ready = True

    def load(self, kind: type[Any], name: str) -> Any:
        """Return a model of a class; `Model` is any. The parts of a model are shared."""
        self.check(name)
        if kind is Model:
            return self._once(self._task(name), name, lambda: load(name))
        if kind is Tagger and self._task(name) != Tagger.task:
            return self._once("tagger", name, lambda: self._tagger(name))
        return self._of(kind, name)

    def with_parser(self, summarizer: Any, parser: str | None) -> Any:
        """Return a summarizer with a parser of the shelf: the named one, or its own."""
        chosen = parser or summarizer.parser
        if not isinstance(chosen, str) or (parser is None and chosen not in self.names):
            return summarizer
        return replace(summarizer, parser=self._of(Pipeline, chosen))

    def _tagger(self, name: str) -> Tagger:
        """Return the tagger of a pipeline, which shares its memory."""
        pipeline = self._of(Pipeline, name)
        part = pipeline.tagger
        if part is None:
            raise UnknownModelError(f"the model {name!r} has no tagger")
        tagger = Tagger(part.taggers, part.info, pipeline.tokenizer, pipeline.lemmatizer)
        tagger.calibration = part.calibration
        return tagger

    def check(self, name: str) -> None:
        """Raise `UnknownModelError` unless a model of this name is installed."""
        if name not in self.names:
            raise UnknownModelError(
                f"there is no model {name[:60]!r}: choose one of {', '.join(self.names)}"
            )

    def _task(self, name: str) -> str:
        return next(model.task for model in self.installed if model.name == name)

    def _of(self, kind: type[Loaded], name: str) -> Loaded:
        self.check(name)
        if self._task(name) not in (kind.task, *kind.also_reads):
            raise UnknownModelError(
                f"the model {name!r} is for the task {self._task(name)!r}, not for {kind.task!r}"
            )
        return self._once(kind.task, name, lambda: kind.load(name))

    def _once(self, kind: str, name: str, make: Callable[[], Loaded]) -> Loaded:
        model = self._kept.get((kind, name))
        if model is None:
            with self._lock:  # two requests may need the same model at once
                model = self._kept.get((kind, name))
                if model is None:
                    model = self._kept[kind, name] = make()
        loaded: Loaded = model
        return loaded
