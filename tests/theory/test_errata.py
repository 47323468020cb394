"""Every entry of docs/theory/errata.md: its smallest counterexample, and what holds instead."""

import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest

from hardwood.criteria import cost
from hardwood.theory import (
    advantage,
    best_tree_error,
    branch_price,
    complete_tree_error,
    published_entropy_bounds,
    size_bound,
)

PAGE = Path(__file__).parents[2] / "docs/theory/errata.md"


def entropy(q):
    return float(cost([1 - q, q], "entropy"))


def km(q):
    return 2 * math.sqrt(q * (1 - q))


def test_every_entry_of_the_page_names_a_test_of_this_file():
    named = re.findall(r"`(test_\w+)`", PAGE.read_text(encoding="utf-8"))
    here = Path(__file__).read_text(encoding="utf-8")
    tests = re.findall(r"^def (test_\w+)", here, re.MULTILINE)
    assert sorted(named) == sorted(set(tests) - {tests[0]})


@pytest.mark.parametrize("seed", range(20))
def test_km96_lemma_2_loses_a_factor_of_two(seed):
    random = np.random.RandomState(seed)
    q, a, b = random.uniform(0.01, 0.99, 3)
    table = np.array([[(1 - q) * (1 - b), (1 - q) * b], [q * (1 - a), q * a]])
    tau = table[:, 1].sum()
    delta = table[1, 1] / tau - table[1, 0] / (1 - tau)
    assert tau * (1 - tau) * abs(delta) == pytest.approx(2 * advantage(table) * q * (1 - q))


def test_km96_the_bound_on_the_inverse_of_entropy_is_false():
    q = 0.25
    y = entropy(q)
    assert q < y / (2 * math.log2(2 / y))
    worst = min(x / (entropy(x) / (2 * math.log2(2 / entropy(x)))) for x in np.arange(1, 500) / 1e3)
    assert worst == pytest.approx(0.80, abs=0.005)


@pytest.mark.parametrize(("criterion", "least"), [(entropy, 0.33), (km, 0.255)])
def test_km96_lemma_4_is_false_for_large_advantages(criterion, least):
    gamma, q = 0.5, 0.01

    def gain(tau):
        return (
            criterion(q)
            - (1 - tau) * criterion(q - gamma * q * (1 - q) / (1 - tau))
            - tau * criterion(q + gamma * q * (1 - q) / tau)
        )

    taus = np.arange(10, 480) / 1000
    best = taus[np.argmin([gain(tau) for tau in taus])]
    assert best == pytest.approx(least, abs=0.005)
    assert gain(best) < gain(0.4)


def test_km96_lemma_13_prints_a_product_for_a_quotient():
    q, h = 0.2, 1e-6
    slope = (km(q + h) - km(q - h)) / (2 * h)
    assert slope == pytest.approx((1 - 2 * q) / math.sqrt(q * (1 - q)), rel=1e-6)
    assert abs(slope - (1 - 2 * q) * math.sqrt(q * (1 - q))) > 1


def test_km96_lemma_7_is_simpler_than_printed():
    for q in np.linspace(0.01, 0.99, 33):
        printed = (1 - 2 * q) ** 2 * math.sqrt(q * (1 - q)) / 2 + 2 * (q * (1 - q)) ** 1.5
        assert printed == pytest.approx(km(q) / 4)


def test_km96_equation_49_multiplies_too_many_factors():
    gamma, t = 0.5, 2

    def product(last):
        return math.prod(1 - gamma**2 / 16 / i for i in range(1, last + 1))

    assert product(t) > product(2**t)
    assert product(t) <= math.exp(-(gamma**2) * math.log2(t) / 32)


def test_km96_majority_has_half_the_advantage_printed():
    rows = np.array([row for row in itertools.product((0, 1), repeat=3) if 0 < sum(row) < 3])
    label = rows.sum(axis=1) > 1
    right = (rows == label[:, None]).mean(axis=0)
    assert right == pytest.approx([0.5 + 1 / 6] * 3)
    for n in (1, 3, 5, 7):  # never less: the mean over the variables, on any single row
        for row in itertools.product((0, 1), repeat=n):
            agree = sum(bit == (2 * sum(row) > n) for bit in row) / n
            assert agree >= 0.5 + 1 / (2 * n) - 1e-12


