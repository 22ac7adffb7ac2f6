"""Tables and other pieces of pages, in Markdown."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence

from research.report.runs import Run, each_once

Columns = dict[str, Callable[[Run], str]]
NONE = "–"
MANY = 4  # commands; more of them are folded


def grid(
    head: Sequence[str], rows: Iterable[Sequence[str]], text: int | Collection[str] = 1
) -> str:
    """Write a table; columns of text, the first so many or those named, stand to the left."""
    left = head[:text] if isinstance(text, int) else text
    rule = ["---" if column in left else "---:" for column in head]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, rule, *rows])


def table(runs: Iterable[Run], columns: Columns, text: int = 1) -> str:
    """Write a table with a row for each run."""
    return grid(list(columns), ([cell(run) for cell in columns.values()] for run in runs), text)


def origin_of(runs: Sequence[Run]) -> str:
    """List how runs came about: commands, commits, days, machines, and where lines come from."""
    lines = []
    for name, several in (("command", "commands"), ("commit", "commits"), ("machine", "machines")):
        found = each_once(runs, name)
        if name == "command" and len(found) > MANY:
            continue
        quoted = [part if name == "machine" else f"`{part}`" for part in found]
        if name == "commit" and (dates := each_once(runs, "date")):
            quoted.append(", ".join(sorted(dates)))
        if quoted:
            mark = "; " if name == "machine" else ", "
            lines.append(f"- {several if len(found) > 1 else name}: {mark.join(quoted)}")
    lines += [f"- {remark}" for remark in each_once(runs, "remark")]
    if loads := [run["load"] for run in runs if "load" in run]:
        least, most = min(loads), max(loads)
        lines.append(f"- load average: {least:g}" + f" to {most:g}" * (most > least))
    taken = [run for run in runs if "source" in run]
    for source in each_once(taken, "source"):
        count = sum(run["source"] == source for run in taken)
        some = "all lines" if count == len(runs) else f"{count} of {len(runs)} lines"
        lines.append(f"- {some} are {source}")
    return "\n".join([*lines, *_folded(each_once(runs, "command"))])


def _folded(commands: Sequence[str]) -> list[str]:
    """Fold many commands into one line, to be opened by a click."""
    if len(commands) <= MANY:
        return []
    text = html.escape("\n".join(commands), quote=False)
    summary = f"<summary>{len(commands)} commands</summary>"
    return ["", f"<details>{summary}<pre>\n{text}\n</pre></details>"]


def fill(page: str, name: str, text: str) -> str:
    """Put a text between the marks of this name."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"there are no marks {begin} and {end}")
    return pattern.sub(lambda _: f"{begin}\n\n{text.strip()}\n\n{end}", page)


def given(key: str, form: str, scale: float = 1.0) -> Callable[[Run], str]:
    """Make a cell of a value; it is empty if the run has none."""
    return lambda run: number(run.get(key), form, scale)


def number(value: float | None, form: str, scale: float = 1.0, missing: str = "") -> str:
    """Write a number, if there is one."""
    return missing if value is None else format(value * scale if scale != 1.0 else value, form)


def text_of(key: str) -> Callable[[Run], str]:
    """Make a cell of a word."""
    return lambda run: str(run.get(key) or "")


def percent(key: str) -> Callable[[Run], str]:
    """Make a cell of a share."""
    return given(key, ".2f", 100)


def seconds(value: float | None) -> str:
    """Write seconds with as many digits as are of use."""
    if value is None:
        return ""
    return f"{value:.5f}" if value < 0.1 else f"{value:.3f}"


def interval(bounds: Sequence[float] | None, form: str = ".2f", mark: str = " to ") -> str:
    """Write an interval of shares in percent."""
    return mark.join(format(100 * bound, form) for bound in bounds or ())


def geometric_mean(ratios: Sequence[float]) -> float:
    """Average ratios."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
