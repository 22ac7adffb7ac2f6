"""What a search for a grammar has found, as text and as a record."""

import json

from treaty.induce import Corpus, EdgeConstraint, branch_and_bound
from treaty.show import induced_record, induced_text
from treaty.solve import Certificate

TAGS = [["N", "V"], ["N", "V", "N"], ["V", "N"]]
KEYS = list(Certificate.exact(0.0).to_dict())


def test_a_record_has_the_certificate_and_the_corpus():
    corpus = Corpus.from_tags(TAGS)
    record = induced_record(corpus, branch_and_bound(corpus))
    assert list(record) == ["certificate", "open_nodes", "method", "sentences", "tokens", "tags"]
    assert list(record["certificate"]) == KEYS
    assert (record["sentences"], record["tokens"], record["tags"]) == (3, 7, ["N", "V"])
    json.dumps(record, allow_nan=False)


def test_accuracies_where_there_are_trees():
    corpus = Corpus.from_tags(TAGS, [[2, 0], [2, 0, 2], [0, 1]])
    found = branch_and_bound(corpus)
    record = induced_record(corpus, found)
    assert record["accuracy"] == found.accuracy(corpus)
    assert record["undirected"] >= record["accuracy"]


def test_constraints_and_no_answer():
    corpus = Corpus.from_tags(TAGS)
    wanted = EdgeConstraint((("ROOT", "V"),), 0.3)
    found = branch_and_bound(corpus, constraint=wanted)
    assert induced_record(corpus, found, wanted)["constraint_met"] >= 0.3
    impossible = EdgeConstraint((("ROOT", "A"),), 1.0)
    none = branch_and_bound(corpus, constraint=impossible)
    record = induced_record(corpus, none, impossible)
    assert record["certificate"]["status"] == "INFEASIBLE"
    assert "constraint_met" not in record
    assert all(line.startswith("# ") for line in induced_text(corpus, none).splitlines())


def test_text_is_the_record_and_the_rules():
    corpus = Corpus.from_tags(TAGS)
    found = branch_and_bound(corpus)
    lines = induced_text(corpus, found).splitlines()
    comments = [line for line in lines if line.startswith("# ")]
    assert [line[2:].split("\t")[0] for line in comments][: len(KEYS)] == KEYS
    assert comments[-1] == "# tags\tN V"
    rules = dict(line.split("\t") for line in lines[len(comments) :])
    assert rules["root V"] == "1"
    assert all(0 < float(probability) <= 1 for probability in rules.values())
