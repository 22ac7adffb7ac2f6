"""Commands made from tasks: a field of the request is an option."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING
from typing import Annotated, Any, Literal, get_origin

import typer

from treaty.cli import _options as opt
from treaty.cli._cluster_run import ClusterChoices
from treaty.cli._job import Job
from treaty.cli._output import STOPPED, on_terminal
from treaty.errors import InputError, UsageError
from treaty.tasks import Task
from treaty.tasks._documents import Documents
from treaty.tasks._request import Parameter
from treaty.tasks._sinks import Folder, is_folder, suffix_for
from treaty.tasks._sources import Source

__all__ = ["command_of"]

OWN = {
    "sources": (opt.Sources, None),
    "format": (None, None),
    "output": (opt.Output, "-"),
    "force": (opt.Force, False),
    "cluster": (opt.Cluster, None),
    "run": (opt.RunDir, None),
    "part_limit": (opt.PartLimit, None),
    "resume": (opt.Resume, False),
    "quiet": (opt.Quiet, False),
}
"""Options that all commands of tasks have."""


def command_of(task: type[Task[Any]]) -> Callable[..., int]:
    """Make the function of a command, with a signature that Typer reads."""

    def command(**given: Any) -> int:
        request = task.asks.of(
            {p.name: _value(p, given.pop(p.name)) for p in task.asks.parameters("command")}
        )
        return _run(task, request, **given)

    parameters = list(_signature(task))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__name__, command.__doc__ = task.name, f"Run ``treaty {task.name}``."
    return command


def _signature(task: type[Task[Any]]) -> Iterator[inspect.Parameter]:
    formats: Any = Literal[task.formats]
    usual = None if task.on_terminal else task.formats[0]
    options = {
        **{
            p.name: (_annotation(p), None if _has_settings(p) else p.default)
            for p in task.asks.parameters("command")
        },
        **OWN,
        "format": (Annotated[formats if usual else formats | None, opt.FORMAT], usual),
    }
    own = dict(OWN)
    if task.documents:
        options["output"] = (opt.Results, "-")
    else:
        del options["force"], own["force"]
    names = ["sources", *(n for n in options if n not in OWN), *(n for n in own if n != "sources")]
    for name in names:
        annotation, default = options[name]
        kind = inspect.Parameter.KEYWORD_ONLY
        default = inspect.Parameter.empty if default is MISSING else default
        yield inspect.Parameter(name, kind, default=default, annotation=annotation)


def _annotation(parameter: Parameter) -> Any:
    """Annotate a field for Typer."""
    option = parameter.option
    flag = f"--{option.flag}" if option.flag else opt.flag(parameter.name)
    names = [f"{flag}/--{option.off}" if option.off else flag]
    extra: dict[str, Any] = {"metavar": option.metavar}
    if int in parameter.kinds or float in parameter.kinds:
        least = option.least if option.above is None else option.above
        extra |= {"min": least, "max": option.most}
    kind = list[str] | None if _has_settings(parameter) else parameter.type
    return Annotated[kind, typer.Option(*names, help=option.help, **extra)]


def _has_settings(parameter: Parameter) -> bool:
    return get_origin(parameter.type) is dict


def _value(parameter: Parameter, given: Any) -> Any:
    return opt.settings_of(given) if _has_settings(parameter) else given


def _run(
    task: type[Task[Any]],
    request: Any,
    sources: list[str] | None,
    format: str | None,
    output: str,
    cluster: str | None,
    run: str | None,
    part_limit: float | None,
    resume: bool,
    quiet: bool,
    force: bool = False,
) -> int:
    """Run a task in this process or on a cluster; returns the exit code."""
    to_folder = task.documents and is_folder(output)
    if to_folder and cluster is not None:
        raise UsageError("--cluster writes one stream: give -o FILE, not a folder")
    if force and not to_folder:
        raise UsageError("--force goes with -o folder/; a file of results is replaced in any case")
    far = ClusterChoices(cluster, run, part_limit, resume and not to_folder)
    job = Job(task.name, task.doing, output, quiet, to_folder)
    given = job.sources(sources, folders=task.documents, beside=task.files(request))
    if not given:
        return job.end()
    on_screen = task.on_terminal if on_terminal(output) and cluster is None else None
    shown = format or on_screen or task.formats[0]
    task.check(request, shown)
    if to_folder:
        folder = Folder(output, suffix_for(shown), force=force, resume=resume)
        _write_folder(job, task, request, shown, given, folder)
    elif cluster is not None:
        far.check_format(shown, task.streamed)
        far.perform(job, task, request, shown, given)
    elif task.keeps_documents(request, given):
        _write_stream(job, task, request, shown, given)
    else:
        work = task(request, job)
        job.write(work.written(work.read(given), shown), getattr(request, "time_limit", None))
    code = job.end(limited=task.is_limited(request))
    for message in task.ending(request, job):
        job.note(message)
    return code or (STOPPED if task.falls_short(job) else 0)


def _write_folder(
    job: Job, task: type[Task[Any]], request: Any, shown: str, given: list[Source], folder: Folder
) -> None:
    """Write a file for each document."""
    task.check_apart(request)
    faults: list[InputError] = []
    folder.plan(Documents(given, task.wanted(request), faults.append), given)
    documents = Documents(given, task.wanted(request), job.fault)
    if not folder.left:  # what is wrong with the input is said here
        list(documents)
        job.was_done = folder.kept > 0
        return
    work = task(request, job)
    folder.begin({"task": task.name, "format": shown, **request.to_dict()})
    read = documents.read(folder.open(documents))
    limit = getattr(request, "time_limit", None)
    job.write_files(folder, work.written_apart(read, shown), limit)
    if not job.is_late:
        folder.end()
    _tell(job, documents)


def _write_stream(
    job: Job, task: type[Task[Any]], request: Any, shown: str, given: list[Source]
) -> None:
    """Write the results of several documents one after the other."""
    total = None
    documents = Documents(given, task.wanted(request), job.fault)
    if "-" not in given:
        total = sum(1 for _ in Documents(given, task.wanted(request), lambda _: None))
        if not total:
            list(documents)
            return
    work = task(request, job)
    texts = work.written_together(documents.read(documents), shown)
    job.write(texts, getattr(request, "time_limit", None), total)
    _tell(job, documents)


def _tell(job: Job, documents: Documents) -> None:
    if note := documents.note():
        job.note(note)
