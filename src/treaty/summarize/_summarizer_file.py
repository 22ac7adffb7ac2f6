"""Summarizers in model files."""

from __future__ import annotations

from typing import Any

from treaty.errors import UsageError
from treaty.learn import ModelFile, Optional, Text, check_needs, is_installed, needs
from treaty.summarize._concepts import finder_of
from treaty.summarize._frames import Frames
from treaty.summarize._rules import Rules
from treaty.summarize._scorers import LinearScorer
from treaty.summarize._summarizer import Summarizer
from treaty.text import stemmer

__all__ = ["file_of_summarizer", "summarizer_of_file"]


def file_of_summarizer(summarizer: Summarizer) -> ModelFile:
    """Return the contents of a summarizer's file: its weights, and the name of its parser.

    Raises
    ------
    UsageError
        For parts that a file cannot store.
    """
    if not isinstance(summarizer.scorer, LinearScorer):
        raise UsageError("only summarizers with learned weights can be saved: train one")
    parser, concepts, rules = summarizer.parser, summarizer.concepts, summarizer.rules
    for what, is_held, other in (
        ("parser", parser is None or (isinstance(parser, str) and is_installed(parser)), None),
        ("concepts", isinstance(concepts, str | int), "bigrams"),
        ("rules", rules in (None, Rules.load()), None),
    ):
        if not is_held:
            raise UsageError(
                f"a model file cannot store your own {what}: save "
                f"dataclasses.replace(summarizer, {what}={other!r}), and set {what} again after "
                "loading"
            )
    weights = summarizer.scorer.to_file()
    own = {
        "parser": parser,
        "needs": needs() if parser is None else needs(str(parser)),
        "language": summarizer.language,
        "concepts": concepts,
        "info": summarizer.info,
    }
    tensors = {**weights.tensors, **summarizer.frames.to_file()}
    return ModelFile(Summarizer.task, {**weights.header, **own}, tensors)


def summarizer_of_file(file: ModelFile) -> Summarizer:
    """Make a summarizer from the contents of a model file and validate it."""
    language = file.value("language", str)
    concepts: Any = file.header.get("concepts")
    try:
        finder_of(concepts, stemmer(language), frozenset())
    except UsageError as error:
        raise file.fault(error.message) from error
    parser = file.value("parser", Optional(Text()))
    check_needs(file, *([] if parser is None else [parser]))
    scorer = LinearScorer.from_file(file)
    frames = Frames.from_file(file)
    return Summarizer(scorer, parser, language, concepts, info=file.info(), frames=frames)
