"""Work on whole texts: names, threads, summaries; and on any model's inputs."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treaty.errors import UsageError
from treaty.text import (
    Article,
    Collection,
    Post,
    Thread,
    read_article,
    read_collections,
    read_columns,
    read_lines,
    read_threads,
)
from treaty.web._constraints import name_rules, summary_wishes
from treaty.web._context import Context
from treaty.web._requests import LabelRequest, LinkRequest, PredictRequest, SummarizeRequest
from treaty.web._sentences import DOCUMENT_NAMES

if TYPE_CHECKING:
    from treaty.summarize import Digest, Summarizer

__all__ = ["label", "link", "predict", "summarize"]

ENGLISH = "en"
MESSAGES = 64
"""Number of messages between two looks at the clock."""


def label(asked: LabelRequest, context: Context) -> Iterator[Any]:
    """Find names, as ``treaty label`` does."""
    from treaty.label import sentences_of_text

    labeler = context.shelf.labeler(asked.model)
    caps, kind = context.caps, asked.input_format
    stream = io.StringIO(caps.text(asked.text))
    messages: Iterable[Any]
    is_document = kind in DOCUMENT_NAMES
    if is_document:
        text = asked.text if kind == "text" else read_article(stream, format=kind).text
        messages = sentences_of_text(text, labeler.tokenizer)
    elif kind == "columns":
        messages = (s for s in read_columns(stream, on_error=context.fault) if len(s))
    else:
        lines = read_lines(stream, on_error=context.fault)
        messages = map(str.split, lines) if kind == "tokens" else lines
    messages = _of_size(messages, context)
    options: dict[str, Any] = {
        "method": asked.method or "auto",
        "order": "chain" if asked.chain_only else None,
        "rules": name_rules(asked.rules),
        "threshold": asked.threshold,
        "document": is_document,
    }
    # Groups of messages are found among all of them, as by the command, unless there are many.
    first = 0
    for some in context.groups(messages, MESSAGES * MESSAGES):
        limits = _limits(asked.iterations, context)
        last = first
        for found in labeler.predict(some, **options, **limits):
            last = first + found.group + 1
            yield replace(found, group=first + found.group) if first else found
        first = last


def _of_size(messages: Iterable[Any], context: Context) -> Iterator[Any]:
    """Check the number of messages, and of their words."""
    for message in context.caps.counted("sentences", messages):
        words = message.split() if isinstance(message, str) else message
        context.caps.check("message_words", len(words))
        yield message


def link(asked: LinkRequest, context: Context) -> Iterator[Any]:
    """Link the posts of threads, as ``treaty link`` does."""
    if bool(asked.posts) == (asked.text is not None):
        raise UsageError("give either posts or text (threads as lines of JSON)")
    threads: Iterable[Thread]
    if asked.text is None:
        posts = [Post(post.text, post.author or "") for post in asked.posts]
        threads = [Thread(posts)]
    else:
        threads = read_threads(io.StringIO(asked.text), on_error=context.fault)
    linker = context.shelf.linker(asked.model)
    for group in context.groups(_few_posts(threads, context), 1):
        limits = _limits(asked.iterations, context)
        yield from linker.predict(group, order=asked.order, method=asked.method or "auto", **limits)


def _few_posts(threads: Iterable[Thread], context: Context) -> Iterator[Thread]:
    posts = words = 0
    for thread in threads:
        context.caps.check("posts", posts := posts + len(thread.posts))
        words += sum(len(post.text.split()) for post in thread.posts)
        context.caps.check("words", words)
        yield thread


def _limits(iterations: int | None, context: Context) -> dict[str, Any]:
    limits: dict[str, Any] = {"time_limit": max(context.stop.left, 0.1)}
    return limits if iterations is None else {**limits, "iterations": iterations}


def summarize(asked: SummarizeRequest, context: Context) -> Iterator[Any]:
    """Summarize documents, as ``treaty summarize`` does."""
    if bool(asked.articles) == (asked.text is not None):
        raise UsageError("give either text or articles")
    summarizer = context.shelf.summarizer(asked.model, asked.parser)
    options: dict[str, Any] = {
        "words": asked.words,
        "sentences": "auto" if asked.sentences is None else asked.sentences,
        "mode": asked.mode,
        "cuts": "short" if asked.short else "safe",
        "names": asked.full_names,
        "method": asked.method,
        "constraints": summary_wishes(asked.constraints),
    }
    given = {"iterations": asked.iterations, "gap": asked.gap}
    options |= {name: value for name, value in given.items() if value is not None}
    for (collection,) in context.groups(_few_documents(asked, context), 1):
        spoken = asked.language or collection.language or ENGLISH
        concepts = asked.concepts or summarizer.concepts
        fitting = replace(summarizer, language=spoken, concepts=concepts)
        if spoken != ENGLISH and asked.parser is None:
            fitting = replace(fitting, parser=None)  # the parser of the model is for English
        found = fitting.summarize(collection, time_limit=max(context.stop.left, 0.1), **options)
        yield _with_sources(found, fitting, collection) if asked.sources else found


def _with_sources(found: Digest, summarizer: Summarizer, collection: Collection) -> dict[str, Any]:
    """Add the sentences that could be chosen, with the numbers by which constraints name them."""
    from treaty.summarize._reading import read_sources

    sources = read_sources(collection.articles, summarizer.split, headline=True)
    listed = [
        {"document": s.document + 1, "sentence": s.number + 1, "span": s.span} for s in sources
    ]
    return found.to_dict() | {"sources": listed}


def _few_documents(asked: SummarizeRequest, context: Context) -> Iterator[Collection]:
    documents = words = 0
    for collection in _collections(asked, context):
        context.caps.check("documents", documents := documents + len(collection.articles))
        for article in collection.articles:
            words += len(context.caps.text(article.text).split())
            context.caps.check("words", words)
        yield collection


def _collections(asked: SummarizeRequest, context: Context) -> Iterable[Collection]:
    if asked.text is None:
        articles = [Article(a.text, a.title, a.date, a.id) for a in asked.articles]
        if asked.input_format != "text":
            raise UsageError("articles are plain texts: leave out input_format")
        return [Collection(articles)]
    if asked.input_format == "json":
        return read_collections(io.StringIO(asked.text), on_error=context.fault)
    if asked.input_format != "text":
        article = read_article(io.StringIO(asked.text), format=asked.input_format)
        return [Collection([replace(article, id=None, source=None)])]
    return [Collection([Article(asked.text)])]


def predict(asked: PredictRequest, context: Context) -> Iterator[Any]:
    """Predict by any installed model, as ``treaty predict`` does."""
    model = context.shelf.load(asked.model)
    for group in context.groups(type(model).read(io.StringIO(context.caps.text(asked.text))), 8):
        yield from model.predict(group, threads=1)
