"""Bodies of documents: what is no sentence is blank, and the rest stays where it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.summarize._body import body_of, unmarked
from treaty.text import Article

NEWS = """Storm leaves thousands without power on the coast
By Jane Doe, Staff Writer
Published March 3, 2024 10:15 am

HARBOURTON (Reuters) - A storm hit the coast on Sunday and cut power to 20,000 homes.
The mayor said repairs would take two days.

Photo: A fallen tree in Main Street (AP Photo/John Smith)

What happens next

Crews will work through the night. Schools stay closed.

- Harbour road: closed
- The ferry will run again on Tuesday, the company said.

Town      Homes   Days
Harbourton  12,000   2

Share this article on Facebook
We use cookies to improve your experience on this site.
© 2024 Harbour News. All rights reserved.
"""
MAIL = """From: Ann Lee <ann@x.org>
To: team@x.org
Subject: Re: Re: Budget for the new roof
Date: Mon, 4 Mar 2024 09:12:00 +0000

Hi all,

The roofer sent a new offer of 14,000 euros. We need to decide by Friday.

On Mon, Mar 4, 2024 at 8:00 AM, Bob Ray wrote:
> Did we hear from the roofer?

Best regards,
Ann
--
Ann Lee
Treasurer
"""
CHAT = """[10:02] ann: the server is down again
[10:03] bob: I restarted it an hour ago, it should be fine.
[10:05] * carl joined
[10:06] carl: We should move the backup to the other disk.
"""
MARKDOWN = """# Sleep and health

## Why we sleep

Sleep restores the body and the mind. Adults need seven hours.

| age | hours |
| --- | --- |
| 1 | 12 |

1. Go to bed early every day.
2. Dark room
"""
RIVER = """The river Orn rises in the hills of the north and runs for 80 miles through
Eastmark and Westmark before it reaches the sea near the town of Orn. It has
been used for trade since Roman times."""


def lines_of(text):
    body = body_of(Article(text))
    assert len(body.text) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, body.text, strict=True))
    return body, [" ".join(line.split()) for line in body.text.split("\n") if line.strip()]


def test_an_article():
    body, lines = lines_of(NEWS)
    assert (body.title, body.date) == (NEWS.split("\n")[0], "March 3, 2024")
    assert lines == [
        "A storm hit the coast on Sunday and cut power to 20,000 homes.",
        "The mayor said repairs would take two days.",
        "Crews will work through the night. Schools stay closed.",
        "The ferry will run again on Tuesday, the company said.",
    ]


def test_a_message():
    body, lines = lines_of(MAIL)
    assert (body.title, body.date) == ("Budget for the new roof", "Mon, 4 Mar 2024 09:12:00 +0000")
    assert lines == ["The roofer sent a new offer of 14,000 euros. We need to decide by Friday."]


def test_a_chat():
    body, lines = lines_of(CHAT)
    assert body.title is None
    assert lines == [
        "ann: the server is down again",
        "bob: I restarted it an hour ago, it should be fine.",
        "carl: We should move the backup to the other disk.",
    ]


def test_markdown():
    body, lines = lines_of(MARKDOWN)
    assert body.title == "Sleep and health"
    assert lines == [
        "Sleep restores the body and the mind. Adults need seven hours.",
        "Go to bed early every day.",
    ]


def test_wrapped_text_has_no_headline():
    body, lines = lines_of(RIVER)
    assert body.title is None and len(lines) == 3


@pytest.mark.parametrize(
    ("text", "rest", "date"),
    [
        ("March 26, 2005 Up to four people died. It rained.", "Up to four people died. It rained.",
         "March 26, 2005"),
        ("LONDON, Jan. 5 (AP) — It rained.", "It rained.", None),
        ("CONCORD, N.H. (Nov. 12) — It rained.", "It rained.", None),
        ("LONDON, 12 Nov. (BBC) – It rained.", "It rained.", None),
        ("LONDON -- It rained.", "It rained.", None),
        ("Rome is old - it is very old.", "Rome is old - it is very old.", None),
        ("It rained.", "It rained.", None),
        ("Hello", "Hello", None),
        ("Cost: 3 euros.\nSize: 4 meters.\nColor: red as a rose.", None, None),
    ],
)  # fmt: skip
def test_beginnings(text, rest, date):
    body = body_of(Article(text))
    if rest is not None:
        assert (body.text.strip(), body.date) == (rest, date)


def test_what_is_given_is_kept():
    body = body_of(Article(NEWS, title="Storm", date="2024-03-04"))
    assert (body.title, body.date) == ("Storm", "2024-03-04")


@given(st.text(st.sampled_from("Ab1 .:-|>#\n\t[]()*,"), max_size=80))
def test_nothing_moves(text):
    body = body_of(Article(text))
    assert len(body.text) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, body.text, strict=True))


def test_long_lines_take_no_long_time():
    text = "a  b " * 200_000
    assert body_of(Article(text)).text == text


@pytest.mark.parametrize("again", ["RAIN AGAIN: what to do!", "Rain again: what to do May 3, 2024"])
def test_a_headline_that_is_said_again_is_blank(again):
    body = body_of(Article(f"Rain again: what to do\n\n{again}\n\nIt fell."))
    assert (body.title, body.text.split()) == ("Rain again: what to do", ["It", "fell."])


def test_questions_may_be_headlines():
    text = "Is it rain?\n\nIt was rain, and it fell all day long in Ulm."
    assert body_of(Article(text)).title == "Is it rain?"
    assert body_of(Article("Is it rain?\n\nIt was.")).title is None


def test_senders_and_chats():
    mail = "From: Ann Lee <ann@example.org>\nSubject: Rain\n\nIt fell."
    assert body_of(Article(mail)).senders == ((0, "Ann Lee"),)
    assert body_of(Article("ann: hi\nbo: hello\nann: rain?")).is_chat
    assert not body_of(Article(mail)).is_chat


THREAD = """From: Ann Lee <ann@example.org>
Subject: Rain
Date: 3 May 2024

