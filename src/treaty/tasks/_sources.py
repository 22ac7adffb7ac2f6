"""Sources: texts in memory, files and standard input, all read in one way."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from treaty._live import live_input
from treaty._streams import Origin, is_live, name_of
from treaty.errors import InputError, UsageError
from treaty.text import Format as FileFormat
from treaty.text import (
    Sentence,
    read_article,
    read_compressions,
    read_conllu,
    read_paragraphs,
    read_tokens,
    recognize,
)
from treaty.text._encodings import Recoded
from treaty.text.formats import (
    DOCUMENTS,
    FORMATS,
    document_format,
    format_named,
    suffix_of,
)

if TYPE_CHECKING:
    from treaty.parse import LineMeaning, Tokenizer
    from treaty.parse._language import LanguageCheck

__all__ = [
    "DOCUMENT_NAMES",
    "DOCUMENT_TITLES",
    "SENTENCE_FORMATS",
    "TABLE_HINT",
    "TEXTS",
    "OnError",
    "SentenceFormat",
    "Source",
    "Text",
    "check_source",
    "file_format",
    "fitted",
    "grouped",
    "instruct",
    "is_file",
    "is_piped",
    "live_or",
    "over_http",
    "read_each",
    "read_sentences",
    "recoded",
    "sentence_finder",
    "sentences_in",
    "shallow",
    "texts_of",
    "watched",
    "watched_one_by_one",
    "with_lines",
]

From = TypeVar("From")
Item = TypeVar("Item")
Loaded = TypeVar("Loaded")
Sized_ = TypeVar("Sized_", bound=Sized)
Format = TypeVar("Format", bound=str)
OnError = Callable[[InputError], object]


class Text(io.StringIO):
    """A text in memory as a source; it is never taken for the name of a file.

    Examples
    --------
    >>> Text("Cats sleep.").read()
    'Cats sleep.'
    """

    name = "<text>"


Source = str | Text
"""The path of a file, ``-`` for standard input, or a text."""
SUFFIXES = (
    *(suffix for one in FORMATS for suffix in one.suffixes),
    ".json", ".treaty", ".zip", ".tar", ".tgz", ".txz",
)  # fmt: skip
KNOWN_SUFFIX = re.compile(rf"({'|'.join(map(re.escape, SUFFIXES))})(\.gz|\.xz)?$", re.IGNORECASE)
AT_ONCE = 512
"""Number of sentences that are worked on at once."""
FEW_WORDS = 4
"""A text with a slash in it that has fewer is taken for the name of a file."""


DOCUMENT_NAMES = tuple(one.name for one in DOCUMENTS)
TEXTS = {one: one.name for one in DOCUMENTS}
"""Formats whose sentences and words are to be found."""
DOCUMENT_TITLES = ", ".join(map(str, DOCUMENTS))
"""For help texts."""
SENTENCES = {
    **TEXTS,
    format_named("conllu"): "conllu",
    format_named("conllx"): "conllx",
    format_named("compressions"): "json",
}
SENTENCE_FORMATS = (*DOCUMENT_NAMES, "tokens", "conllu", "conllx", "json")
if TYPE_CHECKING:
    SentenceFormat = str
else:
    SentenceFormat = Literal[SENTENCE_FORMATS]
EMPTY, EMAIL = format_named("empty"), format_named("email")
TABLE_SUFFIXES = (".csv", ".tsv", ".tab")
TABLE_HINT = (
    "is a table: name the field with the text, such as --field text "
    "(a column of CSV or TSV, a key of JSON lines)"
)


def over_http(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the formats that a request over HTTP can have: it is text, and no archive."""
    archives = {one.name for one in DOCUMENTS if not one.is_text}
    return tuple(name for name in names if name not in archives)


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
    a_word, like_a_path = len(source.split()) == 1, _looks_like_a_path(source)
    if a_word or like_a_path:
        text = "" if a_word and like_a_path else "; if it is a text, give it on standard input"
        raise InputError(f"there is no such file{text}", path=source)


def _looks_like_a_path(source: str) -> bool:
    folder, separator, _ = source.rpartition("/")
    in_a_folder = separator and (len(source.split()) < FEW_WORDS or is_file(folder or "/"))
    return bool(in_a_folder or KNOWN_SUFFIX.search(source))


