// What factors imply about how many of their literals are on, for propagation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::graph {

struct Rows {
  struct Row {  // at least `low` and at most `high` literals are on; with costs, they fit the capacity
    std::int32_t begin, end;
    std::int32_t low, high;
    const double* cost;
    double capacity;
  };

  void add(std::span<const std::int32_t> some, std::int32_t low, std::int32_t high, const double* cost = nullptr,
           double capacity = 0.0) {
    const auto begin = static_cast<std::int32_t>(literals.size());
    literals.insert(literals.end(), some.begin(), some.end());
    rows.push_back({begin, static_cast<std::int32_t>(literals.size()), low, high, cost, capacity});
  }
  void at_least_one(std::span<const std::int32_t> some) { add(some, 1, static_cast<std::int32_t>(some.size())); }
  void either(std::int32_t a, std::int32_t b) {
    const std::int32_t pair[] = {a, b};
    at_least_one(pair);
  }

  std::vector<Row> rows;
  std::vector<std::int32_t> literals;  // of all rows
  std::vector<FactorView> tables;      // those that forbid cells: filtered by support
};

}  // namespace treaty::graph
