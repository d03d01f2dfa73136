"""One look for all pictures of the gallery, and the alternative texts that examples give them.

An example describes the pictures of a block by comments ``# sphinx_gallery_alt = "..."`` in it, one
for each picture; the first one also describes the thumbnail.
"""

import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
from docutils import nodes
from sphinx.errors import ExtensionError
from sphinx_gallery.scrapers import matplotlib_scraper

from sklearn_clustcompare.plot._display import COLORMAP, CYCLE

_ALT = re.compile(r'^# sphinx_gallery_alt = "(.+)"$', re.MULTILINE)
_THUMBNAIL = re.compile(r"gallery/(\w+)/images/thumb/sphx_glr_(\w+)_thumb\.png$")
# The style inverts pictures on dark pages.
_DARK = """
.. container:: only-dark

   On this dark page the picture is inverted: what is dark in print is bright here.

"""


def reset_pictures(gallery_conf, name):
    """Undo what the example before has set; a warning in an example is an error."""
    plt.rcdefaults()
    plt.rcParams.update(
        {
            "figure.figsize": (7.0, 4.2),
            "figure.constrained_layout.use": True,
            "savefig.dpi": 110,
            # Pages are light or dark.
            "savefig.transparent": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": plt.cycler(color=CYCLE),
            "image.cmap": COLORMAP,
            "font.size": 10,
        }
    )
    warnings.simplefilter("error")


def described_pictures(block, block_vars, gallery_conf):
    """Save the pictures of a block, with the texts that it gives them."""
    texts = _ALT.findall(block[1])
    figures = [plt.figure(number) for number in plt.get_fignums()]
    for figure in figures:
        if not (figure.get_suptitle() or any(ax.get_title() for ax in figure.axes)):
            msg = f"{block_vars['src_file']}: a picture has no title"
            raise ExtensionError(msg)
    has_colors_of_values = any(
        ax.images or _has_colorbar(ax) for figure in figures for ax in figure.axes
    )
    rst = matplotlib_scraper(block, block_vars, gallery_conf)
    if rst.count(":alt:") != len(texts):
        msg = f"{block_vars['src_file']}: {rst.count(':alt:')} pictures and {len(texts)} texts"
        raise ExtensionError(msg)
    if has_colors_of_values:
        rst += _DARK
    remaining = iter(texts)
    return re.sub(r":alt:.*", lambda _: f":alt: {next(remaining)}", rst)


def _has_colorbar(ax):
    return any(getattr(artist, "colorbar", None) for artist in ax.get_children())


def _describe_thumbnails(app, doctree):
    for image in doctree.findall(nodes.image):
        if found := _THUMBNAIL.search(image["uri"]):
            section, name = found.groups()
            example = Path(app.srcdir, "examples", section, f"{name}.py")
            image["alt"] = _ALT.search(example.read_text("utf-8")).group(1)


def setup(app):
    """Describe thumbnails wherever they are shown."""
    app.connect("doctree-read", _describe_thumbnails)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
