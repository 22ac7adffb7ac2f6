"""Summarizers in model files."""

from __future__ import annotations

from typing import Any

from treaty.corpus import stemmer
from treaty.errors import UsageError
from treaty.learn import ModelFile, is_installed
from treaty.summarize._concepts import finder_of
from treaty.summarize._rules import Rules
from treaty.summarize._scorers import LinearScorer
from treaty.summarize._summarizer import Summarizer

__all__ = ["file_of_summarizer", "summarizer_of_file"]


def file_of_summarizer(summarizer: Summarizer) -> ModelFile:
    """Give what a model file holds of a summarizer: its weights, and its parser by name.

    Raises
    ------
    UsageError
        When there is something that a file does not hold.
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
                f"a model file does not hold {what} of your own: save "
                f"dataclasses.replace(summarizer, {what}={other!r}), and replace {what} again once "
                "it is loaded"
            )
    weights = summarizer.scorer.to_file()
    own = {
        "parser": parser,
        "language": summarizer.language,
        "concepts": concepts,
        "info": summarizer.info,
    }
    return ModelFile(Summarizer.task, {**weights.header, **own}, weights.tensors)


def summarizer_of_file(file: ModelFile) -> Summarizer:
    """Make a summarizer of what a model file holds, checking everything."""
    language = file.value("language", str)
    concepts: Any = file.header.get("concepts")
    try:
        finder_of(concepts, stemmer(language), frozenset())
    except UsageError as error:
        raise file.fault(error.message) from error
    parser = file.header.get("parser")
    if parser is not None and not is_installed(file.checked(parser, str, "parser")):
        raise file.fault(f"its parser {parser!r} is not the name of an installed model")
    scorer = LinearScorer.from_file(file)
    return Summarizer(scorer, parser, language, concepts, info=file.info())
