"""Commands made from tasks: a field of the request is an option."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, Literal, get_args, get_origin

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

__all__ = ["command_of", "formats_of", "made_of"]

OF_CLUSTERS = {
    "cluster": (opt.Cluster, None),
    "run": (opt.RunDir, None),
    "part_limit": (opt.PartLimit, None),
    "resume": (opt.Resume, False),
}
Options = Mapping[str, tuple[Any, Any]]
"""Annotations and defaults of the parameters of a command that are no fields of its request."""


def command_of(task: type[Task[Any]]) -> Callable[..., int]:
    """Make the function of the command of a task."""
    options = {
        "sources": (opt.Sources, None),
        "format": formats_of(task),
        "output": (opt.Results if task.documents else opt.Output, "-"),
        **({"force": (opt.Force, False)} if task.documents else {}),
        **OF_CLUSTERS,
        "quiet": (opt.Quiet, False),
    }
    return made_of(task, options, partial(_run, task))


def made_of(task: type[Task[Any]], options: Options, run: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function of a command, with a signature that Typer reads.

    Parameters
    ----------
    task
        The task; the fields of its requests are options.
    options
        The other options; arguments by position come before the fields, others after them.
    run
        Called with a request and the values of the other options.
    """

    def command(**given: Any) -> Any:
        request = task.asks.from_dict(
            {p.name: _value(p, given.pop(p.name)) for p in task.asks.parameters("command")}
        )
        return run(request, **given)

    parameters = list(_signature(task, options))
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__name__, command.__doc__ = task.name, f"Run ``treaty {task.name}``."
    return command


def formats_of(task: type[Task[Any]]) -> tuple[Any, Any]:
    """Return the annotation and default of ``--format``."""
    formats: Any = Literal[task.formats]
    usual = None if task.on_terminal else task.formats[0]
    return Annotated[formats if usual else formats | None, opt.FORMAT], usual


def _signature(task: type[Task[Any]], options: Options) -> Iterator[inspect.Parameter]:
    of_request = {
        p.name: (_annotation(p), None if _is_several(p) else p.default)
        for p in task.asks.parameters("command")
    }
    first = {n: o for n, o in options.items() if _is_argument(o[0])}
    last = {n: o for n, o in options.items() if n not in first}
    for name, (annotation, default) in {**first, **of_request, **last}.items():
        yield inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if default is MISSING else default,
            annotation=annotation,
        )


def _is_argument(annotation: Any) -> bool:
    """Return whether a parameter is given by its position."""
    arguments = type(typer.Argument())
    return any(isinstance(one, arguments) for one in get_args(annotation))


def _annotation(parameter: Parameter) -> Any:
    """Annotate a field for Typer."""
    option, kind = parameter.option, parameter.type
    if option.argument:
        return Annotated[kind, typer.Argument(metavar=option.metavar, help=option.help)]
    flag = f"--{option.flag}" if option.flag else opt.flag(parameter.name)
    names = [f"{flag}/--{option.off}" if option.off else flag]
    extra: dict[str, Any] = {"metavar": option.metavar}
    if int in parameter.kinds or float in parameter.kinds:
        least = option.least if option.above is None else option.above
        extra |= {"min": least, "max": option.most}
    if _is_several(parameter):
        item: Any = str if _has_settings(parameter) else get_args(parameter.kinds[0])[0]
        if parameter.choices:  # Typer has no lists of literals
            item = _enumeration(parameter)
        kind = list[item] | None
    return Annotated[kind, typer.Option(*names, help=option.help, **extra)]


def _enumeration(parameter: Parameter) -> Any:
    """Make an enumeration of the choices."""
    make: Any = StrEnum
    return make(parameter.name, {choice: choice for choice in parameter.choices})


def _has_settings(parameter: Parameter) -> bool:
    return get_origin(parameter.type) is dict


def _is_several(parameter: Parameter) -> bool:
    """Return whether the option may be repeated."""
    return _has_settings(parameter) or parameter.is_list


def _value(parameter: Parameter, given: Any) -> Any:
    if _has_settings(parameter):
        return opt.settings_of(given)
    return tuple(map(str, given or ())) if parameter.is_list else given


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
