"""A graph of ONNX operators under construction: the only file that calls the onnx library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardwood.export.onnx_trees import TreeArrays

ML = "ai.onnx.ml"
OPSET, ML_OPSET, IR_VERSION = 18, 5, 9
_SUM, _NONE, _LEQ = 1, 0, 0  # aggregate_function, post_transform, nodes_modes


class Graph:
    """Operators in order; every value has a name of our own, which no column can have."""

    def __init__(self) -> None:
        import onnx

        self._onnx: Any = onnx
        self.INT64, self.DOUBLE = onnx.TensorProto.INT64, onnx.TensorProto.DOUBLE
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def _kind(self, kind: Any) -> int:
        if kind is str:
            return int(self._onnx.TensorProto.STRING)
        return int(self._onnx.helper.np_dtype_to_tensor_dtype(np.dtype(kind)))

    def input(self, name: str, kind: Any, width: int) -> None:
        shape = ["rows", width]
        info = self._onnx.helper.make_tensor_value_info(name, self._kind(kind), shape)
        self._inputs.append(info)

    def output(self, name: str, value: str, kind: Any, width: int | None) -> None:
        self._nodes.append(self._onnx.helper.make_node("Identity", [value], [name]))
        shape = ["rows"] if width is None else ["rows", width]
        info = self._onnx.helper.make_tensor_value_info(name, self._kind(kind), shape)
        self._outputs.append(info)

    def constant(self, array: NDArray[Any]) -> str:
        name = f"hardwood:constant:{len(self._constants)}"
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))
        return name

    def op(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        name = f"hardwood:{operator}:{len(self._nodes)}"
        node = self._onnx.helper.make_node(
            operator, list(inputs), [name], domain=domain, **attributes
        )
        self._nodes.append(node)
        return name

    def flat(self, value: str) -> str:
        return self.op("Reshape", value, self.constant(np.array([-1], dtype=np.int64)))

    def codes(self, column: str, keys: Sequence[str] | NDArray[np.float64]) -> str:
        """[rows]: 0 for keys[0] (missing), 1 for what is no key, k + 1 for keys[k]."""
        places = np.array([0, *range(2, len(keys) + 1)], dtype=np.int64)
        attributes: dict[str, Any] = {
            "values_tensor": self._onnx.numpy_helper.from_array(places, "values"),
            "default_tensor": self._tensor("default", np.array([1], dtype=np.int64)),
        }
        if isinstance(keys, np.ndarray):
            attributes["keys_tensor"] = self._tensor("keys", keys)
        else:
            utf8 = [key.encode("utf-8") for key in keys]
            string = self._onnx.TensorProto.STRING
            attributes["keys_tensor"] = self._onnx.helper.make_tensor(
                "keys", string, [len(utf8)], utf8
            )
        return self.flat(self.op("LabelEncoder", column, domain=ML, **attributes))

    def tree_ensemble(self, features: str, arrays: TreeArrays) -> str:
        """[rows, trees]"""
        modes = np.full(len(arrays.split), _LEQ, dtype=np.uint8)
        return self.op(
            "TreeEnsemble",
            features,
            domain=ML,
            n_targets=len(arrays.roots),
            aggregate_function=_SUM,
            post_transform=_NONE,
            tree_roots=arrays.roots,
            nodes_featureids=arrays.feature,
            nodes_splits=self._tensor("splits", np.array(arrays.split)),
            nodes_modes=self._tensor("modes", modes),
            nodes_truenodeids=arrays.true_id,
            nodes_falsenodeids=arrays.false_id,
            nodes_trueleafs=arrays.true_leaf,
            nodes_falseleafs=arrays.false_leaf,
            nodes_missing_value_tracks_true=arrays.missing_true,
            leaf_targetids=arrays.leaf_target,
            leaf_weights=self._tensor("leaves", np.array(arrays.leaf_value)),
        )

    def _tensor(self, name: str, array: NDArray[Any]) -> Any:
        return self._onnx.numpy_helper.from_array(array, name)

    def class_kind(self, classes: Sequence[object]) -> Any:
        return str if isinstance(classes[0], str) else self.class_array(classes).dtype

    def class_array(self, classes: Sequence[object]) -> NDArray[Any]:
        if isinstance(classes[0], str):
            return np.array([str(label) for label in classes], dtype=object)
        kinds = {type(label) for label in classes}
        if kinds == {bool}:
            return np.array(classes, dtype=np.bool_)
        if kinds == {int} and all(-(2**63) <= int(str(label)) < 2**63 for label in classes):
            return np.array(classes, dtype=np.int64)
        if kinds == {float}:
            return np.array(classes, dtype=np.float64)
        raise ValueError(
            f"The classes {list(classes)[:5]!r} do not fit one ONNX type; allowed are strings, "
            "booleans, floats and integers of 64 bits. Use such labels."
        )

    def model(self) -> Any:
        helper = self._onnx.helper
        graph = helper.make_graph(
            self._nodes, "hardwood", self._inputs, self._outputs, self._constants
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(ML, ML_OPSET)]
        model = helper.make_model(
            graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="hardwood"
        )
        self._onnx.checker.check_model(model)
        return model
