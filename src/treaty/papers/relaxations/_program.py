"""Viterbi EM as a mathematical program over a corpus (Gormley & Eisner 2013, figure 2).

Columns: log-probabilities of the live parameters, counts of the same features, then the parses of
the sentences. A parameter is live if some parse has its feature; the others are irrelevant.

Probabilities are at least `floor`, so that every column has finite bounds. This loses nothing: the
best parameters are relative frequencies, which are zero or at least one over the corpus counts,
hence above the floor; zeros are raised to the floor, where they cost nothing since their counts are
zero; and the sums they must not exceed are raised by the same amount (`capacity`).

With smoothing, each count has this much more weight in the objective. Then all parameters are live.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from treaty._threads import checked
from treaty.errors import UsageError
from treaty.induce._features import Floats, Ints, Layout
from treaty.papers.relaxations._cuts import tangent
from treaty.papers.relaxations._sentence import Block, sentence_rows
from treaty.papers.relaxations._sparse import Sparse

__all__ = ["Program", "build_program"]

FLOOR = 1e-8  # the minimum probability, unless a large corpus requires a smaller one


@dataclass(frozen=True, eq=False)
class Program:
    """Maximize the sum of parameter times count, with ``A x = b``, ``C x <= d`` and bounds.

    With smoothing, counts mean counts plus that much.
    """

    layout: Layout
    sentences: tuple[Ints, ...]
    live: Ints
    """Live parameter k has column k, and its count column K + k; this is its feature."""
    floor: float
    smoothing: float
    totals: Floats
    """The sum of the counts of each distribution; infinite where it depends on the parses."""
    first_column: Ints
    """The start of each sentence's columns."""
    lower: Floats
    upper: Floats
    equal: Sparse
    equal_right: Floats
    at_most: Sparse
    at_most_right: Floats

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.lower)

    @property
    def parameters(self) -> int:
        """The number of live parameters, K."""
        return len(self.live)

    @cached_property
    def rows(self) -> Sparse:
        """All rows, the equalities first."""
        return Sparse.stacked([self.equal, self.at_most])

    @property
    def capacity(self) -> Floats:
        """Upper limit on the sum of each distribution: 1, plus the raised zeros."""
        members = np.bincount(self.distribution, minlength=self.layout.distributions)
        return 1.0 + self.floor * np.maximum(members - 1, 0)

    @property
    def distribution(self) -> Ints:
        """The distribution of each live parameter."""
        return self.layout.distribution[self.live]

    @cached_property
    def integral(self) -> Ints:
        """The columns that are 0 or 1 in every parse: arcs, and decisions."""
        parts = zip(map(len, self.sentences), self.first_column.tolist(), strict=True)
        return np.concatenate([first + sentence_rows(n).integral for n, first in parts])

    def arc_columns(self, sentence: int) -> slice:
        """Return the columns of the arcs of a sentence."""
        first = int(self.first_column[sentence])
        return slice(first, first + sentence_rows(len(self.sentences[sentence])).arcs)


