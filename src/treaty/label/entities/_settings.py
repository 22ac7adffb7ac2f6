"""Settings of an entity labeler, stored in its file."""

from __future__ import annotations

from dataclasses import dataclass

from treaty.corpus import scheme_named
from treaty.errors import UsageError

__all__ = ["ORDERS", "EntitySettings"]

ORDERS = ("chain", "global")
MOST_REWARD = 1e3


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

    def __post_init__(self) -> None:
        scheme_named(self.scheme)
        if self.order not in ORDERS:
            raise UsageError(f"order must be {' or '.join(ORDERS)}, not {self.order!r}")
        if not (0 <= self.reward_entity < MOST_REWARD and 0 <= self.reward_outside < MOST_REWARD):
            raise UsageError(f"rewards must be from 0 to {MOST_REWARD:g}")
        if self.threshold < 0 or self.most_in_group < 1:
            raise UsageError(
                "threshold must be at least 0, and the number of messages of a group at least 1"
            )
        if not 1 <= self.longest_phrase <= 8 or self.most_all_pairs < 1:
            raise UsageError("longest_phrase must be from 1 to 8, and most_all_pairs at least 1")