It fell on my hat.

From: Bo Hall
Subject: Re: Rain
Date: 4 May 2024

I like it.

On Sat, 4 May 2024 at 10:12, Cy Young <cy@example.org> wrote:

It is wet.

Dee wrote:
> What a day.

So it is."""


def test_several_messages_in_one_text_have_their_own_senders():
    body = body_of(Article(THREAD))
    lines = [line for line in body.text.split("\n") if line.strip()]
    said = {line: body.sender_at(THREAD.index(line)) for line in lines}
    # What follows a quotation is an answer of whoever wrote before.
    assert said == {
        "It fell on my hat.": "Ann Lee",
        "I like it.": "Bo Hall",
        "It is wet.": "Cy Young",
        "So it is.": "Cy Young",
    }
    assert (body.title, body.date) == ("Rain", "3 May 2024")


@pytest.mark.parametrize(
    "stamp",
    ["[10:02]", "Wed 10:02", "12/05/2025, 20:14 -", "May 3, 10:02 AM", "3 May 2024 10:02", "10:02"],
)
def test_time_stamps_of_chats(stamp):
    lines = [f"{stamp} Ann: rain again today", f"{stamp} Bo: yes", f"{stamp} Ann: how sad"]
    body = body_of(Article("\n".join(lines)))
    assert body.is_chat
    assert [line.strip() for line in body.text.split("\n")] == [
        "Ann: rain again today",
        "Bo: yes",
        "Ann: how sad",
    ]


SLACK = """Ann Lee  6:02 PM
rain again today

Bo  6:05 PM
how sad
I go home

Ann Lee  6:09 PM
bye"""
MARKED = """# Rain

It **fell** on [the town](http://ulm.example), `hard`.

```sh
ls it
```

It stopped."""


def test_speakers_may_stand_above_their_messages():
    body = body_of(Article(SLACK))
    assert body.is_chat
    assert " ".join(body.text.split()) == "rain again today how sad I go home bye"
    places = [SLACK.index(line) for line in ("rain", "I go", "bye")]
    assert [body.sender_at(place) for place in places] == ["Ann Lee", "Bo", "Ann Lee"]
    assert not body_of(Article(SLACK.replace("Bo  6", "Ann Lee  6"))).senders  # nobody answers


def test_marks_and_code_of_markdown():
    body = body_of(Article(MARKED))
    assert " ".join(body.text.split()) == "It fell on the town , hard . It stopped."
    assert len(body.text) == len(MARKED)
    assert unmarked("[![a](b)](c) ~~~") == "             ~~~"
    unclosed = "It fell.\n```\nIt rose."
    assert body_of(Article(unclosed)).text.split()[-2:] == ["It", "rose."]
