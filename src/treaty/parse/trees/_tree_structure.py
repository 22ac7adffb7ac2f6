"""The structure of parsers: arcs and their combinations as parts, decoded under any scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.errors import UsageError
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.learn import (
    Decoding,
    HashedLinear,
    LearnerOptions,
    ModelScores,
    PartList,
    Scorer,
    Structure,
    WeightsLearner,
)
from treaty.learn._structure import check_scores
from treaty.parse.trees import _templates as families
from treaty.parse.trees._parser import STATUSES, Parse, Parser
from treaty.parse.trees._trees import best_tree
from treaty.parse.trees._words import gold_of
from treaty.solve import Certificate, Solution, Status, k_best
from treaty.text import Sentence, check_tree

__all__ = ["TreeLearner", "TreeParts", "TreeStructure"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]
NO_ARCS = np.zeros(0, np.int32)


class TreeParts(PartList):
    """The parts of a sentence's trees: its candidate arcs and what the parser's order combines.

    Attributes
    ----------
    sentence
        The sentence.
    heads, modifiers
        Of each candidate arc; 0 is the root. Arcs are the first parts, by modifier and then head.
    family
        The number of each part's family in `families`. It is 255 at places that are no parts: they
        keep the tables of a factor whole, their scores are ignored, and no tree has them.
    roles
        A row of four words for each part, in the order of its family's roles: for example head,
        grandparent and modifier. -1 is the start of a head's dependents on one side, or no role;
        one more than the number of words is their end.
    families
        The names of the families and their roles.
    """

    families = MappingProxyType(
        {
            family.name: tuple(r for r in family.roles if r != "between")
            for family in families.FAMILIES
        }
    )

    def __init__(
        self,
        structure: TreeStructure,
        sentence: Sentence,
        sequences: Sequences,
        listed: native.SentenceParts,
    ) -> None:
        self.structure, self.sentence = structure, sentence
        self.sequences, self.native = sequences, listed
        self.heads, self.modifiers = listed.head, listed.modifier
        self.kinds = {"part": slice(0, len(listed))}

    @cached_property
    def family(self) -> npt.NDArray[np.uint8]:
        """The number of the family of each part."""
        return self.native.family

    @cached_property
    def roles(self) -> Ints:
        """The words of each part."""
        return self.native.roles.reshape(-1, 4)

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of all parts."""
        begin, places = self.native.features(self.structure.parser.parser_model, self.sequences, 0)
        return [(self.kinds["part"], RaggedFeatures(begin, places))]

    def of_family(self, name: str) -> npt.NDArray[np.intp]:
        """Return the indices of the parts of a family."""
        return np.flatnonzero(self.family == list(self.families).index(name))

    def amounts(self, heads: Sequence[int]) -> Floats:
        """Return the amounts of a tree, given by the head of each word."""
        amounts = np.zeros(len(self))
        try:
            amounts[self.native.of_tree(np.array([-1, *heads], np.int32))] = 1.0
        except ValueError as error:
            raise UsageError(f"{error}: add it to the candidates") from error
        return amounts

    def tree(self, amounts: Floats) -> list[int]:
        """Return the head of each word."""
        heads = np.zeros(len(self.sentence) + 1, np.int64)
        on = np.flatnonzero(amounts[: len(self.heads)] > 0)
        heads[self.modifiers[on]] = self.heads[on]
        return [int(head) for head in heads[1:]]


