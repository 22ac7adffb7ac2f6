#include "solve/search/consistency.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/stop.hpp"

namespace treaty::solve {

namespace {

using Cost = Consistency::Cost;
constexpr int kBits = 50;  // of the sum of all costs
constexpr Cost kDead = Consistency::kNothing;

struct Extremes {
  double low = kInfinity, high = -kInfinity;
};

Extremes extremes_of(std::span<const double> scores) {
  Extremes found;
  for (double score : scores)
    if (score != -kInfinity) found = {std::min(found.low, score), std::max(found.high, score)};
  return found;
}

// A power of two that brings costs of this range to kBits bits; finite, also where they are denormal. No cost is then
// negative or above the top, on which it rests that propagation ends.
double scale_of(double range) {
  constexpr int kMost = 1000;
  if (!(range > 0.0)) return 1.0;
  const int exponent = range == kInfinity ? std::numeric_limits<double>::max_exponent : std::ilogb(range);
  return std::exp2(std::min(kMost, kBits - 1 - exponent));
}

}  // namespace

void NumberSet::insert(std::int32_t number) {
  auto& word = words_[static_cast<std::size_t>(number) / 64];
  const auto bit = std::uint64_t{1} << (number % 64);
  count_ += !(word & bit);
  word |= bit;
}

std::int32_t NumberSet::take(std::size_t word, int bit) {
  words_[word] &= ~(std::uint64_t{1} << bit);
  --count_;
  return static_cast<std::int32_t>(64 * word) + bit;
}

std::int32_t NumberSet::pop_least() {
  std::size_t word = 0;
  while (!words_[word]) ++word;
  return take(word, std::countr_zero(words_[word]));
}

std::int32_t NumberSet::pop_greatest() {
  std::size_t word = words_.size() - 1;
  while (!words_[word]) --word;
  return take(word, 63 - std::countl_zero(words_[word]));
}

void NumberSet::clear() {
  if (count_ == 0) return;
  std::ranges::fill(words_, 0);
  count_ = 0;
}

Consistency::Consistency(const PatternProblem& problem, std::span<const Potential> potentials)
    : problem_(problem),
      arc_begin_(problem.vertices() + 1, 0),
      large_of_(problem.vertices()),
      cost_(problem.states()),
      alive_(problem.states(), 1),
      choices_(problem.vertices()),
      vertex_of_(problem.vertex_of_states()),
      removed_(problem.vertices()),
      raised_(problem.vertices()),
      unsure_(problem.vertices()),
      dirty_(static_cast<std::int32_t>(potentials.size())) {
  double range = 0.0, rounded = 0.0, size = 0.0;
  auto measure = [&](std::span<const double> scores) {
    const auto [low, high] = extremes_of(scores);
    if (high == -kInfinity) return;
    range += high - low;
    offset_ += high;
    size += std::abs(high);
    rounded += 1.0;
  };
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    measure(std::span(problem.state_score).subspan(problem.first[v], problem.labels(v)));
  for (const auto& potential : potentials) measure(potential.cells);
  scale_ = scale_of(range);
  error_ = (range > 0.0 ? rounded / scale_ : 0.0) + std::numeric_limits<double>::epsilon() * rounded * size;
  top_ = (Cost{1} << kBits) + static_cast<Cost>(rounded) + 1;  // what is forbidden costs that much
  least_removed_ = kDead;

  for (std::int32_t v = 0; v < problem.vertices(); ++v) {
    add_costs(std::span(problem.state_score).subspan(problem.first[v], problem.labels(v)));
    std::copy(cells_.begin(), cells_.end(), cost_.begin() + problem.first[v]);
    cells_.clear();
    choices_[v] = problem.labels(v);
  }
  for (const auto& potential : potentials)
    if (potential.vertices.size() == 2)
      for (auto v : potential.vertices) ++arc_begin_[v + 1];
  for (std::size_t v = 1; v < arc_begin_.size(); ++v) arc_begin_[v] += arc_begin_[v - 1];
  arcs_.resize(static_cast<std::size_t>(arc_begin_.back()));
  for (const auto& potential : potentials) {
    if (potential.vertices.size() == 2) add_pair(potential);
    if (potential.vertices.size() > 2) add_large(potential);
  }
  for (std::size_t v = arc_begin_.size() - 1; v > 0; --v) arc_begin_[v] = arc_begin_[v - 1];  // add_pair moved them
  arc_begin_[0] = 0;
  wake_all();
}

// Appends costs to `cells_`: what scores lose against the highest.
void Consistency::add_costs(std::span<const double> scores) {
  const double high = extremes_of(scores).high;
  for (double score : scores) {
    const bool allowed = score != -kInfinity;
    const double cost = allowed ? std::min((high - score) * scale_, static_cast<double>(top_)) : 0.0;
    cells_.push_back(allowed ? static_cast<Cost>(std::llround(cost)) : top_);
  }
}

void Consistency::add_pair(const Potential& potential) {
  const auto u = potential.vertices[0], v = potential.vertices[1];
  const auto rows = problem_.labels(u), columns = problem_.labels(v);
  const auto cells = static_cast<std::int64_t>(cells_.size()), size = std::int64_t{rows} * columns;
  const auto here = static_cast<std::int64_t>(given_.size()), there = here + rows;
  given_.resize(static_cast<std::size_t>(there + columns), 0);
  add_costs(potential.cells);
  for (std::int32_t b = 0; b < columns; ++b)
    for (std::int32_t a = 0; a < rows; ++a) cells_.push_back(cells_[static_cast<std::size_t>(cells + std::int64_t{a} * columns + b)]);
  const auto forth = static_cast<std::int32_t>(arc_begin_[u]++), back = static_cast<std::int32_t>(arc_begin_[v]++);
  arcs_[forth] = {v, back, cells, here, there};
  arcs_[back] = {u, forth, cells + size, there, here};
}

void Consistency::add_large(const Potential& potential) {
  Large table{potential.vertices, {}, static_cast<std::int64_t>(cells_.size())};
  add_costs(potential.cells);
  const auto number = static_cast<std::int32_t>(large_.size());
  for (auto v : table.vertices) {
    large_of_[v].emplace_back(number, static_cast<std::int32_t>(table.given.size()));
    table.given.push_back(static_cast<std::int64_t>(given_.size()));
    given_.resize(given_.size() + static_cast<std::size_t>(problem_.labels(v)), 0);
  }
  large_.push_back(std::move(table));
}

Cost Consistency::cost_of(double score) const {
  if (score == -kInfinity) return top_;
  const double cost = std::floor((offset_ - score) * scale_);
  return static_cast<Cost>(std::clamp(cost, 0.0, static_cast<double>(top_)));
}

void Consistency::set_top(Cost top) {
  if (top >= top_) return;
  top_ = top;
  all_to_prune_ = true;
}

void Consistency::undo(std::size_t mark) {
  while (trail_.size() > mark) {
    const auto [place, value] = trail_.back();
    trail_.pop_back();
    if (place) {
      *place = value;
    } else {
      alive_[value] = 1;
      ++choices_[vertex_of_[value]];
    }
  }
  forget();
}

void Consistency::forget() {
  for (auto* set : {&removed_, &raised_, &unsure_, &dirty_}) set->clear();
  all_to_prune_ = true;
}

void Consistency::remove(std::int32_t state) {
  if (!alive_[state]) return;
  const auto v = vertex_of_[state];
  alive_[state] = 0;
  --choices_[v];
  trail_.push_back({nullptr, state});
  removed_.insert(v);
  raised_.insert(v);
  wake(v);
  for (const auto& [table, axis] : large_of_[v]) dirty_.insert(table);
}

void Consistency::take(std::int32_t state) {
  const auto v = vertex_of_[state];
  for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s)
    if (s != state) remove(s);
}

