import asyncio
import threading

import pytest

from treaty.web._gate import Gate, Refused


def test_some_work_some_wait_and_others_are_refused():
    async def scene():
        gate = Gate(jobs=1, queue=1, per_client=9)
        await gate.enter("ann")
        waiting = asyncio.create_task(gate.enter("bob"))
        await asyncio.sleep(0)
        assert (gate.working, gate.waiting) == (1, 1)
        with pytest.raises(Refused) as refused:
            await gate.enter("cem")
        assert refused.value.status == 503
        gate.leave("ann")
        await waiting
        assert (gate.working, gate.waiting) == (1, 0)
        gate.leave("bob")
        assert gate.working == 0
        assert not gate._clients
        gate.close()

    asyncio.run(scene())


def test_a_client_has_its_share():
    async def scene():
        gate = Gate(jobs=9, queue=9, per_client=2)
        await gate.enter("ann")
        await gate.enter("ann")
        with pytest.raises(Refused) as refused:
            await gate.enter("ann")
        assert refused.value.status == 429
        await gate.enter("bob")
        gate.leave("ann")
        await gate.enter("ann")
        gate.close()

    asyncio.run(scene())


def test_one_who_stops_waiting_leaves_no_trace():
    async def scene():
        gate = Gate(jobs=1, queue=5, per_client=5)
        await gate.enter("ann")
        waiting = asyncio.create_task(gate.enter("bob"))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (gate.waiting, dict(gate._clients)) == (0, {"ann": 1})
        gate.leave("ann")
        await gate.enter("cem")
        gate.close()

    asyncio.run(scene())


def test_work_is_done_in_a_thread():
    async def scene():
        gate = Gate(jobs=1, queue=1, per_client=1)
        name = await gate.run(lambda: threading.current_thread().name)
        gate.close()
        return name

    assert asyncio.run(scene()).startswith("treaty")
