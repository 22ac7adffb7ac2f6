"""``treaty compress``: sentences in, shorter sentences out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import STOPPED, json_line, note, on_terminal, rendered
from treaty.cli._summarize import models_of, summarizer_of
from treaty.cli._work import Work
from treaty.tasks._sources import SentenceFormat, Source, grouped, instruct, read_sentences

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.summarize import CompressedSentence

__all__ = ["HELP", "compress"]

USUAL_RATE = 0.7
"""Share of words that bold cuts leave; fewer do not count as a limit that the user has set."""
AT_A_TIME = 512
"""Sentences that are parsed together."""
HELP = """Compress sentences: phrases that can be spared are cut off.

Only cuts are made that leave what the source says: connectives, comments, appositions, relative
clauses that are set off, times and places of what has happened, and so on. What carries the meaning
stays, such as conditions, exceptions, what is negated, and what a verb needs. --short cuts more.
Every compressed sentence is parsed again, and cuts that change its structure are taken back.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, subtitles, .eml, .docx, .odt, .pdf,
CoNLL-U, whose trees are kept, or JSON lines of compressions; text that is cut into words, a
sentence a line, is read by --input-format tokens. A sentence a line is written.

\b
Examples:
  treaty compress "The old man, who was tired, slept in his chair by the fire."
  treaty compress letter.txt --rate 0.6 --show-cuts
  treaty compress letter.txt --words 12 --short --format json
  treaty compress gold.jsonl --format json -o found.jsonl && treaty evaluate gold.jsonl found.jsonl

Exit codes: 0 done, 2 usage, 3 bad input (the rest is compressed), 4 some sentences are longer than
asked for, 5 model file refused.
"""


def compress(
    sources: opt.Sources = None,
    words: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="So many are left of each, if cuts allow it."),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="The same as a share; by default all that is safe is cut, with --short to 0.7.",
        ),
    ] = None,
    short: opt.Short = False,
    format: Annotated[opt.Format, opt.FORMAT] = "text",
    show_cuts: Annotated[bool, typer.Option("--show-cuts", help="Show what was cut.")] = False,
    output: opt.Output = "-",
    input_format: Annotated[SentenceFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    model: opt.Model = "summarizer",
    parser: opt.Parser = None,
    rules: opt.Rules = None,
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty compress``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("compress", "compressing", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    settings: dict[str, Any] = {
        "model": model, "parser": parser, "rules": rules, "lines": lines,
        "abbreviations": abbreviations, "words": words, "rate": rate, "short": short,
        "shown": format, "show_cuts": show_cuts, "is_terminal": on_terminal(output),
        "threads": threads,
    }  # fmt: skip
    if cluster is not None:
        models = models_of(model, parser)
        far.run_work(job, Compressing, settings, models, given, input_format, at_once=AT_A_TIME)
    else:
        work = Compressing(**settings)
        job.write(work.texts(work.read(given, input_format, job), job))
    code, longer = job.end(), job.tally["longer"]
    if longer and not quiet:
        more = "the rules forbid more" if short else "more would not be safe (--short cuts more)"
        note(f"{longer:,} of {job.results:,} are longer than asked for: {more}")
    return code or (STOPPED if longer else 0)


class Compressing(Work):
    """Compresses sentences, with the options of the command."""

    command = "compress"

    def __init__(
        self,
        model: str,
        parser: str | None,
        rules: str | None,
        lines: opt.LineMeaning,
        abbreviations: str | None,
        words: int | None,
        rate: float | None,
        short: bool,
        shown: opt.Format,
        show_cuts: bool,
        is_terminal: bool,
        threads: int,
    ) -> None:
        self.summarizer = summarizer_of(model, parser, rules)
        pipeline = self.summarizer.pipeline
        self.tokenizer = None if pipeline is None else pipeline.tokenizer
        instruct(self.tokenizer, lines, abbreviations)
        self.words, self.rate, self.threads = words, rate, threads
        usual = USUAL_RATE if words is None and rate is None and short else rate
        cuts = "short" if short else "safe"
        self.options: dict[str, Any] = {"words": words, "rate": usual, "cuts": cuts}
        self.show = shown, show_cuts, is_terminal

    def read(self, sources: Iterable[Source], given: Any, job: Job) -> Iterator[Sentence]:
        """Read sentences."""
        return read_sentences(sources, given, self.tokenizer, job.fault)

    def texts(self, items: Iterator[Sentence], job: Job) -> Iterator[str]:
        """Compress sentences, and write them."""
        return _texts(job.watched(self._compressed(items, job)), *self.show)

    def _compressed(self, items: Iterator[Sentence], job: Job) -> Iterator[CompressedSentence]:
        """Compress sentences, and count those that are longer than asked for."""
        for some in grouped(items, AT_A_TIME):
            for found in self.summarizer.compress(some, threads=self.threads, **self.options):
                limits = [self.words] if self.words is not None else []
                limits += [] if self.rate is None else [round(self.rate * found.source_words)]
                job.tally["longer"] += any(found.words > limit for limit in limits)
                yield found


def _texts(
    found: Iterator[CompressedSentence], shown: opt.Format, show_cuts: bool, is_terminal: bool
) -> Iterator[str]:
    from treaty.show import cuts_terminal, cuts_text

    for sentence in found:
        if shown == "json":
            yield json_line(sentence)
        elif not show_cuts:
            yield f"{sentence.text}\n"
        elif is_terminal:
            yield rendered(cuts_terminal([sentence], origins=False)).removesuffix("\n")
        else:
            yield f"{cuts_text(sentence)}\n"
