"""Progress of calls that take long: shown where it is asked for, and the results stay the same."""

import inspect
import sys

import numpy as np
import pytest
from sklearn.cluster import KMeans

from sklearn_clustcompare._tasks import _is_watched, one_estimate, progress
from tests._docstrings import public_objects
from tests._examples import slow

TRUE = np.repeat([0, 1, 2], 8)
PRED = np.roll(TRUE, 2)
X = np.random.default_rng(0).normal(size=(24, 2)) + 9 * TRUE[:, np.newaxis]
PURITY = {"index": "purity_score"}
DRAWS = {"n_resamples": 30, "random_state": 0}
FITS = {"param_range": [2, 3], "random_state": 0}
NULL = {"n_null": 19, **FITS}
LEVEL = {"confidence_level": 0.9}

CALLS = {
    "chance_adjusted_score": ([TRUE, PRED], PURITY | DRAWS),
    "permutation_test": ([TRUE, PRED], PURITY | DRAWS | {"method": "monte_carlo"}),
    "independence_test": ([TRUE, PRED], DRAWS | {"method": "monte_carlo"}),
    "score_interval": ([TRUE, PRED], PURITY | DRAWS),
    "paired_comparison_test": ([TRUE, PRED, TRUE], PURITY | DRAWS),
    "noninferiority_test": ([TRUE, PRED, TRUE], PURITY | DRAWS | {"margin": 0.1}),
    "score_candidates": ([TRUE, [PRED, TRUE]], DRAWS | LEVEL | {"indices": "rand_score"}),
    "index_curve": ([TRUE, {"a": PRED, "b": TRUE}], DRAWS | LEVEL | {"index": "rand_score"}),
    "pairwise_scores": ([[TRUE, PRED]], PURITY),
    "medoid_partition": ([[TRUE, PRED]], {}),
    "consensus_partition": ([[TRUE, PRED]], {"index": "ami", "random_state": 0}),
    "gap_statistic": ([KMeans(), X], NULL),
    "structure_test": ([KMeans(), X], NULL | {"statistic": "silhouette_score"}),
    "prediction_strength": ([KMeans(), X], FITS | {"n_resamples": 3}),
    "cluster_stability": ([KMeans(3), X], {"n_resamples": 3, "random_state": 0}),
    "cluster_significance": ([KMeans(3), X], {"n_null": 19}),
    "influence": ([KMeans(3), X], {"n_changes": 3}),
    "choose_n_clusters": ([KMeans(), X], NULL | {"n_resamples": 3}),
    "NClustersSearch": ([KMeans()], NULL | {"n_resamples": 3}),
    "StabilitySearch": ([KMeans(), {"n_clusters": [2, 3]}], {"n_resamples": 3, "random_state": 0}),
}
PUBLIC = {path.split(".")[-1]: one for path, one in public_objects().items()}


def call(name, **how):
    """Return the result of a function, or of the fit of an estimator."""
    given, options = CALLS[name]
    found = PUBLIC[name](*given, **(options | how))
    return found.fit(X).result_ if hasattr(found, "fit") else found


FITTED_OFTEN = {"NClustersSearch", "choose_n_clusters", "gap_statistic", "structure_test"}
EACH_CALL = pytest.mark.parametrize(
    "name", [slow(name) if name in FITTED_OFTEN else name for name in CALLS]
)


def _farming_out():
    """Return the public functions and methods that take ``n_jobs``, by name."""
    found = dict(PUBLIC)
    for name, one in PUBLIC.items():
        if inspect.isclass(one):
            found |= {f"{name}.{key}": getattr(one, key) for key in vars(one) if key[0] != "_"}
    return {
        name: inspect.signature(one).parameters
        for name, one in found.items()
        if callable(one) and "n_jobs" in inspect.signature(one).parameters
    }


def test_all_that_is_farmed_out_can_show_progress():
    silent = {
        name
        for name, parameters in _farming_out().items()
        if "verbose" not in parameters or parameters["verbose"].default is not None
    }
    assert silent == set()


def test_there_is_a_call_of_all_that_is_farmed_out():
    assert set(CALLS) == {one for one in _farming_out() if "." not in one}


