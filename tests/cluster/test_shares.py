"""Shares of a search that are out."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from treaty.cluster import ClusterError
from treaty.cluster._shares import Board, Shares


def doubled(number: int, mark: str) -> int:
    if mark and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def died(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def received(shares: Shares[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    while len(shares):
        assert set(found).isdisjoint(shares.flying)
        found |= dict(shares.receive(5.0))
    return found


def test_a_share_that_is_lost_is_handed_out_again(cluster, tmp_path):
    mark = str(tmp_path / "died")

    def submit(client, number):
        return client.submit(doubled, number, mark if number == 3 else "", pure=False)

    shares: Shares[int] = Shares(cluster, submit)
    for number in range(6):
        shares.send(number)
    assert sorted(shares.flying) == list(range(6))
    assert received(shares) == {number: 2 * number for number in range(6)}
    assert shares.lost >= 1


def test_a_share_that_kills_every_worker_ends_the_search(cluster, monkeypatch):
    monkeypatch.setattr("treaty.cluster._shares.MOST_TRIES", 2)
    shares: Shares[int] = Shares(cluster, lambda client, n: client.submit(died, n, pure=False))
    shares.send(1)
    with pytest.raises(ClusterError, match="workers died 2 times"):
        received(shares)


def test_an_error_is_raised(cluster):
    shares: Shares[int] = Shares(cluster, lambda client, n: client.submit(divmod, n, 0, pure=False))
    shares.send(1)
    with pytest.raises(ZeroDivisionError):
        received(shares)


def test_the_best_answer_is_told_to_all(cluster):
    board = Board(cluster.client)
    board.tell((1.5, b"ab"))
    assert Board(cluster.client, board.name).ask() == (1.5, b"ab")
    assert Board(cluster.client, "nothing").ask() is None
