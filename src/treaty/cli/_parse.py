"""``treaty parse``: trees for the sentences of texts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import json_line, note, on_terminal
from treaty.cli._sources import (
    AT_ONCE,
    DOCUMENT_TITLES,
    SentenceFormat,
    grouped,
    instruct,
    read_sentences,
    watched,
)
from treaty.cli._work import Work
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.parse import Parse, Pipeline
    from treaty.parse._document_entities import EntityModel
    from treaty.text import Sentence

__all__ = ["HELP", "parse"]

HELP = f"""Parse texts: tags, lemmas and dependency trees.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be {DOCUMENT_TITLES},
or CoNLL-U; text that is cut into words, a sentence a line, is read by --input-format tokens. The
tree is drawn on a terminal; elsewhere results are CoNLL-U, unless you give --format.

Every tree comes with its status (OPTIMAL: proved to be the model's best) and its gap (how far from
the best it can be). The new tree takes the place of one in the input; an enhanced graph (DEPS,
empty nodes) is left out. A faulty sentence is reported and skipped. Sentences of more than
--longest words, mostly text without full stops, are cut; those whose words are given are parsed in
parts, and the trees are joined.

--entities finds names, too (NER=B-PER in the column MISC, "entities" in JSON); --confidences tells
how probable tags (TagConfidence), heads (ArcConfidence), and heads with labels (LabelConfidence)
are. Input from a pipe is parsed as it arrives: results of a sentence appear when the next one has
begun, or after a short pause.

