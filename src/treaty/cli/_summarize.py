"""``treaty summarize``: documents in, a short text out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import STOPPED, json_line, on_terminal, rendered
from treaty.cli._work import Work
from treaty.corpus import (
    Article,
    Collection,
    FileKind,
    read_article,
    read_collections,
    read_lines,
    stemmer,
)
from treaty.corpus._articles import files_of
from treaty.errors import InputError
from treaty.tasks._sources import TEXTS, Source, Text, file_format, instruct, read_each

if TYPE_CHECKING:
    from treaty.summarize import Digest, Summarizer

__all__ = ["HELP", "models_of", "summarize", "summarizer_of"]

HELP = """Summarize documents: sentences chosen and compressed.

SOURCES are files of text, Markdown, HTML, subtitles, e-mail (.eml), .docx, .odt or .pdf (also as
.gz or .xz), folders of them, texts of more than one word, or - for standard input, which is read
when nothing is given: together they are the documents of one topic. A file of JSON lines holds a
collection a line, and each gets a summary. Headlines, bylines, captions, tables, quoted e-mail and
the like are no sentences.

Every word of the summary stands in the documents, in this order; --show-cuts, json and html tell
where, and what was cut. Only names are given in full, as in their document, where the summary
mentions them first (in braces with --show-cuts; --no-full-names leaves them). Conditions,
exceptions, what is negated, what a verb needs and other phrases that carry the meaning are not cut;
--short cuts more than what is safe. The summary comes with its certificate: how much better the
best one within the limits could be. The methods ilp and exact prove the optimum. The model 'simple'
scores by counts alone.

\b
Examples:
  treaty summarize articles/
  treaty summarize a.txt b.html --words 50 --show-cuts
  treaty summarize articles/ --format html > summary.html
  treaty summarize topics.jsonl --words 250 --format json -o found.jsonl
  treaty summarize nouvelles.txt --language fr
  treaty summarize year.jsonl --cluster tcp://10.0.0.5:8786 --run year.run -o year.txt

Exit codes: 0 done, 2 usage, 3 bad input (the rest is summarized), 4 stopped at a limit or no
sentence fits, 5 model file refused.
"""
SIMPLE = "simple"


Format = Literal["text", "json", "html"]
InputFormat = Literal["text", "html", "subtitles", "email", "office", "pdf", "json"]
FORMATS: dict[FileKind, InputFormat] = {**TEXTS, FileKind.COLLECTIONS: "json"}


def summarize(
    sources: opt.Sources = None,
    words: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many words there may be.")
    ] = 100,
    sentences: Annotated[
        int | None,
        typer.Option(min=0, metavar="K", help="How many sentences; by default 6 or more."),
    ] = None,
    mode: Annotated[
        Literal["compressive", "extractive"] | None,
        typer.Option(help="Whether phrases are cut off; by default so, if there is a parser."),
    ] = None,
    short: opt.Short = False,
    method: Annotated[Literal["ad3", "ilp", "lp", "exact"], opt.METHOD] = "ad3",
    iterations: opt.Iterations = None,
    time_limit: opt.TimeLimit = None,
    gap: opt.Gap = None,
    format: Annotated[Format, opt.FORMAT] = "text",
    show_cuts: Annotated[
        bool, typer.Option("--show-cuts", help="Show what was cut, and where sentences stand.")
    ] = False,
    no_full_names: Annotated[
        bool,
        typer.Option(
            "--no-full-names", help="Leave names as they stand: do not add the first names."
        ),
    ] = False,
    output: opt.Output = "-",
    input_format: Annotated[InputFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    language: opt.Language = None,
    model: opt.Model = "summarizer",
    parser: opt.Parser = None,
    rules: opt.Rules = None,
    concepts: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="unigrams, bigrams, trigrams, k, or a file with a phrase a line; by default the "
            "model's.",
        ),
    ] = None,
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty summarize``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("summarize", "summarizing", output, quiet)
    if not (given := job.sources(sources, folders=True)):
        return job.end()
    limits = opt.chosen(iterations=iterations, time_limit=time_limit, gap=gap)
    options: dict[str, Any] = {
        "words": words,
        "sentences": "auto" if sentences is None else sentences,
        "mode": mode,
        "cuts": "short" if short else "safe",
        "names": not no_full_names,
        "method": method,
        "threads": threads,
        **limits,
    }
    settings: dict[str, Any] = {
        "model": model, "parser": parser, "rules": rules, "lines": lines,
        "abbreviations": abbreviations, "language": language, "concepts": concepts,
        "shown": format, "show_cuts": show_cuts, "is_terminal": on_terminal(output),
        "options": options,
    }  # fmt: skip
    if cluster is not None:
        far.check_format(format, ("text", "json"))
        between = "\n" if format == "text" else ""
        models = models_of(model, parser)
        far.run_work(
            job, Summarizing, settings, models, given, input_format, at_once=1, between=between
        )
    else:
        work = Summarizing(**settings, quiet=quiet)
        job.write(work.texts(work.read(given, input_format, job), job))
    return job.end(limited=bool(limits)) or (STOPPED if job.tally["empty"] else 0)


class Summarizing(Work):
    """Summarizes collections, with the options of the command."""

    command = "summarize"

    def __init__(
        self,
        model: str,
        parser: str | None,
        rules: str | None,
        lines: opt.LineMeaning,
        abbreviations: str | None,
        language: str | None,
        concepts: str | None,
        shown: Format,
        show_cuts: bool,
        is_terminal: bool,
        options: dict[str, Any],
        quiet: bool = False,
    ) -> None:
        self.summarizer = summarizer_of(model, parser, rules)
        if self.summarizer.pipeline is not None:
            instruct(self.summarizer.pipeline.tokenizer, lines, abbreviations)
        self.language, self.concepts, self.options = language, concepts, options
        self.show, self.quiet = (shown, show_cuts, is_terminal), quiet

    def read(self, sources: Iterable[Source], given: Any, job: Job) -> Iterator[Collection]:
        """Read collections."""
        return _collections(sources, given, job.fault)

    def texts(self, items: Iterator[Collection], job: Job) -> Iterator[str]:
        """Summarize collections, and write the summaries."""
        return _texts(job.watched(self._digests(items, job)), *self.show)

    def _digests(self, collections: Iterator[Collection], job: Job) -> Iterator[Digest]:
        for collection in collections:
            fitting = _fitting(self.summarizer, collection, self.language, self.concepts)
            try:
                digest = fitting.summarize(collection, **self.options)
            except InputError as error:
                job.fault(error)
                continue
            if not digest.sentences:
                job.tally["empty"] += 1
                words = self.options["words"]
                if not self.quiet:
                    job.note(f"no sentence fits within {words} words: the summary is empty")
            yield digest


def models_of(model: str, parser: str | None) -> list[str]:
    """List the models by whose names the settings refer to files."""
    from treaty.learn import is_installed

    named = [name for name in (model, parser) if name is not None and name != SIMPLE]
    english = ["english"] if parser is None and is_installed("english") else []
    return [*named, *english]


def summarizer_of(model: str, parser: str | None, rules: str | None) -> Summarizer:
    """Load a summarizer, with another parser and other rules if they are given."""
    from treaty.summarize import Rules, SimpleScorer, Summarizer

    found = Summarizer(SimpleScorer()) if model == SIMPLE else Summarizer.load(model)
    if parser is not None:
        found = replace(found, parser=parser)
    return found if rules is None else replace(found, rules=Rules.load(rules))


def _fitting(
    summarizer: Summarizer, collection: Collection, language: str | None, concepts: str | None
) -> Summarizer:
    """Give a summarizer for the language of a collection, with the user's own concepts."""
    spoken = language or collection.language or "en"
    kind = _concepts(concepts, spoken) if concepts else summarizer.concepts
    return replace(summarizer, language=spoken, concepts=kind)


