"""Collections of articles, and every fault of a line."""

import gzip
import io
import json

import pytest

from treaty.errors import InputError
from treaty.text import Article, read_collections

GOOD = '{"topic":"t","documents":["It rained."]}'


def read(data, **options):
    stream = io.BytesIO(data if isinstance(data, bytes) else data.encode())
    stream.name = "a.jsonl"
    return list(read_collections(stream, **options))


def test_a_collection_is_read():
    record = {
        "topic": "M000",
        "language": "en",
        "documents": [
            {
                "id": "a",
                "title": "Rain",
                "date": "1 May",
                "paragraphs": ["It rained.", "It poured."],
            },
            {"id": 2, "text": "Snow.", "source": "snow.txt", "sentences": ["Snow."]},
            "Hail.",
        ],
        "references": [{"id": "A", "text": "Weather."}, "Wet."],
        "system_summaries": {"ID1": "?"},
    }
    (collection,) = read(json.dumps(record))
    assert collection.articles == [
        Article("It rained.\n\nIt poured.", "Rain", "1 May", "a"),
        Article("Snow.", id=2, source="snow.txt", more={"sentences": ["Snow."]}),
        Article("Hail."),
    ]
    assert collection.references == ["Weather.", "Wet."]
    assert (collection.id, collection.language) == ("M000", "en")
    assert collection.more == {"system_summaries": {"ID1": "?"}}
    assert len(collection) == 3


def test_a_bag_of_sentences_is_a_collection_of_short_articles():
    (collection,) = read('{"id": 7, "sentences": ["Good.", "Bad."]}')
    assert [article.text for article in collection.articles] == ["Good.", "Bad."]
    assert (collection.id, collection.references) == (7, [])


def test_an_article_may_be_empty_if_another_is_not():
    (collection,) = read('{"documents": ["", "x"]}')
    assert [article.text for article in collection.articles] == ["", "x"]


def test_blank_lines_and_compression():
    assert len(read(gzip.compress(f"\n{GOOD}\n  \n{GOOD}".encode()))) == 2


def test_an_article_of_five_megabytes():
    text = "It rained. " * 500_000
    (collection,) = read(json.dumps({"documents": [text]}))
    assert collection.articles[0].text == text


FAULTS = {  # the line, and its cause
    "not valid JSON": ("It rained.", "not valid JSON: Expecting value at column 1"),
    "no object": ("[]", "a line: expected an object"),
    "no documents": ('{"text": "It rained."}', "the collection has no 'documents'"),
    "documents is text": ('{"documents": "a"}', "documents: expected a list"),
    "sentences is text": ('{"sentences": "a"}', "sentences: expected a list"),
    "nothing": ('{"documents": []}', "the 'documents' of the collection contain no words"),
    "blank": ('{"sentences": [" ", ""]}', "the 'sentences' of the collection contain no words"),
    "a number": ('{"documents": [1]}', "document 0: expected an object (found '1')"),
    "no text": ('{"documents": ["a", {"id": 1}]}', "document 1 has neither 'text' nor 'paragr"),
    "text": ('{"documents": [{"text": ["a"]}]}', "text of document 0: expected a string"),
    "paragraphs": ('{"documents": [{"paragraphs": [1]}]}', "paragraphs of document 0: expected a"),
    "title": (
        '{"documents": [{"text": "a", "title": 1}]}',
        "title of document 0: expected a string",
    ),
    "date": ('{"documents": [{"text": "a", "date": 1}]}', "date of document 0: expected a string"),
    "topic": ('{"documents": ["a"], "topic": 1.5}', "topic: expected a string"),
    "language": ('{"documents": ["a"], "language": 1}', "language: expected a string"),
    "references": ('{"documents": ["a"], "references": "b"}', "references: expected a list"),
    "reference": ('{"documents": ["a"], "references": [{}]}', "reference 0 has no 'text'"),
    "silent": ('{"documents": ["a"], "references": ["b", " "]}', "reference 1 is empty"),
    "number": ('{"documents": ["a"], "references": [1]}', "text of reference 0: expected a string"),
    "NUL": (GOOD + "\0", "a NUL byte"),
}


@pytest.mark.parametrize(("line", "cause"), FAULTS.values(), ids=FAULTS)
def test_faults_are_named_with_file_and_line(line, cause):
    with pytest.raises(InputError) as caught:
        read(f"{GOOD}\n{line}\n{GOOD}")
    assert caught.value.message.startswith("a.jsonl:2: ")
    assert cause in caught.value.message


def test_bytes_that_are_not_utf8():
    with pytest.raises(InputError, match=r"a.jsonl:2: not UTF-8 \(byte 0xE9\)"):
        read(f"{GOOD}\n".encode() + '{"documents": ["é"]}'.encode("latin-1"))


def test_reading_goes_on_behind_a_fault():
    errors = []
    assert len(read(f"{GOOD}\n[]\n{GOOD}", on_error=errors.append)) == 2
    assert [error.line for error in errors] == [2]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "topics", "articles", "references"),
    [
        ("multiling2011/en", 10, 100, 30),
        ("multiling2011/fr", 10, 100, 33),
        ("multiling2011/el", 10, 100, 30),
        ("opinosis/opinosis", 51, 7086, 238),
        ("fewsum_amazon/fewsum_amazon", 60, 480, 180),
    ],
)
def test_real_collections(data_folder, name, topics, articles, references):
    found = list(read_collections(data_folder / "summarization" / f"{name}.jsonl"))
    assert len(found) == topics
    assert sum(len(collection) for collection in found) == articles
    assert sum(len(collection.references) for collection in found) == references
    assert all(collection.id and collection.language for collection in found)