def live_or(source: Source) -> Any:
    """Return standard input that may pause in the place of ``-``; any other source as it is."""
    return (live_input() if source == "-" else None) or source


def file_format(
    source: Any, given: Format | None, formats: Mapping[FileFormat, Format]
) -> tuple[Format, Origin]:
    """Tell how to read a source: as the user says, or by its content.

    Parameters
    ----------
    source
        A file, ``-``, live input, or a text.
    given
        The format that the user names.
    formats
        How to read what is found in files; the first of them is for texts and empty files.

    Returns
    -------
    format, origin
        How to read it, and what from.

    Raises
    ------
    InputError
        When the file holds something else.
    """
    usual = next(iter(formats.values()))
    if given is not None or isinstance(source, Text):
        return given or usual, source
    recognized = recognize(source)
    if recognized.format not in (EMPTY, *formats):
        name = name_of(source)
        if format_named("text") in formats and suffix_of(name) in TABLE_SUFFIXES:
            raise InputError(TABLE_HINT, path=name)
        expected = " or ".join(map(str, formats))
        raise InputError(
            f"holds {recognized.format}, expected {expected} (--input-format overrides this)",
            path=name,
        )
    return formats.get(recognized.format, usual), recognized.origin


def read_each(
    sources: Iterable[From], read: Callable[[From], Iterable[Item]], on_error: OnError
) -> Iterator[Item]:
    """Read one source after the other; what cannot be read is handed over, and the rest goes on."""
    for source in sources:
        try:
            yield from read(source)
        except InputError as error:
            on_error(error)


def shallow(model: Loaded) -> Loaded:
    """Copy a model, but not its parts; `copy` would write and read its file."""
    other: Loaded = object.__new__(type(model))
    vars(other).update(vars(model))
    return other


def fitted(tokenizer: Tokenizer | None, abbreviations: str | None) -> Tokenizer | None:
    """Return a tokenizer that knows the abbreviations of a file, too; the given one stays."""
    if tokenizer is None or abbreviations is None:
        return tokenizer
    other = shallow(tokenizer)
    other.abbreviations = deepcopy(tokenizer.abbreviations)
    other.abbreviations.read(abbreviations)
    return other


def with_lines(tokenizer: Tokenizer | None, lines: LineMeaning) -> Tokenizer | None:
    """Return a tokenizer for which lines have another meaning; the given one stays."""
    if tokenizer is None or lines == "auto":
        return tokenizer
    other = shallow(tokenizer)
    other.lines = lines
    return other


def instruct(tokenizer: Tokenizer | None, lines: LineMeaning, abbreviations: str | None) -> None:
    """Tell a tokenizer how lines are meant, and abbreviations that it may not know."""
    if tokenizer is None:
        return
    tokenizer.lines = lines
    if abbreviations is not None:
        tokenizer.abbreviations.read(abbreviations)


def read_sentences(
    sources: Iterable[Source],
    given: SentenceFormat | None,
    tokenizer: Tokenizer | None,
    on_error: OnError,
    longest: int = 400,
    lines: LineMeaning = "auto",
    encoding: str | None = None,
) -> Iterator[Sentence]:
    """Read the sentences of texts and files, one source after the other.

    Without a format the content of a file tells what it is. Errors of sentences and files are
    handed to `on_error`, and reading goes on behind them. Sentences of a text that have more words
    than `longest` are cut. Texts that are not UTF-8 have an `encoding`. Where input from a pipe
    pauses, there is a sentence without words; use `grouped`.
    """

    def read(source: Source) -> Iterable[Sentence]:
        kind, origin = file_format(recoded(lambda: live_or(source), encoding), given, SENTENCES)
        sentences = read_as(kind, origin)
        return sentences if is_live(origin) else (s for s in sentences if len(s))

    def read_as(kind: SentenceFormat, origin: Origin) -> Iterable[Sentence]:
        if kind not in DOCUMENT_NAMES:
            return sentences_in(kind, origin, on_error)
        find = sentence_finder(tokenizer, longest, lines)
        texts = texts_of(origin, kind, on_error, find)
        return (s for text in texts for s in (find(text) if text else [Sentence([])]))

    return read_each(sources, read, on_error)


