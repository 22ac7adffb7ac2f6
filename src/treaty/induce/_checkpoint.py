"""A search on disk: its state from time to time, and all that was ever claimed of it.

The state is large and written every so often; what a user has been told since then must not be lost
either. So the best trees and the bound are kept in a small file of their own, which is written
before they are told. Both files take their place when all of them is written.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from treaty.errors import InputError, UsageError
from treaty.induce._corpus import Corpus
from treaty.induce._features import Heads
from treaty.induce._induced import Moment
from treaty.induce._search import Search, Settings

__all__ = ["Checkpoint", "Claims"]

STATE, CLAIMS = "search.state", "claims.json"
MOST_MOMENTS = 2000


@dataclass
class Claims:
    """What has been told of a search: its best trees, its bound, and how they came about."""

    objective: float = -math.inf
    bound: float = math.inf
    seconds: float = 0.0
    heads: Heads = field(default_factory=lambda: np.zeros(0, np.int32))
    trace: list[Moment] = field(default_factory=list)

    def update(self, search: Search, seconds: float) -> bool:
        """Take over what is better by now; tell whether anything is."""
        bound = max(search.bound, search.objective)
        better = search.objective > self.objective
        news = better or bound < self.bound
        if better:
            self.objective, self.heads = search.objective, search.heads
        self.bound = max(min(self.bound, bound), self.objective)
        self.seconds = seconds
        if news:
            self.trace.append(Moment(seconds, self.objective, self.bound))
            if len(self.trace) > MOST_MOMENTS:
                del self.trace[1:-1:2]
        return news


class Checkpoint:
    """A folder that a search is kept in.

    Parameters
    ----------
    folder
        Is made if it is not there.
    corpus, settings
        A search of another corpus or with other settings is not read.
    """

    def __init__(self, folder: str | Path, corpus: Corpus, settings: Settings) -> None:
        self.folder = Path(folder)
        self._problem = _problem(corpus, settings)
        text = json.dumps(self._problem, sort_keys=True)
        self._identity = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")

    def make(self, search: Search) -> None:
        """Begin to keep a search; refuse a folder that cannot be written to or that holds one."""
        if (self.folder / STATE).exists():
            raise UsageError(
                f"there is a search in {self.folder}: resume it, or choose another folder"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {self.folder}: {error.strerror}") from error
        self.claim(Claims())
        self.save(search)  # a search that is killed at once can be resumed, too

    def save(self, search: Search) -> None:
        """Write the state of a search."""
        part = self.folder / f"{STATE}.part"
        try:
            search.save(str(part), self._identity)
            part.replace(self.folder / STATE)
        except (OSError, RuntimeError) as error:
            raise UsageError(f"{part}: {getattr(error, 'strerror', None) or error}") from error

    def claim(self, claims: Claims) -> None:
        """Write what is about to be told."""
        part = self.folder / f"{CLAIMS}.part"
        told = {**vars(claims), "heads": claims.heads.tolist()}
        try:
            part.write_text(json.dumps({"problem": self._problem, **told}), encoding="utf-8")
            part.replace(self.folder / CLAIMS)
        except OSError as error:
            raise UsageError(f"cannot write {part}: {error.strerror}") from error

    def load(self, search: Search) -> Claims:
        """Bring a search to where it was, and tell what was claimed of it."""
        if not (self.folder / STATE).is_file():
            raise InputError(
                "there is no search to resume; start one with --checkpoint",
                path=self.folder / STATE,
            )
        claims = self._claims()
        try:
            search.load(str(self.folder / STATE), self._identity)
        except (KeyError, RuntimeError, ValueError) as error:
            raise self._fault(STATE, error) from error
        return claims

    def _claims(self) -> Claims:
        try:
            stored = json.loads((self.folder / CLAIMS).read_text("utf-8"))
            problem = stored.pop("problem")
            if other := [name for name, own in self._problem.items() if problem[name] != own]:
                what = "another corpus" if other[0] == "corpus" else f"other settings ({other[0]})"
                raise ValueError(f"it is of {what}")
            stored["heads"] = np.array(stored["heads"], np.int32)
            stored["trace"] = [Moment(*map(float, moment)) for moment in stored["trace"]]
            numbers = {name: float(stored[name]) for name in ("objective", "bound", "seconds")}
            return Claims(**{**stored, **numbers})
        except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
            raise self._fault(CLAIMS, error) from error

    def _fault(self, name: str, error: Exception) -> InputError:
        path = self.folder / name
        return InputError(f"the search cannot be resumed: {error}; start it again", path=path)


def _problem(corpus: Corpus, settings: Settings) -> dict[str, Any]:
    """Tell searches apart: the corpus, and all settings that change their course."""
    digest = hashlib.sha256(corpus.tokens.tobytes() + corpus.begin.astype(np.int64).tobytes())
    digest.update(json.dumps(corpus.tags).encode())
    chosen = {name: value for name, value in asdict(settings).items() if name != "memory"}
    return dict(json.loads(json.dumps({"corpus": digest.hexdigest(), **chosen})))  # as read back
