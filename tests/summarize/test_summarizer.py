"""The whole way from documents to a summary, bad documents included."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.summarize.toys import compressions

from treaty import InputError, UsageError
from treaty.metrics import RougeOptions, rouge_scores
from treaty.parse import Parser, Pipeline
from treaty.summarize import (
    SimpleScorer,
    Summarizer,
    broken_rules,
    decode,
    simple_scores,
)
from treaty.text import (
    Article,
    Collection,
    Compression,
    Sentence,
    read_articles,
    read_collections,
)

ARTICLES = Path(__file__).parents[2] / "examples" / "articles"
FRENCH = Summarizer(SimpleScorer(), language="fr")
TEXTS = [
    "Il a plu lundi sur la ville de Lisbonne. Le maire dort depuis mardi matin, dit-on.",
    "La ville de Lisbonne est sous la pluie. Personne ne sait où dort le maire.",
]


@pytest.fixture(scope="module")
def english():
    found = Summarizer(SimpleScorer(0.2))
    assert found.pipeline is not None
    return found


@pytest.fixture(scope="module")
def articles():
    return read_articles(ARTICLES)


def words_of(text):
    return re.findall(r"\w+", text.lower())


def test_english_summaries_keep_to_their_limits_and_sources(english, articles):
    for mode in ("compressive", "extractive"):
        digest = english.summarize(articles, words=80, sentences=4, mode=mode)
        assert 0 < digest.words <= 80
        assert len(digest.text.split()) <= 80
        assert 0 < len(digest.sentences) <= 4
        assert digest.objective <= digest.bound
        assert sum(s.score for s in digest.sentences) == pytest.approx(digest.objective)
        for sentence in digest.sentences:
            article = articles.articles[sentence.document - 1]
            assert (sentence.title, sentence.date) == (article.title, article.date)
            whole = "".join(piece for piece, _ in sentence.pieces)
            assert whole.strip() in article.text
            kept = [t for t, k in zip(sentence.tokens, sentence.kept, strict=True) if k]
            assert words_of(sentence.text) == words_of(" ".join(kept))
            assert mode == "compressive" or all(sentence.kept)


def test_documents_come_by_date(english, articles):
    turned = Collection(articles.articles[::-1])
    dates = [s.date for s in english.summarize(turned, words=150, mode="extractive").sentences]
    assert len(dates) > 2
    assert dates == sorted(dates)


def test_methods_agree_on_what_is_best(english, articles):
    found = {
        method: english.summarize(articles, words=40, method=method)
        for method in ("ad3", "lp", "ilp", "exact")
    }
    assert found["ilp"].objective == pytest.approx(found["exact"].objective)
    for digest in found.values():
        assert digest.objective <= found["ilp"].objective + 1e-6 <= digest.bound + 2e-6
    assert found["ilp"].status == "OPTIMAL"


def test_no_rule_is_broken_in_english(english, articles):
    problem = english.problem(articles.articles, words=100)
    cuts = np.full(len(problem.source_of), 3.0)
    found = decode(problem, simple_scores(problem), cuts, words=60)
    assert (problem.is_word & ~found.keep).any()
    assert broken_rules(problem, found.keep, words=60) == []


def test_other_languages_are_extracted_from():
    digest = FRENCH.summarize(TEXTS, words=9)
    assert digest.mode == "extractive"
    assert digest.text in " ".join(TEXTS)
    assert [len(s.text.split()) for s in digest.sentences] == [digest.words]
    with pytest.raises(UsageError, match="requires a parser"):
        FRENCH.summarize(TEXTS, words=9, mode="compressive")


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"words": -1}, "words and sentences must be at least 0"),
        ({"words": 5, "sentences": -1}, "words and sentences must be at least 0"),
        ({"words": 5, "mode": "creative"}, "mode must be"),
        ({"words": 5, "method": "magic"}, "no method"),
    ],
)
def test_what_makes_no_sense_is_refused(options, cause):
    with pytest.raises(UsageError, match=cause):
        FRENCH.summarize(TEXTS, **options)


def test_unknown_languages_are_named_with_the_known_ones():
    with pytest.raises(UsageError, match=r"no stemmer for the language 'xx', only for .*fr"):
        replace(FRENCH, language="xx").summarize(TEXTS)
    assert replace(FRENCH, language="fi").summarize("Sataa. Tuulee kovasti tänään täällä.").text


@pytest.mark.parametrize("texts", ["", "...", [" "], [Article("\n\n")]])
def test_texts_without_words_are_refused(texts):
    with pytest.raises(InputError, match="no sentences"):
        FRENCH.summarize(texts)
    with pytest.raises(UsageError, match="at least one text"):
        FRENCH.summarize([])


def test_small_and_large_budgets():
    assert FRENCH.summarize(TEXTS, words=0).text == ""
    assert FRENCH.summarize(TEXTS, words=0).status == "OPTIMAL"
    hello = FRENCH.summarize("Bonjour", words=5)  # no bigram: worth nothing, and yet all there is
    assert (hello.text, hello.objective, hello.status) == ("Bonjour.", 0.0, "OPTIMAL")
    assert FRENCH.summarize("Bonjour", words=5, sentences=0).text == ""
    everything = FRENCH.summarize(TEXTS, words=10**6, sentences=None)
    assert everything.words == 31
    assert everything.status == "OPTIMAL"


def test_junk_is_survived():
    junk = "".join(chr(33 + (7 * n) % 500) for n in range(20_000)) + "\ufffd" * 50
    assert FRENCH.summarize([junk, *TEXTS], words=9).words <= 9


def test_sentences_are_compressed(english):
    text = "The old man, who was tired, slept soundly in his chair by the fire. Go on."
    found = english.compress(text)
    assert [s.number for s in found] == [1, 2]
    assert found[0].score == found[0].certificate.objective
    assert {cut.kind for cut in found[0].cuts} == {
        "adjectives that describe", "relative clauses set off", "manner",
    }  # fmt: skip
    assert found[0].look.is_same and found[1].look is None
    assert found[0].to_dict()["certificate"]["status"] == "OPTIMAL"
    assert len(found[0].text.split()) < 13
    (safe, _) = english.compress(text, words=4)
    (short, _) = english.compress(text, words=4, cuts="short")
    assert 4 < short.words <= safe.words == 9
    (usual, _) = english.compress(text)  # bold cuts come on top of the safe ones
    for limits in ({}, {"rate": 0.9}):
        (bold, _) = english.compress(text, cuts="short", **limits)
        assert set(bold.cuts) >= set(usual.cuts)
    (most, _) = english.compress(text, rate=0.8)
    assert safe.words <= most.words <= 11
    with pytest.raises(UsageError, match="'safe' or 'short'"):
        english.compress(text, cuts="bold")
    parsed = Sentence.from_words(["Cats", "sleep", "soundly"]).with_tree(
        [2, 0, 2], ["nsubj", "root", "advmod"]
    )
    for token, tag in zip(parsed.tokens, ["NOUN", "VERB", "ADV"], strict=True):
        token.upos = tag
    assert [s.text for s in replace(FRENCH, scorer=SimpleScorer(1)).compress([parsed])] == [
        "Cats sleep."
    ]
    for wrong in ({"words": -1}, {"rate": 1.5}):
        with pytest.raises(UsageError):
            english.compress(text, **wrong)


def test_nothing_is_compressed_to_nothing(english):
    assert english.compress([]) == english.compress(" \n") == []


def test_trees_that_are_given_are_kept(english):
    words = ["Old", "men", "sleep", "soundly", "."]
    odd = Sentence.from_words(words).with_tree(
        [3, 1, 0, 1, 3], ["nsubj", "dep", "root", "x", "punct"]
    )
    bare = Sentence.from_words(words)
    found = english.with_trees([odd, bare, Sentence([])])
    assert found[0] is odd
    assert found[1].heads != odd.heads
    assert len(english.compress([odd, bare, Sentence([])])) == 2


def test_many_collections_are_summarized_one_after_the_other():
    inputs = iter([TEXTS, TEXTS[0], Collection([Article(TEXTS[1])], id="pluie")])
    found = list(FRENCH.predict(inputs, words=9))
    assert [digest.documents for digest in found] == [2, 1, 1]
    assert found[0].text == FRENCH.summarize(TEXTS, words=9).text
    assert found[2].id == "pluie"


def test_scores_are_those_of_the_measures():
    long = "Il a plu lundi toute la journée sur la ville de Lisbonne."
    references = [[long], [long, "Personne ne sait où dort le maire."]]
    gold = [Collection([Article(t) for t in TEXTS], own) for own in references]
    examples = compressions(0, 12)
    scores = FRENCH.evaluate([gold[0], *examples, gold[1]])
    digests = [FRENCH.summarize(one, words=n) for one, n in zip(gold, (12, 10), strict=True)]
    options = RougeOptions(["ROUGE-2"], language="fr", stem=True)
    rouge = rouge_scores([[s.text for s in d.sentences] for d in digests], references, options)
    assert scores["ROUGE-2 recall"] == rouge.mean["ROUGE-2"].recall > 0
    # No cut is worth anything: all words are kept, though some should not be.
    right, kept = sum(sum(example.keep) for example in examples), 6 * len(examples)
    assert scores["compression F1"] == 2 * right / (right + kept) < 1
    assert FRENCH.evaluate(gold, words=20)["ROUGE-2 recall"] > scores["ROUGE-2 recall"]
    assert FRENCH.evaluate(examples).keys() == {"compression F1"}
    with pytest.raises(UsageError, match="to score on"):
        FRENCH.evaluate([])


def test_examples_are_read_from_lines_and_articles(tmp_path):
    topics = tmp_path / "topics.jsonl"
    topics.write_text('{"documents": ["It rained."]}\n{"source_tokens": ["Go"], "keep": [1]}\n')
    with topics.open() as stream:
        for origin in (topics, str(topics), stream):
            kinds = [type(example) for example in Summarizer.read(origin)]
            assert kinds == [Collection, Compression]
    (collection,) = Summarizer.read(ARTICLES)
    assert collection == read_articles(ARTICLES)


def test_digests_become_json(english, articles):
    record = english.summarize(articles, words=40).to_dict()
    assert record["summary"] == [s["text"] for s in record["sentences"]]
    assert record["words"] <= record["limit"] == 40
    assert set(record["sentences"][0]["kept"]) <= {0, 1}
    assert record["certificate"]["objective"] <= record["certificate"]["bound"]
    assert not record.keys() & {"status", "gap", "seconds"}
    assert "certificate" not in record["sentences"][0]


@pytest.mark.data
def test_ad3_is_close_to_the_optimum_on_multiling(data_folder):
    """97% of the exact objective at least, and never a bound below it."""
    path = data_folder / "summarization" / "multiling2011" / "en.jsonl"
    summarizer = Summarizer()
    for collection in list(read_collections(path))[:3]:
        problem = summarizer.problem(collection.articles, words=250)
        scores = simple_scores(problem)
        cuts = np.full(len(problem.source_of), 0.2)
        found = decode(problem, scores, cuts, words=250, sentences=14)
        exact = decode(problem, scores, cuts, words=250, sentences=14, method="ilp")
        assert 0.97 * exact.objective <= found.objective <= exact.objective + 1e-6
        assert found.bound >= exact.objective - 1e-6
        assert broken_rules(problem, found.keep, words=250, sentences=14) == []


def test_other_languages_are_compressed_where_there_is_a_parser():
    words = ["Les", "chats", "dorment", "bien", "la", "nuit", "."]
    tree = Sentence.from_words(words).with_tree(
        [2, 3, 0, 3, 6, 3, 3], ["det", "nsubj", "root", "advmod", "det", "obl", "punct"]
    )
    parser = Parser.train([tree] * 4, order="first", epochs=2, parser_bits=10)
    french = replace(FRENCH, parser=Pipeline(parser), scorer=SimpleScorer(0.1))
    digest = french.summarize("Les chats dorment bien la nuit.", words=4)
    assert digest.mode == "compressive"
    assert digest.text == "Les chats dorment bien."
    assert [s.text for s in french.compress("Les chats dorment bien la nuit.")] == [
        "Les chats dorment."
    ]
