"""Work on sentences: parse, tag, compress."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from treaty.errors import UsageError
from treaty.parse import Parse, Pipeline, Tokenizer
from treaty.parse._document_entities import EntityFinder
from treaty.text import Sentence, read_article, read_compressions, read_conllu, read_tokens
from treaty.text.formats import DOCUMENTS
from treaty.web._constraints import TAGS, TreeConstraint, check, on_trees
from treaty.web._context import Context
from treaty.web._requests import CompressRequest, ParseRequest, TagRequest

__all__ = ["compress", "parse", "sentences_of", "tag"]

DOCUMENT_NAMES = tuple(one.name for one in DOCUMENTS)
AT_ONCE = 16
"""Number of sentences between two looks at the clock."""
USUAL_RATE = 0.7
"""As on the command line: what is left of a sentence with ``short``."""


def sentences_of(
    asked: ParseRequest | TagRequest | CompressRequest,
    tokenizer: Tokenizer | None,
    context: Context,
    longest: int = 400,
) -> Iterator[Sentence]:
    """Read the sentences of a request."""
    text, kind, caps = context.caps.text(asked.text), asked.input_format, context.caps
    stream = partial(io.StringIO, text)
    if kind in DOCUMENT_NAMES:
        if tokenizer is None:
            raise UsageError(
                "this model cannot find the words of a text: give input_format tokens or conllu"
            )
        if kind != "text":
            text = read_article(stream(), format=kind).text
        found: Iterable[Sentence] = tokenizer.sentences(text, longest=longest, lines=asked.lines)
    elif kind == "tokens":
        found = read_tokens(stream(), on_error=context.fault)
    elif kind == "json":
        found = (c.sentence for c in read_compressions(stream(), on_error=context.fault))
    elif kind == "conllx":
        found = map(
            _without_second_tree, read_conllu(stream(), format="conllx", on_error=context.fault)
        )
    else:
        found = read_conllu(stream(), on_error=context.fault)
    for sentence in caps.counted("sentences", (one for one in found if len(one))):
        caps.check("sentence_words", len(sentence))
        yield sentence


def parse(asked: ParseRequest, context: Context) -> Iterator[Any]:
    """Parse sentences, as ``treaty parse`` does."""
    pipeline = context.shelf.pipeline(asked.model)
    sentences = sentences_of(asked, pipeline.tokenizer, context, asked.longest)
    if asked.constraints:
        parses = _constrained(pipeline, sentences, asked, context)
    else:
        parses = _parsed(pipeline, sentences, asked, context)
    if asked.entities:
        finder = EntityFinder()
        labeler = context.shelf.labeler(asked.entity_model)
        every = list(parses)
        parses = iter(finder.mark(labeler, every, 1, True)[0])
    if not asked.alternatives:
        return parses
    return (_with_alternatives(pipeline, parse, asked.alternatives) for parse in parses)


def _parsed(
    pipeline: Pipeline, sentences: Iterator[Sentence], asked: ParseRequest, context: Context
) -> Iterator[Parse]:
    options: dict[str, Any] = {
        "tags": asked.tags,
        "order": asked.order,
        "projective": asked.projective,
        "longest": asked.longest,
        "confidences": asked.confidences,
    }
    for group in context.groups(sentences, AT_ONCE, len):
        yield from pipeline.predict(group, **options)


def _constrained(
    pipeline: Pipeline, sentences: Iterator[Sentence], asked: ParseRequest, context: Context
) -> Iterator[Parse]:
    if asked.projective:
        raise UsageError("projective trees cannot be combined with constraints")
    wanted: dict[int, list[TreeConstraint]] = defaultdict(list)
    for one in asked.constraints:
        check(one)
        wanted[one.sentence].append(one)
    number = 0
    for group in context.groups(sentences, AT_ONCE, len):
        for sentence in group:
            number += 1
            own = wanted.pop(number, [])
            if not own:
                yield from _parsed(pipeline, iter([sentence]), asked, context)
                continue
            tagged = _tagged(pipeline, sentence, own, asked)
            graph = pipeline.parser.graph(tagged, order=asked.order, constraints=on_trees(own))
            yield graph.solve(**_limits(context))
    if wanted and not context.left_out:
        raise UsageError(f"a constraint names sentence {min(wanted)}; the text has {number}")


def _limits(context: Context) -> dict[str, Any]:
    return {"time_limit": max(context.stop.left, 0.1), "cancel": context.stop.cancel}


def _tagged(
    pipeline: Pipeline, sentence: Sentence, own: list[TreeConstraint], asked: ParseRequest
) -> Sentence:
    """Tag a sentence as its constraints demand."""
    has_tags = asked.tags == "keep" and any(token.upos != "_" for token in sentence.tokens)
    wishes = [one for one in own if one.kind in TAGS]
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


def _with_alternatives(pipeline: Pipeline, parse: Parse, most: int) -> dict[str, Any]:
    """Add to the words of a tree what the heads could be, by the first-order model."""
    record = parse.to_dict()
    found = pipeline.parser.candidate_heads(parse.sentence, most)
    heads = {str(i): own for i, own in enumerate(found, 1)}
    for token in record["tokens"]:
        if (own := heads.get(str(token["id"]))) is not None:
            token["alternatives"] = [
                {"head": head, "probability": round(p, 4)} for head, p in own if p >= 1e-4
            ]
    return record


def tag(asked: TagRequest, context: Context) -> Iterator[Sentence]:
    """Tag sentences, as ``treaty tag`` does."""
    tagger = context.shelf.tagger(asked.model)
    sentences = sentences_of(asked, tagger.tokenizer, context)
    for group in context.groups(sentences, 4 * AT_ONCE):
        yield from tagger.predict(group, confidences=asked.confidences)


def compress(asked: CompressRequest, context: Context) -> Iterator[Any]:
    """Compress sentences, as ``treaty compress`` does."""
    summarizer = context.shelf.summarizer(asked.model, asked.parser)
    pipeline = summarizer.pipeline
    sentences = sentences_of(asked, None if pipeline is None else pipeline.tokenizer, context)
    rate = USUAL_RATE if asked.words is None and asked.rate is None and asked.short else asked.rate
    cuts: Any = "short" if asked.short else "safe"
    for group in context.groups(sentences, AT_ONCE, len):
        yield from summarizer.compress(group, words=asked.words, rate=rate, cuts=cuts)


def _without_second_tree(sentence: Sentence) -> Sentence:
    for token in sentence.tokens:  # the last columns of CoNLL-X are another tree's
        token.deps = token.misc = "_"
    return sentence
