"""Colors of pictures and pages are told apart and read, also by people without a kind of cones."""

import json

import numpy as np
import pytest

from sklearn_clustcompare import _palette
from sklearn_clustcompare.report._document import _ROLES
from tests._files import DATA

PALETTES = {
    "cycle": _palette.CYCLE,
    "verdicts": [*_palette.VERDICTS.values()],
    "bars": [color for color, _, _ in _ROLES.values()],
}
# The matrices of the simulation of full deficiency, of linear light.
PRINTED = json.loads((DATA / "machado_2009.json").read_text("utf-8"))
DEFICIENCIES = {name: matrix for name, matrix in PRINTED.items() if name != "what"}


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
