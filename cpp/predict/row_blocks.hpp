// All rows of a table, a block at a time, on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include "base/pool.hpp"
#include "predict/column_blocks.hpp"

namespace hardwood {

// Threads that find a block of rows to work on: one row starts none beside the caller's.
inline int useful_threads(std::size_t rows, int threads) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  return blocks < static_cast<std::size_t>(std::max(threads, 1)) ? static_cast<int>(blocks) : threads;
}

// Calls body(block, first row, count) for all blocks of rows, each thread with a block of its own.
inline void for_each_block(const UsedColumns& used, std::span<const ColumnInput> inputs, std::size_t rows,
                           Pool& pool,
                           const std::function<void(ColumnBlock&, std::size_t, std::size_t)>& body) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  const std::size_t tasks = std::min<std::size_t>(8 * pool.size(), blocks);
  pool.parallel_for(tasks, [&](std::size_t task) {
    ColumnBlock block(used, inputs, std::min(rows, block_rows));
    const std::size_t end = rows * (task + 1) / tasks;
    for (std::size_t from = rows * task / tasks; from < end; from += block_rows) {
      const std::size_t count = std::min(block_rows, end - from);
      block.load(from, count);
      body(block, from, count);
    }
  });
}

}  // namespace hardwood
