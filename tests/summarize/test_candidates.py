"""The sentences that a summary is chosen from."""

from tests.summarize.test_problem import DOCUMENTS, problem_of

from treaty.summarize import candidates, simple_scores


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
