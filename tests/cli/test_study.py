"""`hardwood study`: listing, running, and every refusal as one sentence."""

import pytest

from hardwood import studies


@pytest.mark.parametrize("arguments", [[], ["--list"], ["dkm-table2", "--list"]])
def test_without_a_name_or_on_demand_the_studies_are_listed(hardwood, arguments):
    code, out, err = hardwood("study", *arguments)
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(studies.STUDIES)


def test_a_study_prints_paper_ours_and_verdict(hardwood, tmp_path):
    code, out, err = hardwood("study", "dkm-advantage", "--quick", "--out", tmp_path / "out")
    assert (code, err) == (0, "")
    assert "paper    within 40 rounds" in out
    assert "verdict  " in out
    assert out.rstrip().endswith("README.md.")
    assert (tmp_path / "out" / "sequences.png").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no-such"], "There is no study 'no-such'; the studies are dkm-table1"),
        (["aziz-table2", "--data", "nowhere"], "nowhere is no folder; give --data"),
        (["aziz-table2", "--data", "."], "does not have a6a.parquet"),
        (["aziz-table2"], "with --data DIR or the variable HARDWOOD_DATA"),
    ],
)
def test_wrong_input_is_one_sentence(hardwood, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HARDWOOD_DATA", raising=False)
    code, out, err = hardwood("study", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_says_what_stays_and_ends_with_130(hardwood, tmp_path, monkeypatch):
    from dataclasses import replace

    def stop(_unit, _data):
        raise KeyboardInterrupt

    study = replace(studies.STUDIES["dkm-table2"], measure=stop)
    monkeypatch.setitem(studies.STUDIES, "dkm-table2", study)
    code, _, err = hardwood("study", "dkm-table2", "--quick", "--out", tmp_path / "out")
    assert code == 130
    assert "0 of 3 units are finished and stay" in err
    assert len(err.splitlines()) == 1
