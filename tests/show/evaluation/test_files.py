import io
import json

import pytest
from tests.show.evaluation.data import GOLD, ROUGE, TREES

from treaty.errors import InputError, UsageError
from treaty.show.evaluation import score_files

NAMES = "Ann\tB-PER\nslept\tO\n"


def score(*texts, given=None, trees=TREES, rouge=ROUGE):
    paths = [io.StringIO(text) for text in texts]
    return json.loads(score_files(paths, given, trees, rouge, as_json=True, tell=print))


def test_streams_are_recognized():
    assert score(GOLD, GOLD)["uas"] == 1.0
    assert score(NAMES, NAMES)


@pytest.mark.parametrize(
    ("texts", "error"),
    [((GOLD, NAMES), InputError), (("", GOLD), InputError)],
)
def test_files_that_do_not_fit(texts, error):
    with pytest.raises(error):
        score(*texts)


def test_choices_that_do_not_fit():
    with pytest.raises(UsageError, match="are for summaries"):
        score(GOLD, GOLD, rouge=ROUGE._replace(stem=True))
    with pytest.raises(UsageError, match="only for trees"):
        score(NAMES, NAMES, trees=TREES._replace(undirected=True))
