"""The models of a server: installed ones by name, each loaded once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from treaty.errors import TreatyError
from treaty.learn import Model, load, models
from treaty.parse import Pipeline, Tagger

if TYPE_CHECKING:
    from treaty.label import EntityLabeler, ThreadLinker
    from treaty.summarize import Summarizer

__all__ = ["SIMPLE", "Shelf", "UnknownModelError"]

SIMPLE = "simple"
"""The summarizer without weights, as on the command line."""
Loaded = TypeVar("Loaded", bound=Model)


class UnknownModelError(TreatyError):
    """A request names a model that is not installed, or one for something else."""


class Shelf:
    """Installed models, loaded when they are first asked for. Paths are refused.

    Examples
    --------
    >>> shelf = Shelf()
    >>> shelf.names
    ['english', 'entities', 'summarizer', 'threads']
    >>> shelf.load("../secret.treaty")
    Traceback (most recent call last):
    treaty.web._shelf.UnknownModelError: there is no model '../secret.treaty': choose one of
    english, entities, summarizer, threads
    """

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
        for get, name in (
            (self.pipeline, Pipeline.shipped),
            (self.labeler, "entities"),
            (self.linker, "threads"),
            (self.summarizer, "summarizer"),
        ):
            if name in self.names:
                get(name)
        self.is_ready = True

    def load(self, name: str) -> Model:
        """Return a model of any kind."""
        self.check(name)
        return self._once(self._task(name), name, lambda: load(name))

    def pipeline(self, name: str) -> Pipeline:
        """Return a pipeline, or a parser as one."""
        return self._of(Pipeline, name)

    def tagger(self, name: str) -> Tagger:
        """Return a tagger; that of a pipeline shares its memory."""

        def of_pipeline() -> Tagger:
            pipeline = self.pipeline(name)
            own = pipeline.tagger
            if own is None:
                raise UnknownModelError(f"the model {name!r} has no tagger")
            made = Tagger(own.taggers, own.info, pipeline.tokenizer, pipeline.lemmatizer)
            made.calibration = own.calibration
            return made

        self.check(name)
        if self._task(name) == Tagger.task:
            return self._of(Tagger, name)
        return self._once("tagger", name, of_pipeline)

    def labeler(self, name: str) -> EntityLabeler:
        """Return a model for names."""
        from treaty.label import EntityLabeler

        return self._of(EntityLabeler, name)

    def linker(self, name: str) -> ThreadLinker:
        """Return a model for threads."""
        from treaty.label import ThreadLinker

        return self._of(ThreadLinker, name)

    def summarizer(self, name: str, parser: str | None = None) -> Summarizer:
        """Return a summarizer, with a parser of the shelf."""
        from treaty.summarize import SimpleScorer, Summarizer

        if name == SIMPLE:
            found = self._once(SIMPLE, name, lambda: Summarizer(SimpleScorer()))
        else:
            found = self._of(Summarizer, name)
        wanted = parser or found.parser
        if not isinstance(wanted, str) or (parser is None and wanted not in self.names):
            return found
        whole = self.pipeline(wanted)
        return self._once(f"summarizer {wanted}", name, lambda: replace(found, parser=whole))

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
        found = self._kept.get((kind, name))
        if found is None:
            with self._lock:  # two requests may ask for the same model at once
                found = self._kept.get((kind, name))
                if found is None:
                    found = self._kept[kind, name] = make()
        made: Loaded = found
        return made
