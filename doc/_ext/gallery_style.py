"""One look for all pictures of the gallery."""

import warnings

import matplotlib.pyplot as plt

from sklearn_clustcompare.plot._axes import COLORMAP, CYCLE


def reset_pictures(gallery_conf, name):
    """Undo what the example before has set; a warning in an example is an error."""
    plt.rcdefaults()
    plt.rcParams.update(
        {
            "figure.figsize": (7.0, 4.2),
            "figure.constrained_layout.use": True,
            "savefig.dpi": 110,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.prop_cycle": plt.cycler(color=CYCLE),
            "image.cmap": COLORMAP,
            "font.size": 10,
        }
    )
    warnings.simplefilter("error")