def _collections(
    sources: Iterable[Source], given: InputFormat | None, on_error: Callable[[InputError], object]
) -> Iterator[Collection]:
    """Read documents as those of one topic, and each line of JSON as one of its own."""
    articles: list[Article] = []

    def read(source: Source) -> Iterable[Collection]:
        if isinstance(source, Text):
            articles.append(Article(source.getvalue()))
        elif source != "-" and Path(source).is_dir():
            articles.extend(read_each(map(str, files_of(source)), _one, on_error))
        else:
            kind, origin = file_format(source, given, FORMATS)
            if kind == "json":
                return read_collections(origin, on_error=on_error)
            articles.append(read_article(origin, format=kind))
        return ()

    yield from read_each(sources, read, on_error)
    if articles:
        yield Collection(articles)


def _one(file: str) -> list[Article]:
    return [read_article(file)]


def _concepts(given: str, language: str) -> Any:
    """Make concepts of what the user says: a name, a number, or a file of phrases."""
    from treaty.summarize import phrases

    if given.isdecimal():
        return int(given)
    if given in ("unigrams", "bigrams", "trigrams"):
        return given
    lines = list(read_lines(given))
    if not lines:
        raise InputError("the file is empty: expected a phrase a line", path=given)
    return phrases(lines, stemmer(language))


def _texts(
    digests: Iterator[Digest], shown: Format, show_cuts: bool, is_terminal: bool
) -> Iterator[str]:
    if shown == "json" or (shown == "text" and not show_cuts):
        for number, digest in enumerate(digests):
            between = "\n" if number else ""
            yield json_line(digest) if shown == "json" else f"{between}{digest.text}\n"
        return
    from treaty.show import cuts_terminal, cuts_text, summary_html, summary_note

    if shown == "html":
        every = list(digests)
        yield summary_html(every) if every else ""
        return
    for number, digest in enumerate(digests):
        between = "\n" if number else ""
        if is_terminal:
            cuts = rendered(cuts_terminal(digest.sentences))
            yield f"{between}{cuts}{summary_note(digest)}\n"
        else:
            lines = [cuts_text(sentence) for sentence in digest.sentences]
            yield between + "\n".join([*lines, "", summary_note(digest), ""])
