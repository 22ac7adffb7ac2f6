"""Exact solvers on the MAP problems of the UAI 2014 competition, in one run.

    python -m research.benchmarks.competition                       # all problems, 15 s each
    python -m research.benchmarks.competition --problems 'Grids*' --solvers 'treaty exact,toulbar2'
    python -m research.benchmarks.competition mine.uai other.uai.xz     # your own files
    python -m research.benchmarks.competition --out docs/results/competition.jsonl

`toulbar2` is a program (Debian: apt-get install toulbar2), CP-SAT a package (pip install ortools);
what is not installed is left out. Seconds are CPU seconds with reading the file; time limits are
wall time: on a busy machine they cut earlier. Every answer is scored by Treaty's checker.
"""

from __future__ import annotations

import argparse
import lzma
import shutil
import sys
import tempfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from research.benchmarks._competitors import SOLVERS, Answer, missing
from research.benchmarks._measure import RunError
from research.benchmarks.problems import DATA
from research.report import Run, append_run, say
from research.report.tables import competition as tables

FOLDER = DATA / "graphs" / "uai2014"
TUNED = ("ObjectDetection_11", "ProteinFolding_19")
"""Problems that options of the bounds were tuned on; they do not count in the table by family."""
SURE = 1e-6  # by how much two certificates may disagree, relative


def main() -> int:
    """Run, report, and fail when two solvers contradict each other."""
    options = _options()
    notes = [f"{name} is left out: {why}" for name in SOLVERS if (why := missing(name))]
    chosen = [name for name in options.solvers or SOLVERS if not missing(name)]
    runs: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        references = _references(DATA / "graphs" / "MANIFEST.md")
        for source in options.files or _problems(options.problems):
            path = _unpacked(source, Path(folder))
            name = path.stem
            for solver in chosen:
                say(f"{name}: {solver}")
                run = _run(path, solver, options.time_limit)
                about = {"part": "run", "problem": name, "family": name.rpartition("_")[0] or name,
                         "reference": references.get(name), "tuned": name in TUNED,
                         "solver": solver, "time limit": options.time_limit}  # fmt: skip
                runs.append(append_run(options.out, {**about, **run}))
            path.unlink()
    print(tables.by_family(runs), tables.by_problem(runs), tables.findings(runs), sep="\n\n")
    wrong = list(contradictions(runs))
    for line in [*notes, *wrong]:
        say(line)
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("files", nargs="*", type=Path, metavar="FILE", help=".uai files instead of these problems")
    add("--problems", default="*", metavar="PATTERN", help="names, such as 'Grids*'")
    add("--solvers", default=[], type=lambda text: text.split(","), metavar="NAMES",
        help=f"some of {', '.join(SOLVERS)}")  # fmt: skip
    add("--time-limit", type=float, default=15.0, metavar="SECONDS", help="for each solver")
    add("--out", type=Path, metavar="FILE", help="runs as JSON lines")
    options = parser.parse_args()
    if unknown := set(options.solvers) - set(SOLVERS):
        sys.exit(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(SOLVERS)}")
    return options


def _problems(pattern: str) -> list[Path]:
    """The competition's problems that there are."""
    return [p for p in sorted(FOLDER.glob("*.uai.xz")) if fnmatch(p.name, f"{pattern}.uai.xz")]


def _references(manifest: Path) -> dict[str, float]:
    if not manifest.exists():
        return {}
    rows = [line.split("|") for line in manifest.read_text(encoding="utf-8").splitlines()]
    named = [[cell.strip() for cell in row] for row in rows if len(row) > 6 and ".uai" in row[1]]
    return {row[1].removesuffix(".uai"): float(row[6]) for row in named if len(row) >= 10}


def _unpacked(source: Path, folder: Path) -> Path:
    path = folder / source.name.removesuffix(".xz")
    content = source.read_bytes()
    path.write_bytes(lzma.decompress(content) if source.suffix == ".xz" else content)
    evidence = source.with_name(f"{path.name}.evid")
    if evidence.exists():
        shutil.copy(evidence, folder)
    return path


def _run(path: Path, solver: str, time_limit: float) -> Run:
    try:
        answer = SOLVERS[solver](path, time_limit)
    except RunError as error:
        answer = Answer(str(error))
    return {
        "status": answer.status,
        "objective": answer.objective,
        "bound": answer.bound,
        "seconds": answer.seconds,
    }


def contradictions(runs: list[Run]) -> Iterator[str]:
    """Answers that are worth more than another solver's bound: one of the two is wrong."""
    for a in runs:
        for b in runs:
            if a["problem"] != b["problem"] or a["objective"] is None or b["bound"] is None:
                continue
            if a["objective"] > b["bound"] + SURE * max(1.0, abs(b["bound"])):
                yield (
                    f"{a['problem']}: {a['solver']} has {a['objective']!r}, "
                    f"but {b['solver']} excludes more than {b['bound']!r}"
                )


if __name__ == "__main__":
    sys.exit(main())
