"""A client that costs little, and requests of all kinds for the soak."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any, Self

JSON = "application/json"


class Client:
    """A connection that is kept open, for one request after the other."""

    def __init__(self, host: str, port: int, source: str = "127.0.0.1") -> None:
        self._address, self._source = (host, port), source

    async def __aenter__(self) -> Self:
        self._reader, self._writer = await asyncio.open_connection(
            *self._address, limit=2**26, local_addr=(self._source, 0)
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(
        self, method: str, path: str, body: bytes = b"", kind: str = JSON
    ) -> tuple[int, bytes]:
        """Send a request; returns status and body of the answer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        await self._writer.drain()
        top = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in top[1:] if ": " in line)
        status = int(top[0].split(" ")[1])
        if "content-length" in headers:
            return status, await self._reader.readexactly(int(headers["content-length"]))
        parts = []
        while size := int((await self._reader.readline()).strip() or b"0", 16):
            parts.append((await self._reader.readexactly(size + 2))[:-2])
        await self._reader.readline()
        return status, b"".join(parts)


def percentile(values: Sequence[float], share: int) -> float:
    """The value that this many percent do not exceed.

    >>> percentile([3.0, 1.0, 2.0], 50)
    2.0
    """
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, share * len(ordered) // 100)]


def hostile_requests(
    rng: random.Random, requests: Mapping[str, Any], text: str
) -> tuple[str, bytes, str]:
    """Make a request: usual, odd, damaged or senseless."""
    name = rng.choice(list(requests))
    usual = json.dumps(requests[name]).encode()
    words = text.split()
    odd = " ".join(
        rng.choices([*words, "👩‍👩‍👧", "שלום", "\u202e", "<b>", "x" * 50], k=rng.randint(0, 60))
    )
    choices: list[tuple[str, Any, str]] = [
        (name, usual, JSON),
        (name, usual, JSON),
        (rng.choice(["parse", "tag", "label", "compress"]), {"text": odd, "time_limit": 2}, JSON),
        (
            "summarize",
            {"text": f"{odd}. {text}", "words": rng.randint(0, 50), "time_limit": 2},
            JSON,
        ),
        ("parse", {"text": text, "constraints": [_constraint(rng)]}, JSON),
        (name, usual[: rng.randrange(len(usual))], JSON),
        (name, bytes(rng.randrange(256) for _ in range(rng.randint(0, 200))), JSON),
        (name, {"model": "../../etc/passwd", "text": text}, JSON),
        (name, {"text": 3, "nonsense": [[[]]]}, JSON),
        ("nonsense", usual, JSON),
        (name, usual, "text/plain"),
        ("tag", {"text": "a" * 5_000_000}, JSON),
        ("batch", b"\n".join([json.dumps({"do": "tag", "text": odd}).encode(), b"{"] * 3), JSON),
        ("evaluate", {"gold": odd, "system": text}, JSON),
        ("induce", {"text": "N V\nV N N\n" * 5, "time_limit": 0.2}, JSON),
        ("solve", {"text": odd, "input_format": rng.choice(["fg", "uai", "mrf"])}, JSON),
    ]
    path, body, kind = rng.choice(choices)
    return f"/api/{path}", body if isinstance(body, bytes) else json.dumps(body).encode(), kind


def _constraint(rng: random.Random) -> dict[str, Any]:
    kind = rng.choice(["attach", "never", "root", "tag", "one_of"])
    return {
        "kind": kind, "word": rng.randint(0, 12), "head": rng.randint(0, 12),
        "heads": [rng.randint(0, 12)], "upos": rng.choice(["NOUN", "VERB", "?"]),
    }  # fmt: skip
