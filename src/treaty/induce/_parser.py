"""Grammars as models: induced from tagged sentences, to parse others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from treaty.errors import InputError, UsageError, check_threads
from treaty.induce._branch_and_bound import branch_and_bound
from treaty.induce._corpus import Corpus
from treaty.induce._em import em, viterbi_em
from treaty.induce._features import Layout
from treaty.induce._grammar import Grammar
from treaty.induce._induced import Induced
from treaty.induce._tagset import TAGSETS, Tagset
from treaty.induce._viterbi import viterbi
from treaty.learn import Model, ModelFile, OneOf, Sample, Texts
from treaty.metrics import dependency_accuracy
from treaty.parse import Parse
from treaty.progress import OnProgress
from treaty.solve import Certificate
from treaty.text import Sentence, Token, read_conllu
from treaty.text._sentence import given_sentences

__all__ = ["GrammarParser"]

MOST_TAGS = 1000
LOWEST = -745.0
"""Stands for log 0 in model files, which store only finite numbers: exp() of it is 0."""
METHODS: dict[str, Callable[..., Induced]] = {
    "branch-and-bound": branch_and_bound,
    "viterbi-em": viterbi_em,
    "em": em,
}
NO_PROGRESS = ("em",)


class GrammarParser(Model):
    """Parser of tagged sentences with an induced grammar.

    Attributes
    ----------
    grammar
        The dependency model with valence.
    tags
        The name of the tagset, see `Tagset.named`.
    info
        Metadata: language, data, license, training settings, scores.

    Examples
    --------
    >>> noun, verb = Token("cats", upos="NOUN"), Token("sleep", upos="VERB")
    >>> sentences = [Sentence([noun, verb]), Sentence([verb]), Sentence([verb, noun])]
    >>> parser = GrammarParser.train(sentences, method="branch-and-bound", relative_gap=1e-6)
    >>> (parse,) = parser.predict(sentences[:1])
    >>> parse.sentence.heads, parser.info["training"]["status"]
    ([2, 0], 'OPTIMAL')
    """

    task = "grammar"

    def __init__(
        self, grammar: Grammar, tags: str = "upos", info: Mapping[str, Any] | None = None
    ) -> None:
        self.grammar, self.tags, self.info = grammar, tags, dict(info or {})
        self._tagset = Tagset.named(tags)
        self._known = set(grammar.tags)

    @classmethod
    def train(
        cls,
        examples: Iterable[Sentence],
        dev: Iterable[Sentence] = (),
        *,
        method: str = "viterbi-em",
        tags: str = "upos",
        max_length: int | None = 10,
        seed: int = 1,
        threads: int = 1,
        checkpoint: Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> Self:
        """Induce a grammar from tagged sentences; their trees are ignored.

        Parameters
        ----------
        examples, dev
            Tagged sentences; those of `dev` have trees to score on.
        method
            ``"viterbi-em"``, ``"em"`` or ``"branch-and-bound"``, with the options of these
            functions.
        tags, max_length
            See `Corpus.read`.
        seed, threads, progress, info
            See `treaty.Model.train`.
        checkpoint, resume
            A folder for branch and bound, and whether to resume the search in it. The other
            methods take seconds and start again.
        """
        check_threads(threads)
        if method not in METHODS:
            raise UsageError(f"there is no method {method!r}: choose one of {', '.join(METHODS)}")
        try:
            corpus = Corpus.from_sentences(examples, tags=tags, max_length=max_length)
        except InputError as error:
            raise UsageError(error.message) from error
        if method not in NO_PROGRESS:
            options["progress"] = progress
        if method == "branch-and-bound" and checkpoint is not None:
            begun = resume and checkpoint.exists()
            options["resume" if begun else "checkpoint"] = checkpoint
        found = METHODS[method](corpus, seed=seed, threads=threads, **options)
        if found.grammar is None:
            raise UsageError(f"no grammar was found: the status is {found.status}")
        training = {
            "method": method, "seed": seed, "sentences": len(corpus), "status": found.status.value,
            "objective": found.objective,
        }  # fmt: skip
        made = cls(found.grammar, tags, {**(info or {}), "training": training})
        if held_out := list(dev):
            made.info["scores"] = made.evaluate(held_out, threads=threads)
        return made

    def predict(self, inputs: Iterable[Sentence], *, threads: int = 1) -> Iterator[Parse]:
        """Find the most probable projective tree of each sentence.

        Punctuation, which the grammar ignores, is attached to the root.
        """
        return (self._parse(sentence, threads) for sentence in given_sentences(inputs))

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Parse gold sentences again and return the accuracy of arcs, without punctuation."""
        corpus = Corpus.from_sentences(gold, tags=self.tags, max_length=None)
        numbers = [self._number(tag) for tag in corpus.tags]
        own = Corpus(self.grammar.tags, np.array(numbers, np.int32)[corpus.tokens], corpus.begin)
        heads = viterbi(own, self.grammar, threads=threads).heads
        scores = dependency_accuracy(corpus.sentences(), corpus.sentences(heads))
        return {"directed": scores.directed.value, "undirected": scores.undirected.value}

    def _parse(self, sentence: Sentence, threads: int) -> Parse:
        try:
            names = self._tagset.read(sentence)
        except KeyError as error:
            raise UsageError(f"{error.args[0]}; the grammar requires {self.tags} tags") from None
        kept = [i for i, name in enumerate(names) if name is not None]
        if not kept:
            chain = sentence.with_tree([0] + [1] * (len(sentence) - 1) if len(sentence) else [])
            return Parse(chain, Certificate.exact(0.0))
        numbers = [self._number(name) for name in names if name is not None]
        corpus = Corpus(self.grammar.tags, np.array(numbers, np.int32), np.array([0, len(numbers)]))
        found = viterbi(corpus, self.grammar, threads=threads)
        heads = [0] * len(sentence)
        for i, head in zip(kept, found.heads.tolist(), strict=True):
            heads[i] = kept[head - 1] + 1 if head else 0
        root = next(i for i in kept if heads[i] == 0) + 1
        whole = [head if names[i] is not None else root for i, head in enumerate(heads)]
        return Parse(sentence.with_tree(whole), Certificate.exact(found.score))

    def _number(self, tag: str) -> int:
        if tag not in self._known:
            known = ", ".join(self.grammar.tags)
            raise UsageError(f"the grammar has no tag {tag!r}: it was induced from {known}")
        return self.grammar.tags.index(tag)

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        header = {"tags": list(self.grammar.tags), "tagset": self.tags, "info": self.info}
        return ModelFile(self.task, header, {"weights": np.maximum(self.grammar.flat, LOWEST)})

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a parser from the contents of a file and validate it."""
        tags, tagset = file.strings("tags", Texts(1, MOST_TAGS)), file.value("tagset", _tagsets())
        weights = file.tensor("weights", np.float64, Layout(len(tags)).size)
        try:
            logs = np.where(weights <= LOWEST, -np.inf, weights)
            return cls(Grammar.from_flat(logs, tags=tuple(tags)), tagset, file.info())
        except UsageError as error:
            raise file.fault(error.message) from error

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        nouns = [Token("Cats", upos="NOUN", head=2), Token("sleep", upos="VERB", head=0)]
        verb = [Token("Run", upos="VERB", head=0), Token("!", upos="PUNCT", head=1)]
        sentences = [
            Sentence(nouns),
            Sentence(verb),
            Sentence([*nouns, Token("now", upos="ADV", head=2)]),
        ]
        return Sample(sentences, [*sentences, Sentence([verb[1]])], {"restarts": 20})


def _tagsets() -> OneOf:
    """Return the names of tagsets that a file may have: a path is the user's to give."""
    return OneOf(("upos", "xpos", *sorted(path.stem for path in TAGSETS.iterdir())))
