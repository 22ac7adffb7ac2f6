"""The linker: which post of a thread depends on which, with a certificate."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from treaty.corpus import Link, Post, Thread, read_threads
from treaty.errors import UsageError
from treaty.evaluate import link_scores
from treaty.label._crf import PatternCrf
from treaty.label._labeling import Labeling
from treaty.label.threads._batch import Batch
from treaty.label.threads._confidence import confidence, margins
from treaty.label.threads._models import LABELS, families_of, kinds_of
from treaty.label.threads._pairs import Piece, all_pieces, pairs_left_out
from treaty.label.threads._posts import PostTable
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts
from treaty.learn import Model, ModelFile, Sample
from treaty.progress import OnProgress
from treaty.solve import Certificate, Certified

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["LinkedThread", "ThreadLinker"]

Item = TypeVar("Item")

WINDOW = 30
"""Posts back that a link may reach; 15 of 54,505 in the training data reach further."""
EPOCHS = 6
"""Chosen on dev data of STAC and IRC, for all orders alike."""
PAIRS_AT_A_TIME = 20_000
"""Pairs whose features are in memory while threads are linked."""
EXACT: dict[str, Any] = {"method": "exact", "iterations": 20}
"""Branch and bound proves nearly all threads, and most of them without a branch."""


@dataclass(frozen=True, slots=True)
class LinkedThread(Certified):
    """A thread with the links that were found, and what they are worth.

    Attributes
    ----------
    thread
        A copy, with these links in place of others.
    confidences
        How sure each link is, from 0 to 1: its probability if all other answers are right.
    certificate
        What the links are worth; of a long thread, what those of all its pieces are worth.
    left_out
        Pairs of posts that were not looked at, for being too far apart.
    """

    thread: Thread
    confidences: tuple[float, ...]
    certificate: Certificate
    left_out: int

    def to_dict(self) -> dict[str, Any]:
        """Give the thread, the confidences of its links and the certificate, for JSON."""
        return {
            **self.thread.to_dict(),
            "confidences": [round(c, 4) for c in self.confidences],
            "left_out": self.left_out,
            "certificate": self.certificate.to_dict(),
        }

    def to_json(self) -> str:
        """Write all of it as a line of JSON, which `treaty.corpus.read_threads` reads."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


