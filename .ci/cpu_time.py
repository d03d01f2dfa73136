"""A pytest plugin: CPU seconds of each test, of what tests share, and of all processes of a run.

``PYTHONPATH=.ci pytest -p cpu_time`` prints them. With ``--cpu-limit-test`` a test that is not
marked slow and takes longer fails the run, and with ``--cpu-limit-run`` the run itself.

A test costs what it adds to the CPU time of its worker and of the worker's children, without the
fixtures that other tests share. As other work on the machine makes any process slower, and the
first test pays for imports, a test above the limit is repeated at once, and its least time counts.
"""

import contextlib
import os
import time
from collections import Counter

import psutil
import pytest
from _pytest.runner import runtestprotocol

REPETITIONS = 3
SHOWN = 25


def pytest_addoption(parser):
    """Add the limits."""
    group = parser.getgroup("CPU time")
    group.addoption("--cpu-limit-test", type=float, metavar="SECONDS", help="of unmarked tests")
    group.addoption("--cpu-limit-run", type=float, metavar="SECONDS", help="of all processes")
    group.addoption("--cpu-shown", type=int, metavar="N", default=SHOWN, help="slowest tests shown")


def pytest_configure(config):
    """Measure, in this process and in its workers."""
    config.pluginmanager.register(_Costs(config))


class _Costs:
    """What one process has measured; the process that started the workers collects theirs."""

    def __init__(self, config):
        self.config = config
        self.limit = config.getoption("--cpu-limit-test") or float("inf")
        self.tests = {}
        self.shared = Counter()  # by what
        self.repeated = 0.0  # to measure again: not a cost of the suite
        self.too_slow = {}
        self.in_fixtures = 0.0
        self.children_live = False

    def _spent(self):
        return _spent() + (_spent_by_living_children() if self.children_live else 0.0)

    # ----------------------------------------------------------------------- in a worker

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection(self):
        before = _spent()
        self.shared["start, import of the plugins"] = before
        result = yield
        self.shared["collection"] = _spent() - before
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef):
        if fixturedef.scope == "function":
            return (yield)
        before, nested = self._spent(), self.in_fixtures
        try:
            return (yield)
        finally:
            whole = self._spent() - before
            own = whole - (self.in_fixtures - nested)
            self.shared[f"fixture {fixturedef.argname}"] += own
            self.in_fixtures += own

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        self.children_live = item.get_closest_marker("processes") is not None
        before, fixtures = self._spent(), self.in_fixtures

        def lap():
            nonlocal before, fixtures
            now = self._spent()
            cost = now - before - (self.in_fixtures - fixtures)
            before, fixtures = now, self.in_fixtures
            return cost

        result = yield
        costs = [lap()]
        if item.get_closest_marker("slow") is None:
            while len(costs) < REPETITIONS and costs[-1] > self.limit:
                runtestprotocol(item, log=False, nextitem=nextitem)
                costs.append(lap())
                self.repeated += costs[-1]
            if min(costs) > self.limit:
                self.too_slow[item.nodeid] = min(costs)
        self.tests[item.nodeid] = costs[0]
        return result

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session):
        result = yield
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["cpu_time"] = [
                self.tests,
                dict(self.shared),
                self.repeated,
                self.too_slow,
            ]
        elif self.too_slow or self._over_the_limit():
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
        return result

    # ----------------------------------------------------------------------- in the controller

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        output = getattr(node, "workeroutput", {})  # a worker that died has none
        tests, shared, repeated, too_slow = output.get("cpu_time", ({}, {}, 0.0, {}))
        self.tests.update(tests)
        self.shared.update(shared)
        self.repeated += repeated
        self.too_slow.update(too_slow)

    def _sum(self):
        return _spent() - self.repeated

    def _over_the_limit(self):
        limit = self.config.getoption("--cpu-limit-run")
        return limit is not None and self._sum() > limit

    def pytest_terminal_summary(self, terminalreporter):
        write = terminalreporter.write_line
        whole = self._sum()
        rows = Counter(self.shared)
        rows[f"all {len(self.tests)} tests"] = sum(self.tests.values())
        rows["the rest"] = whole - rows.total()
        terminalreporter.section("CPU time")
        for name, seconds in rows.most_common():
            write(f"{seconds:8.2f} s {name}")
        write(f"{whole:8.2f} s in all, {self.repeated:.2f} s more for repetitions")
        terminalreporter.section("Slowest tests by CPU time")
        for name, seconds in Counter(self.tests).most_common(self.config.getoption("--cpu-shown")):
            write(f"{seconds:8.2f} s {name}")
        if self._over_the_limit():
            write(f"That is more than {self.config.getoption('--cpu-limit-run'):g} s.")
        if self.too_slow:
            write(
                f"Above {self.limit:g} s {REPETITIONS} times; make them smaller, or mark them slow:"
            )
            for name, seconds in self.too_slow.items():
                write(f"{seconds:8.2f} s {name}")


def _spent():
    """CPU seconds of this process and of its children that have ended."""
    return time.process_time() + sum(os.times()[2:4])


def _spent_by_living_children():
    seconds = 0.0
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            seconds += sum(child.cpu_times()[:4])  # and of its own children that have ended
    return seconds
