"""A study can be stopped at any moment and goes on from what is finished."""

import csv
import errno
import json
from dataclasses import replace
from pathlib import Path

import pytest

from hardwood.studies import STUDIES, InterruptedStudyError, StudyError, run_all, run_study
from hardwood.studies.folder import ResultsFolder
from hardwood.studies.study import Record


def files(folder):
    return {path.name for path in folder.iterdir() if path.is_file()}


def test_a_run_leaves_markdown_csv_png_and_a_record_per_unit(squares, tmp_path):
    seen = []
    findings = run_study(squares, tmp_path / "out", tell=lambda *told: seen.append(told))
    assert findings.verdicts[0].verdict == "agrees"
    assert files(tmp_path / "out") == {"README.md", "results.csv", "curve.png"}
    assert len(list((tmp_path / "out" / "units").glob("n-*.json"))) == 5
    page = (tmp_path / "out" / "README.md").read_text()
    assert "| sum of squares | 55    | 55   | agrees  |" in page
    assert "hardwood study squares --out" in page
    assert "The sum is 55." in page
    rows = list(csv.DictReader((tmp_path / "out" / "results.csv").read_text().splitlines()))
    assert [int(row["square"]) for row in rows] == [1, 4, 9, 16, 25]
    assert "sequence" not in rows[0]
    assert (tmp_path / "out" / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert seen[0] == (0, 5, "n-1")
    assert seen[-1] == (5, 5, "")


def test_after_ctrl_c_the_finished_units_stay_and_are_not_measured_again(
    squares, interruption, tmp_path
):
    interruption.at = 3
    with pytest.raises(InterruptedStudyError, match="3 of 5 units are finished"):
        run_study(squares, tmp_path / "out")
    assert files(tmp_path / "out") == set()
    interruption.at = None
    run_study(squares, tmp_path / "out")
    assert interruption.measured == ["n-1", "n-2", "n-3", "n-4", "n-5"]


def test_a_finished_study_measures_nothing_and_writes_the_same_conclusion(
    squares, interruption, tmp_path
):
    run_study(squares, tmp_path / "out")
    before = {name: (tmp_path / "out" / name).read_bytes() for name in files(tmp_path / "out")}
    run_study(squares, tmp_path / "out")
    assert len(interruption.measured) == 5
    assert before == {name: (tmp_path / "out" / name).read_bytes() for name in before}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"given": {"n": 2}}', '{"given": {"n": 9}}'])
def test_a_damaged_record_is_measured_again(squares, interruption, tmp_path, content):
    run_study(squares, tmp_path / "out")
    (tmp_path / "out" / "units" / "n-2.json").write_text(content)
    findings = run_study(squares, tmp_path / "out")
    assert interruption.measured[5:] == ["n-2"]
    assert findings.verdicts[0].verdict == "agrees"


def test_results_of_a_quick_run_are_not_mixed_with_those_of_a_full_one(squares, tmp_path):
    run_study(squares, tmp_path / "out", quick=True)
    with pytest.raises(StudyError, match="another run .* give another --out"):
        run_study(squares, tmp_path / "out")
    assert len(list((tmp_path / "out" / "units").glob("n-*.json"))) == 2


def test_a_full_disk_is_a_sentence_and_what_was_written_stays(
    squares, interruption, tmp_path, monkeypatch
):
    write = Path.write_text

    def full(path, text, **more):
        if "n-4" in path.name:
            write(path, text[: len(text) // 2], **more)
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, text, **more)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(StudyError, match="No space left on device.*finished units.*stay"):
        run_study(squares, tmp_path / "out")
    names = {path.name for path in (tmp_path / "out" / "units").iterdir()}
    assert names == {"run.json", "n-1.json", "n-2.json", "n-3.json"}
    monkeypatch.undo()
    run_study(squares, tmp_path / "out")
    assert interruption.measured == ["n-1", "n-2", "n-3", "n-4", "n-4", "n-5"]


def test_a_file_in_the_place_of_the_folder_is_refused(squares, tmp_path):
    (tmp_path / "out").write_text("mine")
    with pytest.raises(StudyError, match="is a file; give --out the name of a folder"):
        run_study(squares, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


def test_a_record_comes_back_as_it_was(squares, tmp_path):
    run_study(squares, tmp_path / "out")
    folder = ResultsFolder(tmp_path / "out", squares, squares.full)
    record = folder.load(squares.units(squares.full)[2])
    assert record is not None
    assert (record["n"], record["square"], record["sequence"]) == (3, 9, [1, 2])
    assert json.loads((tmp_path / "out" / "units" / "run.json").read_text())["study"] == "squares"


def test_the_time_a_unit_took_is_kept_to_the_bit(squares, tmp_path):
    folder = ResultsFolder(tmp_path / "out", squares, squares.full)
    folder.prepare()
    unit = squares.units(squares.full)[0]
    folder.keep(Record(unit, {"square": 1}, seconds=0.0049731, cpu=1 / 3))
    assert folder.load(unit) == Record(unit, {"square": 1}, seconds=0.0049731, cpu=1 / 3)


def records(folder):
    """What was measured, without the times."""
    return {
        path.relative_to(folder): json.loads(path.read_text())["values"]
        for path in folder.rglob("units/*.json")
        if path.name != "run.json"
    }


def test_two_processes_measure_what_one_does(data, tmp_path):
    study = STUDIES["hatano-multiway"]
    run_study(study, tmp_path / "one", data=data, quick=True)
    told = []
    run_study(
        study, tmp_path / "two", data=data, quick=True, jobs=2, tell=lambda *now: told.append(now)
    )
    one, two = records(tmp_path / "one"), records(tmp_path / "two")
    assert one == two
    assert len(one) > 2
    assert [done for done, _, _ in told] == list(range(len(one) + 1))


def test_all_studies_have_a_folder_each_and_their_cost_in_a_table(squares, tmp_path, interruption):
    cubes = replace(squares, name="cubes")
    run_all([squares, cubes], tmp_path / "out")
    assert len(interruption.measured) == 10
    for name in ("squares", "cubes"):
        page = (tmp_path / "out" / name / "README.md").read_text()
        assert f"hardwood study {name} --out" in page
    times = (tmp_path / "out" / "times.md").read_text()
    assert "All 10 units were measured in one run" in times
    assert "| all     | 10    |" in times
    run_all([squares, cubes], tmp_path / "out")
    assert len(interruption.measured) == 10
    assert "measured 0 of 10 units" in (tmp_path / "out" / "times.md").read_text()


def test_after_ctrl_c_all_studies_go_on_from_what_is_finished(squares, interruption, tmp_path):
    cubes = replace(squares, name="cubes")
    interruption.at = 7
    with pytest.raises(InterruptedStudyError, match=r"7 of 10 units .* stay in .*out\."):
        run_all([squares, cubes], tmp_path / "out")
    interruption.at = None
    run_all([squares, cubes], tmp_path / "out")
    assert len(interruption.measured) == 10


def test_an_error_in_another_process_is_told_here(data, tmp_path):
    for path in data.glob("*.parquet"):
        path.write_text("no table")
    with pytest.raises(StudyError, match="no readable Parquet file"):
        run_study(STUDIES["hatano-multiway"], tmp_path / "out", data=data, quick=True, jobs=2)


def test_jobs_below_one_are_refused(squares, tmp_path):
    with pytest.raises(StudyError, match="jobs must be a whole number >= 1; given was 0"):
        run_study(squares, tmp_path / "out", jobs=0)
