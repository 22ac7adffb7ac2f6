"""``treaty tag``: tags for the words of texts."""

from __future__ import annotations

from typing import Annotated

import typer

from treaty.cli._output import check_writable
from treaty.cli._progress import progress
from treaty.cli._sentences import InputKind, Output, Sources, To, read_sentences, write_sentences

__all__ = ["HELP", "tag"]

HELP = """Tag the words of texts: parts of speech, fine tags, morphological features.

SOURCES are files (also as .gz or .xz), texts of more than one word, or - for standard input, which
is read when nothing is given. Files named .conllu are CoNLL-U, others plain text, unless you say
--input.

\b
Examples:
  treaty tag "Cats sleep. Dogs don't."
  treaty tag letter.txt --output json
  treaty tag --model danish.treaty test.conllu > tagged.conllu
  treaty evaluate test.conllu tagged.conllu

Exit codes: 0 done, 2 usage, 3 bad input, 5 model file refused.
"""


def tag(
    sources: Sources = None,
    model: Annotated[
        str,
        typer.Option(metavar="MODEL", help="english, or a file from 'treaty train'."),
    ] = "english",
    input: InputKind = None,  # noqa: A002 - what users call it
    output: Annotated[Output, typer.Option(help="json: an object a line.")] = Output.CONLLU,
    to: To = "-",
    threads: Annotated[
        int, typer.Option(min=1, metavar="N", help="Sentences tagged at a time.")
    ] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")] = False,
) -> None:
    """Run ``treaty tag``."""
    from treaty.parse import Tagger, model_path

    if to != "-":
        check_writable(to)
    tagger = Tagger.load(model_path(model))
    with progress("tagging", quiet=quiet or to == "-"):
        sentences = read_sentences(sources or [], input, tagger.tokenizer)
        write_sentences(tagger.tag(sentences, threads=threads), to, output)
