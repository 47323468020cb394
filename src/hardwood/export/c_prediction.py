"""The public functions of exported C source: leaf or scores -> class number and probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence

from hardwood.export.forest import Forest

_PREDICT_TREE = """/* The number of the row's class in hardwood_classes. */
int hardwood_predict(const hardwood_row *x)
{
    return leaf_class[hardwood_leaf(x)];
}

/* The shares of the HARDWOOD_CLASSES classes in the row's leaf. */
void hardwood_predict_proba(const hardwood_row *x, double *shares)
{
    memcpy(shares, leaf_shares[hardwood_leaf(x)], sizeof leaf_shares[0]);
}
"""

_ONE_CLASS = """/* There is one class only. */
int hardwood_predict(const hardwood_row *x)
{
    int code[1];
    read_codes(x, code);
    return 0;
}

void hardwood_predict_proba(const hardwood_row *x, double *shares)
{
    shares[0] = 1.0 + 0.0 * hardwood_predict(x);
}
"""

_PREDICT_TWO = """/* The number of the row's class in hardwood_classes. */
int hardwood_predict(const hardwood_row *x)
{
    double score[1];
    hardwood_scores(x, score);
    return score[0] > @;
}
"""

_PREDICT_MANY = """/* The number of the row's class in hardwood_classes, the first of the best. */
int hardwood_predict(const hardwood_row *x)
{
    double score[HARDWOOD_CLASSES];
    int best = 0;
    hardwood_scores(x, score);
    for (int k = 1; k < HARDWOOD_CLASSES; ++k)
        if (score[k] > score[best]) best = k;
    return best;
}
"""

_PREDICT_CHEAPEST = """
/* The number of the class of least expected cost in hardwood_classes, the first of the cheapest. */
int hardwood_predict(const hardwood_row *x)
{
    static const double costs[HARDWOOD_CLASSES][HARDWOOD_CLASSES] = {
@
    }; /* by true class and class said */
    double shares[HARDWOOD_CLASSES], spent[HARDWOOD_CLASSES] = {0};
    int best = 0;
    hardwood_predict_proba(x, shares);
    for (int t = 0; t < HARDWOOD_CLASSES; ++t)
        for (int k = 0; k < HARDWOOD_CLASSES; ++k) spent[k] += shares[t] * costs[t][k];
    for (int k = 1; k < HARDWOOD_CLASSES; ++k)
        if (spent[k] < spent[best]) best = k;
    return best;
}
"""

_LOGISTIC = """static double logistic(double score)
{
    return 1 / (1 + exp(-fmin(fmax(score, -700.0), 700.0)));
}

"""

_PROBA_TWO = """
/* Logistic of the log odds. */
void hardwood_predict_proba(const hardwood_row *x, double *shares)
{
    double score[1];
    hardwood_scores(x, score);
    shares[1] = logistic(@score[0]);
    shares[0] = 1 - shares[1];
}
"""

_PROBA_MANY = """
/* {what} */
void hardwood_predict_proba(const hardwood_row *x, double *shares)
{{
    double sum = 0;
    hardwood_scores(x, shares);
{powers}
    for (int k = 0; k < HARDWOOD_CLASSES; ++k) sum += shares[k];
    for (int k = 0; k < HARDWOOD_CLASSES; ++k)
        shares[k] = sum == 0 ? 1.0 / HARDWOOD_CLASSES : shares[k] / sum;
}}
"""

_REST = "    for (int k = 0; k < HARDWOOD_CLASSES; ++k) shares[k] = logistic(@shares[k]);"

_VOTES = """    double largest = shares[0];
    for (int k = 1; k < HARDWOOD_CLASSES; ++k) largest = fmax(largest, shares[k]);
    largest /= HARDWOOD_CLASSES - 1;
    for (int k = 0; k < HARDWOOD_CLASSES; ++k)
        shares[k] = exp(shares[k] / (HARDWOOD_CLASSES - 1) - largest);"""


def prediction(forest: Forest, codes: int) -> str:
    """`codes` is the number of category columns that trees ask about, at least 1."""
    if forest.link == "shares":
        return _leaf_tables(forest, codes) + _PREDICT_TREE
    if forest.link == "one":
        return _ONE_CLASS
    if forest.link == "logistic":
        proba = _PROBA_TWO.replace("@", forest.log_odds)
        return _LOGISTIC + _scores(forest, codes) + _PREDICT_TWO.replace("@", _cut(forest)) + proba
    before, what, powers = "", "A softmax of the votes over (classes - 1).", _VOTES
    if forest.link == "rest":
        before, what = _LOGISTIC, "Each class's logistic of its log odds, normalised."
        powers = _REST.replace("@", forest.log_odds)
    proba = _PROBA_MANY.format(what=what, powers=powers)
    if forest.costs is None:
        return before + _scores(forest, codes) + _PREDICT_MANY + proba
    return before + _scores(forest, codes) + proba.lstrip() + _cheapest(forest.costs)


def _cheapest(costs: Sequence[Sequence[float]]) -> str:
    rows = ",\n".join("        {" + ", ".join(map(float.hex, each)) + "}" for each in costs)
    return _PREDICT_CHEAPEST.replace("@", rows)


def _cut(forest: Forest) -> str:
    """The score above which the second class is said."""
    if math.isinf(forest.cut):
        return "INFINITY" if forest.cut > 0 else "-INFINITY"
    return forest.cut.hex() if forest.cut else "0"


def _leaf_tables(forest: Forest, codes: int) -> str:
    leaves = forest.tree.leaf_ids.tolist()
    labels, shares = forest.leaf_labels(), forest.leaf_shares()
    rows = ",\n".join("    {" + ", ".join(map(float.hex, shares[leaf])) + "}" for leaf in leaves)
    return (
        f"static const int leaf_node[] = {{{', '.join(map(str, leaves))}}};\n"
        f"static const int leaf_class[] = {{{', '.join(str(labels[leaf]) for leaf in leaves)}}};\n"
        f"static const double leaf_shares[][HARDWOOD_CLASSES] = {{\n{rows}\n}};\n\n"
        "static int hardwood_leaf(const hardwood_row *x)\n{\n"
        f"    int code[{codes}];\n    read_codes(x, code);\n    return tree_0(x, code);\n}}\n\n"
        "/* The number of the node that the row ends in. */\n"
        "int hardwood_apply(const hardwood_row *x)\n{\n"
        "    return leaf_node[hardwood_leaf(x)];\n}\n\n"
    )


def _scores(forest: Forest, codes: int) -> str:
    """Trees add one after the other, in the order of training."""
    lines = [
        f"/* {forest.outputs} score(s); one: positive for the second class. */",
        "void hardwood_scores(const hardwood_row *x, double *score)",
        "{",
        f"    int code[{codes}];",
        "    read_codes(x, code);",
        f"    for (int k = 0; k < {forest.outputs}; ++k) score[k] = 0;",
    ]
    for number, scored in enumerate(forest.trees):
        if forest.link == "votes":
            lines.append(f"    score[tree_{number}(x, code)] += {scored.weight.hex()};")
        else:
            lines.append(f"    score[{scored.output}] += tree_{number}(x, code);")
    return "\n".join([*lines, "}\n\n"])
