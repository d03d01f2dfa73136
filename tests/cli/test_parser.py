"""Command lines that are refused: one line on stderr, status 2, and nothing else."""

import shlex

import pytest

FILES = {
    "true.txt": "a\na\nb\n",
    "short.txt": "1\n1\n",
    "gap.txt": "1\n\n2\n",
    "nan.txt": "0\n1\nnan\n",
    "blank.txt": "\n",
    "minus.txt": "-1\n-1\na\n",
    "other.txt": "1\n2\n-1\n",
    "five.csv": "truth,same,renamed,near,far\na,a,2,x,1\na,a,2,x,2\nb,b,1,y,1\nb,b,1,y,2\n",
    "alone.csv": "truth\na\n",
    "hole.csv": "truth,found\na,1\nb,\n",
    "hole_of_truth.csv": "truth,found\na,1\n,2\n",
    "runs.csv": "barcode,truth,near\nAAA,a,1\nAAC,a,1\nAAG,b,1\nAAT,b,2\n",
    "cells.csv": "cell,type\nA,x\nB,x\nC,y\n",
    "twice.csv": "cell,k\nA,1\nB,1\nC,2\nB,2\n",
    "others.csv": "cell,k\nV,1\nW,1\n",
    "no_id.csv": "cell,k\nA,1\n,1\n",
    "points.csv": "id,name,x,class\n0,a,0,u\n1,b,9,v\n2,c,0,u\n3,d,9,v\n",
    "features.csv": "x,y\n" + "".join(f"{k % 3},{k}\n" for k in range(45)),
}

