"""A model as stand-alone Python source.

In: a fitted model. Out: a module that needs nothing but the standard library, with
`predict(row)`, `predict_proba(row)`, `apply(row)` (one tree) or `decision_function(row)` (boosted
trees). A row is a dict by column name, or a sequence in column order; None and NaN are missing.
Labels, leaves, shares and scores are those of the model to the bit; probabilities of boosted
trees may differ in the last digits, where exp does.
"""

from __future__ import annotations

import math
from typing import Any

from hardwood.export.decisions import Question, Style, Writer
from hardwood.export.forest import Forest, ScoredTree, forest_of
from hardwood.tree.numbers import plain_value

_READING = '''

class _Infinite(float):
    """An infinite number: refused when it decides a row's way, as in training."""

    def __le__(self, other):
        raise ValueError("A row holds infinity; allowed are finite numbers, and None or NaN.")


def _number(value):
    value = value.item() if hasattr(value, "item") else value
    if value is None or type(value).__name__ == "NAType" or value != value:
        return math.nan
    return _Infinite(value) if isinstance(value, float) and math.isinf(value) else value


def _category(value):
    value = value.item() if hasattr(value, "item") else value
    if value is None or type(value).__name__ == "NAType" or value != value:
        return None
    return value


def _values(row):
    """The row's values in column order, missing numbers as NaN, missing categories as None."""
    if hasattr(row, "keys"):
        row = [row[name] for name in COLUMNS]
    if len(row) != len(COLUMNS):
        raise ValueError(f"A row has {len(row)} values; the model has {len(COLUMNS)} columns.")
    read = {j: _category(row[j]) for j in _CATEGORIES}
    read.update((j, _number(row[j])) for j in _NUMBERS)
    return read
'''

_ONE_TREE = '''

def apply(row):
    """The number of the leaf that the row reaches."""
    return _tree_0(_values(row))


def predict_proba(row):
    """The class shares of the row's leaf, in the order of CLASSES."""
    return list(_SHARES[apply(row)])


def predict(row):
    """The heaviest class of the row's leaf."""
    return CLASSES[_LABELS[apply(row)]]
'''

_ONE_CLASS = '''

def predict_proba(row):
    """There is one class only."""
    return [1.0]


def predict(row):
    """There is one class only."""
    return CLASSES[0]
'''

_LOGISTIC = """

def _logistic(score):
    return 1 / (1 + math.exp(-min(max(score, -700.0), 700.0)))
"""

_PROBA = {
    "logistic": '''
    """Logistic of the log odds."""
    second = _logistic(@decision_function(row))
    return [1 - second, second]
''',
    "votes": '''
    """A softmax of the votes over (classes - 1)."""
    spread = [score / (len(CLASSES) - 1) for score in decision_function(row)]
    powers = [math.exp(each - max(spread)) for each in spread]
    return [power / sum(powers) for power in powers]
''',
    "rest": '''
    """Each class's logistic of its log odds, normalised."""
    powers = [_logistic(@score) for score in decision_function(row)]
    if sum(powers) == 0:
        powers = [1.0] * len(powers)
    return [power / sum(powers) for power in powers]
''',
}

_PREDICT = {
    "logistic": '''
    """The second class when the score is high enough."""
    return CLASSES[int(decision_function(row) > @)]
''',
    "votes": '''
    """The class with the largest score, the first on a tie."""
    scores = decision_function(row)
    return CLASSES[scores.index(max(scores))]
''',
    "costs": '''
    """The class of least expected cost, the first on a tie."""
    spent = [0.0] * len(CLASSES)
    for share, costs in zip(predict_proba(row), _COSTS):
        spent = [so_far + share * cost for so_far, cost in zip(spent, costs)]
    return CLASSES[spent.index(min(spent))]
''',
}


