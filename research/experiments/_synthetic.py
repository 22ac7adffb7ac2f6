"""The synthetic sentences of Gormley & Eisner (2013, section 7.1)."""

from __future__ import annotations

import io

from treaty.induce import Corpus, Grammar

# The paper: three tags, "parameters chosen to favor short sentences with English word order".
# It does not say which; these are ours.
ENGLISH = """
root Verb 0.9
root Noun 0.1
child Verb left Noun 1
child Verb right Noun 0.8
child Verb right Adjective 0.2
child Noun left Adjective 1
child Noun right Noun 1
child Adjective left Adjective 1
child Adjective right Noun 1
decision Verb left first continue 0.8
decision Verb left first stop 0.2
decision Verb left later stop 1
decision Verb right first continue 0.5
decision Verb right first stop 0.5
decision Verb right later continue 0.1
decision Verb right later stop 0.9
decision Noun left first continue 0.3
decision Noun left first stop 0.7
decision Noun left later stop 1
decision Noun right first stop 1
decision Noun right later stop 1
decision Adjective left first stop 1
decision Adjective left later stop 1
decision Adjective right first stop 1
decision Adjective right later stop 1
"""


# The same with longer sentences: those of the paper give 320,126 products of constraints for 5
# sentences and 4,056,498 for 20, these about as many.
LONGER = {
    "decision Verb left first": 0.9,
    "decision Verb right first": 0.8,
    "decision Verb right later": 0.2,
    "decision Noun left first": 0.6,
    "decision Noun left later": 0.1,
    "decision Noun right first": 0.1,
}


def english_like(*, longer: bool = False) -> Grammar:
    """The grammar that synthetic sentences are drawn from."""
    lines = ENGLISH.strip().splitlines()
    if longer:
        lines = [line for line in lines if not line.startswith(tuple(LONGER))]
        for decision, share in LONGER.items():
            lines += [f"{decision} continue {share}", f"{decision} stop {1 - share:.6g}"]
    return Grammar.from_text(io.StringIO("\n".join(lines) + "\n"))


def sentences(count: int, seed: int, max_length: int = 5, *, longer: bool = False) -> Corpus:
    """Draw sentences."""
    grammar = english_like(longer=longer)
    return Corpus.sample(grammar, count, seed=seed, max_length=max_length)
