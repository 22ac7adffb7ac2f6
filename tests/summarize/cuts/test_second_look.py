"""The second look: trees that are pruned, and what happens if they are not."""

import numpy as np
import pytest
from tests.summarize.cuts.test_rules import STRUCTURE, parsed

from treaty.parse import Parse, Pipeline
from treaty.solve import Certificate
from treaty.summarize import Problem, Source
from treaty.summarize.cuts._compressing import best_compressions
from treaty.summarize.cuts._second_look import Look, SecondLook, cuts_of, refined

OLD = parsed(
    "Old cats , sadly , slept soundly here .", "ADJ:2:amod", "NOUN:6:nsubj", "PUNCT:4:punct",
    "ADV:6:advmod", "PUNCT:4:punct", "VERB:0:root", "ADV:6:advmod", "ADV:6:advmod",
    "PUNCT:6:punct",
)  # fmt: skip
SOURCE = Source(0, 0, OLD)


class Parser:
    """Parses sentences by given trees, and is as sure of all arcs as it is told to be."""

    def __init__(self, heads, labels, sure=1.0):
        self.heads, self.labels, self.sure = heads, labels, sure
        self.parser, self.tagger = self, None

    def predict(self, sentences, threads=1):
        for sentence in sentences:
            self.words = sentence.words
            yield Parse(sentence.with_tree(self.heads, self.labels), Certificate.exact(0.0))

    def marginals(self, sentence):
        sure = 1.0 if len(sentence) == len(OLD) else self.sure
        return np.full((len(sentence) + 1,) * 2, sure)


KEEP = np.array([0, 1, 1, 0, 1, 1, 0, 1, 1], bool)


@pytest.mark.parametrize(
    ("heads", "labels", "sure", "is_same", "changed"),
    [
        ([2, 0, 2, 2], ["nsubj", "root", "advmod", "punct"], 1.0, True, ()),
        ([2, 0, 2, 2], ["obj", "root", "advmod", "punct"], 1.0, False, ("cats",)),
        ([0, 1, 2, 2], ["root", "acl", "advmod", "punct"], 1.0, False, ("cats", "slept")),
        ([2, 0, 1, 2], ["nsubj", "root", "advmod", "punct"], 1.0, False, ("here",)),
        ([2, 0, 2, 1], ["nsubj", "root", "advmod", "punct"], 1.0, True, ()),
        ([2, 0, 2, 2], ["nsubj:pass", "root", "advmod", "punct"], 0.95, True, ()),
        ([2, 0, 2, 2], ["nsubj", "root", "advmod", "punct"], 0.8, False, ()),
    ],
)
def test_trees_must_be_pruned_and_as_sure(heads, labels, sure, is_same, changed):
    parser = Parser(heads, labels, sure)
    (look,) = SecondLook(parser)([(SOURCE, KEEP)])
    assert parser.words == ["Cats", "slept", "here", "."]
    assert (look.is_same, look.changed) == (is_same, changed)
    assert look.to_dict() == {
        "same": is_same, "changed": list(changed), "confidence": [1.0, sure],
    }  # fmt: skip


def test_where_a_prepositional_phrase_hangs_does_not_matter():
    old = parsed("He saw men in Rome often", "PRON:2:nsubj", "VERB:0:root", "NOUN:2:obj",
                 "ADP:5:case", "PROPN:3:nmod", "ADV:2:advmod")  # fmt: skip
    heads, labels = [2, 0, 2, 5, 2, 2], ["nsubj", "root", "obj", "case", "obl", "punct"]
    keep = np.array([1, 1, 1, 1, 1, 0], bool)
    (look,) = SecondLook(Parser(heads, labels))([(Source(0, 0, old), keep)])
    assert look.is_same


def test_cuts_that_fail_are_made_no_more():
    """Of all cuts, those that a twin forbids by hand are left out, and no others."""
    problem = Problem.of_sentences([OLD], STRUCTURE)
    scores = np.array([0.0, 0, 0, 0, 0, 0, 1.0, 2.0, 0])
    allowed = set(np.flatnonzero(problem.cuttable).tolist())
    assert allowed == {0, 3, 6, 7}

    def solve(cut_scores):
        ((_, keep, _),) = best_compressions(problem, cut_scores, 0)
        return keep

    for bad in ({6}, {7}, {6, 7}, {0}, allowed, set()):
        asked = []

        def look(given, bad=bad, asked=asked):
            asked.extend(given)
            return [Look(not any(not keep[b] for b in bad)) for _, keep in given]

        keep, looks, last = refined(problem, scores, solve, look)
        assert set(cuts_of(problem, keep, 0)) == allowed - bad
        assert all(one.is_same for one in looks.values())
        assert set(np.flatnonzero(np.isneginf(last))) >= bad


def test_two_cuts_that_fail_only_together():
    problem = Problem.of_sentences([OLD], STRUCTURE)
    scores = np.array([0.0, 0, 0, 0, 0, 0, 1.0, 2.0, 0])

    def solve(cut_scores):
        ((_, keep, _),) = best_compressions(problem, cut_scores, 0)
        return keep

    def look(given):
        return [Look(bool(keep[6] or keep[7])) for _, keep in given]

    keep, _, _ = refined(problem, scores, solve, look)
    assert not keep[7]  # the better of the two is still made
    assert keep[[0, 3, 6]].tolist().count(True) >= 1


def test_the_english_parser_looks_again():
    english = Pipeline.load("english")
    (parse,) = english.parse_text("However, the old man closed the door.")
    source = Source(0, 0, parse.sentence)
    keep = np.array([t.form not in ("However", ",") for t in parse.sentence])
    (look,) = SecondLook(english)([(source, keep)])
    assert look.is_same
