// Histograms of a part's nodes from their examples, one by one: where these are few, or pieces of rows.
//
// Cells as part_table.hpp has them, channels being the classes and then examples when counted. `scratch` has
// one entry per cell, all 0 before and after.
#pragma once

#include <cstdint>
#include <vector>

#include "distributed/histogram_batch.hpp"
#include "distributed/node_items.hpp"
#include "distributed/part_table.hpp"

namespace hardwood {

// Whether most cells of a histogram stay empty.
bool few_items(std::size_t items, std::size_t columns, std::size_t cells);

// Keeps a list of the cells that were touched.
void add_few(const PartTable& table, const TablePlan& plan, const NodeItems& items, int classes,
             std::vector<std::int64_t>& scratch, HistogramBatch& out);
void add_many(const PartTable& table, const TablePlan& plan, const NodeItems& items, int classes,
              std::vector<std::int64_t>& scratch, HistogramBatch& out);

}  // namespace hardwood
