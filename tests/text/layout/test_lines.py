"""Layout: which lines begin a sentence for certain, labels, evidence of line breaks."""

import pytest

from treaty import UsageError
from treaty.languages import get
from treaty.text.layout._lines import blocks_of, dateline_end

WRAPPED = (
    "The committee met on Thursday to discuss the plans for the new\n"
    "library, which will be built near the station. The cost was not\n"
    "known at the time."
)


def begins(text, lines="auto"):
    (block,) = blocks_of(text, lines, get("en"))
    return [line.begins for line in block]


def heads(text):
    return [
        text[line.start : line.head]
        for block in blocks_of(text, "auto", get("en"))
        for line in block
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Please bring these things to the meeting in the hall:\n- pens\n- paper",
        "Those are the rules for all who want to come to the hall\n1. no noise\n2. no food",
        "From: Ann Lee\nSubject: A question about the meeting in the hall on Friday",
        "[12:03] sam: I have not seen it yet, what is it about\n[12:04] kim: a dog",
        "<joe> my disk is full again and I do not know what to do\n<ann> empty it",
        "Ann: Was it as good as they say that it was, or was it not?\nBob: It was.",
        "Name\tAge\tCity and country of the person who was asked\nAnn\t31\tParis",
        "Item of the list that we made      Price\nTea that was bought      2.50",
        "Somebody wrote this about the dog and the cat that we have:\n> It barked.\nYes.",
        "See you there on Friday, when the others have come home\n--\nKim Wong",
        "hi\nwhere r u\nat home",
        "Hi Bob,\nthe meeting that we talked about is on Monday at nine.",
        "Birds sing\nFish swim",
        "# A heading that is quite long for one of its kind\nThe text\n## Another\nMore text",
        "12\n00:00:01,000 --> 00:00:04,000\nWhere were you last night, when we looked for you?",
        "[00:12] Well, I think that this is what we had to do\n[00:15] We should go",
        "2024-05-01 12:30:11,123 ERROR no connection to it\n2024-05-01 12:30:12,001 INFO Again",
        "Eggs\nTwo cups of flour\nMilk\nAll of these go into a bowl that has to be cold.",
    ],
)
def test_lines_that_begin_a_sentence(text):
    assert all(begins(text))


@pytest.mark.parametrize("text", [WRAPPED, "Cats don't\nrun.", "I saw it on\nmy way to\nwork."])
def test_lines_of_which_the_model_decides(text):
    first, *rest = begins(text)
    assert first and not any(rest)


def test_a_line_that_begins_with_a_time_may_go_on():
    text = WRAPPED.replace("known at", "12:30 at")
    assert begins(text) == [True, False, False]


def test_a_number_is_that_of_a_subtitle_only_before_its_times():
    assert begins("We saw 12 of them on the hill, and on the way back home there were\n12\nmore.") \
        == [True, False, False]  # fmt: skip


def test_wrapped_lines_in_lower_case_go_on():
    (block,) = blocks_of(WRAPPED)
    assert [line.continues for line in block] == [False, True, True]
    for changed in ("known.", "known", "Known"):  # a mark, no wrapping, a capital
        text = f"{WRAPPED}\nThe rest was {changed}\nor so."
        (block,) = blocks_of(text)
        assert not block[-1].continues
    (block,) = blocks_of("where r u i have been looking for you all day\nat home\nok bye now")
    assert not any(line.continues for line in block)


def test_a_box_to_check_is_part_of_the_label():
    assert heads("- [ ] eat\n- [x] sleep") == ["- [ ] ", "- [x] "]
    assert heads("[ ] eat\n[x] sleep") == ["[ ] ", "[x] "]


def test_a_date_is_not_divided():
    assert heads("Date: 3 June\nSubject: the hall") == ["Date: 3 June", "Subject: "]


