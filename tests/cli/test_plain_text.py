"""Names that hold terminal commands are shown as escapes."""

from __future__ import annotations

import subprocess

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, save
from hardwood.cli.plain_text import plain
from tools.ready_command import command as ready_command

BAD = "\x1b[31mred\x07\u202e\x9b1m"


def test_every_command_is_an_escape_and_nothing_else_changes():
    assert plain("\x1b[31m\x07\u202e") == r"\x1b[31m\x07\u202e"
    assert plain("é 日\n\t│├") == "é 日\n\t│├"


@pytest.mark.parametrize("form", ["text", "rules"])
@pytest.mark.parametrize("model", [TreeClassifier(), BoostedTreesClassifier(n_estimators=2)])
def test_show_writes_no_command(model, form, tmp_path):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({BAD: rng.choice([BAD, "b"], 200), "n": rng.normal(size=200)})
    y = np.where((X[BAD] == "b") ^ (X["n"] > 0), BAD, "other")
    save(model.fit(X, y), tmp_path / "model.hardwood")
    command = [*ready_command(), "show", str(tmp_path / "model.hardwood"), "--as", form]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert r"\x1b[31mred" in done.stdout
    assert plain(done.stdout) == done.stdout
