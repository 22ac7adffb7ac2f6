#include "solve/presolve/propagate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/factors.hpp"
#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

namespace {

// Relative to a capacity: fixings taken back leave rounding behind in what is left of it. So near it, costs are summed anew.
constexpr double kSlack = 1e-9;
// Relative to a capacity: sums in another order differ by less.
constexpr double kOrder = 1e-14;

// Groups `position -> key` into begin/list form.
void group_by(const std::vector<std::int32_t>& key, std::int32_t keys, std::vector<std::int32_t>& begin,
              std::vector<std::int32_t>& list) {
  constexpr std::int64_t kBlock = 1 << 12;
  begin.assign(keys + 1, 0);
  for (auto k : key) ++begin[k + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  list.resize(key.size());
  auto next = begin;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (i % kBlock == 0) poll(4 * kBlock);
    list[next[key[i]]++] = static_cast<std::int32_t>(i);
  }
}

}  // namespace

Propagator::Propagator(const Graph& graph) : variables_(graph.variables()), value_(graph.variables(), -1) {
  graph::Rows implied;
  implied.rows.reserve(graph.kind.size());
  implied.literals.reserve(graph.literals.size());
  std::vector<std::int32_t> states;
  for (std::size_t c = 0; c < graph.categorical_first.size(); ++c) {
    states.resize(graph.categorical_size[c]);
    for (std::size_t k = 0; k < states.size(); ++k)
      states[k] = 2 * (graph.categorical_first[c] + static_cast<std::int32_t>(k));
    implied.add(states, 1, 1);
  }
  for (std::int32_t f = 0; f < graph.factors(); ++f) {
    const auto view = graph.factor(f);
    poll(16 + view.degree());
    visit(view.kind, [&](auto factor) { factor.imply(view, implied); });
  }
  rows_.reserve(implied.rows.size());
  for (const auto& [begin, end, low, high, cost, capacity] : implied.rows)
    rows_.push_back({begin, end, low, high, 0, end - begin, cost, capacity, capacity});
  literals_ = std::move(implied.literals);
  tables_ = std::move(implied.tables);
  index_literals();
  for (std::int32_t v = 0; v < variables_; ++v)
    if (graph.evidence[v] >= 0) {
      value_[v] = graph.evidence[v];
      trail_.push_back(v);
    }
}

void Propagator::index_literals() {
  group_by(literals_, 2 * variables_, row_begin_, row_position_);
  position_row_.resize(literals_.size());
  for (std::size_t r = 0; r < rows_.size(); ++r)
    std::fill(position_row_.begin() + rows_[r].begin, position_row_.begin() + rows_[r].end,
              static_cast<std::int32_t>(r));
  std::vector<std::int32_t> variable, table;
  for (std::size_t t = 0; t < tables_.size(); ++t)
    for (auto literal : tables_[t].literals) {
      variable.push_back(literal >> 1);
      table.push_back(static_cast<std::int32_t>(t));
    }
  group_by(variable, variables_, table_begin_, table_of_);
  for (auto& t : table_of_) t = table[t];
}

bool Propagator::push(std::int32_t literal) {
  if (is(literal, true)) return true;
  if (is(literal, false)) return false;
  value_[literal >> 1] = static_cast<std::int8_t>((literal & 1) ^ 1);
  trail_.push_back(literal >> 1);
  return true;
}

bool Propagator::start() {
  seen_.assign(2 * variables_, -1);
  for (const auto& row : rows_) {
    poll(2 * (row.end - row.begin) + 8);
    if (!settle(row) || !settle_repeated_literals(row)) return false;
  }
  for (const auto& table : tables_)
    if (!filter(table)) return false;
  return run();
}

bool Propagator::fix(std::int32_t variable, bool value) {
  return push(2 * variable + (value ? 0 : 1)) && run();
}

// Enters a fixed variable into the counts of its rows (direction 1), or takes it out again (-1).
void Propagator::count(std::int32_t variable, int direction) {
  for (int negated = 0; negated < 2; ++negated) {
    const bool on = value_[variable] == (negated ^ 1);
    const auto literal = 2 * variable + negated;
    for (auto i = row_begin_[literal]; i < row_begin_[literal + 1]; ++i) {
      const auto position = row_position_[i];
      auto& row = rows_[position_row_[position]];
      row.open -= direction;
      if (!on) continue;
      row.on += direction;
      if (row.cost) row.left -= direction * row.cost[position - row.begin];
    }
  }
}

