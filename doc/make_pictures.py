"""Draw the pictures of the landing page, the README and the decision tree, which are kept.

Run ``python doc/make_pictures.py`` when they should change, and look at them. Pages have one for
light and one for dark backgrounds. The landing page has two, which stand below each other on a
phone; the picture of the README has both on a white background. Its second picture has two verdicts
on the number of clusters, as they are drawn.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from sklearn_clustcompare import TransductiveSplit, choose_n_clusters, make_clustering_scorer
from sklearn_clustcompare._palette import BLUE, SKY
from sklearn_clustcompare.plot import AlluvialDisplay
from sklearn_clustcompare.plot._display import CYCLE
from sklearn_clustcompare.report._recommendation import TREE, Answer, Question

INDICES = {
    "adjusted_rand_score": "adjusted Rand index",
    "adjusted_mutual_info_score": "adjusted mutual information",
    "purity_score": "purity",
}
N_CLUSTERS = range(4, 21)
_STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": plt.cycler(color=CYCLE),
    # The same drawing is the same file.
    "svg.hashsalt": "sklearn_clustcompare",
}


def search_digits() -> tuple[Any, GridSearchCV]:
    """Return the digits, and the grid search over the number of clusters of a pipeline."""
    X, y = load_digits(return_X_y=True)
    search = GridSearchCV(
        make_pipeline(PCA(30, random_state=0), KMeans(n_init=5, random_state=0)),
        {"kmeans__n_clusters": list(N_CLUSTERS)},
        scoring=make_clustering_scorer(list(INDICES)),
        refit="adjusted_rand_score",
        cv=TransductiveSplit(),
        error_score="raise",
    )
    # For small data threads cost more than they give.
    with threadpool_limits(1):
        return y, search.fit(X, y)


def describe(search: GridSearchCV) -> str:
    """Return what the pictures show, which they carry as metadata."""
    scores = [
        f"{text} {search.cv_results_[f'mean_test_{name}'][search.best_index_]:.2f}"
        for name, text in INDICES.items()
    ]
    return f"{_best_n_clusters(search)} clusters of ten digits: {', '.join(scores)}"


def _best_n_clusters(search: GridSearchCV) -> int:
    return search.best_params_["kmeans__n_clusters"]


def draw_scores(ax: Any, search: GridSearchCV) -> None:
    """Draw the scores over the number of clusters."""
    best = _best_n_clusters(search)
    for name, text in INDICES.items():
        ax.plot(N_CLUSTERS, search.cv_results_[f"mean_test_{name}"], marker="o", label=text)
    ax.axvline(best, color="0.5", linewidth=1, linestyle=":", zorder=0)
    ax.set(
        xlabel="number of clusters",
        ylabel="agreement with the digits",
        xticks=range(4, 21, 2),
        title=f"Grid search: {best} clusters agree best",
    )
    ax.legend(loc="lower right", frameon=False)


def draw_digits(ax: Any, y: Any, search: GridSearchCV) -> None:
    """Draw where the digits are in the best clustering."""
    # Letters, since numbers would look like digits.
    letters = np.array(list("ABCDEFGHIJKLMNOPQRST"))[search.best_estimator_[-1].labels_]
    names = ("digits", f"{_best_n_clusters(search)} clusters")
    AlluvialDisplay.from_predictions(y, letters, names=names, ax=ax)
    ax.set(title="Which digits are split or merged", xlabel="")


# --------------------------------------------------------------------------- verdicts


def verdicts() -> list[Any]:
    """Return the numbers of clusters of the digits, and of the 50,000 rows of the README."""
    rng = np.random.default_rng(0)
    centers = 10 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    rows = centers[rng.integers(4, size=50_000)] + rng.normal(size=(50_000, 3))
    rows[:100] = 5 + rng.normal(size=(100, 3))
    return [choose_n_clusters(KMeans(n_init=3), X) for X in (load_digits().data, rows)]


def describe_verdicts(choices: list[Any]) -> str:
    return "; ".join(choice.verdict.headline for choice in choices)


def _save_verdicts(folder: Path) -> list[Path]:
    choices, drawn = verdicts(), []
    for choice in choices:
        with plt.style.context(["default", _STYLE]):
            figure = choice.plot().figure_
            figure.set(size_inches=(5.2, 6.4), dpi=90)
            figure.canvas.draw()
            drawn.append(np.asarray(figure.canvas.buffer_rgba()))
            plt.close(figure)
    path = folder / "verdicts.png"
    about = {"Description": describe_verdicts(choices)}
    plt.imsave(path, np.hstack(drawn), metadata=about)
    return [path]


# --------------------------------------------------------------------------- decision tree

# In points: as wide as a phone shows without making the letters smaller.
_TREE_WIDTH, _LINE, _INDENT = 262, 13, 13


def describe_tree() -> str:
    """Return all that is written in the picture of the tree, in a line each."""
    return "; ".join(text for text, *_ in _tree_lines(TREE))


def _tree_lines(node: Question | Answer, depth: int = 0) -> list[tuple[str, int, str]]:
    """Return the lines of the picture: text, depth and kind."""
    if isinstance(node, Answer):
        return [(node.call, depth, "answer")]
    lines = [(node.text, depth, "question")]
    for option, following in node.options.items():
        lines += [(option, depth + 1, "option"), *_tree_lines(following, depth + 2)]
    return lines


def draw_tree(*, dark: bool) -> plt.Figure:
    """Draw the questions, options and indices below each other, indented, with lines between."""
    lines = _tree_lines(TREE)
    height = _LINE * (len(lines) + 1)
    figure = plt.figure(figsize=(_TREE_WIDTH / 72, height / 72))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, _TREE_WIDTH), ylim=(height, 0))
    ax.set_axis_off()
    color = SKY if dark else BLUE
    styles = {
        "question": {"weight": "bold"},
        "option": {},
        "answer": {"color": color, "family": "monospace", "size": 7.6},
    }
    parents: list[int] = []  # the last line of each depth
    for row, (text, depth, kind) in enumerate(lines):
        x, y = 4 + _INDENT / 2 * depth, _LINE * (row + 1)
        ax.text(x, y, text, va="center", **({"size": 8.5} | styles[kind]))
        parents[depth:] = [row]
        if kind == "option":
            top = _LINE * (parents[depth - 1] + 1) + 6
            corner = 4 + _INDENT / 2 * (depth - 1) + 2
            ax.plot([corner, corner, x - 1], [top, y, y], color="0.55", linewidth=0.8)
    return figure


# Slides of 16:9, in points: where the columns of questions start, and that of the answers.
_SLIDE, _COLUMNS, _ANSWERS = (960, 540), (20, 158, 384), 600


def draw_slide(*, dark: bool) -> plt.Figure:
    """Draw each question beside the option that leads to it, and the indices in a column."""
    width, height = _SLIDE
    figure = plt.figure(figsize=(width / 72, height / 72))
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    ax.set_axis_off()
    color = SKY if dark else BLUE
    n_options = sum(kind == "option" for *_, kind in _tree_lines(TREE))
    line, row = height / (n_options + 2), 0

    def write(x: float, text: str, **style: Any) -> float:
        """Write on the present row; return where the text ends."""
        written = ax.text(x, line * (row + 1), text, va="center", **({"size": 12.5} | style))
        box = written.get_window_extent(figure.canvas.get_renderer())
        return float(box.x1 / figure.dpi * 72)

    def draw(node: Question, depth: int) -> None:
        nonlocal row
        x, top = _COLUMNS[depth], line * (row + 1) + 9
        write(x, node.text, weight="bold")
        for option, following in node.options.items():
            row += 1
            y = line * (row + 1)
            end = write(x + 16, option)
            ax.plot([x + 4, x + 4, x + 13], [top, y, y], color="0.55", linewidth=1)
            is_answer = isinstance(following, Answer)
            following_at = _ANSWERS if is_answer else _COLUMNS[depth + 1]
            ax.plot([end + 6, following_at - 6], [y, y], color="0.55", linewidth=1, linestyle=":")
            if isinstance(following, Answer):
                write(following_at, following.call, color=color, family="monospace", size=11.2)
            else:
                draw(following, depth + 1)

    draw(TREE, 0)
    return figure


def save_pictures(folder: Path) -> list[Path]:
    """Draw all pictures into a folder and return their files."""
    return [*_save_trees(folder), *_save_digits(folder), *_save_verdicts(folder)]


def _save_trees(folder: Path) -> list[Path]:
    paths = []
    for theme, style in (("light", "default"), ("dark", "dark_background")):
        for name, draw in (("which_index", draw_slide), ("which_index_phone", draw_tree)):
            paths.append(folder / f"{name}_{theme}.svg")
            with plt.style.context(["default", style, _STYLE]):
                figure = draw(dark=theme == "dark")
                about = {"Description": describe_tree(), "Date": None}
                figure.savefig(paths[-1], transparent=True, metadata=about)
                plt.close(figure)
    return paths


def _save_digits(folder: Path) -> list[Path]:
    y, search = search_digits()
    drawn = {
        "scores": lambda ax: draw_scores(ax, search),
        "digits": lambda ax: draw_digits(ax, y, search),
    }
    about = {"Description": describe(search)}

    def save(name: str, style: list[Any], shown: list[str], width: float, **options: Any) -> Path:
        with plt.style.context(["default", *style, _STYLE]):
            figure, axes = plt.subplots(
                1, len(shown), figsize=(width, 4.3), layout="constrained", squeeze=False
            )
            for one, ax in zip(shown, axes[0], strict=True):
                drawn[one](ax)
            figure.savefig(folder / name, **options)
            plt.close(figure)
        return folder / name

    for_page: dict[str, Any] = {"transparent": True, "metadata": {**about, "Date": None}}
    themes = {"light": [], "dark": ["dark_background"]}
    return [
        *(
            save(f"hero_{one}_{theme}.svg", style, [one], 5.2, **for_page)
            for one in drawn
            for theme, style in themes.items()
        ),
        save("overview.png", [], list(drawn), 10.4, dpi=120, metadata=about),
    ]


def main() -> None:
    """Draw the pictures, by default where the site takes them from."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).parent / "_static"
    parser.add_argument("folder", nargs="?", type=Path, default=default)
    for path in save_pictures(parser.parse_args().folder):
        print(f"{path}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
