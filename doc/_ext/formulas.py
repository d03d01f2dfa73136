r"""All formulas on one page, in one notation.

``.. index-formulas:: FIRST LAST`` writes for each index of the registry from one name to another
its names in the literature, the first line of its docstring and its formula, and an entry of the
general index for each name. ``tests/test_formulas.py`` reads the formulas as they are written here
and compares their values with those of the functions.
"""

import inspect

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

import sklearn_clustcompare
from sklearn_clustcompare.indices import INDICES, INTERNAL_INDICES

_MATCHED = r"\max_{\sigma} \sum_{ij \in \sigma}"

# By index: its names in the literature, and the formula for its default parameters.
FORMULAS = {
    # Pairs
    "rand_score": ("Rand index", r"\frac{n_{11} + n_{00}}{P}"),
    "adjusted_rand_score": (
        "adjusted Rand index",
        r"\frac{n_{11} - A B / P}{(A + B) / 2 - A B / P}",
    ),
    "fowlkes_mallows_score": ("Fowlkes-Mallows index", r"\frac{n_{11}}{\sqrt{A B}}"),
    "pair_jaccard_score": ("Jaccard index", r"\frac{n_{11}}{n_{11} + n_{10} + n_{01}}"),
    "pair_precision_score": ("pair precision; Wallace coefficient", r"\frac{n_{11}}{B}"),
    "pair_recall_score": ("pair recall; Wallace coefficient", r"\frac{n_{11}}{A}"),
    "pair_f_score": (
        "F-score of pairs; Dice; Czekanowski",
        r"\frac{2 n_{11}}{A + B}",
    ),
    "adjusted_wallace_score": (
        "adjusted Wallace coefficient",
        r"\frac{n_{11} / A - B / P}{1 - B / P}",
    ),
    "mirkin_distance": (
        "Mirkin metric; equivalence mismatch distance",
        r"2 (n_{10} + n_{01})",
    ),
    "correlation_distance": (
        "correlation distance",
        r"\frac{1}{\pi} \arccos \frac{n_{11} n_{00} - n_{10} n_{01}}{\sqrt{A B (P - A) (P - B)}}",
    ),
    "projection_distance": (
        "projection distance",
        r"\sqrt{R + C - 2 \sum_{ij} \frac{n_{ij}^2}{a_i b_j}}",
    ),
    "partition_difference": ("partition difference", r"n_{00}"),
    "chi_squared_statistic": (
        "chi squared coefficient",
        r"\sum_{ij} \frac{(n_{ij} - a_i b_j / N)^2}{a_i b_j / N}",
    ),
    "pair_counting_score": (
        "Hamann coefficient",
        r"\frac{n_{11} + n_{00} - n_{10} - n_{01}}{P}",
    ),
    "frobenius_adjusted_rand_score": (
        "Frobenius adjusted Rand index",
        r"\frac{S - E(S)}{(S_U + S_V) / 2 - E(S)}, \quad S = \langle U U^T, V V^T \rangle",
    ),
    # Sets
    "purity_score": ("purity", r"\frac{1}{N} \sum_j \max_i n_{ij}"),
    "inverse_purity_score": ("inverse purity", r"\frac{1}{N} \sum_i \max_j n_{ij}"),
    "f_measure_score": (
        "F-measure",
        r"\sum_i \frac{a_i}{N} \max_j \frac{2 n_{ij}}{a_i + b_j}",
    ),
    "meila_heckerman_score": (
        "Meila-Heckerman measure",
        r"\frac{1}{N} \sum_j \max_i n_{ij}",
    ),
    "maximum_match_score": (
        "maximum-match measure",
        r"\frac{1}{N} \sum_{ij \in g} n_{ij}",
    ),
    "matching_accuracy_score": (
        "matching accuracy",
        rf"\frac{{1}}{{N}} {_MATCHED} n_{{ij}}",
    ),
    "misclassification_distance": (
        "misclassification error; classification error",
        rf"1 - \frac{{1}}{{N}} {_MATCHED} n_{{ij}}",
    ),
    "van_dongen_distance": (
        "van Dongen measure; van Dongen index",
        r"2 N - \sum_i \max_j n_{ij} - \sum_j \max_i n_{ij}",
    ),
    "normalized_clustering_accuracy_score": (
        "normalized clustering accuracy",
        rf"\frac{{{_MATCHED} n_{{ij}} / a_i - 1}}{{R - 1}}",
    ),
    "normalized_pivoted_accuracy_score": (
        "normalized pivoted accuracy",
        rf"\frac{{\max(R, C) {_MATCHED} n_{{ij}} / N - 1}}{{\max(R, C) - 1}}",
    ),
    "pair_sets_score": (
        "pair sets index",
        rf"\max(0, \frac{{{_MATCHED} n_{{ij}} / \max(a_i, b_j) - e}}{{\max(R, C) - e}})",
    ),
    "ceaf_precision_score": ("CEAF precision", rf"\frac{{1}}{{N}} {_MATCHED} n_{{ij}}"),
    "ceaf_recall_score": ("CEAF recall", rf"\frac{{1}}{{N}} {_MATCHED} n_{{ij}}"),
    "ceaf_f_score": ("CEAF", rf"\frac{{1}}{{N}} {_MATCHED} n_{{ij}}"),
    "lea_precision_score": (
        "LEA precision",
        r"\frac{1}{N} \sum_j b_j \sum_i \frac{n_{ij} (n_{ij} - 1)}{b_j (b_j - 1)}",
    ),
    "lea_recall_score": (
        "LEA recall",
        r"\frac{1}{N} \sum_i a_i \sum_j \frac{n_{ij} (n_{ij} - 1)}{a_i (a_i - 1)}",
    ),
    "lea_f_score": ("LEA", r"\frac{2 p r}{p + r}"),
    "cluster_precision_score": ("cluster precision", r"\frac{t}{C}"),
    "cluster_recall_score": ("cluster recall", r"\frac{t}{R}"),
    "cluster_f_score": ("cluster F-score", r"\frac{2 t}{R + C}"),
    "panoptic_quality_score": (
        "panoptic quality",
        r"\frac{2}{R + C} \sum_{ij \in t} \frac{n_{ij}}{a_i + b_j - n_{ij}}",
    ),
    "jaccard_error_rate": (
        "Jaccard error rate",
        rf"1 - \frac{{1}}{{R}} {_MATCHED} \frac{{n_{{ij}}}}{{a_i + b_j - n_{{ij}}}}",
    ),
    # Information
    "mutual_info_score": (
        "mutual information",
        r"\sum_{ij} \frac{n_{ij}}{N} \log \frac{N n_{ij}}{a_i b_j}",
    ),
    "normalized_mutual_info_score": (
        "normalized mutual information",
        r"\frac{2 I}{H(U) + H(V)}",
    ),
    "adjusted_mutual_info_score": (
        "adjusted mutual information",
        r"\frac{I - E(I)}{(H(U) + H(V)) / 2 - E(I)}",
    ),
    "homogeneity_score": ("homogeneity", r"\frac{I}{H(U)}"),
    "completeness_score": ("completeness", r"\frac{I}{H(V)}"),
    "v_measure_score": ("V-measure", r"\frac{2 I}{H(U) + H(V)}"),
    "conditional_entropy": (
        "conditional entropy",
        r"- \sum_{ij} \frac{n_{ij}}{N} \log \frac{n_{ij}}{b_j}",
    ),
    "variation_of_information_distance": (
        "variation of information",
        r"H(U) + H(V) - 2 I",
    ),
    "information_distance": (
        "information distance",
        r"\max(H(U), H(V)) - I",
    ),
    "normalized_information_distance": (
        "normalized information distance",
        r"1 - \frac{I}{\max(H(U), H(V))}",
    ),
    "reduced_mutual_info_score": (
        "reduced mutual information",
        r"\frac{1}{N} (\log \frac{N! \prod_{ij} n_{ij}!}{\prod_i a_i! \prod_j b_j!}"
        r" + \ell(b) - \ell(n))",
    ),
    "standardized_mutual_info_score": (
        "standardized mutual information",
        r"\frac{I - E(I)}{\mathrm{sd}(I)}",
    ),
    "standardized_rand_score": (
        "standardized Rand index",
        r"\frac{n_{11} - E(n_{11})}{\mathrm{sd}(n_{11})}",
    ),
    "pvalue_adjusted_mutual_info_score": (
        "p-value-adjusted mutual information",
        r"1 - p, \quad p = P(I_{\mathrm{random}} \ge I)",
    ),
    # Sums over cells
    "bcubed_precision_score": ("B-cubed precision", r"\frac{1}{N} \sum_{ij} \frac{n_{ij}^2}{b_j}"),
    "bcubed_recall_score": ("B-cubed recall", r"\frac{1}{N} \sum_{ij} \frac{n_{ij}^2}{a_i}"),
    "bcubed_f_score": ("B-cubed", r"\frac{2 p r}{p + r}"),
    "muc_precision_score": ("MUC precision", r"\frac{N - K}{N - C}"),
    "muc_recall_score": ("MUC recall", r"\frac{N - K}{N - R}"),
    "muc_f_score": ("MUC", r"\frac{2 (N - K)}{2 N - R - C}"),
    "split_count": ("splits", r"K - R"),
    "merge_count": ("merges", r"K - C"),
    "merge_distance": ("merge distance", r"2 K - R - C"),
    "element_centric_similarity_score": (
        "element-centric similarity",
        r"\frac{1}{N} \sum_{ij} \frac{n_{ij}^2}{\max(a_i, b_j)}",
    ),
    "cramers_v_score": ("Cramér's V", r"\sqrt{\frac{\chi^2}{N \min(R - 1, C - 1)}}"),
    "tschuprow_score": ("Tschuprow's T", r"\sqrt{\frac{\chi^2}{N \sqrt{(R - 1) (C - 1)}}}"),
    # Covers
    "omega_score": ("omega index", r"\frac{o - e}{1 - e}, \quad e = \sum_t P_U(t) P_V(t)"),
    "overlapping_normalized_mutual_info_score": (
        "overlapping normalized mutual information",
        r"\frac{H(U) - H(U | V) + H(V) - H(V | U)}{2 \max(H(U), H(V))}",
    ),
    "average_f_score": (
        "average F1",
        r"\frac{1}{2 R} \sum_i \max_j \frac{2 n_{ij}}{a_i + b_j}"
        r" + \frac{1}{2 C} \sum_j \max_i \frac{2 n_{ij}}{a_i + b_j}",
    ),
    # Data and one partition
    "silhouette_score": (
        "average silhouette",
        r"\frac{1}{N} \sum_x \frac{b_x - a_x}{\max(a_x, b_x)}",
    ),
    "calinski_harabasz_score": (
        "Calinski-Harabasz index; variance ratio criterion",
        r"\frac{\mathrm{BSS} / (k - 1)}{\mathrm{WSS} / (N - k)}",
    ),
    "davies_bouldin_score": (
        "Davies-Bouldin index",
        r"\frac{1}{k} \sum_i \max_{j \neq i} \frac{s_i + s_j}{\| m_i - m_j \|}",
    ),
    "within_cluster_sum_of_squares": (
        "within-cluster sum of squares",
        r"\mathrm{WSS} = \sum_i \sum_{x \in C_i} \| x - m_i \|^2",
    ),
    "between_cluster_sum_of_squares": (
        "between-cluster sum of squares",
        r"\mathrm{BSS} = \sum_i | C_i | \, \| m_i - m \|^2",
    ),
    "incidence_proximity_correlation": (
        "correlation of incidence and proximity matrix; Hubert's Gamma",
        r"\mathrm{corr}_{x < y} ( d(x, y), [ C(x) \neq C(y) ] )",
    ),
    "dunn_score": (
        "Dunn index",
        r"\min_{C(x) \neq C(y)} d(x, y) \; / \; \max_{C(x) = C(y)} d(x, y)",
    ),
    "xie_beni_score": (
        "Xie-Beni index",
        r"\frac{\sum_x \sum_i u_{xi}^2 \| x - m_i \|^2}{N \min_{i \neq j} \| m_i - m_j \|^2}",
    ),
    "dbcv_score": (
        "density-based clustering validation",
        r"\frac{1}{N} \sum_i | C_i | \frac{d_i - s_i}{\max(d_i, s_i)}",
    ),
    "modularity_score": (
        "modularity",
        r"\sum_i ( \frac{w_i}{m} - ( \frac{k_i}{2 m} )^2 )",
    ),
}

