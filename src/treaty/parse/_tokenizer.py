"""Tokenizer: tags characters with what starts there (sentence, token, word)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty.corpus import Document, Sentence, read_conllu
from treaty.errors import InputError, TreatyError, UsageError, check_threads
from treaty.evaluate import aligned_scores
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import Int, Model, ModelFile, Sample, WeightsLearner, fit, pack_weights
from treaty.parse._long_sentences import LONGEST, check_longest, sentences_of
from treaty.parse._raw_text import (
    INSIDE,
    SENTENCE,
    TOKEN,
    WORD,
    Span,
    paragraphs_of,
    text_and_tags,
)
from treaty.parse._samples import treebank
from treaty.parse._template_sets import template_sets
from treaty.parse._tokenizer_templates import COLUMNS, FAMILIES, TEMPLATES, columns_of
from treaty.progress import OnProgress

__all__ = ["Tokenizer"]

AFTER_NOTHING, AFTER_SPACE, AT_START, IN_ONE = range(4)
CHOICES = ((INSIDE, WORD, TOKEN, SENTENCE), (TOKEN, SENTENCE), (SENTENCE,), (INSIDE,))
"""What may start at a character: after another one, after white space, after a blank line, and
inside a string that is always one word."""
ONE_WORD = re.compile(
    r"""
    (?:https?://|ftp://|www\.)[^\s<>"]*[^\s<>".,;:!?')\]]   # web addresses
    | [\w.+-]+@[\w-]+(?:\.[\w-]+)+                          # email addresses
    | (?<!\S)(?:[:;=8][-o*']?[][)(dDpPoO/\\|}{@*]+ | <3 | \^_*\^ | [-oO]_+[-oO])(?!\S)  # emoticons
    """,
    re.VERBOSE,
)
"""Matched by rule: web addresses are too varied, and emoticons too rare in treebanks, to learn."""
PARAGRAPH = re.compile(r"(?:[^\n]++|\n(?![^\S\n]*+\n))++")
CHUNK = re.compile(r"\S{1,256}")
"""A string between white space, or a part of it if it is long."""
MOST_CHARACTERS = 2**13
"""Number of characters of a paragraph tagged at once."""
BATCH = 64
"""Number of such pieces passed to the native tagger at a time."""
FAULT = re.compile("[\0\ud800-\udfff]")
EPOCHS, AGGRESSIVENESS, DROPOUT, BITS = 10, 0.1, 0.1, 20
MOST_BITS = 26
"""Base-2 logarithm of the maximum size of a file's weight table."""


class _Chunk(NamedTuple):
    start: int
    text: str
    after: int  # one of AFTER_NOTHING, AFTER_SPACE, AT_START


class Tokenizer(Model):
    """Splits raw text into sentences, tokens and words, as in a treebank.

    Made by `Tokenizer.train` or `Tokenizer.load`. A blank line always ends a sentence.

    Attributes
    ----------
    info
        Metadata: language, data, license, training settings, scores.
    """

    task = "tokenizer"

    def __init__(
        self,
        *,
        templates: Sequence[TemplateSet] = TEMPLATES,
        bits: int = BITS,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        self.templates, self.bits, self.info = tuple(templates), bits, dict(info or {})
        names = dict.fromkeys(name for t in self.templates for name in t.attributes())
        self._attributes = [attribute(name, COLUMNS) for name in names]
        compiled = [
            compile_templates(family, templates, list(names))
            for family, templates in zip(FAMILIES, self.templates, strict=True)
        ]
        self.model = native.TagModel(compiled[0], compiled[1], compiled[2], bits, len(CHOICES[0]))

    @classmethod
    def train(
        cls,
        examples: Iterable[Sentence],
        dev: Iterable[Sentence] = (),
        *,
        epochs: int = EPOCHS,
        seed: int = 1,
        bits: int = BITS,
        threads: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> Self:
        """Train a tokenizer on a treebank that records white space (``SpaceAfter=No``).

        Paragraphs start at comments ``# newpar`` or ``# newdoc``. See `Tagger.train` for the
        options.
        """
        check_threads(threads)
        texts, tags = [], list[int]()
        for paragraph in paragraphs_of(examples):
            text, found = text_and_tags(paragraph)
            texts.append(text)
            tags += found
        if not texts:
            raise UsageError("there are no sentences to train on")
        settings = {"epochs": epochs, "seed": seed, "paragraphs": len(texts)}
        made = cls(bits=bits, info={**(info or {}), "training": settings})
        pieces = [piece for text in texts for piece in _pieces(text)]
        sequences, choices = made._read(pieces)
        gold = np.array(tags, np.int32)

        def step(ids: npt.NDArray[np.int32]) -> None:
            native.train_tagger(
                made.model, sequences, choices, gold, ids, AGGRESSIVENESS, DROPOUT, 1, threads
            )

        learner, held_out = WeightsLearner(made.model.weights, step), list(dev)
        fit(
            learner,
            len(pieces),
            epochs=epochs,
            seed=seed,
            stage="tokenizer",
            evaluate=learner.scoring(lambda: made.evaluate(held_out)) if held_out else None,
            checkpoint=checkpoint,
            resume=resume,
            progress=progress,
            made_from={"bits": bits, "templates": made.templates, "data": [texts, gold]},
        )
        learner.finish()
        if held_out:
            made.info["scores"] = made.evaluate(held_out, threads=threads)
        return made

    def predict(self, inputs: Iterable[str | Sentence], *, threads: int = 1) -> Iterator[Document]:
        """Split texts, or the texts of sentences, into sentences and words; see `document`."""
        texts = (text if isinstance(text, str) else text.text for text in inputs)
        return (self.document(text, threads=threads) for text in texts)

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Split the text of gold sentences again and return F1 of words and of sentences."""
        paragraphs = [list(paragraph) for paragraph in paragraphs_of(gold)]
        texts = [text_and_tags(paragraph)[0] for paragraph in paragraphs]
        found = [s for text in texts for s in self.sentences(text, threads=threads)]
        scores = aligned_scores([s for p in paragraphs for s in p], found)
        return {"words": scores.words.f1, "sentences": scores.sentences.f1}

    def split(self, text: str, *, threads: int = 1) -> list[list[list[Span]]]:
        """Split a text into sentences, tokens, and the words of each token.

        Returns
        -------
        list of list of list of (start, end)
            For every sentence its tokens, and for every token the spans of its words: one, or
            several adjacent ones (``do`` and ``n't``).
        """
        check_threads(threads)
        fault = FAULT.search(text)
        if fault is not None:
            raise InputError(f"character {fault.start()} is not valid in a text", text=fault[0])
        sentences: list[list[list[Span]]] = []
        pieces = _pieces(text)
        while batch := list(islice(pieces, BATCH)):
            sequences, choices = self._read(batch, one_word=ONE_WORD)
            tags = iter(native.tag(self.model, sequences, choices, threads).tolist())
            for piece in batch:
                for chunk in piece:
                    found = enumerate(islice(tags, len(chunk.text)), chunk.start)
                    _append(sentences, chunk, [(place, tag) for place, tag in found if tag])
        return sentences

    def sentences(self, text: str, *, longest: int = LONGEST, threads: int = 1) -> list[Sentence]:
        """Split a text into sentences; `treaty.corpus.text_of` restores the text.

        Tokens of several words become multiword tokens, as in the treebank. A sentence of more than
        `longest` words is cut: after a mark, before a conjunction, or else near the middle.
        """
        check_longest(longest)
        found = self.split(text, threads=threads)
        return [part for tokens in found for part in sentences_of(text, tokens, longest)]

    def document(self, text: str, *, threads: int = 1) -> Document:
        """Make a document from a text."""
        return Document(text, self.sentences(text, threads=threads))

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        templates = [list(s.templates) for s in self.templates]
        header = {"bits": self.bits, "templates": templates, "info": self.info}
        return ModelFile(self.task, header, pack_weights("weights", self.model.weights.values))

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a tokenizer from the contents of a file and validate it."""
        bits, info = file.value("bits", Int(1, MOST_BITS)), file.info()
        sets = template_sets(file, len(FAMILIES))
        codes = file.codes("weights", 2**bits)
        try:
            tokenizer = cls(templates=sets, bits=bits, info=info)
        except TreatyError as error:
            raise file.fault(error.message) from error
        tokenizer.model.weights.freeze(*codes)
        return tokenizer

    @classmethod
    def read(cls, origin: str | Path | IO[Any]) -> Iterator[Sentence]:
        """Read a treebank in CoNLL-U."""
        return read_conllu(origin)

    @classmethod
    def sample(cls) -> Sample:
        """Return small data for tests."""
        texts = ["The dog sleeps.", "", "Cats  sing!\n\nDogs don't."]
        return Sample(treebank(), texts, {"epochs": 2, "bits": 10})

    def _read(
        self, pieces: Iterable[list[_Chunk]], one_word: re.Pattern[str] | None = None
    ) -> tuple[Sequences, native.TagChoices]:
        sequences, classes = Sequences(self._attributes), list[int]()
        for piece in pieces:
            inside = [chunk.after == AFTER_NOTHING for chunk in piece]
            sequences.add(columns_of([chunk.text for chunk in piece], inside))
            for chunk in piece:
                own = [chunk.after] + [AFTER_NOTHING] * (len(chunk.text) - 1)
                for match in one_word.finditer(chunk.text) if one_word else ():
                    own[match.start() + 1 : match.end()] = [IN_ONE] * (len(match[0]) - 1)
                classes += own
        begin = np.cumsum([0, *map(len, CHOICES)]).astype(np.int32)
        every = np.array([tag for tags in CHOICES for tag in tags], np.int32)
        return sequences, native.TagChoices(sequences, np.array(classes, np.int32), every, begin)


def _pieces(text: str) -> Iterator[list[_Chunk]]:
    """Split a text at blank lines, and long paragraphs between chunks."""
    for paragraph in PARAGRAPH.finditer(text):
        piece: list[_Chunk] = []
        size, after, last = 0, AT_START, -1
        for match in CHUNK.finditer(text, paragraph.start(), paragraph.end()):
            if last >= 0:
                after = AFTER_NOTHING if match.start() == last else AFTER_SPACE
            if size + len(match[0]) > MOST_CHARACTERS and piece:
                yield piece
                piece, size = [], 0
            piece.append(_Chunk(match.start(), match[0], after))
            size, last = size + len(match[0]), match.end()
        if piece:
            yield piece


def _append(sentences: list[list[list[Span]]], chunk: _Chunk, marks: list[tuple[int, int]]) -> None:
    """Add the sentences, tokens and words of a chunk, given what starts where."""
    places = [place for place, _ in marks]
    end = chunk.start + len(chunk.text)
    if not marks or places[0] > chunk.start:  # it continues the word before it
        words = sentences[-1][-1]
        words[-1] = (words[-1][0], places[0] if marks else end)
    for (place, tag), stop in zip(marks, [*places[1:], end], strict=False):
        if tag == SENTENCE:
            sentences.append([])
        if tag >= TOKEN:
            sentences[-1].append([])
        sentences[-1][-1].append((place, stop))
