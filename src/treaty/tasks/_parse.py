"""Parsing: trees for the sentences of texts."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from treaty._json import json_line
from treaty.errors import UsageError
from treaty.tasks._by_document import (
    AnnotatedDocument,
    by_document,
    conllu_of,
    document_from,
    lines_of,
)
from treaty.tasks._documents import InputDocument, Wanted, hinting, with_sentences
from treaty.tasks._options import (
    Abbreviations,
    Confidences,
    Encoding,
    Field,
    IdField,
    Lines,
    Model,
    ParserOrder,
    SentenceInput,
    Threads,
)
from treaty.tasks._request import Http, Option, Request
from treaty.tasks._run import Run
from treaty.tasks._sources import (
    AT_ONCE,
    DOCUMENT_TITLES,
    SENTENCES,
    Source,
    fitted,
    read_sentences,
    watched,
)
from treaty.tasks._task import Task
from treaty.tasks._wishes import TAGS, TreeConstraint, check_wish, on_trees

if TYPE_CHECKING:
    from treaty.parse import Parse
    from treaty.solve import Certificate
    from treaty.text import Sentence

__all__ = ["ParseRequest", "Parsing"]

CERTAIN = 1e-4
"""Least probability of a head that is listed among the alternatives."""


HELP = f"""Parse texts: tags, lemmas and dependency trees.

