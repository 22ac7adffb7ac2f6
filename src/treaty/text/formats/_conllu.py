"""Readers and writers of CoNLL-U and CoNLL-X files, one sentence at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from treaty._streams import writing
from treaty.errors import InputError, UsageError
from treaty.text._lines import PAUSE, Fault, Lines, sound_lines
from treaty.text._parse import COLUMNS, RowFormat, parse_sentence
from treaty.text._sentence import Sentence
from treaty.text._tree import require_tree
from treaty.text.formats._format import Beginning, Format

__all__ = ["CONLLU", "CONLLX", "read_conllu", "read_tokens", "write_conllu"]

ROW = re.compile(r"[1-9]\d*([-.]\d+)?(\t[^\t]+){9}")
"""A line of CoNLL-U or CoNLL-X."""
PROJECTIVE_HEAD = re.compile(r"([^\t]*\t){8}\d+\t[^\t]*")
"""A line of CoNLL-X, whose ninth column is a head."""
MOST_SHARED = 2**16
"""Maximum number of strings shared while reading, so that memory stays bounded."""


def read_conllu(
    origin: str | Path | IO[Any],
    *,
    format: RowFormat = "conllu",  # noqa: A002 - what users call it, and --format on the command line
    trees: bool = False,
    on_error: Callable[[InputError], object] | None = None,
) -> Iterator[Sentence]:
    r"""Read sentences one at a time, however large the file is.

    Parameters
    ----------
    origin
        A path, ``"-"`` for standard input, or an open stream; gzip and xz are decompressed.
    format
        ``"conllu"``, or ``"conllx"`` for the format of the CoNLL-X shared task, without multiword
        tokens and empty nodes, whose last two columns are PHEAD and PDEPREL (read into `deps` and
        `misc`).
    trees
        Whether every sentence must be a tree: a head for every token, at least one root, no cycle.
    on_error
        Called with the error of an invalid sentence; the sentence is skipped and reading continues.
        By default the error is raised.

    Raises
    ------
    InputError
        With file, line, cause and the offending text. It is always raised for a file that cannot be
        read any further, such as a truncated one.

    Examples
    --------
    >>> import io
    >>> rows = ["1 Cats _ _ _ _ 2 nsubj _ _", "2 sleep _ _ _ _ 0 root _ _"]
    >>> file = io.StringIO("\n".join(rows).replace(" ", "\t"))
    >>> [(token.form, token.head) for sentence in read_conllu(file) for token in sentence]
    [('Cats', 2), ('sleep', 0)]
    """
    _check_format(format)
    return _sentences(Lines(origin), format, trees, on_error)


def _sentences(
    lines: Lines,
    format: RowFormat,  # noqa: A002
    trees: bool,
    on_error: Callable[[InputError], object] | None,
) -> Iterator[Sentence]:
    shared: dict[str, str] = {}
    for first, block in lines.blocks():
        if not block:  # a pause
            yield Sentence([])
            continue
        try:
            lines.check(block, first)
            sentence = parse_sentence(block, first, format, shared)
            if trees:
                require_tree(sentence)
        except Fault as fault:
            line = fault.line or first + _place(block, fault.token)
            error = InputError(fault.message, path=lines.name, line=line, text=fault.text)
            if on_error is None:
                raise error from None
            on_error(error)
        else:
            yield sentence
        if len(shared) > MOST_SHARED:
            shared.clear()


def _place(block: list[str], token: int) -> int:
    return next(place for place, line in enumerate(block) if line.startswith(f"{token}\t"))


def read_tokens(
    origin: str | Path | IO[Any], *, on_error: Callable[[InputError], object] | None = None
) -> Iterator[Sentence]:
    r"""Read tokenized text: one sentence per line, tokens separated by white space.

    Blank lines are skipped. See `read_conllu` for `origin`, `on_error` and the errors.

    Examples
    --------
    >>> import io
    >>> [sentence.words for sentence in read_tokens(io.StringIO("Cats sleep .\n\nDogs , too ."))]
    [['Cats', 'sleep', '.'], ['Dogs', ',', 'too', '.']]
    """
    for line in sound_lines(Lines(origin), on_error):
        words = [] if line is PAUSE else line.split()
        if words or line is PAUSE:
            yield Sentence.from_words(words)


def write_conllu(
    sentences: Iterable[Sentence],
    target: str | Path | IO[str],
    *,
    format: RowFormat = "conllu",  # noqa: A002
) -> None:
    """Write sentences as they arrive.

    Parameters
    ----------
    sentences
        The sentences, possibly from a generator.
    target
        A path (``.gz`` and ``.xz`` are compressed), ``"-"`` for standard output, or a text stream.
        The file replaces an existing one only after all sentences are written.
    format
        ``"conllu"``, or ``"conllx"``, which does not store comments, multiword tokens and empty
        nodes, and `deps` and `misc` only if they are a PHEAD and a PDEPREL.

    Examples
    --------
    >>> import sys
    >>> sentence = Sentence.from_words(["Cats", "sleep"]).with_tree([2, 0])
    >>> write_conllu([sentence], sys.stdout)  # doctest: +NORMALIZE_WHITESPACE
    1   Cats    _   _   _   _   2   _   _   _
    2   sleep   _   _   _   _   0   _   _   _
    """
    _check_format(format)
    with writing(target) as write:
        for sentence in sentences:
            write(sentence.to_conllx() if format == "conllx" else sentence.to_conllu())


def _check_format(format: str) -> None:  # noqa: A002
    if format not in COLUMNS:
        raise UsageError(f"unknown format {format!r}; expected one of {', '.join(COLUMNS)}")


def _is_row(beginning: Beginning) -> bool:
    return bool(beginning.rows) and ROW.fullmatch(beginning.rows[0]) is not None


def _has_second_heads(beginning: Beginning) -> bool:
    rows = beginning.rows
    return len(rows) == len(beginning.filled) and all(map(PROJECTIVE_HEAD.fullmatch, rows))


CONLLX = Format(
    "conllx",
    "CoNLL-X",
    suffixes=(".conllx",),
    matches=lambda beginning: _is_row(beginning) and _has_second_heads(beginning),
    cut="blocks",
)
CONLLU = Format(
    "conllu",
    "CoNLL-U",
    suffixes=(".conllu", ".conll"),
    media_types=("text/x-conllu",),
    matches=lambda beginning: _is_row(beginning) and not _has_second_heads(beginning),
    cut="blocks",
)
