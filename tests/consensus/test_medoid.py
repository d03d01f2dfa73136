from sklearn_clustcompare.consensus import medoid_partition
from tests._indices import own_index

# By the numbers of clusters of two partitions; the sums of the first and of the second column are
# equal, but not as floats.
VALUES = {(2, 1): 0.3, (3, 1): 0.0, (1, 2): 0.1, (3, 2): 0.2}


def value_by_shape(table):
    return VALUES.get(table.shape, 0.0)


def test_averages_that_differ_by_rounding_tie():
    index = own_index(value_by_shape)
    medoid = medoid_partition([[0, 0, 0], [0, 0, 1], [0, 1, 2]], index=index)
    assert medoid.averages[0] < medoid.averages[1]
    assert (medoid.position, medoid.ties) == (0, (0, 1))


RUNS = {"first\nrun": [0, 0, 1, 1], 2: [0, 0, 0, 1], "2": [1, 1, 0, 0]}


def test_names_are_shown_each_in_one_line():
    medoid = medoid_partition(RUNS)
    assert medoid.names == ("first\nrun", 2, "2")
    headline, _, *rows = str(medoid).splitlines()
    assert headline.startswith("MedoidResult: first\\nrun, average index")
    assert [row.split()[0] for row in rows] == ["'first\\nrun'", "2", "'2'"]
    assert [row.split()[2:] for row in rows] == [["medoid"], [], ["tied"]]


def test_partitions_without_names_are_shown_by_position():
    medoid = medoid_partition(list(RUNS.values()))
    assert medoid.names == (0, 1, 2)
    assert [row.split()[0] for row in str(medoid).splitlines()[2:]] == ["0", "1", "2"]