// Counts each newly fixed variable, then draws the conclusions of its rows.
bool Propagator::run() {
  while (done_ < trail_.size()) {
    poll(32);
    const auto variable = trail_[done_++];
    count(variable, 1);
    // Only when every count is right may conclusions (and failures) follow: undo() relies on it.
    for (auto literal = 2 * variable; literal <= 2 * variable + 1; ++literal)
      for (auto i = row_begin_[literal]; i < row_begin_[literal + 1]; ++i)
        if (!settle(rows_[position_row_[row_position_[i]]])) return false;
    for (auto i = table_begin_[variable]; i < table_begin_[variable + 1]; ++i)
      if (!filter(tables_[table_of_[i]])) return false;
  }
  return true;
}

// The sum of the costs that are on, in the order of the factor, which adds them up likewise.
double Propagator::spent_in(const Row& row) const {
  double spent = 0.0;
  for (auto p = row.begin; p < row.end; ++p)
    if (is(literals_[p], true)) spent += row.cost[p - row.begin];
  return spent;
}

bool Propagator::settle(const Row& row) {
  if (row.on > row.high || row.on + row.open < row.low) return false;
  if (row.cost) {
    const double slack = kSlack * row.capacity;
    if (row.left < -slack) return false;
    double most = row.left + slack;
    if (row.left < slack) {
      const double spent = spent_in(row), room = graph::room_of(row.capacity);
      if (spent > room) return false;
      most = std::min(most, room - spent + kOrder * row.capacity);
    }
    for (auto p = row.begin; p < row.end; ++p)
      if (row.cost[p - row.begin] > most && value_[literals_[p] >> 1] < 0) push(literals_[p] ^ 1);
    return true;
  }
  if (row.open == 0) return true;
  const bool full = row.on == row.high;                 // the rest is off
  const bool needed = row.on + row.open == row.low;     // the rest is on
  if (!full && !needed) return true;
  // The counts lag behind the trail, so a literal may be fixed already: push() then agrees or refuses.
  for (auto p = row.begin; p < row.end; ++p)
    if (value_[literals_[p] >> 1] < 0) push(literals_[p] ^ (full ? 1 : 0));
  return true;
}

// Where one literal at most may be on, one that stands there twice is off, and beside x and its negation all
// others are.
bool Propagator::settle_repeated_literals(const Row& row) {
  if (row.high != 1) return true;
  const auto number = static_cast<std::int32_t>(&row - rows_.data());
  bool complementary = false;
  for (auto p = row.begin; p < row.end; ++p) {
    const auto literal = literals_[p];
    if (seen_[literal] == number && !push(literal ^ 1)) return false;
    complementary = complementary || seen_[literal ^ 1] == number;
    seen_[literal] = number;
  }
  for (auto p = row.begin; complementary && p < row.end; ++p)
    if (seen_[literals_[p] ^ 1] != number && !push(literals_[p] ^ 1)) return false;
  return true;
}

// Takes away the states of a table that no allowed cell supports.
bool Propagator::filter(const FactorView& table) {
  const auto variables = table.shape.size();
  poll(static_cast<std::int64_t>(table.data.size() * variables));
  std::vector<std::uint8_t> supported(table.literals.size(), 0);
  std::vector<std::int32_t> state(variables, 0), first(variables, 0);
  for (std::size_t k = 1; k < variables; ++k) first[k] = first[k - 1] + table.shape[k - 1];
  for (double score : table.data) {
    bool possible = score != -kInfinity;
    for (std::size_t k = 0; k < variables && possible; ++k)
      possible = !is(table.literals[first[k] + state[k]], false);
    if (possible)
      for (std::size_t k = 0; k < variables; ++k) supported[first[k] + state[k]] = 1;
    for (auto k = variables; k-- > 0 && ++state[k] == table.shape[k];) state[k] = 0;
  }
  for (std::size_t s = 0; s < supported.size(); ++s)
    if (!supported[s] && !push(table.literals[s] ^ 1)) return false;
  return true;
}

void Propagator::undo(std::size_t length) {
  while (trail_.size() > length) {
    const auto variable = trail_.back();
    if (trail_.size() <= done_) {
      --done_;
      count(variable, -1);
    }
    value_[variable] = -1;
    trail_.pop_back();
  }
}

void Propagator::rivals(std::int32_t literal, std::span<const std::int8_t> values,
                        std::vector<std::int32_t>& out) const {
  for (auto i = row_begin_[literal]; i < row_begin_[literal + 1]; ++i) {
    const auto& row = rows_[position_row_[row_position_[i]]];
    if (row.high != 1) continue;
    for (auto p = row.begin; p < row.end; ++p) {
      const auto other = literals_[p];
      if (other == literal || values[other >> 1] == (other & 1)) continue;
      if (std::ranges::find(out, other >> 1) == out.end()) out.push_back(other >> 1);
    }
  }
}

}  // namespace treaty::solve
