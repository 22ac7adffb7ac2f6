"""Which sentences need another one, and summaries that heed it."""

import itertools
import random

import numpy as np
import pytest
from tests.summarize.cuts.test_rules import STRUCTURE, parsed
from tests.summarize.random_problems import random_problem, random_scores

from treaty.summarize import Source, broken_rules, decode, objective_of
from treaty.summarize.sentences._references import first_word, needs_another, references

ANN = parsed("Ann slept", "PROPN:2:nsubj", "VERB:0:root")
SHE = parsed("She dreamed", "PRON:2:nsubj", "VERB:0:root")
RAIN = parsed("It rained", "PRON:2:expl", "VERB:0:root")
CATS = parsed("Cats and dogs slept", "NOUN:4:nsubj", "CCONJ:3:cc", "NOUN:1:conj", "VERB:0:root")
THEY = parsed("They dreamed", "PRON:2:nsubj", "VERB:0:root")
THIS = parsed("This helped", "PRON:2:nsubj", "VERB:0:root")
WEEK = parsed("This week Ann slept", "DET:2:det", "NOUN:4:obl", "PROPN:4:nsubj", "VERB:0:root")
SAID = parsed("Cats slept , he said", "NOUN:2:nsubj", "VERB:5:ccomp", "PUNCT:2:punct",
              "PRON:5:nsubj", "VERB:0:root")  # fmt: skip


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        ([ANN, SHE], [(1, 0)]),
        ([ANN, RAIN, SHE], [(2, 0)]),
        ([ANN, SHE, SHE], [(1, 0), (2, 0)]),
        ([SHE, ANN], []),  # nothing comes before it
        ([CATS, SHE], [(1, 1)]),  # nobody is named
        ([CATS, THEY], [(1, 0)]),
        ([ANN, CATS, THIS], [(2, 1)]),
        ([CATS, WEEK, RAIN], []),
        ([ANN, SAID], [(1, 0)]),
    ],
)
def test_what_is_needed(sentences, found):
    assert references([Source(0, n, s) for n, s in enumerate(sentences)]) == found


ALL_THREE = parsed("All three slept", "DET:2:det", "NUM:3:nsubj", "VERB:0:root")
THREE = parsed("Three slept", "NUM:2:nsubj", "VERB:0:root")
NONE = parsed("None slept", "PRON:2:nsubj", "VERB:0:root")
OF_THEM = parsed("Two of them slept", "NUM:4:nsubj", "ADP:3:case", "PRON:1:nmod", "VERB:0:root")
OF_CATS = parsed("One of cats slept", "NUM:4:nsubj", "ADP:3:case", "NOUN:1:nmod", "VERB:0:root")


@pytest.mark.parametrize("sentence", [ALL_THREE, NONE, OF_THEM])
def test_who_is_counted_was_named_just_before(sentence):
    sources = [Source(0, n, s) for n, s in enumerate([ANN, CATS, sentence])]
    assert references(sources) == [(2, 1)]


@pytest.mark.parametrize("sentence", [THREE, OF_CATS])
def test_who_is_counted_may_be_clear(sentence):
    assert references([Source(0, n, s) for n, s in enumerate([CATS, sentence])]) == []


def test_other_documents_do_not_help():
    assert references([Source(0, 0, ANN), Source(1, 1, SHE)]) == [(1, 1)]


def test_this_points_at_what_was_just_said():
    assert references([Source(0, 0, ANN), Source(0, 2, THIS)]) == [(1, 1)]


BILL = parsed("Ann signed a bill", "PROPN:2:nsubj", "VERB:0:root", "DET:4:det", "NOUN:2:obj")
THE_BILL = parsed("The bill failed", "DET:2:det", "NOUN:3:nsubj", "VERB:0:root")
OLD_BILL = parsed("The bill on trade failed", "DET:2:det", "NOUN:5:nsubj", "ADP:4:case",
                  "NOUN:2:nmod", "VERB:0:root")  # fmt: skip


def test_the_with_a_noun_needs_the_sentence_that_introduced_it():
    def found(*sentences):
        return references([Source(0, n, sentence) for n, sentence in enumerate(sentences)])

    assert found(BILL, RAIN, THE_BILL) == [(2, 0)]
    assert found(BILL, OLD_BILL) == [] and found(ANN, THE_BILL) == []
    named = parsed("Ann signed the Hall bill", "PROPN:2:nsubj", "VERB:0:root", "DET:5:det",
                   "PROPN:5:compound", "NOUN:2:obj")  # fmt: skip
    assert found(named, RAIN, THE_BILL) == [(2, 0)]


