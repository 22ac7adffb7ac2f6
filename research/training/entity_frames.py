"""News sentences made of frames and lists of names: result tables, headlines, datelines.

No corpus that may be used has them, and their conventions are simple: teams are organizations, also
where they are named after a city; countries are places.
"""

from __future__ import annotations

import random
import re

from research.training.entity_sources import HERE, LISTS
from treaty.text import OUTSIDE, ColumnSentence

TYPES = {
    **dict.fromkeys(["per", "last"], "PER"),
    **dict.fromkeys(["land", "city", "region"], "LOC"),
    **dict.fromkeys(["club", "team", "cityteam", "company", "org"], "ORG"),
    **dict.fromkeys(["adjective", "demonym", "event", "product"], "MISC"),
}
TEAM_CITIES = """Anaheim, Atlanta, Baltimore, Boston, Brooklyn, Buffalo, Calgary, Charlotte,
Chicago, Cincinnati, Cleveland, Colorado, Dallas, Denver, Detroit, Edmonton, Florida, Golden State,
Green Bay, Hartford, Houston, Indiana, Indianapolis, Jacksonville, Kansas City, Los Angeles,
Memphis, Miami, Milwaukee, Minnesota, Montreal, Nashville, New England, New Jersey, New Orleans,
New York, Oakland, Orlando, Ottawa, Philadelphia, Phoenix, Pittsburgh, Portland, Sacramento,
San Antonio, San Diego, San Francisco, San Jose, Seattle, St. Louis, Tampa Bay, Texas, Toronto,
Utah, Vancouver, Washington, Winnipeg"""
CITIES = """Amsterdam, Ankara, Athens, Atlanta, Auckland, Baghdad, Bangkok, Barcelona, Basel,
Beijing, Beirut, Belfast, Belgrade, Berlin, Birmingham, Bogota, Bombay, Bonn, Bordeaux, Boston,
Brasilia, Bratislava, Brisbane, Brussels, Bucharest, Budapest, Buenos Aires, Cairo, Calcutta,
Cape Town, Caracas, Chicago, Cincinnati, Colombo, Copenhagen, Dallas, Damascus, Delhi, Denver,
Detroit, Dhaka, Dubai, Dublin, Duesseldorf, Edinburgh, Frankfurt, Geneva, Glasgow, Grozny, Hamburg,
Hanoi, Harare, Havana, Helsinki, Houston, Islamabad, Istanbul, Jakarta, Jerusalem, Johannesburg,
Kabul, Karachi, Khartoum, Kiev, Kinshasa, Kuala Lumpur, Lagos, Lahore, Leeds, Lima, Lisbon, London,
Los Angeles, Luanda, Lusaka, Lyon, Madrid, Manchester, Manila, Marseille, Melbourne, Mexico City,
Miami, Milan, Minsk, Monrovia, Montreal, Moscow, Mumbai, Munich, Nairobi, Naples, New Delhi,
New York, Nice, Nicosia, Osaka, Oslo, Ottawa, Paris, Perth, Philadelphia, Phnom Penh, Prague,
Pretoria, Quito, Rabat, Riga, Rio de Janeiro, Riyadh, Rome, Rotterdam, San Francisco, Santiago,
Sao Paulo, Sarajevo, Seattle, Seoul, Shanghai, Singapore, Sofia, St. Petersburg, Stockholm,
Stuttgart, Sydney, Taipei, Tallinn, Tbilisi, Tehran, Tel Aviv, Tirana, Tokyo, Toronto, Tripoli,
Tunis, Turin, Valencia, Vienna, Vilnius, Warsaw, Washington, Wellington, Yerevan, Zagreb, Zurich"""
SUFFIXES = [
    "Corp",
    "Inc",
    "Ltd",
    "AG",
    "Plc",
    "SA",
    "Co",
    "Corp.",
    "Inc.",
    "Co.",
    "Group",
    "Holdings",
]


