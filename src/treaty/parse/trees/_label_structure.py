"""The structure of a tree's labels: a label for every arc, decoded under any scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.errors import UsageError
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.learn import Decoding, HashedLinear, ModelScores, PartList, Structure
from treaty.learn._structure import check_scores
from treaty.parse.trees._parser import Parse, Parser
from treaty.solve import Certificate, Solution, Status, marginals
from treaty.text import Sentence

__all__ = ["LabelParts", "LabelStructure"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class LabelParts(PartList):
    """The labels that the words of a tree may have, word by word.

    Attributes
    ----------
    sentence
        The sentence with its tree.
    begin
        Where the labels of each word begin, from word 1 on, and where the last ones end.
    labels
        The numbers of the labels.
    """

    def __init__(
        self, parser: Parser, sentence: Sentence, sequences: Sequences, wanted: Sequence[int]
    ) -> None:
        self.parser, self.sentence, self.sequences = parser, sentence, sequences
        self.tree = np.array([-1, *sentence.heads], np.int32)
        self.choices: tuple[npt.NDArray[np.int64], Ints] = native.label_choices(
            parser.label_model, sequences, 0, self.tree, np.array([-1, *wanted], np.int32)
        )
        self.begin, self.labels = self.choices[0][1:], self.choices[1]
        self.kinds = {"label": slice(0, len(self.labels))}

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of all labels; a word with a single label has none."""
        begin, places = native.label_features(
            self.parser.label_model, self.sequences, 0, self.tree, *self.choices
        )
        return [(self.kinds["label"], RaggedFeatures(begin, places))]

    def of_word(self, word: int) -> slice:
        """Return the parts of a word, counted from 1."""
        return slice(int(self.begin[word - 1]), int(self.begin[word]))

    def amounts(self, labels: Sequence[int]) -> Floats:
        """Return the amounts of the labels of all words."""
        amounts = np.zeros(len(self))
        for word, label in enumerate(labels, 1):
            part = self.of_word(word)
            amounts[part][self.labels[part] == label] = 1.0
        return amounts

    def chosen(self, amounts: Floats) -> list[int]:
        """Return the label of each word."""
        parts = [self.of_word(word) for word in range(1, len(self.sentence) + 1)]
        return [int(self.labels[part][amounts[part].argmax()]) for part in parts]


class LabelStructure(Structure[LabelParts]):
    """The structure of a parser's labels, given the tree.

    Inputs are sentences with trees, or parses; examples have labels. Among the dependents of a head
    no two labels exclude each other (see `Parser.learn_exclusions`), where that is possible.
    """

    def __init__(self, parser: Parser) -> None:
        self.parser, self.bits = parser, parser.settings.label_bits

    def parts(self, given: Sentence | Parse) -> LabelParts:
        """List the labels that the arcs of a tree may have."""
        sentence = given.sentence if isinstance(given, Parse) else given
        return self._listed(sentence, [-1] * len(sentence))

    def training_parts(self, example: Sentence) -> LabelParts:
        """List the labels, with the right ones."""
        return self._listed(example, self._numbers(example))

    def _listed(self, sentence: Sentence, wanted: Sequence[int]) -> LabelParts:
        if any(head < 0 for head in sentence.heads):
            raise UsageError("expected a sentence with a tree: labels are those of its arcs")
        return LabelParts(self.parser, sentence, self.parser.sequences([sentence]), wanted)

    def gold(self, parts: LabelParts, example: Sentence) -> Floats:
        """Return the amounts of an example's labels."""
        return parts.amounts(self._numbers(example))

    def costs(self, parts: LabelParts, gold: Floats) -> Floats:
        """Charge 1 for each word with a wrong label."""
        return 1.0 - gold

    def decode(self, parts: LabelParts, scores: Floats, **limits: Any) -> Decoding:
        """Find the best labels: depth-first search among the dependents of each head."""
        try:
            choice, objective, bound = native.choose_labels(
                self.parser.label_model, parts.tree, *parts.choices, check_scores(parts, scores)
            )
        except ValueError as error:
            raise UsageError(str(error)) from error
        amounts = np.zeros(len(parts))
        amounts[choice[1:]] = 1.0
        status = Status.OPTIMAL if objective == bound else Status.FEASIBLE
        return Decoding(amounts, Certificate(status, objective, bound))

    def fused(self, parts: LabelParts) -> Decoding:
        """Label a tree by the parser's own weights, natively."""
        labels = native.label_tree(self.parser.label_model, parts.sequences, 0, parts.tree)
        amounts = parts.amounts(labels[1:].tolist())
        objective = float(self.model_scores()(parts) @ amounts)
        bound = max(objective, self.decode(parts, self.model_scores()(parts)).bound)
        return Decoding(amounts, Certificate(Status.FEASIBLE, objective, bound))

    def read(self, parts: LabelParts, decoding: Decoding) -> Parse:
        """Return the tree with the labels."""
        labels = [self.parser.labels[number] for number in parts.chosen(decoding.amounts)]
        tree = parts.sentence.with_tree(parts.sentence.heads, labels)
        return Parse(tree, decoding.certificate)

    def graph(self, parts: LabelParts, scores: Floats) -> FactorGraph:
        """Return the graph: a categorical variable for each word, and the exclusions."""
        graph, given = FactorGraph(), check_scores(parts, scores)
        words = [
            graph.categorical(given[parts.of_word(word)])
            for word in range(1, len(parts.sentence) + 1)
        ]
        pairs = {
            pair for a, b in zip(*self._exclusions(), strict=True) for pair in ((a, b), (b, a))
        }
        heads = parts.sentence.heads
        for m in range(len(words)):
            for s in (s for s in range(m) if heads[s] == heads[m]):
                for i, a in enumerate(parts.labels[parts.of_word(s + 1)].tolist()):
                    for j, b in enumerate(parts.labels[parts.of_word(m + 1)].tolist()):
                        if (a, b) in pairs:
                            graph.at_most_one(words[s][i], words[m][j])
        return graph

    def of_solution(self, parts: LabelParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        amounts = np.asarray(solution.values[: len(parts)] == 1, np.float64)
        return Decoding(amounts, solution.certificate)

    def marginals(self, parts: LabelParts, scores: Floats) -> Floats:
        """Return the probability of each label, by bucket elimination over the exclusions."""
        return np.concatenate([np.zeros(0), *marginals(self.graph(parts, scores))])

    def model_scores(self) -> ModelScores:
        """Return the scorer of the parser's own weights."""
        return ModelScores(HashedLinear(self.bits), self.parser.label_model.weights.values)

    def _exclusions(self) -> tuple[list[int], list[int]]:
        first, second = self.parser.label_model.exclusions
        return first.tolist(), second.tolist()

    def _numbers(self, example: Sentence) -> list[int]:
        numbers = {label: number for number, label in enumerate(self.parser.labels)}
        unknown = {token.deprel for token in example.tokens} - numbers.keys()
        if unknown:
            raise UsageError(f"the parser has no label {min(unknown)!r}")
        return [numbers[token.deprel] for token in example.tokens]
