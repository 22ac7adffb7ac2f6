"""Labeling: what was learned comes out again, and invalid labels never do."""

import itertools
from itertools import pairwise

import numpy as np
import pytest

from treaty.errors import LimitError, UsageError
from treaty.label.entities import EntityLabeler, EntityRules
from treaty.learn import logit, model_path
from treaty.metrics import span_scores
from treaty.text import ColumnSentence, scheme_named

OPTIONS = {"language_model": None, "tags": False}


def found(labeler, words, **options):
    (labeled,) = labeler.predict([words], **options)
    return [(entity.type, entity.text) for entity in labeled.entities]


def test_what_was_learned_comes_out(labeler):
    assert found(labeler, ["Bob", "Brown", "lives", "in", "New", "York"]) == [
        ("PER", "Bob Brown"),
        ("LOC", "New York"),
    ]


def test_entities_know_their_places_and_confidences(labeler):
    (labeled,) = labeler.predict([["we", "see", "Bob", "Brown", "!"]])
    (entity,) = labeled.entities
    assert (entity.start, entity.end, entity.first, entity.last) == (7, 16, 2, 3)
    assert labeled.message.text[entity.start : entity.end] == entity.text == "Bob Brown"
    chain = labeler.instances([labeled.message.words], [[0]], "chain")
    (marginals,) = labeler.crf.marginals(chain)
    rows = [marginals[i, labeler.labels.index(labeled.labels[i])] for i in (2, 3)]
    assert entity.confidence == pytest.approx(labeler.calibration(logit(min(rows)))[0])
    assert labeled.status == "OPTIMAL"
    assert labeled.gap == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("method", ["ad3", "ilp"])
def test_other_methods_find_the_same(labeler, method):
    texts = [m.words for m in [ColumnSentence([("Ann", "O"), ("Oslo", "O"), ("Ann", "O")])] * 2]
    usual = [x.labels for x in labeler.predict(texts)]
    assert [x.labels for x in labeler.predict(texts, method=method)] == usual


def test_results_do_not_depend_on_empty_messages(labeler, messages):
    words = [message.words for message in messages[:20]]
    usual = list(labeler.predict(words))
    again = list(labeler.predict([[], *words, []]))
    assert again[0].entities == again[-1].entities == ()
    assert [x.labels for x in again[1:-1]] == [x.labels for x in usual]


def test_scores_are_those_of_the_entities(labeler, messages):
    wrong = ColumnSentence([("Ann", "O"), ("likes", "O"), ("Rome", "B-LOC")])
    gold = [*messages[:10], wrong]
    found = [x.labels for x in labeler.predict(gold)]
    scores = span_scores([m.labels for m in gold], found)
    assert labeler.evaluate(gold) == {
        "micro F1": scores.micro_f1,
        "macro F1": scores.macro_f1,
        "precision": scores.all.precision,
        "recall": 1.0,
    }
    assert scores.micro_f1 < 1.0
    assert labeler.evaluate([ColumnSentence([("tea", "O")])]) == {}


def test_invalid_labels_never_come_out(labeler, messages):
    """Whatever the weights are."""
    rng = np.random.default_rng(3)
    kept = [rows.copy() for rows in labeler.crf.weights()]
    scheme = scheme_named("BIESO")
    try:
        for _ in range(3):
            for rows in labeler.crf.weights():
                rows[:] = rng.normal(size=rows.shape)
            for labeled in labeler.predict(messages[:15]):
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
    together = list(labeler.predict([*clear, alone]))
    assert len({x.group for x in together}) == 1
    assert len({x.labels[x.message.words.index("Zork")] for x in together}) == 1
    by_itself = list(labeler.predict([*clear, alone], order="chain"))
    assert len({x.group for x in by_itself}) == 4
    assert len({x.labels[x.message.words.index("Zork")] for x in by_itself}) > 1


def test_the_sentences_of_a_document_are_groups_of_neighbors(messages):
    labeler = EntityLabeler.train(messages, order="global", most_in_group=4, epochs=1, **OPTIONS)
    labeled = list(labeler.predict([m.words for m in messages[:10]], document=True))
    assert [x.group for x in labeled] == [0] * 4 + [1] * 4 + [2] * 2


def test_a_graph_takes_constraints(labeler):
    words = ["Ann", "sleeps"]
    graph = labeler.graph([words])
    per = labeler.labels.index("S-PER")
    graph.fix(~graph.categoricals[0][per])
    solution = graph.solve("exact")
    assert solution.status == "OPTIMAL"
    assert solution[graph.categoricals[0]] != per


def test_a_chain_cannot_be_global_and_a_text_needs_a_tokenizer(messages):
    labeler = EntityLabeler.train(messages, epochs=1, **OPTIONS)
    with pytest.raises(UsageError, match="cannot label with 'global'"):
        list(labeler.predict([["a"]], order="global"))
    with pytest.raises(UsageError, match="use label_text"):
        list(labeler.predict("Ann sleeps"))
    with pytest.raises(UsageError, match="without a language model"):
        list(labeler.predict(["a text"]))