@pytest.mark.parametrize("gamma", [0.1, 0.25, 0.4])
def test_km96_the_complete_tree_is_not_the_best_on_noisy_copies(gamma):
    assert complete_tree_error(2, gamma) == pytest.approx(0.5 - gamma)
    gained = 2 * gamma * (0.25 - gamma**2) / 2
    assert best_tree_error(4, gamma) == pytest.approx(0.5 - gamma - gained)
    assert best_tree_error(3, gamma) == pytest.approx(complete_tree_error(1, gamma))


def test_km96_the_captions_print_a_wrong_sign():
    gamma, tau, q = 0.1, 0.4, 0.9
    p, r = q - gamma * q * (1 - q) / (1 - tau), q + gamma * q * (1 - q) / tau

    def gini(x):
        return 4 * x * (1 - x)

    first = gini(p) + (q - p) * (4 - 8 * p)
    printed, meant = (first - gini(r) + sign * (r - q) * (4 - 8 * r) for sign in (-1, 1))
    assert printed > 0.1
    assert meant < 0


def test_km96_the_loop_never_ends_on_examples_that_cannot_be_told_apart():
    table = np.array([[1.0, 0.0], [1.0, 0.0]])  # two equal rows of two classes, one branch empty
    drop = float(cost(table.sum(axis=1), "km")) - float(cost(table.T, "km").sum())
    assert drop == 0.0  # line 6 asks for no more


def test_h04_lemma_1_has_half_the_index_of_definition_1():
    assert math.sqrt(0.5 * 0.5) == 0.5
    assert km(0.5) == 1.0


def test_h04_lemma_1_needs_all_distributions():
    rows = {0: 3, 1: 7}  # the only question is the constant 1
    assert rows[0] / 10 <= 0.5 - 0.2
    assert float(cost([3, 7], "km")) - float(cost([[3, 7], [0, 0]], "km").sum()) == 0.0


def test_h04_theorem_4_prints_i_for_i_plus_one():
    gamma, failed, cases = 0.1, 0, 0
    for i in range(6):
        for extra in range(2**i if i else 1):
            size = 2 ** (i + 1) + extra
            cases += 1
            failed += math.exp(-gamma * (i + extra / 2 ** (i + 1))) > size**-gamma
            assert math.exp(-gamma * (i + 1 + extra / 2 ** (i + 1))) <= size**-gamma
    assert failed > 0
    assert math.exp(-gamma * 0) > 2**-gamma  # the smallest: two leaves, i = 0, t' = 0
    assert (1 - gamma) ** 0 > size_bound(2, gamma)


