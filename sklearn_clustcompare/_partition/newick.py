"""Trees as Newick text, such as ``((ann:1,bob:1):2,'c d':3);``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from sklearn_clustcompare._options import shortened

# A comment or space, a quoted name, a mark, or a name or a number.
_TOKEN = re.compile(r"(\s+|\[[^\]]*\])|('(?:[^']|'')*')|([(),:;])|([^\s()\[\],:;']+)")


class Tree(NamedTuple):
    """A dendrogram with the names of its leaves.

    Rows of the ``linkage`` are the merges in the order of their heights; a node of more than two
    branches has several of the same height, one after the other. ``ends`` are the last rows of the
    nodes.
    """

    names: list[str]
    linkage: NDArray[np.float64]
    ends: list[int]


class _Nodes(NamedTuple):
    """Nodes as they are written: the parent of each, its name, and the length of its branch."""

    parents: list[int]
    names: list[str | None]
    lengths: list[float | None]

    def add(self, parent: int) -> int:
        self.parents.append(parent)
        self.names.append(None)
        self.lengths.append(None)
        return len(self.parents) - 1


def read_newick(text: str) -> Tree:
    """Read the text of one tree; raise ValueError if it is not one."""
    nodes = _read_nodes(text)
    n_nodes = len(nodes.parents)
    children: list[list[int]] = [[] for _ in range(n_nodes)]
    for node, parent in enumerate(nodes.parents[1:], 1):
        children[parent].append(node)
    lengths = _lengths(nodes)
    # From the leaves up: children are written after their parent begins.
    heights = [0.0] * n_nodes
    for node in range(n_nodes - 1, 0, -1):
        parent = nodes.parents[node]
        heights[parent] = max(heights[parent], heights[node] + lengths[node])
    leaves = [node for node in range(n_nodes) if not children[node]]
    clusters = {node: number for number, node in enumerate(leaves)}
    sizes, rows, ends = [1] * len(leaves), [], []
    inner = (node for node in range(n_nodes) if children[node])
    for node in sorted(inner, key=lambda node: (heights[node], -node)):
        cluster, *others = (clusters[child] for child in children[node])
        for other in others:
            sizes.append(sizes[cluster] + sizes[other])
            rows.append((cluster, other, heights[node], sizes[-1]))
            cluster = len(sizes) - 1
        clusters[node] = cluster
        if others:
            ends.append(len(rows) - 1)
    return Tree(_names(nodes, leaves), np.array(rows, np.float64).reshape(-1, 4), ends)


def _read_nodes(text: str) -> _Nodes:
    nodes = _Nodes([], [], [])
    node, is_new = nodes.add(-1), True
    tokens = _tokens(text)
    for position, quoted, mark, word in tokens:
        parent, is_within = nodes.parents[node], nodes.parents[node] >= 0
        if mark == "(" and is_new:
            node = nodes.add(node)
        elif mark == "," and is_within and not is_new:
            node, is_new = nodes.add(parent), True
        elif mark == ")" and is_within and not is_new:
            node = parent
        elif mark == ":" and not is_new and nodes.lengths[node] is None:
            nodes.lengths[node] = _length(text, next(tokens, None))
        elif (quoted or word) and nodes.names[node] is None and nodes.lengths[node] is None:
            nodes.names[node] = quoted[1:-1].replace("''", "'") if quoted else word
            is_new = False
        elif mark == ";" and not is_within and not is_new and next(tokens, None) is None:
            return nodes
        else:
            _refuse(text, position)
    return _refuse(text, len(text))


def _tokens(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the position of each token, and it as a quoted name, a mark, or another word."""
    position = 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            _refuse(text, position)
        space, quoted, mark, word = found.groups(default="")
        if not space:
            yield position, quoted, mark, word
        position = found.end()


def _length(text: str, token: tuple[int, str, str, str] | None) -> float:
    position, *_, word = token or (len(text), "")
    try:
        length = float(word)
    except ValueError:
        _refuse(text, position)
    if not 0 <= length < np.inf:
        msg = f"text must have branches of finite lengths of at least 0, got {word}"
        raise ValueError(msg)
    return length


def _lengths(nodes: _Nodes) -> list[float]:
    """Return the length of the branch above each node: 1 for all where no branch has one."""
    known = [length is not None for length in nodes.lengths[1:]]
    if any(known) and not all(known):
        lacks = known.index(False) + 1
        msg = (
            "text must have the lengths of all branches or of none, got one without above "
            f"{_called(nodes, lacks)}"
        )
        raise ValueError(msg)
    return [1.0 if length is None else length for length in nodes.lengths]


def _called(nodes: _Nodes, node: int) -> str:
    name = nodes.names[node]
    return "a node without a name" if name is None else shortened(name)


def _names(nodes: _Nodes, leaves: list[int]) -> list[str]:
    names = [str(nodes.names[leaf]) for leaf in leaves]
    repeated = [name for name, number in Counter(names).items() if number > 1]
    if repeated:
        msg = f"text must name each leaf once, got {shortened(repeated[0])} twice"
        raise ValueError(msg)
    return names


def _refuse(text: str, position: int) -> NoReturn:
    got = shortened(text[position : position + 40]) if position < len(text) else "its end"
    msg = (
        "text must be one tree in the Newick format with a name for each leaf, such as "
        f"'((a:1,b:1):1,c:2);', got {got} at position {position}"
    )
    raise ValueError(msg)
