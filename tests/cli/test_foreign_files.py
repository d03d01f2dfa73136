"""Tables as pandas, AnnData, R and Excel write them, read by the command."""

import itertools
import sys

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from sklearn_clustcompare.cli import _files
from tests._examples import slow
from tests._inputs import import_or_skip

TYPES = ["T", "T", "B", "B", "NK", "NK", "T"]
FOUND = [0, 0, 1, 1, 1, 2, 0]
IDS = [f"cell-{k}" for k in range(7)]
ARI = pytest.approx(adjusted_rand_score(TYPES, FOUND), abs=1e-15)
COLUMNS = ["--true", "type", "--pred", "found", "--index", "ari"]


def table(delimiter=",", quote="", header=None, index=None, line_end="\n"):
    """Write the types and the found clusters, texts in quotes and numbers without."""
    header = ["", "type", "found"] if header is None else header
    index = IDS if index is None else index
    quoted = [f"{quote}{name}{quote}" for name in header]
    rows = [
        [f"{quote}{one}{quote}", f"{quote}{kind}{quote}", str(cluster)]
        for one, kind, cluster in zip(index, TYPES, FOUND, strict=True)
    ]
    return "".join(delimiter.join(row) + line_end for row in [quoted, *rows])


FORMS = {
    "to_csv of pandas": ("cells.csv", table(index=range(7)), []),
    "obs.to_csv of AnnData": ("cells.csv", table(), []),
    "write.csv of R": ("cells.csv", table(quote='"', index=range(1, 8)), []),
    "write.csv2 of R": ("cells.csv", table(";", '"'), ["--delimiter", ";"]),
    "write.table of R": ("cells.txt", table(" ", '"', ["type", "found"]), ["--delimiter", " "]),
    "write.table without quotes": (
        "cells.txt",
        table(" ", "", ["type", "found"], range(1, 8)),
        ["--delimiter", " "],
    ),
    "write.table with tabs": ("cells.tsv", table("\t", '"', ["type", "found"]), []),
    "write.table with commas": ("cells.csv", table(",", '"', ["type", "found"]), []),
    "write.table with col.names=NA": ("cells.tsv", table("\t", '"'), []),
    "a European Excel": (
        "cells.csv",
        "\ufeff" + table(";", line_end="\r\n"),
        ["--delimiter", ";"],
    ),
    "a gzip file": ("cells.csv.gz", table(), []),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_the_first_column_without_a_name_is_the_index(run_json, run, write, form):
    name, text, options = FORMS[form]
    path = write(name, text)
    assert run_json("compare", path, *COLUMNS, *options)["scores"]["adjusted_rand_score"] == ARI
    ranking = run_json("rank", path, "--reference", "type", *options)["candidates"]
    assert [(row["candidate"], row["adjusted_rand_score"]) for row in ranking] == [("found", ARI)]
    chosen = run_json("select", path, "--label", "type", "-k", "2", *options)
    assert chosen["n_features"] == 1
    assert (
        run_json("rank", path, "--reference", "type", *options, "--drop", "index")["candidates"]
        == ranking
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "index", "Unnamed: 0"])
@pytest.mark.parametrize("form", FORMS)
def test_rows_are_matched_by_the_index(run, write, form, name):
    file, text, options = FORMS[form]
    header, *rows = text.splitlines(keepends=True)
    first, last = write(file, text), write(f"other-{file}", header + "".join(rows[::-1]))
    status, out, err = run("compare", first, last, *COLUMNS, "--id", name, *options, "--json")
    assert (status, err) == (0, "")
    assert f'"adjusted_rand_score": {ARI.expected!r}' in out
    assert run("compare", first, last, *COLUMNS, *options, "--json")[1] != out


def test_a_column_called_index_is_found_by_its_name(run_json, write):
    first = write("a.csv", ",index,type\n9,a,x\n8,b,x\n7,c,y\n")
    last = write("b.csv", ",index,found\n9,c,1\n8,b,0\n7,a,0\n")
    result = run_json("compare", first, last, *COLUMNS, "--id", "index")
    assert result["scores"]["adjusted_rand_score"] == 1.0


