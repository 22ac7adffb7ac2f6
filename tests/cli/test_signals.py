"""Ctrl-C and SIGTERM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from treaty.cli import _signals
from treaty.cli._signals import check_interrupted, heard, taking_signals


def send(number):
    os.kill(os.getpid(), number)
    threading.Event().wait(60)  # the handler runs before, or meanwhile


@pytest.fixture(autouse=True)
def usual():
    """A shell may have let Ctrl-C be ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
    _signals._HEARD.clear()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_interrupts_and_is_remembered(number):
    with taking_signals():
        check_interrupted()
        with pytest.raises(KeyboardInterrupt):
            send(number)
        assert heard() == number
        with pytest.raises(KeyboardInterrupt):
            check_interrupted()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with taking_signals():
        check_interrupted()


def test_handlers_of_others_are_left():
    seen = []
    before = signal.signal(signal.SIGTERM, lambda *_: seen.append(1))
    try:
        with taking_signals():
            os.kill(os.getpid(), signal.SIGTERM)
            while not seen:
                pass
        check_interrupted()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_other_threads_take_no_signals():
    done = []

    def work():
        with taking_signals():
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [signal.SIG_DFL]


@pytest.mark.parametrize(
    ("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")]
)
def test_a_command_that_writes_leaves_nothing(tmp_path, number, said):
    (tmp_path / "out").write_text("old")
    with subprocess.Popen(
        [sys.executable, "-m", "treaty", "tag", "-", "-o", tmp_path / "out", "-q"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:  # fmt: skip
        child.stdin.write(b"Cats sleep.\n\n")
        child.stdin.flush()
        while not list(tmp_path.glob(".treaty-*.part")):
            assert child.poll() is None
            time.sleep(0.02)
        child.send_signal(number)
        told = child.stderr.read().decode()
    assert (child.returncode, told) == (128 + number, f"treaty: error: {said}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out").read_text() == "old"
