"""Every study runs quickly on small data; numbers are checked against the library itself."""

import csv

import numpy as np
import pytest

from hardwood import TreeClassifier
from hardwood.studies import STUDIES, StudyError, run_study
from hardwood.studies.data import DataFolder
from hardwood.studies.decision_list import COLUMNS, answer, draw_list, examples


@pytest.mark.parametrize("name", list(STUDIES))
def test_a_quick_run_ends_with_verdicts_and_a_paragraph(name, data, tmp_path):
    findings = run_study(STUDIES[name], tmp_path / "out", data=data, quick=True)
    assert findings.verdicts or "nothing is compared" in findings.paragraph or name == "aziz-table3"
    assert len(findings.paragraph.split()) > 8
    assert "nan" not in findings.paragraph
    page = (tmp_path / "out" / "README.md").read_text()
    assert findings.paragraph in page
    assert STUDIES[name].title in page
    rows = list(csv.reader((tmp_path / "out" / "results.csv").read_text().splitlines()))
    assert len(rows) > 1
    assert all(len(row) == len(rows[0]) for row in rows)
    for stem in findings.figures:
        assert (tmp_path / "out" / f"{stem}.png").stat().st_size > 2000


@pytest.mark.parametrize("name", [n for n in STUDIES if STUDIES[n].files(STUDIES[n].full)])
def test_a_data_folder_without_the_files_is_refused_before_any_work(name, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(StudyError, match="does not have .*give --data the folder"):
        run_study(STUDIES[name], tmp_path / "out", data=tmp_path / "empty")
    assert not (tmp_path / "out").exists()


def test_keys_of_units_are_distinct_and_safe_as_file_names():
    for study in STUDIES.values():
        for settings in (study.full, study.quick):
            keys = [unit.key for unit in study.units(settings)]
            assert len(keys) == len(set(keys))
            assert all(set(key) & set('/\\:"*?<>| ') == set() for key in keys)


def test_sizes_of_table_1_are_those_of_trees_grown_to_purity(data, tmp_path):
    run_study(STUDIES["dkm-table1"], tmp_path / "out", data=data, quick=True)
    rows = [
        row
        for row in csv.DictReader((tmp_path / "out" / "results.csv").read_text().splitlines())
        if row["problem"] == "pima"
    ]
    problem = DataFolder(data).read("pima")
    order = np.random.default_rng([96, 0]).permutation(len(problem.y))
    sets = np.array_split(order[50:], 2)
    for row, part in zip(rows, sets, strict=True):
        tree = TreeClassifier(criterion="entropy", min_samples_leaf=1, pruning=None)
        grown = tree.fit(*problem.rows(part))
        assert int(row["size_entropy"]) == grown.tree_.n_nodes
        assert grown.score(*problem.rows(part)) == 1.0


def test_the_decision_list_answers_by_its_first_rule_that_holds():
    X, y = examples(3, 0, 400)
    assert X.shape == (400, COLUMNS)
    rules = draw_list(3)
    for row, label in zip(X[:50], y[:50], strict=True):
        held = [rule[2] for rule in rules if all(row[rule[0]] == rule[1])]
        assert label == (held[0] if held else 0)
    assert np.array_equal(answer(rules, X), y)
    assert not np.array_equal(examples(3, 1, 400)[0], X)


def test_a_class_that_no_row_has_is_refused(data):
    with pytest.raises(StudyError, match="No row has the class 'setosa'"):
        DataFolder(data).read("iris").against_the_rest("setosa")


def test_a_file_that_is_no_parquet_is_a_sentence(data):
    (data / "pima.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(StudyError, match="no readable Parquet file"):
        DataFolder(data).read("pima")