// The vertex and those after it may find a support missing.
void Consistency::wake(std::int32_t v) {
  unsure_.insert(v);
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i)
    if (arcs_[i].to > v) unsure_.insert(arcs_[i].to);
}

void Consistency::raise(std::int32_t state, Cost& given, Cost by) {
  set(given, given + by);
  set(cost_[state], cost_[state] + by);
}

// What all labels cost goes to the floor; false if that, or having no label, is a contradiction.
bool Consistency::lift_floor(std::int32_t v) {
  Cost least = kDead;
  for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s)
    if (alive_[s]) least = std::min(least, cost_[s]);
  if (least >= kDead || floor_ + least >= top_) {
    if (least < kDead) least_removed_ = std::min(least_removed_, floor_ + least);
    conflict_ = v;
    return false;
  }
  if (least == 0) return true;
  for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s)
    if (alive_[s]) set(cost_[s], cost_[s] - least);
  set(floor_, floor_ + least);
  all_to_prune_ = true;
  return true;
}

bool Consistency::prune(std::int32_t v) {
  for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s) {
    if (!alive_[s] || floor_ + cost_[s] < top_) continue;
    least_removed_ = std::min(least_removed_, floor_ + cost_[s]);
    remove(s);
  }
  return lift_floor(v);
}

// Writes to `row_` what each label costs at least in the table, beside what it gave; with the other end's own costs.
void Consistency::minima(const Arc& arc, std::int32_t v, bool with_costs) {
  const auto first = problem_.first[v], rows = problem_.labels(v), other = problem_.first[arc.to];
  const auto columns = problem_.labels(arc.to);
  most_.resize(static_cast<std::size_t>(columns));
  row_.resize(static_cast<std::size_t>(rows));
  const Cost* const theirs = given(arc.there);
  for (std::int32_t b = 0; b < columns; ++b)
    most_[b] = alive_[other + b] ? (with_costs ? cost_[other + b] : 0) - theirs[b] : kDead;
  const Cost* const ours = given(arc.here);
  for (std::int32_t a = 0; a < rows; ++a) {
    if (!alive_[first + a]) continue;
    const Cost* const cells = &cells_[arc.cells + std::int64_t{a} * columns];
    Cost least = kDead;
    for (std::int32_t b = 0; b < columns; ++b) least = std::min(least, cells[b] + most_[b]);
    row_[a] = std::min(least - ours[a], top_);
  }
  work_ += std::int64_t{rows} * columns;
}

