"""A search that is killed, whenever that is, goes on where it was."""

import subprocess
import sys
import time

from treaty.induce import Corpus
from treaty.induce.relaxation import branch_and_bound
from treaty.learn import load_model
from treaty.solve import Status

TAGS = [["N", "V"], ["V", "N"]]
PROGRAM = f"""
import sys
from treaty.induce import Corpus
from treaty.induce.relaxation import _branch_and_bound as search
search.SAVE_EVERY = 0.0
told = lambda progress: print(repr(progress.bound), repr(progress.objective), flush=True)
where = {{sys.argv[1]: sys.argv[2]}}
search.branch_and_bound(Corpus.from_tags({TAGS}), progress=told, **where)
"""


def run_and_kill(how, folder, lines):
    """Run until so many lines have been printed, kill -9, and return the last of them."""
    command = [sys.executable, "-c", PROGRAM, how, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        told = [process.stdout.readline() for _ in range(lines)]
        time.sleep(0.003 * lines)
        process.kill()
    return [float(value) for value in told[-1].split()]


def test_nothing_that_was_told_is_lost_by_kill_9(tmp_path):
    corpus = Corpus.from_tags(TAGS)
    unbroken = branch_and_bound(corpus)
    assert unbroken.nodes > 60
    bound, objective, nodes = 0.1, -float("inf"), 0
    for how, lines in (("checkpoint", 5), ("resume", 9), ("resume", 4)):
        told_bound, told_objective = run_and_kill(how, tmp_path, lines)
        assert told_bound <= bound and told_objective >= objective
        bound, objective = told_bound, told_objective
        saved = load_model(tmp_path / "relaxation.treaty").header
        assert saved["nodes"] > nodes
        nodes = saved["nodes"]
    found = branch_and_bound(corpus, resume=tmp_path)
    assert found.status is Status.OPTIMAL
    assert found.nodes == unbroken.nodes
    assert found.bound == unbroken.bound <= bound
    assert found.objective == unbroken.objective
