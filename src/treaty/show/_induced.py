"""Results of grammar induction as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treaty.induce import Corpus, EdgeConstraint, Induced

__all__ = ["induced_record", "induced_text"]


def induced_record(
    corpus: Corpus, found: Induced, constraint: EdgeConstraint | None = None
) -> dict[str, Any]:
    """Return a result for JSON, without the grammar.

    Parameters
    ----------
    corpus
        The corpus; if it has trees, accuracies are included.
    found
        The result of a method of `treaty.induce`.
    constraint
        The constraint on the trees, to include the share of arcs that satisfy it.

    Examples
    --------
    >>> from treaty.induce import Corpus, viterbi_em
    >>> corpus = Corpus.from_tags([["N", "V"]])
    >>> record = induced_record(corpus, viterbi_em(corpus))
    >>> record["method"], record["certificate"]["status"], record["tags"]
    ('viterbi-em', 'FEASIBLE', ['N', 'V'])
    """
    from treaty.metrics import dependency_accuracy

    record: dict[str, Any] = {
        "certificate": found.certificate.to_dict(),
        "open_nodes": found.open_nodes,
        "method": found.method,
        "sentences": len(corpus),
        "tokens": len(corpus.tokens),
        "tags": list(corpus.tags),
    }
    if corpus.heads is not None and found.grammar is not None:
        scores = dependency_accuracy(corpus.sentences(), corpus.sentences(found.heads))
        record["accuracy"] = scores.directed.value
        record["undirected"] = scores.undirected.value
    if constraint is not None and found.counts is not None:
        record["constraint_met"] = constraint.met(found.counts, corpus.tags)
    return record


def induced_text(corpus: Corpus, found: Induced, constraint: EdgeConstraint | None = None) -> str:
    r"""Write a result for ``grep`` and ``cut``: the record in comments, then the rules.

    Examples
    --------
    >>> from treaty.induce import Corpus, viterbi_em
    >>> corpus = Corpus.from_tags([["N", "V"]])
    >>> lines = induced_text(corpus, viterbi_em(corpus)).splitlines()
    >>> lines[0], lines[-1].count("\t")
    ('# status\tFEASIBLE', 1)
    """
    record = induced_record(corpus, found, constraint)
    shown = {**record.pop("certificate"), **record}
    lines = [f"# {name}\t{_value(value)}\n" for name, value in shown.items()]
    rules = [] if found.grammar is None else found.grammar.rules()
    return "".join([*lines, *(f"{' '.join(names)}\t{p:.4g}\n" for names, p in rules if p > 0)])


def _value(value: object) -> str:
    if isinstance(value, list):
        return " ".join(value)
    return f"{value:.6g}" if isinstance(value, float) else "-" if value is None else str(value)
