"""The recipes of docs/how-to/other-libraries.md with the libraries that are installed."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from sklearn import config_context
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hardwood
from hardwood import BoostedTreesClassifier, TreeClassifier
from tests.estimators import typed_program

TABLE = pa.table(
    {"size": [1.0, 2.5, None, 4.0] * 20, "kind": ["a", "b", "a", None] * 20, "y": [0, 1, 1, 0] * 20}
)
DIGEST = TreeClassifier().fit(TABLE.select(["size", "kind"]), TABLE["y"]).digest()


def test_a_duckdb_relation_is_a_table():
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("given", TABLE)
    tree = TreeClassifier().fit(connection.sql("select size, kind from given"), TABLE["y"])
    assert tree.digest() == DIGEST
    assert tree.feature_names_in_.tolist() == ["size", "kind"]
    again = tree.predict(connection.sql("select size, kind from given"))
    assert again.tolist() == tree.predict(TABLE.select(["size", "kind"])).tolist()


def test_an_arrow_stream_is_a_table():
    reader = pa.RecordBatchReader.from_stream(TABLE.select(["size", "kind"]))
    assert TreeClassifier().fit(reader, TABLE["y"]).digest() == DIGEST


def test_a_grid_search_finds_the_parameters_that_predict_best():
    X, y = load_iris(return_X_y=True)
    grid = {"max_leaf_nodes": [2, 8], "criterion": ["km", "gini"]}
    search = GridSearchCV(TreeClassifier(), grid, cv=3).fit(X, y)
    assert search.best_params_["max_leaf_nodes"] == 8
    assert search.best_score_ > 0.9


def test_pipelines_may_hand_over_polars_frames():
    pytest.importorskip("polars")
    X, y = load_iris(return_X_y=True, as_frame=True)
    with config_context(transform_output="polars"):
        model = make_pipeline(StandardScaler(), TreeClassifier()).fit(X, y)
        assert model[-1].feature_names_in_.tolist() == X.columns.tolist()
        assert model.score(X, y) > 0.9


def test_optuna_tunes_a_model():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    X, y = load_iris(return_X_y=True)

    def loss(trial):
        leaves = trial.suggest_int("max_leaf_nodes", 2, 8)
        return 1 - TreeClassifier(max_leaf_nodes=leaves).fit(X, y).score(X, y)

    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(loss, n_trials=6)
    assert study.best_params["max_leaf_nodes"] > 2


def test_mlflow_keeps_the_model_file(tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # MLflow's default is a database now
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    X, y = load_iris(return_X_y=True)
    model = BoostedTreesClassifier(n_estimators=5).fit(X, y)
    with mlflow.start_run() as run:
        hardwood.save(model, tmp_path / "model.hardwood")
        mlflow.log_artifact(str(tmp_path / "model.hardwood"))
        mlflow.set_tag("digest", model.digest())
    found = mlflow.artifacts.download_artifacts(
        run_id=run.info.run_id, artifact_path="model.hardwood"
    )
    assert hardwood.load(found).digest() == model.digest()


def test_the_program_that_mypy_checks_runs(tmp_path):
    X, y = load_iris(return_X_y=True)
    path = tmp_path / "model.hardwood"
    told = typed_program.train(X, y, str(path))
    assert told == TreeClassifier(max_leaf_nodes=8).fit(X, y).to_text() + told[-64:]
    assert hardwood.load(path).n_estimators == 3
    assert isinstance(typed_program.wrong(TreeClassifier().fit(X, y)), str)
    assert (Path(hardwood.__file__).parent / "py.typed").is_file()  # its types are installed too
