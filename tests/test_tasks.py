"""What is told when a worker process fails."""

import operator
import os

import joblib
import pytest

from sklearn_clustcompare._tasks import run_tasks

pytestmark = pytest.mark.processes


class _CannotBeRead:
    def __reduce__(self):
        return int, ("no number",)


def _exit(status):
    os._exit(status)


def test_results_come_in_the_order_of_the_tasks():
    tasks = [(number, 1) for number in range(20)]
    assert run_tasks(operator.add, tasks, n_jobs=2) == list(range(1, 21))


def test_a_task_that_cannot_be_read_is_named():
    with (
        joblib.parallel_config("loky", n_jobs=2),
        pytest.raises(RuntimeError, match=r"handed its task.*\(ValueError: .*'no number'\): .*n_j"),
    ):
        run_tasks(operator.neg, [(_CannotBeRead(),)] * 3, n_jobs=None)


def test_a_worker_that_dies_is_told_with_what_joblib_knows():
    with (
        joblib.parallel_config("loky", n_jobs=2),
        pytest.raises(RuntimeError, match=r"^a worker process died .* Joblib says: .*EXIT\(3\)"),
    ):
        run_tasks(_exit, [(3,)] * 3, n_jobs=None)
