"""Calibrate the confidences of the English model on dev data, and draw how reliable they are.

``python -m research.training.calibrate_english --data ../shared/data/treebanks`` is run after
tagger and parser were trained; it changes nothing but the calibration in their file. Then run
``python -m research.training.refer_again``. Scores are those of calibrations fitted on every other
sentence and measured on the rest.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from research.report import ROOT, append_run, plots
from research.training.english_treebanks import MODEL, harmonized, read
from treaty.metrics import Reliability, reliability
from treaty.parse import Document, Pipeline, calibrate
from treaty.text import Sentence

TREEBANKS = ("english-ewt", "english-gum-open", "english-childes", "english-eslspok")
PICTURE = ROOT / "docs" / "images" / "reliability.svg"
Pairs = tuple[list[float], list[bool]]


def tree_answers(pipeline: Pipeline, gold: Sequence[Sentence], threads: int) -> dict[str, Pairs]:
    """Parse sentences; return confidences, and whether answers are right, of each kind."""
    found: dict[str, Pairs] = {name: ([], []) for name in ("tags", "arcs", "labels")}
    parses = pipeline.predict(gold, tags="predict", confidences=True, threads=threads)
    for own, parse in zip(gold, parses, strict=True):
        words = Document.from_sentences([parse.sentence]).words
        for token, word in zip(own.tokens, words, strict=True):
            is_head = token.head == word.token.head
            for name, sure, right in (
                ("tags", word.tag_confidence, token.upos == word.upos),
                ("arcs", word.arc_confidence, is_head),
                ("labels", word.label_confidence, is_head and token.deprel == word.deprel),
            ):
                found[name][0].append(sure or 0.0)
                found[name][1].append(right)
    return found


def told(name: str, when: str, pairs: Pairs, runs: Path | None) -> Reliability:
    found = reliability(*pairs)
    print(
        f"{name:<9} {when:<7} answers {len(pairs[0]):6,}  right {100 * _mean(pairs[1]):6.2f}  "
        f"calibration error {100 * found.error:5.2f}  ranking {100 * found.ranking:6.2f}"
    )
    append_run(runs, {"model": "confidences", "part": name, "when": when, **found.to_dict()})
    return found


def _mean(values: Iterable[float]) -> float:
    every = list(values)
    return sum(every) / len(every)


def draw(curves: dict[str, Reliability], path: Path) -> None:
    figure, (axes,) = plots.panels(size=(5, 4.5))
    axes.plot([0, 1], [0, 1], color=plots.GRAY, lw=0.8, ls=":")
    colors = (plots.BLUE, plots.ORANGE, plots.GREEN, plots.PURPLE)
    for (name, found), color in zip(curves.items(), colors, strict=False):
        bins = [one for one in found.bins if one.count >= 20]
        xs, ys = [one.confidence for one in bins], [one.accuracy for one in bins]
        axes.plot(xs, ys, marker="o", ms=4, color=color, label=f"{name} ({found.error:.3f})")
    axes.set_xlabel("confidence")
    axes.set_ylabel("share that is right")
    axes.legend(title="expected calibration error", frameon=False)
    plots.save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the treebanks")
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--picture", type=Path, default=PICTURE)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=Path, metavar="FILE", help="reliability as JSON lines")
    parser.add_argument("--check", action="store_true", help="measure only; change no file")
    chosen = parser.parse_args()
    curves: dict[str, Reliability] = {}

    pipeline = Pipeline.load(chosen.model)
    trees = [harmonized(name, s) for name in TREEBANKS for s in read(chosen.data / name, "dev")]
    for when in ("before", "after"):
        if when == "after":
            calibrate(pipeline, trees[::2], chosen.threads)
        for name, pairs in tree_answers(pipeline, trees[1::2], chosen.threads).items():
            curves[name] = told(name, when, pairs, chosen.runs)
    calibrate(pipeline, trees, chosen.threads)
    if not chosen.check:
        pipeline.save(chosen.model)
    draw(curves, chosen.picture)


if __name__ == "__main__":
    main()
