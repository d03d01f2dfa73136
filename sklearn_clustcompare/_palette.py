"""Colors of pictures, on paper and on screen."""

# From Okabe and Ito's palette, which is distinguishable for all types of color vision.
BLUE, ORANGE, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, YELLOW = "#56B4E9", "#E69F00"
CYCLE = (BLUE, ORANGE, GREEN, PURPLE, SKY, YELLOW)
# Readable as text on white and on black: the contrast is 4.5 to 1 on both.
GRAY = "#767676"
# Clusters by their verdict; every two differ by more than 24 in CIELAB, also for those who lack the
# cones for red or for green.
VERDICTS = {
    "kept": BLUE,
    "split": ORANGE,
    "part": SKY,
    "merged": "#882255",
    "split and merged": "#999999",
}