// A table gives its minima to the labels of a vertex; false if that makes no difference.
bool Consistency::collect(const Arc& arc, std::int32_t v) {
  minima(arc, v, false);
  bool changed = false;
  for (std::int32_t a = 0; a < problem_.labels(v); ++a) {
    const auto s = problem_.first[v] + a;
    if (!alive_[s] || row_[a] == 0) continue;
    raise(s, given(arc.here)[a], row_[a]);
    changed = true;
  }
  return changed;
}

// The same with what the labels of the other end lend.
bool Consistency::collect_fully(const Arc& arc, std::int32_t v) {
  minima(arc, v, true);
  const auto first = problem_.first[v], rows = problem_.labels(v), other = problem_.first[arc.to];
  const auto columns = problem_.labels(arc.to);
  bool any = false;
  for (std::int32_t a = 0; a < rows; ++a) any = any || (alive_[first + a] && row_[a] > 0);
  if (!any) return false;
  most_.assign(static_cast<std::size_t>(columns), 0);
  Cost *const ours = given(arc.here), *const theirs = given(arc.there);
  for (std::int32_t a = 0; a < rows; ++a) {
    if (!alive_[first + a] || row_[a] == 0) continue;
    const Cost* const cells = &cells_[arc.cells + std::int64_t{a} * columns];
    const Cost needed = row_[a] + ours[a];
    for (std::int32_t b = 0; b < columns; ++b) most_[b] = std::max(most_[b], needed - cells[b] + theirs[b]);
  }
  work_ += std::int64_t{rows} * columns;
  for (std::int32_t b = 0; b < columns; ++b)
    if (alive_[other + b] && most_[b] > 0) raise(other + b, theirs[b], -most_[b]);
  for (std::int32_t a = 0; a < rows; ++a)
    if (alive_[first + a] && row_[a] > 0) raise(first + a, ours[a], row_[a]);
  return true;
}

