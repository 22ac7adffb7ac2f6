"""The structure of taggers: tags, pairs and triples of tags as parts, decoded under any scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.learn import Decoding, HashedLinear, ModelScores, PartList, Structure
from treaty.learn._structure import check_scores
from treaty.parse.tags._column_tagger import ColumnTagger
from treaty.solve import Certificate, Solution
from treaty.text import Sentence

__all__ = ["TagParts", "TagStructure"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
KINDS = ("tag", "pair", "triple")


class TagParts(PartList):
    """The tags that the words of a sentence may have, and their pairs and triples.

    First come the tags of all words; then, for each word, the pairs of a tag of the word before and
    one of its own; then the triples. The last tag changes fastest. Before the first word there is a
    start that has one tag.

    Attributes
    ----------
    given
        The sentence.
    tags
        The numbers of the tags that each word may have.
    """

    def __init__(
        self,
        model: native.TagModel,
        sequences: Sequences,
        given: Any,
        choices: tuple[Ints, Ints, Ints],
    ) -> None:
        self.model, self.sequences, self.given = model, sequences, given
        self.choices = native.TagChoices(sequences, *choices)
        class_of, tags, begin = choices
        self.tags = [tags[begin[c] : begin[c + 1]] for c in class_of.tolist()]
        size = [1, 1, *map(len, self.tags)]
        # Of every word, the shape of each of its three tables.
        self.shapes = [
            [size[i : i + 3][2 - order :] for i in range(len(self.tags))] for order in range(3)
        ]
        counts = [sum(int(np.prod(shape)) for shape in shapes) for shapes in self.shapes]
        ends = list(accumulate(counts, initial=0))
        self.kinds = {kind: slice(ends[n], ends[n + 1]) for n, kind in enumerate(KINDS)}

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of all parts."""
        begin, places = native.tag_part_features(self.model, self.sequences, 0, self.choices)
        return [(slice(0, len(begin) - 1), RaggedFeatures(begin, places))]

    def tables(self, numbers: Floats) -> list[tuple[Floats, Floats, Floats]]:
        """Split an array over all parts into the tables of each word: tags, pairs, triples.

        The tables are views: writing to them changes the array.
        """
        every = []
        for kind, shapes in zip(KINDS, self.shapes, strict=True):
            part, at = numbers[self.kinds[kind]], 0
            tables = []
            for shape in shapes:
                size = int(np.prod(shape))
                tables.append(part[at : at + size].reshape(shape))
                at += size
            every.append(tables)
        return list(zip(*every, strict=True))

    def amounts(self, places: Sequence[int]) -> Floats:
        """Return the amounts of a tagging, given by the place of each tag among its word's."""
        amounts = np.zeros(len(self))
        path = [0, 0, *places]
        for i, (single, pair, triple) in enumerate(self.tables(amounts)):
            z, a, b = path[i : i + 3]
            single[b] = pair[a, b] = triple[z, a, b] = 1.0
        return amounts

    def best_path(self, scores: Floats) -> tuple[Floats, float]:
        """Return the amounts of the best tagging and its score; -inf if there is none."""
        reach, back = np.zeros((1, 1)), list[npt.NDArray[np.intp]]()
        for single, pair, triple in self.tables(scores):
            through = reach[:, :, None] + triple
            back.append(through.argmax(axis=0))
            reach = through.max(axis=0) + pair + single
        best = float(reach.max())
        if best == -np.inf:
            return np.zeros(len(self)), best
        a, b = (int(place) for place in np.unravel_index(int(reach.argmax()), reach.shape))
        places = list[int]()
        for choice in reversed(back):
            places.append(b)
            a, b = int(choice[a, b]), a
        return self.amounts(places[::-1]), best

    def expected(self, scores: Floats) -> Floats:
        """Return the expected amounts where a tagging's probability is proportional to e^score."""
        tables = self.tables(scores)
        forward = [np.zeros((1, 1))]
        for single, pair, triple in tables:
            before = np.logaddexp.reduce(forward[-1][:, :, None] + triple, axis=0)
            forward.append(before + pair + single)
        amounts = np.zeros(len(self))
        total = np.logaddexp.reduce(forward[-1], axis=None)
        backward = np.zeros(forward[-1].shape)
        filled = list(zip(self.tables(amounts), tables, forward[:-1], strict=True))
        for expected, (single, pair, triple), reach in reversed(filled):
            after = triple + pair + single + backward
            expected[2][:] = np.exp(reach[:, :, None] + after - total)
            expected[1][:] = expected[2].sum(axis=0)
            expected[0][:] = expected[1].sum(axis=0)
            backward = np.logaddexp.reduce(after, axis=2)
        return amounts

    def add_to(self, graph: FactorGraph, scores: Floats) -> None:
        """Add a categorical variable for each word to a graph, and tables over three neighbors."""
        words = []
        for i, (single, pair, triple) in enumerate(self.tables(scores)):
            rest = pair + triple
            words.append(graph.categorical(single + (rest[0, 0] if i == 0 else 0.0)))
            if i > 0:
                graph.table(words[-2:], rest[0]) if i == 1 else graph.table(words[-3:], rest)

    def of_values(self, values: npt.NDArray[np.int8]) -> Floats:
        """Return the amounts of a solution, from the values of its words' variables."""
        places, at = list[int](), 0
        for tags in self.tags:
            places.append(int(values[at : at + len(tags)].argmax()))
            at += len(tags)
        return self.amounts(places)

    def chosen(self, amounts: Floats) -> list[int]:
        """Return the number of the tag of each word."""
        tables = self.tables(amounts)
        return [int(tags[t[0].argmax()]) for tags, t in zip(self.tags, tables, strict=True)]


