import json

import pytest
from tests.show.evaluation.data import GOLD, TREES, WRONG, file

from treaty.errors import InputError, UsageError
from treaty.show.evaluation._trees import score_trees


def score(system, choices=TREES, gold=GOLD, told=None):
    files = file("CONLLU", gold), [file("CONLLU", text) for text in system]
    tell = ([] if told is None else told).append
    return json.loads(score_trees(*files, choices, as_json=True, tell=tell))


def test_trees_and_a_comparison():
    assert score([GOLD])["uas"] == 1.0
    assert score([WRONG])["uas"] == 0.0
    assert "against" in json.dumps(score([GOLD, WRONG]))


def test_systems_without_heads_are_told_of():
    told = []
    bare = GOLD.replace("\t0\troot", "\t_\t_").replace("\t1\tpunct", "\t_\t_")
    score([bare], told=told)
    assert told == ["the system has no heads: only tags are scored"]


def test_what_does_not_go_together():
    with pytest.raises(UsageError, match="--aligned cannot be combined"):
        score([GOLD], TREES._replace(aligned=True, undirected=True))
    with pytest.raises(InputError, match="there are no sentences"):
        score([""])
    assert TREES._replace(by=("label",)).given == ["--by"]
