"""Series and frames of other packages than pandas, by what they have in common."""

import datetime

import numpy as np
import pytest

from sklearn_clustcompare import (
    ContingencyTable,
    adjusted_rand_score,
    consensus_partition,
    pairwise_scores,
    purity_score,
    score_candidates,
)
from sklearn_clustcompare.consensus import medoid_partition
from tests._inputs import import_or_skip

TRUTH = ["a", "a", "b", "b"]
CANDIDATES = {"far": [0, 1, 0, 1], "same": [7, 7, 5, 5]}
SOFT = {"p": [0.5, 0.25, 1.0, 0.0], "q": [0.5, 0.75, 0.0, 1.0]}


def _polars():
    polars = import_or_skip("polars")
    return polars.Series, polars.DataFrame


def _arrow():
    pyarrow = import_or_skip("pyarrow")
    return pyarrow.array, pyarrow.table


def _arrow_in_parts():
    pyarrow = import_or_skip("pyarrow")

    def chunked(values):
        return pyarrow.chunked_array([values[:1], values[1:]])

    return chunked, lambda columns: pyarrow.table({k: chunked(v) for k, v in columns.items()})


def _arrow_batch():
    pyarrow = import_or_skip("pyarrow")
    return pyarrow.array, pyarrow.record_batch


def _narwhals():
    narwhals = import_or_skip("narwhals.stable.v1")
    series, frame = _arrow_in_parts()
    return (
        lambda values: narwhals.from_native(series(values), series_only=True),
        lambda columns: narwhals.from_native(frame(columns)),
    )


@pytest.fixture(params=[_polars, _arrow, _arrow_in_parts, _arrow_batch, _narwhals])
def forms(request):
    """Return what makes a series of values, and a frame of columns."""
    return request.param()


def test_labels(forms):
    series, _ = forms
    for labels in (TRUTH, CANDIDATES["same"], [True, True, False, False]):
        assert adjusted_rand_score(series(labels), TRUTH) == 1.0
    days = [datetime.date(2020, 1, day) for day in (1, 1, 2, 3)]
    assert ContingencyTable.from_labels(series(days), TRUTH) == ContingencyTable.from_labels(
        days, TRUTH
    )
    weighted = ContingencyTable.from_labels(TRUTH, TRUTH, sample_weight=series([1, 2, 3, 4]))
    assert weighted.row_sums.tolist() == [3, 7]


@pytest.mark.parametrize(
    "labels", [["a", None, "b", "b"], [1, None, 2, 2], [True, None, False, True]]
)
def test_missing_labels(forms, labels):
    series, _ = forms
    table = ContingencyTable.from_labels(series(labels), TRUTH, missing="drop")
    assert table == ContingencyTable.from_labels(labels[:1] + labels[2:], ["a", "b", "b"])
    with pytest.raises(ValueError, match="^labels_true must not contain .* at position 1"):
        adjusted_rand_score(series(labels), TRUTH)


HUGE = [2**53, 2**53 + 1, None, 2**62 + 1]


def _nullable():
    pandas, polars, pyarrow = map(import_or_skip, ("pandas", "polars", "pyarrow"))
    for dtype in ("Int64", "int64[pyarrow]"):
        yield lambda values, dtype=dtype: pandas.Series(values, dtype=dtype), pandas.DataFrame
    yield lambda values: pandas.array(values, dtype="UInt64"), pandas.DataFrame
    for dtype in (polars.Int64, polars.UInt64):
        yield lambda values, dtype=dtype: polars.Series(values, dtype=dtype), polars.DataFrame
    yield pyarrow.array, pyarrow.table
    yield _arrow_in_parts()[0], pyarrow.table
    yield _narwhals()[0], dict


def test_nullable_integers_keep_all_their_digits():
    expected = ContingencyTable.from_labels([HUGE[0], HUGE[1], HUGE[3]], [0, 1, 3])
    for series, frame in _nullable():
        column = series(HUGE)
        table = ContingencyTable.from_labels(column, range(4), missing="drop")
        assert table == expected
        candidates = frame({"huge": column, "other": series([1, 1, None, 1])})
        scores = score_candidates(
            [0, 1, 2, 3], candidates, indices="adjusted_rand_score", missing="drop"
        )
        assert scores.scores["adjusted_rand_score"].tolist() == [1.0, 0.0]
        with pytest.raises(ValueError, match="^labels_true must not contain missing .* position 2"):
            adjusted_rand_score(column, range(4))