// What the best label and its supports before it cost: the floor can be lifted by that.
Consistency::Cost Consistency::missing_support(std::int32_t v) {
  const auto first = problem_.first[v], labels = problem_.labels(v);
  reduced_.assign(cost_.begin() + first, cost_.begin() + first + labels);
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) {
    if (arcs_[i].to > v) continue;
    minima(arcs_[i], v, true);
    for (std::int32_t a = 0; a < labels; ++a)
      if (alive_[first + a]) reduced_[a] = std::min(reduced_[a] + row_[a], top_);
  }
  Cost least = kDead;
  for (std::int32_t a = 0; a < labels; ++a)
    if (alive_[first + a]) least = std::min(least, reduced_[a]);
  return least;
}

// Costs of a vertex rose.
void Consistency::changed(std::int32_t v) {
  raised_.insert(v);
  wake(v);
}

// Later vertices look for supports among the labels that are left.
bool Consistency::visit_removed(std::int32_t v) {
  cause_ = v;
  if (!prune(v)) return false;
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) {
    const auto w = arcs_[i].to;
    if (w < v || !collect(arcs_[arcs_[i].back], w)) continue;
    changed(w);
    if (!prune(w)) return false;
  }
  return true;
}

// Earlier vertices collect what costs have risen.
bool Consistency::visit_raised(std::int32_t v) {
  cause_ = v;
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i) {
    const auto u = arcs_[i].to;
    if (u > v || !collect_fully(arcs_[arcs_[i].back], u)) continue;
    changed(u);
    if (!prune(u)) return false;
  }
  for (const auto& [number, axis] : large_of_[v]) {
    const auto& table = large_[number];
    std::size_t target = 0;
    while (target + 1 < table.vertices.size() && choices_[table.vertices[target]] == 1) ++target;
    const auto u = table.vertices[target];
    if (u == v || !collect_fully(table, target)) continue;
    changed(u);
    if (!prune(u)) return false;
  }
  return true;
}

bool Consistency::visit_unsure(std::int32_t v) {
  cause_ = v;
  constexpr int kShare = 10;  // bits: less than that share of what is left to the top is not worth it
  if (missing_support(v) <= (top_ - floor_) >> kShare) return true;
  for (auto i = arc_begin_[v]; i < arc_begin_[v + 1]; ++i)
    if (arcs_[i].to < v && collect_fully(arcs_[i], v) && !prune(v)) return false;
  changed(v);
  return true;
}

bool Consistency::propagate() {
  if (settle()) return true;
  forget();
  return false;
}

bool Consistency::settle() {
  for (;;) {
    graph::poll(256 + work_ - std::exchange(polled_, work_));
    bool possible = true;
    if (!dirty_.empty()) possible = visit_large(large_[dirty_.pop_least()]);
    else if (!removed_.empty()) possible = visit_removed(removed_.pop_least());
    else if (!raised_.empty()) possible = visit_raised(raised_.pop_greatest());
    else if (!unsure_.empty()) possible = visit_unsure(unsure_.pop_least());
    else if (!all_to_prune_) return true;
    else {
      all_to_prune_ = false;
      for (std::int32_t v = 0; v < problem_.vertices() && possible; ++v) possible = prune(v);
    }
    if (!possible) return false;
  }
}

void Consistency::wake_all() {
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) unsure_.insert(v), raised_.insert(v), removed_.insert(v);
  for (std::size_t t = 0; t < large_.size(); ++t) dirty_.insert(static_cast<std::int32_t>(t));
  all_to_prune_ = true;
}

}  // namespace treaty::solve
