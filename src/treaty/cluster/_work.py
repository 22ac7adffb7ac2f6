"""The worker's side of jobs: what is made of a part, as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from treaty.errors import InputError

__all__ = ["Documents", "Predicting", "Solving"]

Write = Callable[[str], object]
Content = str | list[Any]
"""The path of a file with the part's bytes, or the items of a part."""


def _written(results: Iterable[Any], write: Write) -> dict[str, Any]:
    count = 0
    for result in results:
        record = result if isinstance(result, dict) else result.to_dict()
        write(json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n")
        count += 1
    return {"results": count, "faults": []}


class Predicting:
    """Predicts by any model: the Model contract, and nothing else.

    Parameters
    ----------
    model
        Its name, or the path of its file.
    options
        Those of its `predict`.
    """

    def __init__(self, model: str, options: Mapping[str, Any]) -> None:
        from treaty.learn import load

        self.model, self.options = load(model), dict(options)

    def __call__(self, content: Content, write: Write, kind: str = "") -> dict[str, Any]:
        """Predict for a part; returns how many results there are."""
        inputs = type(self.model).read(content) if isinstance(content, str) else content
        return _written(self.model.predict(inputs, **self.options), write)


class Documents:
    """Parses texts as documents; arguments as of `Predicting`."""

    def __init__(self, model: str, options: Mapping[str, Any]) -> None:
        from treaty.parse import Pipeline

        self.pipeline, self.options = Pipeline.load(model), dict(options)

    def __call__(self, content: Content, write: Write, kind: str = "") -> dict[str, Any]:
        """Parse each text; a file is a text a line."""
        from treaty.text import read_lines

        texts = read_lines(content) if isinstance(content, str) else content
        return _written(self.pipeline.pipe(texts, **self.options), write)


class Solving:
    """Solves graphs.

    Parameters
    ----------
    method
        As in `treaty.solve.solve`.
    options
        Those of the method.
    """

    def __init__(self, method: str, options: Mapping[str, Any]) -> None:
        self.method, self.options = method, dict(options)

    def __call__(self, content: Content, write: Write, kind: str = "") -> dict[str, Any]:
        """Solve the graphs of a part."""
        faults: list[dict[str, Any]] = []
        report = _written(self._solutions(content, faults), write)
        return {**report, "faults": faults}

    def _solutions(self, content: Content, faults: list[dict[str, Any]]) -> Iterator[Any]:
        from treaty.graph import read_graphs

        try:
            for graph in read_graphs(content) if isinstance(content, str) else content:
                yield graph.solve(self.method, **self.options)
        except InputError as error:
            faults.append({"path": str(error.path), "line": error.line, "message": str(error)})
