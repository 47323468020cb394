"""`prove` beside trying every combination of values, on small models of every kind."""

import itertools

import numpy as np
import pandas as pd
import pytest

from hardwood.certify import Monotone, NeverUses, SameAnswer, Within, prove
from tests.certify.proof_models import BOOSTED, TREES, all_values, asked, boosted, tree
from tests.effort import THOROUGH
from tests.oracles import claims as oracle

MODELS = [
    pytest.param(make, kind, classes, id=f"{kind}-{classes}")
    for make, kinds in ((tree, TREES), (boosted, BOOSTED))
    for kind in kinds
    for classes in (2, 3)
    if (kind, classes) != ("votes", 2)
]
ORDERED = {0: "x", 1: "wide", 3: "size"}


def told(model, rows, method="predict_proba"):
    """The model's answer to a result's rows, given as users would give them."""
    return asked(model, method)([tuple(row.values()) for row in rows])


@pytest.mark.parametrize(("make", "kind", "classes"), MODELS)
def test_monotone_is_what_trying_everything_says(make, kind, classes):
    model = make(kind, 1, classes)
    ask = asked(model)
    open_ones = 0
    said = {j: oracle.by_value(all_values(model, present=j), j, ask) for j in ORDERED}
    long = make is boosted and classes == 3 and not THOROUGH
    for (j, name), label in itertools.product(ORDERED.items(), [1] if long else range(classes)):
        for direction, sign in (("increasing", 1), ("decreasing", -1)):
            (result,) = prove(model, Monotone(column=name, direction=direction, label=label))
            holds = oracle.rises([sign * each[:, label] for each in said[j]])
            if result.status == "not proved":
                open_ones += 1
                assert classes == 3
                assert make is boosted
                continue
            assert result.proved == holds, (result, kind)
            if not holds:
                before, after = sign * told(model, result.rows)[:, label]
                assert before > after
                first, second = result.rows
                assert [key for key in first if first[key] != second[key]] == [name]
    assert open_ones <= 4


@pytest.mark.parametrize(("make", "kind", "classes"), MODELS)
def test_limits_are_decided_to_the_last_bit(make, kind, classes):
    model = make(kind, 2, classes)
    said = asked(model)(oracle.grid(all_values(model)))
    for label in range(classes):
        low, high = float(said[:, label].min()), float(said[:, label].max())
        assert prove(model, Within(label=label, at_least=low, at_most=high)).proved
        for broken in (
            Within(label=label, at_least=float(np.nextafter(low, 2))),
            Within(label=label, at_most=float(np.nextafter(high, -1))),
            Within(label=label, at_least=(low + high) / 2, at_most=1),
        ):
            (result,) = prove(model, broken)
            if low == high:
                continue
            assert result.status == "refuted"
            (value,) = told(model, result.rows)[:, label]
            assert (
                not (broken.at_least or 0)
                <= value
                <= (1 if broken.at_most is None else broken.at_most)
            )


@pytest.mark.parametrize(("make", "kind", "classes"), MODELS)
def test_answers_that_do_not_depend_on_a_column(make, kind, classes):
    model = make(kind, 3, classes)
    values = all_values(model)
    labels, shares = asked(model, "predict"), asked(model)
    for j, name in enumerate(("x", "wide", "city", "size")):
        (result,) = prove(model, SameAnswer(column=name))
        assert result.status == ("proved" if oracle.same(values, j, labels) else "refuted")
        if result.rows:
            assert len(set(told(model, result.rows, "predict"))) == 2
        (result,) = prove(model, NeverUses(column=name))
        if result.proved:
            assert oracle.same(values, j, shares)
        elif len(result.rows) == 2:
            first, second = told(model, result.rows)
            assert (first != second).any()
        else:  # asked about, though it changes nothing
            assert oracle.same(values, j, shares)


@pytest.mark.parametrize("make", [tree, boosted])
def test_regions_count_only_their_own_rows(make):
    model = make("plain" if make is tree else "logistic", 4, 2)
    everything = all_values(model)
    where = {"x": {"above": 1.0, "at_most": 2.5}, "city": ["a", "c"], "size": {"below": "large"}}
    inside = [
        [value for value in everything[0] if value is not None and 1.0 < value <= 2.5] + [2.5],
        everything[1],
        ["a", "c"],
        ["small", "middle"],
    ]
    said = asked(model)(oracle.grid(inside))[:, 1]
    low, high = float(said.min()), float(said.max())
    assert prove(model, Within(at_least=low, at_most=high, where=where)).proved
    (result,) = prove(model, Within(at_most=float(np.nextafter(high, -1)), where=where))
    (row,) = result.rows
    assert 1.0 < row["x"] <= 2.5
    assert row["city"] in "ac"
    assert row["size"] != "large"


@pytest.mark.parametrize("missing", [True, False])
@pytest.mark.parametrize("unseen", [True, False])
def test_missing_and_unknown_values_count_unless_the_claim_leaves_them_out(missing, unseen):
    model = tree("plain", 5, 2)
    values = [
        [value for value in own if (missing or value is not None)] for own in all_values(model)
    ]
    if not unseen:
        values[2].remove("elsewhere")
    said = asked(model)(oracle.grid(values))[:, 1]
    limits = {"missing": missing, "unseen": unseen}
    low, high = float(said.min()), float(said.max())
    assert prove(model, Within(at_least=low, at_most=high, **limits)).proved
    assert not prove(model, Within(at_most=float(np.nextafter(high, -1)), **limits)).proved


def test_rows_of_a_result_make_a_frame_that_the_model_takes():
    model = tree("plain", 0, 2)
    (result,) = prove(model, Within(at_most=0.0))
    assert model.predict_proba(pd.DataFrame(result.rows))[0, 1] > 0
    assert model.explain(result.rows[0])