def python(model: Any) -> str:
    """The model as a Python module without dependencies.

    `predict(row)` and `predict_proba(row)` take a dict or a sequence; None and NaN are missing.
    """
    forest = forest_of(model, "Python")
    columns = forest.used_columns
    groups = [j for j in columns if forest.schemas[j].kind == "category"]
    numbers = [j for j in columns if forest.schemas[j].kind != "category"]
    header = (
        '"""A model exported by hardwood: predict(row) and predict_proba(row)."""\n\n'
        "import math\n\n"
        f"COLUMNS = {_tuple(schema.name for schema in forest.schemas)}\n"
        f"CLASSES = {_tuple(map(_label, forest.classes), plain=True)}\n"
        f"_CATEGORIES = {groups!r}\n_NUMBERS = {numbers!r}\n"
    )
    parts = [
        header,
        _READING if forest.link != "one" else "",
        *(_functions(forest, number, scored) for number, scored in enumerate(forest.trees)),
    ]
    if forest.link == "shares":
        parts += [f"\n\n_LABELS = {forest.leaf_labels()!r}\n_SHARES = {forest.leaf_shares()!r}\n"]
        parts += [_ONE_TREE]
    elif forest.link == "one":
        parts += [_ONE_CLASS]
    else:
        parts += [_decision_function(forest), "" if forest.link == "votes" else _LOGISTIC]
        proba = _PROBA[forest.link].replace("@", forest.log_odds)
        parts += [f"\n\ndef predict_proba(row):{proba}"]
        kind = "costs" if forest.costs else "logistic" if forest.link == "logistic" else "votes"
        if forest.costs:
            parts += [f"\n\n# By true class and class said.\n_COSTS = {forest.costs!r}\n"]
        parts += [f"\n\ndef predict(row):{_PREDICT[kind].replace('@', _cut(forest.cut))}"]
    return "".join(parts)


def _cut(cut: float) -> str:
    """The score above which the second of two classes is said."""
    return f'float("{cut}")' if math.isinf(cut) else repr(cut) if cut else "0"


def _tuple(values: Any, plain: bool = False) -> str:
    texts = [value if plain else repr(value) for value in values]
    return "(" + "".join(f"{text}, " for text in texts).strip() + ")"


def _label(label: object) -> str:
    if isinstance(label, bool | int | float | str):
        return repr(label)
    raise ValueError(
        f"The class {label!r} is of type {type(label).__name__}; exported source has classes that "
        "are strings, numbers or booleans. Use such labels."
    )


def _functions(forest: Forest, number: int, scored: ScoredTree) -> str:
    """One function, and more for what lies too deep."""
    tree = scored.tree

    def leaf(node: int) -> str:
        if forest.link == "shares":
            return f"return {node}"
        value = scored.place(node) if forest.link == "votes" else scored.addend(node)
        return f"return {value!r}"

    def ask(question: Question, node: int) -> str:
        return _condition(forest, int(tree.feature[node]), question)

    def first(condition: str, node: int) -> str:
        name = forest.schemas[tree.feature[node]].name
        return f"if {condition}:  # {ascii(name)[1:-1]}"

    style = Style(
        leaf=leaf,
        call=lambda node: f"return _tree_{number}_{node}(x)",
        ask=ask,
        first=first,
        later=lambda condition: f"elif {condition}:",
        otherwise="else:",
        end="",
        indent="    ",
    )
    return "".join(
        f"\n\ndef _tree_{number}{f'_{start}' if start else ''}(x):\n" + "\n".join(lines) + "\n"
        for start, lines in Writer(tree, forest.schemas, style).bodies()
    )


def _condition(forest: Forest, column: int, question: Question) -> str:
    x, schema = f"x[{column}]", forest.schemas[column]
    parts = []
    if question.cut is not None:
        parts.append(f"{x} <= {question.cut!r}")
    if question.codes:
        values = [repr(plain_value(schema.categories[code])) for code in question.codes]
        parts.append(f"{x} in {{{', '.join(values)}}}")
    if question.missing:
        parts.append(f"{x} is None" if schema.kind == "category" else f"{x} != {x}")
    return " or ".join(parts)


def _decision_function(forest: Forest) -> str:
    two = forest.link == "logistic"
    text = '"""Positive for the second class."""' if two else '"""One score per class."""'
    lines = ["", "", "def decision_function(row):", f"    {text}", "    x = _values(row)"]
    lines.append(f"    scores = [0.0] * {forest.outputs}")
    for number, scored in enumerate(forest.trees):
        if forest.link == "votes":
            lines.append(f"    scores[_tree_{number}(x)] += {scored.weight!r}")
        else:
            lines.append(f"    scores[{scored.output}] += _tree_{number}(x)")
    return "\n".join([*lines, f"    return scores{'[0]' if two else ''}", ""])
