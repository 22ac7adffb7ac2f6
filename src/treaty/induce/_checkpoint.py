"""A search on disk: its state from time to time, and all that was ever claimed of it.

The state is large and written every so often; what a user has been told since then must not be lost
either. So the best trees and the bound are kept in a small file of their own, which is written
before they are told. Both files take their place when all of them is written.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import induce as native
from treaty.errors import InputError, UsageError
from treaty.induce._corpus import Corpus
from treaty.induce._induced import Moment

__all__ = ["Checkpoint", "Claims", "identity_of"]

STATE, CLAIMS = "search.state", "claims.json"
MOST_MOMENTS = 2000


@dataclass
class Claims:
    """What has been told of a search: its best trees, its bound, and how they came about."""

    objective: float = -math.inf
    bound: float = math.inf
    seconds: float = 0.0
    heads: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    trace: list[Moment] = field(default_factory=list)

    def update(self, search: native.Search, ceiling: float, seconds: float) -> bool:
        """Take over what is better by now; tell whether anything is."""
        bound = max(min(search.bound, ceiling), search.objective)
        better = search.objective > self.objective
        news = better or bound < self.bound
        if better:
            self.objective, self.heads = search.objective, np.asarray(search.heads)
        self.bound = max(min(self.bound, bound), self.objective)
        self.seconds = seconds
        if news:
            self.trace.append(Moment(seconds, self.objective, self.bound))
            if len(self.trace) > MOST_MOMENTS:
                del self.trace[1:-1:2]
        return news


def identity_of(corpus: Corpus, settings: dict[str, Any]) -> int:
    """Tell searches apart by a number: the corpus, and all settings that change their course."""
    digest = hashlib.sha256()
    for part in (corpus.tokens, corpus.begin.astype(np.int64)):
        digest.update(part.tobytes())
    digest.update(json.dumps([corpus.tags, settings], sort_keys=True).encode())
    return int.from_bytes(digest.digest()[:8], "little")


class Checkpoint:
    """A folder that a search is kept in.

    Parameters
    ----------
    folder
        Is made if it is not there.
    identity
        See `identity_of`: a search of another corpus or with other settings is not read.
    """

    def __init__(self, folder: str | Path, identity: int) -> None:
        self.folder, self.identity = Path(folder), identity

    def make(self) -> None:
        """Make the folder; refuse one that cannot be written to, or in which a search is kept."""
        if (self.folder / STATE).exists():
            raise UsageError(
                f"there is a search in {self.folder}: resume it, or choose another folder"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {self.folder}: {error.strerror}") from error

    def save(self, search: native.Search) -> None:
        """Write the state of a search."""
        part = self.folder / f"{STATE}.part"
        try:
            search.save(str(part), self.identity)
            part.replace(self.folder / STATE)
        except (OSError, RuntimeError) as error:
            raise UsageError(f"{part}: {getattr(error, 'strerror', None) or error}") from error

    def claim(self, claims: Claims) -> None:
        """Write what is about to be told."""
        part = self.folder / f"{CLAIMS}.part"
        text = json.dumps(
            {
                "identity": self.identity,
                "objective": claims.objective if len(claims.heads) else None,
                "bound": claims.bound,
                "seconds": claims.seconds,
                "heads": claims.heads.tolist(),
                "trace": claims.trace,
            }
        )
        try:
            part.write_text(text, encoding="utf-8")
            part.replace(self.folder / CLAIMS)
        except OSError as error:
            raise UsageError(f"cannot write {part}: {error.strerror}") from error

    def load(self, search: native.Search) -> Claims:
        """Bring a search to where it was, and tell what was claimed of it."""
        path = self.folder / STATE
        if not path.is_file():
            raise InputError("there is no search to resume; start one with --checkpoint", path=path)
        try:
            search.load(str(path), self.identity)
        except RuntimeError as error:
            raise InputError(
                f"the search cannot be resumed: {error}; start it anew", path=path
            ) from error
        return self._claims()

    def _claims(self) -> Claims:
        path = self.folder / CLAIMS
        try:
            stored = json.loads(path.read_text("utf-8"))
            if stored["identity"] != self.identity:
                raise ValueError("it is of another corpus or other settings")
            objective = -math.inf if stored["objective"] is None else float(stored["objective"])
            trace = [Moment(*map(float, moment)) for moment in stored["trace"]]
            heads = np.array(stored["heads"], np.int32)
            return Claims(objective, float(stored["bound"]), float(stored["seconds"]), heads, trace)
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"the search cannot be resumed: {error}; start it anew", path=path
            ) from error
