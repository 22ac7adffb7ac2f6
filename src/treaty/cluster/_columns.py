"""Functions for the columns of `dask.dataframe` and the items of `dask.bag`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from treaty.cluster._models import cached_work, hashes_of

__all__ = ["MappedModel", "label", "parse", "predict"]


class MappedModel:
    """A function of a partition, for ``map_partitions``; workers load its model once.

    Parameters
    ----------
    maker
        The class of `treaty.cluster` that does the work.
    model
        The name of a model that workers have, or the path of a file that they can open. Its hash
        is compared: a worker with another model of that name refuses.
    options
        Those of the model's `predict`.
    """

    def __init__(self, maker: str, model: str, options: Mapping[str, Any]) -> None:
        self.maker, self.model, self.options = maker, model, dict(options)
        self.models = hashes_of([model])
        self.__name__ = maker.rpartition(":")[2].lower()  # Dask names tasks by it

    def __call__(self, texts: Iterable[Any]) -> Any:
        """Return the result of each text as a line of JSON: a series for a series, else a list."""
        lines: list[str] = []
        key = f"{self.maker} {self.models[self.model]} {sorted(self.options.items())}"
        settings = {"model": self.model, "options": self.options}
        if len(values := list(texts)):
            cached_work(self.maker, settings, self.models, key)(values, lines.append)
        results = [line.removesuffix("\n") for line in lines]
        if not hasattr(texts, "index") or not hasattr(texts, "name"):
            return results
        import pandas as pd

        return pd.Series(results, index=texts.index, name=texts.name, dtype=texts.dtype)  # type: ignore[attr-defined]


def parse(model: str = "english", **options: Any) -> MappedModel:
    """Make a function that parses the texts of a partition.

    Parameters
    ----------
    model
        The name of a model, or the path of a file that workers can open.
    **options
        Those of `Pipeline.pipe`.

    Returns
    -------
    MappedModel
        It takes a series or a list of texts; each result is `Document.to_json` of a text. Use it
        as ``ddf["text"].map_partitions(parse("english"))`` or ``bag.map_partitions(parse())``.

    Examples
    --------
    >>> from treaty.parse import Document
    >>> (line,) = parse("english")(["Cats sleep."])
    >>> [word.upos for word in Document.from_json(line)]
    ['NOUN', 'VERB', 'PUNCT']
    """
    return MappedModel("treaty.cluster._work:Documents", model, options)


def predict(model: str, **options: Any) -> MappedModel:
    """Make a function that predicts for the inputs of a partition, by any model.

    Parameters
    ----------
    model, **options
        As in `parse`, with the options of the model's `predict`.

    Examples
    --------
    >>> import json
    >>> (line,) = predict("entities")(["Ada was born in London."])
    >>> [entity["text"] for entity in json.loads(line)["entities"]]
    ['Ada', 'London']
    """
    return MappedModel("treaty.cluster._work:Predicting", model, options)


def label(model: str = "entities", **options: Any) -> MappedModel:
    """Make a function that finds names in the texts of a partition; see `predict`.

    Examples
    --------
    >>> len(label()(["Ada was born in London.", "So was Charles."]))
    2
    """
    return predict(model, **options)
