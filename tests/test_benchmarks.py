"""The benchmarks are found, and each knows its cases; nothing is timed here."""

import importlib
import pkgutil

import pytest

import benchmarks
from benchmarks.__main__ import find_benchmarks
from benchmarks._harness import OURS, Faster

MODULES = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_module_imports_and_says_what_it_is_for(name):
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_all_files_of_benchmarks_are_in_the_one_table():
    files = {benchmark.__module__.removeprefix("benchmarks.") for benchmark in find_benchmarks()}
    assert files == {name for name in MODULES if name.startswith("bench_")}


@pytest.mark.parametrize("benchmark", find_benchmarks(), ids=lambda benchmark: benchmark.__name__)
def test_benchmark_has_a_target_for_each_case_and_names_its_peers(benchmark):
    cases, peers = benchmark.params
    assert OURS in peers
    assert set(benchmark.targets) >= set(cases) >= benchmark.quick
    for target in (target for targets in benchmark.targets.values() for target in targets):
        assert not isinstance(target, Faster) or target.peer in peers