def build_program(
    tags: int,
    sentences: Iterable[npt.ArrayLike],
    times: npt.ArrayLike | None = None,
    *,
    kinds: Floats | None = None,
    least: float = 0.0,
    smoothing: float = 0.0,
    floor: float | None = None,
) -> Program:
    """Make the program of a corpus of tag sequences.

    Parameters
    ----------
    tags
        Number of tags.
    sentences
        The sentences, as tag indices.
    times
        Number of occurrences of each sentence. Copies of a sentence can share their columns, since
        under any parameters the same parse is best for all of them. (A constraint may require
        different parses of copies. The relaxation then represents their average, but the average
        need not split into integral parses: a search under a constraint keeps copies separate.)
    kinds, least
        A posterior constraint (section 4.4): at least this number of arcs have the features marked
        by 1.
    smoothing
        Added to every count in the objective.
    floor
        The minimum probability.
    """
    layout = Layout(tags)
    lists = tuple(np.asarray(sentence, dtype=np.intp) for sentence in sentences)
    if not lists or any(not len(sentence) for sentence in lists):
        raise UsageError("the program requires at least one sentence, and none may be empty")
    often = np.ones(len(lists), dtype=np.intp) if times is None else np.asarray(times)
    arcs = int(sum(n * len(sentence) for n, sentence in zip(often, lists, strict=True)))
    floor = _floor(arcs, tags, smoothing) if floor is None else floor

    parts = [sentence_rows(len(sentence)) for sentence in lists]
    sizes = [part.columns for part in parts]
    first = np.cumsum([0, *sizes[:-1]])
    definition = _define_counts(layout, lists, often, first)
    live, fewest, most = definition.live_range(everything=smoothing > 0)
    first += 2 * len(live)  # after the parameters and the counts

    placed = list(zip(parts, first.tolist(), strict=True))
    equal = [definition.rows(live), *(_shifted(p.equal, f) for p, f in placed)]
    at_most = [_shifted(p.at_most, f) for p, f in placed]
    at_most.append(_tangents(layout.distribution[live], floor))
    if kinds is not None:
        at_most.append(_at_least(kinds[live], least))
    equal_rows, equal_right = _stacked(equal)
    at_most_rows, at_most_right = _stacked(at_most)
    flows = [np.repeat([1.0, float(p.words), 1.0], [p.arcs, p.arcs, len(p.token)]) for p in parts]
    zeros = np.zeros(sum(sizes))
    return Program(
        layout=layout,
        sentences=lists,
        live=live,
        floor=floor,
        smoothing=smoothing,
        totals=_totals(layout, lists, often),
        first_column=first,
        lower=np.concatenate([np.full(len(live), np.log(floor)), fewest, zeros]),
        upper=np.concatenate([np.zeros(len(live)), most, *flows]),
        equal=equal_rows,
        equal_right=equal_right,
        at_most=at_most_rows,
        at_most_right=at_most_right,
    )


def _totals(layout: Layout, sentences: Sequence[Ints], times: Ints) -> Floats:
    """Sum the counts that do not depend on parses: of roots, and of decisions on first children."""
    totals = np.full(layout.distributions, np.inf)
    totals[layout.distribution[layout.root(0)]] = times.sum()
    tokens = np.zeros(layout.tags)
    for sentence, often in checked(zip(sentences, times, strict=True)):
        tokens += often * np.bincount(sentence, minlength=layout.tags)
    first = layout.decision(np.arange(layout.tags)[:, None], np.arange(2), 0, 0)
    totals[layout.distribution[first]] = tokens[:, None]
    return totals


def _floor(arcs: int, tags: int, smoothing: float) -> float:
    """Compute a probability well below all nonzero relative frequencies."""
    largest_total = 2 * arcs + 1 + max(tags, 2) * smoothing
    return min(FLOOR, 0.1 * (smoothing or 1.0) / largest_total)


@dataclass(frozen=True, eq=False)
class _Definition:
    """Feature `feature[i]` counts `value[i]` times parse column `column[i]`, plus a constant."""

    feature: Ints
    column: Ints
    value: Floats
    constant: Floats
    """Of each feature."""
    most: Floats
    """Of each feature."""

    def live_range(self, *, everything: bool) -> tuple[Ints, Floats, Floats]:
        """List the features that some parse has, with their minimum and maximum counts."""
        live = np.flatnonzero((self.most > 0) | everything)
        negative = np.where(self.value < 0, self.value, 0.0)
        least = self.constant + np.bincount(self.feature, negative, len(self.constant))
        return live, np.maximum(least, 0.0)[live], self.most[live]

    def rows(self, live: Ints) -> Block:
        """Make the rows ``count - sum = constant``; the columns of parses follow those of counts.

        Rows of features that no parse has come last: their sums are fixed to 0.
        """
        dead = np.setdiff1d(self.feature, live)
        number = np.zeros(len(self.constant), dtype=np.intp)
        number[np.concatenate([live, dead])] = np.arange(len(live) + len(dead))
        own = np.arange(len(live))
        return Block(
            np.concatenate([own, number[self.feature]]),
            np.concatenate([len(live) + own, 2 * len(live) + self.column]),
            np.concatenate([np.ones(len(live)), -self.value]),
            np.concatenate([self.constant[live], np.zeros(len(dead))]),
        )


def _define_counts(
    layout: Layout, sentences: Sequence[Ints], times: Ints, first: Ints
) -> _Definition:
    """Define the counts of all sentences, eqs. 10-16."""
    parts = [
        (*part, often, offset)
        for sentence, often, offset in checked(zip(sentences, times, first, strict=True))
        for part in _sentence_counts(layout, sentence)
    ]
    feature = np.concatenate([part[0] for part in parts])
    column = np.concatenate([part[1] + part[4] for part in parts])
    value = np.concatenate([np.full(len(part[0]), part[2] * part[3]) for part in parts])
    constant, most = np.zeros(layout.size), np.zeros(layout.size)
    for sentence, often in checked(zip(sentences, times, strict=True)):
        own = _least_and_most(layout, sentence)
        constant += often * own[0]
        most += often * own[1]
    return _Definition(feature, column, value, constant, most)


