"""Tokenizer: tags characters with what starts there (sentence, token, word)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, repeat
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from treaty._native import parse as native
from treaty._native.features import Sequences
from treaty._threads import checked
from treaty.errors import (
    InputError,
    TreatyError,
    UsageError,
    check_several,
    check_text,
    check_threads,
)
from treaty.features import TemplateSet, attribute, compile_templates
from treaty.learn import Int, Model, ModelFile, Sample, WeightsLearner, fit, pack_weights
from treaty.metrics import aligned_scores
from treaty.parse._abbreviations import Abbreviations
from treaty.parse._document import Document
from treaty.parse._layout import (
    ENDING,
    LineMeaning,
    blocks_of,
    dateline_end,
    enclosed,
    is_within,
)
from treaty.parse._long_sentences import LONGEST, check_longest, sentences_of
from treaty.parse._raw_text import (
    INSIDE,
    SENTENCE,
    TOKEN,
    WORD,
    Span,
    common_words,
    paragraphs_of,
    text_and_tags,
)
from treaty.parse._samples import treebank
from treaty.parse._template_sets import template_sets
from treaty.parse._tokenizer_templates import COLUMNS, FAMILIES, TEMPLATES, Chunk, columns_of
from treaty.parse._typesetting import typeset
from treaty.parse._word_rules import CUT, ONE_WORD
from treaty.progress import OnProgress
from treaty.text import Sentence, read_conllu

__all__ = ["Tokenizer"]

AFTER_NOTHING, AFTER_SPACE, AT_START, IN_ONE, IN_SENTENCE, IN_CHUNK = range(6)
CHOICES = (
    (INSIDE, WORD, TOKEN, SENTENCE),
    (TOKEN, SENTENCE),
    (SENTENCE,),
    (INSIDE,),
    (TOKEN,),
    (INSIDE, WORD, TOKEN),
)
"""What may start at a character: after another one; after white space; after a blank line; within a
string that is one word; and where a sentence goes on: after white space, after another one."""
NUMBER = re.compile(r"\d{1,2}\.")
NEVER_FIRST = frozenset({".", "Inc.", "Inc", "Ltd.", "Ltd", "Corp.", "Corp", "LLC", "plc"})
"""No sentence begins with them."""
NEAR = 20
"""How many strings away the next label of a list may be."""
QUOTED = re.compile(r"[.!?][\"'”’]$")
CHUNK = re.compile(r"\S{1,256}")
"""A string between white space, or a part of it if it is long."""
MOST_CHARACTERS = 2**13
"""Number of characters of a paragraph tagged at once."""
BATCH = 64
"""Number of such pieces passed to the native tagger at a time."""
FAULT = re.compile("[\0\ud800-\udfff]")
EPOCHS, AGGRESSIVENESS, DROPOUT, BITS = 10, 0.1, 0.1, 22
MORE_EPOCHS = 2
"""Of a tokenizer that goes on from another."""
MISS = 2.0
"""Cost in training of a missed beginning of a sentence; of other errors it is 1."""
MOST_BITS = 26
"""Base-2 logarithm of the maximum size of a file's weight table."""


