"""The sentences that a summary is chosen from."""

from tests.summarize.test_problem import DOCUMENTS, problem_of
from tests.summarize.test_rules import parsed

from treaty.summarize import Source, candidates, simple_scores
from treaty.summarize._candidates import is_junk, junk_of
from treaty.text import Sentence


def test_candidates_are_the_best_without_junk_and_repetition():
    junk = ["By Ann Smith", "Monday , January 12 , 2009", "1 2 3 4 5 6 7 8 .", "Rain falls on town"]
    twice = [*DOCUMENTS, [*junk, DOCUMENTS[0][0], "A word that nobody else has ever used ."]]
    problem = problem_of(twice, reduce_to=None)
    best = candidates(problem, simple_scores(problem), 1000)
    texts = [problem.sources[n].sentence.text for n in best]
    assert not set(texts) & set(junk)
    assert len(set(texts)) == len(texts)
    assert candidates(problem, simple_scores(problem), 9).tolist() == [0]
    assert candidates(problem, simple_scores(problem), 1).tolist() == [0]  # one at least
    assert len(problem_of(twice, reduce_to=8).sources) == 1


def test_junk_is_better_than_nothing():
    problem = problem_of([["Hello"]])
    assert problem.sources[0].sentence.words == ["Hello"]
    assert problem.concepts == ()
    assert problem_of([["..."]]).sources == ()


def test_what_says_only_what_for_is_junk():
    to = [
        "PART:2:mark",
        "VERB:0:root",
        "ADV:2:advmod",
        "NOUN:2:obj",
        "ADV:2:advmod",
        "PUNCT:2:punct",
    ]
    assert is_junk(Source(0, 0, parsed("To see again cats asleep .", *to)))
    rest = "PART:2:mark VERB:5:advcl NOUN:2:obj PRON:5:nsubj VERB:0:root NOUN:5:obj PUNCT:5:punct"
    assert not is_junk(Source(0, 0, parsed("To see cats she opens doors .", *rest.split())))


def test_short_beginnings_of_turns_are_no_junk():
    words = ["Ann", ":", "well", "."]
    long = ["I", "saw", "it", "rain", "again", "."]
    turns = [(0, 0, words), (1, 1, long), (2, 0, words), (3, 0, long)]
    given = [Source(0, n, Sentence.from_words(w), place=p, is_turn=True) for n, p, w in turns]
    assert junk_of(given) == {2} and is_junk(given[0])
