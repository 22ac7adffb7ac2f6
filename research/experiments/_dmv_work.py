"""Work that can be broken off at any time, for `global_dmv.py`.

A piece of work has a folder of its own with its state, goes on from there for some seconds of CPU
time, and writes the state again. What it has found so far is a run line at any time.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from research.report import Run
from treaty.induce import (
    Corpus,
    EdgeConstraint,
    Search,
    Settings,
    start_search,
    viterbi_em,
)
from treaty.papers.relaxations import (
    RelaxationSearch,
    RelaxedParser,
    possible_products,
    relaxed_viterbi_em,
)

IDENTITY = 19  # of the states of searches
FOREVER, SLICE = 1e9, 0.1  # seconds
SHARE_OF_EM = 45 / 480  # of the time of a search on real sentences, as in the paper
BATCH = 16  # restarts of Viterbi EM at a time
NEWS = 1e-3  # moments are kept if an answer or bound changes by this share, or time by a tenth


Steps = Iterator[Callable[[], None]]


class Work:
    """What is to be done, and how far it is."""

    def __init__(self, key: Run, folder: Path, corpus: Corpus) -> None:
        self.key, self._corpus = key, corpus
        self.folder = folder / "-".join(str(value).replace("/", "-") for value in key.values())
        self.state: Run = {"seconds": 0.0, "moments": [], "done": False}
        if self._file.exists():
            self.state = json.loads(self._file.read_text(encoding="utf-8"))

    @property
    def seconds(self) -> float:
        """CPU time so far."""
        return float(self.state["seconds"])

    @property
    def done(self) -> bool:
        return bool(self.state["done"])

    def go_on(self, seconds: float) -> None:
        """Work for about so many seconds of CPU time."""
        before, started = self.seconds, time.process_time()
        self.folder.mkdir(parents=True, exist_ok=True)
        for record in self.steps(seconds):
            self.state["seconds"] = before + time.process_time() - started
            record()
            if self.seconds - before >= seconds:
                break
        else:
            self.state["seconds"] = before + time.process_time() - started
            self.state["done"] = True
        self.save()
        self._write(self._file, json.dumps(self.state).encode())

    def steps(self, seconds: float) -> Steps:
        """Do it in steps, each with what records it; the work is done when there are no more."""
        raise NotImplementedError

    def save(self) -> None:
        """Write what else there is, before the state itself."""

    def result(self) -> Run:
        return {name: value for name, value in self.state.items() if name != "moments"}

    def moment(self, objective: float, bound: float, nodes: int, heads: Any) -> None:
        """Keep an answer and a bound, if they are news."""
        moments = self.state["moments"]
        now = [self.seconds, _finite(objective), _finite(bound), nodes]
        last = moments[-1] if moments else None
        if last is not None and now[1] == last[1]:
            closer = _change(last[2], now[2]) > NEWS
            if not closer and now[0] < 1.1 * last[0]:
                return
            moments.append([*now, last[4]])
        else:
            moments.append([*now, _accuracy(self._corpus, heads)])

    @property
    def _file(self) -> Path:
        return self.folder / "state.json"

    def _write(self, path: Path, content: bytes) -> None:
        """Replace a file in one step."""
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(content)
        part.replace(path)


class Root(Work):
    """The bound of the whole space by a share of the products (Figure 4)."""

    def __init__(self, key: Run, folder: Path, corpus: Corpus, relaxation: str) -> None:
        super().__init__(key, folder, corpus)
        self._relaxation = relaxation

    def steps(self, seconds: float) -> Steps:
        chosen = Settings(self._relaxation, seed=0)
        search = RelaxationSearch(self._corpus, chosen)
        objective = viterbi_em(self._corpus, restarts=200).objective
        # To the end: it cannot be broken off. As in a search, cuts are added while they help.
        enough = chosen.enough(objective)
        found = search.bounder.bound(search.bounder.root, enough=enough, childless=True)
        self.state |= {
            "bound": found.bound,
            "objective": objective,
            **_rows(search),
            "possible": possible_products(search.program),
            "tokens": len(self._corpus.tokens),
            "is_solved": found.x is not None,
        }
        yield from ()


class Searched(Work):
    """A search after Viterbi EM: the paper's, or that by chords (Figures 5 and 6).

    On real sentences the paper's begins with its own Viterbi EM (`em`), for a share of the budget,
    and adds one to counts wherever it improves answers.
    """

    def __init__(
        self,
        key: Run,
        folder: Path,
        corpus: Corpus,
        constraint: EdgeConstraint | None,
        budget: float | None,
        em: Restarts | None = None,
        relative_gap: float = 0.01,
    ) -> None:
        super().__init__(key, folder, corpus)
        self._constraint, self._gap, self._budget = constraint, relative_gap, budget
        self._em = em
        self._search: Search | None = None

    def steps(self, seconds: float) -> Steps:
        search = self._search = self._search or self._opened()
        if isinstance(search, RelaxationSearch) and self._em and not search.nodes:
            yield from self._begin(search, self._em)
        while not search.done:
            search.advance(SLICE, FOREVER, nodes=2**62, threads=1)
            yield lambda: self._record(search)

    def _begin(self, search: RelaxationSearch, em: Restarts) -> Steps:
        """Find the first incumbent."""
        while self.seconds < SHARE_OF_EM * (self._budget or 0.0):
            heads, taken = em.best_of(self.state["restarts"])
            self.state["restarts"] += taken
            if len(heads):
                search.offer(heads)
            yield lambda: self._record(search)

    def _record(self, search: Search) -> None:
        self.moment(search.objective, search.bound, search.nodes, search.heads)
        self.state |= {
            "objective": _finite(search.objective),
            "bound": _finite(search.bound),
            "nodes": search.nodes,
        }

    def _opened(self) -> Search:
        restarts = self.state.setdefault("restarts", self._restarts())
        chosen = Settings(
            self.key["method"], self._gap, constraint=self._constraint, restarts=restarts
        )
        search: Search
        if self._em is None:
            search = start_search(self._corpus, chosen)
        else:
            search = RelaxationSearch(self._corpus, replace(chosen, restarts=0), smoothing=1.0)
        self.state |= _about(self._corpus, self._constraint)
        if isinstance(search, RelaxationSearch):
            self.state |= _rows(search)
        if self._states.exists():
            with self._states.open("rb") as file:
                search.load(file.fileno(), IDENTITY)
        return search

    def _restarts(self) -> int:
        """Ten restarts or, with a budget, as many as fit into the paper's share of it."""
        if self._em is not None:
            return 0
        if self._budget is None:
            return 10
        started = time.process_time()
        viterbi_em(self._corpus, restarts=BATCH, constraint=self._constraint)
        each = (time.process_time() - started) / BATCH
        return max(BATCH, int(SHARE_OF_EM * self._budget / each))

    def save(self) -> None:
        if self._search is not None:
            part = self._states.with_name("search.part")
            with part.open("wb") as file:
                self._search.save(file.fileno(), IDENTITY)
            part.replace(self._states)

    @property
    def _states(self) -> Path:
        return self.folder / "search.bin"


