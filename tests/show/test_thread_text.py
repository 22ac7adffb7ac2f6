"""Threads as text."""

from treaty import Certificate
from treaty.show import thread_text
from treaty.text import Link, Post, Thread

CHAT = Thread(
    [Post("Any <sheep> & wheat?", "Ann"), Post("No.", "Bob"), Post("Sorry", "Bob"), Post("", "")],
    [Link(1, 0, "Answer"), Link(2, 1), Link(2, 0)],
)


def test_text_names_targets_and_is_safe_for_terminals():
    text = thread_text(CHAT, certificate=Certificate.exact(3.5), encoding="ascii")
    assert text.splitlines() == [
        "0          Ann  Any <sheep> & wheat?",
        "1 -> 0     Bob  No.",
        "2 -> 0, 1  Bob  Sorry",
        "3          -",
        "OPTIMAL ? bound 3.5 ? gap 0",
    ]
    assert "\x1b" not in thread_text(Thread([Post("\x1b[31mred", "\x1b")]))


def test_posts_are_one_line_each_and_not_too_long():
    thread = Thread([Post("a\n  b\tc", "N" * 99), Post("x" * 999, "Bob")])
    lines = thread_text(thread).splitlines()
    assert lines[0] == f"0  {'N' * 15}…  a b c"
    assert lines[1] == f"1  {'Bob':<16}  {'x' * 399}…"


def test_nothing_gives_nothing():
    assert thread_text(Thread([])) == ""
