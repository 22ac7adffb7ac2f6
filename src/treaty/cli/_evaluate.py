"""``treaty evaluate``: score predictions, or a model, on gold data."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from treaty.cli import _options as opt
from treaty.cli._job import Job
from treaty.cli._output import check_apart, write_text
from treaty.cli._progress import Display
from treaty.cli._task import formats_of, made_of
from treaty.errors import UsageError
from treaty.tasks import EvaluateRequest
from treaty.tasks._evaluate import HELP, Evaluating
from treaty.tasks._run import Models

__all__ = ["HELP", "evaluate"]

OPTIONS = {
    "format": formats_of(Evaluating),
    "output": (opt.Output, "-"),
    "cluster": (opt.Cluster, None),
    "quiet": (opt.Quiet, False),
}


def _run(
    request: EvaluateRequest, format: str, output: str, cluster: str | None, quiet: bool
) -> None:
    """Run ``treaty evaluate``."""
    job = Job("evaluate", "scoring", output, quiet)
    check_apart(output, *Evaluating.files(request))
    task = Evaluating(request, job)
    items = task.read([])
    with ExitStack() as stack:
        if cluster is not None:
            if request.model is None:
                raise UsageError("--cluster goes with --model: what it predicts is computed there")
            job.models = _Remote(cluster, stack)
        stack.enter_context(Display("scoring", quiet=quiet))
        text = "".join(task.written(items, format))
    write_text(output, text)


class _Remote(Models):
    """Models whose predictions are computed on a cluster.

    Parameters
    ----------
    address, stack
        The address of the cluster; what ends the connection.
    """

    def __init__(self, address: str, stack: ExitStack) -> None:
        self.address, self.stack = address, stack

    def load(self, kind: type[Any], name: str) -> Any:
        """Return a model of the cluster."""
        from treaty.cluster import connect, remote_model

        return remote_model(self.stack.enter_context(connect(self.address)), name)


evaluate = made_of(Evaluating, OPTIONS, _run)