STORMS = ("Hurricane", "Typhoon", "Cyclone", "Storm", "Tropical Storm")
PARTICLES = ("da", "de", "do", "dos", "del", "de la", "di", "van", "van der", "von", "bin", "al")
WITH_PARTICLE = 0.05
NAMED_AFTER_SOMEONE = 0.15
"""Share of companies whose name is a surname: what they do must tell them from people."""


def made_up_news(times: int, surnames: list[str], seed: int = 1) -> list[ColumnSentence]:
    """Fill every frame so many times; with surnames of the training data, too."""
    chance = random.Random(seed)
    lines = (HERE / "frames.txt").read_text(encoding="utf-8").splitlines()
    frames = [line for line in lines if line and not line.startswith("# ")]
    return [_filled(frame, chance, surnames) for frame in frames for _ in range(times)]


def _filled(frame: str, chance: random.Random, surnames: list[str]) -> ColumnSentence:
    rows: list[tuple[str, str]] = []
    for kind, name, other in re.findall(r"\[([A-Z]+) ([^\]]+)\]|(\S+)", frame):
        alone = re.fullmatch(r"\{(\w+)\}", other)
        label = kind or (TYPES.get(alone[1]) if alone else None)
        text = re.sub(r"\{(\w+)\}", lambda m: _fill(m[1], chance, surnames), name or other)
        for i, word in enumerate(text.split()):
            rows.append((word, f"{'I' if i else 'B'}-{label}" if label else OUTSIDE))
    words = _cased(frame, rows, chance)
    return ColumnSentence([(w, label) for w, (_, label) in zip(words, rows, strict=True)])


def _cased(frame: str, rows: list[tuple[str, str]], chance: random.Random) -> list[str]:
    """Write headlines in capitals, and at times datelines and the home team."""
    words, labels = [word for word, _ in rows], [label for _, label in rows]
    literal = re.sub(r"\{\w+\}", "", frame)
    if re.search("[A-Z]{3}", literal) and not re.search("[a-z]", literal):
        return [word.upper() for word in words]
    names = [n for n, label in enumerate(labels) if label.startswith("B-")]
    if frame.startswith("{city}") and chance.random() < 0.7:
        shouted = range(next((n for n, y in enumerate(labels) if not y.endswith("LOC")), 0))
    elif frame.startswith("{cityteam}") and len(names) > 1 and chance.random() < 0.5:
        shouted = range(names[1], len(words))
    else:
        return words
    return [word.upper() if n in shouted else word for n, word in enumerate(words)]


def _fill(kind: str, chance: random.Random, surnames: list[str]) -> str:
    number = chance.randint
    numbers = {
        "n": lambda: str(number(0, 10 ** number(1, 4))),
        "score": lambda: f"{number(0, 7)}-{number(0, 6)}",
        "time": lambda: f"{number(1, 59)}:{number(10, 59)}.{number(10, 99)}",
        "money": lambda: f"$ {number(1, 900)} million",
        "date": lambda: f"{number(1996, 2025)}-{number(10, 12)}-{number(10, 28)}",
    }
    if kind in numbers:
        return numbers[kind]()
    if kind in ("per", "last"):
        last = chance.choice(surnames if chance.random() < 0.6 else LISTS["surname"])
        return last if kind == "last" else f"{_given(chance)} {last}"
    if kind == "company" and chance.random() < NAMED_AFTER_SOMEONE:
        return chance.choice(surnames if chance.random() < 0.5 else LISTS["eponym"])
    lists = {
        "city": _names(CITIES),
        "cityteam": _names(TEAM_CITIES),
        "org": LISTS["organization"],
        "storm": STORMS,
        "suffix": SUFFIXES,
        "adjective": [d for d in LISTS["demonym"] if not re.search("[^s]s$|man$", d)],
    }
    return chance.choice(lists.get(kind) or LISTS[kind])


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.replace("\n", " ").split(",")]


def _given(chance: random.Random) -> str:
    """Return what is before a surname: a given name, seldom two and *da* or *van*."""
    first = chance.choice(LISTS["given"])
    if chance.random() >= WITH_PARTICLE:
        return first
    return f"{first} {chance.choice(LISTS['given'])} {chance.choice(PARTICLES)}"
