"""Small threads whose links follow a rule that can be learned, and a chat."""

from __future__ import annotations

import random

from treaty.text import Link, Post, Thread

CHAT = Thread(
    [
        Post("hello all", "ann", time="23:58"),
        Post("rennoc: any sheep?", "Ann", time="23:59"),
        Post("no, sorry ann", "rennoc1", time="00:03"),
        Post("*** server restarts", ""),
        Post("can you wait", "Bob"),
        Post("thanks", "ann", time="2024-05-01T10:00:00"),
    ]
)
WORDS = ["sheep", "wheat", "ore", "clay", "wood"]


def toy_threads(number: int, seed: int = 0, posts: int = 7) -> list[Thread]:
    """Questions, and answers that link to the question with the same word."""
    rng = random.Random(seed)
    return [_thread(rng, posts, name) for name in range(number)]


def _thread(rng: random.Random, size: int, name: int) -> Thread:
    posts = [Post("any sheep ?", "Ann", time="10:00")]
    links: list[Link] = []
    asked = {"sheep": 0}
    for place in range(1, size):
        if rng.random() < 0.4:
            word = rng.choice(WORDS)
            posts.append(Post(f"any {word} ?", rng.choice(["Ann", "Bob"]), time=f"10:{place:02}"))
            asked[word] = place
        else:
            word = rng.choice(sorted(asked))
            posts.append(Post(f"no {word} , sorry", rng.choice(["Cid", "Dee"])))
            links.append(Link(place, asked[word]))
    return Thread(posts, links, id=str(name))
