// Forward-backward on forests. Probabilities are scaled instead of stored as logarithms: e^x is computed once per score
// and not once per pair of labels of every edge. If scores are so far apart that a scaled number might underflow, the
// computation is repeated with logarithms: no factor below is less than kLeast, so no product of three underflows.
#include <algorithm>

#include "label/exponential.hpp"
#include "label/forest.hpp"
#include "learn/host.hpp"

namespace treaty::label {
namespace {

constexpr double kLeast = 1e-100;

// log(sum of e^x)
double log_sum_exp(const double* x, std::int32_t n) {
  double top = kForbidden, sum = 0.0;
  for (std::int32_t i = 0; i < n; ++i) top = std::max(top, x[i]);
  if (top == kForbidden) return kForbidden;
  for (std::int32_t i = 0; i < n; ++i) sum += exponential(x[i] - top);
  return top + logarithm(sum);
}

// e^(x - the greatest) of n numbers; adds the greatest to the sum. False if they are too far apart.
bool scaled_exp(const double* x, std::size_t n, double* to, double& sum) {
  const double top = *std::max_element(x, x + n);
  if (top == kForbidden) return false;
  bool all = true;
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = exponential(x[i] - top);
    all &= to[i] >= kLeast || x[i] == kForbidden;
  }
  sum += top;
  return all;
}

}  // namespace

double Forest::log_sum() {
  const auto n = scores_->vertices;
  reach_.resize(at(n));
  message_.resize(at(n));
  belief_.resize(at(n));
  share_.resize(static_cast<std::size_t>(scores_->labels));
  expected_.assign(scores_->cells.size(), 0.0);
  double sum = 0.0;
  if (scaled_log_sum(sum)) {
    spread_scaled();
  } else {
    sum = exact_log_sum();
    if (sum == kForbidden) return sum;
    spread_exact();
  }
  share_expected();
  return sum;
}

// Upward pass. Returns false if numbers might underflow.
bool Forest::scaled_log_sum(double& sum) {
  const auto cells = scores_->cells_of_table();
  potential_.resize(scores_->cells.size());
  most_in_table_.assign(static_cast<std::size_t>(scores_->tables()), 0.0);
  for (std::int32_t t = 0; t < scores_->tables(); ++t)
    if (!scaled_exp(scores_->table(t), cells, &potential_[cells * t], most_in_table_[t])) return false;
  for (std::int32_t k = 0; k < scores_->vertices; ++k)
    if (!scaled_exp(state(k), static_cast<std::size_t>(scores_->labels), &reach_[at(k)], sum)) return false;
  for (std::int32_t k = 0; k < scores_->vertices; ++k)
    if (!pass_scaled(k, sum)) return false;
  return true;
}

// The message of a vertex to its parent, or the total at a root.
bool Forest::pass_scaled(std::int32_t k, double& sum) {
  learn::check_interrupt(k);
  const auto labels = scores_->labels;
  const double* const reach = &reach_[at(k)];
  double* above = &reach_[at(k)];
  if (parent_[k] != kRoot) {
    double* const message = &message_[at(k)];
    const double* potential = &potential_[scores_->cells_of_table() * table_[k]];
    std::fill_n(message, labels, 0.0);
    for (std::int32_t a = 0; a < labels; ++a, potential += labels)
      for (std::int32_t b = 0; b < labels; ++b) message[b] += reach[a] * potential[b];
    above = &reach_[at(parent_[k])];
    for (std::int32_t b = 0; b < labels; ++b) above[b] *= message[b];
    sum += most_in_table_[table_[k]];
  }
  double total = 0.0;
  for (std::int32_t b = 0; b < labels; ++b) total += above[b];
  if (total == 0.0) return false;  // everything is forbidden
  const double scale = 1.0 / total;
  bool all = true;
  for (std::int32_t b = 0; b < labels; ++b) {
    above[b] *= scale;
    all &= above[b] >= kLeast || above[b] == 0.0;  // zero only if everything below is forbidden
  }
  sum += logarithm(total);
  return all;
}