class TreeStructure(Structure[TreeParts]):
    """The structure of a parser: trees over candidate arcs, decoded by AD3 with head automata.

    Inputs are tagged sentences; examples have trees. The pruner of the parser chooses the candidate
    arcs, unless they are given.

    Parameters
    ----------
    parser
        The parser: its pruner, its order and its settings.
    order, single_root, projective
        As in `Parser.predict`.
    """

    def __init__(
        self,
        parser: Parser,
        order: str | None = None,
        *,
        single_root: bool | None = None,
        projective: bool = False,
    ) -> None:
        self.parser, self.bits = parser, parser.settings.parser_bits
        self.order = order or parser.settings.order
        self.families = parser.families(self.order)
        self.pruning, self.decoding = parser.options(single_root, projective)

    def parts(self, given: Sentence, arcs: Sequence[tuple[int, int]] | None = None) -> TreeParts:
        """List the parts over the arcs that the pruner keeps, or over given arcs.

        Parameters
        ----------
        given
            The sentence.
        arcs
            Pairs of head and modifier; words are numbered from 1, and 0 is the root.
        """
        sequences = self.parser.sequences([given])
        if arcs is None:
            return self._listed(given, sequences, NO_ARCS)
        pairs = np.array(arcs, np.int32).reshape(-1, 2)
        heads, modifiers = (np.ascontiguousarray(column) for column in pairs.T)
        try:
            listed = native.given_parts(
                len(given), heads, modifiers, self.parser.parser_model, self.families
            )
        except ValueError as error:
            raise UsageError(f"arcs: {error}") from error
        dense = np.full((len(given) + 1,) * 2, -np.inf)
        dense[heads, modifiers] = 0.0
        if len(given) and best_tree(dense, single_root=self.decoding.single_root)[0][1] < 0:
            raise UsageError("arcs: there is no tree over these candidates; add more")
        return TreeParts(self, given, sequences, listed)

    def training_parts(self, example: Sentence) -> TreeParts:
        """List the parts, with those of the example's tree."""
        check_tree(example)
        arcs = [pair for m, head in enumerate(example.heads, 1) for pair in (head, m)]
        return self._listed(example, self.parser.sequences([example]), np.array(arcs, np.int32))

    def _listed(self, given: Sentence, sequences: Sequences, more: Ints) -> TreeParts:
        listed = native.candidate_parts(
            sequences,
            0,
            self.parser.pruner_model,
            self.parser.parser_model,
            self.families,
            self.pruning,
            more,
        )
        return TreeParts(self, given, sequences, listed)

    def gold(self, parts: TreeParts, example: Sentence) -> Floats:
        """Return the amounts of an example's tree."""
        return parts.amounts(example.heads)

    def costs(self, parts: TreeParts, gold: Floats) -> Floats:
        """Charge 1 for each word with a wrong head."""
        costs, arcs = np.zeros(len(parts)), slice(0, len(parts.heads))
        costs[arcs] = 1.0 - gold[arcs]
        return costs

    def decode(
        self, parts: TreeParts, scores: Floats, iterations: int | None = None, **limits: Any
    ) -> Decoding:
        """Find the best tree, by the decoder of the parser.

        Parameters
        ----------
        parts
            The parts.
        scores
            A finite score for each of them.
        iterations
            Maximum number of iterations of AD3; by default that of the parser's settings.
        """
        decoding = self.decoding if iterations is None else self._decoding(iterations)
        try:
            answer = parts.native.decode(check_scores(parts, scores), decoding)
        except ValueError as error:
            raise UsageError(str(error)) from error
        certificate = Certificate(
            STATUSES[answer["status"]], answer["objective"], answer["bound"], answer["iterations"]
        )
        return self._of_tree(parts, answer["head"], certificate)

    def fused(self, parts: TreeParts) -> Decoding:
        """Parse a sentence by the parser's own weights, natively."""
        options = self.pruning, self.decoding
        ((_, answer),) = self.parser.answers([parts.sentence], self.order, options)
        certificate = Certificate(
            STATUSES[answer["status"][0]],
            float(answer["objective"][0]),
            float(answer["bound"][0]),
            int(answer["iterations"][0]),
        )
        return self._of_tree(parts, answer["head"], certificate)

    def _of_tree(self, parts: TreeParts, head: Ints, certificate: Certificate) -> Decoding:
        if not np.isfinite(certificate.objective) or (head[1:] < 0).any():
            return Decoding.none(len(parts), certificate)
        return Decoding(parts.amounts(head[1:].tolist()), certificate)

    def read(self, parts: TreeParts, decoding: Decoding) -> Parse:
        """Return the tree, with the parser's labels."""
        heads = parts.tree(decoding.amounts)
        numbers = native.label_tree(
            self.parser.label_model, parts.sequences, 0, np.array([-1, *heads], np.int32)
        )
        labels = [self.parser.labels[number] for number in numbers[1:].tolist()]
        return Parse(parts.sentence.with_tree(heads, labels), decoding.certificate)

    def graph(self, parts: TreeParts, scores: Floats) -> FactorGraph:
        """Return the factor graph; its first variables are the candidate arcs."""
        graph, _ = parts.native.graph(check_scores(parts, scores), self.decoding)
        return FactorGraph._of(graph)

    def of_solution(self, parts: TreeParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if solution.status in (Status.INFEASIBLE, Status.UNKNOWN):
            return Decoding.none(len(parts), solution.certificate)
        heads = np.full(len(parts.sentence) + 1, -1, np.int32)
        on = np.flatnonzero(solution.values[: len(parts.heads)] == 1)
        heads[parts.modifiers[on]] = parts.heads[on]
        return self._of_tree(parts, heads, solution.certificate)

    def k_best(self, parts: TreeParts, scores: Floats, k: int, **options: Any) -> list[Decoding]:
        """Find the k best trees; see `treaty.solve.k_best`."""
        graph = self.graph(parts, scores)
        options = {"variables": list(graph)[: len(parts.heads)], **options}
        return [self.of_solution(parts, one) for one in k_best(graph, k, **options)]

    def marginals(self, parts: TreeParts, scores: Floats) -> Floats:
        """Return the probability of each arc (matrix-tree theorem); of first-order parts alone."""
        from treaty.parse.trees._trees import tree_marginals

        if len(parts) > len(parts.heads):
            raise UsageError(
                'there are marginals of first-order models alone: list parts with order="first"'
            )
        dense = np.full((len(parts.sentence) + 1,) * 2, -np.inf)
        dense[parts.heads, parts.modifiers] = check_scores(parts, scores)
        probability, _ = tree_marginals(dense, single_root=self.decoding.single_root)
        return np.asarray(probability[parts.heads, parts.modifiers])

    def model_scores(self) -> ModelScores:
        """Return the scorer of the parser's own weights."""
        return ModelScores(HashedLinear(self.bits), self.parser.parser_model.weights.values)

    def fused_learner(
        self, scorer: Scorer, examples: Sequence[Any], options: LearnerOptions, threads: int
    ) -> TreeLearner | None:
        """Return the native learner: MIRA of hashed weights of the parser's own size."""
        limits = dict(options.limits)
        iterations = limits.pop("iterations", self.decoding.iterations)
        if scorer != HashedLinear(self.bits) or options.learner != "mira" or limits:
            return None
        if self.order != self.parser.settings.order:
            return None  # whose features are in other families, too
        for example in examples:
            check_tree(example)
        treebank = Treebank(list(examples), self.parser)
        return TreeLearner(
            self.parser.untrained_model(),
            treebank,
            treebank.candidates(self.parser, self.pruning, threads),
            self._decoding(iterations),
            batch_options(options.batch, threads, options.aggressiveness),
        )

    def _decoding(self, iterations: int) -> native.DecoderOptions:
        usual = self.decoding
        _, decoding = self.parser.options(usual.single_root, usual.projective)
        decoding.iterations = iterations
        return decoding


class Treebank:
    """Sentences with trees in the form of the native learners."""

    def __init__(self, sentences: list[Sentence], parser: Parser) -> None:
        numbers = {label: i for i, label in enumerate(parser.labels)}
        self.sentences = sentences
        self.sequences = parser.sequences(sentences)
        self.gold, self.heads, self.labels = gold_of(self.sequences, sentences, numbers)
        self.words = len(self.heads) - len(sentences)

    def candidates(
        self, parser: Parser, pruning: native.PrunerOptions, threads: int
    ) -> native.Candidates:
        """List the arcs that the pruner keeps, and those of the trees."""
        return native.list_candidates(
            parser.pruner_model, self.sequences, self.gold, pruning, threads
        )


class TreeLearner(WeightsLearner):
    """Cost-augmented MIRA over trees, natively: the learner of a parser's hashed weights.

    Parameters
    ----------
    model
        The templates, and the weights to learn.
    treebank, candidates
        The examples and their candidate arcs.
    decoding, options
        Limits of the decoder; batch, threads and aggressiveness.
    warm_up
        As in `WeightsLearner`.
    """

    def __init__(
        self,
        model: native.ScoringModel,
        treebank: Treebank,
        candidates: native.Candidates,
        decoding: native.DecoderOptions,
        options: native.BatchOptions,
        *,
        warm_up: int = 0,
    ) -> None:
        def step(ids: Ints) -> object:
            return native.train_parser(
                model, treebank.sequences, treebank.gold, candidates, ids, decoding, options
            )

        super().__init__(model.weights, step, warm_up=warm_up)

    def mean(self) -> npt.NDArray[np.floating[Any]]:
        """Return the averaged weights."""
        return self.weights.average()


def batch_options(batch: int, threads: int, rate: float) -> native.BatchOptions:
    """Return the options of a native learner: `rate` is its step, or the aggressiveness of MIRA."""
    options = native.BatchOptions()
    options.batch, options.threads, options.rate = batch, threads, rate
    return options
