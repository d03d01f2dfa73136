"""The pytest plugin: the fixture ``clustering_baseline`` and its options.

pytest imports it at every start if the package is installed, so it imports nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from sklearn_clustcompare.checks import ClusteringBaseline

_DEFAULT = "clustering_baseline.json"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the file of accepted results, and to accept new ones."""
    group = parser.getgroup("clustcompare", "sklearn_clustcompare")
    group.addoption(
        "--clustering-baseline-update",
        action="store_true",
        help="accept what clustering_baseline.check is given, and write it to the file",
    )
    parser.addini(
        "clustering_baseline",
        f"file of accepted clusterings, relative to the rootdir (default: {_DEFAULT})",
        default=_DEFAULT,
    )


@pytest.fixture(scope="session")
def clustering_baseline(request: pytest.FixtureRequest) -> ClusteringBaseline:
    """Accepted clusterings: ``clustering_baseline.check(name, labels_true, labels_pred)``."""
    from sklearn_clustcompare.checks import ClusteringBaseline

    config: Any = request.config
    update = config.getoption("clustering_baseline_update")
    if update and hasattr(config, "workerinput"):
        msg = "--clustering-baseline-update writes one file: run it in one process, with -n 0"
        raise pytest.UsageError(msg)
    return ClusteringBaseline(config.rootpath / config.getini("clustering_baseline"), update=update)
