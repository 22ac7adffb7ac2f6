"""Messages made up for the tests: names that any labeler can learn, and random words."""

import random

from treaty.text import ColumnSentence

NAMES = {"PER": ["Ann", "Bob Brown", "Ada"], "LOC": ["Rome", "New York", "Oslo"]}
FRAMES = ["{PER} sleeps", "in {LOC} it rains", "{PER} lives in {LOC}", "we like tea", "see {LOC} !"]
WORDS = ["Rome", "rome", "#Rome", "eclipse", "the", "The", "@ann", "http://t.co/x", "9", "Sun", "a"]
STOP = frozenset({"the", "a"})


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


def random_messages(seed, count=12):
    rng = random.Random(seed)
    return [rng.choices(WORDS, k=rng.randint(0, 6)) for _ in range(count)]


def content(words):
    """What the rule says: words and hash tags of two letters and more, no function words."""
    return {w.lower() for w in words if w.lower() in ("rome", "#rome", "eclipse", "sun")}
