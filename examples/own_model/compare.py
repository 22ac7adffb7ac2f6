"""Compare learners, solvers and baselines on the test pairs: python compare.py.

What is learned is the mean of three trainings, which differ in the order of the examples.
"""

from collections.abc import Iterable
from pathlib import Path
from statistics import mean

from treaty_alignment import Aligner, Pair

from treaty.metrics import Retrieval

DATA, SEEDS = Path(__file__).parent / "data", (1, 2, 3)
Links = frozenset[tuple[int, int]]


def diagonal(pair: Pair) -> Links:
    """Link the words that stand at the same place."""
    share = len(pair.source) / len(pair.target)
    return frozenset((int(share * (j + 0.5)), j) for j in range(len(pair.target)))


def dice(tables: dict[str, dict[str, float]], pair: Pair) -> Links:
    """Link each target word to the source word with the best score; in doubt, the nearest."""

    def worth(i: int, j: int) -> tuple[float, float]:
        together = tables["dice"].get(f"{pair.source[i]} {pair.target[j]}", 0.0)
        return together, -abs(i / len(pair.source) - j / len(pair.target))

    places = range(len(pair.source))
    return frozenset((max(places, key=lambda i: worth(i, j)), j) for j in range(len(pair.target)))


def scores(pairs: list[Pair], answers: Iterable[Links]) -> Retrieval:
    counts = [(len(p.links & a), len(p.links), len(a)) for p, a in zip(pairs, answers, strict=True)]
    return Retrieval(*(sum(column) for column in zip(*counts, strict=True)))


def rows() -> Iterable[tuple[str, float, float, float]]:
    train, test = (list(Aligner.read(DATA / f"{name}.jsonl")) for name in ("train", "test"))
    tables = Aligner(bits=1).count(train)
    baselines = {
        "same place": [diagonal(pair) for pair in test],
        "best Dice score": [dice(tables, pair) for pair in test],
    }
    for name, answers in baselines.items():
        found = scores(test, answers)
        yield name, found.precision, found.recall, found.f1
    apart = {**Aligner.templates, "null": (), "diagonal": ()}
    trainings = {
        "links alone, MIRA": {"learner": "mira", "templates": apart},
        "perceptron": {"learner": "perceptron"},
        "MIRA": {"learner": "mira"},
        "SVM": {"learner": "svm"},
        "MIRA, exact in training": {"learner": "mira", "method": "exact"},
    }
    for name, options in trainings.items():
        models = [Aligner.train(train, seed=seed, **options) for seed in SEEDS]
        for method in ("ad3", "exact") if name == "MIRA" else ("ad3",):
            found = [model.evaluate(test, method=method) for model in models]
            label = name if method == "ad3" else f"{name}, exact in prediction"
            yield label, *(mean(one[key] for one in found) for key in ("precision", "recall", "f1"))


def main() -> None:
    print("| model                     | precision | recall |     F1 |")
    print("| ------------------------- | --------: | -----: | -----: |")
    for name, *numbers in rows():
        precision, recall, f1 = (f"{100 * number:.1f}" for number in numbers)
        print(f"| {name:25} | {precision:>9} | {recall:>6} | {f1:>6} |")


if __name__ == "__main__":
    main()
