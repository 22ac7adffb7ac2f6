"""Messages made up for the tests: names that any labeler can learn."""

import random

import pytest

from treaty.corpus import ColumnSentence
from treaty.label.entities import EntityLabeler, Gazetteers
from treaty.parse import Clusters

NAMES = {"PER": ["Ann", "Bob Brown", "Ada"], "LOC": ["Rome", "New York", "Oslo"]}
FRAMES = ["{PER} sleeps", "in {LOC} it rains", "{PER} lives in {LOC}", "we like tea", "see {LOC} !"]


def make_messages(count, seed=1):
    rng = random.Random(seed)
    messages = []
    for _ in range(count):
        rows = []
        for piece in rng.choice(FRAMES).split():
            kind = piece.strip("{}")
            if kind not in NAMES:
                rows.append((piece, "O"))
                continue
            words = rng.choice(NAMES[kind]).split()
            rows += [(w, f"{'I' if i else 'B'}-{kind}") for i, w in enumerate(words)]
        messages.append(ColumnSentence(rows))
    return messages


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
