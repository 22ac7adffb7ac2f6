"""Parts of a parser: the families of each order, its settings, its feature templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from treaty.features import TemplateSet
from treaty.learn import Flag, Int, OneOf, Range, Real, check_ranges
from treaty.parse.trees import _cluster_templates
from treaty.parse.trees import _templates as families

ORDERS: dict[str, tuple[str, ...]] = {
    "first": ("arc",),
    "second": ("arc", "sibling", "grandparent"),
    "second+": ("arc", "sibling", "grandparent", "arbitrary sibling", "head bigram"),
    "third": tuple(family.name for family in families.FAMILIES[:-2]),
    "full": (
        *("arc", "sibling", "grandparent", "arbitrary sibling", "head bigram"),
        *("non-projective arc", "path"),
    ),
    "third+": tuple(family.name for family in families.FAMILIES),
}
"""The families of parts scored by each model order.

Non-projective arcs and directed paths, in ``"full"`` (the full model of Martins et al. 2011) and
``"third+"``, are slow: their factor graphs have a variable for every arc and word.
"""

MOST_BITS = 26
"""Base-2 logarithm of the maximum size of weight tables."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a parser for training and decoding.

    Attributes
    ----------
    order
        ``"first"``, ``"second"``, ``"second+"``, ``"third"``, or, with non-projective arcs and
        paths, which are slow, ``"full"`` (second+) or ``"third+"``.
    single_root
        Whether exactly one word is attached to the root.
    heads, threshold, modifiers
        The pruner keeps at most `heads` heads per word, none with a probability below `threshold`
        times that of the best, and at most `modifiers` candidate modifiers per head and side.
    iterations
        Maximum number of iterations of AD3 per sentence; one of more than 100 words gets fewer,
        100 divided by its words as many.
    pruner_bits, parser_bits, label_bits
        Base-2 logarithms of the sizes of the weight tables.
    """

    order: str = "third"
    single_root: bool = True
    heads: int = 10
    threshold: float = 1e-4
    modifiers: int = 40
    iterations: int = 200
    pruner_bits: int = 21
    parser_bits: int = 23
    label_bits: int = 22

    ranges: ClassVar[Mapping[str, Range[Any]]] = {
        "order": OneOf(tuple(ORDERS)),
        "single_root": Flag(),
        "heads": Int(1, 100),
        "threshold": Real(0, 1),
        "modifiers": Int(1, 1000),
        "iterations": Int(1, 10_000),
        "pruner_bits": Int(1, MOST_BITS),
        "parser_bits": Int(1, MOST_BITS),
        "label_bits": Int(1, MOST_BITS),
    }

    def __post_init__(self) -> None:
        check_ranges(asdict(self), self.ranges)
        object.__setattr__(self, "threshold", float(self.threshold))


@dataclass(frozen=True)
class ParserTemplates:
    """The feature templates of a parser, as data that is stored in its model file."""

    pruner: Mapping[str, TemplateSet] = field(default_factory=lambda: families.PRUNER_TEMPLATES)
    parser: Mapping[str, TemplateSet] = field(default_factory=lambda: families.PARSER_TEMPLATES)
    label: TemplateSet = families.LABEL_TEMPLATES

    def with_clusters(self) -> ParserTemplates:
        """Add templates that use word clusters."""
        more = _cluster_templates
        return ParserTemplates(
            {name: s.with_more(more.PRUNER.get(name, "")) for name, s in self.pruner.items()},
            {name: s.with_more(more.PARSER.get(name, "")) for name, s in self.parser.items()},
            self.label.with_more(more.LABEL),
        )
