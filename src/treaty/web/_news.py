"""Reports of long work on the way to its results."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from typing import Any

from treaty.progress import Progress
from treaty.solve import Certificate, Status
from treaty.tasks import Task
from treaty.tasks._sources import Source
from treaty.web._context import Context

__all__ = ["with_news"]


def with_news(task: Task[Any], sources: list[Source], context: Context) -> Iterator[Any]:
    """Perform a task in a thread of its own; yields ``{"progress": …}``, and then its results."""
    news: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def report(event: Progress) -> bool:
        news.put(_progress(event))
        return context.stop.watch(event)

    def work() -> None:
        try:
            for result in task(sources):
                news.put(result)
            news.put(_End())
        except BaseException as error:
            news.put(_End(error))

    context.progress = report
    threading.Thread(target=work, daemon=True).start()
    try:
        while not isinstance(event := news.get(), _End):
            yield event
    except GeneratorExit:
        context.stop.give_up()
        raise
    if event.error is not None:
        raise event.error


class _End:
    """The end of work, with its error if it has failed."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def _progress(event: Progress) -> dict[str, Any]:
    objective, bound = (event.scores.get(name, None) for name in ("objective", "bound"))
    moment = {"done": event.done, "seconds": round(event.seconds, 3)}
    if objective is not None and bound is not None:
        certificate = Certificate(Status.FEASIBLE, objective, bound).to_dict()
        moment |= {
            name: certificate[name] for name in ("objective", "bound", "gap", "relative_gap")
        }
    return {"progress": moment}
