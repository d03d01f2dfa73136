"""Scores of speaker diarization: who spoke when."""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_clustcompare._numerics import FloatArray
from sklearn_clustcompare._rendering import Shown, Table, result_record, table_of
from sklearn_clustcompare._table import ContingencyTable
from sklearn_clustcompare._table.segments import speakers_of

# Mappings that agree in as many seconds differ by more than this share in what they overlap.
_TIE = 1e-12
_RATES = ("error_rate", "jaccard_error_rate", "purity", "coverage")
_SECONDS = ("missed", "false_alarm", "confusion", "total")


@result_record
@dataclass(frozen=True, eq=False, repr=False)
class DiarizationScores(Shown):
    """Scores of a diarization; made by :func:`diarization_scores`.

    Printed, and as HTML in a notebook, it shows a table of them. All parameters are attributes of
    the same names, which cannot be set.

    Parameters
    ----------
    error_rate : float
        Diarization error rate (DER), from 0; above 1 if false alarms exceed what is right.
    jaccard_error_rate : float
        Jaccard error rate (JER), in [0, 1].
    purity : float
        Share of the speech of the system that is of the main speaker of its label.
    coverage : float
        Share of the speech of the reference that is in the main label of its speaker.
    missed : float
        Seconds of speech without a speaker of the system.
    false_alarm : float
        Seconds of the system without a speaker.
    confusion : float
        Seconds under the wrong speaker.
    total : float
        Seconds of speech in the reference; those of several speakers count for each.
    mapping : dict
        Speaker of the reference for each label of the system that has one.

    See Also
    --------
    diarization_scores : Makes it.

    Examples
    --------
    >>> from sklearn_clustcompare import diarization_scores
    >>> scores = diarization_scores([(0, 6, "ann"), (6, 10, "bob")], [(0, 5, 1), (5, 10, 2)])
    >>> scores.error_rate, scores.confusion, scores.mapping
    (0.1, 1.0, {1: 'ann', 2: 'bob'})
    """

    error_rate: float
    jaccard_error_rate: float
    purity: float
    coverage: float
    missed: float
    false_alarm: float
    confusion: float
    total: float
    mapping: dict[Hashable, Hashable]

    def _headline(self) -> str:
        return f"DiarizationScores: {self.total:g} seconds of speech in the reference"

    def _shown(self) -> Table:
        names = [*_RATES, *(f"{name} (seconds)" for name in _SECONDS)]
        values = [getattr(self, name) for name in (*_RATES, *_SECONDS)]
        return table_of({"score": names, "value": values})


def diarization_scores(
    reference: Any, hypothesis: Any = None, *, collar: float = 0, skip_overlap: bool = False
) -> DiarizationScores:
    """Score who spoke when: diarization error rate, Jaccard error rate, purity and coverage.

    Speakers of the system are mapped to those of the reference one to one, such that as many
    seconds as possible agree. Several may speak at the same time.

    Parameters
    ----------
    reference : iterable of (start, end, label), annotation of pyannote or ContingencyTable
        Segments of the reference, with times in seconds; or a table made by
        :meth:`ContingencyTable.from_segments`, without ``hypothesis``.
    hypothesis : iterable of (start, end, label) or annotation of pyannote, default=None
        Segments of the system.
    collar : float, default=0
        Seconds around each start and end of a segment of the reference that are not counted, half
        of them before and half after.
    skip_overlap : bool, default=False
        Whether to leave out moments in which several speakers of the reference are heard.

    Returns
    -------
    DiarizationScores
        With ``error_rate``, ``jaccard_error_rate``, ``purity``, ``coverage``, the seconds
        ``missed``, ``false_alarm``, ``confusion`` and ``total``, and ``mapping``.

    Raises
    ------
    ValueError
        If times are not finite, a segment does not end after it starts, a label is missing,
        ``collar`` is negative, or a table is given together with ``hypothesis`` or options.
    TypeError
        If segments are not of two numbers and a hashable label, or ``hypothesis`` is missing.

    Warns
    -----
    UndefinedMetricWarning
        If the reference or the system has no speech: what is divided by its seconds is NaN.

    See Also
    --------
    ContingencyTable.from_segments : The table of seconds, for all other indices.
    jaccard_error_rate : The mean Jaccard distance for the mapping that makes it smallest.

    Notes
    -----
    With the numbers r and h of speakers heard at a time in reference and system, of which m are
    mapped to each other, the diarization error rate adds up max(r, h) - m over all seconds, and
    divides by the sum of r [1]_: r - h seconds are missed if that is positive, h - r are false
    alarms if that is, and min(r, h) - m are confused. The Jaccard error rate is the mean of
    1 - (seconds of both) / (seconds of any) over the speakers of the reference and what is mapped
    to them; 1 for those without [2]_. Purity and coverage count the seconds that each label shares
    with the speaker with whom it shares most, and those that each speaker shares with such a label.
    Of several mappings that agree in as many seconds, that with the smallest Jaccard error rate is
    taken.

    These are the scores of pyannote.metrics, but for four things. Of such mappings it takes any.
    Its purity and coverage have no ``collar`` and no ``skip_overlap``. Where segments of one
    speaker overlap, it counts that time for each of them, until its annotations are joined by their
    method ``support``. And where a side has no speech, its rates are 1, or 0, instead of NaN.

    For several recordings, add their tables, with different labels of speakers in each: speakers
    are then mapped within recordings, and all seconds count the same.

    References
    ----------
    .. [1] J. G. Fiscus, J. Ajot, M. Michel, J. S. Garofolo, "The rich transcription 2006 spring
       meeting recognition evaluation", Machine Learning for Multimodal Interaction, 2006.
    .. [2] N. Ryant, K. Church, C. Cieri, A. Cristia, J. Du, S. Ganapathy, M. Liberman, "The second
       DIHARD diarization challenge: dataset, task, and baselines", Interspeech, 2019.

    Examples
    --------
    >>> from sklearn_clustcompare import diarization_scores
    >>> reference = [(0, 10, "ann"), (8, 15, "bob"), (20, 25, "ann")]
    >>> hypothesis = [(1, 9, 1), (9, 16, 2), (20, 24, 2)]
    >>> diarization_scores(reference, hypothesis)
    DiarizationScores: 22 seconds of speech in the reference
    score                   value
    error_rate              0.409
    jaccard_error_rate      0.483
    purity                  0.737
    coverage                0.636
    missed (seconds)        4.000
    false_alarm (seconds)   1.000
    confusion (seconds)     4.000
    total (seconds)        22.000
    """
    if isinstance(reference, ContingencyTable):
        if hypothesis is not None or collar != 0 or skip_overlap is not False:
            msg = (
                "hypothesis, collar and skip_overlap must be left out with a table, got "
                f"{type(hypothesis).__name__}, {collar!r} and {skip_overlap!r}"
            )
            raise ValueError(msg)
        return _scores_of(reference)
    return _scores_of(
        ContingencyTable.from_segments(
            reference, hypothesis, collar=collar, skip_overlap=skip_overlap
        )
    )