def test_fields_without_quotes_are_no_names_of_rows(refuse, write):
    complaint = "line 2: expected 2 fields as in the header, found 3; fields that contain the"
    for text in (
        "found,author\n1,Smith,John\n2,Doe,Jane\n1,Roe,Ann\n",
        "found,author\n1,a,\n2,b,\n",  # a delimiter at the end of each row
    ):
        path = write("unquoted.csv", text)
        assert complaint in refuse("compare", path, "--true", "found", "--pred", "author")
    path = write("rows.csv", 'found,type\n"1",1,"a"\n"2",1,"b","c"\n')
    complaint = "line 3: expected 3 fields as in the first row, found 4"
    assert complaint in refuse("compare", path, "--true", "found", "--pred", "type")


def test_blanks_between_quoted_names_suggest_another_delimiter(refuse, write):
    path = write("cells.csv", table(" ", '"', ["type", "found"]))
    err = refuse("compare", path, *COLUMNS)
    assert "line 1: not a row of a CSV file" in err
    assert err.endswith("; --delimiter names another separator of the fields\n")
    path = write("plain.csv", table(" ", "", ["type", "found"]))
    assert "; give --delimiter ' ' if that separates the fields" in refuse(
        "compare", path, *COLUMNS
    )


def test_the_index_is_no_column_of_the_list(refuse, write):
    path = write("cells.csv", table())
    assert "its columns: 'type', 'found'\n" in refuse(
        "compare", path, "--true", "?", "--pred", "found"
    )
    named = write("named.csv", table(header=["cell", "type", "found"]))
    assert "has no column 'index'" in refuse("compare", named, path, *COLUMNS, "--id", "index")
    assert "must have columns of candidates other than 'type'" in refuse(
        "rank", write("one.csv", ",type\n1,a\n2,a\n"), "--reference", "type"
    )


def test_names_of_rows_far_down_must_differ_as_well(refuse, run_json, write):
    text = table(" ", '"', ["type", "found"])
    options = ["--delimiter", " "]
    assert run_json("compare", write("a.txt", text), *COLUMNS, *options)
    path = write("b.txt", text.replace("cell-6", "cell-0"))
    assert "expected 2 fields as in the header, found 3" in refuse(
        "compare", path, *COLUMNS, *options
    )


# --------------------------------------------------------------------------- missing values


def test_missing_values_are_those_of_pandas():
    pd = pytest.importorskip("pandas")
    parsers = pytest.importorskip("pandas._libs.parsers")
    assert parsers.STR_NA_VALUES == _files._MISSING
    assert pd.__version__


@pytest.mark.parametrize("text", ["N/A", "#N/A", "None", "null", "NULL", "<NA>", "n/a", "", "NA"])
def test_missing_values_are_no_clusters(run, run_json, refuse, write, text):
    path = write("gaps.csv", table().replace("NK", f'"{text}"'))
    complaint = f"line 6, column 'type': a label must not be missing, got {text!r}"
    assert complaint in refuse("compare", path, *COLUMNS)
    result = run_json("compare", path, *COLUMNS, "--missing", "drop")
    kept = [k for k, kind in enumerate(TYPES) if kind != "NK"]
    assert result["n_samples"] == len(kept)
    assert result["scores"]["adjusted_rand_score"] == adjusted_rand_score(
        np.array(TYPES)[kept], np.array(FOUND)[kept]
    )


@pytest.mark.parametrize("text", ["na", "none", "Nan", "missing", "-", "NaN1"])
def test_other_words_are_labels(run_json, write, text):
    path = write("words.csv", table().replace("NK", text))
    assert run_json("compare", path, *COLUMNS)["scores"]["adjusted_rand_score"] == ARI


def test_noise_of_a_column_with_gaps_is_minus_one_with_a_point(run_json, refuse, write):
    pd = pytest.importorskip("pandas")
    found = [0, 0, 1, 1, -1, -1, None]
    text = pd.DataFrame({"type": TYPES, "found": found}).to_csv()
    arguments = ["compare", write("gaps.csv", text), *COLUMNS, "--missing", "drop"]
    complaint = "'-1' does not occur among the labels, but '-1.0' does"
    assert complaint in refuse(*arguments, "--noise", "drop")
    result = run_json(*arguments, "--noise", "drop", "--noise-label=-1.0")
    assert result["n_samples"] == 4


