"""Make the tables of the tutorial on single cells, which are kept in ``doc/tutorials``.

Run ``python doc/make_cells.py`` in an environment with scanpy and igraph. ``cells.csv`` has the
labels, ``cells_umap.csv`` a plane to draw in and ``cells_graph.npz`` the graph of neighbors.
"""

import argparse
from pathlib import Path

import scanpy as sc
from scipy.sparse import save_npz
from sklearn.cluster import DBSCAN, KMeans

RESOLUTIONS = (0.25, 0.5, 1, 2)
_SEED = 0


def main() -> None:
    """Write the tables, by default where the site takes them from."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).parent / "tutorials"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    folder = parser.parse_args().folder

    adata = sc.datasets.pbmc68k_reduced()
    labels = adata.obs[["bulk_labels"]].rename(columns={"bulk_labels": "type"})
    for resolution in RESOLUTIONS:
        name = f"leiden_{resolution}"
        options = {"flavor": "igraph", "directed": False, "n_iterations": -1, "random_state": _SEED}
        sc.tl.leiden(adata, resolution=resolution, key_added=name, **options)
        labels[name] = adata.obs[name]
    kmeans = KMeans(10, n_init=10, random_state=_SEED)
    labels["kmeans"] = kmeans.fit_predict(adata.obsm["X_pca"])
    labels["dbscan"] = DBSCAN(eps=0.5, min_samples=10).fit_predict(adata.obsm["X_umap"])
    labels.to_csv(folder / "cells.csv", index_label="id", lineterminator="\n")

    plane = sc.get.obs_df(adata, obsm_keys=[("X_umap", 0), ("X_umap", 1)])
    plane.columns = ["umap_1", "umap_2"]
    plane.round(2).to_csv(folder / "cells_umap.csv", index_label="id", lineterminator="\n")

    save_npz(folder / "cells_graph.npz", adata.obsp["connectivities"].astype("float32"))


if __name__ == "__main__":
    main()