def test_texts_are_labeled_with_the_english_tokenizer(messages):
    labeler = EntityLabeler.train(messages, order="global")
    text = "Bob Brown sleeps.  In Rome it rains, we like @ann!"
    labeled = labeler.label_text(text)
    names = [text[e.start : e.end] for x in labeled for e in x.entities]
    assert names[:2] == ["Bob Brown", "Rome"]
    assert [x.text for x in labeled] == ["Bob Brown sleeps.", "In Rome it rains, we like @ann!"]
    (whole,) = labeler.predict([text])
    assert "@ann" in whole.message.words


def test_a_threshold_is_a_probability(labeler):
    words = ["Ann", "sleeps"]
    (sure,) = labeler.predict([words], threshold=0.1)
    assert [e.type for e in sure.entities] == ["PER"]
    (unsure,) = labeler.predict([words], threshold=1.0)
    assert (unsure.entities, unsure.labels) == ((), ("O", "O"))
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(UsageError, match="threshold must be from 0 to 1"):
            list(labeler.predict([words], threshold=wrong))


def test_a_labeler_keeps_rules_and_threshold_for_others_to_call(labeler):
    rules, words = EntityRules([{"phrase": "Ann", "type": "LOC"}]), ["Ann", "sleeps"]
    (told,) = labeler.using(rules).predict([words])
    assert [e.type for e in told.entities] == ["LOC"]
    (none,) = labeler.using(threshold=1.0).predict([words])
    assert none.entities == ()
    (asked,) = labeler.using(rules, 1.0).predict([words], threshold=0.0, rules=EntityRules([]))
    assert [e.type for e in asked.entities] == ["PER"]
    assert labeler.rules is labeler.threshold is None


# The model of English entities that comes with Treaty


@pytest.fixture(scope="module")
def english():
    return EntityLabeler.load()


def test_the_english_model_is_small_and_says_where_it_comes_from(english):
    assert model_path("entities").stat().st_size < 8e6
    assert english.info["license"] == "CC BY-SA 4.0"
    assert english.types == ["LOC", "MISC", "ORG", "PER"]
    assert len(english.features.clusters) > 1000


def test_the_english_model_finds_names_in_text(english):
    text = "Ada Lovelace was born in London. My friend John Smith works for Google in Paris."
    found = {(e.type, e.text) for x in english.label_text(text) for e in x.entities}
    assert found == {
        ("PER", "Ada Lovelace"),
        ("LOC", "London"),
        ("PER", "John Smith"),
        ("ORG", "Google"),
        ("LOC", "Paris"),
    }


def test_the_english_model_follows_the_conventions_of_newswire(english):
    text = (
        "German Chancellor Friedrich Merz spoke at Stanford University. Microsoft said it would "
        "hire in Portland, Oregon."
    )
    found = {(e.type, e.text) for x in english.label_text(text) for e in x.entities}
    assert found == {
        ("MISC", "German"),
        ("PER", "Friedrich Merz"),
        ("ORG", "Stanford University"),
        ("ORG", "Microsoft"),
        ("LOC", "Portland"),
        ("LOC", "Oregon"),
    }


def test_equal_names_of_a_text_agree_in_type(english):
    text = (
        "Renbrook Ltd. said on Monday that it would close a plant. Workers at Renbrook were angry. "
        "Renbrook has 300 workers. They asked Renbrook to wait."
    )
    types = {e.type for x in english.label_text(text) for e in x.entities if "Renbrook" in e.text}
    assert len(types) == 1


def test_messages_help_each_other(english):
    messages = ["Watching Kishan play in Mumbai", "kishan is amazing @bcci", "Go Kishan go"]
    together = list(english.predict(messages))
    assert {x.group for x in together} == {0}
    assert [[e.text for e in x.entities] for x in together[1:]] == [["kishan"], ["Kishan"]]
    assert all(x.status == "OPTIMAL" for x in together)


def test_k_best_labelings_are_those_of_enumeration(labeler):
    words = ["Ann", "saw", "Rome"]
    instances = labeler.instances([words], [[0]])
    every = itertools.product(range(len(labeler.labels)), repeat=3)
    score = labeler.crf.scores
    scored = sorted((float(score(instances, np.array(row))[0]) for row in every), reverse=True)
    found = labeler.k_best(words, 5)
    assert [one.objective for one in found] == pytest.approx(scored[:5], abs=1e-4)
    assert len({one.labels for one in found}) == 5
    (usual,) = labeler.predict([words])
    assert found[0].labels == usual.labels
    assert found[0].entities == usual.entities


@pytest.mark.parametrize("options", [{"order": "chain"}, {"document": True}, {}])
def test_a_time_limit_ends_endless_input(labeler, options):
    """What is done by then comes out, as it does without a limit."""
    messages = ([word] for word in itertools.cycle(["Bob", "Brown", "sleeps"]))
    results = []
    with pytest.raises(LimitError):
        for labeled in labeler.predict(messages, time_limit=0.0, **options):
            results.append(labeled.labels)
    first = list(labeler.predict([["Bob"], ["Brown"], ["sleeps"]] * 100, **options))
    assert results[:300] in ([], [labeled.labels for labeled in first][: len(results)])


def test_a_limit_does_not_change_the_groups_of_a_document(labeler):
    messages = [["Bob", "Brown", str(i)] for i in range(700)]
    free = [(m.labels, m.group) for m in labeler.predict(messages, document=True)]
    timed = labeler.predict(messages, document=True, time_limit=600.0)
    assert [(m.labels, m.group) for m in timed] == free
