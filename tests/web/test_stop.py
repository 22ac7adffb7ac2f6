from treaty import FactorGraph
from treaty.progress import Progress
from treaty.web._stop import Stop


def test_a_limit_is_reached():
    stop = Stop(1e-9)
    assert stop.is_late
    assert stop.left == 0.0
    assert not stop.is_gone  # late is not gone


def test_giving_up_reaches_solvers():
    stop = Stop(60.0)
    assert stop.watch(Progress("ad3", 1))
    stop.give_up()
    assert not stop.watch(Progress("ad3", 1))
    graph = FactorGraph()
    variables = graph.variables([1.0, 1.1, 1.2])
    for k in range(3):
        graph.at_most_one(variables[k], variables[(k + 1) % 3])
    assert graph.solve("exact", cancel=stop.cancel).iterations <= 1