def test_h04_proposition_8_needs_the_floor():
    gamma, s, k = 0.1, 3, 3
    assert size_bound(s, gamma) / (1 - gamma) ** branch_price(k) > size_bound(s // k, gamma)
    assert size_bound(s, gamma) / (1 - gamma) ** math.floor(math.log2(k)) <= size_bound(1, gamma)


def test_h04_the_definition_of_acceptable_forbids_binary_splits():
    s, leaves = 3, 2
    assert s / leaves < 2  # so "2 <= k <= s/|T|" has no k, and d_2*, d_2* is not acceptable for 3


def test_h04_the_price_of_mansour_and_mcallester_is_not_always_near_ln_k():
    assert branch_price(1000, 0.5) < 2 < math.log(1000)
    assert branch_price(1000, 1e-4) == pytest.approx(math.log(1000), rel=0.1)


def test_dkm96_one_p_of_table_1_does_not_belong_to_its_t():
    from scipy.stats import t as student

    from hardwood.studies.dkm_intervals import PAPER
    from hardwood.studies.dkm_problems import PROBLEMS

    wrong = [
        name
        for name, (_, _, t, p) in PAPER.items()
        if abs(2 * student.sf(t, PROBLEMS[name][2] - 1) - p) > 0.0006
    ]
    assert wrong == ["segmentation-4"]
    assert 2 * student.sf(1.0, 3) == pytest.approx(0.391, abs=5e-4)


def test_dkm96_two_percent_of_500_examples_are_not_100():
    assert 0.02 * 500 == 10


def test_aaa18_equation_3_is_twice_the_cost_when_all_is_seen():
    seen = [[1.0, 1.0], [1.0, 1.0]]
    low, high = published_entropy_bounds(seen, [0.0, 0.0])
    assert (low, high) == (4.0, 8.0)
    # A column that costs less, but more than half as much, never gets below it.
    better = published_entropy_bounds([[3.0, 1.0], [1.0, 3.0]], [0.0, 0.0])
    worse = published_entropy_bounds([[2.0, 2.0], [2.0, 2.0]], [0.0, 0.0])
    assert better[0] < worse[0] < better[1]


def test_aaa18_lemma_1_has_its_two_ratios_exchanged():
    seen, unseen = np.array([1.0, 3.0]), np.array([2.0, 1.0])  # of labels y and not y
    share, whole_share = seen[0] / (seen[0] + unseen[0]), seen.sum() / (seen + unseen).sum()
    printed = (1 - share) / (1 - whole_share)  # the left side of eq. 6
    meant = share / whole_share
    right = seen[0] / (seen[0] + unseen[0]) * (seen + unseen).sum() / seen.sum()
    assert meant == pytest.approx(right)
    assert printed == pytest.approx(14 / 9)
    assert right == pytest.approx(7 / 12)
    kl = share * math.log2(meant) + (1 - share) * math.log2(printed)
    assert kl <= math.log2((seen.sum() + unseen.sum()) / seen[0])


def test_aaa18_three_improvements_do_not_follow_from_their_times():
    table_2 = {  # seconds of adaptive and quick with three digits, and the improvement in %
        "a6a": (449, 446, 5.3),
        "mnist": (632e3, 660e3, 4.2),
        "rcv1": (158e3, 158e3, -0.5),
        "satimage": (921, 1190, 18.9),
        "w4a": (303, 396, 27.1),
    }
    wrong = []
    for name, (adaptive, quick, printed) in table_2.items():
        half = [0.5 * 10.0 ** (math.floor(math.log10(each)) - 2) for each in (adaptive, quick)]
        most = 100 * (1 - (adaptive - half[0]) / (quick + half[1]))
        least = 100 * (1 - (adaptive + half[0]) / (quick - half[1]))
        if not least - 0.05 <= printed <= most + 0.05:
            wrong.append((name, round(100 * (1 - adaptive / quick), 1)))
    assert wrong == [("a6a", -0.7), ("satimage", 22.6), ("w4a", 23.5)]


def passes_of_algorithm_1(mistakes, weights, mended):
    """One stump per column, rows in order of weight; None if 50 passes do not end it."""
    reached = np.cumsum(weights) / np.sum(weights)
    rows, columns = len(weights), len(mistakes)
    assessed = [int(np.searchsorted(reached, 0.5)) + 1] * columns

    def low(k):
        return float((mistakes[k] * weights)[: assessed[k]].sum() / weights.sum())

    def high(k):
        return low(k) + float(1 - reached[assessed[k] - 1])

    def assess(k, gap):
        more = int(np.searchsorted(reached, reached[assessed[k] - 1] + gap - 1e-12)) + 1
        assessed[k] = min(more, rows)

    a = min(range(columns), key=high)
    for passes in range(50):
        b = min((k for k in range(columns) if k != a), key=low)
        if high(a) <= low(b):
            return passes
        assess(a, high(a) - low(b))
        if high(a) - low(b) > 0:
            assess(b, high(a) - low(b))
        if (high(b) < high(a)) if mended else (high(a) < high(b)):
            a = b
    return None


def test_aaa18_algorithm_1_as_printed_never_ends():
    """Two rows of equal weight: both columns are right on the first, column 1 on the second too."""
    mistakes, weights = np.array([[0, 1], [0, 0]]), np.array([1.0, 1.0])
    assert passes_of_algorithm_1(mistakes, weights, mended=True) == 1
    assert passes_of_algorithm_1(mistakes, weights, mended=False) is None
