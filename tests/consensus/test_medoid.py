from sklearn_clustcompare import medoid_partition

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
