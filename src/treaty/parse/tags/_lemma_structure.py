"""The structure of lemmatizers: an edit script for each open word, under any scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty.features import RaggedFeatures
from treaty.graph import FactorGraph
from treaty.learn import Decoding, HashedLinear, ModelScores, PartList, Structure
from treaty.learn._structure import check_scores
from treaty.parse.tags._edit_scripts import script_of
from treaty.parse.tags._lemmatizer import Item, Lemmatizer, word_of
from treaty.solve import Certificate, Solution
from treaty.text import Sentence

__all__ = ["LemmaParts", "LemmaStructure"]

Floats = npt.NDArray[np.float64]


class LemmaParts(PartList):
    """The edit scripts of the words of a sentence that the dictionary leaves open, word by word.

    Attributes
    ----------
    sentence
        The sentence.
    items, words
        What is known of these words, and their places in the sentence.
    """

    def __init__(
        self,
        lemmatizer: Lemmatizer,
        sentence: Sentence,
        items: Sequence[Item],
        words: Sequence[int],
    ) -> None:
        self.lemmatizer, self.sentence = lemmatizer, sentence
        self.items, self.words = list(items), list(words)
        self.sequences, self.choices = lemmatizer.hashed(self.items)
        self.begin = np.cumsum([0, *(len(item.candidates.scripts) for item in self.items)])
        self.kinds = {"script": slice(0, int(self.begin[-1]))}

    @cached_property
    def features(self) -> Sequence[tuple[slice, RaggedFeatures]]:
        """The features of the scripts of each word."""
        listed = []
        for number in range(len(self.items)):
            part = self.of_item(number)
            begin, places = native.tag_part_features(
                self.lemmatizer.model, self.sequences, number, self.choices
            )
            ends = begin[: part.stop - part.start + 1]  # no pairs: every word is on its own
            listed.append((part, RaggedFeatures(ends, places[: ends[-1]])))
        return listed

    def of_item(self, number: int) -> slice:
        """Return the parts of an open word, counted from 0."""
        return slice(int(self.begin[number]), int(self.begin[number + 1]))

    def amounts(self, scripts: Sequence[int]) -> Floats:
        """Return the amounts of a script for each open word."""
        amounts = np.zeros(len(self))
        for number, (item, script) in enumerate(zip(self.items, scripts, strict=True)):
            amounts[self.of_item(number).start + item.candidates.scripts.index(script)] = 1.0
        return amounts


class LemmaStructure(Structure[LemmaParts]):
    """The structure of a lemmatizer: every open word has one of its scripts.

    Inputs are tagged sentences. In examples, the words whose lemma none of their scripts makes are
    left out.
    """

    def __init__(self, lemmatizer: Lemmatizer) -> None:
        self.lemmatizer, self.bits = lemmatizer, lemmatizer.bits

    def parts(self, given: Sentence) -> LemmaParts:
        """List the scripts of the words that have several."""
        listed = [(word, self._item(given, word)) for word in range(len(given))]
        return self._parts(given, [pair for pair in listed if len(pair[1].candidates.scripts) > 1])

    def training_parts(self, example: Sentence) -> LemmaParts:
        """List the scripts of the words that have several, the right one among them.

        The dictionary is not consulted: from the words that it knows, it is learned what to do with
        others.
        """
        listed = []
        for word, token in enumerate(example.tokens):
            candidates = self.lemmatizer.dictionary.like(word_of(token))
            item = Item.of(example.tokens, word, candidates)
            if len(candidates.scripts) > 1 and self._right(example, word) in candidates.scripts:
                listed.append((word, item))
        return self._parts(example, listed)

    def gold(self, parts: LemmaParts, example: Sentence) -> Floats:
        """Return the amounts of the scripts that make the lemmas of an example."""
        return parts.amounts([self._right(example, word) for word in parts.words])

    def costs(self, parts: LemmaParts, gold: Floats) -> Floats:
        """Charge 1 for each word with a wrong script."""
        return 1.0 - gold

    def decode(self, parts: LemmaParts, scores: Floats, **limits: Any) -> Decoding:
        """Choose the best script of each word."""
        given, amounts, total = check_scores(parts, scores), np.zeros(len(parts)), 0.0
        for number in range(len(parts.items)):
            part = parts.of_item(number)
            best = part.start + int(given[part].argmax())
            amounts[best] = 1.0
            total += float(given[best])
        certificate = Certificate.exact(total)
        if total == -np.inf:
            return Decoding.none(len(parts), certificate)
        return Decoding(amounts, certificate)

    def fused(self, parts: LemmaParts) -> Decoding:
        """Choose by the lemmatizer's own weights, natively."""
        chosen = native.tag(self.lemmatizer.model, parts.sequences, parts.choices).tolist()
        amounts = parts.amounts(chosen)
        return Decoding(amounts, Certificate.exact(float(self.model_scores()(parts) @ amounts)))

    def read(self, parts: LemmaParts, decoding: Decoding) -> Sentence:
        """Return a copy of the sentence with lemmas; words that are not open have the known one."""
        tokens = [token.copy() for token in parts.sentence.tokens]
        for token in tokens:
            known = self.lemmatizer._find(word_of(token)).lemmas
            token.lemma = known[0] if known else token.form or "_"
        for number, (item, word) in enumerate(zip(parts.items, parts.words, strict=True)):
            best = int(decoding.amounts[parts.of_item(number)].argmax())
            tokens[word].lemma = item.candidates.lemmas[best]
        given = parts.sentence
        return Sentence(tokens, list(given.comments), list(given.other_lines))

    def graph(self, parts: LemmaParts, scores: Floats) -> FactorGraph:
        """Return the graph: a categorical variable for each open word."""
        graph, given = FactorGraph(), check_scores(parts, scores)
        for number in range(len(parts.items)):
            graph.categorical(given[parts.of_item(number)])
        return graph

    def of_solution(self, parts: LemmaParts, solution: Solution) -> Decoding:
        """Return the decoding of a solution of the graph."""
        if not np.isfinite(solution.objective):
            return Decoding.none(len(parts), solution.certificate)
        amounts = np.asarray(solution.values[: len(parts)] == 1, np.float64)
        return Decoding(amounts, solution.certificate)

    def marginals(self, parts: LemmaParts, scores: Floats) -> Floats:
        """Return the probability of each script."""
        given, amounts = check_scores(parts, scores), np.zeros(len(parts))
        for number in range(len(parts.items)):
            part = parts.of_item(number)
            weights = np.exp(given[part] - given[part].max())
            amounts[part] = weights / weights.sum()
        return amounts

    def model_scores(self) -> ModelScores:
        """Return the scorer of the lemmatizer's own weights."""
        return ModelScores(HashedLinear(self.bits), self.lemmatizer.model.weights.values)

    def _item(self, sentence: Sentence, word: int) -> Item:
        tokens = sentence.tokens
        return Item.of(tokens, word, self.lemmatizer._find(word_of(tokens[word])))

    def _parts(self, sentence: Sentence, listed: Sequence[tuple[int, Item]]) -> LemmaParts:
        items, words = [item for _, item in listed], [word for word, _ in listed]
        return LemmaParts(self.lemmatizer, sentence, items, words)

    def _right(self, example: Sentence, word: int) -> int:
        """Return the number of the script that makes a word's lemma; -1 if there is none."""
        token, scripts = example.tokens[word], self.lemmatizer.dictionary.scripts
        if token.lemma in ("", "_") or not token.form:
            return -1
        script = script_of(token.form, token.lemma)
        return scripts.index(script) if script in scripts else -1
