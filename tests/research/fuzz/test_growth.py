"""What the table of growth says."""

from research.fuzz.growth import SUBJECTS, TOO_MUCH, measure


def test_memory_out_of_proportion_is_seen():
    growth = measure(lambda n: bytearray(n * n), lambda n: n, 2000)
    assert growth.ratios()[1] > TOO_MUCH
    assert measure(lambda n: bytearray(n), lambda n: n, 2**22).ratios()[1] < TOO_MUCH


def test_every_subject_takes_its_inputs():
    every = {name: (run, make) for name, _, run, make, _ in SUBJECTS}
    assert len(every) > 12
    for run, make in every.values():
        assert len(measure(run, make, 8).peaks) == 3
