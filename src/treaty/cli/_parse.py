"""``treaty parse``: trees for the sentences of texts."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import json_line, note, on_terminal
from treaty.cli._sources import SentenceFormat, grouped, instruct, read_sentences, watched
from treaty.errors import UsageError

if TYPE_CHECKING:
    from treaty.corpus import Sentence
    from treaty.parse import Parse, Pipeline
    from treaty.parse._document_entities import EntityModel

__all__ = ["HELP", "parse"]

HELP = """Parse texts: tags, lemmas and dependency trees.

SOURCES are texts of more than one word, files (also as .gz or .xz), or - for standard input, which
is read when nothing is given. A file may be plain text, HTML, or CoNLL-U; text that is cut into
words, a sentence a line, is read by --input-format tokens. The tree is drawn on a terminal;
elsewhere results are CoNLL-U, unless you give --format.

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
    threads: opt.Threads = 1,
    quiet: opt.Quiet = False,
) -> int:
    """Run ``treaty parse``; returns the exit code."""
    job = Job("parse", "parsing", output, quiet)
    if not (given := job.sources(sources)):
        return job.end()
    shown = format or ("tree" if on_terminal(output) else "conllu")
    if entities and shown in ("svg", "html"):
        raise UsageError(f"--entities goes with --format conllu, json or tree, not with {shown}")
    from treaty.parse import Pipeline
    from treaty.parse._document_entities import EntityFinder
    from treaty.parse._language import LanguageCheck

    pipeline, finder = Pipeline.load(model), EntityFinder()
    if entities:
        _check_languages(pipeline, finder.model(entity_model), quiet)
    instruct(pipeline.tokenizer, lines, abbreviations)
    if pipeline.tagger is None and not quiet:
        note("the model has no tagger: words keep the tags of the input, or have none")
    sentences = read_sentences(given, input_format, pipeline.tokenizer, job.fault, longest=longest)
    options: dict[str, Any] = {
        "tags": tags,
        "order": order,
        "projective": projective,
        "longest": longest,
        "confidences": confidences,
        "threads": threads,
    }

    check = LanguageCheck(None if quiet else pipeline.vocabulary)

    def work() -> Iterator[Parse]:
        for group in watched(check, grouped(sentences)):
            parses = pipeline.predict(group, **options)
            if not entities:
                yield from parses
                continue
            every = list(parses)
            yield from finder.mark(entity_model, every, threads, confidences or shown == "json")

    told: Counter[bool] = Counter()
    found = _counted(job.watched(work()), told)
    job.write(_texts(found, shown))
    if told[True] and not quiet:
        some = "1 sentence" if told[True] == 1 else f"{told[True]:,} sentences"
        note(f"{some} of more than {longest} words: parsed in parts (--longest)")
    return job.end()


def _check_languages(pipeline: Pipeline, labeler: EntityModel, quiet: bool) -> None:
    own, others = (str(model.info.get("language", "")).lower() for model in (pipeline, labeler))
    if own and others and own not in (others, others[:2]) and not quiet:
        note(f"the model for names is for {others}, that for trees for {own}")


def _counted(parses: Iterator[Parse], told: Counter[bool]) -> Iterator[Parse]:
    from treaty.parse._long_sentences import is_in_parts

    for parse in parses:
        told[is_in_parts(parse.sentence)] += 1
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
