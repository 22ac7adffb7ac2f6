"""ROUGE: its options, many summaries, and the numbers published with MultiLing 2011."""

import csv
import random
from collections import defaultdict

import pytest

from treaty.errors import InputError, UsageError
from treaty.metrics import (
    RougeOptions,
    RougeScore,
    compare,
    confidence_interval,
    rouge,
    rouge_scores,
)
from treaty.text import read_collections, stop_words

PARTS = ("recall", "precision", "f")


def score(metric, candidate, *references, **options):
    return rouge(candidate, references, RougeOptions([metric], **options))[metric]


# Options
def test_several_references_are_summed_or_the_best_is_taken():
    texts = "a b c d", "a b", "a x x x x x x x"  # 2 of 2 and 1 of 8
    assert score("ROUGE-1", *texts).recall == 3 / 10
    assert score("ROUGE-1", *texts).precision == 3 / 8
    assert score("ROUGE-1", *texts, several="best") == score("ROUGE-1", *texts[:2])


def test_the_jackknife_is_the_mean_of_leaving_one_reference_out():
    candidate, *references = "a b c d", "a b", "a x x x x x x x", "c d x"
    for several in ("average", "best"):
        rest = [
            score("ROUGE-1", candidate, *references[:n], *references[n + 1 :], several=several)
            for n in range(3)
        ]
        found = score("ROUGE-1", candidate, *references, several=several, jackknife=True)
        for part in PARTS:
            assert getattr(found, part) == pytest.approx(sum(getattr(s, part) for s in rest) / 3)
    both = score("ROUGE-1", candidate, *references[:2], jackknife=True)
    one, two = (score("ROUGE-1", candidate, reference) for reference in references[:2])
    assert both.recall == pytest.approx((one.recall + two.recall) / 2)
    alone = score("ROUGE-1", candidate, references[0], jackknife=True)
    assert alone == score("ROUGE-1", candidate, references[0])


def test_alpha_weighs_precision():
    texts = "a b c d", "a b"
    assert score("ROUGE-1", *texts, alpha=0).f == 1
    assert score("ROUGE-1", *texts, alpha=1).f == 0.5
    assert score("ROUGE-1", *texts).f == pytest.approx(2 / 3)


def test_english_words_are_ascii_letters_and_digits():
    assert (
        score("ROUGE-1", "U.S.-led well_known café's 1,000", "u s led well known caf s 1 000").f
        == 1
    )
    assert score("ROUGE-2", "co-operate", "CO OPERATE").f == 1


def test_other_languages_have_their_own_letters():
    greek = "Σεισμός, «σεισμός» στη Σουμάτρα!"
    assert score("ROUGE-1", greek, "σεισμός σεισμός στη σουμάτρα", language="el").f == 1
    assert score("ROUGE-1", "l'été\u0301", "l été\u0301", language="fr").f == 1
    assert score("ROUGE-1", "e\u0301te\u0301", "été", language="fr").f == 1
    assert score("ROUGE-1", "हिन्दी भाषा", "हिन्दी", language="hi").recall == 1
    assert score("ROUGE-1", "हिन्दी भाषा", "हिन्दी", language="hi").precision == 0.5
    assert score("ROUGE-1", greek, greek).f == 0  # nothing that counts as English


def test_words_of_more_than_three_letters_are_stemmed():
    assert score("ROUGE-1", "police kills gunmen", "police killed gunmens", stem=True).f == 1
    assert score("ROUGE-1", "ties", "tie", stem=True).f == 0  # ti, and tie as it is
    assert score("ROUGE-1", "cats", "cat", stem=True).f == 1
    assert score("ROUGE-1", "cats", "cat").f == 0
    assert score("ROUGE-1", "was", "wa", stem=True).f == 0
    assert score("ROUGE-1", "continuelle", "continuellement", stem=True, language="fr").f == 1
    with pytest.raises(UsageError, match="no stemmer"):
        score("ROUGE-1", "a", "a", stem=True, language="xx")


def test_stop_words_do_not_count():
    found = score(
        "ROUGE-2", "the cat sat on the mat", "a cat sat near mat", stop_words=stop_words()
    )
    assert (found.recall, found.precision) == (1 / 3, 1 / 2)


def test_limits_in_words_and_bytes_hold_for_both_sides():
    texts = "a-b c\nd e f", "a b c d"
    found = score("ROUGE-1", *texts, most_words=3)  # a-b is one word of the limit: a b c d, a b c
    assert (found.recall, found.precision) == (1, 3 / 4)
    assert score("ROUGE-1", *texts, most_words=1) == score("ROUGE-1", "a b", "a")
    assert score("ROUGE-1", "éé x", "éé x", most_bytes=3, language="fr").f == 1
    assert score("ROUGE-1", "abc\ndef", "abc d", most_bytes=4).f == pytest.approx(2 / 3)
    assert score("ROUGE-1", "abc\ndef", "abc\nd", most_bytes=4).f == 1


def test_own_words():
    assert score("ROUGE-2", "東京都", "京都", cut=list).recall == 1


def test_an_empty_summary_has_nothing():
    for metric in ("ROUGE-1", "ROUGE-L", "ROUGE-SU4"):
        for empty in ("", " \n", [], "…"):
            assert score(metric, empty, "a b") == RougeScore(0, 0, 0)