class Restarts(Work):
    """Viterbi EM with restarts: the best so far.

    With `smoothing`, grammars are smoothed in the M-step; the log-likelihood is that of the trees
    under their relative frequencies, as for all methods. Constraints are satisfied by a price or,
    if `relaxed`, as in the paper.
    """

    def __init__(
        self,
        key: Run,
        folder: Path,
        corpus: Corpus,
        constraint: EdgeConstraint | None,
        *,
        smoothing: float = 0.0,
        relaxed: bool = False,
    ) -> None:
        super().__init__(key, folder, corpus)
        self._constraint = constraint
        self._smoothing, self._relaxed = smoothing, relaxed
        self._parser: RelaxedParser | None = None

    def steps(self, seconds: float) -> Steps:
        self.state |= _about(self._corpus, self._constraint)
        while True:
            heads, taken = self.best_of(self.state.get("nodes", 0))
            yield partial(self._record, heads, taken)

    def _record(self, heads: Any, taken: int) -> None:
        self.state["nodes"] = self.state.get("nodes", 0) + taken
        value = self._corpus.log_likelihood(heads) if len(heads) else -math.inf
        if value > (self.state.get("objective") or -math.inf):
            self.state["objective"] = value
            self.moment(value, math.inf, self.state["nodes"], heads)

    def best_of(self, seed: int) -> tuple[Any, int]:
        """Find trees from one start or a few; tell how many."""
        rule = self._constraint
        if self._relaxed and rule is not None:
            self._parser = self._parser or RelaxedParser(self._corpus, rule)
            return relaxed_viterbi_em(self._corpus, rule, seed=seed, parser=self._parser).heads, 1
        some = 1 if self._smoothing else BATCH
        found = viterbi_em(
            self._corpus, restarts=some, constraint=rule, seed=seed, smoothing=self._smoothing
        )
        return found.heads, some


class Descents(Work):
    """Random descents in a search tree (Table 1)."""

    def __init__(self, key: Run, folder: Path, corpus: Corpus, most: int) -> None:
        super().__init__(key, folder, corpus)
        self._most = most

    def steps(self, seconds: float) -> Steps:
        found = self.state.setdefault("descents", [])
        search = RelaxationSearch(self._corpus, Settings(self.key["method"], restarts=100))
        self.state |= {**_rows(search), "tokens": len(self._corpus.tokens)}
        for descent in search.descents(len(found)):
            found.append(list(descent))
            if len(found) >= self._most:
                return
            yield lambda: None

    def result(self) -> Run:
        own = super().result()
        nodes, seconds, bounded, spent = np.array(own.pop("descents")).T
        return {
            **own,
            "samples": len(nodes),
            "milliseconds": 1e3 * spent.sum() / bounded.sum(),
            "nodes": nodes.mean(),
            "nodes deviation": nodes.std(),
            "nodes median": float(np.median(nodes)),
            "largest share": nodes.max() / nodes.sum(),
            "hours": seconds.mean() / 3600,
            "hours deviation": seconds.std() / 3600,
        }


def _about(corpus: Corpus, constraint: EdgeConstraint | None) -> Run:
    return {
        "sentences": len(corpus),
        "tokens": len(corpus.tokens),
        "tags": len(corpus.tags),
        "share": None if constraint is None else constraint.share,
    }


def _rows(search: RelaxationSearch) -> Run:
    products = search.bounder.products
    return {"rows": products.chosen, "linked rows": products.rows}


def _accuracy(corpus: Corpus, heads: Any) -> float | None:
    if corpus.heads is None or not len(heads):
        return None
    return float((np.asarray(heads) == corpus.heads).mean())


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _change(before: float | None, after: float | None) -> float:
    if before is None or after is None:
        return 0.0 if before is after else math.inf
    return abs(after - before) / max(abs(before), 1.0)
