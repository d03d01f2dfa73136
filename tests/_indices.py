"""Indices of one's own."""

from sklearn_clustcompare.indices import Index


def own_index(function, name="own", **claims):
    """Return an index of which little is claimed but that larger is better."""
    about = {"greater_is_better": True, "range": (0.0, 1.0), "symmetric": False, "source": "here"}
    return Index(name, function, **(about | claims))
