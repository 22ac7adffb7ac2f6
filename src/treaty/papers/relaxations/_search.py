"""Branch and bound over boxes of parameters (Gormley & Eisner 2013, section 3).

The search is best first, with plunges: at intervals it follows one path of descendants, always into
the part that contains the relaxed solution, until it is pruned. Nodes are bounded as soon as they
are made, both children at the same time, so the bounds of all open nodes are known.
"""

from __future__ import annotations

import heapq
import io
import itertools
import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from treaty._native import induce as native
from treaty._threads import spread
from treaty.induce._corpus import Corpus
from treaty.induce._em import viterbi_em
from treaty.induce._features import Heads
from treaty.induce._search import Descent, Settings
from treaty.papers.relaxations._bounding import Bounded, Bounder
from treaty.papers.relaxations._filters import Choice
from treaty.papers.relaxations._program import Program, build_program
from treaty.papers.relaxations._projection import Answer, Projector
from treaty.papers.relaxations._tree import ROOT, Node, Path, box_of, choose_branch, pack, unpack

__all__ = ["RelaxationSearch"]

PLUNGE_EVERY = 20  # choices of the best node between plunges
SHARE_OF_REGRET = (
    0.25  # of the allowed gap: with smaller regrets, the bound depends on fractional arcs
)
NOTHING = Answer(-math.inf, np.zeros(0, np.int32))


