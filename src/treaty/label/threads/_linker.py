"""The linker: dependencies between the posts of a thread, with a certificate."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar

import numpy as np

from treaty._threads import Clock, check_stopped, checked
from treaty.errors import UsageError, check_several
from treaty.label._crf import PatternCrf
from treaty.label._labeling import Labeling
from treaty.label.threads._batch import Batch
from treaty.label.threads._margins import margins
from treaty.label.threads._models import LABELS, families_of, kinds_of
from treaty.label.threads._pairs import Piece, all_pieces, pairs_left_out
from treaty.label.threads._posts import PostTable
from treaty.label.threads._templates import Family
from treaty.label.threads._words import WordCounts
from treaty.learn import Calibration, Model, ModelFile, Sample
from treaty.metrics import link_scores
from treaty.progress import OnProgress
from treaty.solve import Certificate, Certified
from treaty.text import Link, Post, Thread, read_threads

if TYPE_CHECKING:
    from treaty.graph import FactorGraph

__all__ = ["LinkedThread", "ThreadLinker"]

Item = TypeVar("Item")

WINDOW = 30
"""Number of posts back that a link may reach; 15 of 54,505 links in the training data exceed it."""
EPOCHS = 6
"""Tuned on dev data of STAC and IRC, the same for all orders."""
PAIRS_AT_A_TIME = 20_000
"""Number of pairs whose features are in memory during linking."""
EXACT: dict[str, Any] = {"method": "exact", "iterations": 20}
"""Branch and bound proves optimality for nearly all threads, mostly at the root node."""


@dataclass(frozen=True, slots=True)
class LinkedThread(Certified):
    """A thread with predicted links, confidences and a certificate.

    Attributes
    ----------
    thread
        A copy of the thread with the predicted links.
    confidences
        The probability of each link if all other labels are right, from 0 to 1.
    certificate
        The certificate of the links; of a long thread, over all its pieces.
    left_out
        Number of pairs of posts that were ignored because they are too far apart.
    """

    thread: Thread
    confidences: tuple[float, ...]
    certificate: Certificate
    left_out: int

    def to_dict(self) -> dict[str, Any]:
        """Return the thread, the confidences of its links and the certificate, for JSON."""
        return {
            **self.thread.to_dict(),
            "confidences": [round(c, 4) for c in self.confidences],
            "left_out": self.left_out,
            "certificate": self.certificate.to_dict(),
        }

    def to_json(self) -> str:
        """Write it as a line of JSON, which `treaty.text.read_threads` reads."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"