# Many summaries
def test_means_intervals_and_comparisons():
    texts = ["a b", "a c", "a b"], [["a b"], ["a b", "a d"], ["x"]]
    scores = rouge_scores(*texts)
    assert scores.mean["ROUGE-1"].recall == pytest.approx((1 + 0.5 + 0) / 3)
    interval = scores.interval("ROUGE-1", "f")
    fs = [found["ROUGE-1"].f for found in scores.by_summary]
    assert interval == confidence_interval(fs, [1, 1, 1])
    assert interval.value == pytest.approx(scores.mean["ROUGE-1"].f)
    assert interval.low <= interval.value <= interval.high
    other = rouge_scores(["a", "a", "x"], texts[1])
    found = scores.compare(other, "ROUGE-1")
    recalls = [[s["ROUGE-1"].recall for s in x.by_summary] for x in (scores, other)]
    assert found == compare(*recalls, [1, 1, 1])
    with pytest.raises(UsageError, match="'ROUGE-9' was not scored, only ROUGE-1, ROUGE-2"):
        scores.interval("ROUGE-9")


def test_intervals_and_comparisons_are_made_of_the_usual_draws():
    rng = random.Random(1)
    texts = [" ".join(rng.choices("abcdefgh", k=rng.randint(3, 40))) for _ in range(60)]
    scores, other = (rouge_scores(texts[k : k + 20], [[t] for t in texts[40:]]) for k in (0, 20))
    usual = {"level": 0.95, "samples": 2000, "seed": 0}
    assert scores.interval("ROUGE-2") == scores.interval("ROUGE-2", "recall", **usual)
    assert scores.interval("ROUGE-2") != scores.interval("ROUGE-2", seed=1)
    assert scores.compare(other, "ROUGE-2") == scores.compare(other, "ROUGE-2", **usual)
    assert scores.compare(other, "ROUGE-2") != scores.compare(other, "ROUGE-2", seed=1)
    with pytest.raises(UsageError, match="was not scored"):
        rouge_scores(["a"], [["a"]]).compare(rouge_scores(["a"], [["a"]]), "ROUGE-9")


def test_the_mean_of_one_summary_is_its_score():
    scores = rouge_scores(["a b"], [["a c"]])
    assert scores.mean == scores.by_summary[0]


def test_topics_must_match():
    with pytest.raises(InputError, match="topic 2 has no summary"):
        rouge_scores(["a"], [["a"], ["b"]])
    with pytest.raises(InputError, match="topic 2 has no reference"):
        rouge_scores(["a", "b"], [["a"], []])
    with pytest.raises(InputError, match="no summaries"):
        rouge_scores([], [])
    with pytest.raises(UsageError, match="a list of references"):
        rouge("a", "a")


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"metrics": ["ROUGE-X"]}, "unknown metric 'ROUGE-X'"),
        ({"metrics": ["ROUGE-0"]}, "unknown metric"),
        ({"metrics": "ROUGE-1"}, "lists of metrics"),
        ({"stop_words": "the"}, "lists of metrics and of stop words"),
        ({"several": "worst"}, "'average' or 'best'"),
        ({"alpha": 2}, "alpha must be between 0 and 1"),
        ({"most_words": 0}, "at least 1, not 0"),
        ({"most_bytes": -1}, "at least 1, not -1"),
    ],
)
def test_options_that_make_no_sense(options, cause):
    with pytest.raises(UsageError, match=cause):
        RougeOptions(**options)


# MultiLing 2011
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")


def published(folder, name, **chosen):
    with (folder / "published_evaluation" / name).open() as file:
        for row in csv.DictReader(file):
            if all(row[column] == value for column, value in chosen.items()):
                yield row, RougeScore(*(float(row[part]) for part in PARTS))


def of_system(folder, language, system):
    topics = list(read_collections(folder / f"{language}.jsonl"))
    summaries = [topic.more["system_summaries"][system] for topic in topics]
    scores = rouge_scores(summaries, [t.references for t in topics], RougeOptions(METRICS))
    return scores, {t.id: s for t, s in zip(topics, scores.by_summary, strict=True)}


@pytest.mark.data
@pytest.mark.parametrize("system", [f"ID{number}" for number in range(1, 11)])
def test_the_published_scores_of_each_topic(data_folder, system):
    """Recall and precision agree to the last digit; F is made from these, rounded to 5 digits."""
    folder = data_folder / "summarization" / "multiling2011"
    _, by_topic = of_system(folder, "en", system)
    rows = list(published(folder, "rouge_per_topic_english.csv", system=system))
    assert len(rows) == 30
    for row, theirs in rows:
        ours = by_topic[row["topic"]][row["metric"]]
        recall, precision = round(ours.recall, 5), round(ours.precision, 5)
        f = 2 * recall * precision / (recall + precision)
        assert RougeScore(recall, precision, round(f, 5)) == theirs
        assert ours.f == pytest.approx(theirs.f, abs=1.5e-5)


@pytest.mark.data
@pytest.mark.parametrize("language", ["en", "fr", "el"])
def test_the_published_averages(data_folder, language):
    """Averages of ROUGE-1.5.5 are those of 1000 random draws: the mean, give or take."""
    folder = data_folder / "summarization" / "multiling2011"
    systems = defaultdict(list)
    for row, theirs in published(folder, "rouge_averages.csv", language=language):
        systems[row["system"]].append((row["metric"], theirs))
    for system, rows in systems.items():
        scores, _ = of_system(folder, language, system)  # words cut as if they were English
        for metric, theirs in rows:
            for part in PARTS:
                interval = scores.interval(metric, part, level=0.95)
                off = (interval.high - interval.low) / 4 / 1000**0.5  # of the mean of the draws
                ours = getattr(scores.mean[metric], part)
                assert ours == pytest.approx(getattr(theirs, part), abs=4 * off)