# The command line, and a part of the message.
CASES = """
 :: required: COMMAND
choose :: invalid choice: 'choose'
cmpare a.csv :: did you mean 'compare'
index :: did you mean 'indices'
errors a.csv :: did you mean 'relabel(labels_true, labels_pred) != labels_true' in Python
compare a b --fail-over vi=1 :: '--fail-under' (exit with status 1 if a score is below VALUE or a
rank a.csv --sort ami :: '--index' (indices to print; the first one ranks the candidates
consensus a.csv :: did you mean 'consensus_partition' in Python
compare a.csv --ture x --pred y :: did you mean '--true'
compare a.csv --true x --perd=y :: did you mean '--pred'
select iris --no-labels :: did you mean '--no-label'
select iris --plot k.png :: did you mean '--picture'
select iris --estimator kmeans,hdbscan --picture x.png :: --picture draws clusterers of one
select iris --algorithm ward :: did you mean '--estimator'
compare a.csv --true x --pred y --sep , :: did you mean '--delimiter'
compare a.csv --true x --pred y --weights w :: --weights: in Python only: sample_weight=
rank a.csv --true x --pred y :: did you mean '--reference'?; for --pred did you mean '--candidate'
compare a.csv b.csv --on id --kind x :: for --on did you mean '--id'?; it takes --true, --pred,
indices --kind pairs :: unrecognized arguments: --kind; it takes --family, --needs-data, --json
rank a.csv --sort-by ami --csv b.csv :: for --sort-by did you mean '--index'?; for --csv did
compare a.csv --label x :: for --label did you mean '--true'
select a.csv --k-min 2 --k-max 8 :: for --k-min did you mean '-k'?; for --k-max did you mean '-k'?
rank a.csv --reference x --candidate y --confidence-level 0.9 :: --confidence-level: in Python only:

compare true.txt short.txt :: true.txt and short.txt must have the same length, got 3 and 2
compare true.txt gap.txt :: line 2: a label must not be missing, got ''; --missing drop
compare true.txt nan.txt :: line 3: a label must not be missing, got 'nan'
compare true.txt blank.txt :: must have one label per line, got an empty file
compare nowhere.txt true.txt :: nowhere.txt cannot be read: No such file
compare true.txt five.csv :: --pred must name its column
compare five.csv :: one CSV file with both --true and --pred
compare true.txt true.txt true.txt :: takes one or two files, got 3
compare five.csv --true truth --pred rename :: has no column 'rename'; the closest: 'renamed'
compare five.csv --true truth --pred near,far --report text :: --report takes one column of --pred
compare five.csv --true truth --pred near,far --picture t.png :: --picture takes one column of

compare a b --fail-under bcubed_f_score=1.1 :: --fail-under: must be at most 1 for bcubed_f_score
compare a b --fail-under mirkin_distance=-1 :: at least 0 for mirkin_distance, its best value, got
compare a b --fail-under rand_score=nan :: must be NAME=VALUE with a finite number
compare a b --fail-under rand_score=high :: must be NAME=VALUE with a finite number
compare a b --fail-under rand_score=0.5=1 :: must be NAME=VALUE with a finite number
compare a b --fail-under =2 :: must be NAME=VALUE with a finite number
compare a b --fail-under nmi:q=0=0.5 :: q must be a number from 0.001
compare a b --fail-under rnd_score=0.5 :: did you mean 'rand_score'

compare a b --index purty :: did you mean
compare a b --index nmi:average=max :: normalized_mutual_info_score takes 'q', 'average_method'
compare a b --index nmi:average_method=mox :: did you mean 'max'
compare a b --index ari:q=2 :: adjusted_rand_score takes no parameters, got 'q'
compare a b --index nmi:q= :: an index must be NAME or NAME:key=value
compare a b --index nmi:q=2:q=3 :: each key once, got 'nmi:q=2:q=3'
compare a b --index jaccard :: did you mean 'pair_jaccard_score'
compare a b --index '?' :: an Index, got '?' (clustcompare indices lists all indices)
compare a b --index '' :: --index: must be names with commas between them, got ''
compare a b --index ari,,ami :: --index: must be names with commas between them, got 'ari,,ami'
compare a b --index '"ari' :: --index: must be names with commas between them, got '"ari'
compare --index ari true.txt xyz :: xyz cannot be read: No such file
compare --index ari --json a b ami :: takes one or two files, got 3: a, b, ami
select iris --index silhouette_score :: evaluates one by the data

compare cells.csv twice.csv --id cell --true type --pred k :: twice.csv, line 5, column 'cell': ids
compare cells.csv twice.csv --id cell --true type --pred k :: unique, got 'B' as on line 3; remove
compare cells.csv others.csv --id cell --true type --pred k :: no object of column 'cell' in common
compare cells.csv no_id.csv --id cell --true type --pred k :: line 3, column 'cell': an id must not
compare cells.csv twice.csv --id id --true type --pred k :: has no column 'id'
compare five.csv --true truth --pred near,far,near :: --pred must name each column once, got 'near'
rank five.csv --candidate near,near --reference truth :: --candidate must name each column once
compare cells.csv --true type --pred cell --id cell :: --id needs two different CSV files

compare true.txt short.txt --noise drop --noise-label u -1 :: argument FILE: must be a file, got
compare minus.txt other.txt --noise drop :: at least one object that is neither noise nor missing on
compare a b --noise-label c :: --noise-label needs --noise
rank five.csv --reference truth --noise leave :: --noise: must be one of 'cluster'
rank five.csv --reference truth --noise-label n m --noise drop :: m (--noise-label takes one label,
rank five.csv --reference truth --noise-label n -1 --noise drop :: arguments: -1 (--noise-label

compare true.txt true.txt --output page.html :: --output needs --report
compare true.txt true.txt --report text --index ari :: with --report, which has its own indices
compare true.txt true.txt --report text --json :: not allowed with
compare true.txt true.txt --report pdf :: --report: must be one of 'text'
compare true.txt true.txt --report text --family tracking :: takes no --family but entity, got tra
compare true.txt true.txt --report text --family entity --index ari :: --index and --all cannot be
compare true.txt true.txt --picture picture :: must be a file whose name ends with .png, .pdf, .svg
compare true.txt true.txt --picture folder.png :: a file in a folder that exists

compare a b --update :: --update needs --baseline
compare a b --min-coverage 0.5 :: --min-coverage needs --baseline
compare five.csv --true truth --pred far --baseline b.json --groups samee :: the closest: 'same'
compare five.csv --true truth --pred far --baseline b.json :: does not exist; accept a first result
compare five.csv --true truth --pred far --baseline b.json --max-new 0.5 :: --max-new needs --id
compare five.csv --true truth --pred far --baseline b.json --noise drop :: --noise and --missing
compare five.csv --true truth --pred far --baseline b.json --gate al :: 'records'; got 'al'; did you
compare five.csv --true truth --pred far --baseline b.json --rule tests :: did you mean 'test'
compare hole.csv --true truth --pred found --sampled --baseline b.json :: cannot be given with --bas
compare hole.csv --true truth --pred found --sampled --missing drop :: cannot be given with --miss
compare hole.csv --true truth --pred found --sampled --fail-under ari=0.5 :: label of its own

rank five.csv :: --reference or --reference-file is needed
rank five.csv --reference truth --index dunn_score :: index must compare two partitions
rank five.csv --reference truth --fail-under silhouette_score=0 :: index must compare two partitions
rank hole_of_truth.csv --reference truth :: line 3, column 'truth': a label must
rank five.csv --reference truth --reference-file truth.txt :: not allowed with
rank five.csv --reference thruth :: no column 'thruth'; the closest: 'truth'
rank five.csv --reference truth --candidate nea :: no column 'nea'
rank five.csv --reference-file short.txt :: got 2 labels in
rank five.csv --reference-file five.csv :: got a CSV file
rank alone.csv --reference truth :: columns of candidates other than 'truth'
rank hole.csv --reference truth :: line 3, column 'found': a label must not be missing
rank runs.csv --reference truth --drop barcod :: no column 'barcod'; the closest: 'barcode'
rank runs.csv --reference truth --drop barcode,near :: other than 'truth', 'barcode', 'near'
rank runs.csv --reference truth --candidate near --drop barcode :: --drop: not allowed with argument
compare - - :: standard input is read once
rank - --reference-file - :: standard input is read once

select :: required: DATA
select iriss :: must be a CSV file or one of 'iris', 'wine'
select nowhere.csv :: nowhere.csv cannot be read: No such file
select nowhere.txt :: no file is named 'nowhere.txt'
select iris -k 6:2 :: argument -k: must be LOW:HIGH, LOW:HIGH:STEP or one number
select iris -k 2:x :: got '2:x'
select iris -k 2:151 :: -k must not exceed the number of objects, 150, got 151
select iris --estimator kmean :: did you mean 'kmeans'
select iris -k 2-8 --estimator gmm :: got '2-8'; argument --estimator: must be one of 'kmeans'
report runs.csv --true truth :: did you mean 'compare --report'?
compare runs.csv --true truth --pred near -o x.html :: for -o did you mean '--output' (w
compare runs.csv truth near :: --true and --pred name columns
select iris --index rand_score,purty_score :: got 'purty_score'; did you mean 'purity_score'
select iris --index ary,ari,amy :: got 'ary' (clustcompare indices lists all indices); index must
select iris --index ary,ari,amy :: got 'amy' (clustcompare indices lists
select iris --index ari ami :: ami (--noise-label takes one label, and is repeated for several;
select iris --random-state -1 :: random_state
select iris --n-jobs 0 :: --n-jobs: must be a whole number other than 0 (-1 for all processors
select iris --n-jobs 1_0 :: --n-jobs: must be a whole number other than 0
select iris --drop id :: --drop names a column of a CSV file, but iris is a toy set
select iris --output no/such/folder/x.csv :: a folder that exists
select iris --delimiter '"' :: argument --delimiter: must be one character
select iris --delimiter tab :: argument --delimiter: must be one character
select iris --fail-under dunn_score=0 :: --fail-under: index must compare two partitions
select iris --estimator dbscan :: --eps is for --estimator dbscan, which needs it
select iris --eps 0.5 :: --eps is for --estimator dbscan, which needs it
select iris --estimator dbscan --eps 0 :: --eps: must be a positive number, got '0'
select iris --estimator dbscan --eps 0.5 -k 2:4 :: -k is not for --estimator dbscan, of which --eps
select iris --estimator hdbscan -k 1:3 :: at least 2 for hdbscan, since one object is no cluster
select points.csv -k 2 :: line 2, column 'name': a feature must be a finite number
select points.csv -k 2 :: --drop leaves columns out
select points.csv --drop nam :: no column 'nam'; the closest: 'name'
select points.csv --drop class :: --drop must not name the column of labels, got 'class'
select points.csv --drop id,name,x :: got 'class' only, dropped 'id', 'name', 'x'

select iris --no-label --estimator hdbscan --fail-under dunn_score=0 :: which hdbscan does not have
select features.csv --no-label --label x :: not allowed with argument
select features.csv --no-label --index ari :: --index needs reference labels, and cannot be given
select features.csv --no-label --fail-under ari=0.5 :: --fail-under needs reference labels
select features.csv --no-label --estimator kmeans,birch :: takes one --estimator, got kmeans, birch
select features.csv --no-label -k 2:50 :: -k must not exceed the number of objects, 45, got 50
select features.csv --no-label -k 1 :: -k must hold a number above 1 with --no-label, got 1
select features.csv --no-label --estimator hdbscan -k 5 :: at least two different values with
select features.csv --no-label --estimator dbscan --eps 0.5,0.5 :: --eps must hold at least two diff
select features.csv --no-label --drop x,y :: must have columns of features, dropped 'x', 'y'
select features.csv --no-label --picture nowhere/k.png :: must be a file in a folder that exists
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("errors")
    for name, text in FILES.items():
        (path / name).write_text(text)
    (path / "folder.png").mkdir()
    return path


@pytest.mark.slow
@pytest.mark.parametrize("case", [line for line in CASES.splitlines() if line])
def test_what_is_refused(refuse, folder, monkeypatch, case):
    monkeypatch.chdir(folder)
    line, message = case.split(" :: ")
    assert message in refuse(*shlex.split(line))
