"""The CSV files that the command reads, and those that it refuses."""

import csv
import gzip
import io
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from sklearn_clustcompare.cli import _files
from tests._examples import slow


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "must have a header and rows, got an empty file"),
        ("\n\n", "must have a header and rows, got an empty file"),
        ("x,label\n", "must have rows below its header, got none"),
        ("x,label\n1,a\n2,b,c\n3,c\n", "line 3: expected 2 fields as in the header, found 3"),
        ("x,label\n1,a\n\n3,c,d\n", "line 4: expected 2 fields as in the header, found 3"),
        ("x,label\n1,a\n2\n", "line 3: expected 2 fields as in the header, found 1"),
        ("x,x,label\n1,1,a\n", "line 1: column names must differ, got 'x' as columns 1 and 2"),
        ("x,,label\n0,1,a\n", "line 1: every column must have a name, column 2 has none"),
        (",x,\n0,1,a\n", "line 1: every column must have a name, column 3 has none"),
        (",x,x,label\n0,1,1,a\n", "line 1: column names must differ, got 'x' as columns 2 and 3"),
        ("\nx,label\n0,a\n", "line 1: every column must have a name, column 1 has none"),
        ("x,label\n1,a\n2,\n", "line 3, column 'label': a label must not be missing, got ''"),
        ("x,label\n1,a\n2,nan\n", "line 3, column 'label': a label must not be missing, got 'nan'"),
        ("x,label\n1,a\ntwo,b\n", "line 3, column 'x': a feature must be a finite number"),
        ("x,label\n1,a\n,b\n", "line 3, column 'x': a feature must be a finite number, got ''"),
        ("x,label\n1,a\nnan,b\n", "column 'x': a feature must be a finite number, got 'nan'"),
        ("x,label\n1,a\n-inf,b\n", "column 'x': a feature must be a finite number, got '-inf'"),
        ("x,label\n1,a\n1_0,b\n", "column 'x': a feature must be a finite number, got '1_0'"),
        ('x,label\n1,"a\nb"\n?,b\n', "line 4, column 'x'"),
        ('x,label\n1,a\n2,"b\n3,c\n', "line 3: not a row of a CSV file"),
        ('x,label\n1,a\n2,"b"b\n', "line 3: not a row of a CSV file"),
        ("label\na\nb\n", "must have columns of features and one of labels, got 'label' only"),
        (b"x,label\n1,a\n2,\xe9\n", "line 3, column 'label': must be UTF-8 text, got byte 0xe9"),
        (b"x,label\n1,a\n2,\x00\n", "line 3, column 'label': must be UTF-8 text, got byte 0x00"),
        (b"x,label\n1,a\n2\xff,b\n", "line 3, column 'x': must be UTF-8 text, got byte 0xff"),
        (b"x,gr\xf6\xdfe\n1,a\n", "line 1: must be UTF-8 text, got byte 0xf6"),
        ("x,label\n1,a\n".encode("utf-16"), "line 1: must be UTF-8 text, got byte 0xff"),
    ],
)
def test_bad_csv_files_are_refused_with_the_line(refuse, write, text, complaint):
    path = write("data.csv", text)
    err = refuse("select", path, "-k", "1")
    assert complaint in err
    assert path in err


def test_a_column_that_is_not_there(refuse, write):
    path = write("data.csv", "height,width,species\n1,2,a\n")
    assert "has no column 'specie'; the closest: 'species'" in refuse(
        "select", path, "--label", "specie"
    )
    assert "its columns: 'height', 'width', 'species'\n" in refuse("select", path, "--label", "?")
    many = write("many.csv", ",".join(f"c{i}" for i in range(30)) + "\n" + ",".join("1" * 30))
    assert "'c8', 'c9', ...\n" in refuse("select", many, "--label", "?")


def test_a_file_that_is_not_gzip_or_not_readable(refuse, tmp_path):
    path = tmp_path / "data.csv.gz"
    path.write_bytes(b"x,label\n1,a\n")
    assert "must be a gzip file, as its name suggests" in refuse("select", path)
    path.write_bytes(gzip.compress(b"x,label\n1,a\n" * 50)[:-20])
    assert "must be a gzip file, as its name suggests" in refuse("select", path)
    assert "cannot be read: Is a directory" in refuse("select", tmp_path)


def test_csv_with_byte_order_mark_crlf_quotes_and_blanks(run_json, write):
    text = b'\xef\xbb\xbf"x, y",label\r\n1, a\r\n"1",a \r\n9,"b"\r\n\r\n'
    result = run_json("select", write("data.csv", text), "-k", "2")
    assert result["best"]["adjusted_rand_score"] == 1.0
    assert (result["n_samples"], result["n_classes"]) == (3, 2)


