"""Every registered model keeps to the contract of `treaty.learn.Model`."""

from __future__ import annotations

import pytest

from treaty.errors import UsageError
from treaty.learn import model_class, tasks
from treaty.testing import CHECKS


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("task", tasks())
def test_models_keep_to_the_contract(task, name, tmp_path):
    CHECKS[name](model_class(task), tmp_path)


@pytest.mark.parametrize("task", tasks())
def test_all_models_check_threads_alike(task):
    model, sample = model_class(task), model_class(task).sample()
    trained = model.train(sample.examples, **sample.options)
    for action in (
        lambda: model.train(sample.examples, **sample.options, threads=0),
        lambda: list(trained.predict(sample.inputs, threads=0)),
        lambda: trained.evaluate(sample.examples, threads=0),
    ):
        with pytest.raises(UsageError, match=r"^threads must be at least 1, not 0$"):
            action()


@pytest.mark.parametrize("task", tasks())
def test_all_models_refuse_what_is_no_list_of_inputs(task):
    sample = model_class(task).sample()
    trained = model_class(task).train(sample.examples, **sample.options)
    for wrong in ("Cats sleep.", 3, None):
        with pytest.raises(UsageError, match=r"^expected several "):
            list(trained.predict(wrong))
    with pytest.raises(UsageError):
        list(trained.predict([3]))