SOURCES are texts of more than one word, files (also .gz or .xz), folders, archives (.zip, .tar),
mailboxes, tables (--field), or - for standard input, which is read when nothing is given. With
-o folder/ each document gets a file. A file may be {DOCUMENT_TITLES},
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
  treaty parse corpus/ -o trees/ --resume
  treaty parse reviews.csv --field text --id key --format json
  treaty parse letter.txt --entities --confidences --format json
  tail -f messages.log | treaty parse - --entities
  treaty parse test.conllu --model danish.treaty | treaty evaluate test.conllu -
  echo "Cats sleep ." | treaty parse --input-format tokens --format json
  treaty parse crawl/*.txt --cluster tcp://10.0.0.5:8786 --run crawl.run -o crawl.conllu

Exit codes: 0 done, 2 usage, 3 bad input (the rest is parsed), 5 model file refused.
"""


@dataclass(frozen=True, kw_only=True)
class ParseRequest(Request):
    """Tags, lemmas and trees of sentences."""

    examples: ClassVar = (
        {"text": "She saw the man with the telescope."},
        {
            "text": "She saw the man with the telescope.",
            "constraints": [{"kind": "attach", "word": 7, "head": 2}],
        },
    )
    model: Model = "english"
    input_format: SentenceInput = None
    lines: Lines = "auto"
    abbreviations: Abbreviations = None
    encoding: Encoding = None
    field: Field = None
    id_field: IdField = None
    order: Annotated[ParserOrder | None, Option("Higher orders are slower and more accurate.")] = (
        None
    )
    projective: Annotated[bool, Option("No crossing arcs (with order first).")] = False
    tags: Annotated[
        Literal["keep", "predict"],
        Option("Whether sentences that have tags keep them; others are tagged."),
    ] = "keep"
    longest: Annotated[
        int,
        Option(
            "Longer sentences, in words, are parsed in parts.",
            least=1, metavar="N", http=Http(most=400),
        ),
    ] = 400  # fmt: skip
    entities: Annotated[bool, Option("Find names, too: persons, places, organizations.")] = False
    entity_model: Annotated[str, Option("The model for names.", metavar="MODEL")] = "entities"
    confidences: Confidences = False
    alternatives: Annotated[
        int,
        Option(
            "Number of probable heads of each word to list.",
            least=0, most=10, metavar="N", of=("http",),
        ),
    ] = 0  # fmt: skip
    constraints: Annotated[
        tuple[TreeConstraint, ...],
        Option("Constraints on the trees.", longest=1000, of=("http",)),
    ] = ()
    threads: Threads = 1


class Parsing(Task[ParseRequest]):
    """Parses sentences."""

    name = "parse"
    doing = "parsing"
    asks = ParseRequest
    help = HELP
    formats = ("conllu", "json", "svg", "html", "tree")
    streamed = ("conllu", "json")
    documents = True
    on_terminal = "tree"

    def __init__(self, request: ParseRequest, run: Run) -> None:
        from treaty.label import EntityLabeler
        from treaty.parse import Pipeline
        from treaty.parse.documents._document_entities import EntityFinder

        super().__init__(request, run)
        self.pipeline: Pipeline = run.models.load(Pipeline, request.model)
        self.tokenizer = fitted(self.pipeline.tokenizer, request.abbreviations)
        self.finder = EntityFinder()
        if request.entities:
            self.labeler = run.models.load(EntityLabeler, request.entity_model)
            self._check_languages()
        if self.pipeline.tagger is None:
            run.note("the model has no tagger: words keep the tags of the input, or have none")

    def read(self, sources: Iterable[Source]) -> Iterator[Sentence]:
        """Read sentences."""
        request = self.request
        sentences = read_sentences(
            sources, request.input_format, self.tokenizer, hinting(self.run.fault),
            lines=request.lines, longest=request.longest, encoding=request.encoding,
        )  # fmt: skip
        return iter(self.run.admitted(sentences))

    def results(self, items: Iterator[Sentence]) -> Iterator[Any]:
        """Parse sentences."""
        groups = self._groups(items)
        batches = self._constrained(groups) if self.request.constraints else self._parsed(groups)
        parses = self._with_names(batches)
        if not self.request.alternatives:
            return parses
        return (self._with_alternatives(parse) for parse in parses)

    def annotated(self, documents: Iterator[InputDocument]) -> Iterator[AnnotatedDocument]:
        """Parse documents; names are looked for in each by itself."""
        request = self.request
        every = with_sentences(
            documents, self.tokenizer, self.run.fault, request.longest, request.lines
        )
        for given, _, trees in by_document(every, self._trees):
            parses, names = self._marked(trees)
            certificates = [parse.certificate for parse in parses]
            document = document_from(given, [parse.sentence for parse in parses], certificates)
            document.entity_certificates = names
            yield AnnotatedDocument(given, parses, document)

    def document_texts(self, annotated: AnnotatedDocument, format: str) -> Iterator[str]:  # noqa: A002
        """Write the trees of a document."""
        from treaty.parse import certified

        if format == "json":
            return lines_of(annotated.input, annotated.document)
        if format == "conllu":
            sentences = map(certified, annotated.results)
            return conllu_of(annotated.input, annotated.document, sentences)
        return super().document_texts(annotated, format)

    def texts(self, results: Iterator[Parse], format: str) -> Iterator[str]:  # noqa: A002
        """Write or draw trees."""
        from treaty.parse import certified
        from treaty.show import tree_svg, tree_text, trees_html

        if format in ("svg", "html"):
            every = list(results)
            draw = tree_svg if format == "svg" else trees_html
            if every:
                yield draw([p.sentence for p in every], certificates=[p.certificate for p in every])
            return
        encoding = sys.stdout.encoding or "utf-8"
        for parse in results:
            if format == "tree":
                drawn = tree_text(parse.sentence, encoding=encoding, certificate=parse.certificate)
                yield f"{drawn}\n{''.join(_names(parse.sentence))}"
            else:
                yield json_line(parse) if format == "json" else certified(parse).to_conllu()

    def _groups(self, items: Iterator[Sentence]) -> Iterator[list[Sentence]]:
        from treaty.parse._language import LanguageCheck

        check = LanguageCheck(None if self.run.quiet else self.pipeline.vocabulary)
        return watched(check, self.run.groups(items, weight=len), self.run.note)

    def _options(self) -> dict[str, Any]:
        names = ("tags", "order", "projective", "longest", "confidences", "threads")
        return {name: getattr(self.request, name) for name in names}

    def _trees(self, items: Iterator[Sentence]) -> Iterator[Parse]:
        """Parse the sentences of several documents, without names."""
        return chain.from_iterable(self._parsed(self._groups(items)))

    def _parsed(self, groups: Iterable[list[Sentence]]) -> Iterator[Iterable[Parse]]:
        return (self.pipeline.predict(group, **self._options()) for group in groups)

    def _with_names(self, batches: Iterable[Iterable[Parse]]) -> Iterator[Parse]:
        """Find the names in sentences that belong together, if they are requested."""
        if self.request.entities and self.run.deadline is not None:  # groups are small then
            every = chain.from_iterable(batches)
            batches = iter(lambda: list(islice(every, AT_ONCE)), [])
        for batch in batches:
            yield from (
                self._marked(list(batch))[0] if self.request.entities else self._counted(batch)
            )

    def _counted(self, parses: Iterable[Parse]) -> Iterator[Parse]:
        from treaty.parse.trees._long_sentences import is_in_parts

        for parse in parses:
            self.run.tally["in parts"] += is_in_parts(parse.sentence)
            yield parse

    def _marked(self, parses: list[Parse]) -> tuple[list[Parse], list[Certificate]]:
        """Find the names in the sentences of a document, and tell their certificates."""
        request, parses = self.request, list(self._counted(parses))
        if not request.entities or not parses:
            return parses, []
        confidences = request.confidences or self.format == "json"
        return self.finder.mark(self.labeler, parses, request.threads, confidences)

    def _constrained(self, groups: Iterable[list[Sentence]]) -> Iterator[Iterable[Parse]]:
        if self.request.projective:
            raise UsageError("projective trees cannot be combined with constraints")
        wishes: dict[int, list[TreeConstraint]] = defaultdict(list)
        for one in self.request.constraints:
            check_wish(one)
            wishes[one.sentence].append(one)
        number = 0
        for group in groups:
            parses: list[Parse] = []
            for sentence in group:
                number += 1
                chosen = wishes.pop(number, [])
                if not chosen:
                    parses += chain.from_iterable(self._parsed([[sentence]]))
                    continue
                graph = self.pipeline.parser.graph(
                    self._tagged(sentence, chosen),
                    order=self.request.order,
                    constraints=on_trees(chosen),
                )
                parses.append(graph.solve(**self.run.limits()))
            yield parses
        if wishes and not self.run.left_out:
            raise UsageError(f"a constraint names sentence {min(wishes)}; the text has {number}")

    def _tagged(self, sentence: Sentence, chosen: list[TreeConstraint]) -> Sentence:
        """Tag a sentence as its constraints demand."""
        pipeline = self.pipeline
        has_tags = self.request.tags == "keep" and any(t.upos != "_" for t in sentence.tokens)
        wishes = [one for one in chosen if one.kind in TAGS]
        if pipeline.tagger is None or (has_tags and not wishes):
            return sentence
        forced = {one.word or 0: one.upos or "" for one in wishes if one.kind == "tag"}
        without: dict[int, list[str]] = defaultdict(list)
        for one in wishes:
            if one.kind == "not_tag":
                without[one.word or 0].append(one.upos or "")
        tagged = pipeline.tagger.predict_among(sentence, forced, without)
        if pipeline.lemmatizer is not None:
            (tagged,) = pipeline.lemmatizer.predict([tagged])
        return tagged

    def _with_alternatives(self, parse: Parse) -> dict[str, Any]:
        """Add to the words of a tree the heads they could have, by the first-order model."""
        record = parse.to_dict()
        by_word = self.pipeline.parser.candidate_heads(parse.sentence, self.request.alternatives)
        heads = {str(i): candidates for i, candidates in enumerate(by_word, 1)}
        for token in record["tokens"]:
            if (candidates := heads.get(str(token["id"]))) is not None:
                token["alternatives"] = [
                    {"head": head, "probability": round(p, 4)}
                    for head, p in candidates
                    if p >= CERTAIN
                ]
        return record

    def _check_languages(self) -> None:
        trees, names = (
            str(model.info.get("language", "")).lower() for model in (self.pipeline, self.labeler)
        )
        if trees and names and trees not in (names, names[:2]):
            self.run.note(f"the model for names is for {names}, that for trees for {trees}")

    @classmethod
    def wanted(cls, request: ParseRequest) -> Wanted:
        """Return how documents are read."""
        return Wanted(
            SENTENCES, request.input_format, request.encoding, request.field, request.id_field
        )

    @classmethod
    def check(cls, request: ParseRequest, format: str) -> None:  # noqa: A002
        """Refuse drawings of trees with names, and CoNLL-U of alternatives."""
        super().check(request, format)
        if request.alternatives and format != "json":
            raise UsageError("alternatives have no place in CoNLL-U: leave them out, or take JSON")
        if request.entities and format in ("svg", "html"):
            raise UsageError(
                f"--entities goes with --format conllu, json or tree, not with {format}"
            )

    @classmethod
    def models(cls, request: ParseRequest) -> list[str]:
        """List the models for trees and names."""
        return [request.model, *([request.entity_model] if request.entities else [])]

    @classmethod
    def at_once(cls, request: ParseRequest) -> int | None:
        """Keep sentences together, among which names are looked for."""
        return AT_ONCE if request.entities else None

    @classmethod
    def ending(cls, request: ParseRequest, run: Run) -> Iterator[str]:
        """Note the sentences that were parsed in parts."""
        if cut := run.tally["in parts"]:
            some = "1 sentence" if cut == 1 else f"{cut:,} sentences"
            yield f"{some} of more than {request.longest} words: parsed in parts (--longest)"


def _names(sentence: Sentence) -> Iterator[str]:
    """List the entities that are marked in a sentence, a line each."""
    from treaty.parse import Document

    for entity in Document.from_sentences([sentence]).entities:
        yield f"{entity.type}: {entity.text}\n"
