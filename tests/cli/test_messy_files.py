"""CSV files as people have them: decimal commas, signs, blanks, no header, standard input."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest

import hardwood as package
from hardwood import BoostedTreesClassifier, TreeClassifier
from hardwood.cli.cells import Cells, as_numbers

ROWS = 400


@pytest.fixture(scope="module")
def clean():
    random = np.random.default_rng(4)
    income = (random.lognormal(7, 1.2, ROWS)).round(2)
    rate = random.uniform(0, 30, ROWS).round(1)
    price = random.integers(100, 90_000, ROWS)
    table = pd.DataFrame({"id": np.arange(ROWS) + 7000, "income": income, "rate": rate})
    table["price"] = price
    table["town"] = random.choice(["Oslo", "Bergen", "Moss"], ROWS)
    late = (rate > 15) ^ (income > 1500) ^ (random.random(ROWS) < 0.1)
    table["late"] = np.where(late, "late", "paid")
    table.loc[random.random(ROWS) < 0.08, "income"] = np.nan
    return table


def german(number, digits):
    text = f"{number:,.{digits}f}"
    return text.replace(",", "_").replace(".", ",").replace("_", ".")


def messy(table):
    """Semicolons, decimal commas, thousands points, signs, blanks, "-" for missing, a mark."""
    lines = [";".join(table.columns)]
    for place, row in enumerate(table.itertuples(index=False)):
        income = "-" if np.isnan(row.income) else german(row.income, 2)
        blank = "  " if place % 3 == 0 else ""
        cells = [str(row.id), income, german(row.rate, 1) + " %", "€ " + german(row.price, 0)]
        lines.append(";".join([*cells, row.town + blank, row.late + blank]))
    return b"\xef\xbb\xbf" + ("\r\n".join(lines) + "\r\n").encode()


@pytest.fixture
def files(clean, tmp_path):
    clean.to_csv(tmp_path / "clean.csv", index=False)
    (tmp_path / "messy.csv").write_bytes(messy(clean))
    (tmp_path / "messy.csv.gz").write_bytes(gzip.compress(messy(clean)))
    return tmp_path


TRAIN = ["--target", "late", "--ignore", "id", "--folds", 0]
MESSY = ["--decimal", ",", "--na", "-"]


def trained(hardwood, files, name, *options):
    code, out, err = hardwood("train", files / name, *TRAIN, *options, "--out", files / "m")
    assert (code, err) == (0, ""), err
    return package.load(files / "m"), " ".join(out.split())


@pytest.mark.parametrize("model", ["tree", "boosted"])
def test_two_options_give_the_clean_files_model(files, hardwood, model):
    chosen = ["--model", model, *(["--n-estimators", 5] if model == "boosted" else [])]
    wanted, _ = trained(hardwood, files, "clean.csv", *chosen)
    for name in ("messy.csv", "messy.csv.gz"):
        found, out = trained(hardwood, files, name, *chosen, *MESSY)
        assert found.digest() == wanted.digest()
    assert "Column 'rate': percent signs were dropped" in out
    assert "Column 'price': currency signs were dropped" in out
    assert "Blanks around the labels of 'late' were cut off." in out
    assert "Column 'town': blanks around its values were cut off." in out
    assert "Note:" not in trained(hardwood, files, "messy.csv", *MESSY, "--no-notes")[1]


def test_a_messy_file_is_predicted_as_the_clean_one(files, hardwood):
    trained(hardwood, files, "clean.csv")
    wanted = hardwood("predict", files / "m", files / "clean.csv")
    assert wanted[0] == 0
    assert hardwood("predict", files / "m", files / "messy.csv", *MESSY) == wanted


def test_standard_input_is_a_file_named_with_a_dash(files, hardwood, monkeypatch):
    wanted, _ = trained(hardwood, files, "clean.csv")
    for content in (messy, lambda table: gzip.compress(messy(table))):
        text = io.TextIOWrapper(io.BytesIO(content(pd.read_csv(files / "clean.csv"))))
        monkeypatch.setattr("sys.stdin", text)
        assert hardwood("train", "-", *TRAIN, *MESSY, "--out", files / "m")[0] == 0
        assert package.load(files / "m").digest() == wanted.digest()


def test_a_column_of_nearly_only_numbers_names_its_other_cells(files, hardwood):
    _, out = trained(hardwood, files, "messy.csv", "--decimal", ",")
    missing = pd.read_csv(files / "clean.csv")["income"].isna().sum()
    assert f"numbers and {missing} other cells, such as '-'" in out
    assert "give --na" in out


def test_decimal_commas_without_the_option_get_a_hint(hardwood, tmp_path):
    random = np.random.default_rng(0)
    x = random.uniform(0, 9, 60).round(2)
    lines = ["x;n;y", *(f"{str(v).replace('.', ',')};{i % 7};{v > 4}" for i, v in enumerate(x))]
    (tmp_path / "comma.csv").write_text("\n".join(lines))
    out = hardwood("train", tmp_path / "comma.csv", "--target", "y", "--out", tmp_path / "m")[1]
    assert "looks like numbers with a decimal comma" in " ".join(out.split())


def test_commas_between_thousands_get_their_own_hint(hardwood, tmp_path):
    random = np.random.default_rng(0)
    income = random.integers(1000, 90000, 60)
    for name, texts, said in (
        ("either", [f"$ {v:,}" for v in income], "--thousands ,; if they are decimal commas,"),
        (
            "cents",
            [f"$ {v:,}.50" for v in income],
            "between thousands; if it is, give --thousands ,",
        ),
    ):
        lines = [
            "x;n;y",
            *(
                f"{t};{i % 7};{v > 40000}"
                for i, (t, v) in enumerate(zip(texts, income, strict=True))
            ),
        ]
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join(lines))
        options = ["train", path, "--target", "y", "--out", tmp_path / "m", "--folds", "0"]
        assert said in " ".join(hardwood(*options)[1].split())
        told = " ".join(hardwood(*options, "--thousands", ",")[1].split())
        assert "currency signs were dropped" in told
        assert "looks like" not in told


def test_columns_to_ignore_are_listed_or_repeated(files, hardwood):
    table = pd.read_csv(files / "clean.csv")
    X = table.drop(columns=["late", "id", "price", "town"])
    wanted = TreeClassifier().fit(X, table["late"].to_numpy()).digest()
    for said in (["--ignore", "price,town"], ["--ignore", "price", "--ignore", "town"]):
        assert trained(hardwood, files, "clean.csv", *said)[0].digest() == wanted


def test_a_file_without_a_header_has_numbered_columns(files, hardwood):
    table = pd.read_csv(files / "clean.csv")
    table.to_csv(files / "bare.csv", index=False, header=False)
    train = ["--target", "x5", "--ignore", "x0", "--no-header", "--folds", 0, "--out", files / "m"]
    assert hardwood("train", files / "bare.csv", *train)[0] == 0
    rows = package.load(files / "m").tree_.rows
    lines = hardwood("predict", files / "m", files / "bare.csv", "--no-header")[1].splitlines()
    assert len(lines) == 1 + ROWS
    named, _ = trained(hardwood, files, "clean.csv")
    assert np.array_equal(rows, named.tree_.rows)


def test_kept_columns_stand_before_the_prediction(files, hardwood):
    trained(hardwood, files, "clean.csv")
    _, out, _ = hardwood("predict", files / "m", files / "clean.csv", "--keep", "id,town")
    found = pd.read_csv(io.StringIO(out))
    table = pd.read_csv(files / "clean.csv")
    assert list(found.columns) == ["id", "town", "prediction", "p_late", "p_paid"]
    assert found["id"].tolist() == table["id"].tolist()
    assert found["town"].tolist() == table["town"].tolist()
    code, _, err = hardwood("predict", files / "m", files / "clean.csv", "--keep", "name")
    assert code == 2
    assert "'name', which --keep names" in err


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_only_the_columns_that_the_model_uses_are_needed(files, hardwood, suffix):
    table = pd.read_csv(files / "clean.csv")
    X, y = table.drop(columns=["late", "id"]), table["late"].to_numpy()
    for model in (
        TreeClassifier(max_leaf_nodes=3).fit(X, y),
        BoostedTreesClassifier(n_estimators=2, max_depth=1).fit(X, y),
    ):
        trees = [model.tree_] if hasattr(model, "tree_") else model._run.all_trees()
        used = sorted({X.columns[j] for tree in trees for j in tree.used_features})
        assert len(used) < X.shape[1]
        package.save(model, files / "m")
        if suffix == "csv":
            X[used].to_csv(files / "few.csv", index=False)
        else:
            X[used].to_parquet(files / "few.parquet")
        code, out, err = hardwood("predict", files / "m", files / f"few.{suffix}")
        assert (code, err) == (0, "")
        assert pd.read_csv(io.StringIO(out))["prediction"].tolist() == model.predict(X).tolist()
        X[["town"]].to_csv(files / "none.csv", index=False)
        code, _, err = hardwood("predict", files / "m", files / "none.csv")
        assert code == 2


def test_signs_that_only_some_cells_have_stay():
    pa = pytest.importorskip("pyarrow")
    plain, dropped = as_numbers(pa.array(["1 %", "2 %", "3"]), Cells())
    assert (plain.to_pylist(), dropped) == ([None, None, "3"], None)
    cells = Cells(",", None)
    texts = ["1.234,5", "1.23,4", "12.345.678", "-0,5", ",5", "1.2345", "2e3", "x"]
    plain, _ = as_numbers(pa.array(texts), cells)
    assert plain.to_pylist() == ["1234.5", None, "12345678", "-0.5", ".5", None, "2e3", None]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--decimal", "x"], "--decimal is 'x'; give . or ,"),
        (["--decimal", ",", "--thousands", ","], "--thousands is ','; give one sign that is not"),
        (["--thousands", "ab"], "--thousands is 'ab'"),
    ],
)
def test_wrong_signs_are_refused(files, hardwood, options, said):
    code, _, err = hardwood("train", files / "clean.csv", *TRAIN, *options)
    assert code == 2
    assert said in err
