"""The estimators' parameters, read from their source: names, defaults and docstrings.

In: the files of the two estimators, as text (importing them would load scikit-learn before `--help`
is printed). Out: one `Parameter` per constructor parameter of either model, in the order of the
signatures. Invariant: nothing is listed here by name, so a new parameter of an estimator is an
option of the command line at once, with the help of its docstring.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ESTIMATORS = {
    "tree": ("tree_classifier.py", "TreeClassifier"),
    "boosted": ("boosted_trees.py", "BoostedTreesClassifier"),
}
"""Per value of `--model`: the file and the name of its estimator."""

_ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One constructor parameter of one model."""

    name: str
    annotation: str
    default: object
    values: str
    """The allowed values as the docstring has them, for example "int or None"."""
    help: str


@cache
def parameters(model: str) -> dict[str, Parameter]:
    """The parameters of `--model model` by name."""
    file, name = ESTIMATORS[model]
    source = (Path(__file__).parent.parent / "estimators" / file).read_text(encoding="utf-8")
    estimator = next(
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == name
    )
    told = _entries(ast.get_docstring(estimator) or "")
    result = {}
    for argument, annotation, default in _signature(estimator):
        values, text = told.get(argument, ("", ""))
        if values == "as in TreeClassifier":
            twin = parameters("tree")[argument]
            values, text = twin.values, twin.help
        result[argument] = Parameter(argument, annotation, default, values, text)
    return result


def _signature(estimator: ast.ClassDef) -> list[tuple[str, str, object]]:
    """The annotated values of the class's body (`keyword_parameters` makes the constructor)."""
    return [
        (node.target.id, ast.unparse(node.annotation), _value(node.value))
        for node in estimator.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value
    ]


def _value(default: ast.expr) -> object:
    try:
        return ast.literal_eval(default)
    except ValueError:  # a name or a call: shown as it is written
        return ast.unparse(default)


def _entries(docstring: str) -> dict[str, tuple[str, str]]:
    """Allowed values and help of each parameter in a numpydoc docstring."""
    section = docstring.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    result: dict[str, tuple[str, str]] = {}
    names: list[str] = []
    for line in section.splitlines():
        entry = _ENTRY.match(line)
        if entry:
            names = entry[1].split(", ")
            values = re.sub(r", default=[^,]*$", "", entry[2]).removesuffix(".")
            result.update(dict.fromkeys(names, (values, "")))
        else:
            for name in names:
                values, text = result[name]
                result[name] = (values, f"{text} {line.strip()}".strip())
    return result
