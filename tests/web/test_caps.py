import dataclasses

import pytest

from treaty.errors import UsageError
from treaty.web._caps import PHRASES, Caps, Limits, TooLargeError, caps_of

WORDS = {"text": "a b c d"}
POST = {"text": "tea?"}
PAIR = {"variables": [{"name": "a"}, {"name": "b"}],
        "factors": [{"kind": "at_most_one", "of": ["a", "b"]}] * 2}  # fmt: skip
TOO_LARGE = [
    ("words", 3, "tag", WORDS),
    ("words", 3, "parse", WORDS),
    ("words", 3, "compress", WORDS),
    ("words", 3, "label", WORDS),
    ("words", 3, "predict", {"model": "english", **WORDS}),
    ("words", 3, "evaluate", {"gold": "a b", "system": "c d"}),
    ("words", 3, "link", {"posts": [POST] * 4}),
    ("words", 3, "summarize", {"articles": [{"text": "a b"}, {"text": "c d"}]}),
    ("words", 3, "induce", {"text": "N V N V"}),
    ("sentence_words", 3, "parse", {"text": "a b c d", "input_format": "tokens"}),
    ("sentence_words", 3, "tag", {"text": "a b c d", "input_format": "tokens"}),
    ("message_words", 3, "label", {"text": "a b c d", "input_format": "messages"}),
    ("message_words", 3, "label", {"text": "a b c d", "input_format": "tokens"}),
    ("word_characters", 3, "tag", {"text": "aaaa"}),
    ("sentences", 1, "tag", {"text": "a b\nc d", "input_format": "tokens"}),
    ("sentences", 1, "label", {"text": "a b\nc d", "input_format": "messages"}),
    ("sentences", 1, "induce", {"text": "N V\nV N"}),
    ("posts", 1, "link", {"posts": [POST] * 2}),
    ("posts", 1, "link", {"text": '{"posts": [{"text": "a"}]}\n' * 2}),
    ("documents", 1, "summarize", {"articles": [{"text": "a"}, {"text": "b"}]}),
    ("variables", 1, "solve", {"graph": PAIR}),
    ("factors", 1, "solve", {"graph": PAIR}),
    ("links", 3, "solve", {"graph": PAIR}),
    ("variables", 1, "solve", {"text": "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n", "input_format": "fg"}),
    ("links", 1, "solve", {"text": "2\n1\n0.5\n1.5\nATMOSTONE 2 1 2\n", "input_format": "fg"}),
    ("restarts", 1, "induce", {"text": "N V", "method": "viterbi-em", "restarts": 2}),
    ("tags", 1, "induce", {"text": "N V"}),
]


@pytest.mark.parametrize(
    ("name", "most", "operation", "asked"),
    TOO_LARGE,
    ids=[f"{name}-{operation}" for name, _, operation, _ in TOO_LARGE],
)
def test_what_is_too_large_is_refused_with_the_cap(context, name, most, operation, asked):
    from treaty.web._operations import OPERATIONS

    context.caps = Caps(**{name: most})
    request = OPERATIONS[operation].request.model_validate(asked)
    with pytest.raises(TooLargeError) as refused:
        OPERATIONS[operation].whole(request, context)
    said = f"more than {most} {PHRASES.get(name, name)}: "
    assert said in refused.value.message
    assert f"--cap {name}=N" in refused.value.message


@pytest.mark.parametrize(("name", "most", "operation", "asked"), TOO_LARGE)
def test_what_is_just_as_large_as_allowed_is_done(context, name, most, operation, asked):
    from treaty.errors import TreatyError
    from treaty.web._operations import OPERATIONS

    context.caps = Caps(**{name: 2 * most + 2})
    request = OPERATIONS[operation].request.model_validate(asked)
    try:
        OPERATIONS[operation].whole(request, context)
    except TreatyError as error:
        assert not isinstance(error, TooLargeError), error


def test_every_cap_is_kept_somewhere():
    assert {name for name, *_ in TOO_LARGE} == {one.name for one in dataclasses.fields(Caps)}


def test_the_server_says_413(client_of):
    client = client_of(caps=Caps(words=3))
    answer = client.post("/api/tag", json={"text": "aa " * 20_000})
    assert answer.status_code == 413
    assert "--cap words=N" in answer.json()["error"]["message"]


def test_caps_and_limits_are_written_and_read():
    limits = Limits(3.0, 200, Caps(words=5))
    assert Limits.from_dict(limits.to_dict()) == limits
    assert caps_of(["words=5", "posts=7"]) == Caps(words=5, posts=7)


@pytest.mark.parametrize("wrong", ["words", "words=", "words=x", "words=-1", "words=0", "wolves=1"])
def test_senseless_caps_are_refused(wrong):
    with pytest.raises(UsageError):
        caps_of([wrong])