@pytest.mark.parametrize(
    ("option", "character"), [(";", ";"), ("\\t", "\t"), ("\t", "\t"), ("|", "|")]
)
def test_other_delimiters(run_json, write, option, character):
    text = "x,y,label\n0,1,a\n0,0,a\n9,9,b\n9,9,b\n".replace(",", character)
    result = run_json("select", write("data.csv", text), "--delimiter", option, "-k", "2")
    assert result["best"]["adjusted_rand_score"] == 1.0
    assert result["n_features"] == 2
    path = write("labels.tsv.gz", text)
    arguments = [path, "--true", "label", "--pred", "x", "--delimiter", option]
    assert run_json("compare", *arguments)["n_clusters_pred"] == 2
    ranking = run_json("rank", path, "--reference", "label", "--delimiter", option)
    assert [row["candidate"] for row in ranking["candidates"]] == ["x", "y"]


@pytest.mark.parametrize(("character", "shown"), [(";", ";"), ("\t", "\\t")])
def test_a_hint_at_the_delimiter(refuse, write, character, shown):
    path = write("data.csv", "x,label\n0,a\n1,b\n".replace(",", character))
    hint = f"; give --delimiter '{shown}' if that separates the fields\n"
    assert refuse("select", path).endswith(hint)
    assert refuse("select", path, "--label", "label").endswith(hint)
    assert refuse("compare", path, "--true", "x", "--pred", "label").endswith(hint)
    assert refuse("rank", path, "--reference", "label").endswith(hint)
    assert "columns of candidates" in refuse("rank", path, "--reference", f"x{character}label")
    decimal_commas = write("decimal.csv", "x;label\n0,5;a\n1,5;b\n")
    assert refuse("compare", decimal_commas, "--true", "x;label", "--pred", "x;label").endswith(
        "line 2: expected 1 fields as in the header, found 2; "
        "give --delimiter ';' if that separates the fields\n"
    )


def test_a_hint_at_the_comma(refuse, write):
    path = write("data.csv", "x,label\n0,a\n1,b\n")
    assert "give --delimiter ','" in refuse("select", path, "--delimiter", ";")
    assert "--delimiter" not in refuse("select", path, "--label", "y")


def test_a_line_end_is_no_delimiter(refuse):
    assert "must be one character" in refuse("select", "iris", "--delimiter", "\n")


def test_blank_lines_are_no_rows(run_json, refuse, write):
    rows = ["a,1", "", "b,2", "", "", 'b,"2"', ""]
    path = write("blank.csv", "\n".join(["true,found", *rows]))
    result = run_json("compare", path, "--true", "true", "--pred", "found", "--index", "ari")
    assert (result["n_samples"], result["scores"]["adjusted_rand_score"]) == (3, 1.0)
    path = write("field.csv", 'true\na\n""\n')  # an empty field is one
    complaint = "line 3, column 'true': a label must not be missing"
    assert complaint in refuse("compare", path, path, "--true", "true", "--pred", "true")


# --------------------------------------------------------------------------- long files


@pytest.fixture
def long_csv():
    """More rows than are read at once, and more text; the lines of the file."""
    return ["id,found,x,true", *(f"{k},{k % 7},{k / 9!r}, {k % 5} " for k in range(70_000))]


@pytest.mark.slow
def test_a_long_file_is_read_as_a_whole(run_json, write, long_csv):
    path = write("long.csv", "\n".join(long_csv) + "\n\n")
    result = run_json("compare", path, "--true", "true", "--pred", "found", "--index", "ari")
    codes = np.arange(70_000)
    assert result["n_samples"] == len(codes)
    expected = adjusted_rand_score(codes % 5, codes % 7)
    assert result["scores"] == {"adjusted_rand_score": pytest.approx(expected)}


@pytest.mark.parametrize(
    ("line", "text", "complaint"),
    [
        (65_000, b"1,2,3,4,5", "line 65000: expected 4 fields as in the header, found 5"),
        slow(65_000, b"1,,3,4", "line 65000, column 'found': a label must not be missing, got ''"),
        (65_000, b"1,2,3,\xff", "line 65000, column 'true': must be UTF-8 text, got byte 0xff"),
        slow(65_000, b'1,2,"3"3,4', "line 65000: not a row of a CSV file"),
        slow(65_000, b'1,2,"3,4', "line 65000: not a row of a CSV file"),
    ],
)
@pytest.mark.parametrize("two_lines", [b"", b'1,2,"3\r\n3",4\n'])
def test_errors_far_down_name_the_line(refuse, write, long_csv, line, text, complaint, two_lines):
    lines = "\n".join(long_csv).encode().split(b"\n")
    lines[line - 1] = text
    if two_lines:  # one row in the place of two lines
        lines[9:11] = [two_lines.rstrip(b"\n")]
    path = write("long.csv", b"\n".join(lines))
    assert complaint in refuse("compare", path, "--true", "true", "--pred", "found")