# --------------------------------------------------------------------------- one label per line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('"x"\n"1" 3\n"2" 1\n"3" 3\n', 2),
        ('"1" 3\n"2" 1\n"3" 3\n', 1),
        ("x\n1 3\n2 1\n3 3\n", 2),
        ("1 3\n2 1\n3 3\n\n", 2),
        ('"x"\n"AAC" "b"\n"AAG" "a"\n"AAT" "b"\n', 2),
        ('"","x"\n"1",3\n"2",1\n', 1),
    ],
)
def test_a_vector_of_r_is_refused_and_read_as_a_column(refuse, write, text, line):
    path, labels = write("x.txt", text), write("labels.txt", "a\nb\na\n")
    complaint = f"x.txt, line {line}: must be one label, got fields with a space or a comma between"
    assert complaint in refuse("compare", path, labels)
    assert complaint in refuse("compare", labels, path)


# As R writes a vector without names of rows, and pandas a Series without its index.
@pytest.mark.parametrize("text", ['"x"\n3\n1\n3\n', '"x"\n"b"\n"a"\n"b"\n', "x\n3\n1\n3\n"])
def test_a_header_is_no_label(refuse, run_json, write, text):
    path, labels = write("x.txt", text), write("labels.txt", "a\nb\na\n")
    complaint = f"x.txt, line 1: must be one label, got the header {text.splitlines()[0]}; to read"
    assert complaint in refuse("compare", path, path)
    assert complaint in refuse("compare", labels, path)
    result = run_json("compare", path, labels, "--true", "x", "--index", "ari")
    assert result["scores"]["adjusted_rand_score"] == 1.0
    assert result["n_samples"] == 3


@pytest.mark.parametrize("text", ["1\n1\nnoise\n", "noise\n1\nnoise\n", '"a"\n"b"\n"a"\n'])
def test_text_among_numbers_may_be_a_label(run_json, write, text):
    path = write("x.txt", text)
    assert run_json("compare", path, path, "--index", "ari")["n_samples"] == 3


def test_a_vector_of_r_is_a_column(run_json, write):
    path, labels = write("x.txt", '"x"\n"1" 3\n"2" 1\n"3" 3\n'), write("labels.txt", "a\nb\na\n")
    arguments = ["compare", path, labels, "--true", "x", "--delimiter", " ", "--index", "ari"]
    assert run_json(*arguments)["scores"]["adjusted_rand_score"] == 1.0


def test_labels_with_blanks_and_quotes_are_labels(run_json, write):
    for labels in (["T cell", "B cell"], ['"T cell"', '"B cell"'], ["1 a", "1 b"], ["3 x", "4 x"]):
        path = write("labels.txt", "\n".join(itertools.chain(*[labels] * 3)))
        other = write("other.txt", "1\n2\n" * 3)
        result = run_json("compare", path, other, "--index", "ari")
        assert result["scores"]["adjusted_rand_score"] == 1.0


def test_two_partitions_into_singletons_are_not_without_a_word(run, write):
    one, other = write("one.txt", "a\nb\nc\n"), write("other.txt", "b\nc\nd\n")
    status, out, err = run("compare", one, other, "--json")
    assert status == 0
    assert "warning: every label of one.txt and of other.txt is different, as in ids" in err
    assert run("compare", one, write("two.txt", "1\n1\n2\n"))[2] == ""
    single = write("single.txt", "a\n")
    assert run("compare", single, single)[2] == ""


# --------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("cell", ["0,5", "-1,25", "3,1e-2"])
def test_decimal_commas_are_named(refuse, write, cell):
    path = write("features.csv", f"x;label\n{cell};a\n1;b\n")
    assert f"got '{cell}', with a decimal comma instead of a point" in refuse(
        "select", path, "--delimiter", ";"
    )
    other = write("text.csv", "x;label\none;a\n1;b\n")
    assert "instead of a point" not in refuse("select", other, "--delimiter", ";")


# --------------------------------------------------------------------------- frames


@pytest.fixture
def frame():
    pd = pytest.importorskip("pandas")
    import_or_skip("pyarrow")
    kinds = pd.Categorical(TYPES)
    return pd.DataFrame({"type": kinds, "found": FOUND}, index=IDS)


