"""The first sentences."""

import json

import pytest
from tests.summarize.test_budget import SENTENCES

from treaty.errors import UsageError
from treaty.metrics import RougeOptions, rouge_scores
from treaty.summarize import lead
from treaty.text import read_collections


def test_lead_takes_what_fits_from_the_beginning():
    assert lead(SENTENCES, 0) == []
    assert lead(SENTENCES, 5) == [0]
    assert lead(SENTENCES, 8) == [0, 2, 3]  # the second sentence does not fit any more
    assert lead(SENTENCES, 1000) == [0, 1, 2, 3, 5]
    assert lead([], 10) == []


def test_lead_goes_round_the_documents():
    documents = [7, 7, 3, 3, 5, 5]
    assert lead(SENTENCES, 6, documents=documents) == [0, 2]
    assert lead(SENTENCES, 12, documents=documents) == [0, 2, 3, 5]
    assert lead(SENTENCES, 12, documents=[0] * 6) == lead(SENTENCES, 12)


@pytest.mark.data
def test_the_readings_of_lead_on_multiling(data_folder):
    folder = data_folder / "summarization" / "multiling2011"
    theirs = {}
    for line in (folder / "peer_summaries_en.jsonl").read_text().splitlines():
        record = json.loads(line)
        theirs[record["method"], record["budget"], record["topic"]] = record["summary"]
    topics = list(read_collections(folder / "en.jsonl"))
    robin = []
    for topic in topics:
        pairs = [
            (sentence, number)
            for number, article in enumerate(topic.articles)
            for paragraph in article.more["sentences"]
            for sentence in paragraph
            if len(sentence.split()) >= 5
        ]
        words = [sentence.split() for sentence, _ in pairs]
        first = [pairs[i][0] for i in lead(words, 250)]
        assert first == theirs["LEAD (first document)", 250, topic.id]
        chosen = lead(words, 250, documents=[number for _, number in pairs])
        robin.append([pairs[i][0] for i in chosen])
        assert sorted(robin[-1]) == sorted(theirs["LEAD round-robin", 250, topic.id])
    scores = rouge_scores(robin, [t.references for t in topics], RougeOptions(stem=True))
    assert round(scores.mean["ROUGE-2"].recall, 3) == 0.211


def test_documents_that_make_no_sense():
    with pytest.raises(UsageError, match="a document for each of 6 sentences"):
        lead(SENTENCES, 5, documents=[1])
