"""Every registered model keeps to the contract of `treaty.learn.Model`."""

from __future__ import annotations

import pytest

from treaty.learn import model_class, tasks
from treaty.testing import CHECKS


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("task", tasks())
def test_models_keep_to_the_contract(task, name, tmp_path):
    CHECKS[name](model_class(task), tmp_path)
