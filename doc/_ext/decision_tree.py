"""The decision tree of indices as nested lists, from the table that ``recommend_index`` follows.

``.. decision-tree::`` writes a question for each level and a link to the index at its end.
"""

from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from sklearn_clustcompare.report._recommendation import TREE, Answer


def lines_of(question, indent=""):
    """Return the lines of a list with an item for each option."""
    lines = []
    for option, following in question.options.items():
        if isinstance(following, Answer):
            link = f":func:`{following.call} <sklearn_clustcompare.{following.index}>`"
            lines += [f"{indent}- {option}: {link}; {following.reason}."]
        else:
            lines += [f"{indent}- **{option}.** {following.text}", ""]
            lines += [*lines_of(following, f"{indent}  "), ""]
    return lines


class DecisionTree(SphinxDirective):
    """The tree."""

    def run(self):
        lines = [f"**{TREE.text}**", "", *lines_of(TREE)]
        return self.parse_text_to_nodes(StringList(lines, self.get_source_info()[0]))


def setup(app):
    """Register the directive."""
    app.add_directive("decision-tree", DecisionTree)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
