"""One look for all pictures of the gallery."""

import warnings

import matplotlib.pyplot as plt


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
            "font.size": 10,
        }
    )
    warnings.simplefilter("error")