\b
Examples:
  treaty parse "Cats sleep. Dogs don't."
  treaty parse letter.txt --format svg > letter.svg
  treaty parse letter.txt -o letter.conllu --threads 4
  treaty parse letter.txt --entities --confidences --format json
  tail -f messages.log | treaty parse - --entities
  treaty parse test.conllu --model danish.treaty | treaty evaluate test.conllu -
  echo "Cats sleep ." | treaty parse --input-format tokens --format json
  treaty parse crawl/*.txt --cluster tcp://10.0.0.5:8786 --run crawl.run -o crawl.conllu

Exit codes: 0 done, 2 usage, 3 bad input (the rest is parsed), 5 model file refused.
"""


Format = Literal["conllu", "json", "svg", "html", "tree"]


def parse(
    sources: opt.Sources = None,
    model: opt.Model = "english",
    input_format: Annotated[SentenceFormat | None, opt.INPUT_FORMAT] = None,
    lines: opt.Lines = "auto",
    abbreviations: opt.Abbreviations = None,
    format: Annotated[Format | None, opt.FORMAT] = None,
    output: opt.Output = "-",
    order: Annotated[opt.ParserOrder | None, opt.ORDER] = None,
    projective: Annotated[
        bool, typer.Option("--projective", help="No crossing arcs (with --order first).")
    ] = False,
    tags: Annotated[
        Literal["keep", "predict"],
        typer.Option(help="Whether sentences that have tags keep them; others get some."),
    ] = "keep",
    longest: Annotated[
        int, typer.Option(min=1, metavar="N", help="Sentences of more words are parsed in parts.")
    ] = 400,
    entities: Annotated[
        bool, typer.Option("--entities", help="Find names, too: persons, places, organizations.")
    ] = False,
    entity_model: Annotated[
        str, typer.Option("--entity-model", metavar="MODEL", help="What finds names.")
    ] = "entities",
    confidences: opt.Confidences = False,
    cluster: opt.Cluster = None,
    run: opt.RunDir = None,
    part_limit: opt.PartLimit = None,
    resume: opt.Resume = False,
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty parse``; returns the exit code."""
    far = ClusterChoices(cluster, run, part_limit, resume)
    job = Job("parse", "parsing", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    shown = format or ("tree" if on_terminal(output) and not cluster else "conllu")
    if entities and shown in ("svg", "html"):
        raise UsageError(f"--entities goes with --format conllu, json or tree, not with {shown}")
    settings: dict[str, Any] = {
        "model": model,
        "lines": lines,
        "abbreviations": abbreviations,
        "shown": shown,
        "entity_model": entity_model if entities else None,
        "options": {
            "tags": tags,
            "order": order,
            "projective": projective,
            "longest": longest,
            "confidences": confidences,
            "threads": threads,
        },
    }
    if cluster is not None:
        far.check_format(shown, ("conllu", "json"))
        models = [model, *([entity_model] if entities else [])]
        at_once = AT_ONCE if entities else None  # names are found in groups of sentences
        far.run_work(job, Parsing, settings, models, given, input_format, at_once=at_once)
    else:
        work = Parsing(**settings, quiet=quiet)
        job.write(work.texts(work.read(given, input_format, job), job))
    if (cut := job.tally["in parts"]) and not quiet:
        some = "1 sentence" if cut == 1 else f"{cut:,} sentences"
        note(f"{some} of more than {longest} words: parsed in parts (--longest)")
    return job.end()


class Parsing(Work):
    """Parses sentences, with the options of the command."""

    command = "parse"

    def __init__(
        self,
        model: str,
        lines: opt.LineMeaning,
        abbreviations: str | None,
        shown: Format,
        entity_model: str | None,
        options: dict[str, Any],
        quiet: bool = True,
    ) -> None:
        from treaty.parse import Pipeline
        from treaty.parse._document_entities import EntityFinder

        self.pipeline, self.finder = Pipeline.load(model), EntityFinder()
        self.shown, self.options, self.quiet = shown, options, quiet
        self.entity_model = entity_model
        if entity_model is not None:
            _check_languages(self.pipeline, self.finder.model(entity_model), quiet)
        instruct(self.pipeline.tokenizer, lines, abbreviations)
        if self.pipeline.tagger is None and not quiet:
            note("the model has no tagger: words keep the tags of the input, or have none")

    def read(self, sources: Iterable[str], given: Any, job: Job) -> Iterator[Sentence]:
        """Read sentences."""
        longest = self.options["longest"]
        return read_sentences(sources, given, self.pipeline.tokenizer, job.fault, longest=longest)

    def texts(self, items: Iterator[Sentence], job: Job) -> Iterator[str]:
        """Parse sentences, and write them."""
        return _texts(_counted(job.watched(self._parses(items, job)), job.tally), self.shown)

    def _parses(self, sentences: Iterator[Sentence], job: Job) -> Iterator[Parse]:
        from treaty.parse._language import LanguageCheck

        check = LanguageCheck(None if self.quiet else self.pipeline.vocabulary)
        certain = self.options["confidences"] or self.shown == "json"
        for group in watched(check, grouped(sentences), job.note):
            parses = self.pipeline.predict(group, **self.options)
            if self.entity_model is None:
                yield from parses
                continue
            every, threads = list(parses), self.options["threads"]
            yield from self.finder.mark(self.entity_model, every, threads, certain)


def _check_languages(pipeline: Pipeline, labeler: EntityModel, quiet: bool) -> None:
    own, others = (str(model.info.get("language", "")).lower() for model in (pipeline, labeler))
    if own and others and own not in (others, others[:2]) and not quiet:
        note(f"the model for names is for {others}, that for trees for {own}")


def _counted(parses: Iterator[Parse], tally: Counter[str]) -> Iterator[Parse]:
    from treaty.parse._long_sentences import is_in_parts

    for parse in parses:
        tally["in parts"] += is_in_parts(parse.sentence)
        yield parse


def _texts(parses: Iterator[Parse], shown: Format) -> Iterator[str]:
    from treaty.parse import certified
    from treaty.show import tree_svg, tree_text, trees_html

    if shown in ("svg", "html"):
        every = list(parses)
        draw = tree_svg if shown == "svg" else trees_html
        sentences, worth = [p.sentence for p in every], [p.certificate for p in every]
        if every:
            yield draw(sentences, certificates=worth)
        return
    encoding = sys.stdout.encoding or "utf-8"
    for parse in parses:
        if shown == "tree":
            drawn = tree_text(parse.sentence, encoding=encoding, certificate=parse.certificate)
            yield f"{drawn}\n{''.join(_names(parse.sentence))}"
        elif shown == "json":
            yield json_line(parse)
        else:
            yield certified(parse).to_conllu()


def _names(sentence: Sentence) -> Iterator[str]:
    """List the entities that are marked in a sentence, a line each."""
    from treaty.parse import Document

    for entity in Document.from_sentences([sentence]).entities:
        yield f"{entity.type}: {entity.text}\n"