def test_sentences_of_a_turn_need_the_first():
    turns = [(0, 0), (1, 1), (2, 0), (3, 1), (5, 1)]
    given = [Source(0, n, ANN, place=p, is_turn=True) for n, p in turns]
    assert references(given) == [(1, 0), (3, 2), (4, 4)]


REST = parsed("Bo ate the rest", "PROPN:2:nsubj", "VERB:0:root", "DET:4:det", "NOUN:2:obj")
OF_IT = parsed("Bo ate the rest of it", "PROPN:2:nsubj", "VERB:0:root", "DET:4:det", "NOUN:2:obj",
               "ADP:6:case", "PRON:4:nmod")  # fmt: skip
THERE = parsed("Cats sleep there", "NOUN:2:nsubj", "VERB:0:root", "ADV:2:advmod")
WHO = parsed("Who slept ?", "PRON:2:nsubj", "VERB:0:root", "PUNCT:2:punct")


@pytest.mark.parametrize(
    ("sentences", "found"),
    [
        ([ANN, REST], [(1, 0)]),
        ([ANN, OF_IT], []),
        ([ANN, THERE], [(1, 0)]),
        ([ANN, WHO, CATS], [(1, 2)]),  # a question needs its answer
        ([ANN, WHO], [(1, 1)]),
    ],
)
def test_what_was_said_just_before_or_after(sentences, found):
    assert references([Source(0, n, s) for n, s in enumerate(sentences)]) == found


def test_turns_that_begin_with_a_pronoun_need_the_one_before():
    turn = parsed("Bo : that helps", "PROPN:4:vocative", "PUNCT:1:punct", "PRON:4:nsubj",
                  "VERB:0:root")  # fmt: skip
    given = [Source(0, n, s, is_turn=True) for n, s in ((0, ANN), (1, turn), (3, turn), (4, WHO))]
    assert references(given) == [(1, 0), (2, 1)]  # what was too short to be there is skipped
    assert [needs_another(source) for source in given] == [0, -1, -1, 0]


def test_answers_need_what_was_asked():
    yes = parsed("Yes , cats sleep", "INTJ:4:discourse", "PUNCT:1:punct", "NOUN:4:nsubj",
                 "VERB:0:root")  # fmt: skip
    none = parsed("No cats sleep", "DET:2:det", "NOUN:3:nsubj", "VERB:0:root")
    deal = parsed("Bo : ok deal", "PROPN:4:vocative", "PUNCT:1:punct", "INTJ:4:discourse",
                  "NOUN:0:root")  # fmt: skip
    assert references([Source(0, n, s) for n, s in enumerate((ANN, yes, none))]) == [(1, 0)]
    assert references([Source(0, n, s, is_turn=True) for n, s in enumerate((ANN, deal))]) == [
        (1, 0)
    ]


def test_first_words():
    assert first_word(SHE) == "she"
    assert [needs_another(Source(0, 1, s)) for s in (SHE, ANN, WHO)] == [-1, 0, 1]


@pytest.mark.parametrize("seed", range(20))
def test_summaries_heed_what_is_needed(seed):
    """Against all sets of sentences, by the objective's own definition."""
    rng = random.Random(seed)
    problem = random_problem(rng, sentences=4, longest=5, rules=STRUCTURE)
    pairs = list(itertools.permutations(range(len(problem.sources)), 2))
    object.__setattr__(problem, "needs", tuple(rng.sample(pairs, min(3, len(pairs)))))
    concepts = np.array(random_scores(rng, len(problem.concepts)))
    words = rng.randint(3, 12)
    best = 0.0
    for taken in itertools.product([False, True], repeat=len(problem.sources)):
        keep = np.array(taken)[problem.source_of]
        if (keep & problem.counts).sum() <= words:
            best = max(best, objective_of(problem, keep, concepts, None))
    for method in ("ilp", "exact", "ad3"):
        found = decode(problem, concepts, words=words, method=method)
        assert broken_rules(problem, found.keep, words=words) == []
        assert found.objective <= best + 1e-9 <= found.bound + 2e-6
        if method != "ad3":
            assert found.objective == pytest.approx(best)
