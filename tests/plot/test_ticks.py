"""As many ticks of clusters as there is room for."""

from sklearn_clustcompare.plot import ContingencyDisplay
from tests.plot._examples import MANY, MANY_FOUND, texts


def test_many_clusters_are_an_image_with_few_labels():
    display = ContingencyDisplay.from_predictions(MANY, MANY_FOUND)
    assert display.text_ is None
    assert display.im_.get_array().shape == (len(set(MANY)), len(set(MANY_FOUND)))
    shown = texts(display.ax_.xaxis)
    assert 10 < len(shown) < 100
    assert set(shown) <= {str(label) for label in display.col_labels}
