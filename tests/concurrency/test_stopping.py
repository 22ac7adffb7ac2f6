"""Ctrl-C stops every long loop of the kernels, and threads that cannot be started mean fewer."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap

import pytest

HEAD = """
    import resource, signal, sys, warnings
    import numpy as np
    from treaty._native import features, induce, label, parse
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it

    tags = np.tile(np.array([0, 1, 2, 1, 0], np.int32), 8)
    corpus = induce.Corpus(3, tags, np.arange(0, 41, 5), np.ones(8))
    search = induce.Search(corpus, np.zeros(0), 0.0, 0.0, 0.0, 0, 10**6, 1 << 20)

    instances = label.Instances(np.array([1], np.int32))
    ones = np.zeros(0, np.float32)
    for _ in range(50):
        instances.start(3)
        hashes = np.array([11, 12, 13], np.uint64)
        instances.add(0, np.arange(3, dtype=np.int32), hashes, np.arange(4), ones)
    pair, none = np.arange(2, dtype=np.int32), np.zeros(0, np.int32)
    crf = label.Model(2, np.array([1], np.int32), [pair], [none], [False])
    crf.index(instances)
    bound = label.BoundInstances(crf, instances)
    gold = np.tile(np.array([0, 1, 1], np.int32), 50)
    cost, often = 1.0 - np.eye(2).ravel(), np.zeros(10**7, np.int32)
    none_marked, sets = np.zeros(0), np.zeros(0, np.uint8)
    weights = np.zeros(len(induce.expect(corpus, np.zeros(SIZE))[0]))
    """
ENDLESS = {
    "train": "label.train(crf, bound, gold, often, 1.0, 0.0, cost, 8, {threads})",
    "sgd": "label.sgd(crf, bound, gold, sets, often, 0.1, 0.0, 0.0, 8, {threads})",
    "search": "search.run(1e9, 10**15, {threads})",
    "restarts": "induce.restarts(corpus, weights, 1, 0.1, none_marked, 0.0, 1000, 0, 10**6, 0, "
    "{threads})",
}


def script(body: str) -> list[str]:
    size = "induce.count(corpus, np.tile(np.array([2, 0, 2, 3, 4], np.int32), 8)).size"
    return [sys.executable, "-c", textwrap.dedent(HEAD).replace("SIZE", size) + body]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c(name, threads):
    body = "print('ready', flush=True)\n" + ENDLESS[name].format(threads=threads)
    with subprocess.Popen(
        script(body), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert errors.strip().endswith("KeyboardInterrupt")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_memory_for_threads():
    """There is room for the work, but not for the stack of another thread."""
    body = textwrap.dedent("""
    alone = label.decode(crf, bound)[0].tolist()
    pages = int(open("/proc/self/statm").read().split()[0])
    room = pages * resource.getpagesize() + 4 * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = label.decode(crf, bound, 10**30)[0].tolist()
    print(found == alone, *[warning.message for warning in told])
    """)
    done = subprocess.run(script(body), capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("True only 1 of "), done.stderr
    assert done.stdout.strip().endswith("threads could be started; the results are the same")
