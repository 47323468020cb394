"""Writes src/hardwood/_core.pyi from the built module: python -m tools.stubs [--check]

nanobind says the names, the arguments, and every type that C++ knows. Where C++ has a plain list,
dict, tuple or object, `core_types` says what is inside. Invariant: a refinement that meets no such
place, or one that the binding knows by itself, is an error, so the two cannot drift apart.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from tools.core_types import ALIASES, ANYWHERE, INSIDE

STUB = Path(__file__).resolve().parents[1] / "src" / "hardwood" / "_core.pyi"
OPAQUE = {"list", "dict", "tuple", "object", "NDArray"}
HEADER = '''"""The compiled core (cpp/bind), as `make stubs` reads it from the built module."""

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
'''


class Refine(ast.NodeTransformer):
    """Puts the refinements in, leaves out what mypy does not read."""

    def __init__(self) -> None:
        self.place: list[str] = []
        self.met: set[str] = set()

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.place.append(node.name)
        node.body = _attributes(node.body)
        self.generic_visit(node)
        self.place.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        name = ".".join([*self.place, node.name])
        for argument in node.args.args:
            if argument.annotation is not None:
                argument.annotation = self._refined(f"{name}.{argument.arg}", argument.annotation)
        if node.returns is not None:
            node.returns = self._refined(f"{name}.return", node.returns)
        return node

    def _refined(self, place: str, given: ast.expr) -> ast.expr:
        given = _without_annotated(given)
        last = place.rpartition(".")[2]
        text = INSIDE.get(place)
        key = place
        if text is None and ast.unparse(given) in OPAQUE and last in ANYWHERE:
            text, key = ANYWHERE[last], last
        if text is None:
            if ast.unparse(given) in OPAQUE - {"object"}:
                raise SystemExit(f"{place} is a plain {ast.unparse(given)}: say what is in it")
            return given
        if ast.unparse(given) not in OPAQUE:
            raise SystemExit(f"{place} is {ast.unparse(given)} by itself: it needs no refinement")
        self.met.add(key)
        return ast.parse(text, mode="eval").body


def _without_annotated(given: ast.expr) -> ast.expr:
    """An array's shape and order are checked at the call; mypy reads the type of its entries."""

    class Plain(ast.NodeTransformer):
        def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
            self.generic_visit(node)
            if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
                return node.slice.elts[0]
            return node

    plain = Plain().visit(given)
    assert isinstance(plain, ast.expr)
    return plain


def _attributes(body: list[ast.stmt]) -> list[ast.stmt]:
    """A property with a setter is an attribute."""
    settable = {
        each.name
        for each in body
        if isinstance(each, ast.FunctionDef)
        and any(ast.unparse(way).endswith(".setter") for way in each.decorator_list)
    }
    kept: list[ast.stmt] = []
    for each in body:
        if not isinstance(each, ast.FunctionDef) or each.name not in settable:
            kept.append(each)
        elif any(ast.unparse(way) == "property" for way in each.decorator_list):
            assert each.returns is not None
            kept.append(ast.AnnAssign(ast.Name(each.name), each.returns, None, 1))
    return kept


def refined(generated: str) -> str:
    """The stub as the repository has it, before it is formatted."""
    tree = ast.parse(generated)
    tree.body = [
        each for each in tree.body if isinstance(each, ast.ClassDef | ast.FunctionDef)
    ]  # the imports are ours
    refine = Refine()
    refine.visit(tree)
    idle = sorted((set(INSIDE) | set(ANYWHERE)) - refine.met)
    if idle:
        raise SystemExit(f"tools/core_types.py refines what the module does not have: {idle}")
    text = ast.unparse(ast.fix_missing_locations(tree)).replace("numpy.", "np.")
    return f"{HEADER}\n{ALIASES}\n{text}\n"


def made() -> str:
    """The stub, formatted."""
    from nanobind.stubgen import StubGen

    generator = StubGen(import_module("hardwood._core"))
    generator.put(generator.module)
    text = refined(generator.get())
    for way in (["check", "--fix", "--quiet", "--select=F401,I"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *way, "--stdin-filename", str(STUB), "-"]
        text = subprocess.run(
            ruff, input=text, capture_output=True, text=True, check=True, cwd=STUB.parents[2]
        ).stdout
    return text


def main() -> None:
    """Write the stub, or with --check say whether it is the one that would be written."""
    text = made()
    if sys.argv[1:] != ["--check"]:
        STUB.write_text(text, encoding="utf-8")
    elif STUB.read_text(encoding="utf-8") != text:
        raise SystemExit("src/hardwood/_core.pyi is not what the module says; run: make stubs")


if __name__ == "__main__":
    main()
