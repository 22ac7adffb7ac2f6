import io
import json

import pytest

from treaty.errors import InputError
from treaty.show.evaluation._others import score_compressions, score_entities, score_links

NAMES = "Ann\tB-PER\nslept\tO\n"
THREAD = '{"posts": [{"text": "a"}, {"text": "b"}], "links": [[1, 0]]}\n'


def streams(*texts):
    return map(io.StringIO, texts)


def test_entities_links_and_compressions_of_one_system_or_two():
    text = score_entities(*streams(NAMES, NAMES), as_json=True)
    assert "1.0" in text
    assert json.loads(score_links(*streams(THREAD, THREAD), as_json=True))
    with pytest.raises(InputError, match="nothing in it to score"):
        score_compressions(*streams("", ""), as_json=True)


def test_other_words_are_refused():
    with pytest.raises(InputError, match="system: sentence 1 has other words"):
        score_entities(*streams(NAMES, NAMES.replace("Ann", "Bob")), as_json=True)
