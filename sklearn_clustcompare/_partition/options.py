"""Options for reading partitions: keywords of the public functions, one object below them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from sklearn_clustcompare._options import MISSING_TREATMENTS, NOISE_TREATMENTS
from sklearn_clustcompare._parameters import boolean, one_of

# What signatures show. Checkers of types cannot tell frames of all packages and sets from the rest.
PartitionLike: TypeAlias = Any
PartitionsLike: TypeAlias = Any
TableLike: TypeAlias = Any
MatrixLike: TypeAlias = Any

_known_treatment = one_of(*NOISE_TREATMENTS)
_known_missing = one_of(*MISSING_TREATMENTS)


@dataclass(frozen=True)
class Reading:
    """Rules for rows of memberships, and treatment of noise and missing labels.

    Rows of memberships sum to 1, unless they are ``possibilistic``, or divided by their sum first
    (``normalize``). Objects with the ``noise_label``, or one of several, are an ordinary "cluster",
    "singletons" (a cluster each), or dropped ("drop"). Objects whose label is ``missing`` raise an
    "error", are dropped ("drop"), or are one "cluster". Raises TypeError or ValueError for other
    values.
    """

    possibilistic: bool = False
    noise: str = "cluster"
    noise_label: Any = -1
    missing: str = "error"
    normalize: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        boolean("possibilistic", self.possibilistic)
        boolean("normalize", self.normalize)
        if self.possibilistic and self.normalize:
            msg = "possibilistic and normalize must not both be True: normalized rows sum to 1"
            raise ValueError(msg)
        _known_treatment("noise", self.noise)
        _known_missing("missing", self.missing)
        check_hashable(self.noise_labels, "noise_label")
        if not self.noise_labels:
            msg = "noise_label must be a label or a collection of at least one, got an empty one"
            raise ValueError(msg)

    @property
    def keywords(self) -> dict[str, Any]:
        """The options as keywords of another public function."""
        names = ("possibilistic", "noise", "noise_label", "missing")
        return {name: getattr(self, name) for name in names}

    @property
    def noise_labels(self) -> tuple[Any, ...]:
        """The labels of noise: each item of a list, tuple or set is one."""
        return as_collection(self.noise_label)

    @property
    def counts_all(self) -> bool:
        """Whether every object counts, with its label unchanged."""
        return self.noise == "cluster" and self.missing != "drop"


def as_collection(label: Any) -> tuple[Any, ...]:
    """Return the items of a list, tuple or set of labels, or one label alone."""
    return tuple(label) if isinstance(label, list | tuple | set | frozenset) else (label,)


def check_hashable(labels: tuple[Any, ...], name: str) -> None:
    """Raise TypeError unless all labels can be labels."""
    for label in labels:
        try:
            hash(label)
        except TypeError:
            msg = f"{name} must be hashable, as labels are, got {type(label).__name__}"
            raise TypeError(msg) from None


DEFAULT = Reading()