@pytest.mark.slow
@EACH_CALL
def test_progress_is_shown_if_asked_for_and_changes_nothing(name, capfd):
    silent = repr(call(name))
    assert capfd.readouterr() == ("", "")
    assert repr(call(name, verbose=1)) == silent
    out, err = capfd.readouterr()
    assert out == ""
    assert err.strip()


@EACH_CALL
def test_other_values_of_verbose_are_refused(name):
    for value, error in {"x": TypeError, 0.5: TypeError, -1: ValueError}.items():
        with pytest.raises(error, match=f"^verbose must be None or an integer.*got {value!r}$"):
            call(name, verbose=value)


class Clock:
    """Time that passes as work is done."""

    def __init__(self):
        self.now = 1e9

    def __call__(self):
        return self.now

    def work(self, n_items, seconds):
        for item in range(n_items):
            yield item
            self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("time.monotonic", clock)
    monkeypatch.setattr("sklearn_clustcompare._tasks._announced", {"until": 0.0, "is_one": False})
    monkeypatch.setattr("sklearn_clustcompare._tasks._is_watched", lambda: True)
    return clock


def shown(clock, capsys, n_items, seconds, verbose=None):
    options = {"verbose": verbose, "description": "fits", "total": n_items}
    assert list(progress(clock.work(n_items, seconds), **options)) == list(range(n_items))
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("n_items", "seconds", "expected"),
    [
        (11, 1.0, ""),  # ten are left after the first one
        (12, 1.0, "fits: may take about 11 s more (verbose=0 is silent)\n"),
        (101, 0.1, ""),
        (10_000, 0.1, "fits: may take about 17 min more (verbose=0 is silent)\n"),
        (2, 9.0, ""),
        (1, 900.0, ""),
    ],
)
def test_work_of_more_than_ten_seconds_is_estimated_in_one_line(
    n_items, seconds, expected, clock, capsys
):
    assert shown(clock, capsys, n_items, seconds) == expected


def test_an_estimate_is_not_repeated_for_its_parts(clock, capsys):
    assert shown(clock, capsys, 100, 1.0)
    clock.now -= 60  # the work was said to take longer than it did
    assert not shown(clock, capsys, 30, 1.0)
    clock.now += 99
    assert shown(clock, capsys, 100, 1.0)


def test_the_parts_of_one_call_are_estimated_once(clock, capsys):
    with one_estimate():
        assert shown(clock, capsys, 100, 1.0)
        with one_estimate():
            assert not shown(clock, capsys, 100, 1.0)
        assert not shown(clock, capsys, 100, 1.0)
    assert shown(clock, capsys, 100, 1.0)


def test_nothing_is_estimated_where_nobody_looks_or_wants_it(clock, capsys, monkeypatch):
    assert not shown(clock, capsys, 100, 1.0, verbose=0)
    monkeypatch.undo()
    for is_terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
        assert _is_watched() is is_terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False)
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    assert _is_watched()


def test_progress_by_tqdm(capsys):
    pytest.importorskip("tqdm")
    assert list(progress("abc", verbose=1, description="letters")) == ["a", "b", "c"]
    err = capsys.readouterr().err
    assert "letters: 100%" in err
    assert "3/3" in err


def test_progress_takes_the_bar_that_fits_the_notebook(monkeypatch):
    module = pytest.importorskip("tqdm.auto")
    seen = []

    def bar(items, *, desc, total):
        seen.append((desc, total))
        return items

    monkeypatch.setattr(module, "tqdm", bar)
    assert list(progress("ab", verbose=1, description="letters")) == ["a", "b"]
    assert list(progress(iter("ab"), verbose=1, description="letters", total=7)) == ["a", "b"]
    assert seen == [("letters", 2), ("letters", 7)]


def test_progress_as_plain_text(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setattr("sklearn_clustcompare._tasks._INTERVAL", 0.0)
    assert list(progress(iter("ab"), verbose=True, description="letters")) == ["a", "b"]
    lines = ["letters: 1", "letters: 2", "letters: 2"]
    assert capsys.readouterr() == ("", "\n".join(lines) + "\n")
    monkeypatch.setattr("sklearn_clustcompare._tasks._INTERVAL", 60.0)
    assert list(progress("ab", verbose=2, description="letters")) == ["a", "b"]
    assert capsys.readouterr().err == "letters: 2 of 2\n"
