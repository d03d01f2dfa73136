"""Model selection for clusterers."""

from sklearn_clustcompare.model_selection._split import TransductiveSplit

__all__ = ["TransductiveSplit"]
