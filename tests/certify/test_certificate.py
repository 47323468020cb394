"""History and certificate against a slow recomputation, and that every bound holds."""

import math

import numpy as np
import pytest

from hardwood import TreeClassifier
from hardwood.certify import certify, history
from hardwood.criteria import CRITERIA
from tests.hand_built import SCHEMAS, grow, heaviest, interval, leaf, random_node


def impurity_of(weights, criterion):
    p = [w / sum(weights) for w in weights]
    if criterion == "km":
        return sum(math.sqrt(x * (1 - x)) for x in p)
    if criterion == "gini":
        return 2 * (1 - sum(x * x for x in p))
    if criterion == "error":
        return 2 * (1 - max(p))
    return -sum(x * math.log2(x) for x in p if x)


def random_growth(seed, criterion, classes, leaves=15, widest=4):
    rng = np.random.default_rng(seed)
    pick = [heaviest, lambda frontier: int(rng.integers(len(frontier)))][seed % 2]
    return grow(random_node(rng, leaves, classes, widest), SCHEMAS, criterion, pick)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("seed", range(4))
def test_history_is_what_each_split_did(criterion, classes, seed):
    growth = random_growth(seed, criterion, classes)
    tree, found = growth.tree, history(growth)
    total = tree.class_weights[0].sum()
    leaves = {0}
    for step, node in enumerate(found["node"].tolist()):
        children = tree.children(node)
        leaves = (leaves - {node}) | set(children)
        own = tree.class_weights[node]
        before = impurity_of(own, criterion)
        after = sum(
            tree.class_weights[c].sum() / own.sum() * impurity_of(tree.class_weights[c], criterion)
            for c in children
        )
        expected = {
            "feature": tree.feature[node],
            "branches": len(children),
            "exact": True,
            "weight": own.sum() / total,
            "q": own[1] / own.sum() if classes == 2 else math.nan,
            "gain": before - after,
            "drop": own.sum() / total * (before - after),
            "relative_gain": (before - after) / before,
            "advantage": math.nan,
            "potential": sum(
                tree.class_weights[v].sum() / total * impurity_of(tree.class_weights[v], criterion)
                for v in leaves
            ),
            "error": sum(tree.class_weights[v].sum() - tree.class_weights[v].max() for v in leaves)
            / total,
        }
        if classes == 2:
            expected["advantage"] = 0.25 * sum(
                abs(tree.class_weights[c][1] / own[1] - tree.class_weights[c][0] / own[0])
                for c in children
            )
        for key, value in expected.items():
            assert found[key][step] == pytest.approx(value, abs=1e-12, nan_ok=True), key
    assert len({len(array) for array in found.values()}) == 1


def test_the_advantage_is_that_of_the_papers_for_two_branches():
    growth = grow(interval(0, [1.0], leaf(20, 10), leaf(5, 25)))
    tau, r, q = 30 / 60, 25 / 30, 35 / 60
    expected = abs(tau / 2 * (r / q - (1 - r) / (1 - q)))
    assert history(growth)["advantage"][0] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("seed", range(10))
def test_the_certificate_and_every_claim_hold_on_any_tree(criterion, classes, seed):
    growth = random_growth(seed, criterion, classes, 2 + 3 * seed, 2 + seed % 4)
    certificate = certify(growth, history(growth), criterion, gamma=0.01)
    rates = []
    potential, leaves = growth.root_potential, 1
    for node, after in zip(growth.split_nodes, growth.potential, strict=True):
        more = leaves + growth.tree.branches[node] - 1
        rate = math.log(potential / after) / math.log(more / leaves) if after else math.inf
        rates.append(rate)
        potential, leaves = after, more
    assert certificate.gamma == pytest.approx(max(min(rates), 0.0), rel=1e-12, abs=1e-12)
    assert certificate.leaves == leaves == growth.tree.n_leaves
    assert certificate.potential == growth.potential[-1]
    assert certificate.error == growth.error[-1]
    assert certificate.bound >= certificate.potential
    assert certificate.holds
    for claim in certificate.claims:
        assert claim.bound >= certificate.potential, claim


def test_a_leaf_is_certified_by_its_own_potential():
    growth = grow(leaf(30, 10))
    certificate = certify(growth, history(growth), "gini")
    assert certificate.gamma == math.inf
    assert certificate.bound == certificate.potential == 0.75
    assert certificate.error == 0.25
    assert certificate.claims == ()
    assert certificate.holds
    assert all(len(array) == 0 for array in history(growth).values())


def test_one_class_is_certified_too():
    growth = grow(leaf(30.0))
    certificate = certify(growth, history(growth), "km")
    assert (certificate.bound, certificate.error, certificate.holds) == (0.0, 0.0, True)


def test_one_split_that_leaves_nothing_has_infinite_gamma():
    growth = grow(interval(0, [1.0], leaf(3, 0), leaf(0, 5)))
    certificate = certify(growth, history(growth), "gini")
    assert (certificate.gamma, certificate.bound, certificate.holds) == (math.inf, 0.0, True)
    assert "removed all potential" in str(certificate)


def test_holds_is_computed_and_can_be_false():
    growth = grow(interval(0, [1.0], leaf(3, 1), leaf(1, 5)))
    certificate = certify(growth, history(growth), "gini")
    object.__setattr__(certificate, "bound", certificate.potential * 0.99)
    assert not certificate.holds
    assert "the numbers contradict each other" in str(certificate)


def test_the_text_speaks_of_the_tree_as_grown_and_of_the_pruned_one():
    growth = grow(interval(0, [1.0], leaf(3, 1), leaf(1, 5)), criterion="km")
    certificate = certify(growth, history(growth), "km")
    title, bounds, not_bounds = str(certificate).splitlines()[:3]
    assert "as grown (2 leaves, criterion km)" in title
    assert bounds == (
        f"  It bounds the training error: 0.2 on the rows it was grown from, at most "
        f"{certificate.bound / 2:.4g} by the strength of its splits."
    )
    assert not_bounds.startswith("  It does not bound the error on new data")
    assert "claim sharp-km" in str(certificate)
    assert "pruning" not in str(certificate)
    pruned = certificate.after_pruning(1, 0.4)
    assert str(pruned).endswith("After pruning: 1 leaf, training error 0.4")
    assert pruned.claims == certificate.claims


def test_a_bound_of_one_half_is_called_no_bound():
    growth = grow(interval(0, [1.0], leaf(3, 3), leaf(5, 5)), criterion="km")
    certificate = certify(growth, history(growth), "km")
    assert certificate.bound >= 1.0
    assert "prove nothing below one half" in str(certificate)


def test_an_error_of_weights_is_called_so():
    X, y = np.arange(40.0)[:, None], np.array([0] * 30 + [1] * 10)
    y[5] = 1
    plain = TreeClassifier(max_leaf_nodes=2, pruning=None).fit(X, y)
    assert "bounds the training error: 0.025 on" in str(plain.certificate_)
    heavy = TreeClassifier(max_leaf_nodes=2, pruning=None, class_weight="balanced").fit(X, y)
    assert heavy.certificate_.weighted
    assert "as grown: weighted training error 0.04545" in str(heavy.diagnose())
    assert "bounds the weighted training error: 0.04545 on" in str(heavy.certificate_)
