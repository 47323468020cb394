"""scikit-learn's own checks of an estimator, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hardwood import TreeClassifier


@parametrize_with_checks(
    [
        TreeClassifier(),
        TreeClassifier(criterion="gini", max_leaf_nodes=8, pruning=None),
        TreeClassifier(criterion="entropy", leaf_choice="weight", max_depth=4),
        TreeClassifier(criterion="error", min_samples_leaf=2, n_jobs=2),
    ]
)
def test_scikit_learn_finds_nothing_to_object_to(estimator, check):
    check(estimator)
