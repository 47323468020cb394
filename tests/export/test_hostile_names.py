"""Names of columns, categories and classes that mean something to a compiler, a terminal or a page.

Exports are parsed or compiled and run, and answer as `predict` does.
"""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
import shutil
import subprocess
from typing import Any

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, Draft, TreeClassifier, diff, export, load
from hardwood.cli.plain_text import plain
from hardwood.model_file import dumps, loads
from hardwood.report import report
from hardwood.workshop.session import Session
from tests.cli.conftest import hardwood as hardwood
from tests.export.runners import (
    COMPILER,
    expected,
    run_c,
    run_duckdb,
    run_onnx,
    run_python,
    run_sqlite,
    same,
)
from tests.model_file.using_fully import or_refused

NAMES = (
    "'\"`", "a\nb\r\n", "\x1b[31m\x07", "</script><img src=x onerror=alert(1)>",
    "'; DROP TABLE data; --", "??/ ??=include */ \\", '"""\n__import__("os").abort()',
    '"]; x -> y [label="', "\u202eabc\u2066", "../../etc/passwd", "=1+1", "{{}}%s%n", "\u2028",
    "\\N{DIGIT ONE}\\x41\\", "$\\frac$", "%d", " ",
)  # fmt: skip
NUL = "a\x00b"


def table(names: tuple[str, ...]) -> tuple[pd.DataFrame, np.ndarray, list[list[Any]]]:
    """Columns whose names and categories are hostile, and classes that are."""
    rng = np.random.default_rng(0)
    words = np.array(names, dtype=object)
    codes, numbers = rng.integers(len(words), size=600), rng.normal(size=600)
    X = pd.DataFrame({names[0]: words[codes], names[1]: numbers, names[2]: rng.normal(size=600)})
    classes = words[:3]
    y = classes[(codes % 3 + (numbers > 0)) % 3].astype(str)
    rows = [[str(word), value, 0.0] for word in words for value in (-1.0, 1.0)]
    return X, y, [*rows, ["never seen", None, None]]


def models() -> list[Any]:
    return [
        TreeClassifier(pruning=None, min_samples_leaf=1, min_category_size=1),
        BoostedTreesClassifier(n_estimators=3, min_category_size=1),
    ]


def turned(k: int) -> tuple[str, ...]:
    """The first three name columns and classes too."""
    return NAMES[k:] + NAMES[:k]


@pytest.fixture(scope="module", params=["tree", "boosted"])
def fitted(request):
    X, y, rows = table(NAMES)
    return models()[request.param == "boosted"].fit(X, y), X, y, rows


@pytest.mark.parametrize("k", range(0, len(NAMES), 3))
def test_python_sql_and_json_hold_every_name(k):
    X, y, rows = table(turned(k))
    model = models()[k % 2].fit(X, y)
    wanted = expected(model, rows)
    same(run_python(model, rows), wanted)
    same(run_duckdb(model, rows), wanted)
    same(run_sqlite(model, rows), wanted)
    assert json.loads(export.json(model))["classes"] == model.classes_.tolist()
    assert loads(dumps(model)).digest() == model.digest()


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_c_holds_every_name(fitted):
    model, _, _, rows = fitted
    same(run_c(model, rows), expected(model, rows))


def test_onnx_holds_every_name(fitted):
    pytest.importorskip("onnxruntime")
    model, _, _, rows = fitted
    same(run_onnx(model, rows), expected(model, rows))


def test_graphviz_is_parsed(fitted):
    text = export.dot(fitted[0])
    if shutil.which("dot") is None:
        strings = re.findall(r'"(?:[^"\\]|\\.)*"', text)
        rest = text
        for each in strings:
            rest = rest.replace(each, "s", 1)
        assert "DROP" not in rest
        assert "onerror" not in rest
        assert '"' not in rest
        return
    subprocess.run(["dot", "-Tsvg"], input=text, text=True, capture_output=True, check=True)


