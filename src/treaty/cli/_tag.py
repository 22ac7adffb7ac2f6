"""``treaty tag``: tags and lemmas for the words of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import json_line
from treaty.cli._sources import (
    DOCUMENT_TITLES,
    SentenceFormat,
    grouped,
    instruct,
    read_sentences,
    watched,
)
from treaty.cli._work import Work

if TYPE_CHECKING:
    from treaty.text import Sentence

__all__ = ["HELP", "tag"]

HELP = f"""Tag words: parts of speech, features, lemmas.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be {DOCUMENT_TITLES},
or CoNLL-U; text that is cut into words, a sentence a line, is read by --input-format tokens.

\b
Examples:
  treaty tag "Cats sleep. Dogs don't."
  treaty tag letter.txt --format json
  treaty tag --model danish.treaty test.conllu -o tagged.conllu
  treaty evaluate test.conllu tagged.conllu
  treaty tag crawl.txt --cluster local:4 -o crawl.conllu

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
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty tag``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("tag", "tagging", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    settings: dict[str, Any] = {
        "model": model,
        "lines": lines,
        "abbreviations": abbreviations,
        "shown": format,
        "options": {"threads": threads, "confidences": confidences},
    }
    if cluster is not None:
        far.run_work(job, Tagging, settings, [model], given, input_format)
    else:
        work = Tagging(**settings, quiet=quiet)
        job.write(work.texts(work.read(given, input_format, job), job))
    return job.end()


class Tagging(Work):
    """Tags sentences, with the options of the command."""

    command = "tag"

    def __init__(
        self,
        model: str,
        lines: opt.LineMeaning,
        abbreviations: str | None,
        shown: str,
        options: dict[str, Any],
        quiet: bool = True,
    ) -> None:
        from treaty.parse import Tagger

        self.tagger, self.shown, self.options = Tagger.load(model), shown, options
        self.quiet = quiet
        instruct(self.tagger.tokenizer, lines, abbreviations)

    def read(self, sources: Iterable[str], given: Any, job: Job) -> Iterator[Sentence]:
        """Read sentences."""
        return read_sentences(sources, given, self.tagger.tokenizer, job.fault)

    def texts(self, items: Iterator[Sentence], job: Job) -> Iterator[str]:
        """Tag sentences, and write them."""
        from treaty.parse._language import LanguageCheck, vocabulary_of

        check = LanguageCheck(None if self.quiet else vocabulary_of(self.tagger))
        groups = watched(check, grouped(items), job.note)
        found = (s for group in groups for s in self.tagger.predict(group, **self.options))
        tagged = job.watched(found)
        return (json_line(s) if self.shown == "json" else s.to_conllu() for s in tagged)
