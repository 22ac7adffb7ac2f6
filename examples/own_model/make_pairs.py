"""Invent English–German sentence pairs and their alignments: python make_pairs.py FOLDER."""

import json
import random
import sys
from pathlib import Path

SEED, SIZES = 7, {"train": 60, "dev": 20, "test": 60}
NOUNS = """dog Hund m, cat Katze f, house Haus n, man Mann m, woman Frau f, child Kind n,
tree Baum m, river Fluss m, garden Garten m, book Buch n, apple Apfel m, bread Brot n,
table Tisch m, lamp Lampe f, song Lied n, letter Brief m, king König m, queen Königin f,
horse Pferd n, bird Vogel m, ship Schiff n, bridge Brücke f, city Stadt f, road Straße f,
teacher Lehrer m, student Schüler m, doctor Arzt m, flower Blume f, stone Stein m, hand Hand f,
window Fenster n, ring Ring m, front_door Haustür f, school_book Schulbuch n, sea_bird Seevogel m"""
ADJECTIVES = """old alt, young jung, small klein, large groß, red rot, green grün, cold kalt,
warm warm, new neu, sad traurig"""
VERBS = """sees seen see sieht gesehen sehen, finds found find findet gefunden finden,
buys bought buy kauft gekauft kaufen, loves loved love liebt geliebt lieben,
brings brought bring bringt gebracht bringen, paints painted paint malt gemalt malen,
hears heard hear hört gehört hören, seeks sought seek sucht gesucht suchen,
draws drawn draw zeichnet gezeichnet zeichnen, cleans cleaned clean putzt geputzt putzen"""
SPLIT_VERBS = "opens macht auf, closes macht zu, calls ruft an, invites lädt ein"
ADVERBS = "today heute, often oft, always immer, now jetzt, here hier, yesterday gestern"
NAMES = ["Anna", "Peter", "Maria", "Jonas", "Clara", "Felix"]
PARTICLES = ["ja", "doch", "wohl"]
MASCULINE = {"S": "der", "O": "den", "T": "der", "Q": "den"}
# S and T are subjects, O and Q objects, V a verb, P its participle, I its infinitive, W another
# verb, X one in two pieces (Y is the second), A an adverb. Words with the same number are linked;
# words without one have no counterpart. A line is an English order and one or more German ones.
PATTERNS = """S V O | S V O | O V S
S has/1 P O | S hat/1 O P | O hat/1 S P
S does not/1 I O | S V O nicht/1 | O V S nicht/1
S wants/1 to I O | S will/1 O I | O will/1 S I
A S V O | A V S O | S V A O | O V S A
she/1 says/2 that/3 S V O | sie/1 sagt/2 , dass/3 S O V | dass/3 S O V , sagt/2 sie/1
S X O | S X O Y | O X S Y
S V O in/1 the/1 garden/2 | S V O im/1 Garten/2 | im/1 Garten/2 V S O
does S I O ?/1 | V S O ?/1
S V O and/1 T W Q | S V O und/1 T W Q | T W Q und/1 S V O""".splitlines()
COMMON = 0.5
"""The share of draws that fall on the first third of a list."""
FREE = 0.15
"""How often a translator leaves out an adjective, or puts in a particle."""

Word = tuple[str, str | None]
"""A word and what it is a part of; words of the two languages are linked if that is the same."""


def draw(words: str, rng: random.Random) -> list[str]:
    entries = [entry.split() for entry in words.split(",")]
    return rng.choice(entries[: len(entries) // 3] if rng.random() < COMMON else entries)


def phrase(slot: str, rng: random.Random) -> tuple[list[Word], list[Word]]:
    if rng.random() < 0.25:
        name = rng.choice(NAMES)
        return [(name, f"{slot}n")], [(name, f"{slot}n")]
    english, german, gender = draw(NOUNS, rng)
    article = MASCULINE[slot] if gender == "m" else {"f": "die", "n": "das"}[gender]
    left, right = [("the", f"{slot}a")], [(article, f"{slot}a")]
    if rng.random() < 0.4:
        plain, stem = draw(ADJECTIVES, rng)
        left.append((plain, f"{slot}j"))
        if rng.random() > FREE:
            right.append((f"{stem}{'en' if article == 'den' else 'e'}", f"{slot}j"))
    left += [(word, f"{slot}n") for word in english.split("_")]
    return left, [*right, (german, f"{slot}n")]


def pair(rng: random.Random) -> dict[str, str]:
    phrases = {slot: phrase(slot, rng) for slot in MASCULINE}
    verb, other, split, adverb = (
        draw(words, rng) for words in (VERBS, VERBS, SPLIT_VERBS, ADVERBS)
    )
    slots = ("V", "P", "I", "W", "X", "A", "Y")
    forms = (
        dict(zip(slots, (*verb[:3], other[0], split[0], adverb[0]), strict=False)),
        dict(zip(slots, (*verb[3:], other[3], split[1], adverb[1], split[2]), strict=True)),
    )
    english, *orders = rng.choice(PATTERNS).split(" | ")
    sides: list[list[Word]] = []
    for language, pattern in enumerate((english, rng.choice(orders))):
        words: list[Word] = []
        for symbol in pattern.split():
            literal, _, number = symbol.partition("/")
            if symbol in phrases:
                words += phrases[symbol][language]
            elif symbol in forms[language]:
                words.append((forms[language][symbol], symbol if symbol in "AW" else "V"))
            else:
                words.append((literal, number or None))
        sides.append(words)
    articles = [j for j, (word, _) in enumerate(sides[1]) if word in ("der", "die", "das", "den")]
    if rng.random() < FREE and articles and articles[-1] > 1:
        sides[1].insert(articles[-1], (rng.choice(PARTICLES), None))
    links = [
        f"{i}-{j}"
        for i, (_, left) in enumerate(sides[0])
        for j, (_, right) in enumerate(sides[1])
        if left is not None and left == right
    ]
    source, target = (" ".join(word for word, _ in words) for words in sides)
    return {"source": source, "target": target, "links": " ".join(links)}


def main(folder: Path) -> None:
    rng, seen = random.Random(SEED), set()
    for name, size in SIZES.items():
        lines = []
        while len(lines) < size:
            made = pair(rng)
            if made["source"] not in seen:
                seen.add(made["source"])
                lines.append(json.dumps(made, ensure_ascii=False))
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
