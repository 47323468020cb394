// Questions to parts and their answers, which travel as few bytes.
#include <nanobind/nanobind.h>

#include "bind/flat_array.hpp"
#include "bind/register.hpp"
#include "distributed/surviving_pieces.hpp"
#include "distributed/team.hpp"
#include "distributed/trial.hpp"

namespace hardwood {

namespace {

template <class Batch>
nb::class_<Batch> register_message(nb::module_& m, const char* name) {
  return nb::class_<Batch>(m, name)
      .def("__getstate__",
           [](const Batch& batch) {
             const std::string packed = batch.pack();
             return nb::bytes(packed.data(), packed.size());
           })
      .def("__setstate__", [](Batch& batch, const nb::bytes& packed) {
        new (&batch) Batch(Batch::unpack({packed.c_str(), packed.size()}));
      });
}

// Answers, which merge in place too.
template <class Batch>
nb::class_<Batch> register_batch(nb::module_& m, const char* name) {
  return register_message<Batch>(m, name).def(
      "merge",
      [](Batch& batch, const Batch& other) {
        nb::gil_scoped_release release;
        batch.merge(other);
      },
      nb::arg("other"));
}

}  // namespace

void register_messages(nb::module_& m) {
  register_batch<HistogramBatch>(m, "HistogramBatch")
      .def("__len__", &HistogramBatch::size)
      .def(
          "cells", [](const HistogramBatch& batch, std::size_t i) { return to_numpy(batch.cells(i)); },
          nb::arg("i"));
  register_batch<KeySumsBatch>(m, "KeySumsBatch")
      .def("__len__", [](const KeySumsBatch& batch) { return batch.sums.size(); })
      .def_prop_ro("keys", &KeySumsBatch::keys);
  register_batch<RowBatch>(m, "RowBatch").def("__len__", &RowBatch::rows);
  register_batch<Arrivals>(m, "Arrivals");
  register_message<SplitBatch>(m, "SplitBatch").def("__bool__", [](const SplitBatch& batch) {
    return !batch.splits.empty();
  });
  register_message<QuestionBatch>(m, "QuestionBatch");
  register_message<PieceOrder>(m, "PieceOrder").def("__bool__", [](const PieceOrder& order) {
    return !order.empty();
  });
}

}  // namespace hardwood