def _scores_of(table: ContingencyTable) -> DiarizationScores:
    true, is_true = _speakers(table.row_labels)
    pred, is_pred = _speakers(table.col_labels)
    shared = is_true.T @ (table.counts @ is_pred)
    own_true, own_pred = is_true.T @ table.row_sums, is_pred.T @ table.col_sums
    n_true, n_pred = is_true.sum(axis=1)[table.cell_rows], is_pred.sum(axis=1)[table.cell_cols]

    seconds = table.cell_counts.astype(np.float64)
    missed, false_alarm, both = (
        float(seconds @ numbers)
        for numbers in (
            np.maximum(n_true - n_pred, 0),
            np.maximum(n_pred - n_true, 0),
            np.minimum(n_true, n_pred),
        )
    )
    overlaps = shared / (np.add.outer(own_true, own_pred) - shared)
    gains = shared + _TIE * shared.max(initial=0.0) * overlaps
    rows, cols = linear_sum_assignment(gains, maximize=True)
    is_mapped = shared[rows, cols] > 0
    rows, cols = rows[is_mapped], cols[is_mapped]
    confusion = max(both - float(shared[rows, cols].sum()), 0.0)

    total, found = float(own_true.sum()), float(own_pred.sum())
    rates = (
        (missed + false_alarm + confusion, total),
        (len(true) - float(overlaps[rows, cols].sum()), float(len(true))),
        (float(shared.max(axis=0, initial=0.0).sum()), found),
        (float(shared.max(axis=1, initial=0.0).sum()), total),
    )
    _warn_if_undefined(total, found)
    error_rate, jaccard_error_rate, purity, coverage = (
        above / below if below else math.nan for above, below in rates
    )
    return DiarizationScores(
        error_rate,
        jaccard_error_rate,
        purity,
        coverage,
        missed=missed,
        false_alarm=false_alarm,
        confusion=confusion,
        total=total,
        mapping={pred[col]: true[row] for row, col in zip(rows, cols, strict=True)},
    )


def _speakers(labels: NDArray[Any]) -> tuple[list[Hashable], FloatArray]:
    """Return the speakers of a side, and which of them each label stands for."""
    sets = [speakers_of(label) for label in labels.tolist()]
    numbers: dict[Hashable, int] = {}
    for one in sets:
        for speaker in sorted(one, key=str):
            numbers.setdefault(speaker, len(numbers))
    members = np.zeros((len(sets), len(numbers)))
    for row, one in enumerate(sets):
        members[row, [numbers[speaker] for speaker in one]] = 1.0
    return [*numbers], members


def _warn_if_undefined(total: float, found: float) -> None:
    for seconds, side, names in (
        (total, "reference", "error_rate, jaccard_error_rate and coverage are"),
        (found, "hypothesis", "purity is"),
    ):
        if not seconds:
            warnings.warn(
                f"{names} undefined where the {side} has no speech, and set to NaN",
                UndefinedMetricWarning,
                stacklevel=4,
            )