def sentences_in(kind: str, origin: Origin, on_error: OnError) -> Iterable[Sentence]:
    """Read the sentences of a file that has no text, but words: CoNLL-U and so on."""
    if kind == "tokens":
        return read_tokens(origin, on_error=on_error)
    if kind == "json":
        return (
            compression.sentence for compression in read_compressions(origin, on_error=on_error)
        )
    if kind == "conllu":
        return read_conllu(origin, on_error=on_error)
    sentences = read_conllu(origin, format="conllx", on_error=on_error)
    return map(_first_tree, sentences)  # the last columns of CoNLL-X are another tree's


def recoded(opened: Callable[[], Origin], encoding: str | None) -> Origin:
    """Open a file whose text has an encoding; formats that tell theirs are left as they are."""
    if encoding is None:
        return opened()
    first = opened()
    if isinstance(first, Text):
        return first
    known = document_format(first)
    if not known.format.is_text or known.format is EMAIL:
        return known.origin
    return cast(Origin, Recoded(known.origin, encoding))


def grouped(items: Iterable[Sized_], most: int = AT_ONCE) -> Iterator[list[Sized_]]:
    """Collect what is worked on at once: `most` items, or all up to a pause of live input.

    A pause is an item without length, and is left out.
    """
    group: list[Sized_] = []
    for item in items:
        if len(item):
            group.append(item)
        if group and (len(group) == most or not len(item)):
            yield group
            group = []
    if group:
        yield group


def watched(
    check: LanguageCheck,
    groups: Iterable[list[Item]],
    tell: Callable[[str], object],
    words: Callable[[Item], Any] = lambda sentence: sentence,
) -> Iterator[list[Item]]:
    """Pass on groups of sentences; tell once if they look like another language's.

    Parameters
    ----------
    check
        Looks at the words.
    groups
        Sentences, or what has words.
    tell
        Called with the message.
    words
        Returns the words of an item; by default it is a sentence.
    """
    has_warned = False
    for group in groups:
        check.see(map(words, group))
        if check.message and not has_warned:
            tell(check.message)
            has_warned = True
        yield group
    check.judge()
    if check.message and not has_warned:
        tell(check.message)


def watched_one_by_one(
    check: LanguageCheck,
    items: Iterable[Item],
    tell: Callable[[str], object],
    words: Callable[[Item], Any],
) -> Iterator[Item]:
    """Pass on items; tell once if they look like another language's. See `watched`."""
    for group in watched(check, ([item] for item in items), tell, words):
        yield from group


def texts_of(
    origin: Origin, kind: Any, on_error: OnError, find: Callable[[str], list[Sentence]]
) -> Iterable[str]:
    """Give a text of the command line, or that of a file piece by piece.

    Pieces end with a sentence, for which live input needs a splitter; where it pauses, there is an
    empty piece.
    """
    if is_live(origin) and kind == "text":
        from treaty.parse.tokens._arriving_text import arriving_texts

        return arriving_texts(origin, find, on_error)
    if isinstance(origin, Text) and kind == "text":
        return [origin.getvalue()]
    if kind != "text":
        return [read_article(origin, format=kind).text]
    return read_paragraphs(origin, on_error=on_error)


def sentence_finder(
    tokenizer: Tokenizer | None, longest: int, lines: LineMeaning
) -> Callable[[str], list[Sentence]]:
    """Return what finds the sentences of a text."""
    sound = _needed(tokenizer)
    options: dict[str, Any] = {} if lines == "auto" else {"lines": lines}
    return lambda text: sound.sentences(text, longest=longest, **options)


def is_piped(sources: Iterable[Source]) -> bool:
    """Return whether some of the input may arrive bit by bit."""
    return "-" in sources and live_input() is not None


def _needed(tokenizer: Tokenizer | None) -> Tokenizer:
    if tokenizer is None:
        raise UsageError(
            "this model cannot find the words of a text: give --input-format tokens (a sentence a "
            "line, spaces between words) or conllu, or train the model with a tokenizer"
        )
    return tokenizer


def _first_tree(sentence: Sentence) -> Sentence:
    for token in sentence.tokens:
        token.deps = token.misc = "_"
    return sentence