class TagStructure(Structure[TagParts]):
    """The structure of a column: the best path through the tags, by exact dynamic programming.

    Inputs are sentences whose earlier columns are filled; in examples, the column is, too.

    Parameters
    ----------
    tagger
        The tagger, for the tags of each word, the features and the weights.
    """

    def __init__(self, tagger: ColumnTagger) -> None:
        self.tagger, self.bits = tagger, tagger.bits

    def parts(self, given: Sentence) -> TagParts:
        """List the tags of the words, and their pairs and triples."""
        sequences, classes = self.tagger.read([given])
        choices = self.tagger.dictionary.flat(of=classes)
        return TagParts(self.tagger.model, sequences, given, choices)

    def training_parts(self, example: Sentence) -> TagParts:
        """List the parts, with those of the right tags."""
        sequences, classes = self.tagger.read([example])
        choices = self.tagger.dictionary.flat(self._numbers(example), classes)
        return TagParts(self.tagger.model, sequences, example, choices)

    def gold(self, parts: TagParts, example: Sentence) -> Floats:
        """Return the amounts of the tags of an example."""
        numbers = self._numbers(example)
        places = [
            tags.tolist().index(number) for tags, number in zip(parts.tags, numbers, strict=True)
        ]
        return parts.amounts(places)

    def costs(self, parts: TagParts, gold: Floats) -> Floats:
        """Charge 1 for each word with a wrong tag."""
        costs = np.zeros(len(parts))
        tags = parts.kinds["tag"]
        costs[tags] = 1.0 - gold[tags]
        return costs

    def decode(self, parts: TagParts, scores: Floats, **limits: Any) -> Decoding:
        """Find the best tags (Viterbi over pairs of tags)."""
        amounts, best = parts.best_path(check_scores(parts, scores))
        if best == -np.inf:
            return Decoding.none(len(parts), Certificate.exact(best))
        return Decoding(amounts, Certificate.exact(best))

    def fused(self, parts: TagParts) -> Decoding:
        """Decode by the tagger's own weights, natively."""
        chosen = native.tag(self.tagger.model, parts.sequences, parts.choices).tolist()
        amounts = parts.amounts(
            [tags.tolist().index(tag) for tags, tag in zip(parts.tags, chosen, strict=True)]
        )
        return Decoding(amounts, Certificate.exact(float(self.model_scores()(parts) @ amounts)))

    def read(self, parts: TagParts, decoding: Decoding) -> Sentence:
        """Return a copy of the sentence with the tags."""
        tokens = [replace(token) for token in parts.given.tokens]
        for token, tag in zip(tokens, parts.chosen(decoding.amounts), strict=True):
            setattr(token, self.tagger.column, self.tagger.tags[tag])
        return Sentence(tokens, list(parts.given.comments), list(parts.given.other_lines))

    def graph(self, parts: TagParts, scores: Floats) -> FactorGraph:
        """Return the graph: a categorical variable for each word, tables over three neighbors."""
        graph = FactorGraph()
        parts.add_to(graph, check_scores(parts, scores))
        return graph

    def of_solution(self, parts: TagParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        return Decoding(parts.of_values(solution.values), solution.certificate)

    def marginals(self, parts: TagParts, scores: Floats) -> Floats:
        """Return the probability of each tag, pair and triple (forward-backward)."""
        return parts.expected(check_scores(parts, scores))

    def model_scores(self) -> ModelScores:
        """Return the scorer of the tagger's own weights."""
        return ModelScores(HashedLinear(self.bits), self.tagger.model.weights.values)

    def _numbers(self, example: Sentence) -> list[int]:
        numbers = {tag: number for number, tag in enumerate(self.tagger.tags)}
        return [numbers[getattr(token, self.tagger.column)] for token in example.tokens]
