"""A model whose predictions are made by workers, for `Model.evaluate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from itertools import islice
from typing import Any

from treaty.cluster._maps import connection_of
from treaty.cluster._models import cached_work, hashes_of, missing_models
from treaty.errors import UsageError
from treaty.learn import Model, load
from treaty.learn._registry import model_path

__all__ = ["remote_model"]

AT_ONCE = 128
TOGETHER = {"entities": 4096}
"""Inputs of a task that are predicted together, where results depend on neighbors."""
AHEAD = 4
RETRIES = 3


class _Loaded:
    """A model that a worker has loaded."""

    def __init__(self, model: str) -> None:
        self.model = load(model)


def _predicted(
    model: str, models: dict[str, str], inputs: list[Any], options: dict[str, Any]
) -> list[Any]:
    """Predict on a worker."""
    maker = "treaty.cluster._remote:_Loaded"
    loaded = cached_work(maker, {"model": model}, models, f"loaded {models[model]}").model
    return list(loaded.predict(inputs, **options))


def remote_model(client: Any, name: str) -> Model:
    """Load a model whose `predict` runs on a cluster; `evaluate` then does, too.

    Parameters
    ----------
    client
        A `distributed.Client`, or what `connect` gives.
    name
        The name of an installed model, or the path of a file.

    Returns
    -------
    Model
        The model. Results are the same as without a cluster.
    """
    from treaty.cluster._plugin import ModelPlugin

    connection, models = connection_of(client), hashes_of([name])
    connection.wait()
    lacking = connection.client.run(missing_models, models)
    files = {models[one]: model_path(one).read_bytes() for ones in lacking.values() for one in ones}
    connection.client.register_plugin(ModelPlugin(models, files))
    model = copy(load(name))
    if model.task == "summarizer":
        raise UsageError(
            "summaries are scored in one process: write them by 'treaty summarize --cluster', and "
            "score the file by 'treaty evaluate'"
        )
    size = TOGETHER.get(model.task, AT_ONCE)

    def predict(inputs: Iterable[Any], **options: Any) -> Iterator[Any]:
        rest, flying = iter(inputs), list[Any]()
        room = AHEAD * max(1, connection.threads())
        while True:
            while len(flying) < room and (some := list(islice(rest, size))):
                flying.append(connection.client.submit(
                    _predicted, name, models, some, options, pure=False, retries=RETRIES
                ))  # fmt: skip
            if not flying:
                return
            yield from flying.pop(0).result()

    object.__setattr__(model, "predict", predict)
    return model
