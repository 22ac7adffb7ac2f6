"""Work on predictions: scores against gold data."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from treaty.errors import UsageError
from treaty.show.evaluation import RougeChoices, TreeChoices, score_files
from treaty.web._context import Context
from treaty.web._requests import EvaluateRequest

__all__ = ["evaluate"]


def evaluate(asked: EvaluateRequest, context: Context) -> Iterator[Any]:
    """Score predictions or a model, as ``treaty evaluate`` does."""
    given = [text for text in (asked.gold, asked.system, asked.against) if text is not None]
    context.caps.check("words", sum(len(context.caps.text(text).split()) for text in given))
    trees = TreeChoices(
        asked.punctuation, asked.subtypes, tuple(asked.by), None, asked.aligned, asked.undirected
    )
    rouge = RougeChoices(asked.stem, asked.words, asked.jackknife, asked.language)
    if asked.model is not None:
        if asked.system or asked.against or trees.given or any(rouge):
            raise UsageError("a model is scored as its task is: leave out system and options")
        yield _scores_of_model(asked.model, asked.gold, context)
        return
    if asked.system is None:
        raise UsageError("nothing to score: give system or model")
    texts = [("gold", asked.gold), ("system", asked.system), ("against", asked.against)]
    streams = [_Named(text, name) for name, text in texts if text is not None]
    yield json.loads(
        score_files(
            streams, asked.input_format, trees, rouge, as_json=True, tell=context.notes.append
        )
    )


def _scores_of_model(name: str, gold: str, context: Context) -> dict[str, Any]:
    model = context.shelf.load(name)
    examples = list(type(model).read(io.StringIO(gold)))
    if not examples:
        raise UsageError("there are no examples in gold")
    scores = model.evaluate(examples, threads=1)
    return {"model": name, "task": model.task, "examples": len(examples), "scores": scores}


class _Named(io.StringIO):
    """A text in the place of a file, with a name for messages."""

    def __init__(self, text: str, name: str) -> None:
        super().__init__(text)
        self.name = name