class ThreadLinker(Model):
    """A model that links each post of a thread to those it depends on.

    Every pair of a post and an earlier one is a vertex of a grid, linked or not (Qian & Liu 2014,
    section 4.2). Made by `ThreadLinker.train` or `ThreadLinker.load`.

    Attributes
    ----------
    order
        What is scored jointly: ``"independent"`` pairs, ``"2d"`` neighbors in the grid, or
        ``"3-wise"`` triples in the grid.
    window
        Number of posts back that a link may reach.
    families, crf
        The factors, and their model.
    counts
        Word frequencies.
    info
        Metadata: language, data, license, training settings, scores.
    calibration
        How a link's margin becomes its confidence.
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
        info: Mapping[str, Any] | None = None,
    ) -> None:
        if window < 1:
            raise UsageError(f"window must be at least 1, not {window}")
        self.order, self.window = order, window
        self.families = tuple(families or families_of(order))
        self.counts = counts or WordCounts(0, {})
        self.crf = crf or PatternCrf(LABELS, kinds_of(self.families))
        self.info = dict(info or {})
        self.calibration = Calibration.none(1)

    @classmethod
    def train(
        cls,
        examples: Iterable[Thread],
        dev: Iterable[Thread] = (),
        *,
        order: str = "3-wise",
        window: int = WINDOW,
        epochs: int = EPOCHS,
        tune: bool = True,
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
            Training threads. Links to later posts and links beyond the window are ignored.
        dev
            Held-out threads, on which the prior of links is tuned for F1 and confidences are
            calibrated; by default the examples.
        order, window
            See the class.
        epochs
            Number of passes over the threads.
        tune
            Whether to tune the prior of links; otherwise it is the learner's.
        seed, threads, checkpoint, resume, progress, info
            See `treaty.Model.train`.
        **options
            Settings of the learner, see `treaty.label.TrainingOptions`.

        Examples
        --------
        >>> from treaty.text import Post
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
        train(linker, list(examples), list(dev), settings, checkpoint, resume, progress, tune=tune)
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
        """Link threads as they arrive.

        Parameters
        ----------
        inputs
            The threads; they are not changed, and any links they have are ignored.
        order
            A lower order than the model's is faster and less accurate.
        method, **limits
            Decoding method, see `PatternCrf.decode`; ``"auto"`` is branch and bound with few
            nodes. ``time_limit`` is that of the whole call, in seconds: a thread that is not
            reached raises `LimitError`.
        threads
            Number of threads of computation; the results do not depend on it.

        Yields
        ------
        LinkedThread
            A copy of each thread with its links and their certificate.
        """
        check_several(inputs, "threads", "see treaty.text.Thread")
        model = self if order in (None, self.order) else self.reduced(str(order))
        clock = Clock(limits.pop("time_limit", None))
        decoding = model.decoding(method, limits)
        given = map(_checked, checked(inputs))
        batches = _grouped(given, lambda thread: len(thread) * min(len(thread), self.window))
        while True:
            with clock:
                if (some := next(batches, None)) is None:
                    return
                linked = model._linked(some, decoding, threads, clock)
            yield from linked

    def _linked(
        self, some: list[Thread], decoding: Mapping[str, Any], threads: int, clock: Clock
    ) -> list[LinkedThread]:
        answers = [_Answer() for _ in some]
        posts, pieces = PostTable(some), all_pieces(some, self.window)
        # A large thread is processed in pieces, so memory does not depend on its length.
        for part in _grouped(pieces, lambda piece: piece.pairs(self.window)):
            check_stopped()
            batch = self.batch(some, posts, part)
            found = self.crf.decode(
                batch.instances, threads=threads, **{**decoding, **clock.limits}
            )
            self._collect(batch, found, answers)
        return [
            answer.linked(thread, pairs_left_out(thread, self.window))
            for thread, answer in zip(some, answers, strict=True)
        ]

    def evaluate(
        self, gold: Iterable[Thread], *, threads: int = 1, **options: Any
    ) -> dict[str, float]:
        """Link gold threads again and return F1, precision and recall (see `link_scores`).

        The options are those of `predict`. Scores that are undefined, because there are no links,
        are left out.
        """
        right = list(gold)
        found = self.predict(right, threads=threads, **options)
        links = link_scores(right, (linked.thread for linked in found)).links
        named = {"F1": links.f1, "precision": links.precision, "recall": links.recall}
        return {name: value for name, value in named.items() if not math.isnan(value)}

    def reduced(self, order: str) -> ThreadLinker:
        """Return a linker without the factors above this order."""
        names = {family.name for family in families_of(order)}
        kept = [n for n, family in enumerate(self.families) if family.name in names]
        if len(kept) < len(names):
            raise UsageError(
                f"the model has the order {self.order!r}; it cannot link with {order!r}"
            )
        families = [self.families[n] for n in kept]
        crf = PatternCrf(LABELS, kinds_of(families))
        crf.native.index_features([self.crf.native.features(n) for n in kept])
        for ours, theirs in zip(crf.weights(), [self.crf.weights()[n] for n in kept], strict=True):
            ours[:] = theirs
        made = ThreadLinker(
            order,
            counts=self.counts,
            window=self.window,
            families=families,
            crf=crf,
            info=self.info,
        )
        made.calibration = self.calibration
        return made

    def graph(self, thread: Thread) -> FactorGraph:
        """Return the factor graph of a thread, to add your own constraints and solve it.

        Its categorical variables are the pairs, by source and then by target; state 1 is a link.
        `UsageError` is raised for a thread that is too large for one piece.
        """
        return self.crf.graph(self._whole(thread).instances, 0)

    def k_best(self, thread: Thread, k: int, **options: Any) -> list[LinkedThread]:
        """Find the k best sets of links of a thread, the best first.

        Parameters
        ----------
        thread
            The thread; `UsageError` is raised if it is too large for one graph.
        k, **options
            As in `treaty.solve.k_best`; the certificate of a set is about all that are left.
        """
        batch = self._whole(thread)
        linked = []
        for labeling in self.crf.k_best(batch.instances, 0, k, **options):
            answer = _Answer()
            self._collect(batch, [labeling], [answer])
            linked.append(answer.linked(thread, pairs_left_out(thread, self.window)))
        return linked

    def _whole(self, thread: Thread) -> Batch:
        batch = self.batch([thread])
        if len(batch.pieces) != 1:
            raise UsageError(
                f"the thread is too large for one graph: it has {len(batch.pieces)} pieces"
            )
        return batch

    def batch(
        self,
        threads: Sequence[Thread],
        posts: PostTable | None = None,
        pieces: Sequence[Piece] | None = None,
    ) -> Batch:
        """Make the factors of threads, or of some of their pieces, with features."""
        return Batch(
            threads, self.counts, self.families, self.crf.kinds, self.window, posts, pieces
        )

    def decoding(self, method: str, limits: Mapping[str, Any]) -> dict[str, Any]:
        """Choose the decoding method: for models of joined pairs, ``"auto"`` is exact."""
        joined = any(family.size > 1 for family in self.families)
        chosen = EXACT if method == "auto" and joined else {"method": method}
        return {**chosen, **limits}

    def _collect(self, batch: Batch, found: Sequence[Labeling], answers: Sequence[_Answer]) -> None:
        labels = np.concatenate([np.zeros(0, np.int32), *(piece.labels for piece in found)])
        sure = self.calibration(margins(self.crf, batch, labels))
        for answer, own in zip(answers, batch.links(labels), strict=True):
            answer.links += [Link(source, target) for _, source, target in own]
            answer.confidences += [float(sure[pair]) for pair, _, _ in own]
        for piece, labeling in zip(batch.pieces, found, strict=True):
            answers[piece.thread].parts.append(labeling.certificate)

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        from treaty.label.threads._linker_file import file_of_linker

        return file_of_linker(self)

    @classmethod
    def from_file(cls, file: ModelFile) -> ThreadLinker:
        """Make a linker from the contents of a file and validate it."""
        from treaty.label.threads._linker_file import linker_of_file

        return linker_of_file(file)

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Thread]:
        """Read threads from JSON Lines."""
        return read_threads(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
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
    """Results for a thread so far."""

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


def _checked(thread: Thread) -> Thread:
    if not isinstance(thread, Thread):
        raise UsageError(f"expected a thread (treaty.text.Thread), got {repr(thread)[:60]}")
    return thread


def _grouped(items: Iterable[Item], pairs: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Group items up to a number of pairs; a large one is a group of its own."""
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