class Tokenizer(Model):
    """Splits raw text into sentences, tokens and words, as in a treebank.

    Made by `Tokenizer.train` or `Tokenizer.load`. A blank line always ends a sentence; what other
    line breaks mean is found from the layout, or told (see `split`).

    Attributes
    ----------
    abbreviations
        Those it knows; stored in the model file. Add your own by ``abbreviations.add``.
    lines
        How lines are meant, unless `split` is told; "auto" at first, and not stored.
    info
        Metadata: language, data, license, training settings, scores.
    """

    task = "tokenizer"

    def __init__(
        self,
        *,
        templates: Sequence[TemplateSet] = TEMPLATES,
        bits: int = BITS,
        abbreviations: Abbreviations | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> None:
        self.templates, self.bits, self.info = tuple(templates), bits, dict(info or {})
        self.abbreviations = Abbreviations() if abbreviations is None else abbreviations
        self.lines: LineMeaning = "auto"
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
        from_model: Tokenizer | None = None,
        epochs: int | None = None,
        seed: int = 1,
        bits: int = BITS,
        abbreviations: Abbreviations | None = None,
        threads: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        progress: OnProgress | None = None,
        info: Mapping[str, Any] | None = None,
    ) -> Self:
        """Train a tokenizer on a treebank that records white space (``SpaceAfter=No``).

        Paragraphs start at comments ``# newpar`` or ``# newdoc``. Treebanks do not record lines:
        each paragraph is seen as one line, and again in lines of some kind (see `typeset`).
        `abbreviations` are those that the model knows; see `Tagger.train` for the other options.
        With `from_model`, training goes on from that tokenizer.
        """
        check_threads(threads)
        sentences = list(examples)
        if not sentences:
            raise UsageError("there are no sentences to train on")
        texts = [text_and_tags(paragraph) for paragraph in paragraphs_of(sentences)]
        base = from_model
        usual = EPOCHS if base is None else MORE_EPOCHS
        epochs = usual if epochs is None else epochs
        settings = {"epochs": epochs, "seed": seed, "paragraphs": len(texts)}
        texts += typeset(sentences, seed)
        known = Abbreviations(abbreviations.to_dict() if abbreviations else None)
        known.add(common_words(sentences), "common")
        if base is None:
            made = cls(bits=bits, abbreviations=known)
        else:
            for kind, words in base.abbreviations.to_dict().items():
                known.add(words, kind)
            made = cls(templates=base.templates, bits=base.bits, abbreviations=known)
            made.model.weights.values[:] = base.model.weights.values
        made.info = {**(info or {}), "training": settings}
        pieces = [piece for text, _ in texts for piece in _pieces(text)]
        sequences, choices = made._read(pieces, training=True)
        gold = np.array([tag for _, tags in texts for tag in tags], np.int32)

        def step(ids: npt.NDArray[np.int32]) -> None:
            native.train_tagger(
                *(made.model, sequences, choices, gold, ids, AGGRESSIVENESS, DROPOUT, 1, threads),
                last_cost=MISS,
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
            made_from={
                "bits": made.bits,
                "templates": made.templates,
                "data": [texts, gold],
                **({} if base is None else {"from": base.model.weights.values}),
            },
        )
        learner.finish()
        if held_out:
            made.info["scores"] = made.evaluate(held_out, threads=threads)
        return made

    def predict(self, inputs: Iterable[str | Sentence], **options: Any) -> Iterator[Document]:
        """Split texts, or the texts of sentences, into sentences and words; see `document`."""
        check_several(inputs, "texts", "use sentences, or put it into a list")
        texts = (text.text if isinstance(text, Sentence) else text for text in inputs)
        return (self.document(text, **options) for text in texts)

    def evaluate(self, gold: Iterable[Sentence], *, threads: int = 1) -> dict[str, float]:
        """Split the text of gold sentences again and return F1 of words and of sentences."""
        paragraphs = [list(paragraph) for paragraph in paragraphs_of(gold)]
        texts = [text_and_tags(paragraph)[0] for paragraph in paragraphs]
        found = [s for text in texts for s in self.sentences(text, threads=threads)]
        scores = aligned_scores([s for p in paragraphs for s in p], found)
        return {"words": scores.words.f1, "sentences": scores.sentences.f1}

    def split(
        self, text: str, *, lines: LineMeaning | None = None, threads: int = 1
    ) -> list[list[list[Span]]]:
        """Split a text into sentences, tokens, and the words of each token.

        Parameters
        ----------
        text
            Raw text.
        lines
            How lines are meant. ``"auto"``: the layout tells. ``"wrapped"``: a line break is like
            a space. ``"sentence"``: every line is one sentence. ``"paragraph"``: every line has
            one or more sentences of its own. A blank line always ends a sentence. By default
            the tokenizer's own `lines`.
        threads
            Number of threads; the result does not depend on it.

        Returns
        -------
        list of list of list of (start, end)
            For every sentence its tokens, and for every token the spans of its words: one, or
            several adjacent ones (``do`` and ``n't``).
        """
        check_threads(threads)
        fault = FAULT.search(check_text(text))
        if fault is not None:
            raise InputError(f"character {fault.start()} is not valid in a text", text=fault[0])
        sentences: list[list[list[Span]]] = []
        pieces = _pieces(text, lines or self.lines)
        while batch := list(islice(pieces, BATCH)):
            sequences, choices = self._read(batch)
            tags = iter(native.tag(self.model, sequences, choices, threads).tolist())
            for piece in checked(batch):
                for chunk in piece:
                    found = enumerate(islice(tags, len(chunk.text)), chunk.start)
                    _append(sentences, chunk, [(place, tag) for place, tag in found if tag])
        return sentences

    def sentences(self, text: str, *, longest: int = LONGEST, **options: Any) -> list[Sentence]:
        """Split a text into sentences; `treaty.text.text_of` restores the text.

        Tokens of several words become multiword tokens, as in the treebank. A sentence of more than
        `longest` words is cut: after a mark, before a conjunction, or else near the middle. See
        `split` for the other options.
        """
        check_longest(longest)
        found = self.split(text, **options)
        return [part for tokens in checked(found) for part in sentences_of(text, tokens, longest)]

    def document(self, text: str, **options: Any) -> Document:
        """Make a document from a text; see `split` for the options."""
        return Document(text, self.sentences(text, **options))

    # Files

    def to_file(self) -> ModelFile:
        """Return the contents of the model's file."""
        templates = [list(s.templates) for s in self.templates]
        words = self.abbreviations.to_dict()
        header: dict[str, Any] = {"bits": self.bits, "templates": templates, "info": self.info}
        if words:
            header["abbreviations"] = words
        return ModelFile(self.task, header, pack_weights("weights", self.model.weights.values))

    @classmethod
    def from_file(cls, file: ModelFile) -> Self:
        """Make a tokenizer from the contents of a file and validate it."""
        bits, info = file.value("bits", Int(1, MOST_BITS)), file.info()
        sets = template_sets(file, len(FAMILIES))
        codes = file.codes("weights", 2**bits)
        words = file.value("abbreviations", dict) if "abbreviations" in file.header else {}
        words = {kind: file.checked_strings(own, "abbreviations") for kind, own in words.items()}
        try:
            known = Abbreviations(words)
            tokenizer = cls(templates=sets, bits=bits, abbreviations=known, info=info)
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
        self, pieces: Iterable[list[Chunk]], *, training: bool = False
    ) -> tuple[Sequences, native.TagChoices]:
        """Return the characters of pieces, and what may start at them.

        In training, all that is possible may start, since rules need not agree with the treebank.
        """
        sequences, classes = Sequences(self._attributes), list[int]()
        class_of = cache(self.abbreviations.class_of)
        for piece in checked(pieces):
            sequences.add(columns_of(piece, class_of))
            if training:
                classes += _free_classes(piece)
            else:
                classes += self._classes(piece)
        begin = np.cumsum([0, *map(len, CHOICES)]).astype(np.int32)
        every = np.array([tag for tags in CHOICES for tag in tags], np.int32)
        return sequences, native.TagChoices(sequences, np.array(classes, np.int32), every, begin)

    def _classes(self, piece: list[Chunk]) -> Iterator[int]:
        """Return the class of every character, by rules."""
        is_open, last = False, ""
        for place, chunk in enumerate(piece):
            text, first = chunk.text, chunk.after
            if first == AFTER_SPACE and (is_open or text.rstrip(",;") in NEVER_FIRST):
                first = IN_SENTENCE
            elif first == AFTER_SPACE and NUMBER.fullmatch(last):
                ends = self.abbreviations.begins(text) and _labels_nothing(piece, place - 1)
                first = AT_START if ends else first
            own = [IN_CHUNK if chunk.held else AFTER_NOTHING] * len(text)
            own[0] = first
            if not text.isalpha():
                for match in CUT.finditer(text):
                    own[match.start()] = IN_SENTENCE if chunk.held else AFTER_SPACE
                for match in ONE_WORD.finditer(text):
                    own[match.start() + 1 : match.end()] = [IN_ONE] * (len(match[0]) - 1)
            following = piece[place + 1].text if place + 1 < len(piece) else ""
            is_open = False
            if following and not text[-1].isalnum():
                is_short = self.abbreviations.keeps_open(text, following)
                if is_short and len(text) > 1:
                    own[-1] = IN_ONE
                is_open = is_short or _goes_on(last, text, following)
            last = text
            yield from own


