"""No file of code is longer than 350 lines, no function longer than 60."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST_FILE, LONGEST_FUNCTION = 350, 60
CONTAINER = re.compile(r"\b(namespace|class|struct|enum|union|extern)\b[^()]*$")
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL
)

Function = tuple[str, int]
"""The line that it begins with, and its number of lines."""


def python_functions(source: str) -> Iterator[Function]:
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:  # expressions, most of a file, hold no functions
        node = waiting.pop()
        waiting += [each for each in ast.iter_child_nodes(node) if not isinstance(each, ast.expr)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


def cpp_functions(source: str) -> Iterator[Function]:
    """What has braces in a file, a namespace or a class, without lambdas and blocks inside."""
    code = NO_CODE.sub(lambda found: "\n" * found[0].count("\n"), source)
    kinds, begin, first = ["container"], 0, 0
    for found in re.finditer(r"[{};]", code):
        at = found.start()
        if found[0] == "{":
            head, kind = code[begin:at], "inner"
            if kinds[-1] == "container":
                kind = "function" if ")" in head else "inner"
                kind = "container" if CONTAINER.search(head) else kind
                first = at - len(head.lstrip())
            kinds.append(kind)
        elif found[0] == "}" and kinds.pop() == "function":
            name = code[first:at].split("{")[0].split("\n")[0].rstrip()
            yield name, code.count("\n", first, at) + 1
        if kinds[-1] == "container":
            begin = at + 1


FUNCTIONS = {".py": python_functions, ".cpp": cpp_functions, ".hpp": cpp_functions}


def files_of_code() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    named = [ROOT / name for name in listed if name] or list(ROOT.glob("*/**/*"))
    endings = (*FUNCTIONS, ".js")
    return [path for path in named if path.suffix in endings and path.is_file()]


def test_no_file_of_code_and_no_function_is_long():
    found = []
    for path in files_of_code():
        source = path.read_text(encoding="utf-8")
        name, lines = path.relative_to(ROOT).as_posix(), len(source.splitlines())
        if lines > LONGEST_FILE:
            found.append(f"{name}: {lines} lines")
        if lines <= LONGEST_FUNCTION:
            continue
        found += [
            f"{name}: {lines} lines in {function}"
            for function, lines in FUNCTIONS.get(path.suffix, lambda _: iter(()))(source)
            if lines > LONGEST_FUNCTION
        ]
    assert found == []


def test_the_lengths_of_functions_are_counted():
    python = (
        "class A:\n    @property\n    def one(self):\n        def two(): ...\n        return two\n"
    )
    assert list(python_functions(python)) == [("one", 3), ("two", 1)]
    cpp = """
namespace a {
struct B : C<int> {
    int x = 0;
    void one() { x = 1; }  // }
};
template <class T>
int two(int a,
        T b) {
    auto f = [&] { return "{"; };
    if (a) {
        return f();
    }
    return 0;
}
}  // namespace a
"""
    assert list(cpp_functions(cpp)) == [("void one()", 1), ("template <class T>", 9)]
