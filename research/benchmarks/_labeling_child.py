"""What `labeling.py` measures, each in a process of its own: it works, and says what it did.

    python _labeling_child.py train SYSTEM TASK FILE MODEL
    python _labeling_child.py label SYSTEM TASK FILE MODEL

SYSTEM is treaty, or crfsuite with the name of one of its algorithms, which gets the features of all
sentences at once as in its tutorials, or one sentence after the other if it is streamed. TASK is
chunking or spanish: which features the tokens have, those of CRFsuite's and sklearn-crfsuite's
tutorials, written as templates for Treaty and as texts for CRFsuite. The last line is JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from treaty.text import ColumnSentence, read_columns

Token = tuple[str, ...]

CHUNKING = (
    "w-2.form", "w-1.form", "w.form", "w+1.form", "w+2.form",
    "w-1.form w.form", "w.form w+1.form",
    "w-2.pos", "w-1.pos", "w.pos", "w+1.pos", "w+2.pos",
    "w-2.pos w-1.pos", "w-1.pos w.pos", "w.pos w+1.pos", "w+1.pos w+2.pos",
    "w-2.pos w-1.pos w.pos", "w-1.pos w.pos w+1.pos", "w.pos w+1.pos w+2.pos",
)  # fmt: skip
NEIGHBOR = ("lower", "title", "upper", "pos", "prefix2(pos)")
SPANISH = (
    "", "w.lower", "w.suffix3(form)", "w.suffix2(form)", "w.upper", "w.title", "w.digit", "w.pos",
    "w.prefix2(pos)", *(f"w{way}.{name}" for way in ("-1", "+1") for name in NEIGHBOR),
)  # fmt: skip

# Settings of Treaty other than its own, chosen on two fifths of CoNLL-2000's training set and on
# esp.testa.
TREATY: dict[str, dict[str, Any]] = {
    "chunking": {
        "templates": CHUNKING,
        "columns": ("form", "pos"),
        "learner": "mira",
        "aggressiveness": 0.01,
        "warm_up": 5,
    },
    "spanish": {
        "templates": SPANISH,
        "columns": ("form", "pos", "lower", "upper", "title", "digit"),
        "epochs": 40,
        "warm_up": 20,
    },
}
# Settings of CRFsuite: its own for L-BFGS, those of the tutorial for the Spanish entities.
CRFSUITE: dict[tuple[str, str], dict[str, Any]] = {
    ("lbfgs", "chunking"): {},
    ("lbfgs", "spanish"): {"c1": 1.0, "c2": 1e-3, "iterations": 50},
    ("ap", "chunking"): {"iterations": 20},
    ("ap", "spanish"): {"iterations": 100},
}


def tokens_of(task: str, sentences: Iterable[ColumnSentence]) -> Iterator[list[Token]]:
    """The attributes that Treaty's templates ask for."""
    for sentence in sentences:
        if task == "chunking":
            yield [row[:2] for row in sentence.rows]
        else:
            yield [(word, pos, word.lower(), *shape_of(word)) for word, pos, _ in sentence.rows]


def shape_of(word: str) -> tuple[str, str, str]:
    return str(word.isupper()), str(word.istitle()), str(word.isdigit())


def chunking_features(rows: list[Token], i: int) -> list[str]:
    """The features of CRFsuite's chunking tutorial."""

    def joined(column: int, first: int, last: int) -> Iterator[str]:
        if i + first >= 0 and i + last < len(rows):
            cells = "|".join(row[column] for row in rows[i + first : i + last + 1])
            yield f"{column}[{first}..{last}]={cells}"

    found = ["__BOS__"] * (i == 0) + ["__EOS__"] * (i == len(rows) - 1)
    for k in range(-2, 3):
        found += [*joined(0, k, k), *joined(1, k, k)]
    for k in range(-2, 2):
        found += joined(1, k, k + 1)
        if k in (-1, 0):
            found += joined(0, k, k + 1)
    for k in range(-2, 1):
        found += joined(1, k, k + 2)
    return found


def spanish_features(rows: list[Token], i: int) -> list[str]:
    """The features of sklearn-crfsuite's tutorial."""
    word, pos = rows[i][:2]
    upper, title, digit = shape_of(word)
    found = [
        "bias", f"lower={word.lower()}", f"[-3:]={word[-3:]}", f"[-2:]={word[-2:]}",
        f"upper={upper}", f"title={title}", f"digit={digit}", f"pos={pos}", f"pos[:2]={pos[:2]}",
    ]  # fmt: skip
    for way, missing in ((-1, "BOS"), (1, "EOS")):
        if not 0 <= i + way < len(rows):
            found.append(missing)
            continue
        word, pos = rows[i + way][:2]
        upper, title, _ = shape_of(word)
        found += [
            f"{way}:lower={word.lower()}", f"{way}:title={title}", f"{way}:upper={upper}",
            f"{way}:pos={pos}", f"{way}:pos[:2]={pos[:2]}",
        ]  # fmt: skip
    return found


def features_of(task: str, sentence: ColumnSentence) -> list[list[str]]:
    features = chunking_features if task == "chunking" else spanish_features
    return [features(sentence.rows, i) for i in range(len(sentence))]


def train_treaty(task: str, path: str, model: str) -> dict[str, float]:
    from treaty.label import SequenceLabeler

    labels = [sentence.labels for sentence in read_columns(path)]
    labeler = SequenceLabeler(**TREATY[task])
    labeler.fit(tokens_of(task, read_columns(path)), labels)
    labeler.save(model)
    return {"words": sum(map(len, labels))}


def train_crfsuite(system: str, task: str, path: str, model: str) -> dict[str, float]:
    import pycrfsuite

    _, algorithm, *streamed = system.split("-")
    trainer = pycrfsuite.Trainer(algorithm=algorithm, verbose=False)
    trainer.set_params(CRFSUITE[algorithm, task])
    sentences = list(read_columns(path))
    if streamed:
        examples = ((features_of(task, s), s.labels) for s in sentences)
    else:  # as the tutorials do it
        X = [features_of(task, s) for s in sentences]  # noqa: N806
        examples = zip(X, [s.labels for s in sentences], strict=True)
    for features, labels in examples:
        trainer.append(features, labels)
    trainer.train(model)
    return {"words": sum(map(len, sentences))}


def label_treaty(task: str, path: str, model: str) -> dict[str, float]:
    from treaty.label import SequenceLabeler

    labeler = SequenceLabeler.load(model)
    sentences = list(read_columns(path))
    begin = time.process_time()
    found = labeler.predict(tokens_of(task, sentences))
    return scored(sentences, found, time.process_time() - begin)


def label_crfsuite(task: str, path: str, model: str) -> dict[str, float]:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(model)
    sentences = list(read_columns(path))
    begin = time.process_time()
    found = [tagger.predict(features_of(task, sentence)) for sentence in sentences]
    return scored(sentences, found, time.process_time() - begin)


def scored(
    sentences: list[ColumnSentence], found: list[list[str]], seconds: float
) -> dict[str, float]:
    from treaty.metrics import span_scores

    f1 = span_scores([sentence.labels for sentence in sentences], found).micro_f1
    return {"words": sum(map(len, sentences)), "labeling": seconds, "f1": f1}


if __name__ == "__main__":
    job, system, task, *files = sys.argv[1:]
    if system == "treaty":
        said = train_treaty(task, *files) if job == "train" else label_treaty(task, *files)
    elif job == "train":
        said = train_crfsuite(system, task, *files)
    else:
        said = label_crfsuite(task, *files)
    print(json.dumps(said))
