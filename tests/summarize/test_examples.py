"""What summarizers learn from and summarize."""

import io
import json

import pytest

from treaty.errors import UsageError
from treaty.summarize._examples import (
    as_collection,
    parted,
    read_examples,
    sample,
    words_of_references,
)
from treaty.text import Article, Collection, Compression, Sentence


def test_anything_with_text_is_a_collection():
    article, collection = Article("b"), Collection([Article("c")])
    assert as_collection(collection) is collection
    for given, texts in (
        ("a", ["a"]),
        (article, ["b"]),
        (["a", "b"], ["a", "b"]),
        ((article, "x"), ["b", "x"]),
    ):
        assert [a.text for a in as_collection(given).articles] == texts
    with pytest.raises(UsageError, match="at least one text"):
        as_collection([])


def test_collections_and_compressions_are_told_apart():
    collection = Collection([Article("a")])
    compression = Compression(Sentence.from_words(["a"]), [True])
    assert parted([compression, collection]) == ([collection], [compression])
    assert parted([]) == ([], [])
    with pytest.raises(UsageError, match="expected collections or compressions, found str"):
        parted(["a"])


def test_references_have_so_many_words_on_average():
    def count(*references):
        return words_of_references(Collection([], list(references), "x"))

    assert count("a b c") == 3
    assert count("a b c", "a b c d e f") == 4  # 4.5, rounded to even
    with pytest.raises(UsageError, match="the collection x has no references"):
        count()


def test_files_are_examples_by_their_names(tmp_path):
    line = {"topic": "t", "documents": ["It rained."], "references": ["Rain."]}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(line) + "\n")
    for origin in (path, str(path), io.BytesIO(path.read_bytes())):
        (found,) = read_examples(origin)
        assert found.references == ["Rain."]
    (tmp_path / "a.txt").write_text("It rained.")
    (found,) = read_examples(tmp_path / "a.txt")
    assert [article.text for article in found.articles] == ["It rained."]


def test_the_sample_has_both_kinds():
    collections, compressions = parted(sample().examples)
    assert len(collections) > 1 and len(compressions) > 1
    assert all(collection.references for collection in collections)
    assert all(not all(compression.keep) for compression in compressions)
