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


def test_divisions_that_find_a_difference_are_counted_in_the_table_as_in_the_text():
    from hardwood.studies.dkm_table1_findings import _in_each_division

    tests = [{"difference": -2.0, "t_p": 0.03}, {"difference": -1.0, "t_p": 0.3}]
    tests.append({"difference": 1.0, "t_p": 0.01})
    verdict = _in_each_division("sizes", tests)
    assert verdict.verdict == "smaller in 2 of 3, at the 5 % level in 1"


def test_results_have_a_row_for_each_mark_of_a_unit():
    from hardwood.studies.study import Record, Unit
    from hardwood.studies.writing import record_table

    values = {"marks": [100, 300], "train": [0.2, 0.1], "other": [1, 2, 3], "digest": "a"}
    plain = Record(Unit("b", {"run": "w4a"}), {"digest": "b"}, 2.0)
    table = record_table([Record(Unit("a", {"run": "a6a"}), values, 1.0), plain])
    assert table.columns == ["run", "digest", "marks", "train", "seconds"]
    assert table.rows == [
        ["a6a", "a", 100, 0.2, 1.0],
        ["a6a", "a", 300, 0.1, 1.0],
        ["w4a", "b", "", "", 2.0],
    ]


def test_the_weight_order_bound_of_pairs_is_that_of_some_rounds(data):
    from hardwood.studies import aziz_figure2
    from hardwood.studies.study import Record

    units = aziz_figure2._units({"runs": {"satimage pairs": 12}})
    records = [Record(unit, aziz_figure2._measure(unit, DataFolder(data)), 0.0) for unit in units]
    counts = {record["what"]: record["per_round"] for record in records}
    assert [len(counts[what]) for what in ("adaptive", "bound")] == [12, 2]
    for place, bound in zip((0, 10), counts["bound"], strict=True):
        assert bound <= counts["adaptive"][place] <= counts["exhaustive"][place]
    findings = aziz_figure2._conclude(records)
    assert "every 10th round" in findings.verdicts[1].what
    assert findings.tables[0].rows[0][5] == 10.0 * sum(counts["bound"])


def test_a_printed_number_of_table_1_is_set_beside_the_range_of_the_divisions():
    from hardwood.studies.dkm_table1_findings import _beside
    from hardwood.studies.study import Record, Unit

    def record(division, km, entropy):
        values = {"error_km": [km], "error_entropy": [entropy], "size_km": [19.0, 21.0]}
        return Record(Unit("", {"division": division}), {**values, "size_entropy": [25.5]}, 0.0)

    verdict = _beside("shuttle-1", [record(0, 0.03, 0.02), record(1, 0.05, 0.04)])
    assert verdict.paper == "0.04; 0.08; 20.00; 25.00"
    assert verdict.ours == "0.04; 0.03; 20.00; 25.50"
    assert verdict.verdict == "+0.00 within; -0.05 outside; +0.00 within; +0.50 outside"
    chosen = _beside("annealing-3", [record(0, 3.0, 3.0)]).verdict
    assert chosen.endswith(
        "(no evidence, as the form of its gaps was chosen after the other's sizes)"
    )
    assert len(chosen.split("; ")) == 4