def _labels_nothing(piece: list[Chunk], place: int) -> bool:
    """Tell whether a number with a period is not the label of an item."""
    if place < 1 or piece[place].held:
        return False
    near = {chunk.text for chunk in piece[max(0, place - NEAR) : place + NEAR]}
    number = int(piece[place].text[:-1])
    is_listed = f"{number - 1}." in near or f"{number + 1}." in near
    return piece[place - 1].text[-1].isalnum() and not is_listed


def _goes_on(last: str, text: str, following: str) -> bool:
    """Tell whether a sentence goes on, after dots with spaces between or a quotation."""
    if not following[:1].islower():
        return False
    return text == last == "." or (
        QUOTED.search(text) is not None and following[1:2].isalpha() and "/" not in following
    )


def _free_classes(piece: list[Chunk]) -> Iterator[int]:
    for chunk in piece:
        yield AFTER_NOTHING if chunk.inside else AFTER_SPACE
        yield from repeat(AFTER_NOTHING, len(chunk.text) - 1)


def _pieces(text: str, lines: LineMeaning = "auto") -> Iterator[list[Chunk]]:
    """Split a text at blank lines, and long paragraphs between chunks."""
    for block in checked(blocks_of(text, lines)):
        piece: list[Chunk] = []
        size, last = 0, -1
        for line in block:
            after, evidence, style = AFTER_SPACE, line.evidence, line.style
            if line.begins or line.continues:
                after = AT_START if line.begins else IN_SENTENCE
            brackets = enclosed(text, line.start, line.end)
            dateline = dateline_end(text, line.start, line.end)
            for match in CHUNK.finditer(text, line.start, line.end):
                start, string = match.start(), match[0]
                inside, held = start == last, start < line.head
                if inside:
                    after = IN_CHUNK if held else AFTER_NOTHING
                elif after == AFTER_SPACE and line.start < start <= dateline:
                    after = IN_SENTENCE
                elif after == AFTER_SPACE and is_within(brackets, start):
                    ends = text[last - 1] in ENDING and not string[0].isdigit()
                    after = AFTER_SPACE if ends else IN_SENTENCE
                if size + len(string) > MOST_CHARACTERS and piece:
                    yield piece
                    piece, size = [], 0
                piece.append(Chunk(start, string, after, inside, held, evidence, style))
                size, last = size + len(string), match.end()
                after = IN_SENTENCE if last < line.head else AFTER_SPACE
                evidence = style = ""
        if piece:
            yield piece


def _append(sentences: list[list[list[Span]]], chunk: Chunk, marks: list[tuple[int, int]]) -> None:
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
