import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treaty.web._gate import Gate, Load, Refused, client_of


def scene(play):
    """Run a function in an event loop."""

    async def run():
        return await play()

    return asyncio.run(run())


async def settled():
    """Let callbacks run."""
    for _ in range(3):
        await asyncio.sleep(0)


def test_some_work_some_wait_and_others_are_refused():
    async def play():
        gate = Gate(slots=1, jobs=1, queue=1, per_client=9)
        assert gate.enter("ann") is None
        bob = gate.enter("bob")
        assert (gate.working, gate.waiting) == (1, 1)
        with pytest.raises(Refused) as refused:
            gate.enter("cem")
        assert refused.value.status == 503
        gate.leave("ann")
        await bob
        assert (gate.working, gate.waiting) == (1, 0)
        gate.leave("bob")
        assert gate.working == 0
        assert not gate._held
        assert not gate._queues

    scene(play)


def test_a_client_has_its_share():
    async def play():
        gate = Gate(slots=9, jobs=9, queue=9, per_client=2)
        gate.enter("ann")
        gate.enter("ann")
        with pytest.raises(Refused) as refused:
            gate.enter("ann")
        assert refused.value.status == 429
        assert gate.enter("bob") is None
        gate.leave("ann")
        assert gate.enter("ann") is None

    scene(play)


@pytest.mark.parametrize(
    ("jobs", "shares"), [(8, [4, 2, 1, 1]), (2, [2, 2, 2, 1, 1]), (1, [1] * 8)]
)
def test_clients_leave_slots_to_the_next(jobs, shares):
    async def play():
        gate, found = Gate(slots=8, jobs=jobs, queue=99, per_client=99), []
        for client in map(str, range(len(shares))):
            found.append(0)
            while gate.enter(client) is None:
                found[-1] += 1
        return found

    assert scene(play) == shares


def test_turns_go_round():
    async def play():
        gate, order = Gate(slots=1, jobs=1, queue=99, per_client=99), []
        gate.enter("ann")
        asked = ["ann"] * 5 + ["bob"] * 2 + ["cem"]
        turns = [(client, gate.enter(client)) for client in asked]
        for client, turn in turns:
            turn.add_done_callback(lambda _, client=client: order.append(client))
        last = "ann"
        for number in range(len(turns)):
            gate.leave(last)
            await settled()
            assert len(order) == number + 1
            last = order[-1]
        return order

    assert scene(play) == ["ann", "bob", "cem", "ann", "bob", "ann", "ann", "ann"]


def test_one_who_stops_waiting_leaves_no_trace():
    async def play():
        gate = Gate(slots=1, jobs=1, queue=5, per_client=5)
        gate.enter("ann")
        waiting = gate.enter("bob")
        waiting.cancel()
        await settled()
        assert (gate.waiting, dict(gate._held), dict(gate._queues)) == (0, {"ann": 1}, {})
        gate.leave("ann")
        assert gate.enter("cem") is None

    scene(play)


@given(
    st.integers(1, 5), st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2)), max_size=60)
)
def test_slots_are_neither_lost_nor_doubled(jobs, moves):
    async def play():
        gate, working, waiting = Gate(jobs, 2, queue=10, per_client=6), [], []
        for client, move in moves:
            if move == 0:
                try:
                    turn = gate.enter(client)
                except Refused:
                    continue
                waiting.append((client, turn)) if turn else working.append(client)
            elif move == 1 and working:
                gate.leave(working.pop(0))
            elif waiting:
                waiting.pop()[1].cancel()
            await settled()
            working += [client for client, turn in waiting if turn.done()]
            waiting = [(client, turn) for client, turn in waiting if not turn.done()]
            assert (gate.working, gate.waiting) == (len(working), len(waiting))
            assert gate.working <= jobs
            if waiting:
                assert gate.working
        for client in working:
            gate.leave(client)
        while waiting:
            await settled()
            (client, _), *waiting = sorted(waiting, key=lambda one: not one[1].done())
            gate.leave(client)
        assert not gate.working
        assert not gate._held

    scene(play)


def test_addresses_of_one_user_are_one_client():
    assert client_of("2001:db8::1") == client_of("2001:db8::2:3:4:5")
    assert client_of("2001:db8:0:1::1") != client_of("2001:db8::1")
    assert client_of("::ffff:10.0.0.1") == "10.0.0.1"
    assert client_of("fe80::1%eth0") == "fe80::/64"
    assert client_of("not:an:address") == "not:an:address"


def test_a_load_is_given_back():
    load = Load(most=4, per_client=2)
    assert load.add("ann", 2)
    assert not load.add("ann", 1)
    assert load.has_room(1)
    assert load.add("proxy", 2, is_trusted=True)
    assert not load.has_room(1)
    load.remove("ann", 2)
    load.remove("proxy", 2)
    assert (load.total, dict(load._clients)) == (0, {})
