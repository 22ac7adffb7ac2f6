"""``treaty tag``: tags and lemmas for the words of texts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line
from treaty.cli._sources import SentenceFormat, grouped, instruct, read_sentences, watched

__all__ = ["HELP", "tag"]

HELP = """Tag words: parts of speech, features, lemmas.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, or CoNLL-U; text that is cut into
words, a sentence a line, is read by --input-format tokens.

\b
Examples:
  treaty tag "Cats sleep. Dogs don't."
  treaty tag letter.txt --format json
  treaty tag --model danish.treaty test.conllu -o tagged.conllu
  treaty evaluate test.conllu tagged.conllu

Exit codes: 0 done, 2 usage, 3 bad input (the rest is tagged), 5 model file refused.
"""


def tag(
    sources: opt.Sources = None,
    model: opt.Model = "english",
    input_format: Annotated[SentenceFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    format: Annotated[Literal["conllu", "json"], opt.FORMAT] = "conllu",
    output: opt.Output = "-",
    confidences: opt.Confidences = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty tag``; returns the exit code."""
    job = Job("tag", "tagging", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    from treaty.parse import Tagger
    from treaty.parse._language import LanguageCheck, vocabulary_of

    tagger = Tagger.load(model)
    instruct(tagger.tokenizer, lines, abbreviations)
    sentences = read_sentences(given, input_format, tagger.tokenizer, job.fault)
    options: dict[str, Any] = {"threads": threads, "confidences": confidences}
    check = LanguageCheck(None if quiet else vocabulary_of(tagger))
    groups = watched(check, grouped(sentences))
    found = (s for group in groups for s in tagger.predict(group, **options))
    tagged = job.watched(found)
    job.write(json_line(s) if format == "json" else s.to_conllu() for s in tagged)
    return job.end()
