"""A file that is damaged, foreign, newer or hostile gets one sentence, and no model."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pickle
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest

import hardwood
from hardwood import ModelFileError
from hardwood.model_file import dumps, loads
from hardwood.model_file.container import FORMAT_VERSION, MAGIC, PREFIX, from_bytes, to_bytes
from tests.model_file.models import MODELS
from tests.model_file.mutations import arrays_of, repaired, with_arrays
from tests.tables.systems import not_on_windows

CONTENT = {name: dumps(make()) for name, make in MODELS.items()}
TREE, BOOSTED = CONTENT["binary"], CONTENT["samme"]


def refused(content: bytes, sentence: str) -> None:
    with pytest.raises(ModelFileError, match=sentence) as caught:
        loads(content)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    assert len(text) < 300


# Files.


def test_the_error_is_a_value_error_and_names_the_file(tmp_path):
    path = tmp_path / "damaged.hardwood"
    path.write_bytes(TREE[:-1] + bytes([TREE[-1] ^ 1]))
    with pytest.raises(
        ValueError, match="damaged.hardwood cannot be loaded: its checksum"
    ) as caught:
        hardwood.load(path)
    assert type(caught.value) is ModelFileError


@not_on_windows
def test_a_missing_file_and_a_directory_are_the_usual_errors_and_a_device_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        hardwood.load(tmp_path / "none.hardwood")
    with pytest.raises(IsADirectoryError):
        hardwood.load(tmp_path)
    with pytest.raises(ModelFileError, match="no ordinary file"):
        hardwood.load("/dev/zero")


def test_an_empty_file_says_so(tmp_path):
    path = tmp_path / "empty.hardwood"
    path.touch()
    with pytest.raises(ModelFileError, match="it is empty"):
        hardwood.load(path)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("model.hardwood", TREE)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"age,income\n1,2\n", "does not begin with the word HARDWOOD"), (b"H", "in the middle"),
     (pickle.dumps({}), "no model file"), (gzip.compress(TREE), "unpack it first"),
     (zipped(), "unpack it first"), (MAGIC, "ends after 8 bytes"), (TREE[:100], "bytes where it"),
     (TREE + b"\n", "bytes where it says"), (b"", "it is empty")],
)  # fmt: skip
def test_what_is_no_model_file_is_told_from_a_broken_one(content, sentence):
    refused(content, sentence)


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, 999, 2**32 - 1])
def test_a_newer_format_says_so_whatever_follows(version):
    newer = TREE[:8] + version.to_bytes(4, "little")
    for rest in (TREE[12:], b"", b"anything"):
        refused(newer + rest, f"format version {version}, which is newer")


def test_every_single_flipped_bit_is_noticed():
    content = CONTENT["pruned"]
    for at in range(len(content)):
        with pytest.raises(ModelFileError):
            loads(content[:at] + bytes([content[at] ^ (1 << at % 8)]) + content[at + 1 :])


def test_every_shorter_file_is_noticed():
    for end in range(len(CONTENT["one_leaf"])):
        with pytest.raises(ModelFileError):
            loads(CONTENT["one_leaf"][:end])


# Bombs.


def stored(header: bytes, data: bytes, lengths: tuple[int, int]) -> bytes:
    prefix = PREFIX.pack(MAGIC, FORMAT_VERSION, 0, len(header), lengths[0], len(data), lengths[1])
    return repaired(prefix + header + data)


@pytest.mark.parametrize("length", [2**20, 2**33, 2**63, 2**64 - 1])
def test_a_claim_to_unpack_to_far_more_is_refused_unread(length):
    bomb = zlib.compress(bytes(1 << 20), 9)
    refused(stored(bomb, b"", (length, 0)), "claims to unpack")
    refused(stored(b"{}", bomb, (2, length)), "claims to unpack")


def test_a_stream_that_unpacks_to_more_than_it_claims_is_cut_off():
    bomb = zlib.compress(bytes(1 << 25), 9)
    content = stored(bomb, b"", (len(bomb) + 1000, 0))
    tracemalloc.start()
    try:
        refused(content, "does not unpack")
        assert tracemalloc.get_traced_memory()[1] < 8 * len(bomb)
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore:NumPy will stop allowing:DeprecationWarning")  # NumPy 1.26
@pytest.mark.parametrize(
    "value",
    [{"array": ["<U200000000", ["a", "b"]]}, {"array": ["|S2000000000", []]},
     {"array": ["<i9", [1, 2]]}, {"array": ["<M8[s]", [1, 2]]}, {"array": ["<i8", [1, 2.5]]},
     {"array": ["|i1", [1, 300]]}, {"array": ["<i8", [2, 1]]}, {"array": ["<i8", [1, 1]]},
     {"array": ["<f8", [1.0, {"float": "inf"}]]}, {"array": ["O", ["a", 1]]}, [1, 2], None,
     {"array": ["O", [[1], [2]]]}, {"array": ["<i8", []]}, {"tuple": [1, 2]}],
    ids=str,
)  # fmt: skip
def test_classes_that_are_no_classes_are_refused(value):
    header, data = from_bytes(TREE)
    refused(to_bytes({**header, "classes": value}, data), "class|array")


def test_a_sound_file_that_shrinks_a_lot_is_stored_so_that_it_can_be_loaded():
    X = np.zeros((40, 3000))
    X[:, 0] = np.arange(40) % 2
    model = hardwood.TreeClassifier().fit(X, X[:, 0])
    model._schemas = tuple(
        type(s)("x" * 2000 + str(j), s.kind) for j, s in enumerate(model._schemas)
    )
    content = dumps(model)
    assert loads(content).digest() == model.digest()
    text = json.dumps(from_bytes(content)[0])
    assert len(content) > len(text) / 70


# Headers.


@pytest.mark.parametrize(
    ("text", "why"),
    [(b"[" * 100_000, "deep"), (b'{"a":' * 5000 + b"1" + b"}" * 5000, "deep"), (b"", "empty"),
     (b'{"a":1,"a":1}', "twice"), (b'{"a": 1}', "blank"), (b'{"a":NaN}', "NaN"), (b"[]", "list"),
     (b'{"b":1,"a":1}', "order"), (b'{"a":1e999}', "infinite"), (b'{"a":01}', "zero"),
     (b'{"a":' + b"9" * 5000 + b"}", "digits"), (b'{"\xc3\xa9":1}', "UTF-8"), (b"\xff", "bytes"),
     (b'{"a":' + b"[" * 30 + b"]" * 30 + b"}", "30 levels")],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_json_in_any_other_form_is_refused(text, why):
    refused(stored(text, b"", (len(text), 0)), "not in the one allowed form")


def with_header(content: bytes, **changes: object) -> bytes:
    header, data = from_bytes(content)
    return to_bytes({**header, **changes}, data)


@pytest.mark.parametrize(
    ("content", "changes", "sentence"),
    [
        (TREE, {"model": "SVC"}, "unknown kind 'SVC'"), (TREE, {"model": None}, "unknown kind"),
        (TREE, {"extra": 1}, "other keys"), (TREE, {"model": "BoostedTreesClassifier"}, "keys"),
        (TREE, {"target": 3}, "target"), (TREE, {"hardwood": 1}, "version"),
        (TREE, {"parameters": {"alpha": 1}}, "unknown parameter 'alpha'"),
        (TREE, {"parameters": {"n_jobs": 0}}, "other than 0"),
        (TREE, {"parameters": []}, "parameters"), (TREE, {"certificate": {}}, "certificate"),
        (TREE, {"history": []}, "history"), (TREE, {"arrays": [["tree.nodes", "<i4", -1]]}, "list"),
        (TREE, {"arrays": []}, "longer than its arrays"), (TREE, {"columns": None}, "columns"),
        (BOOSTED, {"kept": 2}, "stopped early"), (BOOSTED, {"boosters": [[3, 3]] * 2}, "entries"),
        (BOOSTED, {"boosters": [[2**40, 2**40]]}, "weight for each tree"),
        (BOOSTED, {"boosters": []}, "boosters"), (BOOSTED, {"plan": {}}, "plan"),
    ],
)  # fmt: skip
def test_a_header_that_does_not_fit_is_refused(content, changes, sentence):
    refused(with_header(content, **changes), sentence)


def test_few_trees_cannot_stand_for_very_many(monkeypatch):
    monkeypatch.setattr("hardwood.estimators.round_checks.MOST_TREES", 14)
    loads(CONTENT["samme"])
    refused(CONTENT["ovr"], "more than 14 trees")  # 3 classes, 6 rounds


def test_column_names_must_differ():
    header, data = from_bytes(CONTENT["categories"])
    header["columns"]["names"] = ["size", "size"]
    refused(to_bytes(header, data), "all different")


@pytest.mark.parametrize("categories", [["a"] * 5, [1, "a"], [1, True], [None], "abc", [["a"]]])
def test_categories_must_differ_and_be_of_one_kind(categories):
    header, data = from_bytes(CONTENT["categories"])
    header["columns"]["categories"][0][1] = categories
    refused(to_bytes(header, data), "categor")


@pytest.mark.parametrize("booleans", [[0, 0], [99], [True], {"0": 1}, None, [0, 1], [1]])
def test_boolean_columns_must_be_numbers(booleans):
    header, data = from_bytes(CONTENT["categories"])
    header["columns"]["booleans"] = booleans
    refused(to_bytes(header, data), "boolean")


# Arrays: everything that prediction relies on.


def with_entry(content: bytes, name: str, at: int, value: float) -> bytes:
    header, arrays = arrays_of(content)
    wide = np.float64 if arrays[name].dtype.kind == "f" or isinstance(value, float) else np.int64
    arrays[name] = arrays[name].astype(wide)
    arrays[name][at] = value
    return with_arrays(header, arrays)


@pytest.mark.parametrize(
    ("model", "name", "at", "value", "sentence"),
    [
        ("binary", "tree.nodes", 0, 0, "no node"),
        ("binary", "tree.nodes", 0, 2**31 - 1, "entries where"),
        ("binary", "tree.branches", 0, 1, "one branch"),
        ("binary", "tree.branches", 0, -2, "one branch"),
        ("binary", "tree.branches", 0, 2**31 - 1, "without a parent"),
        ("binary", "tree.first_child", 0, 0, "before its parent"),
        ("binary", "tree.first_child", 1, 1, "before its parent|without a parent"),
        ("binary", "tree.first_child", 0, 2**31 - 2, "outside its tree"),
        ("binary", "tree.depth", 1, 2, "depth"),
        ("binary", "tree.feature", 0, -1, "not there"),
        ("binary", "tree.feature", 0, 4, "not there"),
        ("binary", "tree.kind", 0, 2, "kind"),
        ("binary", "tree.kind", 0, 0, "kind"),
        ("binary", "tree.missing_branch", 0, 2, "branch that is not there"),
        ("binary", "tree.default_branch", 0, -1, "branch that is not there"),
        ("binary", "tree.missing_seen", 0, 2, "missing_seen"),
        ("binary", "tree.cut_count", 0, 5, "cuts"),
        ("binary", "tree.cut_count", 0, -1, "cuts"),
        ("binary", "tree.group_count", 0, 1, "groups"),
        ("binary", "tree.thresholds", 0, float("nan"), "finite"),
        ("binary", "tree.thresholds", 0, float("inf"), "finite"),
        ("binary", "tree.rows", 0, -1, "rows"),
        ("binary", "tree.cost", 0, float("nan"), "cost"),
        ("binary", "tree.cost", 0, -0.5, "cost"),
        ("binary", "tree.class_weights", 0, float("inf"), "class_weights"),
        ("binary", "tree.class_weights", 0, -1.0, "class_weights"),
        ("binary", "history.node", 0, 3, "not that of its tree"),
        ("binary", "history.feature", 0, 9, "not that of its tree"),
        ("binary", "history.potential", 0, float("nan"), "NaN"),
        ("binary", "history.advantage", 0, 0.75, "above 0.5"),
        ("binary", "history.relative_gain", 0, 1.5, "above 1"),
        ("binary", "column_kinds", 0, 4, "unknown kind"),
        ("pruned", "tree.thresholds", 2, 1e9, "ascending"),
        ("categories", "tree.group_codes", 0, 77, "does not have|ascending"),
        ("categories", "tree.group_codes", 0, -1, "does not have"),
        ("categories", "tree.group_branches", 0, 2, "branch that is not there"),
        ("fractional", "tree.share", 1, 0.999, "add up"),
        ("fractional", "tree.share", 0, 0.5, "root"),
        ("fractional", "tree.share", 1, -0.1, "between 0 and 1"),
        ("binary", "tree.prior", 0, -1.0, "prior"),
        ("binary", "tree.prior", 0, 0.0, "prior"),
        ("binary", "tree.prior", 0, float("nan"), "prior"),
        ("binary", "tree.prior", 0, 1e305, "prior"),
        ("samme", "tree.value", 0, 4.0, "votes for a class"),
        ("samme", "tree.value", 0, 0.5, "votes for a class"),
        ("samme", "tree.value", 0, -1.0, "votes for a class"),
        ("real", "tree.value", 0, float("nan"), "finite"),
        ("real", "tree.value", 0, 1e306, "beyond"),
        ("real", "round.tree_weights", 0, float("inf"), "NaN or infinity"),
        ("real", "round.error", 0, float("nan"), "NaN or infinity"),
        ("real", "round.stopped", 0, 1, "went on"),
        ("real", "round.stopped", 0, 4, "unknown reason"),
        ("real", "round.assessments", 0, -5, "negative"),
    ],
)  # fmt: skip
def test_an_array_that_breaks_a_promise_is_refused(model, name, at, value, sentence):
    refused(with_entry(CONTENT[model], name, at, value), sentence)


def test_cuts_of_unsigned_columns_ascend_as_unsigned():
    header, arrays = arrays_of(CONTENT["multiway"])
    name = "tree.integer_thresholds"
    assert len(arrays[name]) > 1
    arrays[name] = arrays[name][::-1].copy()
    refused(with_arrays(header, arrays), "ascending")


def test_a_prior_belongs_to_a_single_tree_and_each_tree_has_one():
    for content, count, sentence in (
        (BOOSTED, None, "only a single tree has"),
        (TREE, 5, "need 1"),
    ):
        header, arrays = arrays_of(content)
        arrays["tree.prior"] = np.ones(count or len(arrays["tree.nodes"]))
        refused(with_arrays(header, arrays), sentence)


@pytest.mark.parametrize("name", ["tree.nodes", "tree.cost", "history.gain", "column_kinds"])
def test_no_array_may_be_absent_or_come_twice(name):
    header, arrays = arrays_of(TREE)
    twice = with_arrays(header, arrays)
    header_twice, data = from_bytes(twice)
    header_twice["arrays"].append([name, "|u1", 0])
    refused(to_bytes(header_twice, data), "does not belong")
    del arrays[name]
    refused(with_arrays(header, arrays), "no array")


def test_a_right_checksum_of_a_wrong_body_is_not_enough():
    for at in (9, 13, 17, 30, 45):
        body = bytearray(TREE[:-32])
        body[at] ^= 0x40
        with pytest.raises(ModelFileError):
            loads(bytes(body) + hashlib.sha256(bytes(body)).digest())


def test_what_no_check_foresaw_is_still_a_model_file_error(tmp_path, monkeypatch):
    path = tmp_path / "m.hardwood"
    path.write_bytes(TREE)

    def fails(content: bytes) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr("hardwood.model_file.loads", fails)
    with pytest.raises(ModelFileError, match="do not fit together"):
        hardwood.load(path)
    assert path.stat().st_size == len(TREE)
