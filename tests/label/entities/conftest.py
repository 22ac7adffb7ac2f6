"""Labelers of each order that have learned the toy messages."""

import pytest
from tests.label.entities.toy import make_messages

from treaty.label.entities import EntityLabeler, Gazetteers
from treaty.parse import Clusters


@pytest.fixture(scope="session")
def messages():
    return make_messages(60)


@pytest.fixture(scope="session", params=["chain", "global"])
def labeler(request, messages):
    return EntityLabeler.train(
        messages,
        make_messages(10, seed=2),
        order=request.param,
        threshold=0,
        language_model=None,
        tags=False,
        clusters=Clusters({"rome": "010", "oslo": "011"}),
        gazetteers=Gazetteers({"city": ["New York", "Rome"]}),
        info={"language": "en"},
    )
