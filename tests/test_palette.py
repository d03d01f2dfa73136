"""Colors that all eyes tell apart, and text that can be read on them."""

import numpy as np
import pytest

from sklearn_clustcompare._palette import CYCLE, GRAY, VERDICTS
from sklearn_clustcompare.report._document import _ROLES

# The matrices of the simulation of Machado et al. (2009) for full deficiency, of linear light.
DEFICIENCIES = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
PALETTES = {
    "curves": CYCLE,
    "verdicts": [*VERDICTS.values()],
    "parts": [color for color, _, _ in _ROLES.values()],
}


def _light(color):
    """Return the amounts of red, green and blue light."""
    digits = color.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    light = np.array([int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)])
    return np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)


def _contrast(*colors):
    low, high = sorted(_light(one) @ [0.2126, 0.7152, 0.0722] + 0.05 for one in colors)
    return high / low


@pytest.mark.parametrize("lacking", DEFICIENCIES)
@pytest.mark.parametrize("name", PALETTES)
def test_colors_are_told_apart_without_cones(name, lacking):
    seen = np.array([np.array(DEFICIENCIES[lacking]) @ _light(one) for one in PALETTES[name]])
    away = np.linalg.norm(seen[:, np.newaxis] - seen, axis=-1)
    assert away[np.triu_indices(len(seen), 1)].min() > 0.1


@pytest.mark.parametrize(("color", "ink", "_"), _ROLES.values(), ids=_ROLES)
def test_labels_of_bars_can_be_read(color, ink, _):
    assert _contrast(color, ink) >= 4.5


@pytest.mark.parametrize("ground", ["#fff", "#000"])
def test_gray_can_be_read_on_paper_and_in_the_dark(ground):
    assert _contrast(GRAY, ground) >= 4.5