class RelaxationSearch:
    """Boxes of log-probabilities, bounded by linear programs; see `Search`.

    Parameters
    ----------
    corpus, settings
        The corpus, and the settings of the search.
    **projection
        Options of `Projector`.
    """

    def __init__(self, corpus: Corpus, settings: Settings, **projection: Any) -> None:
        self._corpus, self._settings = corpus, settings
        self.program = _program_of(corpus, settings)
        choice = Choice.named(settings.relaxation)
        self._box = partial(box_of, self.program, counts=choice.counts)
        self.bounder = Bounder(self.program, choice, settings.seed)
        self._project = Projector(corpus, self.program, settings.constraint, **projection)
        self._best = NOTHING
        self._open: list[tuple[float, int, Node]] = []  # a heap by bound, then by age
        self._ages = itertools.count()
        self._current: list[Node] = []  # to be divided next, or being divided
        self._closed = -math.inf  # the highest bound of the closed leaves
        self._chosen = 0  # number of times the best nodes have been chosen
        self._deadline = math.inf
        self.nodes = 0
        self.memory = 0

    @property
    def objective(self) -> float:
        """See `Search`."""
        return self._best.objective

    @property
    def heads(self) -> Heads:
        """See `Search`."""
        return self._best.heads

    @property
    def bound(self) -> float:
        """The highest bound of all leaves."""
        if not self.nodes:
            return math.inf
        leaves = [-entry[0] for entry in self._open[:1]] + [node.bound for node in self._current]
        return max([self.objective, self._closed, *leaves])

    @property
    def open_nodes(self) -> int:
        """See `Search`."""
        return len(self._open) + len(self._current)

    @property
    def done(self) -> bool:
        """See `Search`."""
        return self.nodes > 0 and not self.open_nodes

    @property
    def feasible(self) -> bool:
        """See `Search`."""
        return not self.done or self.bound > -math.inf

    @property
    def _enough(self) -> float:
        return self._settings.enough(self.objective)

    @property
    def _left(self) -> float | None:
        """Seconds until the time limit, None if there is none."""
        left = self._deadline - time.perf_counter()
        return max(left, 0.0) if math.isfinite(left) else None

    def advance(self, seconds: float, left: float, nodes: int, threads: int) -> None:
        """Divide nodes; linear programs that would take longer than `left` are aborted."""
        started, last = time.perf_counter(), self.nodes + nodes
        self._deadline = started + left
        if not self.nodes:
            self._restart(threads)
            found = self._bound_root()
            self._remember([found])
            root = self._settle(ROOT, found)
            if root is not None:
                self._push(root)
            self.nodes = 1
        while not self.done and self.nodes < last and self._left != 0.0:
            self._divide(threads)
            if time.perf_counter() - started >= seconds:
                break

    def _restart(self, threads: int) -> None:
        """Find the first incumbent by Viterbi EM."""
        own = self._settings
        if own.restarts:
            found = viterbi_em(
                self._corpus, smoothing=own.smoothing, constraint=own.constraint,
                restarts=own.restarts, time_limit=self._left, seed=own.seed, threads=threads,
            )  # fmt: skip
            if found.counts is not None:
                self._best = Answer(found.objective, found.heads)

    def offer(self, heads: Heads) -> None:
        """Take trees that satisfy the constraint as the incumbent, if they are better."""
        counts = self._corpus.count(heads)
        objective = counts.log_likelihood(self._settings.smoothing)
        rule = self._settings.constraint
        if objective > self.objective and (rule is None or rule.allows(counts, self._corpus)):
            self._best = Answer(objective, heads)

    def _bound_root(self) -> Bounded:
        return self.bounder.bound(self.bounder.root, enough=self._enough, time_limit=self._left)

    def _divide(self, threads: int) -> None:
        """Divide the next nodes and bound their children.

        If this is interrupted, the nodes remain to be divided: nothing is lost.
        """
        if not self._current:
            self._choose(max(1, threads // 2))
        nodes = [node for node in self._current if not self._prune(node.bound)]
        paths = [path for node in nodes for path in node.children()]
        parents = [node for node in nodes for _ in range(2)]
        children_of = zip(parents, paths, strict=True)
        results = spread(lambda child: self._bound_child(*child), children_of, threads)
        if self._left == 0.0:  # bounding the children may have been aborted
            return
        self._remember(results)
        kept = [self._settle(path, found) for path, found in zip(paths, results, strict=True)]
        children = [node for node in kept if node is not None]
        goes_deep = self._chosen % PLUNGE_EVERY == 1 or self._is_full()
        deep = 1 if goes_deep else 0
        for node in children[deep:]:
            self._push(node)
        self.nodes += len(paths)
        self._current = children[:deep]  # the first contains the relaxed solution

    def _remember(self, results: Iterable[Bounded]) -> None:
        """Keep the cuts that bind in a pool for other nodes."""
        for found in results:
            if found.basis is not None:
                self.bounder.pool.use(found.basis.cuts)

    def _choose(self, most: int) -> None:
        """Choose the best nodes."""
        self._chosen += 1
        while self._open and len(self._current) < most:
            node = self._open[0][2]
            if not self._prune(node.bound):
                self._current.append(node)
            heapq.heappop(self._open)
            self.memory -= node.bytes

    def _prune(self, bound: float) -> bool:
        """Return whether a leaf need not be divided; if so, close it."""
        if bound > self._enough:
            return False
        self._closed = max(self._closed, bound)
        return True

    def _bound_child(self, parent: Node, path: Path) -> Bounded:
        """Bound a child, starting from the basis of its parent."""
        box = self._box(path)
        if box is None:
            return Bounded(-math.inf, None, None, None, 0.0, 0)
        return self.bounder.bound(
            box, parent.basis, at_most=parent.bound, enough=self._enough, time_limit=self._left
        )

    def _settle(self, path: Path, found: Bounded) -> Node | None:
        """Project a node's relaxed solution; make the node if it is to be divided."""
        if found.x is not None and found.bound > self._enough:
            for answer in self._project(found.x):
                if answer.objective > self.objective:
                    self._best = answer
        if self._prune(found.bound):
            return None
        node = self._node(path, found)
        if node is None:
            self._closed = max(self._closed, found.bound)
        return node

    def _node(self, path: Path, found: Bounded) -> Node | None:
        """Choose the branch; return None if there is nothing to divide."""
        box = self._box(path)
        if box is None:
            return None
        has_answer = math.isfinite(self.objective)
        allowed = self._settings.relative_gap * abs(self.objective) if has_answer else 0.0
        branch = choose_branch(self.program, box, found, SHARE_OF_REGRET * allowed)
        return None if branch is None else Node(found.bound, path, branch, found.basis)

    def _push(self, node: Node) -> None:
        heapq.heappush(self._open, (-node.bound, next(self._ages), node))
        self.memory += node.bytes

    def _is_full(self) -> bool:
        """Return whether the open list exceeds its memory even without bases."""
        if self.memory <= self._settings.memory:
            return False
        self._open = [(b, age, replace(node, basis=None)) for b, age, node in self._open]
        self.memory = sum(node.bytes for _, _, node in self._open)
        return self.memory > self._settings.memory

    def descents(self, seed: int) -> Iterator[Descent]:
        """Descend from the root; a node at depth d represents the 2^d nodes of its level."""
        self._restart(1)
        random = np.random.default_rng(seed)
        seen: dict[bytes, tuple[float, Node | None]] = {}  # by the path to a node
        while True:
            nodes, seconds, bounded, spent = 0.0, 0.0, 0, 0.0
            name, path, node = b"", ROOT, None
            while True:
                if name not in seen:
                    started = time.process_time()
                    found = self._bound_root() if node is None else self._bound_child(node, path)
                    own = time.process_time() - started
                    self._remember([found])
                    bounded, spent = bounded + 1, spent + own
                    is_leaf = found.bound <= self._enough
                    seen[name] = own, None if is_leaf else self._node(path, found)
                own, node = seen[name]
                nodes += 2.0 ** len(name)
                seconds += 2.0 ** len(name) * own
                turn = int(random.integers(2))
                if node is None:
                    break
                name, path = name + bytes([turn]), node.children()[turn]
            yield Descent(nodes, seconds, bounded, spent)

    def save(self, file: int, identity: int) -> None:
        """Write the open nodes, in the order of their age, and the incumbent."""
        nodes = [node for _, _, node in sorted(self._open, key=lambda entry: entry[1])]
        state = {
            **pack([*nodes, *self._current], self.bounder.pool),
            "numbers": np.array([self.nodes, self._chosen, len(nodes)]),
            "values": np.array([self._closed, self.objective]),
            "heads": self.heads,
        }
        with io.BytesIO() as packed:
            np.savez(packed, allow_pickle=False, **state)
            native.write_archive(file, identity, np.frombuffer(packed.getvalue(), np.uint8))

    def load(self, file: int, identity: int) -> None:
        """Restore the state on disk into a search that has not started."""
        with np.load(io.BytesIO(native.read_archive(file, identity).tobytes())) as state:
            self.nodes, self._chosen, waiting = map(int, state["numbers"].tolist())
            self._closed, objective = map(float, state["values"].tolist())
            self._best = Answer(objective, state["heads"])
            nodes, pool = unpack(state, self.bounder.root, self.bounder.shape)
        counts = (self.nodes, self._chosen, waiting, len(nodes) - waiting)
        if min(counts) < 0 or math.isnan(self._closed):
            raise ValueError("it is damaged")
        self.bounder.pool.use(pool)
        for node in nodes[:waiting]:
            self._push(node)
        self._current = nodes[waiting:]


def _program_of(corpus: Corpus, settings: Settings) -> Program:
    """Make the mathematical program of a corpus; merge copies unless there is a constraint."""
    tags, rule, smoothing = corpus.tags, settings.constraint, settings.smoothing
    if rule is None:
        return build_program(len(tags), corpus.distinct, corpus.counts, smoothing=smoothing)
    kinds, least = rule.kinds(tags).flat, rule.least(corpus)
    return build_program(len(tags), corpus, kinds=kinds, least=least, smoothing=smoothing)
