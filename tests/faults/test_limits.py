"""All commands with time limits from none at all to a second: an answer, or a word why not."""

from __future__ import annotations

import json
import random

import pytest
from tests.faults.checking import MAIN

LIMITS = (0.0, 0.01, 0.1, 1.0)
COMMANDS = {
    **{
        f"solve {method}": f"solve IN/map.uai --method {method} --format json"
        for method in ("ad3", "subgradient", "two-slave", "naive", "lp", "ilp", "exact")
    },
    "solve --k-best": "solve IN/map.uai --k-best 3 --format json",
    "label": "label IN/long.txt --input-format tokens --model IN/entities.treaty --format json",
    "label exact": "label IN/long.txt --input-format tokens --model IN/entities.treaty "
    "--method exact --format json",
    "link": "link IN/posts.jsonl --model IN/threads.treaty --format json",
    "link --method": "link IN/posts.jsonl --model IN/threads.treaty --method ilp --format json",
    **{
        f"summarize {method}": f"summarize IN/long.txt --model IN/summarizer.treaty "
        f"--input-format text --method {method} --words 20 --format json"
        for method in ("ad3", "lp", "ilp", "exact")
    },
    **{
        f"induce {method}": f"induce IN/tags.txt --method {method} --format json"
        for method in ("branch-and-bound", "viterbi-em", "em")
    },
    "induce --relaxation": "induce IN/tags.txt --relaxation mccormick --format json",
}


@pytest.fixture(scope="module")
def inputs(house):
    """Inputs that take longer than the shortest limits."""
    rng = random.Random(1)
    words = ["the", "cat", "sat", "on", "Ann", "Lee", "met", "Bob", "in", "Rome", "rain", "fell"]

    def line():
        return " ".join(rng.choices(words, k=rng.randint(3, 12)))

    house.inputs.joinpath("long.txt").write_text("".join(f"{line()}.\n" for _ in range(300)))
    posts = [{"text": line(), "author": rng.choice("ABC")} for _ in range(120)]
    house.inputs.joinpath("posts.jsonl").write_text(json.dumps({"posts": posts}) + "\n")
    tags = "".join(" ".join(rng.choices("NVADP", k=rng.randint(2, 9))) + "\n" for _ in range(150))
    house.inputs.joinpath("tags.txt").write_text(tags)
    return house.inputs


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_limit_gives_an_answer_or_says_that_there_is_none(house, inputs, name, limit):
    arguments = [w.replace("IN/", f"{inputs}/") for w in COMMANDS[name].split()]
    result = house.zygote.run(MAIN, [*arguments, "--time-limit", str(limit)])
    assert result.code in (0, 4), result
    assert "Traceback" not in result.err, result
    records = [json.loads(line) for line in result.out.splitlines()]
    if not records:
        assert "treaty: error: the time limit was reached" in result.err, result
        return
    for record in records:
        told = record.get("certificate", record)
        bound, objective = told["bound"], told["objective"]
        assert told["status"] in ("OPTIMAL", "FRACTIONAL", "FEASIBLE", "UNKNOWN"), record
        assert bound is None or objective is None or bound >= objective - 1e-6 * abs(objective)