# Of the 2 x 2 table of pairs, with the customary letters a = n11, b = n10, c = n01, d = n00.
COEFFICIENTS = {
    "hamann": r"\frac{a + d - b - c}{a + b + c + d}",
    "czekanowski": r"\frac{2 a}{2 a + b + c}",
    "kulczynski": r"\frac{1}{2} (\frac{a}{a + b} + \frac{a}{a + c})",
    "mcconnaughey": r"\frac{a^2 - b c}{(a + b) (a + c)}",
    "peirce": r"\frac{a d - b c}{(a + b) (c + d)}",
    "gamma": r"\frac{a d - b c}{\sqrt{(a + b) (a + c) (b + d) (c + d)}}",
    "sokal_sneath_1": (
        r"\frac{1}{4} (\frac{a}{a + b} + \frac{a}{a + c} + \frac{d}{b + d} + \frac{d}{c + d})"
    ),
    "baulieu_1": r"1 - \frac{b + c}{a + b + c + d} + \frac{(b - c)^2}{(a + b + c + d)^2}",
    "baulieu_2": r"\frac{a d - b c}{(a + b + c + d)^2}",
    "russell_rao": r"\frac{a}{a + b + c + d}",
    "pearson": r"\frac{a d - b c}{(a + b) (a + c) (b + d) (c + d)}",
    "fager_mcgowan": r"\frac{a}{\sqrt{(a + b) (a + c)}} - \frac{1}{2 \sqrt{a + b}}",
    "sokal_sneath_2": r"\frac{a}{a + 2 (b + c)}",
    "sokal_sneath_3": r"\frac{a d}{\sqrt{(a + b) (a + c) (b + d) (c + d)}}",
    "rogers_tanimoto": r"\frac{a + d}{a + d + 2 (b + c)}",
    "gower_legendre": r"\frac{a + d}{a + d + (b + c) / 2}",
    "goodman_kruskal": r"\frac{a d - b c}{a d + b c}",
}


