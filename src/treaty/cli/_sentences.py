"""Sentences in and out of commands: text, tokens or CoNLL-U from files, arguments and stdin."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.errors import InputError, UsageError

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.parse import Tokenizer

__all__ = [
    "Input",
    "InputKind",
    "Output",
    "Quiet",
    "Sources",
    "Threads",
    "To",
    "as_json",
    "read_sentences",
    "write_sentences",
    "write_texts",
]


AT_A_TIME = 64
"""Sentences that are written to standard output together."""


class Input(StrEnum):
    """What a command reads."""

    TEXT = "text"
    TOKENS = "tokens"
    CONLLU = "conllu"
    CONLLX = "conllx"


OnError = Callable[[InputError], object]


class Output(StrEnum):
    """What a command writes."""

    CONLLU = "conllu"
    JSON = "json"


# What all commands that read sentences may be told.
Sources = Annotated[
    list[str] | None, typer.Argument(metavar="[SOURCES]...", help="Files, texts or -.")
]
Threads = Annotated[int, typer.Option(min=1, metavar="N", help="Sentences parsed at a time.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes on stderr.")]
InputKind = Annotated[
    Input | None, typer.Option(help="tokens: a sentence a line, spaces between words.")
]
To = Annotated[
    str, typer.Option("--to", "-o", metavar="FILE", help="Where results go; - is stdout.")
]


def read_sentences(
    sources: Sequence[str],
    kind: Input | None,
    tokenizer: Tokenizer | None,
    on_error: OnError | None = None,
) -> Iterator[Sentence]:
    """Read sentences from files, ``-`` or texts, one source after the other.

    Without a kind, files named ``.conllu`` are CoNLL-U and all else is text. Errors of sentences
    and files are handed to `on_error`, if it is given, and reading goes on behind them.
    """
    for source in sources or ["-"]:
        try:
            yield from _read_source(source, kind, tokenizer, on_error)
        except InputError as error:
            if on_error is None:
                raise
            on_error(error)


def _read_source(
    source: str, kind: Input | None, tokenizer: Tokenizer | None, on_error: OnError | None
) -> Iterator[Sentence]:
    if source == "-" or _is_file(source):
        return _read_file(source, kind or _kind_of(source), tokenizer, on_error)
    if len(source.split()) > 1 and kind not in (Input.CONLLU, Input.CONLLX):
        return _read_text(source, kind or Input.TEXT, tokenizer)
    raise InputError(
        "there is no such file; a text of one word is read from standard input", path=source
    )


def _is_file(source: str) -> bool:
    try:
        return Path(source).exists()
    except (OSError, ValueError):  # a text that is too long for a path, or has a NUL
        return False


def _kind_of(path: str) -> Input:
    name = path.removesuffix(".gz").removesuffix(".xz")
    return Input.CONLLU if name.endswith(".conllu") else Input.TEXT


def _read_file(
    path: str, kind: Input, tokenizer: Tokenizer | None, on_error: OnError | None
) -> Iterator[Sentence]:
    from treaty.corpus import read_conllu, read_paragraphs, read_tokens

    if kind is Input.CONLLU:
        return read_conllu(path, on_error=on_error)
    if kind is Input.CONLLX:  # its last columns are another tree's
        return map(_first_tree, read_conllu(path, format="conllx", on_error=on_error))
    if kind is Input.TOKENS:
        return read_tokens(path, on_error=on_error)
    found = _need(tokenizer)
    pieces = read_paragraphs(path, on_error=on_error)
    return (sentence for piece in pieces for sentence in found.sentences(piece))


def _first_tree(sentence: Sentence) -> Sentence:
    for token in sentence.tokens:
        token.deps = token.misc = "_"
    return sentence


def _read_text(text: str, kind: Input, tokenizer: Tokenizer | None) -> Iterator[Sentence]:
    from treaty.corpus import Sentence

    if kind is Input.TOKENS:
        return iter([Sentence.from_words(text.split())])
    return iter(_need(tokenizer).sentences(text))


def _need(tokenizer: Tokenizer | None) -> Tokenizer:
    if tokenizer is None:
        raise UsageError(
            "this model cannot find the words of a text: give --input tokens (a sentence a line, "
            "spaces between words) or --input conllu, or train the model with a tokenizer"
        )
    return tokenizer


def write_sentences(sentences: Iterable[Sentence], path: str, kind: Output) -> None:
    """Write sentences as they come."""
    write_texts(
        (as_json(s) if kind is Output.JSON else s.to_conllu() for s in sentences if len(s)), path
    )


def write_texts(texts: Iterable[str], path: str) -> None:
    """Write texts as they come to a file, or to standard output for ``-``."""
    from treaty._streams import writing
    from treaty.cli._output import write_text

    if path == "-":
        rest = iter(texts)
        while some := "".join(islice(rest, AT_A_TIME)):
            write_text("-", some)
        return
    with writing(path) as write:
        for text in texts:
            write(text)


def as_json(sentence: Sentence, **more: Any) -> str:
    """Write a sentence as one line of JSON, with whatever else is told of it."""
    tokens: list[dict[str, Any]] = []
    for identity, token in enumerate(sentence.tokens, 1):
        columns = {name: getattr(token, name) for name in token.__slots__}
        filled = {name: value for name, value in columns.items() if value not in ("_", -1)}
        tokens.append({"id": identity, **filled, "form": token.form})
    return json.dumps({"text": sentence.text, **more, "tokens": tokens}, ensure_ascii=False) + "\n"