def test_columns_that_are_not_asked_for_may_have_another_encoding(run_json, write):
    path = write(
        "latin.csv", "true,found,city\na,1,K\xf6ln\na,1,Bonn\nb,2,M\xfcnchen\n".encode("latin-1")
    )
    arguments = [path, "--true", "true", "--pred", "found", "--index", "ari"]
    assert run_json("compare", *arguments)["scores"]["adjusted_rand_score"] == 1.0


CELLS = st.text('a1 é,;"\t\n\r', max_size=4)


@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12),
    # The csv module quotes a lone \r where it must only if that is a part of the line end.
    style=st.sampled_from(
        [("\r\n", csv.QUOTE_MINIMAL), ("\r\n", csv.QUOTE_ALL), ("\n", csv.QUOTE_ALL)]
    ),
)
def test_cells_and_lines_are_those_of_the_csv_module(rows, style):
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator=style[0], quoting=style[1])
    writer.writerows([("one", "two"), *rows])
    reader = csv.reader(io.StringIO(text.getvalue(), newline=""))
    next(reader)
    lines = []
    for _ in rows:
        lines.append(reader.line_num + 1)
        next(reader)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.csv"
        path.write_bytes(text.getvalue().encode())
        columns = _files.CsvFile(str(path)).read(["two", "one"]).labels
    for name, cells in zip(("one", "two"), zip(*rows, strict=True), strict=True):
        assert columns[name].labels("keep").tolist() == [cell.strip() or None for cell in cells]
        assert columns[name].lines.tolist() == lines


# --------------------------------------------------------------------------- standard input


@pytest.fixture
def standard_input(monkeypatch):
    def set_text(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return set_text


def test_standard_input_is_a_file(run, run_json, write, five_partitions, standard_input):
    path, labels = write("five.csv", five_partitions), write("far.txt", "1\n2\n1\n2\n1\n2\n")
    for arguments in (
        ["compare", path, "--true", "truth", "--pred", "far"],
        ["compare", "--true", "truth", "--pred", "far", path],
        ["compare", path, labels, "--true", "truth"],
        ["rank", path, "--reference", "truth"],
        ["rank", path, "--reference-file", labels],
        ["select", path, "--label", "truth", "--drop", "same,near", "-k", "2"],
    ):
        expected = run_json(*arguments)
        standard_input(five_partitions)
        found = run_json(*("-" if text == path else text for text in arguments))
        assert found == expected | ({"data": "-"} if "data" in expected else {})
    standard_input("x\ny\ny\n")
    _, out, _ = run("compare", write("a.txt", "1\n2\n2\n"), "-", "--report", "text")
    assert "2 clusters of standard input" in out


def test_errors_of_standard_input(refuse, write, five_partitions, standard_input, monkeypatch):
    standard_input("a\nb\n\nc\n")
    path = write("five.csv", five_partitions)
    err = refuse("compare", "-", path, "--pred", "far")
    assert "standard input, line 3: a label must not be missing" in err
    monkeypatch.setattr(sys, "stdin", None)
    err = refuse("compare", "-", path, "--pred", "far")
    assert "standard input cannot be read: it is closed" in err


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs /dev/fd")
def test_a_pipe_is_read_once(run_json, write, five_partitions):
    columns = ["--true", "truth", "--pred", "far", "--index", "ari"]
    expected = run_json("compare", write("five.csv", five_partitions), *columns)
    reader, writer = os.pipe()
    try:
        os.write(writer, five_partitions.encode())
        os.close(writer)
        assert run_json("compare", f"/dev/fd/{reader}", *columns) == expected
    finally:
        os.close(reader)


# --------------------------------------------------------------------------- tabs


@pytest.mark.parametrize("suffix", [".tsv", ".TSV", ".tsv.gz"])
def test_a_tsv_file_has_a_header_and_columns(run_json, refuse, write, suffix):
    path = write(f"labels{suffix}", "id\ttrue\tfound\n1\ta\tx\n2\ta\ty\n3\tb\ty\n")
    as_csv = write("labels.csv", "id,true,found\n1,a,x\n2,a,y\n3,b,y\n")
    index = ["--index", "rand_score", "--true", "true", "--pred", "found"]
    assert run_json("compare", path, *index) == run_json("compare", as_csv, *index)
    assert run_json("rank", path, "--reference", "true", "--drop", "id") == run_json(
        "rank", as_csv, "--reference", "true", "--drop", "id"
    )
    assert "--true must name its column of labels" in refuse("compare", path, path)
    one = write(f"one{suffix}", "found\nx\ny\ny\n")
    assert "--true must name its column of labels" in refuse("compare", one, one)
    assert "has no column 'true'" in refuse("compare", path, *index, "--delimiter", ",")


def test_columns_are_no_labels(refuse, write):
    path = write("labels.txt", "id\tfound\n1\tx\n")
    assert "line 1: must be one label, got fields with a tab between" in refuse(
        "compare", path, path
    )
    csv = write("candidates.csv", "found\nx\nx\n")
    assert "line 1: must be one label" in refuse("rank", csv, "--reference-file", path)
