"""What commands read: texts of the command line, files and standard input, all in one way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty._streams import Origin
    from treaty.corpus import KnownFile, Sentence
    from treaty.parse import Tokenizer

__all__ = ["SentenceFormat", "check_source", "is_file", "read_sentences", "texts_of"]

OnError = Callable[[InputError], object]
KNOWN_SUFFIX = re.compile(
    r"\.(txt|text|md|html?|xhtml|conllu?|conllx|tsv|csv|bio|iob2?|bioes|bilou|jsonl?|treaty)"
    r"(\.gz|\.xz)?$",
    re.IGNORECASE,
)
LIKE_A_PATH = re.compile(r"~?\.{0,2}/")


class SentenceFormat(StrEnum):
    """What sentences are read from."""

    TEXT = "text"
    HTML = "html"
    TOKENS = "tokens"
    CONLLU = "conllu"
    CONLLX = "conllx"
    JSON = "json"


def is_file(source: str) -> bool:
    """Tell files, folders and ``-`` from texts."""
    try:
        return source == "-" or Path(source).exists()
    except (OSError, ValueError):  # a text that is too long for a path, or has a NUL
        return False


def check_source(source: str, *, folders: bool = False) -> None:
    """Refuse what is neither a file nor a text, before anything is loaded.

    Raises
    ------
    InputError
        For a file that is not there, a single word, an empty text, or a folder where there should
        be a file.
    """
    if not source.strip():
        raise InputError("the text is empty: give a text, a file, or - for standard input")
    if is_file(source):
        if source != "-" and not folders and Path(source).is_dir():
            raise InputError("is a folder: give the files in it", path=source)
        return
    if len(source.split()) == 1:
        raise InputError(
            "there is no such file; a text of one word is read from standard input", path=source
        )
    if KNOWN_SUFFIX.search(source) or LIKE_A_PATH.match(source) or _is_in_a_folder(source):
        raise InputError(
            "there is no such file; a text that looks like one is read from standard input",
            path=source,
        )


def _is_in_a_folder(source: str) -> bool:
    folder = source.rpartition("/")[0]
    return bool(folder) and is_file(folder)


def read_sentences(
    sources: Iterable[str],
    given: SentenceFormat | None,
    tokenizer: Tokenizer | None,
    on_error: OnError,
) -> Iterator[Sentence]:
    """Read the sentences of texts and files, one source after the other; empty ones are left out.

    Without a format the content of a file tells what it is. Errors of sentences and files are
    handed to `on_error`, and reading goes on behind them.
    """
    for source in sources:
        try:
            for sentence in _sentences_of(source, given, tokenizer, on_error):
                if len(sentence):
                    yield sentence
        except InputError as error:
            on_error(error)


def _sentences_of(
    source: str, given: SentenceFormat | None, tokenizer: Tokenizer | None, on_error: OnError
) -> Iterable[Sentence]:
    from treaty.corpus import Sentence, read_compressions, read_conllu, read_tokens

    kind, origin = (given or SentenceFormat.TEXT), source
    if not is_file(source):
        if kind is SentenceFormat.TOKENS:
            return [Sentence.from_words(source.split())]
        if kind is not SentenceFormat.TEXT:
            raise InputError(f"there is no such file, and --input-format is {kind}", path=source)
    elif given is None:
        kind, origin = _recognized(source)
    if kind in (SentenceFormat.CONLLU, SentenceFormat.CONLLX):
        sentences = read_conllu(origin, format=kind.value, on_error=on_error)
        # The last columns of CoNLL-X are another tree's.
        return sentences if kind is SentenceFormat.CONLLU else map(_first_tree, sentences)
    if kind is SentenceFormat.TOKENS:
        return read_tokens(origin, on_error=on_error)
    if kind is SentenceFormat.JSON:
        return (found.sentence for found in read_compressions(origin, on_error=on_error))
    if tokenizer is None:
        raise UsageError(
            "this model cannot find the words of a text: give --input-format tokens (a sentence a "
            "line, spaces between words) or conllu, or train the model with a tokenizer"
        )
    pieces = texts_of(origin, on_error, html=kind is SentenceFormat.HTML)
    return (sentence for piece in pieces for sentence in tokenizer.sentences(piece))


def texts_of(origin: Origin, on_error: OnError, *, html: bool = False) -> Iterable[str]:
    """Give the text of the command line, or a file's piece by piece."""
    from treaty.corpus import read_article, read_paragraphs

    if isinstance(origin, str) and not is_file(origin):
        return [origin]
    if html:
        return [read_article(origin, format="html").text]
    return read_paragraphs(origin, on_error=on_error)


def _recognized(source: str) -> tuple[SentenceFormat, Origin]:
    from treaty.corpus import FileKind, recognize

    found = recognize(source)
    formats = {
        FileKind.CONLLU: SentenceFormat.CONLLU,
        FileKind.CONLLX: SentenceFormat.CONLLX,
        FileKind.COMPRESSIONS: SentenceFormat.JSON,
        FileKind.HTML: SentenceFormat.HTML,
        FileKind.TEXT: SentenceFormat.TEXT,
        FileKind.EMPTY: SentenceFormat.TEXT,
    }
    if found.kind not in formats:
        raise unexpected(source, found, "text or CoNLL-U")
    return formats[found.kind], found.origin


def unexpected(source: str, found: KnownFile, expected: str) -> InputError:
    """Make the error of a file that holds something else."""
    name = "<stdin>" if source == "-" else source
    return InputError(
        f"holds {found.kind}, expected {expected}; --input-format overrules what is seen in it",
        path=name,
    )


def _first_tree(sentence: Sentence) -> Sentence:
    for token in sentence.tokens:
        token.deps = token.misc = "_"
    return sentence
