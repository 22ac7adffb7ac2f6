"""Training of summarizers and compressors, and their files."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.summarize.toys import compressions, sentences

from treaty.corpus import Article, Collection, Compression, Sentence
from treaty.errors import ModelError, UsageError
from treaty.learn import load_model, save_model
from treaty.summarize import (
    ArcFeatures,
    Compressor,
    Costs,
    CoverageFeatures,
    LearningSettings,
    LinearScorer,
    Problem,
    Rules,
    Source,
    Summarizer,
    Trainer,
    load_summarizer,
    save_summarizer,
    train_summarizer,
)
from treaty.summarize._linear_scorer import TASKS

BITS = 12
QUICK = LearningSettings(parts=4, part_sentences=4, part_share=0.5, epochs=2)
TEXTS = [
    "Ada sells big boats in Lisbon. Bo was there, too. It rained all day long on Monday.",
    "Big boats sank in Lisbon today. Nobody was hurt, they say. The sun came out at noon again.",
]


def collections(number: int) -> list[Collection]:
    references = ["Big boats in Lisbon.", "Ada sells big boats."]
    return [Collection([Article(t) for t in TEXTS], references, n) for n in range(number)]


def extractive() -> Summarizer:
    return Summarizer(parser=None)


def test_a_summarizer_learns_to_say_what_references_say(tmp_path: Path) -> None:
    made = train_summarizer(
        collections(3), summarizer=extractive(), words=10, settings=QUICK, info={"license": "ours"}
    )
    digest = made.summarize(TEXTS, words=6)
    assert "big boats" in digest.text.lower()
    assert made.info["training"]["topics"] == 3
    path = tmp_path / "model.treaty"
    save_summarizer(made, path)
    loaded = load_summarizer(path)
    assert (loaded.language, loaded.parser, loaded.info) == ("en", None, made.info)
    assert loaded.summarize(TEXTS, words=6).text == digest.text
    again = tmp_path / "again.treaty"
    save_summarizer(loaded, again)
    assert again.read_bytes() == path.read_bytes()


def test_a_broken_training_goes_on_to_the_same_model(tmp_path: Path) -> None:
    def train(epochs: int, **options: object) -> bytes:
        path = tmp_path / "model.treaty"
        made = train_summarizer(
            collections(2),
            summarizer=extractive(),
            settings=replace(QUICK, epochs=epochs),
            **options,
        )
        save_summarizer(made, path)
        return path.read_bytes()

    whole = train(3)
    checkpoint = tmp_path / "checkpoint"
    train(1, checkpoint=checkpoint)
    assert train(3, checkpoint=checkpoint, resume=True) == whole


def test_tasks_are_those_with_examples() -> None:
    trainer = Trainer(extractive(), QUICK)
    topics = [trainer.topic(c, 8) for c in collections(1)]
    assert list(trainer.tasks(trainer.parts(topics))) == ["extractive"]
    arcs = trainer.compressions(compressions(0, 9))
    assert list(trainer.tasks(trainer.parts(topics), arcs)) == ["extractive", "compression"]
    parsed = Problem.of([Source(0, n, s) for n, s in enumerate(sentences(1, 8))])
    trees = [trainer.topic_of(parsed, ["Ada sells big boats."], 8)]
    assert list(trainer.tasks(trainer.parts(trees), arcs)) == list(TASKS)
    scorer = trainer.learn(trainer.tasks(trainer.parts(trees), arcs))
    assert all(weights.any() for weights in scorer.weights.values())


def test_each_task_is_scored_by_its_own_weights() -> None:
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=2**BITS) for name in TASKS}
    scorer = LinearScorer(CoverageFeatures(bits=BITS), ArcFeatures(bits=BITS), weights)
    parsed = [Source(0, n, s) for n, s in enumerate(sentences(1, 3))]
    bare = [Source(0, n, Sentence.from_words(s.sentence.words)) for n, s in enumerate(parsed)]
    trees, words = Problem.of(parsed), Problem.of(bare)
    alone = Problem.of(parsed, concepts=lambda _: [])
    coverage = scorer.coverage(trees)
    assert np.array_equal(scorer.concept_scores(trees), coverage.scores(weights["compressive"]))
    assert np.array_equal(scorer.concept_scores(words), coverage.scores(weights["extractive"]))
    arcs = scorer.arcs([source.sentence for source in parsed])
    assert np.array_equal(scorer.cut_scores(trees), arcs.scores(weights["compressive"], "cut"))
    assert np.array_equal(scorer.cut_scores(alone), arcs.scores(weights["compression"], "cut"))


def test_what_cannot_be_learned_from_is_refused() -> None:
    with pytest.raises(UsageError, match="no collections"):
        train_summarizer([], summarizer=extractive())
    with pytest.raises(UsageError, match="has no references"):
        train_summarizer([Collection([Article("Cats sleep.")])], summarizer=extractive())
    bare = [Compression(Sentence.from_words(["Cats", "sleep"]), [True, False])]
    with pytest.raises(UsageError, match="a parser is needed"):
        train_summarizer(collections(1), bare, summarizer=extractive(), settings=QUICK)
    with pytest.raises(ModelError, match="learned weights"):
        save_summarizer(Summarizer(), "nowhere.treaty")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bits", "12"),
        ("bits", 40),
        ("coverage", ["color"]),
        ("coverage", "documents"),
        ("arcs", ["m.color"]),
        ("arcs", [7]),
        ("language", None),
        ("concepts", "words"),
        ("concepts", 0),
        ("concepts", None),
        ("parser", 3),
        ("info", []),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, key: str, value: object) -> None:
    path = tmp_path / "model.treaty"
    zeros = {name: np.zeros(2**BITS) for name in TASKS}
    scorer = LinearScorer(CoverageFeatures(bits=BITS), ArcFeatures(bits=BITS), zeros)
    save_summarizer(Summarizer(scorer, parser=None), path)
    file = load_model(path)
    header = {k: v for k, v in file.header.items() if k not in ("format", "treaty", "task")}
    save_model(path, task="summarizer", header={**header, key: value}, tensors=file.tensors)
    with pytest.raises(ModelError):
        load_summarizer(path)


def test_files_cut_short_or_of_another_task_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.treaty"
    zeros = {name: np.zeros(2**BITS) for name in TASKS}
    scorer = LinearScorer(CoverageFeatures(bits=BITS), ArcFeatures(bits=BITS), zeros)
    save_summarizer(Summarizer(scorer, parser=None), path)
    data = path.read_bytes()
    for size in (0, 7, 100, len(data) // 2, len(data) - 1):
        with pytest.raises(ModelError):
            load_summarizer(io.BytesIO(data[:size]))
    save_model(path, task="tagger", header={}, tensors={})
    with pytest.raises(ModelError, match="expected one for 'summarizer'"):
        load_summarizer(path)


@pytest.mark.parametrize("events", [("cut",), ("cut", "lift", "keep")])
@pytest.mark.parametrize("rules", [None, Rules.load()])
def test_compressors_learn_what_is_left_out(events: tuple[str, ...], rules: Rules | None) -> None:
    train, held_out = compressions(0, 60), compressions(1, 20)
    made = Compressor.train(train, bits=BITS, events=events, rules=rules, epochs=5)
    assert made.compress([e.sentence for e in held_out]) == [e.keep for e in held_out]


def test_the_length_of_compressions_is_tuned_on_held_out_ones() -> None:
    made = Compressor.train(compressions(0, 8), bits=BITS, epochs=1)
    whole = [Compression(s, [True] * len(s)) for s in sentences(1, 20)]
    kept = [sum(map(sum, c.compress(sentences(1, 20)))) for c in (made, made.tuned(whole))]
    assert kept[0] < kept[1] == 120


def test_compressors_need_cuts() -> None:
    with pytest.raises(UsageError, match="'cut'"):
        Compressor.train(compressions(0, 2), events=("keep",), costs=Costs())
