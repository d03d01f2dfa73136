"""Colors of pictures and pages are told apart and read, also by people without a kind of cones."""

import numpy as np
import pytest

from sklearn_clustcompare import _palette
from sklearn_clustcompare.report._document import _ROLES

PALETTES = {
    "cycle": _palette.CYCLE,
    "verdicts": [*_palette.VERDICTS.values()],
    "bars": [color for color, _, _ in _ROLES.values()],
}
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


def light_of(color):
    """Return the linear light of a color in hexadecimal digits: red, green and blue."""
    digits = color.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    light = np.array([int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)])
    return np.where(light <= 0.04045, light / 12.92, ((light + 0.055) / 1.055) ** 2.4)


def luminance_of(color):
    return light_of(color) @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("palette", PALETTES)
def test_colors_are_told_apart_without_cones(deficiency, palette):
    matrix = np.array(DEFICIENCIES[deficiency])
    seen = np.array([matrix @ light_of(color) for color in PALETTES[palette]])
    away = np.linalg.norm(seen[:, np.newaxis] - seen, axis=-1)
    assert away[np.triu_indices(len(seen), 1)].min() > 0.1


@pytest.mark.parametrize(
    ("color", "ink"),
    [
        (_palette.GRAY, "#FFF"),
        (_palette.GRAY, "#000"),
        *((color, ink) for color, ink, _ in _ROLES.values()),
    ],
)
def test_texts_can_be_read(color, ink):
    first, second = sorted(luminance_of(one) + 0.05 for one in (color, ink))
    assert second / first >= 4.5
