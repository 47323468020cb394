"""`make demo`, `hardwood demo`: the main job on data that comes with scikit-learn."""

from __future__ import annotations

from importlib.util import find_spec
from os.path import relpath
from pathlib import Path
from sys import executable
from tempfile import TemporaryDirectory
from time import perf_counter

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from hardwood.estimators import BoostedTreesClassifier, TreeClassifier
from hardwood.model_file import load, save
from hardwood.report import report


def main(out: str = "demo.hardwood", page: str = "demo.html") -> None:
    """A small tree with its certificate and test error, its file, a boosted model, a report."""
    data = load_breast_cancer(as_frame=find_spec("pandas") is not None)  # frames have names
    labels = data.target_names[data.target]
    split = train_test_split(data.data, labels, test_size=0.3, stratify=labels, random_state=0)
    X_train, X_test, y_train, y_test = split
    start = perf_counter()
    tree = TreeClassifier(max_leaf_nodes=8).fit(X_train, y_train)
    seconds = perf_counter() - start
    rows, columns = X_train.shape
    print(f"Breast cancer (from scikit-learn): {rows} rows, {columns} columns, criterion km")
    print(f"Trained in {1000 * seconds:.1f} ms.\n")
    print(tree.to_text())
    print()
    print(tree.certificate_)
    print(f"\nTest error: {1 - tree.score(X_test, y_test):.4f} on {len(X_test)} held-out rows.")
    again = TreeClassifier(max_leaf_nodes=8, n_jobs=2).fit(X_train[::-1], y_train[::-1])
    same = "the same" if again.digest() == tree.digest() else "ANOTHER"
    print(f"Rows reversed and 2 threads give {same} model: digest {tree.digest()[:16]}...")
    save(tree, out)
    print(f"The tree is in {out}: hardwood show {out}")

    start = perf_counter()
    boosted = BoostedTreesClassifier().fit(X_train, y_train)
    seconds = perf_counter() - start
    error = 1 - boosted.score(X_test, y_test)
    print(f"\nBoosted: {boosted.n_estimators_} exact trees in {1000 * seconds:.0f} ms.")
    print(f"Test error: {error:.4f}.")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.hardwood"
        save(boosted, path)
        same = "the same" if load(path).digest() == boosted.digest() else "ANOTHER"
        print(f"Its model file has {path.stat().st_size} bytes and gives {same} model back.")
    counted = BoostedTreesClassifier(variant="discrete", learning_rate=1.0, search="adaptive").fit(
        X_train, y_train
    )
    share = counted.assessments_ / counted.history_["exhaustive_assessments"].sum()
    print(f"AdaBoost with adaptive search looked at {100 * share:.0f} % of what exhaustive search")
    print("looks at, for the same trees.")
    report(tree, X_test, y_test, page, source="breast cancer, the held-out rows")
    print(f"\nA page about the tree and the held-out rows is in {page}: open it in a browser.")
    print(_next_steps(out))


def _next_steps(out: str) -> str:
    """What a newcomer may try now, with the command that is beside this Python if there is one."""
    beside = Path(executable).with_name("hardwood")
    command = relpath(beside) if beside.exists() else "hardwood"
    return f"""
What to try next:
  {command} show {out} --as rules        the tree as rules; also as sql, python, c, json
  {command} train YOUR.csv --target COLUMN   a tree of your own table, with its error
  docs/quick-start.md                        the same from Python, in ten minutes
  docs/how-to/boosting.md                    more accurate models, and what they promise"""


if __name__ == "__main__":
    main()
