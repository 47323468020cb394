"""`hardwood show` with --merge and --fold."""

import numpy as np
import pandas as pd
import pytest

from hardwood import BoostedTreesClassifier, TreeClassifier, save


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    rng = np.random.default_rng(6)
    X = pd.DataFrame({"town": rng.choice([f"town {i}" for i in range(20)], 900)})
    X["age"] = rng.integers(18, 80, 900)
    y = (X.town.isin([f"town {i}" for i in range(9)]) & (X.age > 40)) | (rng.random(900) < 0.1)
    tree = TreeClassifier(max_leaf_nodes=8, pruning=None).fit(X, y)
    save(tree, folder / "tree")
    save(BoostedTreesClassifier(n_estimators=2).fit(X, y), folder / "boosted")
    return folder, tree


def test_merged_and_folded_texts_are_those_of_the_model(models, hardwood):
    folder, tree = models
    assert tree.to_text(fold=12) in hardwood("show", folder / "tree", "--fold", 12)[1]
    assert tree.to_text(merge=True) in hardwood("show", folder / "tree", "--merge")[1]
    told = hardwood("show", folder / "tree", "--as", "rules", "--merge")[1]
    assert told.splitlines() == [str(rule) for rule in tree.rules(merge=True)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("tree", "--as", "sql", "--merge"), "--merge is for --as text and --as rules"),
        (("tree", "--as", "rules", "--fold", 12), "--fold is for --as text"),
        (("boosted", "--merge"), "--merge is for single trees"),
        (("boosted", "--as", "scorecard"), "fit with max_depth=1"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(models, hardwood, options, said):
    folder, _ = models
    code, _, error = hardwood("show", folder / options[0], *options[1:])
    assert code == 2
    assert said in " ".join(error.split())