@pytest.mark.parametrize("suffix", [".parquet", ".feather", ".PARQUET"])
def test_frames_are_read_as_their_csv_files(run_json, frame, tmp_path, suffix):
    path, as_csv = str(tmp_path / f"cells{suffix}"), str(tmp_path / "cells.csv")
    frame.to_csv(as_csv)
    getattr(frame, f"to_{suffix[1:].lower()}")(path)
    assert run_json("compare", path, *COLUMNS) == run_json("compare", as_csv, *COLUMNS)
    arguments = ["--reference", "type"]
    assert run_json("rank", path, *arguments) == run_json("rank", as_csv, *arguments)
    mixed = ["compare", path, as_csv, *COLUMNS, "--id", "index"]
    assert run_json(*mixed)["scores"]["adjusted_rand_score"] == ARI


def test_a_named_index_is_a_column_and_a_range_is_none(run_json, refuse, frame, tmp_path):
    path = str(tmp_path / "cells.parquet")
    frame.rename_axis("barcode").to_parquet(path)
    assert run_json("compare", path, path, *COLUMNS) != {}
    other = str(tmp_path / "other.parquet")
    frame.rename_axis("barcode")[::-1].to_parquet(other)
    arguments = ["compare", path, other, *COLUMNS, "--id"]
    assert run_json(*arguments, "barcode")["scores"]["adjusted_rand_score"] == ARI
    frame.reset_index(drop=True).to_parquet(path)
    assert "has no column 'index'; its columns: 'type', 'found'" in refuse(*arguments, "index")


def test_frames_that_cannot_be_read(refuse, write, tmp_path, monkeypatch):
    import_or_skip("pyarrow")
    broken = write("broken.parquet", "type,found\na,1\n")
    assert "broken.parquet cannot be read by pandas: " in refuse("compare", broken, *COLUMNS)
    gone = str(tmp_path / "gone.feather")
    assert "gone.feather cannot be read by pandas: No such file" in refuse(
        "compare", gone, *COLUMNS
    )
    assert "--true must name its column of labels" in refuse("compare", gone, gone)
    monkeypatch.setitem(sys.modules, "pandas", None)
    complaint = "is read by pandas with pyarrow, which cannot be imported"
    assert complaint in refuse("compare", broken, *COLUMNS)


# --------------------------------------------------------------------------- names


def test_names_are_written_on_one_line_and_cut(run, refuse, write):
    long, turned = "x" * 100_000, "abc\u202edef\x1b[31m"
    path = write("names.csv", f"type,{long},{turned}\na,1,1\na,1,2\nb,2,2\n")
    status, out, err = run("rank", path, "--reference", "type")
    assert (status, err) == (0, "")
    assert len(out) < 3_000
    assert "xxx...xxx" in out
    assert "abc\\u202edef\\x1b[31m" in out
    assert "\x1b" not in out
    ids = write("ids.csv", f"type,{long},{turned}\na,1,1\na,2,2\nb,3,2\n")
    status, out, err = run("rank", ids, "--reference", "type")
    assert (status, len(err) < 3_000) == (0, True)
    assert "it is left out; --candidate takes it" in err
    assert len(refuse("compare", *["abc"] * 999)) == len("clustcompare: \n") + 2_000


@pytest.mark.parametrize("n_rows", [100, slow(50_000)])
def test_fields_with_line_ends_tabs_and_marks(run_json, write, n_rows):
    fields = ['"a\nb"', '"c;d"', '"e,f"', '"g ""h"""', "i\tj"]
    rng = np.random.default_rng(0)
    true, found = rng.integers(5, size=(2, n_rows))
    lines = [f"{k},{fields[i]},{j}" for k, (i, j) in enumerate(zip(true, found, strict=True))]
    text = "\ufeff" + "\r\n".join([",type,found", *lines]) + "\r\n"
    expected = adjusted_rand_score(true, found)
    for name in ("quoted.csv", "quoted.csv.gz"):
        result = run_json("compare", write(name, text), *COLUMNS)
        assert result["scores"]["adjusted_rand_score"] == pytest.approx(expected, abs=1e-14)
