"""Who asks in the soak: a friendly client, and others, each with an address of its own.

All addresses are of this machine (127.0.0.0/8), and every attack has a number of connections and
requests at once that it does not exceed.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from research.benchmarks._serving_clients import Client, hostile_requests

FRIEND = "127.0.0.2"
ASKED = b'{"text": "She saw the man with the telescope in London."}'
PAUSE = 0.1
"""Seconds between two requests of the friendly client."""
PATIENCE = 60.0
BROKEN = (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError)
WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "and",
    "Ann",
    "Smith",
    "met",
    "Bob",
    "in",
    "Rome",
    "while",
    "rain",
    "fell",
    ".",
]
Statuses = Counter[int]
Attack = Callable[[str, int, float, Statuses], Awaitable[None]]


async def friendly(host: str, port: int, end: float) -> tuple[list[float], int]:
    """Ask for a parse ten times a second; returns how long each took, and how many failed."""
    taken, failed = list[float](), 0
    while time.monotonic() < end:
        try:
            async with Client(host, port, FRIEND) as client:
                while time.monotonic() < end:
                    began = time.perf_counter()
                    call = client.ask("POST", "/api/parse", ASKED)
                    status, _ = await asyncio.wait_for(call, PATIENCE)
                    taken.append(time.perf_counter() - began)
                    failed += status != 200
                    await asyncio.sleep(PAUSE)
        except BROKEN:
            failed += 1
            await asyncio.sleep(PAUSE)
    return taken, failed


async def usual_and_odd(
    seed: int,
    host: str,
    port: int,
    end: float,
    statuses: Statuses,
    requests: Mapping[str, Any],
    text: str,
) -> None:
    """Ask usual, odd, damaged and senseless things; leave early now and then."""
    rng = random.Random(seed)
    while time.monotonic() < end:
        try:
            async with Client(host, port, f"127.0.1.{seed + 1}") as client:
                for _ in range(rng.randint(1, 20)):
                    path, body, kind = hostile_requests(rng, requests, text)
                    call = client.ask("POST", path, body, kind)
                    status, _ = await asyncio.wait_for(call, 0.02 if rng.random() < 0.05 else 120)
                    statuses[status] += 1
                    await asyncio.sleep(0.05)
        except BROKEN:
            statuses[0] += 1  # the client went, or the connection was closed on it


# Attacks


def _tags(rng: random.Random, tags: str, lines: int) -> str:
    return "\n".join(" ".join(rng.choices(tags, k=10)) for _ in range(lines))


def _long_work(rng: random.Random) -> tuple[str, Any]:
    """Work that ends only at its limit, or not even then."""
    tiny = {
        "variables": [{"name": n, "score": s} for n, s in (("a", 0), ("b", -1e-300), ("c", 0))],
        "factors": [
            {"kind": "at_least_one", "of": ["a", "b"]},
            {"kind": "at_least_one", "of": ["~b", "c", "~a"]},
        ],
    }
    names = [f"v{i}" for i in range(40)]
    dense = {
        "variables": [{"name": name, "score": rng.uniform(-1, 1)} for name in names],
        "factors": [
            {"kind": "reward", "of": [a, b], "score": rng.uniform(-1, 1)}
            for i, a in enumerate(names)
            for b in names[:i]
        ],
    }
    return rng.choice(
        [
            ("solve", {"graph": tiny, "method": "exact", "time_limit": 1}),
            ("solve", {"graph": dense, "method": "ad3", "iterations": 10**9, "gap": 0}),
            ("induce", {"text": _tags(rng, "ABCDEFGHIJKL", 300)}),
        ]
    )


def _much_memory(rng: random.Random) -> tuple[str, Any]:
    """Requests that grow: long messages, many posts, many sentences."""
    words = " ".join(rng.choices(WORDS, k=190_000))
    posts = [
        {"text": " ".join(rng.choices(WORDS, k=8)), "author": f"a{i % 50}"} for i in range(1900)
    ]
    message = " ".join(rng.choices(WORDS, k=1900)).replace(".", "")
    return rng.choice(
        [
            ("label", {"text": "\n".join([message] * 90), "input_format": "messages"}),
            ("link", {"posts": posts, "time_limit": 2}),
            ("parse", {"text": words, "entities": True, "time_limit": 1}),
            ("summarize", {"text": words[:300_000], "words": 5000, "method": "ilp"}),
            ("evaluate", {"gold": words, "system": "a", "input_format": "text"}),
        ]
    )


def _too_large(rng: random.Random) -> tuple[str, Any]:
    """What is refused at once."""
    words = " ".join(rng.choices(WORDS, k=900_000))[:3_800_000]
    return rng.choice(
        [
            ("label", {"text": words, "input_format": "messages"}),
            ("tag", {"text": "a" * 3_900_000}),
            ("tag", {"text": words * 2}),
            ("link", {"posts": [{"text": "tea?"}] * 10_000}),
            ("induce", {"text": _tags(rng, "AB", 10), "restarts": 10**6, "method": "viterbi-em"}),
            ("induce", {"text": "A B", "seed": 2**64}),
        ]
    )


def _prepared(make: Callable[[random.Random], tuple[str, Any]]) -> list[tuple[str, bytes]]:
    """Make requests, before the clock runs."""
    rng = random.Random(5)
    found = dict[str, tuple[str, bytes]]()
    for _ in range(24):
        name, asked = make(rng)
        found[f"{name} {sorted(asked)}"] = f"/api/{name}", json.dumps(asked).encode()
    return list(found.values())


async def _rest(seconds: float, end: float) -> None:
    await asyncio.sleep(max(0.0, min(seconds, end - time.monotonic())))


def flood(make: Callable[[random.Random], tuple[str, Any]], source: str, at_once: int) -> Attack:
    """Make an attack that has so many requests at once, and sends others when they are answered."""
    prepared = _prepared(make)

    async def attack(host: str, port: int, end: float, statuses: Statuses) -> None:
        async def ask(seed: int) -> None:
            rng = random.Random(seed)
            while time.monotonic() < end:
                path, body = rng.choice(prepared)
                with suppress(*BROKEN):
                    async with Client(host, port, source) as client:
                        call = client.ask("POST", path, body)
                        status, _ = await asyncio.wait_for(call, max(0.1, end - time.monotonic()))
                        statuses[status] += 1
                await _rest(1.0, end)  # also when it is refused: it is told to wait

        await asyncio.gather(*(ask(seed) for seed in range(at_once)))

    return attack


def abandon(make: Callable[[random.Random], tuple[str, Any]], source: str) -> Attack:
    """Make an attack that asks for long work, and leaves."""
    prepared = _prepared(make)

    async def attack(host: str, port: int, end: float, statuses: Statuses) -> None:
        rng = random.Random(9)
        while time.monotonic() < end:
            path, body = rng.choice(prepared)
            with suppress(*BROKEN):
                async with Client(host, port, source) as client:
                    call = client.ask("POST", path, body)
                    await asyncio.wait_for(call, 0.5)
            statuses[0] += 1
            await asyncio.sleep(0.5)

    return attack


def drip(half: bytes, source: str, connections: int) -> Attack:
    """Make an attack that begins many requests, and sends a byte of each now and then."""

    async def attack(host: str, port: int, end: float, _: Statuses) -> None:
        async def hold() -> None:
            while time.monotonic() < end:
                with suppress(*BROKEN):
                    _, writer = await asyncio.open_connection(host, port, local_addr=(source, 0))
                    writer.write(half)
                    with suppress(*BROKEN):
                        while time.monotonic() < end:
                            await _rest(3.0, end)
                            writer.write(b"a")
                            await writer.drain()
                    writer.close()
                await _rest(3.0, end)

        await asyncio.gather(*(hold() for _ in range(connections)))

    return attack


def attacks() -> Iterator[Attack]:
    yield flood(_long_work, "127.0.2.1", 32)
    yield flood(_much_memory, "127.0.2.2", 2)
    yield flood(_too_large, "127.0.2.3", 1)
    yield abandon(_long_work, "127.0.2.4")
    yield drip(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-", "127.0.2.5", 300)
    head = b"POST /api/tag HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    yield drip(head + b"Content-Length: 3000000\r\n\r\n{", "127.0.2.6", 100)


if __name__ == "__main__":  # the friendly client: a process of its own has a clock of its own
    place, number, seconds = sys.argv[1:]
    print(json.dumps(asyncio.run(friendly(place, int(number), time.monotonic() + float(seconds)))))