class Tags(html.parser.HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, _: Any) -> None:
        self.found.add(tag)


def test_a_scorecard_holds_names_as_text():
    X, y, _ = table(NAMES)
    tree = TreeClassifier(max_leaf_nodes=8).fit(X, y == y[0])
    assert "img" not in Tags(export.scorecard(tree, "html")).found
    lines = list(csv.reader(io.StringIO(export.scorecard(tree, "csv"))))
    assert len({len(line) for line in lines if line}) <= 2


def test_the_report_holds_names_as_data(fitted, tmp_path):
    model, X, y, _ = fitted
    report(model, X.iloc[:60], y[:60], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page
    assert "img" not in Tags(page).found


@pytest.mark.filterwarnings("ignore:Glyph:UserWarning")
def test_pictures_are_drawn(fitted):
    plt = pytest.importorskip("matplotlib.pyplot")
    axes = fitted[0].plot()
    axes.figure.canvas.draw()
    plt.close(axes.figure)


@pytest.mark.parametrize("write", [export.sql, export.c, export.onnx])
def test_nul_is_held_or_refused_with_a_sentence(write):
    X, y, _ = table((NUL, "a", "b"))
    model = models()[0].fit(X, y)
    text = or_refused(lambda: write(model), "")
    assert write is export.onnx or NUL not in text
    rows = [[NUL, 1.0, 0.0], ["a", -1.0, 0.0]]
    same(run_python(model, rows), expected(model, rows))
    assert "\x00" not in export.json(model)
    assert loads(dumps(model)).digest() == model.digest()


def test_texts_and_differences_show_no_command(fitted):
    model, X, y, _ = fitted
    other = models()[0].fit(X.iloc[:300], y[:300])
    for text in (model.to_text(), str(model.rules()), str(diff(model, other))):
        shown = plain(text)
        assert not set(shown) & {"\x1b", "\x07", "\u202e", "\u2066"}
        assert len(shown) >= len(text)


def test_a_draft_and_the_workshop_hold_every_name(tmp_path):
    X, y, _ = table(NAMES)
    draft = Draft()
    for name in NAMES:
        draft = draft.note((), name)
    draft = draft.prefer((), X.columns[1], reason=NAMES[2])
    draft.save(tmp_path / "draft.json")
    assert (tmp_path / "draft.json").read_text().isascii()
    assert Draft.load(tmp_path / "draft.json") == draft
    model = TreeClassifier(max_leaf_nodes=4).fit(X, y, draft=draft)
    assert loads(dumps(model)).digest() == model.digest()
    assert model.tree_.feature[0] == 1
    state = Session(TreeClassifier(), X, y, draft=draft).state()
    assert all(name in json.dumps(state, ensure_ascii=False) for name in ("onerror", "DROP"))


def test_the_command_line_reads_proves_and_predicts_with_every_name(hardwood, tmp_path):
    X, y, _ = table(tuple(name for name in NAMES if "\r" not in name))
    data, model = tmp_path / "data.parquet", tmp_path / "model.hardwood"
    X.assign(target=y).to_parquet(data)
    made = hardwood("train", data, "--target", "target", "--out", model, "--folds", "0")
    column = json.dumps(X.columns[0])
    (tmp_path / "claims.toml").write_text(f'[[claims]]\nclaim = "never uses"\ncolumn = {column}\n')
    proved = hardwood("prove", model, tmp_path / "claims.toml")
    answers = tmp_path / "answers.csv"
    done = [made, proved, hardwood("show", model), hardwood("diff", model, model, data),
            hardwood("predict", model, data, "--out", answers)]  # fmt: skip
    assert [code for code, _, _ in done] == [0, 1, 0, 0, 0], done
    for _, said, errors in done:
        assert not set(said + errors) & {"\x1b", "\x07", "\u202e", "\u2066"}
    found = pd.read_csv(answers, keep_default_na=False)["prediction"]
    assert found.tolist() == load(model).predict(X).tolist()
