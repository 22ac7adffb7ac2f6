"""Training, labeling, files: what is learned comes out again, and invalid labels never do."""

from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest

from treaty.corpus import ColumnSentence, scheme_named, spans_of_labels
from treaty.errors import InputError, ModelError, UsageError
from treaty.label.entities import EntityLabeler, message_of_words
from treaty.learn import load_model, save_model

OPTIONS = {"language_model": None, "tags": False}


def found(labeler, words, **options):
    (labeled,) = labeler.label([words], **options)
    return [(entity.type, entity.text) for entity in labeled.entities]


def test_what_was_learned_comes_out(labeler):
    assert found(labeler, ["Bob", "Brown", "lives", "in", "New", "York"]) == [
        ("PER", "Bob Brown"),
        ("LOC", "New York"),
    ]
    assert labeler.info["dev"]["f1"] == 1.0
    assert labeler.info["language"] == "en"


def test_entities_know_their_places_and_confidences(labeler):
    (labeled,) = labeler.label([["we", "see", "Bob", "Brown", "!"]])
    (entity,) = labeled.entities
    assert (entity.start, entity.end, entity.first, entity.last) == (7, 16, 2, 3)
    assert labeled.message.text[entity.start : entity.end] == entity.text == "Bob Brown"
    chain = labeler.instances([labeled.message.words], [[0]], "chain")
    (marginals,) = labeler.crf.marginals(chain)
    rows = [marginals[i, labeler.labels.index(labeled.labels[i])] for i in (2, 3)]
    assert entity.confidence == pytest.approx(min(rows))
    assert labeled.status == "OPTIMAL"
    assert labeled.gap == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("method", ["ad3", "ilp"])
def test_other_methods_find_the_same(labeler, method):
    texts = [m.words for m in [ColumnSentence([("Ann", "O"), ("Oslo", "O"), ("Ann", "O")])] * 2]
    usual = [x.labels for x in labeler.label(texts)]
    assert [x.labels for x in labeler.label(texts, method=method)] == usual


def test_results_depend_neither_on_threads_nor_on_empty_messages(labeler, messages):
    words = [message.words for message in messages[:20]]
    usual = list(labeler.label(words))
    again = list(labeler.label([[], *words, []], threads=2))
    assert again[0].entities == again[-1].entities == ()
    assert [x.labels for x in again[1:-1]] == [x.labels for x in usual]


def test_invalid_labels_never_come_out(labeler, messages):
    """Whatever the weights are."""
    rng = np.random.default_rng(3)
    kept = [rows.copy() for rows in labeler.crf.weights()]
    scheme = scheme_named("BIESO")
    try:
        for _ in range(3):
            for rows in labeler.crf.weights():
                rows[:] = rng.normal(size=rows.shape)
            for labeled in labeler.label(messages[:15]):
                labels = labeled.labels
                assert scheme.may_begin(labels[0])
                assert scheme.may_end(labels[-1])
                assert all(scheme.may_follow(a, b) for a, b in pairwise(labels))
    finally:
        for rows, old in zip(labeler.crf.weights(), kept, strict=True):
            rows[:] = old


def test_identical_phrases_are_rewarded_for_identical_labels(messages):
    labeler = EntityLabeler.train(messages, order="global", threshold=0, **OPTIONS)
    alone = ["we", "xx", "Zork"]
    clear = [["Zork", "lives", "in", "Rome"], ["Zork", "sleeps"], ["ask", "Zork", "sleeps"]]
    for number, kind in enumerate(labeler.crf.kinds):
        if kind.name.startswith("same"):
            labeler.crf.weights()[number][:, 0] = 0
            labeler.crf.weights()[number][:, 1:] = 50
    together = list(labeler.label([*clear, alone]))
    assert len({x.group for x in together}) == 1
    assert len({x.labels[x.message.words.index("Zork")] for x in together}) == 1
    by_itself = list(labeler.label([*clear, alone], order="chain"))
    assert len({x.group for x in by_itself}) == 4


def test_the_sentences_of_a_document_are_groups_of_neighbors(messages):
    labeler = EntityLabeler.train(messages, order="global", most_in_group=4, epochs=1, **OPTIONS)
    labeled = list(labeler.label([m.words for m in messages[:10]], document=True))
    assert [x.group for x in labeled] == [0] * 4 + [1] * 4 + [2] * 2


def test_a_graph_takes_constraints(labeler):
    words = ["Ann", "sleeps"]
    graph = labeler.graph([words])
    per = labeler.labels.index("S-PER")
    graph.fix(~graph.categoricals[0][per])
    solution = graph.solve("exact")
    assert solution.status == "OPTIMAL"
    assert solution[graph.categoricals[0]] != per


@pytest.mark.parametrize("scheme", ["BIO", "BILOU"])
def test_other_schemes_learn_as_well(messages, scheme):
    labeler = EntityLabeler.train(messages, scheme=scheme, **OPTIONS)
    (labeled,) = labeler.label([message_of_words(["Bob", "Brown", "sleeps"])])
    assert [tuple(s) for s in spans_of_labels(labeled.labels)] == [(0, 2, "PER")]
    assert set(labeler.labels) >= set(labeled.labels)


