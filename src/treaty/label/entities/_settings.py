"""What an entity labeler is told at training and keeps in its file."""

from __future__ import annotations

from dataclasses import dataclass

from treaty.corpus import scheme_named
from treaty.errors import UsageError

__all__ = ["ORDERS", "EntitySettings"]

ORDERS = ("chain", "global")
MOST_REWARD = 1e3


@dataclass(frozen=True, slots=True)
class EntitySettings:
    """The form of an entity labeler.

    Parameters
    ----------
    scheme
        ``"BIESO"``, ``"BIO"`` or ``"BILOU"``: the labels that words have.
    order
        ``"chain"``: each message by itself, labels of neighbors tied. ``"global"``: identical
        phrases in a group of messages are tied as well.
    reward_entity, reward_outside
        How much it counts, for each word of identical phrases, that both are entities of one type,
        or both outside of entities; in a global model that is trained by likelihood.
    threshold, most_in_group
        How messages are grouped; see `group_messages`.
    longest_phrase, most_all_pairs
        Which phrases are tied; see `phrase_pairs`.
    language_model
        The name of the installed model that tags words and finds the words of a text; None if there
        is none, or if the labeler keeps one of its own (see `train_entities`).
    tags
        Whether tags are among the features.

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
            raise UsageError(f"the order is {' or '.join(ORDERS)}, not {self.order!r}")
        if not (0 <= self.reward_entity < MOST_REWARD and 0 <= self.reward_outside < MOST_REWARD):
            raise UsageError(f"rewards are from 0 to {MOST_REWARD:g}")
        if self.threshold < 0 or self.most_in_group < 1:
            raise UsageError("the threshold is 0 or more, and a group has at least one message")
        if not 1 <= self.longest_phrase <= 8 or self.most_all_pairs < 1:
            raise UsageError("phrases have 1 to 8 words, and at least one pair is taken")
