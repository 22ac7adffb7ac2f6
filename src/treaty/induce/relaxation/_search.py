"""Branch and bound over boxes of parameters (Gormley & Eisner 2013, section 3).

Best first, with plunges: now and then the search follows one line of descendants, always into the
part where the relaxed answer lies, until it is pruned. Nodes are bounded as soon as they are made,
both children at the same time, so that the open list always knows its own bounds.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from treaty.induce.relaxation._bounding import Bounded, Bounder
from treaty.induce.relaxation._incumbent import Answer
from treaty.induce.relaxation._layout import Doubles
from treaty.induce.relaxation._tree import Node, Path, box_of, choose_branch

__all__ = ["Limits", "Search", "Stage"]

PLUNGE_EVERY = 20  # choices of the best node, after which one plunge follows
NOTHING = 1e-6  # a gap so small is none: log-likelihoods may be 0
MOST_STAGES = 2000  # of the trace; every other is dropped when there are more
NODE_BYTES = 500  # of Python's own, for each open node
SHARE_OF_REGRET = 0.25  # of the gap allowed: regrets below this leave the bound to fractional arcs


@dataclass(frozen=True)
class Limits:
    """When to stop: at a relative gap `epsilon`, or earlier."""

    epsilon: float = 0.01
    seconds: float = math.inf
    nodes: float = math.inf
    bytes: float = math.inf
    """Of the open list; beyond it the search goes depth first and forgets bases."""


class Stage(NamedTuple):
    """Where a search stands."""

    seconds: float
    nodes: int
    objective: float
    bound: float
    open_nodes: int


@dataclass
class Search:
    """The state of a search; `run` carries it on."""

    bounder: Bounder
    project: Callable[[Doubles], Iterable[Answer]]
    """Makes feasible answers of a relaxed one."""
    limits: Limits = field(default_factory=Limits)
    threads: int = 1
    incumbent: Answer | None = None
    open: list[tuple[float, int, Node]] = field(default_factory=list)
    """A heap by bound; the second number orders equals by age."""
    plunging: Node | None = None
    closed: float = -math.inf
    """The highest bound of the leaves that are done with."""
    nodes: int = 0
    chosen: int = 0
    """How many times the best node has been chosen."""
    before: float = 0.0
    """Seconds spent in earlier runs, if this one was resumed."""
    memory: int = 0
    """Bytes of the open list."""
    trace: list[Stage] = field(default_factory=list)
    ages: itertools.count[int] = field(default_factory=itertools.count)
    _started: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Wall time of the search so far."""
        return self.before + time.perf_counter() - self._started

    @property
    def objective(self) -> float:
        """The value of the incumbent."""
        return -math.inf if self.incumbent is None else self.incumbent.objective

    @property
    def bound(self) -> float:
        """No answer is worth more: the highest bound of all leaves."""
        if not self.nodes:
            return math.inf
        leaves = [-entry[0] for entry in self.open[:1]]
        if self.plunging is not None:
            leaves.append(self.plunging.bound)
        return max([self.objective, self.closed, *leaves])

    @property
    def enough(self) -> float:
        """A bound at which a node is pruned (section 3)."""
        if self.incumbent is None:
            return -math.inf
        return self.objective + max(self.limits.epsilon * abs(self.objective), NOTHING)

    @property
    def is_done(self) -> bool:
        """Whether no leaf is left to divide."""
        return not self.open and self.plunging is None

    def start(self) -> None:
        """Bound the root."""
        left = self.limits.seconds - self.seconds
        found = self.bounder.bound(
            self.bounder.root,
            enough=self.enough,
            time_limit=left if math.isfinite(left) else None,
        )
        self.settle(Path.empty(), found)

    def run(self, report: Callable[[Search], None] | None = None) -> None:
        """Search until it is done or a limit is met; `report` is called after each step."""
        with ThreadPoolExecutor(max_workers=self.threads) as pool:
            while not self.is_done and self.nodes < self.limits.nodes:
                if self.seconds >= self.limits.seconds or not self._expand(pool):
                    break
                self._note()
                if report is not None:
                    report(self)

    def stage(self) -> Stage:
        """Note where the search stands."""
        waiting = len(self.open) + (self.plunging is not None)
        return Stage(self.seconds, self.nodes, self.objective, self.bound, waiting)

    def _note(self) -> None:
        self.trace.append(self.stage())
        if len(self.trace) > MOST_STAGES:
            del self.trace[1:-1:2]

    def settle(self, path: Path, found: Bounded) -> Node | None:
        """Prune a node, or project its answer and keep it to be divided."""
        self.nodes += 1
        if found.x is not None and found.bound > self.enough:
            for answer in self.project(found.x):
                if answer.objective > self.objective:
                    self.incumbent = answer
        if found.bound <= self.enough:
            self.closed = max(self.closed, found.bound)
            return None
        node = self.make_node(path, found)
        if node is None:
            self.closed = max(self.closed, found.bound)
        else:
            self.push(node)
        return node

    def make_node(self, path: Path, found: Bounded) -> Node | None:
        """Decide how to divide; None if there is nothing to divide."""
        box = box_of(self.bounder.program, path)
        if box is None:
            return None
        allowed = self.limits.epsilon * abs(self.objective) if self.incumbent else 0.0
        branch = choose_branch(self.bounder.program, box, found, SHARE_OF_REGRET * allowed)
        return None if branch is None else Node(found.bound, path, branch, found.basis)

    def push(self, node: Node) -> None:
        """Put a node on the open list."""
        heapq.heappush(self.open, (-node.bound, next(self.ages), node))
        self.memory += _bytes_of(node)

    def _expand(self, pool: ThreadPoolExecutor) -> bool:
        """Divide the next nodes and bound their children; False if time ran out before that."""
        nodes = self._next()
        if not nodes:
            return True
        paths = [path for node in nodes for path in node.children()]
        parents = [node for node in nodes for _ in range(2)]
        try:
            results = list(pool.map(self.bound_child, parents, paths))
            is_late = self.seconds >= self.limits.seconds  # the children may have been cut short
        except KeyboardInterrupt:
            is_late = True
        if is_late:
            for node in nodes:  # nothing is lost this way
                self.push(node)
            return False
        kept = [self.settle(path, found) for path, found in zip(paths, results, strict=True)]
        if self.chosen % PLUNGE_EVERY == 1 or self._is_full():
            self._plunge_into(kept)
        return True

    def bound_child(self, parent: Node, path: Path) -> Bounded:
        """Do the bounding step of a child, from where its parent ended."""
        box = box_of(self.bounder.program, path)
        if box is None:
            return Bounded(-math.inf, None, None, None, 0.0, 0)
        left = self.limits.seconds - self.seconds
        return self.bounder.bound(
            box,
            parent.basis,
            at_most=parent.bound,
            enough=self.enough,
            time_limit=left if math.isfinite(left) else None,
        )

    def _next(self) -> list[Node]:
        """Choose what to divide: the plunge's node, or the best ones, one for every two threads."""
        if self.plunging is not None:
            nodes, self.plunging = [self.plunging], None
            return [node for node in nodes if not self._prune(node)]
        self.chosen += 1
        nodes = []
        while self.open and len(nodes) < max(1, self.threads // 2):
            node = heapq.heappop(self.open)[2]
            self.memory -= _bytes_of(node)
            if not self._prune(node):
                nodes.append(node)
        return nodes

    def _prune(self, node: Node) -> bool:
        """Close a node that a new incumbent has made idle."""
        if node.bound > self.enough:
            return False
        self.closed = max(self.closed, node.bound)
        return True

    def _plunge_into(self, kept: Sequence[Node | None]) -> None:
        """Go on with the first child that is left, which is where the relaxed answer lies."""
        for node in kept:
            if node is not None:
                self.open = [entry for entry in self.open if entry[2] is not node]
                heapq.heapify(self.open)
                self.memory -= _bytes_of(node)
                self.plunging = node
                return

    def _is_full(self) -> bool:
        """Whether the open list has outgrown its memory, though it has forgotten all bases."""
        if math.isinf(self.limits.bytes) or self.memory <= self.limits.bytes:
            return False
        self.open = [(b, age, replace(node, basis=None)) for b, age, node in self.open]
        self.memory = sum(_bytes_of(node) for _, _, node in self.open)
        return self.memory > self.limits.bytes


def _bytes_of(node: Node) -> int:
    path = node.path.column.nbytes + node.path.is_upper.nbytes + node.path.value.nbytes
    if node.basis is None:
        return NODE_BYTES + path
    cuts = sum(cut.column.nbytes + cut.probability.nbytes for cut in node.basis.cuts)
    return NODE_BYTES + path + node.basis.columns.nbytes + node.basis.rows.nbytes + cuts
