"""The structure of tokenizers: what starts at each character of a text, under any scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.learn import Decoding, HashedLinear, ModelScores, PartList, Structure
from treaty.learn._structure import check_scores
from treaty.parse.documents._document import Document
from treaty.parse.tags._tag_structure import TagParts
from treaty.parse.tokens._raw_text import Span, text_and_tags
from treaty.parse.tokens._tokenizer import Tokenizer, _append_all, _pieces
from treaty.parse.trees._long_sentences import LONGEST, sentences_of
from treaty.solve import Certificate, Solution
from treaty.text import Sentence

__all__ = ["CharacterParts", "CharacterStructure"]

Floats = npt.NDArray[np.float64]


class CharacterParts(PartList):
    """Starts at the characters of a text: of nothing, a word, a token, a sentence.

    A text is cut into pieces at blank lines. For each piece there are parts as in `TagParts`: what
    starts at its characters, pairs and triples of neighbors.

    Attributes
    ----------
    text
        The text.
    chains
        The parts of each piece.
    """

    def __init__(self, tokenizer: Tokenizer, text: str, *, training: bool = False) -> None:
        self.text, self.pieces = text, list(_pieces(text, tokenizer.language, tokenizer.lines))
        self.chains = []
        for piece in self.pieces:
            sequences, arrays = tokenizer._read([piece], training=training)
            self.chains.append(TagParts(tokenizer.model, sequences, piece, arrays))  # type: ignore[arg-type]
        self.begin = np.cumsum([0, *map(len, self.chains)]).tolist()
        self.kinds = {}
        for number, chain in enumerate(self.chains):
            first = self.begin[number]
            for kind, part in chain.kinds.items():
                self.kinds[f"{kind} {number}"] = slice(first + part.start, first + part.stop)

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of the parts of each piece."""
        return [
            (slice(first + part.start, first + part.stop), rows)
            for first, chain in zip(self.begin, self.chains, strict=False)
            for part, rows in chain.features
        ]

    def each(self, numbers: Floats, function: Callable[[TagParts, Floats], Floats]) -> Floats:
        """Apply a function to each piece and its numbers, and join the results."""
        ends = self.begin[1:-1]
        rows = np.split(numbers, ends) if self.chains else []
        results = [function(chain, row) for chain, row in zip(self.chains, rows, strict=True)]
        return np.concatenate([np.zeros(0), *results])

    def of_tags(self, tags: Sequence[int]) -> Floats:
        """Return the amounts of the tags of all characters that are no white space."""
        amounts, rest = [np.zeros(0)], list(tags)
        for chain in self.chains:
            some, rest = rest[: len(chain.tags)], rest[len(chain.tags) :]
            pairs = zip(chain.tags, some, strict=True)
            amounts.append(chain.amounts([allowed.tolist().index(tag) for allowed, tag in pairs]))
        return np.concatenate(amounts)


class CharacterStructure(Structure[CharacterParts]):
    """The structure of a tokenizer: the best path through what may start at each character.

    Inputs are texts, or sentences, whose text is meant; examples are sentences.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer, self.bits = tokenizer, tokenizer.bits

    def parts(self, given: str | Sentence) -> CharacterParts:
        """List what may start at the characters of a text, by the rules of the tokenizer."""
        text = given.text if isinstance(given, Sentence) else given
        return CharacterParts(self.tokenizer, text)

    def training_parts(self, example: Sentence) -> CharacterParts:
        """List all that may start: rules need not agree with the treebank."""
        return CharacterParts(self.tokenizer, text_and_tags([example])[0], training=True)

    def gold(self, parts: CharacterParts, example: Sentence) -> Floats:
        """Return the amounts of the tokens and words of an example."""
        return parts.of_tags(text_and_tags([example])[1])

    def costs(self, parts: CharacterParts, gold: Floats) -> Floats:
        """Charge 1 for each character with a wrong tag."""
        costs = np.zeros(len(parts))
        for kind, part in parts.kinds.items():
            if kind.startswith("tag "):
                costs[part] = 1.0 - gold[part]
        return costs

    def decode(self, parts: CharacterParts, scores: Floats, **limits: Any) -> Decoding:
        """Find the best tags of each piece, by dynamic programming."""
        totals: list[float] = []

        def best(chain: TagParts, row: Floats) -> Floats:
            amounts, total = chain.best_path(row)
            totals.append(total)
            return amounts

        amounts = parts.each(check_scores(parts, scores), best)
        certificate = Certificate.exact(sum(totals, 0.0))
        if -np.inf in totals:
            return Decoding.none(len(parts), certificate)
        return Decoding(amounts, certificate)

    def fused(self, parts: CharacterParts) -> Decoding:
        """Decode by the tokenizer's own weights, natively."""
        tags: list[int] = []
        for chain in parts.chains:
            tags += native.tag(self.tokenizer.model, chain.sequences, chain.choices).tolist()
        amounts = parts.of_tags(tags)
        return Decoding(amounts, Certificate.exact(float(self.model_scores()(parts) @ amounts)))

    def read(self, parts: CharacterParts, decoding: Decoding) -> Document:
        """Return the text with its sentences."""
        tags: list[int] = []
        rows = np.split(decoding.amounts, parts.begin[1:-1]) if parts.chains else []
        for chain, row in zip(parts.chains, rows, strict=True):
            tags += chain.chosen(row)
        spans: list[list[list[Span]]] = []
        _append_all(spans, parts.pieces, iter(tags))
        language = self.tokenizer.language
        sentences = [
            sentence
            for tokens in spans
            for sentence in sentences_of(parts.text, tokens, LONGEST, language)
        ]
        return Document(parts.text, sentences)

    def graph(self, parts: CharacterParts, scores: Floats) -> FactorGraph:
        """Return the graph: a categorical variable for each character, as in `TagStructure`."""
        graph = FactorGraph()

        def add(chain: TagParts, row: Floats) -> Floats:
            chain.add_to(graph, row)
            return row

        parts.each(check_scores(parts, scores), add)
        return graph

    def of_solution(self, parts: CharacterParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        amounts, at = [np.zeros(0)], 0
        for chain in parts.chains:
            amounts.append(chain.of_values(solution.values[at:]))
            at += sum(map(len, chain.tags))
        return Decoding(np.concatenate(amounts), solution.certificate)

    def marginals(self, parts: CharacterParts, scores: Floats) -> Floats:
        """Return the probability of each part (forward-backward)."""
        return parts.each(check_scores(parts, scores), TagParts.expected)

    def model_scores(self) -> ModelScores:
        """Return the scorer of the tokenizer's own weights."""
        return ModelScores(HashedLinear(self.bits), self.tokenizer.model.weights.values)
