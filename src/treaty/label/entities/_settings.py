"""Settings of an entity labeler, stored in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from treaty.learn import Flag, Int, OneOf, Optional, Range, Real, Text, check_ranges
from treaty.text import scheme_named

__all__ = ["ORDERS", "EntitySettings"]

ORDERS = ("chain", "global")


@dataclass(frozen=True, slots=True)
class EntitySettings:
    """Settings of an entity labeler.

    Parameters
    ----------
    scheme
        ``"BIESO"``, ``"BIO"`` or ``"BILOU"``: the labeling scheme.
    order
        ``"chain"``: each message separately, with factors between neighboring labels.
        ``"global"``: also factors between identical phrases in a group of messages.
    reward_entity, reward_outside
        Score, per word of identical phrases, if both are entities of the same type, or both are
        outside of entities; for a global model trained by likelihood.
    threshold, most_in_group
        How messages are grouped; see `group_messages`.
    longest_phrase, most_all_pairs
        Which phrases are tied; see `phrase_pairs`.
    language_model
        The name of the installed model that tags words and tokenizes text; None if there is none,
        or if it is stored in the labeler's file (see `train_entities`).
    tags
        Whether to use tags as features.

    Examples
    --------
    >>> EntitySettings(order="global").scheme
    'BIESO'
    """

    scheme: str = "BIESO"
    order: str = "chain"
    reward_entity: float = 1.0
    reward_outside: float = 0.5
    threshold: int = 0
    most_in_group: int = 128
    longest_phrase: int = 3
    most_all_pairs: int = 4
    language_model: str | None = "english"
    tags: bool = True

    ranges: ClassVar[Mapping[str, Range[Any]]] = {
        "scheme": Text(),
        "order": OneOf(ORDERS),
        "reward_entity": Real(0, 1000),
        "reward_outside": Real(0, 1000),
        "threshold": Int(0, 10**6),
        "most_in_group": Int(1, 1024),
        "longest_phrase": Int(1, 8),
        "most_all_pairs": Int(1, 64),
        "language_model": Optional(Text()),
        "tags": Flag(),
    }

    def __post_init__(self) -> None:
        check_ranges(asdict(self), self.ranges)
        scheme_named(self.scheme)
