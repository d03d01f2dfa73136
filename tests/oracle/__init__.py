"""What is claimed of an index, and a search for partitions that break it.

    >>> from tests.oracle import broken_claims, possible_claims

An author of an index runs it from a checkout of the package. It searches all pairs of partitions of
up to six objects (298 tables for six), all partitions of four objects of which some are repeated,
and random ones of up to 60 objects; for the triangle inequality and for perfect splits and merges,
all triples as well. Means are exact for up to six objects. What was not broken is likely, but not
proved.
"""

from tests.oracle.claims import CLAIMS, broken_claims, possible_claims
from tests.oracle.values import CounterExample, Values

__all__ = ["CLAIMS", "CounterExample", "Values", "broken_claims", "possible_claims"]
