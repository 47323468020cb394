"""The API reference: one page per estimator and public module, made from docstrings.

In: the installed package. Out: pages by path. What is public is said by `hardwood.__all__` and the
`__all__` of each module, so that a new name is on its page without a change here. Invariant: every
public name, every method and every parameter of an estimator is named.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from making.docstrings import cell, summary
from making.members import described, module_words

import hardwood

BESIDE = ("errors", "plots", "dask")
"""Public modules that `import hardwood` does not offer by name; those that exist are described."""
RESULTS = {
    "hardwood.tree": ("Tree", "Rule", "Interval", "Group"),
    "hardwood.boosting.readable": ("ScoreRule",),
    "hardwood.explain": ("PathExplanation", "ScoreExplanation"),
    "hardwood.explain.path": ("PathStep",),
    "hardwood.explain.contributions": ("Contribution",),
    "hardwood.explain.counterfactual": ("Counterfactual", "Change"),
    "hardwood.explain.reasons": ("Reason",),
    "hardwood.certify.stability": ("Stability", "SplitStability"),
    "hardwood.comparing": ("ModelDifference",),
    "hardwood.comparing.records": ("Changed", "SplitChange", "RowChange"),
}
"""Classes of what methods return."""


def pages() -> dict[str, str]:
    """Markdown by path below docs/."""
    made = {f"reference/{name}.md": _estimator(name, kind) for name, kind in estimators().items()}
    made |= {f"reference/{name}.md": _module(module) for name, module in modules().items()}
    made["reference/functions.md"] = _functions()
    made["reference/results.md"] = _results()
    return {"reference/index.md": _index(), **made}


def estimators() -> dict[str, type]:
    """The classes that fit."""
    named = {name: getattr(hardwood, name) for name in hardwood.__all__}
    return {
        name: each for name, each in named.items() if inspect.isclass(each) and hasattr(each, "fit")
    }


def modules() -> dict[str, ModuleType]:
    """Public modules by short name."""
    named = {name: getattr(hardwood, name) for name in hardwood.__all__}
    found = {name: each for name, each in named.items() if isinstance(each, ModuleType)}
    for name in BESIDE:
        if name not in found and find_spec(f"hardwood.{name}") is not None:
            found[name] = import_module(f"hardwood.{name}")
    return dict(sorted(found.items()))


def names_of(module: ModuleType) -> list[str]:
    """What a module offers: its `__all__`, or the classes and functions that are its own."""
    own = [
        name
        for name, each in vars(module).items()
        if not name.startswith("_") and getattr(each, "__module__", None) == module.__name__
    ]
    return list(getattr(module, "__all__", own))


def top_level() -> dict[str, Any]:
    """Functions, errors and constants of `hardwood` itself."""
    rest = set(hardwood.__all__) - set(estimators()) - set(modules())
    return {name: getattr(hardwood, name) for name in sorted(rest, key=str.lower)}


def _estimator(name: str, kind: type) -> str:
    return described(f"hardwood.{name}", kind, level=1)


def _module(module: ModuleType) -> str:
    text = f"# `{module.__name__}` {{ #{module.__name__} }}\n\n{module_words(module)}\n"
    for name in names_of(module):
        text += described(f"{module.__name__}.{name}", getattr(module, name)) + "\n"
    return text


def _functions() -> str:
    text = "# `hardwood` { #hardwood }\n\nFunctions and errors of the package itself.\n\n"
    for name, thing in top_level().items():
        if name == "__version__":
            text += f"## `{name}` {{ #hardwood.version }}\n\nThe installed version, a string.\n\n"
        else:
            text += described(f"hardwood.{name}", thing) + "\n"
    return text


def _results() -> str:
    text = "# What methods return { #results }\n\nObjects that the estimators give back.\n\n"
    for home, names in RESULTS.items():
        for name in names:
            text += described(f"{home}.{name}", getattr(import_module(home), name)) + "\n"
    return text


def _index() -> str:
    lines = [
        "# API reference",
        "",
        "Made from the docstrings of the installed version. What is listed here is public: it",
        "changes only as [the promises](../promises.md) say.",
        "",
        "| name | what it is |",
        "|---|---|",
    ]
    for name, kind in estimators().items():
        lines.append(_row(f"hardwood.{name}", f"{name}.md", kind))
    for name, thing in top_level().items():
        anchor = f"hardwood.{name.strip('_')}"  # underscores would be read as bold
        lines.append(_row(f"hardwood.{name}", f"functions.md#{anchor}", thing))
    for short, module in modules().items():
        lines.append(_row(module.__name__, f"{short}.md", module))
        for name in names_of(module):
            full = f"{module.__name__}.{name}"
            lines.append(_row(full, f"{short}.md#{full}", getattr(module, name)))
    lines.append("| [results](results.md) | objects that methods return |")
    return "\n".join(lines) + "\n"


def _row(name: str, link: str, thing: Any) -> str:
    words = "the installed version" if isinstance(thing, str) else summary(thing.__doc__)
    return f"| [`{name}`]({link}) | {cell(words)} |"
