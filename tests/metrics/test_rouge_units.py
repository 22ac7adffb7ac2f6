"""What ROUGE counts, against Lin's own examples and naive twins."""

from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treaty.errors import UsageError
from treaty.metrics import RougeOptions, RougeScore, rouge
from treaty.metrics._counts import Retrieval
from treaty.metrics._rouge_units import ascii_words, first_of, metric_named, unicode_words


def score(metric, candidate, *references):
    return rouge(candidate, references, RougeOptions([metric]))[metric]


# Lin (2004), sections 3.1, 3.2 and 5
POLICE = "police killed the gunman"


@pytest.mark.parametrize(
    ("metric", "candidate", "share"),
    [
        ("ROUGE-L", "police kill the gunman", 3 / 4),
        ("ROUGE-L", "the gunman kill police", 2 / 4),
        ("ROUGE-L", "the gunman police killed", 2 / 4),
        ("ROUGE-S*", "police kill the gunman", 3 / 6),
        ("ROUGE-S*", "the gunman kill police", 1 / 6),
        ("ROUGE-S*", "the gunman police killed", 2 / 6),
        ("ROUGE-S0", "the gunman kill police", 1 / 3),
        ("ROUGE-2", "the gunman kill police", 1 / 3),
        ("ROUGE-1", "the gunman kill police", 3 / 4),
        ("ROUGE-4", "police killed the gunman", 1),
        ("ROUGE-5", "police killed the gunman", 0),
    ],
)
def test_examples_of_the_paper(metric, candidate, share):
    assert score(metric, candidate, POLICE) == pytest.approx(RougeScore(share, share, share))


def test_the_union_of_common_subsequences():
    found = score("ROUGE-L", "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    assert (found.recall, found.precision) == (4 / 5, 4 / 10)


def test_a_word_found_in_two_sentences_counts_as_often_as_the_candidate_has_it():
    assert score("ROUGE-L", "a b", "a x\na y").recall == 1 / 4


def test_single_words_but_the_last_go_with_skip_bigrams():
    found = score("ROUGE-SU4", "a b c", "a b d")  # of a b, a d, b d, a, b: a b, a and b
    assert (found.recall, found.precision) == (3 / 5, 3 / 5)


# Twins: the definitions, as slowly as they read.
def naive_grams(metric, words):
    if metric.startswith("ROUGE-S"):
        gap = float(metric[7:].removeprefix("U").replace("*", "inf"))
        pairs = combinations(range(len(words)), 2)
        grams = [(words[i], words[j]) for i, j in pairs if j - i - 1 <= gap]
        return grams + [(w,) for w in words[:-1] if metric.startswith("ROUGE-SU")]
    size = int(metric.removeprefix("ROUGE-"))
    return [tuple(words[i : i + size]) for i in range(len(words) - size + 1)]


def naive_lcs(words, others):
    """The textbook's table, and the path back through it that ROUGE-1.5.5 takes."""
    length = defaultdict(int)
    for i, word in enumerate(words, 1):
        for j, other in enumerate(others, 1):
            longest = max(length[i - 1, j], length[i, j - 1])
            length[i, j] = length[i - 1, j - 1] + 1 if word == other else longest
    found, i, j = set(), len(words), len(others)
    while i and j:
        if words[i - 1] == others[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif length[i - 1, j] >= length[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def naive_hits(metric, candidate, reference):
    ours, theirs = [[w for line in text for w in line] for text in (candidate, reference)]
    if metric != "ROUGE-L":
        grams = Counter(naive_grams(metric, ours)), Counter(naive_grams(metric, theirs))
        return sum((grams[0] & grams[1]).values()), grams[1].total(), grams[0].total()
    left, hits = Counter(ours), 0
    for line in reference:
        for place in sorted(set().union(*(naive_lcs(line, other) for other in candidate))):
            hits += left[line[place]] > 0
            left[line[place]] -= 1
    return hits, len(theirs), len(ours)


TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=9), min_size=1, max_size=4)


@given(TEXTS, TEXTS, st.sampled_from(["ROUGE-1", "ROUGE-3", "ROUGE-S1", "ROUGE-SU2", "ROUGE-SU*"]))
@settings(deadline=None, max_examples=60)
def test_grams_are_those_of_the_definition(candidate, reference, metric):
    check(metric, candidate, reference)


@given(TEXTS, TEXTS)
@settings(deadline=None, max_examples=100)
def test_common_subsequences_are_those_of_the_table(candidate, reference):
    check("ROUGE-L", candidate, reference)


def check(metric, candidate, reference):
    hits, gold, system = naive_hits(metric, candidate, reference)
    lines = [[" ".join(line) for line in text] for text in (candidate, reference)]
    found = score(metric, *lines)
    assert found.recall == (hits / gold if gold else 0)
    assert found.precision == (hits / system if system else 0)
    assert score(metric, *("\n".join(text) for text in lines)) == found


@given(TEXTS, TEXTS)
@settings(deadline=None, max_examples=60)
def test_counts_are_those_of_the_definition(candidate, reference):
    for metric in ("ROUGE-1", "ROUGE-2", "ROUGE-S0", "ROUGE-SU4", "ROUGE-S*", "ROUGE-L"):
        found = metric_named(metric)(candidate, reference)
        assert found == Retrieval(*naive_hits(metric, candidate, reference))


# Words


def test_words_of_ascii_and_of_any_script():
    text = "L'Été: l'ÉTÉ2_x"
    assert ascii_words(text) == ["l", "t", "l", "t", "2", "x"]
    assert unicode_words(text) == ["l", "été", "l", "été2", "x"]
    assert unicode_words("e\u0301te\u0301") == ["été"]
    assert unicode_words("हिन्दी x²") == ["हिन्दी", "x²"]


@pytest.mark.parametrize(
    ("words", "size", "kept"),
    [
        (None, None, ["a  b", "cé d"]),
        (3, None, ["a b", "cé"]),
        (2, None, ["a b", ""]),
        (9, None, ["a b", "cé d"]),
        (None, 5, ["a  b", "c"]),
        (None, 6, ["a  b", "c"]),  # half a letter is none
        (None, 7, ["a  b", "cé"]),
        (3, 6, ["a b", "cé"]),
        (None, 2, ["a ", ""]),
    ],
)
def test_the_first_words_and_bytes_are_kept(words, size, kept):
    assert first_of(["a  b", "cé d"], words, size) == kept


@pytest.mark.parametrize(
    "name",
    ["ROUGE-0", "ROUGE-100", "ROUGE-", "ROUGE-S", "ROUGE-SU", "rouge-1", "ROUGE-L2", "ROUGE-1 "],
)
def test_other_metrics_are_refused(name):
    with pytest.raises(UsageError, match="unknown metric"):
        metric_named(name)
