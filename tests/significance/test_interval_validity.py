"""The simulation of intervals computes what the package does, by formulas for all cells at once."""

import warnings

import numpy as np
import pytest

from benchmarks import interval_validity
from sklearn_clustcompare._partition import Labels
from sklearn_clustcompare.significance import _leave_one_out as leave_one_out
from sklearn_clustcompare.significance._joint_cells import JointCells
from sklearn_clustcompare.significance._sampling_errors import sampling_errors
from tests._examples import slow

NAMES = interval_validity.NAMES
# The simulation changes the mean under permutation to first order in the sizes.
RELATIVE = dict.fromkeys(NAMES, 1e-6) | {"adjusted_mutual_info_score": 0.05}
# A single cluster found of two, full tables, thresholds, entities, Zipf sizes, agreement.
DESIGNS = [
    interval_validity.Design(0, 16, 2, "equal", 0.3, "half"),
    interval_validity.Design(1, 30, 3, "skewed", 0.1, "twice"),
    slow(interval_validity.Design(2, 50, 5, "zipf", 0.5, "same")),
    slow(interval_validity.Design(3, 60, 30, "equal", 0.2, "half")),
    slow(interval_validity.Design(4, 100, 4, "zipf", 0.0, "same")),
    slow(interval_validity.Design(6, 900, 100, "equal", 0.4, "same")),
    slow(interval_validity.Design(5, 90, 12, "equal", 0.3, "same", entities=True)),
]


def of_package(labels, design):
    """Return the errors of A and B by the package."""
    read = [Labels.of_codes(one) for one in labels[:3]]
    joint = JointCells.of(read, groups=read[0] if design.entities else None)
    chosen = tuple(interval_validity.CHOSEN.values())
    return sampling_errors(joint, chosen, n_resamples=99, random_state=0, n_jobs=None)


@pytest.mark.parametrize("design", DESIGNS)
def test_samples_are_those_of_the_package(design, monkeypatch):
    monkeypatch.setattr(interval_validity, "N_MOVED", leave_one_out._MOST_ERRORS)
    for seed in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = interval_validity.sample(design, np.random.default_rng(seed), 2)
            labels = design.draw(np.random.default_rng(seed))
            errors = dict(zip(interval_validity.CHOSEN, of_package(labels, design), strict=True))
        rand = found.scores[[NAMES.index("rand_score")], 0]
        for k, name in enumerate(NAMES):
            one, rel = errors[name], RELATIVE[name]
            if found.table[2] > leave_one_out.MOST_VALUES:
                rel = max(rel, 1e-5)  # interpolated
            value, error, df, effect = found.scores[k, :4]
            assert value == pytest.approx(one.values[0], rel=1e-9, abs=1e-12), name
            assert found.values[k, 1] == pytest.approx(one.values[1], rel=1e-9, abs=1e-12)
            gains = one._difference(0, 1)[4:6]
            assert found.leads[k][0][4:6] == pytest.approx(gains, rel=rel, abs=1e-9), name
            if name not in interval_validity.BY_HALVES:  # these are drawn
                assert error == pytest.approx(one.standard_errors[0], rel=rel, abs=1e-10), name
                if error > 1e-10:
                    assert df == pytest.approx(one._spread((0,))[1], rel=rel), name
                expected = one._difference(0, 1)[: 3 if one._difference(0, 1)[1] else 2]
                lead = found.leads[k][0][: len(expected)]
                assert lead == pytest.approx(expected, rel=rel, abs=1e-9)
                # Else the share of an object in the range is taken.
                if effect > 1e-11 * max(abs(value), 1.0):
                    # Of many errors the package interpolates the values.
                    expected = one.influences[0].effect
                    assert effect == pytest.approx(expected, rel=max(rel, 0.05)), name
            cautioned = interval_validity.cautions(
                name, found.scores[k][:, np.newaxis], np.array([found.table]), rand, design
            )
            assert bool(cautioned[0]) == bool(one.cautions(0)), name