// Downward pass: P(a, b) = reach(a) potential(a, b) P(b) / message(b).
void Forest::spread_scaled() {
  const auto labels = scores_->labels;
  const auto cells = scores_->cells_of_table();
  for (auto k = scores_->vertices; k-- > 0;) {
    learn::check_interrupt(k);
    const double* const reach = &reach_[at(k)];
    double* const belief = &belief_[at(k)];
    if (parent_[k] == kRoot) {
      std::copy_n(reach, labels, belief);
      continue;
    }
    const double* const above = &belief_[at(parent_[k])];
    const double* const message = &message_[at(k)];
    for (std::int32_t b = 0; b < labels; ++b) share_[b] = message[b] > 0.0 ? above[b] / message[b] : 0.0;
    const double* potential = &potential_[cells * table_[k]];
    double* expected = &expected_[cells * table_[k]];
    for (std::int32_t a = 0; a < labels; ++a, potential += labels, expected += labels) {
      double sum = 0.0;
      for (std::int32_t b = 0; b < labels; ++b) sum += potential[b] * share_[b];
      belief[a] = reach[a] * sum;
      for (std::int32_t b = 0; b < labels; ++b) expected[b] += reach[a] * share_[b];
    }
  }
  for (std::size_t i = 0; i < expected_.size(); ++i) expected_[i] *= potential_[i];
}

double Forest::exact_log_sum() {
  const auto n = scores_->vertices, labels = scores_->labels;
  double sum = 0.0;
  for (std::int32_t k = 0; k < n; ++k) std::copy_n(state(k), labels, &reach_[at(k)]);
  for (std::int32_t k = 0; k < n; ++k) {
    learn::check_interrupt(k);
    const double* const reach = &reach_[at(k)];
    if (parent_[k] == kRoot) {
      sum += log_sum_exp(reach, labels);
      continue;
    }
    for (std::int32_t b = 0; b < labels; ++b) {
      for (std::int32_t a = 0; a < labels; ++a) share_[a] = reach[a] + table(k)[a * labels + b];
      message_[at(k) + b] = log_sum_exp(share_.data(), labels);
      reach_[at(parent_[k]) + b] += message_[at(k) + b];
    }
  }
  return sum;
}

void Forest::spread_exact() {
  const auto labels = scores_->labels;
  for (auto k = scores_->vertices; k-- > 0;) {
    learn::check_interrupt(k);
    const double* const reach = &reach_[at(k)];
    double* const belief = &belief_[at(k)];
    std::fill_n(belief, labels, 0.0);
    if (parent_[k] == kRoot) {
      const double total = log_sum_exp(reach, labels);
      for (std::int32_t a = 0; a < labels; ++a) belief[a] = exponential(reach[a] - total);
      continue;
    }
    double* const expected = &expected_[scores_->cells_of_table() * table_[k]];
    for (std::int32_t b = 0; b < labels; ++b) {
      const double above = belief_[at(parent_[k]) + b], message = message_[at(k) + b];
      if (message == kForbidden) continue;
      for (std::int32_t a = 0; a < labels; ++a) {
        const auto cell = a * labels + b;
        const double both = above * exponential(reach[a] + table(k)[cell] - message);
        belief[a] += both;
        expected[cell] += both;
      }
    }
  }
}

// Tables that were made from others pass their counts on, in reverse order.
void Forest::share_expected() {
  const auto labels = scores_->labels;
  const auto cells = scores_->cells_of_table();
  for (auto i = scores_->parts.size(); i-- > 0;) {
    const auto [whole, part, turned] = scores_->parts[i];
    const double* const from = &expected_[cells * whole];
    double* const to = &expected_[cells * part];
    for (std::int32_t a = 0; a < labels; ++a)
      for (std::int32_t b = 0; b < labels; ++b) to[a * labels + b] += turned ? from[b * labels + a] : from[a * labels + b];
  }
}

}  // namespace treaty::label
