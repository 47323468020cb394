"""A model as stand-alone C99 source.

In: a fitted model. Out: one file with a struct for a row and functions for the class number, the
probabilities and (boosted trees) the scores. Numbers are hexadecimal floats, so no digit is lost;
strings are UTF-8 bytes in octal escapes. Comparisons are those of float64 and of 64-bit integers,
so labels, shares and scores are the model's to the bit (compile with -ffp-contract=off, or
without -ffast-math); probabilities of boosted trees may differ in the last digits, where exp
does.
"""

from __future__ import annotations

from typing import Any

from hardwood.export.c_names import byte_order, c_comment, c_integer, c_string
from hardwood.export.c_prediction import prediction
from hardwood.export.decisions import Question, Style, Writer
from hardwood.export.forest import Forest, ScoredTree, category_numbers, forest_of
from hardwood.table.schema import ColumnSchema

_HEADER = """/* A model exported by hardwood, in C99; link with -lm.
   Fill a hardwood_row (the comments say which column a member is) and call hardwood_predict.
   Not allowed are infinite numbers: they compare as any other number, unchecked. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

"""


def c(model: Any) -> str:
    """The model as C99 source: `hardwood_predict(&row)` is the number of a class in
    `hardwood_classes`; missing numbers are NAN, missing categories NULL."""
    forest = forest_of(model, "C")
    parts = [_HEADER, _row_struct(forest), _class_names(forest)]
    groups = [j for j in forest.used_columns if forest.schemas[j].kind == "category"]
    places = {column: place for place, column in enumerate(groups)}
    parts += [_codes(forest.schemas[column], place) for column, place in places.items()]
    parts.append(_read_codes(places))
    for number, scored in enumerate(forest.trees):
        parts.append(_functions(forest, number, scored, places))
    return "".join([*parts, prediction(forest, max(len(groups), 1))])


def _row_struct(forest: Forest) -> str:
    lines = ["typedef struct {"]
    for j, schema in enumerate(forest.schemas):
        name = c_comment(schema.name)
        if schema.kind == "integer":
            lines.append(f"    int64_t c{j}; int c{j}_missing; /* {name} */")
        elif schema.kind == "unsigned":
            lines.append(f"    uint64_t c{j}; int c{j}_missing; /* {name} */")
        elif schema.kind == "category" and category_numbers(schema, "C") is None:
            lines.append(f"    const char *c{j}; /* {name}, NULL when missing */")
        else:
            lines.append(f"    double c{j}; /* {name}, NAN when missing */")
    return "\n".join([*lines, "} hardwood_row;\n\n"])


def _class_names(forest: Forest) -> str:
    names = [label if isinstance(label, str) else str(label) for label in forest.classes]
    listed = "".join(f"    {c_string(name)},\n" for name in names)
    count = len(names)
    return (
        f"#define HARDWOOD_CLASSES {count}\n"
        f"const char *const hardwood_classes[{count}] = {{\n{listed}}};\n\n"
    )


def _codes(schema: ColumnSchema, place: int) -> str:
    """A function from a value to its code: -1 missing, -2 not known; by binary search."""
    numbers = category_numbers(schema, "C")
    if numbers is not None:
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        values = [float(numbers[code]).hex() for code in order]
        kind, gone, sign = "double", "value != value", "value < values[middle]"
        same = "value == values[middle]"
    else:
        names = [str(value) for value in schema.categories]
        order = byte_order(names)
        values = [c_string(names[code]) for code in order]
        kind, gone, sign = "const char *", "value == NULL", "strcmp(value, values[middle]) < 0"
        same = "strcmp(value, values[middle]) == 0"
    count = len(order)
    listed = ",\n        ".join(values) or "0"
    return (
        f"static int code_{place}({kind} value) /* {c_comment(schema.name)} */\n{{\n"
        f"    static {kind} const values[] = {{\n"
        f"        {listed}}};\n"
        f"    static const int codes[] = {{{', '.join(map(str, order)) or '0'}}};\n"
        f"    int low = 0, high = {count};\n"
        f"    if ({gone}) return -1;\n"
        "    while (low < high) {\n"
        "        const int middle = low + (high - low) / 2;\n"
        f"        if ({same}) return codes[middle];\n"
        f"        if ({sign}) high = middle;\n"
        "        else low = middle + 1;\n"
        "    }\n    return -2;\n}\n\n"
    )


def _read_codes(places: dict[int, int]) -> str:
    lines = ["static void read_codes(const hardwood_row *x, int *code)", "{"]
    lines += [
        f"    code[{place}] = code_{place}(x->c{column});" for column, place in places.items()
    ]
    return "\n".join([*lines, "    (void)x;", "    (void)code;", "}\n\n"])


def _functions(forest: Forest, number: int, scored: ScoredTree, places: dict[int, int]) -> str:
    """One function, and more for what lies too deep."""
    tree = scored.tree
    whole = forest.link in ("shares", "votes")
    leaf_number = {int(node): place for place, node in enumerate(tree.leaf_ids)}

    def leaf(node: int) -> str:
        if forest.link == "shares":
            return f"return {leaf_number[node]};"
        if forest.link == "votes":
            return f"return {scored.place(node)};"
        return f"return {scored.addend(node).hex()};"

    def first(condition: str, node: int) -> str:
        name = c_comment(forest.schemas[tree.feature[node]].name)
        return f"if ({condition}) {{ /* {name} */"

    style = Style(
        leaf=leaf,
        call=lambda node: f"return tree_{number}_{node}(x, code);",
        ask=lambda question, node: _condition(forest, int(tree.feature[node]), question, places),
        first=first,
        later=lambda condition: f"}} else if ({condition}) {{",
        otherwise="} else {",
        end="}",
        indent="    ",
    )
    kind = "int" if whole else "double"
    heads, texts = [], []
    for start, lines in Writer(tree, forest.schemas, style).bodies():
        name = f"tree_{number}_{start}" if start else f"tree_{number}"
        head = f"static {kind} {name}(const hardwood_row *x, const int *code)"
        heads.append(f"{head};\n")
        unused = "    (void)x;\n    (void)code;\n"
        texts.append(f"{head}\n{{\n{unused}" + "\n".join(lines) + "\n}\n\n")
    return "".join([*heads, "\n", *texts])


def _condition(forest: Forest, column: int, question: Question, places: dict[int, int]) -> str:
    kind = forest.schemas[column].kind
    x = f"x->c{column}"
    parts = []
    if kind == "category":
        codes = [*question.codes, *([-1] if question.missing else [])]
        return " || ".join(f"code[{places[column]}] == {code}" for code in codes)
    if kind == "numeric":
        if question.cut is not None:
            parts.append(f"{x} <= {float(question.cut).hex()}")
        if question.missing:
            parts.append(f"{x} != {x}")
        return " || ".join(parts)
    if question.cut is None:
        return f"{x}_missing"
    compared = f"{x} <= {c_integer(int(question.cut), kind)}"
    return f"{x}_missing || {compared}" if question.missing else f"!{x}_missing && {compared}"
