"""What a class or function of the public surface offers, as Markdown.

In: a Python object and its public name. Out: its signature, its docstring, and for a class its
fields, properties and methods. Invariant: every public attribute of a class is named.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from making.docstrings import Entry, escaped, markdown, table
from making.in_use import in_use

FITTING = ("hardwood.TreeClassifier.", "hardwood.BoostedTreesClassifier.")
"""Whose methods have examples; those of results are too alike in name to be told apart."""


def described(name: str, thing: Any, level: int = 2) -> str:
    """A heading with an anchor, and everything about the object."""
    head = f"{'#' * level} `{name.rpartition('.')[2]}` {{ #{name} }}\n\n"
    if inspect.isclass(thing):
        return head + _class(name, thing, level)
    if callable(thing):
        return head + _signature(name, thing) + markdown(thing.__doc__) + in_use(name)
    return head + f"`{thing!r}`\n"


def _signature(name: str, thing: Any) -> str:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    bare = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    text = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    if len(f"{name}{text}") <= 88:
        return f"```python\n{name}{text}\n```\n\n"
    inner = "".join(f"    {part},\n" for part in _parts(bare))
    return f"```python\n{name}(\n{inner})\n```\n\n"


def _parts(parameters: list[inspect.Parameter]) -> list[str]:
    made, starred = [], False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not starred:
            made.append("*")
            starred = True
        made.append(str(each))
    return made


def _class(name: str, kind: type, level: int) -> str:
    fields = _fields(kind)
    text = "" if fields or issubclass(kind, Exception) else _signature(name, kind)
    own = kind.__doc__ or ""
    if not own.startswith(f"{kind.__name__}("):  # a dataclass without words of its own
        text += markdown(own) + "\n"
    text += in_use(name) + "\n"
    if fields:
        text += f"**Fields**\n\n{table(fields)}\n\n"
    if issubclass(kind, Exception):
        return text + f"A `{kind.__mro__[1].__name__}`.\n"
    inherited = []
    told = {entry.names for entry in fields} | _parameters(kind)
    for member in _public(kind):
        if member in told:
            continue
        home = next(base for base in kind.__mro__ if member in vars(base))
        if not home.__module__.startswith("hardwood") or member.endswith("_request"):
            inherited.append(member)
        else:
            text += _member(f"{name}.{member}", vars(home)[member], level + 1)
    if inherited and not issubclass(kind, tuple):
        text += "\n**From scikit-learn**: " + ", ".join(f"`{each}`" for each in inherited) + ".\n"
    return text


def _member(name: str, member: Any, level: int) -> str:
    head = f"\n{'#' * level} `{name.rpartition('.')[2]}` {{ #{name} }}\n\n"
    words = member.__doc__ if isinstance(getattr(member, "__doc__", None), str) else ""
    example = in_use(name) if name.startswith(FITTING) else ""
    if callable(member):
        return head + _signature(name.rpartition(".")[2], member) + markdown(words) + example
    said = markdown(words) if words and not isinstance(member, str) else f"`{member!r}`\n"
    return head + said + example


def _parameters(kind: type) -> set[str]:
    """Those of an estimator stand in the table of its docstring."""
    return set(inspect.signature(kind).parameters) if hasattr(kind, "fit") else set()


def _public(kind: type) -> list[str]:
    return [name for name in dir(kind) if not name.startswith("_")]


def _fields(kind: type) -> list[Entry]:
    """Annotated fields of dataclasses and named tuples, with the strings that stand below them."""
    if not hasattr(kind, "__dataclass_fields__") and not hasattr(kind, "_fields"):
        return []
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    found: list[Entry] = []
    for at, each in enumerate(body.body):
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        after = body.body[at + 1] if at + 1 < len(body.body) else None
        words = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            words = " ".join(str(after.value.value).split())
        kind_text = f"`{ast.unparse(each.annotation)}`"
        if isinstance(each.value, ast.Constant):
            kind_text += f", default={each.value.value!r}"
        found.append(Entry(each.target.id, kind_text, words))
    return [entry for entry in found if not entry.names.startswith("_")]


def module_words(module: Any) -> str:
    """A module's docstring; its indented lines stay a listing."""
    return escaped(inspect.cleandoc(module.__doc__ or "")) + "\n"
