"""Threads that share models and graphs: python -m tests.concurrency.stress --minutes 10.

Every thread does jobs in an order of its own and compares each result with that of one thread
alone: predictions of all models, solves by several methods, trainings. Beside them one thread
changes the shared graph's twin. The last line has the number of jobs, of wrong results, and the
memory after a minute and at the end.
"""

from __future__ import annotations

import argparse
import random
import resource
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path

from tests.concurrency.test_shared_models import METHODS, results, trained
from tests.solve.problems import ising

from treaty import FactorGraph, UsageError
from treaty.learn import model_class, tasks
from treaty.solve import solve


def solved(graph: FactorGraph, method: str) -> tuple[object, ...]:
    found = solve(graph, method)
    return found.values.tolist(), found.objective, found.bound


def retrained(task: str) -> bytes:
    sample = model_class(task).sample()
    options = {"threads": 2, **sample.options}
    return model_class(task).train(sample.examples, **options).to_bytes()


def tampered(graph: FactorGraph) -> str:
    """Change a graph that others are solving: it is done or refused, and nothing breaks."""
    try:
        graph.set_score(graph[0], 0.5)
        graph.reward(graph[0], graph[1], 0.0)
    except UsageError:
        pass
    solve(graph, "ad3", iterations=5)
    return "alive"


def memory() -> float:
    """Resident megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--threads", type=int, default=8)
    given = parser.parse_args()
    graph, victim = ising(6), ising(6, seed=1)
    jobs = {f"predict {task}": partial(results, task, threads=2) for task in tasks()}
    jobs |= {f"solve {method}": partial(solved, graph, method) for method in METHODS}
    jobs |= {f"train {task}": partial(retrained, task) for task in ("tagger", "sequences")}
    jobs["tamper"] = partial(tampered, victim)
    expected = {name: job() for name, job in jobs.items()}
    assert all(trained(task) for task in tasks())
    done: Counter[str] = Counter()
    wrong: list[str] = []
    start = time.monotonic()
    end = start + 60.0 * given.minutes

    def work(number: int) -> None:
        order = random.Random(number)
        while time.monotonic() < end:
            name = order.choice(list(jobs))
            try:
                same = jobs[name]() == expected[name]
            except Exception as error:
                wrong.append(f"{name}: {error!r}")
            else:
                done[name] += 1
                if not same:
                    wrong.append(f"{name}: another result")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(given.threads)]
    for thread in threads:
        thread.start()
    time.sleep(min(60.0, 20.0 * given.minutes))
    early = memory()
    for thread in threads:
        thread.join()
    for name, count in sorted(done.items()):
        print(f"{count:8} {name}")
    for line in wrong[:20]:
        print(line)
    print(f"{done.total()} jobs, {len(wrong)} wrong, {early:.0f} MB, then {memory():.0f} MB")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
