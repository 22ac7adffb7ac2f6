"""Checkpoints of a search: its state at intervals, and everything that was reported.

The state is large and written at intervals; what was reported since then must not be lost either.
So the best trees and the number of nodes are kept in a separate small file, which is written before
they are reported. A resumed search scores these trees again. It proves the bound again: the search
is deterministic and reports nothing until it has as many nodes. So an edited file cannot become a
false certificate.
"""

from __future__ import annotations

import hashlib
import json
import math
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from treaty._streams import replacing
from treaty.errors import InputError, OutputError, UsageError, shortened
from treaty.induce._corpus import Corpus
from treaty.induce._features import Heads
from treaty.induce._induced import Moment
from treaty.induce._search import Search, Settings
from treaty.text import check_tree, is_projective

__all__ = ["Checkpoint", "Claims"]

STATE, CLAIMS = "search.state", "claims.json"
MOST_MOMENTS = 2000
ROUNDING = 1e-9
FAULTS = (
    ArithmeticError, AttributeError, EOFError, InputError, LookupError, MemoryError, OSError,
    RuntimeError, TypeError, ValueError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What reading a damaged file may raise."""
NAMES = {dict: "an object", float: "a number", int: "an integer", list: "a list"}
Kind = TypeVar("Kind")


@dataclass
class Claims:
    """What was reported of a search: its best trees, its bound, and its trace."""

    objective: float = -math.inf
    bound: float = math.inf
    nodes: int = 0
    """Number of nodes after which this was reported; a resumed search repeats those it lost."""
    seconds: float = 0.0
    heads: Heads = field(default_factory=lambda: np.zeros(0, np.int32))
    trace: list[Moment] = field(default_factory=list)

    def update(self, search: Search, seconds: float) -> bool:
        """Take over improvements; return whether there are any."""
        bound = max(search.bound, search.objective)
        better = search.objective > self.objective
        news = better or bound < self.bound
        if better:
            self.objective, self.heads = search.objective, search.heads
        self.bound = max(min(self.bound, bound), self.objective)
        self.seconds = seconds
        if news:
            self.nodes = max(self.nodes, search.nodes)
            self.trace.append(Moment(seconds, self.objective, self.bound))
            if len(self.trace) > MOST_MOMENTS:
                del self.trace[1:-1:2]
        return news


class Checkpoint:
    """A folder for the state of a search.

    Parameters
    ----------
    folder
        It is created if needed.
    corpus, settings
        A search of another corpus or with other settings is rejected.
    """

    def __init__(self, folder: str | Path, corpus: Corpus, settings: Settings) -> None:
        self.folder, self._corpus, self._settings = Path(folder), corpus, settings
        self._problem = _problem(corpus, settings)
        text = json.dumps(self._problem, sort_keys=True)
        self._identity = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")

    def make(self, search: Search) -> None:
        """Start saving a search; raise an error if the folder is not writable or in use."""
        if (self.folder / STATE).exists():
            raise UsageError(
                f"{self.folder} already holds a search: resume it, or choose another folder"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(self.folder, error) from error
        self.claim(Claims())
        self.save(search)  # a search that is killed immediately can be resumed, too

    def save(self, search: Search) -> None:
        """Write the state of a search."""
        path = self.folder / STATE
        try:
            with replacing(path) as stream:
                search.save(stream.fileno(), self._identity)
        except RuntimeError as error:
            raise OutputError(path, error) from error

    def claim(self, claims: Claims) -> None:
        """Write what is about to be reported."""
        told = {
            "problem": self._problem, "nodes": claims.nodes, "seconds": claims.seconds,
            "heads": claims.heads.tolist(), "trace": claims.trace,
        }  # fmt: skip
        with replacing(self.folder / CLAIMS) as stream:
            stream.write(json.dumps(told).encode())

    def load(self, search: Search) -> Claims:
        """Restore the state of a search; return what was reported of it.

        Nothing is taken on trust: trees are scored again, and the bound is that of the open nodes.
        """
        if not (self.folder / STATE).is_file():
            raise InputError(
                "there is no search to resume; start one with --checkpoint",
                path=self.folder / STATE,
            )
        with self._checking(CLAIMS):
            claims = self._claims()
        with self._checking(STATE), (self.folder / STATE).open("rb") as stream:
            search.load(stream.fileno(), self._identity)
            if not math.isclose(search.objective, self._score(search.heads), abs_tol=ROUNDING):
                raise ValueError("its trees do not have the score it claims")
        bound = max(search.bound, search.objective, claims.objective)
        claims.trace = [
            m for m in claims.trace if m.objective <= claims.objective and m.bound >= bound
        ]
        return claims

    def _claims(self) -> Claims:
        stored = json.loads((self.folder / CLAIMS).read_text("utf-8"))
        problem = _is(dict, _is(dict, stored)["problem"])
        if other := [name for name, own in self._problem.items() if problem.get(name) != own]:
            what = "another corpus" if other[0] == "corpus" else f"other settings ({other[0]})"
            raise ValueError(f"it belongs to {what}")
        heads = np.array([_is(int, head) for head in _is(list, stored["heads"])], np.int32)
        trace = [Moment(*(_is(float, x) for x in moment)) for moment in _is(list, stored["trace"])]
        nodes, seconds = _is(int, stored["nodes"]), _is(float, stored["seconds"])
        if nodes < 0 or not 0.0 <= seconds < math.inf:
            raise ValueError(f"{nodes} nodes in {seconds} seconds are impossible")
        return Claims(self._score(heads), nodes=nodes, seconds=seconds, heads=heads, trace=trace)

    def _score(self, heads: Heads) -> float:
        """Score trees; raise ValueError unless they are an answer."""
        if not len(heads):
            return -math.inf
        if len(heads) != len(self._corpus.tokens):
            raise ValueError("expected a head for every token")
        for sentence in self._corpus.sentences(heads):
            check_tree(sentence, single_root=True)
            if not is_projective(sentence.heads):
                raise ValueError("expected projective trees")
        counts, rule = self._corpus.count(heads), self._settings.constraint
        if rule is not None and not rule.allows(counts, self._corpus):
            raise ValueError("its trees do not satisfy the constraint")
        return counts.log_likelihood(self._settings.smoothing)

    @contextmanager
    def _checking(self, name: str) -> Iterator[None]:
        try:
            yield
        except FAULTS as error:
            cause = getattr(error, "strerror", None) or error
            raise InputError(
                f"the search cannot be resumed: {cause}; start it again", path=self.folder / name
            ) from error


def _is(kind: type[Kind], value: Any) -> Kind:
    """Return a value of JSON if it is of this kind."""
    if type(value) is kind:
        return value
    raise TypeError(f"expected {NAMES[kind]}, found {shortened(repr(value))}")


def _problem(corpus: Corpus, settings: Settings) -> dict[str, Any]:
    """Identify a search: the corpus, and all settings that affect its course."""
    digest = hashlib.sha256(corpus.tokens.tobytes() + corpus.begin.astype(np.int64).tobytes())
    digest.update(json.dumps(corpus.tags).encode())
    chosen = {name: value for name, value in asdict(settings).items() if name != "memory"}
    return dict(
        json.loads(json.dumps({"corpus": digest.hexdigest(), **chosen}))
    )  # as JSON reads it back
