#include "parse/matrix_tree.hpp"

#include <cmath>
#include <type_traits>

#include "graph/oracle.hpp"

namespace treaty::parse {

using graph::kInfinity;
namespace {

constexpr double kUnsure = std::numeric_limits<double>::quiet_NaN();  // outside the range of doubles

// Steps with a smaller logarithm are dropped if doubles are used. That changes a word's marginals by at most their sum
// divided by its escape, which must therefore be much larger.
constexpr double kLogSmallestStep = -690.0;  // 1e-300
constexpr double kSmallestEscape = 1e-250;
constexpr double kMostRounding = 1e-10;  // in a sum of marginals

}  // namespace

double MatrixTree::marginals(int words, std::span<const double> score, bool single_root, std::span<double> marginal) {
  words_ = static_cast<std::size_t>(words);
  if (words_ == 0) {
    marginal[0] = 0.0;
    return 0.0;
  }
  double log_partition = -kInfinity;
  if (normalize(score)) {
    log_partition = solve(walk_, score, single_root, marginal);
    if (std::isnan(log_partition)) log_partition = solve(log_walk_, score, single_root, marginal);
  }
  if (log_partition == -kInfinity) std::ranges::fill(marginal, 0.0);
  return log_partition;
}

// Each modifier's scores become log-probabilities of its heads. False when one has no head.
bool MatrixTree::normalize(std::span<const double> score) {
  const auto nodes = words_ + 1;
  log_sum_.assign(nodes, -kInfinity);
  total_.assign(nodes, 0.0);
  for (std::size_t head = 0; head < nodes; ++head)
    for (std::size_t modifier = 1; modifier < nodes; ++modifier)
      if (head != modifier) log_sum_[modifier] = std::max(log_sum_[modifier], score[head * nodes + modifier]);
  if (std::ranges::find(log_sum_.begin() + 1, log_sum_.end(), -kInfinity) != log_sum_.end()) return false;
  for (std::size_t head = 0; head < nodes; ++head)
    for (std::size_t modifier = 1; modifier < nodes; ++modifier)
      if (head != modifier) total_[modifier] += std::exp(score[head * nodes + modifier] - log_sum_[modifier]);
  for (std::size_t modifier = 1; modifier < nodes; ++modifier) log_sum_[modifier] += std::log(total_[modifier]);
  return true;
}

// Sets the steps of the walk and returns the logarithm of the factor on those to the root.
//
// The single root is approximated by a small factor epsilon on the arcs of the root: a tree with r of them is weighted
// by epsilon^r. Nothing is subtracted, so epsilon may be arbitrarily small. With logarithms, all trees with two roots
// or more, whose steps have probabilities of at most 1, weigh less than 1e-20 of the least likely tree with one.
template <class Number>
double MatrixTree::load(HeadWalk<Number>& walk, std::span<const double> score, bool single_root) const {
  const auto nodes = words_ + 1;
  double log_epsilon = single_root ? -230.0 : 0.0;  // 1e-100
  if (single_root && std::is_same_v<Number, LogNumber>) {
    log_epsilon = -46.0;
    for (std::size_t modifier = 1; modifier < nodes; ++modifier) {
      double least = 0.0;
      for (std::size_t head = 0; head < nodes; ++head) {
        const double log_step = score[head * nodes + modifier] - log_sum_[modifier];
        if (head != modifier && log_step > -kInfinity) least = std::min(least, log_step);
      }
      log_epsilon += least;
    }
  }
  for (std::size_t head = 0; head < nodes; ++head) {
    Number* const row = walk.step_row(head);
    for (std::size_t modifier = 1; modifier < nodes; ++modifier) {
      double log_step = head == modifier ? -kInfinity : score[head * nodes + modifier] - log_sum_[modifier];
      if (head == 0) log_step += log_epsilon;
      if constexpr (std::is_same_v<Number, LogNumber>)
        row[modifier - 1] = {log_step};
      else
        row[modifier - 1] = log_step < kLogSmallestStep ? 0.0 : std::exp(log_step);
    }
  }
  return log_epsilon;
}

template <class Number>
double MatrixTree::solve(HeadWalk<Number>& walk, std::span<const double> score, bool single_root,
                         std::span<double> marginal) {
  constexpr bool exact = std::is_same_v<Number, LogNumber>;
  const auto nodes = words_ + 1;
  walk.resize(words_);
  const double log_epsilon = load(walk, score, single_root);
  if (!walk.solve()) return exact ? -kInfinity : kUnsure;

  double roots = 0.0, log_partition = walk.log_determinant() - (single_root ? log_epsilon : 0.0);
  for (std::size_t modifier = 1; modifier < nodes; ++modifier) {
    const auto chance = [&](std::size_t head) {  // its step times its escape, which is 1 for the root
      const Number step = walk.step_row(head)[modifier - 1];
      return head == 0 ? step : step * walk.escape_row(head - 1)[modifier - 1];
    };
    Number total{};
    for (std::size_t head = 0; head < nodes; ++head) total = total + chance(head);
    if (!exact && !(to_double(total) >= kSmallestEscape)) return kUnsure;
    double sum = 0.0;  // 1 except for rounding errors, which are larger for large logarithms
    for (std::size_t head = 0; head < nodes; ++head)
      sum += marginal[head * nodes + modifier] = to_double(chance(head) / total);
    for (std::size_t head = 0; head < nodes; ++head) marginal[head * nodes + modifier] /= sum;
    roots += marginal[modifier];
    log_partition += log_sum_[modifier];
  }
  for (std::size_t head = 0; head < nodes; ++head) marginal[head * nodes] = 0.0;
  // The expected number of root arcs shows whether trees with more than one matter; with logarithms they do not.
  if (single_root && roots > (exact ? 1.5 : 1.0 + kMostRounding)) return exact ? -kInfinity : kUnsure;
  return log_partition;
}

}  // namespace treaty::parse