class ThreadLinker(Model):
    """A model that links each post of a thread to those it depends on.

    Every pair of a post and an earlier one is a vertex of a grid, linked or not (Qian & Liu 2014,
    section 4.2). Made by `ThreadLinker.train` or `ThreadLinker.load`.

    Attributes
    ----------
    order
        What is scored together: ``"independent"`` pairs, ``"2d"`` neighbors of the grid, or
        ``"3-wise"`` triples of it.
    window
        How many posts back a link may reach.
    families, crf
        The factors, and the model of them.
    counts
        How rare words are.
    scale
        Slope and offset from a link's margin to its confidence.
    info
        What is known of it: language, data, license, training settings, scores.
    """

    task = "threads"
    shipped = "threads"

    def __init__(
        self,
        order: str = "3-wise",
        *,
        counts: WordCounts | None = None,
        window: int = WINDOW,
        families: Sequence[Family] | None = None,
        crf: PatternCrf | None = None,
        scale: tuple[float, float] = (1.0, 0.0),
        info: Mapping[str, Any] | None = None,
    ) -> None:
        if window < 1:
            raise UsageError(f"window must be 1 or more, not {window}")
        self.order, self.window = order, window
        self.families = tuple(families or families_of(order))
        self.counts = counts or WordCounts(0, {})
        self.crf = crf or PatternCrf(LABELS, kinds_of(self.families))
        self.scale, self.info = scale, dict(info or {})

    @classmethod
    def train(
        cls,
        examples: Iterable[Thread],
        dev: Iterable[Thread] = (),
        *,
        order: str = "3-wise",
        window: int = WINDOW,
        epochs: int = EPOCHS,
        seed: int = 1,
        threads: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Self:
        """Train a linker on threads with links.

        Parameters
        ----------
        examples
            What to learn from. Links to later posts, and those beyond the window, are left out.
        dev
            Held-out threads: how readily links are made is tuned on them for F1, and how sure they
            are is measured there; without, on the examples.
        order, window
            See the class.
        epochs, seed
            How often all threads are seen, and what their order depends on.
        threads
            Threads linked at the same time; the result does not depend on it.
        checkpoint, resume
            A path for the state after each epoch, and whether to continue from it, to the same
            bytes as an uninterrupted run.
        progress
            Called with `treaty.Progress` events.
        info
            Kept in the model: language, data, license.
        **options
            Settings of the learner, see `treaty.label.TrainingOptions`.

        Examples
        --------
        >>> from treaty.corpus import Post
        >>> posts = [Post("Any sheep?", "Ann"), Post("No.", "Bob"), Post("Sorry!", "Cid")]
        >>> thread = Thread(posts, [Link(1, 0), Link(2, 0)])
        >>> linker = ThreadLinker.train([thread] * 5, order="2d", epochs=3)
        >>> (linked,) = linker.predict([Thread(posts)])
        >>> linked.thread.links
        [Link(source=1, target=0, label=''), Link(source=2, target=0, label='')]
        """
        from treaty.label.threads._training import train

        linker = cls(order, window=window, info=info)
        settings = {"epochs": epochs, "seed": seed, "threads": threads, **options}
        train(linker, list(examples), list(dev), settings, checkpoint, resume, progress)
        return linker

    def predict(
        self,
        inputs: Iterable[Thread],
        *,
        order: str | None = None,
        method: str = "auto",
        threads: int = 1,
        **limits: Any,
    ) -> Iterator[LinkedThread]:
        """Link threads as they come.

        Parameters
        ----------
        inputs
            What to link; they stay as they are, and links they have do not matter.
        order
            A lower order than the model's is faster and less accurate.
        method, **limits
            How they are decoded, see `PatternCrf.decode`; ``"auto"`` is branch and bound with few
            nodes.
        threads
            How many are linked at the same time; the results do not depend on it.

        Yields
        ------
        LinkedThread
            A copy of each with its links, and their certificate.
        """
        model = self if order in (None, self.order) else self.reduced(str(order))
        decoding = model.decoding(method, limits)
        for some in _grouped(inputs, lambda thread: len(thread) * min(len(thread), self.window)):
            answers = [_Answer() for _ in some]
            posts, pieces = PostTable(some), all_pieces(some, self.window)
            # A large thread is worked off piece by piece: memory does not depend on its length.
            for part in _grouped(pieces, lambda piece: piece.pairs(self.window)):
                batch = model.batch(some, posts, part)
                found = model.crf.decode(batch.instances, threads=threads, **decoding)
                model._collect(batch, found, answers)
            for thread, answer in zip(some, answers, strict=True):
                yield answer.linked(thread, pairs_left_out(thread, self.window))

    def evaluate(
        self, gold: Iterable[Thread], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Link gold threads anew: F1, precision and recall of links, see `link_scores`.

        The options are those of `predict`. What has no value, for there is nothing to judge, is
        left out.
        """
        right = list(gold)
        found = self.predict(right, threads=threads, **options)
        links = link_scores(right, (linked.thread for linked in found)).links
        named = {"F1": links.f1, "precision": links.precision, "recall": links.recall}
        return {name: value for name, value in named.items() if not math.isnan(value)}

    def reduced(self, order: str) -> ThreadLinker:
        """Leave out the factors that a lower order does not have."""
        names = {family.name for family in families_of(order)}
        kept = [n for n, family in enumerate(self.families) if family.name in names]
        if len(kept) < len(names):
            raise UsageError(f"the model is of order {self.order!r}: it has no {order!r}")
        families = [self.families[n] for n in kept]
        crf = PatternCrf(LABELS, kinds_of(families))
        crf.native.index_features([self.crf.native.features(n) for n in kept])
        for ours, theirs in zip(crf.weights(), [self.crf.weights()[n] for n in kept], strict=True):
            ours[:] = theirs
        return ThreadLinker(
            order, counts=self.counts, window=self.window, families=families, crf=crf,
            scale=self.scale, info=self.info,
        )  # fmt: skip

    def graph(self, thread: Thread) -> FactorGraph:
        """Give the factor graph of a thread, to add constraints of your own and solve it.

        Its categorical variables are the pairs, source by source and target by target; state 1 is a
        link. A thread that is too large for one piece is refused.
        """
        batch = self.batch([thread])
        if len(batch.pieces) != 1:
            raise UsageError(f"the thread gives {len(batch.pieces)} graphs, not one")
        return self.crf.graph(batch.instances, 0)

    def batch(
        self,
        threads: Sequence[Thread],
        posts: PostTable | None = None,
        pieces: Sequence[Piece] | None = None,
    ) -> Batch:
        """Find the factors of threads, or of some pieces of them, and their features."""
        return Batch(
            threads, self.counts, self.families, self.crf.kinds, self.window, posts, pieces
        )

    def decoding(self, method: str, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Choose how threads are decoded: where pairs are joined, ``"auto"`` is exact."""
        joined = any(family.size > 1 for family in self.families)
        chosen = EXACT if method == "auto" and joined else {"method": method}
        return {**chosen, **limits}

    def _collect(self, batch: Batch, found: Sequence[Labeling], answers: Sequence[_Answer]) -> None:
        labels = np.concatenate([np.zeros(0, np.int32), *(piece.labels for piece in found)])
        sure = confidence(margins(self.crf, batch, labels), self.scale)
        for answer, own in zip(answers, batch.links(labels), strict=True):
            answer.links += [Link(source, target) for _, source, target in own]
            answer.confidences += [float(sure[pair]) for pair, _, _ in own]
        for piece, labeling in zip(batch.pieces, found, strict=True):
            answers[piece.thread].parts.append(labeling.certificate)

    # Files

    def to_file(self) -> ModelFile:
        """Give what the model's file holds."""
        from treaty.label.threads._linker_file import file_of_linker

        return file_of_linker(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> ThreadLinker:
        """Make a linker of what a file holds, checking everything."""
        from treaty.label.threads._linker_file import linker_of_file

        return linker_of_file(file)

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Thread]:
        """Read threads, one a line, as JSON."""
        return read_threads(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Make small data for tests."""
        posts = [
            Post("any sheep ?", "Ann"),
            Post("any ore ?", "Bob"),
            Post("no ore , sorry", "Cid"),
        ]
        posts += [Post("i have sheep", "Dee"), Post("Dee: great !", "Ann")]
        whole = Thread(posts, [Link(2, 1), Link(3, 0), Link(4, 3)])
        part = Thread([posts[1], posts[0], *posts[2:]], [Link(2, 0), Link(3, 1), Link(4, 3)])
        inputs = [Thread(posts[:4]), Thread([]), Thread(posts[:1]), part]
        return Sample([whole, part] * 2, inputs, {"order": "2d", "epochs": 2})


@dataclass(slots=True)
class _Answer:
    """What has been found so far of a thread."""

    links: list[Link] = field(default_factory=list)
    confidences: list[float] = field(default_factory=list)
    parts: list[Certificate] = field(default_factory=list)

    def linked(self, thread: Thread, left_out: int) -> LinkedThread:
        return LinkedThread(
            replace(thread, links=self.links),
            tuple(self.confidences),
            Certificate.of_parts(self.parts),
            left_out,
        )


def _grouped(items: Iterable[Item], pairs: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Gather items until they have many pairs; a large one comes alone."""
    some: list[Item] = []
    total = 0
    for item in items:
        more = pairs(item)
        if some and total + more > PAIRS_AT_A_TIME:
            yield some
            some, total = [], 0
        some.append(item)
        total += more
    if some:
        yield some