def test_a_model_file_gives_the_same_and_the_same_bytes(labeler, messages, tmp_path):
    paths = [tmp_path / name for name in ("one.treaty", "two.treaty")]
    labeler.save(paths[0])
    read = EntityLabeler.load(paths[0])
    read.save(paths[1])
    assert [x.labels for x in read.label(messages)] == [x.labels for x in labeler.label(messages)]
    assert (read.types, read.settings, read.info) == (labeler.types, labeler.settings, labeler.info)
    again = [load_model(path) for path in paths]
    assert again[0].header == again[1].header


@pytest.mark.parametrize("learner", ["likelihood", "mira"])
@pytest.mark.parametrize("order", ["chain", "global"])
def test_training_in_two_goes_gives_the_same(messages, tmp_path, order, learner):
    path = tmp_path / "checkpoint"
    options = {"order": order, "learner": learner, **OPTIONS}
    whole = EntityLabeler.train(messages, epochs=13, **options)
    EntityLabeler.train(messages, epochs=12, checkpoint=path, **options)
    parts = EntityLabeler.train(messages, epochs=13, checkpoint=path, resume=True, **options)
    for a, b in zip(whole.crf.weights(), parts.crf.weights(), strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("types", []),
        ("types", ["X"] * 100_000),
        ("types", "PER"),
        ("settings", {}),
        ("settings", {"scheme": "BIO"}),
        ("templates", ["w.nothing"]),
        ("templates", ["x.form"]),
        ("gazetteers", []),
        ("gazetteers", ["a"] * 65),
        ("info", None),
    ],
)
def test_hostile_headers_are_refused(labeler, tmp_path, key, value):
    path = tmp_path / "model.treaty"
    labeler.save(path)
    file = load_model(path)
    save_model(path, task="entities", header={**file.header, key: value}, tensors=file.tensors)
    with pytest.raises(ModelError):
        EntityLabeler.load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [("scheme", "XYZ"), ("order", 7), ("threshold", -1), ("longest_phrase", 99), ("tags", True)],
)
def test_hostile_settings_are_refused(labeler, tmp_path, name, value):
    path = tmp_path / "model.treaty"
    labeler.save(path)
    file = load_model(path)
    header = {**file.header, "settings": {**file.header["settings"], name: value}}
    save_model(path, task="entities", header=header, tensors=file.tensors)
    with pytest.raises(ModelError):
        EntityLabeler.load(path)


def test_missing_tensors_are_refused_and_damaged_ones_do_no_harm(labeler, tmp_path):
    path = tmp_path / "model.treaty"
    labeler.save(path)
    file = load_model(path)
    for name in file.tensors:
        others = {k: v for k, v in file.tensors.items() if k != name}
        save_model(path, task="entities", header=file.header, tensors=others)
        with pytest.raises(ModelError):
            EntityLabeler.load(path)
        shorter = {**others, name: file.tensors[name][:-1]}
        save_model(path, task="entities", header=file.header, tensors=shorter)
        with suppress(ModelError):
            assert found(EntityLabeler.load(path), ["Ann", "sleeps"]) is not None


@pytest.mark.parametrize(
    ("rows", "error", "cause"),
    [
        ([("Rome", "X-LOC")], InputError, "no label of an entity"),
        ([("Rome", "B")], InputError, "no label of an entity"),
        ([("Rome", "O")], UsageError, "no message has an entity"),
        ([], UsageError, "no messages"),
    ],
)
def test_data_that_cannot_be_learned_from_are_refused(rows, error, cause):
    with pytest.raises(error, match=cause):
        EntityLabeler.train([ColumnSentence(rows)], **OPTIONS)


@pytest.mark.parametrize(
    "settings",
    [{"order": "tree"}, {"scheme": "IOB1"}, {"longest_phrase": 0}, {"tags": True}],
)
def test_senseless_settings_are_refused(messages, settings):
    with pytest.raises(UsageError):
        EntityLabeler.train(messages, **{**OPTIONS, **settings})


def test_a_chain_cannot_be_global_and_a_text_needs_a_tokenizer(messages):
    labeler = EntityLabeler.train(messages, epochs=1, **OPTIONS)
    with pytest.raises(UsageError, match="cannot be 'global'"):
        list(labeler.label([["a"]], order="global"))
    with pytest.raises(UsageError, match="label_text takes one text"):
        list(labeler.label("Ann sleeps"))
    with pytest.raises(UsageError, match="without a language model"):
        list(labeler.label(["a text"]))


def test_texts_are_labeled_with_the_english_tokenizer(messages):
    labeler = EntityLabeler.train(messages, order="global")
    text = "Bob Brown sleeps.  In Rome it rains, we like @ann!"
    labeled = labeler.label_text(text)
    names = [text[e.start : e.end] for x in labeled for e in x.entities]
    assert names[:2] == ["Bob Brown", "Rome"]
    assert [x.text for x in labeled] == ["Bob Brown sleeps.", "In Rome it rains, we like @ann!"]
    (whole,) = labeler.label([text])
    assert "@ann" in whole.message.words