def test_a_column_of_records_is_told_what_it_is():
    polars = import_or_skip("polars")
    records = polars.Series([{"a": 1, "b": 2}, {"a": 1, "b": 3}])
    with pytest.raises(ValueError, match="^labels_true must be .* records: use one field") as told:
        adjusted_rand_score(records, [0, 1])
    assert "ravel" not in str(told.value)


def test_memberships_and_their_names(forms):
    _, frame = forms
    table = ContingencyTable.from_memberships(TRUTH, frame(SOFT))
    assert table.col_labels.tolist() == ["p", "q"]
    array = np.column_stack(list(SOFT.values()))
    assert purity_score(TRUTH, frame(SOFT)) == purity_score(TRUTH, array)


def test_names_of_candidates(forms):
    series, frame = forms
    candidates = frame(CANDIDATES)
    scores = score_candidates(series(TRUTH), candidates, indices="adjusted_rand_score", n_jobs=1)
    assert scores.names == ["far", "same"]
    assert scores.best() == "same"
    assert pairwise_scores(candidates, index="rand_score").names == ["far", "same"]
    assert medoid_partition(candidates).name == "far"
    assert len(consensus_partition(candidates, random_state=0).labels) == 4
    with pytest.raises(ValueError, match=r"candidate 0 \('far'\) must have the same length"):
        score_candidates([0, 1], candidates, indices="rand_score")


def test_a_frame_of_one_column_is_no_labels(forms):
    _, frame = forms
    with pytest.raises(
        ValueError, match=r"^labels_pred must be a 1-D array of labels, got .*\(4, 1"
    ):
        adjusted_rand_score(TRUTH, frame({"found": [0, 0, 1, 1]}))
    with pytest.raises((TypeError, ValueError), match=r"^labels_pred must .* \.ravel\(\)"):
        adjusted_rand_score(TRUTH, frame({"found": TRUTH}))
    with pytest.raises(
        ValueError, match=r"^labels_pred must be a 1-D array of labels, got .*\(4, 1"
    ):
        ContingencyTable.from_labels(TRUTH, frame({"found": [0, 0, 1, 1]}))


@pytest.mark.parametrize("package", ["pandas", "pyarrow"])
def test_two_columns_of_one_name_are_no_answer_to_it(package):
    import_or_skip(package)
    import pandas as pd

    frame = pd.DataFrame([[0, 0, 1], [0, 1, 1], [1, 1, 0]], columns=["a", "b", "a"])
    if package == "pyarrow":
        import pyarrow

        columns = [pyarrow.array(frame.iloc[:, at]) for at in range(3)]
        frame = pyarrow.table(columns, names=["a", "b", "a"])
    rule = "must name one column of data, got 'a', the name of 2 of its columns$"
    for call, argument in {
        lambda: adjusted_rand_score("a", "b", data=frame): "labels_true",
        lambda: adjusted_rand_score("b", "b", sample_weight="a", data=frame): "sample_weight",
        lambda: pairwise_scores(["b", "a"], index="ari", data=frame): "partitions",
        lambda: pairwise_scores(index="ari", data=frame): "partitions",
        lambda: score_candidates("b", data=frame): "candidates",
    }.items():
        with pytest.raises(ValueError, match=f"^{argument} {rule}"):
            call()
    assert adjusted_rand_score("b", "b", data=frame) == 1.0
    once = "^candidates must name each column of data once, got 'b' twice$"
    with pytest.raises(ValueError, match=once):
        score_candidates("b", ["b", "b"], data=frame)


def test_candidates_beside_data_are_arrays_columns_or_both_by_name():
    frame = pytest.importorskip("pandas").DataFrame({"t": [0, 0, 1, 1], "a": [0, 1, 1, 1]})
    found = score_candidates("t", [frame["a"].to_numpy()], data=frame, indices="ari")
    named = score_candidates("t", {"x": "a"}, data=frame, indices="ari")
    assert found.scores["ari"] == named.scores["ari"] == adjusted_rand_score("t", "a", data=frame)
    with pytest.raises(ValueError, match=r"^candidates\['x'\] must name a column of data, got 'b'"):
        score_candidates("t", {"x": "b"}, data=frame, indices="ari")
