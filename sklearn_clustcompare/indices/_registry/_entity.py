"""Indices of entities, segments and tracks."""

from __future__ import annotations

from typing import Any

from sklearn_clustcompare._parameters import label_or_none, one_of, share, share_or_majority
from sklearn_clustcompare.indices import _by_parameters, _entity
from sklearn_clustcompare.indices._record import Index
from sklearn_clustcompare.indices._registry._terms import UNIT

_CEAF: dict[str, Any] = {
    "greater_is_better": True,
    "range": UNIT,
    "symmetric": True,
    "similarity_metric": True,
    "identifies_equality": True,
    "constant_baseline": "none",
    "bias": "varies",
    "monotone": "weak",
    "replication_invariant": True,
    "source": "Luo (2005)",
    "parameters": {"similarity": one_of("overlap", "dice")},
    "families": ("coreference", "entity"),
}
_LEA: dict[str, Any] = {
    "greater_is_better": True,
    "range": UNIT,
    "soft": False,
    "similarity_metric": False,
    "constant_baseline": "none",
    "bias": "varies",
    "monotone": "weak",
    "replication_invariant": False,
    "source": "Moosavi & Strube (2016)",
    "families": ("coreference", "entity"),
}
_FOUND: dict[str, Any] = {
    "greater_is_better": True,
    "range": UNIT,
    "similarity_metric": False,
    "identifies_equality": True,
    "constant_baseline": "asymptotic",
    "bias": "varies",
    "replication_invariant": True,
    "by_parameters": _by_parameters.clusters_found,
    "parameters": {"threshold": share_or_majority, "background": label_or_none},
    "linear_in": "cells",
    "cell_sum": _entity.number_found,
    "families": ("entity", "segmentation", "tracking"),
}

ENTITY = (
    Index(
        "ceaf_precision_score",
        _entity.ceaf_precision,
        by_parameters=_by_parameters.ceaf_precision,
        **_CEAF,
    ),
    Index(
        "ceaf_recall_score",
        _entity.ceaf_recall,
        by_parameters=_by_parameters.ceaf_recall,
        **_CEAF,
    ),
    Index("ceaf_f_score", _entity.ceaf_f, by_parameters=_by_parameters.ceaf_f, **_CEAF),
    Index(
        "lea_precision_score",
        of_statistic=_entity.lea_precision,
        symmetric=False,
        identifies_equality=False,
        linear_in="cells",
        cell_sum=_entity.LINKS_OF_PRED,
        **_LEA,
    ),
    Index(
        "lea_recall_score",
        of_statistic=_entity.lea_recall,
        symmetric=False,
        identifies_equality=False,
        linear_in="cells",
        cell_sum=_entity.LINKS_OF_TRUE,
        **_LEA,
    ),
    Index("lea_f_score", _entity.lea_f, symmetric=True, identifies_equality=True, **_LEA),
    Index(
        "cluster_precision_score",
        _entity.cluster_precision,
        of_statistic=_entity.share_of_pred,
        symmetric=False,
        monotone="none",
        source="Menestrina, Whang & Garcia-Molina (2010)",
        **_FOUND,
    ),
    Index(
        "cluster_recall_score",
        _entity.cluster_recall,
        of_statistic=_entity.share_of_true,
        symmetric=False,
        monotone="weak",
        source="Menestrina, Whang & Garcia-Molina (2010)",
        **_FOUND,
    ),
    Index(
        "cluster_f_score",
        _entity.cluster_f,
        of_statistic=_entity.share_of_both,
        symmetric=True,
        monotone="none",
        source="Menestrina, Whang & Garcia-Molina (2010)",
        **_FOUND,
    ),
    Index(
        "panoptic_quality_score",
        _entity.panoptic_quality,
        of_statistic=_entity.share_of_both,
        greater_is_better=True,
        range=UNIT,
        symmetric=True,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="none",
        replication_invariant=True,
        by_parameters=_by_parameters.panoptic_quality,
        parameters={"threshold": share, "background": label_or_none},
        linear_in="cells",
        cell_sum=_entity.quality_found,
        source="Kirillov et al. (2019)",
        families=("segmentation", "tracking"),
    ),
    Index(
        "jaccard_error_rate",
        _entity.jaccard_error_rate,
        greater_is_better=False,
        range=UNIT,
        symmetric=False,
        similarity_metric=False,
        identifies_equality=True,
        constant_baseline="none",
        bias="varies",
        monotone="weak",
        replication_invariant=True,
        source="Ryant et al. (2019)",
        parameters={"background": label_or_none},
        families=("diarization",),
    ),
)
