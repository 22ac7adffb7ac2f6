// What follows from fixing variables: unit propagation over the factors of a graph, with undo.
//
// Every factor is read as rows "at least l, at most h of these literals" (a knapsack weighs them); a table that
// forbids cells is filtered by support. Propagation is sound, not complete: it never excludes an allowed
// assignment, and solvers use it to reduce a problem, to round and to branch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace treaty::solve {

using graph::FactorView, graph::Graph, graph::kInfinity;

class Propagator {
 public:
  explicit Propagator(const Graph& graph);

  // Fixes a variable and all that follows. False on a contradiction; call undo() then.
  bool fix(std::int32_t variable, bool value);
  // Fixes the graph's evidence and what holds anyway (an OR of one literal); to be called once, first.
  bool start();
  // Takes back every fixing made since the trail had this length.
  void undo(std::size_t trail_length);

  // Appends the variables that must change when `literal` comes on under full `values`, as rows allow one only.
  void rivals(std::int32_t literal, std::span<const std::int8_t> values, std::vector<std::int32_t>& out) const;

  std::int8_t value(std::int32_t variable) const { return value_[variable]; }  // -1 when free
  const std::vector<std::int8_t>& values() const { return value_; }
  std::span<const std::int32_t> trail() const { return trail_; }

 private:
  struct Row {
    std::int32_t begin, end;
    std::int32_t low, high;
    std::int32_t on, open;
    const double* cost;  // knapsack only
    double left;         // its capacity not yet used
    double capacity;
  };

  void index_literals();
  bool push(std::int32_t literal);  // makes a literal true; false when it is false already
  bool is(std::int32_t literal, bool on) const { return value_[literal >> 1] == ((literal & 1) ^ (on ? 1 : 0)); }
  void count(std::int32_t variable, int direction);
  bool run();
  bool settle(const Row& row);
  double spent_in(const Row& row) const;
  bool settle_repeated_literals(const Row& row);
  bool filter(const FactorView& table);

  std::int32_t variables_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> literals_;                  // of all rows
  std::vector<std::int32_t> row_begin_, row_position_;  // literal -> positions in literals_
  std::vector<std::int32_t> position_row_;
  std::vector<std::int32_t> seen_;                      // literal -> row that was looked at last for it
  std::vector<FactorView> tables_;                      // those that forbid something
  std::vector<std::int32_t> table_begin_, table_of_;    // variable -> tables
  std::vector<std::int8_t> value_;
  std::vector<std::int32_t> trail_;  // variables, in order of fixing
  std::size_t done_ = 0;             // how much of the trail has been propagated
};

}  // namespace treaty::solve
