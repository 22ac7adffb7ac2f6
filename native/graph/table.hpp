// A table of scores over categorical variables: one state of each is on.
//
// shape = cardinalities; literals = states in order; data = scores, last fastest, -inf where a configuration is
// forbidden.
#pragma once

#include <algorithm>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// The table is read as a matrix: a column per state of the last variable, a row per joint state of
// all others. Ties go to the lowest column, then to the lowest row.
class TableOracle final : public Oracle {
 public:
  TableOracle(std::span<const double> scores, std::span<const std::int32_t> cardinalities)
      : scores_(scores),
        cardinalities_(cardinalities),
        columns_(static_cast<std::size_t>(cardinalities.back())),
        rows_(scores.size() / columns_),
        row_sum_(cardinalities.size() == 2 ? 0 : rows_),
        column_max_(columns_) {}

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    const auto row_score = row_scores(slot_score);
    const auto column_score = slot_score.last(columns_);
    std::ranges::fill(column_max_, -kInfinity);
    for (std::size_t r = 0; r < rows_; ++r) raise_to(column_max_, &scores_[r * columns_], row_score[r]);

    double top = -kInfinity;
    std::size_t column = 0;
    for (std::size_t j = 0; j < columns_; ++j) {
      const double value = column_max_[j] + column_score[j];
      if (value > top) top = value, column = j;
    }
    if (top == -kInfinity) return set_infeasible(best);
    const std::size_t row = place_of(column_max_[column], rows_, [&](std::size_t r) {
      return row_score[r] + scores_[r * columns_ + column];
    });
    const std::size_t cell = row * columns_ + column;
    write_states(cell, best.on);
    best.score = scores_[cell];
  }

  double evaluate(std::span<const std::int32_t> on) override {
    if (on.size() != cardinalities_.size()) return -kInfinity;
    std::size_t cell = 0;
    std::int32_t first = 0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      const auto state = on[i] - first;
      if (state < 0 || state >= cardinalities_[i]) return -kInfinity;
      cell = cell * static_cast<std::size_t>(cardinalities_[i]) + static_cast<std::size_t>(state);
      first += cardinalities_[i];
    }
    return scores_[cell];
  }

 private:
  // The slots' scores of each row, summed. Two variables need no sum.
  std::span<const double> row_scores(std::span<const double> slot_score) {
    if (cardinalities_.size() == 2) return slot_score.first(rows_);
    std::size_t filled = 1, first = 0;
    row_sum_[0] = 0.0;
    for (std::size_t i = 0; i + 1 < cardinalities_.size(); ++i) {
      const auto card = static_cast<std::size_t>(cardinalities_[i]);
      for (std::size_t r = filled; r-- > 0;) {  // backwards, so that no sum is overwritten before it is used
        const double sum = row_sum_[r];
        for (std::size_t state = card; state-- > 0;)
          row_sum_[r * card + state] = sum + slot_score[first + state];
      }
      filled *= card;
      first += card;
    }
    return row_sum_;
  }

  void write_states(std::size_t cell, std::vector<std::int32_t>& on) const {
    on.resize(cardinalities_.size());
    for (std::size_t i = on.size(); i-- > 0;) {
      const auto card = static_cast<std::size_t>(cardinalities_[i]);
      on[i] = static_cast<std::int32_t>(cell % card);
      cell /= card;
    }
    std::int32_t first = 0;
    for (std::size_t i = 0; i < on.size(); first += cardinalities_[i++]) on[i] += first;
  }

  std::span<const double> scores_;
  std::span<const std::int32_t> cardinalities_;
  std::size_t columns_, rows_;
  std::vector<double> row_sum_, column_max_;
};

struct Table : OverStates {
  static constexpr const char* name = "table";
  static constexpr bool may_forbid = true;
  static constexpr bool keeps_fixed = false;
  static void check(const Arguments& arguments) {
    arguments.require_states();
    std::size_t cells = 1;
    for (auto cardinality : arguments.shape) {
      cells *= static_cast<std::size_t>(cardinality);
      if (cells > (std::size_t{1} << 31)) arguments.refuse("the table is too large");
    }
    arguments.require_length("scores", arguments.data.size(), cells);
    arguments.require_scores();
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<TableOracle>(factor.data, factor.shape);
  }
  static double least_score(const FactorView& factor) { return lowest(factor); }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    std::size_t cell = 0;
    std::int32_t first = 0;
    for (std::size_t i = 0; i < on.size(); first += factor.shape[i++])
      cell = cell * static_cast<std::size_t>(factor.shape[i]) + static_cast<std::size_t>(on[i] - first);
    see(cell);
  }
  static void imply(const FactorView& factor, Rows& rows) {
    if (std::ranges::find(factor.data, -kInfinity) != factor.data.end()) rows.tables.push_back(factor);
    OverStates::imply(factor, rows);
  }
  static void leave(const FactorView& factor, Remains& remains);  // graph/table.cpp
};

}  // namespace treaty::graph
