#include "graph/table.hpp"

#include <vector>

namespace treaty::graph {
namespace {

// cells = {00, 01, 10, 11}. If all are finite: an affine function plus a Reward. A forbidden cell is a clause, and what
// remains is affine; propagation has already fixed forbidden rows and columns.
void leave_binary_pair(std::int32_t x, std::int32_t y, const std::vector<double>& cells, Remains& remains) {
  std::vector<double> c = cells;
  const auto forbidden = std::ranges::count(cells, -kInfinity);
  for (int i = 0; i < 4; ++i)
    if (cells[i] == -kInfinity) remains.add_at_least_one({x ^ (i >> 1), y ^ (i & 1)});
  // Choose values for forbidden cells so that no interaction is left: c11 - c10 - c01 + c00 = 0.
  for (int i = 0; i < 4; ++i)
    if (c[i] == -kInfinity) {
      const double other = c[i ^ 1], beside = c[i ^ 2], across = c[i ^ 3];
      const bool known = other != -kInfinity && beside != -kInfinity && across != -kInfinity;
      c[i] = known ? other + beside - across : (other != -kInfinity ? other : beside);
    }
  remains.constant += c[0];
  remains.add_score(x, c[2] - c[0]);
  remains.add_score(y, c[1] - c[0]);
  if (forbidden == 0) remains.add_reward({x, y}, c[3] - c[2] - c[1] + c[0]);
}

}  // namespace

// Drops the states that are off; a variable with one state left drops out of the table.
void Table::leave(const FactorView& factor, Remains& remains) {
  const auto variables = factor.shape.size();
  std::vector<Remains::Literals> open(variables);             // states still possible, as positions in the variable
  std::size_t first = 0;
  std::vector<std::int32_t> offset(variables);
  for (std::size_t k = 0; k < variables; ++k) {
    offset[k] = static_cast<std::int32_t>(first);
    for (std::int32_t s = 0; s < factor.shape[k]; ++s) {
      const auto literal = factor.literals[first + s];
      if (!remains.facts.is_fixed(literal) || remains.facts.is_on(literal)) open[k].push_back(s);
    }
    if (open[k].empty()) {
      remains.infeasible = true;
      return;
    }
    first += factor.shape[k];
  }
  std::vector<double> cells;
  std::vector<std::size_t> pick(variables, 0);
  for (bool more = true; more;) {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < variables; ++k) cell = cell * factor.shape[k] + open[k][pick[k]];
    cells.push_back(factor.data[cell]);
    auto k = variables;
    while (k > 0 && ++pick[k - 1] == open[k - 1].size()) pick[--k] = 0;
    more = k > 0;
  }
  Remains::Literals literals, shape;
  for (std::size_t k = 0; k < variables; ++k) {
    if (open[k].size() == 1) continue;
    for (auto s : open[k]) literals.push_back(remains.map(factor.literals[offset[k] + s]));
    shape.push_back(static_cast<std::int32_t>(open[k].size()));
  }
  if (std::ranges::all_of(cells, [](double c) { return c == -kInfinity; })) {
    remains.infeasible = true;
  } else if (shape.empty()) {
    remains.constant += cells[0];
  } else if (shape.size() == 1 && std::ranges::find(cells, -kInfinity) == cells.end()) {
    for (std::size_t s = 0; s < cells.size(); ++s) remains.add_score(literals[s], cells[s]);
    remains.add_exactly(1, literals);
  } else if (shape.size() == 2 && literals.size() == 4 && literals[0] == (literals[1] ^ 1) &&
             literals[2] == (literals[3] ^ 1) && (literals[0] >> 1) != (literals[2] >> 1)) {
    leave_binary_pair(literals[1], literals[3], cells, remains);
  } else {
    remains.add(factor.kind, literals, cells, shape);
  }
}

}  // namespace treaty::graph