def _sentence_counts(layout: Layout, sentence: Ints) -> list[tuple[Ints, Ints, float]]:
    """List the features of a sentence, the columns that they count, and the sign."""
    parses = sentence_rows(len(sentence))
    tag = np.concatenate([[0], sentence])  # of the words, counted from 1
    from_root = np.flatnonzero(parses.head == 0)
    arcs = np.flatnonzero(parses.head > 0)
    head, child = parses.head[arcs], parses.child[arcs]
    side = (child > head).astype(np.intp)
    go_on = 2 * parses.arcs + np.arange(len(parses.token))
    word, direction = tag[parses.token], parses.direction
    # An arc adds a child to its head: eq. 16 sums the arcs of eq. 12.
    return [
        (layout.root(tag[parses.child[from_root]]), from_root, 1.0),
        (layout.child(tag[head], side, tag[child]), arcs, 1.0),
        (layout.decision(word, direction, 0, 1), go_on, 1.0),
        (layout.decision(word, direction, 0, 0), go_on, -1.0),
        (layout.decision(word, direction, 1, 0), go_on, 1.0),
        (layout.decision(tag[head], side, 1, 1), arcs, 1.0),
        (layout.decision(word, direction, 1, 1), go_on, -1.0),
    ]


def _least_and_most(layout: Layout, sentence: Ints) -> tuple[Floats, Floats]:
    """Return the constants of a sentence's counts (eq. 14), and the maximum over all parses."""
    constant, most = np.zeros(layout.size), np.zeros(layout.size)
    n = len(sentence)
    most[layout.root(sentence)] = 1.0
    for i, tag in enumerate(sentence):
        for direction, room in enumerate((i, n - 1 - i)):
            constant[layout.decision(tag, direction, 0, 0)] += 1.0
            most[layout.decision(tag, direction, 0, 0)] += 1.0
            if room:
                most[layout.decision(tag, direction, 0, 1)] += 1.0
                most[layout.decision(tag, direction, 1, 0)] += 1.0
            most[layout.decision(tag, direction, 1, 1)] += max(room - 1, 0)
        # This word as a child: of any head, but of only one.
        for direction, others in enumerate((sentence[i + 1 :], sentence[:i])):
            most[layout.child(np.unique(others), direction, tag)] += 1.0
    # n - 1 arcs do not leave the root, and the first child of a side is not a later one.
    first_decision = int(layout.decision(0, 0, 0, 0))
    most[:first_decision] = np.minimum(most[:first_decision], max(n - 1, 1))
    later = layout.decision(np.arange(layout.tags)[:, None], np.arange(2), 1, 1)
    most[later] = np.minimum(most[later], max(n - 2, 0))
    return constant, most


def _shifted(block: Block, first: int) -> Block:
    return Block(block.row, block.column + first, block.value, block.right)


def _tangents(distribution: Ints, floor: float) -> Block:
    """Make one cut for each distribution, at the uniform one; others are added when violated."""
    numbers = np.unique(distribution)
    cuts = []
    for number in numbers:
        own = np.flatnonzero(distribution == number)
        cuts.append(tangent(own, np.full(len(own), 1.0 / len(own)), floor))
    return Block(
        np.repeat(np.arange(len(cuts)), [len(cut.column) for cut in cuts]),
        np.concatenate([cut.column for cut in cuts]),
        np.concatenate([cut.probability for cut in cuts]),
        np.array([cut.right for cut in cuts]),
    )


def _at_least(kinds: Floats, least: float) -> Block:
    own = np.flatnonzero(kinds)
    row = np.zeros(len(own), dtype=np.intp)
    return Block(row, len(kinds) + own, -kinds[own], np.array([-least]))


def _stacked(blocks: Sequence[Block]) -> tuple[Sparse, Floats]:
    parts = [Sparse.of(b.row, b.column, b.value, len(b.right)) for b in blocks]
    return Sparse.stacked(parts), np.concatenate([block.right for block in blocks])