def summary_of(name):
    """Return the first line of the docstring of an index."""
    return inspect.getdoc(getattr(sklearn_clustcompare.metrics, name)).partition("\n")[0]


class IndexFormulas(SphinxDirective):
    """Names, sentence and formula of each index from one name to another in the registry."""

    required_arguments = 2

    def run(self):
        names = [*INDICES, *INTERNAL_INDICES]
        first, last = map(names.index, self.arguments)
        lines = []
        for name in names[first : last + 1]:
            known_as, formula = FORMULAS[name]
            terms = [term.strip() for term in known_as.split(";")]
            lines += [".. index::", *(f"   ! single: {term}" for term in terms), ""]
            lines += [f"**{', '.join(terms)}**: :func:`{name}`. {summary_of(name)}", ""]
            lines += [f".. math:: {formula}", ""]
        return self._parsed(lines)

    def _parsed(self, lines):
        return self.parse_text_to_nodes(StringList(lines, self.get_source_info()[0]))


class CoefficientFormulas(IndexFormulas):
    """The coefficients of the table of pairs."""

    required_arguments = 0

    def run(self):
        lines = []
        for name, formula in COEFFICIENTS.items():
            lines += [f'``"{name}"``', "", f".. math:: {formula}", ""]
        return self._parsed(lines)


def setup(app):
    """Register the directives."""
    app.add_directive("index-formulas", IndexFormulas)
    app.add_directive("coefficient-formulas", CoefficientFormulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
