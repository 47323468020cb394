"""Each claim is made exactly when its conditions were met; three famous ways to get it wrong."""

import math

import numpy as np
import pytest

from hardwood.certify import certify, history
from hardwood.certify.claims import SLACK, heaviest_leaf_always
from hardwood.criteria import CRITERIA, cost
from hardwood.theory import e_gamma, size_bound
from tests.hand_built import SCHEMAS, Node, first, grow, heaviest, interval, leaf, random_node


def certificate_of(growth, criterion, gamma=None):
    return certify(growth, history(growth), criterion, gamma)


def names(certificate):
    return {claim.name for claim in certificate.claims}


def slow_heaviest_always(growth):
    leaves = {0}
    for node in growth.split_nodes.tolist():
        if growth.tree.cost[node] < max(growth.tree.cost[v] for v in leaves):
            return False
        leaves = (leaves - {node}) | set(growth.tree.children(node))
    return True


def slow_claims(growth, criterion, given):
    """Name -> (gamma, bound), from the conditions in docs/theory/rules.md#claims."""
    found, told = {}, history(growth)
    ks, relative = told["branches"].tolist(), told["relative_gain"].tolist()
    L = growth.tree.n_leaves
    Ts = [1 + sum(k - 1 for k in ks[:i]) for i in range(len(ks))]
    root = growth.root_potential
    if not ks or not slow_heaviest_always(growth):
        return found
    gamma = min(r / math.ceil(math.log2(k)) for r, k in zip(relative, ks, strict=True))
    if all(k == 2 or k * T <= L for k, T in zip(ks, Ts, strict=True)):
        i = math.floor(math.log2(L))
        found["hatano"] = (gamma, root * (1 - gamma) ** i * (1 - gamma * (L / 2**i - 1)))
    e = {k: math.prod(1 - given / i for i in range(1, k)) for k in ks}
    fits = all(k == 2 or k <= L / T * given * e[k] / 2 for k, T in zip(ks, Ts, strict=True))
    if fits and all(r >= 1 - e[k] for r, k in zip(relative, ks, strict=True)):
        found["mansour-mcallester"] = (given, root * L**-given)
    if set(ks) == {2}:
        gamma = min(relative)
        found["product"] = (gamma, root * math.prod(1 - gamma / i for i in range(1, L)))
    if set(ks) == {2} and criterion == "km" and growth.tree.n_classes == 2:
        gamma = told["advantage"].min()
        step = 1 - math.sqrt(max(1 - 4 * gamma**2, 0))
        found["sharp-km"] = (gamma, root * math.prod(1 - step / i for i in range(1, L)))
    return {name: claim for name, claim in found.items() if claim[0] > 1e-9}


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", range(40))
def test_claims_are_made_exactly_when_their_conditions_are_met(criterion, seed):
    rng = np.random.default_rng(seed)
    root = random_node(rng, 2 + seed % 9, 2 + seed % 3 // 2, 2 + seed // 20)
    growth = grow(root, SCHEMAS, criterion, first if seed % 5 == 0 else heaviest)
    made = {c.name: c for c in certificate_of(growth, criterion, 0.02).claims if c.gamma > 1e-9}
    expected = slow_claims(growth, criterion, 0.02)
    assert made.keys() == expected.keys()
    for name, (gamma, bound) in expected.items():
        assert made[name].gamma == pytest.approx(gamma, rel=1e-9)
        assert made[name].gamma <= gamma
        # a step of nearly 1 magnifies the rounding of gamma
        assert made[name].bound == pytest.approx(bound, rel=1e-6, abs=1e-5)
        assert made[name].bound >= growth.potential[-1]


def binary(weights, relative_gain):
    """Children of a two-class gini node at q + d and q - d with exactly this relative gain."""
    total, q = weights.sum(), weights[1] / weights.sum()
    d = math.sqrt(relative_gain * q * (1 - q))
    return [total / 2 * np.array([1 - s, s]) for s in (q - d, q + d)]


def node(children):
    return interval(0, [float(i) for i in range(len(children) - 1)], *children)


def test_an_early_stop_after_a_wide_split_makes_no_claim_of_hatano():
    gamma = 0.045
    left, right = binary(np.array([0.5, 0.5]), gamma)
    pair = binary(right, 8.0 * gamma)  # a 256-way split has the price ceil(log2 256) = 8
    wide = [Node(part / 128.0) for part in pair for _ in range(128)]
    growth = grow(node([Node(left), node(wide)]), SCHEMAS, "gini", heaviest)
    certificate = certificate_of(growth, "gini", gamma)
    smallest = min(history(growth)["relative_gain"] / [1.0, 8.0])
    assert smallest == pytest.approx(gamma)
    assert slow_heaviest_always(growth)
    assert certificate.potential > certificate.leaves**-gamma  # the claim would be false
    assert names(certificate) == set()
    assert certificate.holds


def peel(weights, relative_gain, depth):
    """A chain of splits, each taking a pure leaf away with this relative gain (gini)."""
    if depth == 0:
        return Node(weights)
    low, high = 0.0, float(weights[0])
    for _ in range(200):
        away = (low + high) / 2
        rest = weights - [away, 0.0]
        gain = 1 - cost(rest, "gini") / cost(weights, "gini")
        low, high = (away, high) if gain < relative_gain else (low, away)
    return node([leaf(high, 0.0), peel(weights - [high, 0.0], relative_gain, depth - 1)])


def test_an_unsplittable_heaviest_leaf_makes_every_claim_void():
    gamma = 0.4
    left, right = binary(np.array([0.5, 0.5]), gamma)
    growth = grow(node([Node(left), peel(right, gamma, 40)]), SCHEMAS, "gini", heaviest)
    certificate = certificate_of(growth, "gini", gamma)
    assert history(growth)["relative_gain"].min() == pytest.approx(gamma)
    assert certificate.potential > certificate.leaves**-gamma  # the claims would be false
    assert names(certificate) == set()
    assert certificate.holds


def test_more_than_two_classes_carry_the_potential_of_the_root():
    children = [leaf(20, 1, 1, 1), leaf(1, 1, 20, 1), leaf(1, 20, 1, 20)]
    growth = grow(node([children[0], node(children[1:])]), SCHEMAS, "km", heaviest)
    certificate = certificate_of(growth, "km")
    assert growth.root_potential > 1.0
    assert names(certificate) == {"hatano", "product"}  # sharp-km is for two classes
    for claim in certificate.claims:
        assert claim.bound / growth.root_potential < certificate.potential <= claim.bound


def test_leaves_that_tie_are_all_heaviest():
    twin = [leaf(9, 1), leaf(1, 3)]
    root = node([node(list(twin)), node(list(twin))])
    for choose in (first, lambda frontier: len(frontier) - 1):
        growth = grow(root, SCHEMAS, "gini", choose)
        assert heaviest_leaf_always(growth.tree, growth.split_nodes)


def test_a_lighter_leaf_first_is_noticed():
    root = node([node([leaf(3, 1), leaf(1, 2)]), node([leaf(30, 1), leaf(1, 30)])])
    growth = grow(root, SCHEMAS, "gini", first)
    assert not heaviest_leaf_always(growth.tree, growth.split_nodes)
    assert names(certificate_of(growth, "gini")) == set()
    growth = grow(root, SCHEMAS, "gini", heaviest)
    assert names(certificate_of(growth, "gini")) == {"hatano", "product"}


def test_mansour_and_mcallester_need_a_gamma_and_its_gain():
    growth = grow(node([leaf(9, 1), leaf(1, 9)]), SCHEMAS, "gini")
    gain = history(growth)["relative_gain"][0]
    assert "mansour-mcallester" not in names(certificate_of(growth, "gini"))
    assert "mansour-mcallester" in names(certificate_of(growth, "gini", gain - 1e-9))
    assert "mansour-mcallester" not in names(certificate_of(growth, "gini", gain + 1e-9))


def test_perfect_splits_keep_a_sound_claim():
    growth = grow(node([leaf(9, 0), leaf(0, 9)]), SCHEMAS, "km")
    claims = certificate_of(growth, "km").claims
    assert {claim.name for claim in claims} == {"hatano", "product", "sharp-km"}
    assert all(0.0 < claim.bound < 1e-5 for claim in claims)
    assert claims[-1].gamma == pytest.approx(0.5, rel=2 * SLACK)


def test_the_bounds_are_ordered():
    for gamma in (0.01, 0.2, 0.7, 0.99):
        for leaves in range(1, 70):
            product, phi = e_gamma(leaves, gamma), size_bound(leaves, gamma)
            assert product <= leaves**-gamma * (1 + 1e-12)
            assert phi <= leaves**-gamma * (1 + 1e-12)
