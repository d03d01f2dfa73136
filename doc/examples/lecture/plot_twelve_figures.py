"""
Twelve figures for a lecture
============================

From pairs to chance, bias and the number of clusters. Each figure fits a slide of 16:9, and has a title
and one sentence.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.preprocessing import scale

import sklearn_clustcompare as scc

plt.rcParams.update({"figure.figsize": (10, 5.625), "savefig.dpi": 192, "font.size": 14})
plt.rcParams["figure.constrained_layout.use"] = True


def describe(figure, title, sentence):
    """Write the title above a figure and the sentence below it, in letters for the last row."""
    for axes in figure.axes:
        axes.set_title("")
    for text in figure.findobj(plt.Text):
        text.set_fontsize(max(text.get_fontsize(), 13))
    figure.set_layout_engine("constrained", rect=(0.01, 0.09, 0.98, 0.79))
    figure.suptitle(title, x=0.02, y=0.91, ha="left", va="baseline", fontsize=24, fontweight="bold")
    figure.text(0.02, 0.03, sentence, fontsize=16)


X, y = load_wine(return_X_y=True)
X, growers = scale(X), np.array(["Barolo", "Grignolino", "Barbera"])[y]
clusters = np.array(list("ABCDEF"))[KMeans(4, n_init=10, random_state=0).fit_predict(X)]

# %%
# 1. The table
# ------------
# Each cell counts the wines of a grower in a cluster. All indices are computed from this table.
figure, axes = plt.subplots()
scc.plot.ContingencyDisplay.from_predictions(growers, clusters, names=("kind", "cluster"), ax=axes)
describe(figure, "Every index starts from one table", "Wines of three kinds in four clusters.")
# sphinx_gallery_alt = "Table of three kinds of wine and four clusters with the number of wines in each cell"

# %%
# 2. Pairs
# --------
# Two objects are together or apart in the reference, and together or apart in the candidate.
figure, axes = plt.subplots()
pairs = scc.pair_confusion_matrix(growers, clusters) // 2
sides = ["apart", "together"]
display = scc.plot.ContingencyDisplay(pairs, row_labels=sides, col_labels=sides)
display.plot(axes, colorbar=False)
axes.set(xlabel="pairs of wines, by cluster", ylabel="by kind")
rand, ari = scc.rand_score(growers, clusters), scc.adjusted_rand_score(growers, clusters)
describe(
    figure,
    "Count pairs: together or apart?",
    f"Rand index: share of the pairs on the diagonal, {rand:.2f}. Adjusted for chance: {ari:.2f}.",
)
# sphinx_gallery_alt = "Table of all pairs of wines, together or apart by kind and by cluster; most are apart in both"

# %%
# 3. Splits and merges
# --------------------
# A stream from a reference cluster that divides is a split; streams that join are a merge.
figure, axes = plt.subplots()
scc.plot.AlluvialDisplay.from_predictions(growers, clusters, names=("kinds", "clusters"), ax=axes)
describe(figure, "Splits divide streams, merges join them", "One kind of wine has two clusters.")
# sphinx_gallery_alt = "Streams from three kinds of wine to four clusters; one kind divides in two"

# %%
# 4. What a matching does not see
# -------------------------------
# Purity looks at the largest cell of each column. Where the other objects went makes no difference.
figure, axes = plt.subplots(1, 2)
stay = np.eye(5, dtype=int)
for ax, name, counts in [
    (axes[0], "shifted", 80 * stay + 20 * np.roll(stay, 1, axis=1)),
    (axes[1], "scattered", 80 * stay + 5 * (1 - stay)),
]:
    table = scc.ContingencyTable.from_counts(counts)
    names = ("reference", f"{name}: NMI {scc.normalized_mutual_info_score(table):.2f}")
    scc.plot.ContingencyDisplay.from_table(table, colorbar=False, names=names, ax=ax)
describe(
    figure,
    "A matching sees the largest cell only",
    f"Purity is {scc.purity_score(table):.1f} for both, the mutual information differs.",
)
# sphinx_gallery_alt = "Two tables with 80 objects in each cell of the diagonal; the other 20 are in one or in four cells"

# %%
# 5. Scores of random labels
# --------------------------
# Random labels have nothing in common with the digits. An index that grows with their number of
# clusters rewards many clusters.
figure, axes = plt.subplots()
digits = load_digits()
rng = np.random.default_rng(0)
random = {k: rng.integers(k, size=300) for k in (2, 5, 10, 20, 50, 100, 200)}
names = ["rand_score", "purity_score", "nmi", "ami"]
scc.plot.IndexCurveDisplay.from_predictions(digits.target[:300], random, index=names, ax=axes)
axes.set(xlabel="number of random clusters")
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
describe(figure, "Random labels should score 0", "Only the adjusted index stays at 0.")
# sphinx_gallery_alt = "Four indices of random labels over the number of clusters; the adjusted one stays at 0"

# %%
# 6. The law of chance
# --------------------
# Shuffle one side: the scores that remain are chance.
figure, axes = plt.subplots()
patients, progression = load_diabetes(return_X_y=True)
quarter = np.searchsorted(np.quantile(progression, [0.25, 0.5, 0.75]), progression)
blood = KMeans(6, n_init=10, random_state=0).fit_predict(patients[:, 4:6])
scc.plot.NullDistributionDisplay.from_predictions(
    quarter, blood, index="mutual_info_score", ax=axes
)
describe(figure, "How high do shuffled labels score?", "Little agreement, but more than by chance.")
# sphinx_gallery_alt = "Histogram of the mutual information of shuffled labels; the observed value lies beyond it"

# %%
# 7. Is the best candidate better?
# --------------------------------
# Other wines from the same source would give other scores: the intervals show how different.
figure, axes = plt.subplots()
candidates = {
    f"{name} {k}": model.fit_predict(X)
    for k in (2, 3, 4)
    for name, model in {
        "k-means": KMeans(k, n_init=10, random_state=0),
        "Ward": AgglomerativeClustering(k),
        "single": AgglomerativeClustering(k, linkage="single"),
    }.items()
}
scc.plot.CandidateScoresDisplay.from_predictions(
    growers, candidates, index="adjusted_rand_score", confidence_level=0.95, ax=axes
)
describe(
    figure, "A lead can be luck", "Scores of clusterers with 2 to 4 clusters, with 95 % intervals."
)
# sphinx_gallery_alt = "Nine candidates ranked by the adjusted Rand index with intervals; k-means with 3 clusters leads"

# %%
# 8. Which clusters count?
# ------------------------
# Indices of information are means over clusters with the weight -p log p.
figure, axes = plt.subplots()
shares = [0.6, 0.25, 0.12, 0.03]
scc.plot.WeightFunctionDisplay(shares, [f"{share:.0%}" for share in shares]).plot(axes)
describe(
    figure,
    "Bias: clusters of which size count?",
    "Indices of information weight clusters by -p log p, most at 37 % of the objects.",
)
# sphinx_gallery_alt = "Weight of a cluster over its share of the objects, largest at 0.37, with four clusters marked"

# %%
# 9. The order decides
# --------------------
# One candidate finds the large cluster, the other one the rare clusters. For small q rare clusters
# weigh most, for large q the largest one.
figure, axes = plt.subplots()
reference = np.repeat([0, 1, 2, 3], [600, 200, 20, 10])
finds_large = np.minimum(reference, 1)
finds_rare = np.where(np.arange(len(reference)) < 60, 1, reference)
scc.plot.IndexCurveDisplay.from_predictions(
    reference,
    {"finds the largest cluster": finds_large, "finds the rare clusters": finds_rare},
    index="adjusted_mutual_info_score",
    q_range=np.geomspace(0.05, 3, 20),
    ax=axes,
)
axes.set_xscale("log")
describe(
    figure, "Bias: the order q decides who wins", "Choose q by the clusters that matter to you."
)
# sphinx_gallery_alt = "Adjusted mutual information of two candidates over the order q; their curves cross"

# %%
# 10. Which clusters failed?
# --------------------------
# A single score hides them. Bars above the axis are digits, those below it the clusters.
figure, axes = plt.subplots()
found = KMeans(10, n_init=4, random_state=0).fit_predict(digits.data)
scc.plot.DecompositionDisplay.from_predictions(
    digits.target, found, names=("digits", "found"), ax=axes
)
describe(
    figure,
    "A score is a mean over clusters",
    "Zeros and sixes are found; ones and eights are split and merged.",
)
# sphinx_gallery_alt = "Bars for ten digits upwards and for the matched clusters downwards; ones and eights are low"

# %%
# 11. The number of clusters, with a reference
# --------------------------------------------
# Purity cannot choose k: it grows until each object is a cluster. Adjusted indices have a maximum.
figure, axes = plt.subplots()
curve = {
    k: KMeans(k, n_init=2, random_state=0).fit_predict(digits.data)
    for k in (2, 4, 6, 8, 10, 12, 15, 20, 30, 50)
}
scc.plot.IndexCurveDisplay.from_predictions(
    digits.target, curve, index=["purity_score", "ami", "ari"], ax=axes
)
axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
describe(
    figure, "k with a reference", "Purity always wants more clusters; adjusted indices do not."
)
# sphinx_gallery_alt = "Purity, adjusted mutual information and adjusted Rand index of the digits over 2 to 50 clusters"

# %%
# 12. The number of clusters, without a reference
# -----------------------------------------------
# Three clusters of wines come back in other samples, and more than in data without clusters.
figure, axes = plt.subplots()
search = scc.StabilitySearch(
    KMeans(n_init=2), range(1, 8), n_resamples=10, null="pca", random_state=0
)
scc.plot.StabilityDisplay.from_estimator(search.fit(X), ax=axes)
describe(figure, "k without a reference", "Three clusters come back in other samples of wines.")
# sphinx_gallery_alt = "Stability of 1 to 7 clusters of wines and of data without clusters; 3 clusters stand out"
plt.show()
