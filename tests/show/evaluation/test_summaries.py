import json

import pytest
from tests.show.evaluation.data import ROUGE, file

from treaty.errors import InputError
from treaty.show.evaluation._summaries import score_summaries


def test_a_text_against_a_text():
    gold, system = file("TEXT", "the cat slept"), file("TEXT", "the cat slept")
    found = json.loads(score_summaries(gold, [system], ROUGE, as_json=True))
    assert found["rouge-1"]["f1"]["value"] == 1.0 if "rouge-1" in found else found


def test_topics_and_summaries_are_matched_by_their_ids():
    gold = file("COLLECTIONS", '{"id": 1, "documents": [{"text": "a b"}], "references": ["a b"]}\n')
    system = file("SUMMARIES", '{"topic": 2, "summary": ["a b"]}\n{"topic": 3, "summary": ["c"]}\n')
    with pytest.raises(InputError, match="there is no summary of topic 1"):
        score_summaries(gold, [system], ROUGE, as_json=True)