def test_a_dash_in_wrapped_text_is_no_item():
    text = WRAPPED.replace("library,", "- library")
    assert begins(text) == [True, False, False]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1) one 2) two 3) three", ["1) one", "2) two", "3) three"]),
        ("(1) one 3 (2) two", ["(1) one 3", "(2) two"]),
        ("1.) one 2.) two", ["1.) one", "2.) two"]),
        ("a. one b. two", ["a. one", "b. two"]),
        ("• 9. one • 10. two", ["• 9. one", "• 10. two"]),
        ("• one • two • three", ["• one", "• two", "• three"]),
        ("⁃9. one ⁃10. two", ["⁃9. one", "⁃10. two"]),
        ("1. one 3. three", ["1. one 3. three"]),
        ("A. Hill and B. Jones", ["A. Hill and B. Jones"]),
        ("- one - two", ["- one - two"]),
    ],
)
def test_items_on_one_line(text, items):
    (block,) = blocks_of(text)
    assert [text[line.start : line.end] for line in block] == items
    assert all(line.begins for line in block)


def test_labels_hold_their_text():
    assert heads("1. Wash it.\n2. Dry it.") == ["1. ", "2. "]
    assert heads("[12:03] sam: lol\n[12:04] kim: what") == ["[12:03] sam: ", "[12:04] kim: "]
    assert heads("Bob: It was.\nAnn: No.") == ["Bob: ", "Ann: "]
    assert heads("Bob: It was.") == [""]  # one may be a word with a colon
    assert heads("a\tb c\nd\te f") == ["a\tb c", "d\te f"]


def test_evidence_of_line_breaks():
    (block,) = blocks_of(f"Dogs Bark\n{WRAPPED}")
    assert [(line.evidence, line.style) for line in block] == [
        ("", ""), ("short2", "Aa2"), ("full2", "x5"), ("full2", "a5"),
    ]  # fmt: skip


def test_what_lines_are_said_to_be():
    text = "- a b.\n  c\n- d"
    assert begins(text, "wrapped") == [True, False, False]
    assert begins(text, "sentence") == begins(text, "paragraph") == [True, True, True]
    (block,) = blocks_of(text, "sentence")
    assert [line.head == line.end for line in block] == [True, True, True]
    with pytest.raises(UsageError, match="lines must be one of auto, wrapped"):
        list(blocks_of(text, "some"))


@pytest.mark.parametrize("gap", ["\n\n", "\n \t\n", "\r\n\r\n", "\n\n\n"])
def test_blank_lines_separate_blocks(gap):
    assert [len(block) for block in blocks_of(f"\n\na\nb{gap}c\n")] == [2, 1]


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n"])
def test_nothing_has_no_blocks(text):
    assert list(blocks_of(text)) == []


def test_ragged_lines_in_lower_case_are_messages():
    chat = "hey are you coming tonight?\nyeah just finishing work\nok bring snacks pls\nlol fine"
    (block,) = blocks_of(chat)
    assert all(line.begins for line in block)
    wrapped = (
        "the first line of a paragraph in lower case\nthat is wrapped, as people do in mail,\n"
    )
    wrapped += (
        "goes on here and there for a few lines, so\nno sentence begins in any of these lines"
    )
    (block,) = blocks_of(wrapped)
    assert [line.begins for line in block] == [True, False, False, False]
    (block,) = blocks_of(chat.capitalize())  # for the model to tell
    assert not all(line.begins for line in block)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("WASHINGTON (Reuters) - Stocks fell.", "Stocks fell."),
        ("CONCORD, N.H. (Nov. 12) — It rained.", "It rained."),
        ("RALEIGH, N.C. — It rained.", "It rained."),
        ("LONDON, 12 Nov. (BBC) – It rained.", "It rained."),
        ("NEW DELHI, Nov 3 -- It rained.", "It rained."),
        ("I - and only I - know.", None),
        ("Concord, N.H. It rained.", None),
        ("USA. It rained - again.", None),
        ("", None),
    ],
)
def test_datelines(text, rest):
    end = dateline_end(text, 0, len(text))
    assert (text[end:] if end >= 0 else None) == rest
