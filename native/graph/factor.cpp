// The factors with a closed form behind one door. Two are others in disguise: XOR with output is exactly
// one of the inputs and the negated output, AND with output an OR with output of negated literals.
#include "graph/factor.hpp"

#include <algorithm>

#include "graph/active_set.hpp"
#include "graph/budget.hpp"
#include "graph/knapsack.hpp"
#include "graph/logic.hpp"
#include "graph/reward.hpp"

namespace treaty::graph {
namespace {

void negate_all(double* z, int n) {
  for (int i = 0; i < n; ++i) z[i] = 1.0 - z[i];
}

// A literal's complement turns score * y into score - score * (1 - y).
double maximize_xor_with_output(const double* score, int n, double* y, double* scratch) {
  std::copy_n(score, n, scratch);
  scratch[n - 1] = -score[n - 1];
  const double best = maximize_exactly_one(scratch, n, y);
  negate_all(y + (n - 1), 1);
  return best + score[n - 1];
}

double maximize_and_with_output(const double* score, int n, double* y, double* scratch) {
  double all_on = 0.0;
  for (int i = 0; i < n; ++i) {
    scratch[i] = -score[i];
    all_on += score[i];
  }
  const double best = maximize_or_with_output(scratch, n, y);
  negate_all(y, n);
  return best + all_on;
}

double maximize_structured(const FactorView& factor, std::span<const double> slot_score, std::span<double> y) {
  Configuration best;
  make_oracle(factor)->maximize(slot_score, best);
  std::ranges::fill(y, 0.0);
  double value = best.score;
  for (auto slot : best.on) {
    y[slot] = 1.0;
    value += slot_score[slot];
  }
  return value;
}

bool project_structured(const FactorView& factor, std::span<double> z, double step) {
  ActiveSet active;
  ActiveSetWorkspace workspace;
  const std::vector<double> a(z.begin(), z.end());
  return active.project(a, step, *make_oracle(factor), z, workspace);
}

}  // namespace

double maximize(const FactorView& factor, std::span<const double> slot_score, std::span<double> y,
                Workspace& workspace) {
  const int n = factor.degree();
  const double* score = slot_score.data();
  double* scratch = workspace.reserve(4 * slot_score.size());
  switch (factor.kind) {
    case Kind::ExactlyOne: return maximize_exactly_one(score, n, y.data());
    case Kind::AtMostOne: return maximize_at_most_one(score, n, y.data());
    case Kind::AtLeastOne: return maximize_at_least_one(score, n, y.data());
    case Kind::XorWithOutput: return maximize_xor_with_output(score, n, y.data(), scratch);
    case Kind::OrWithOutput: return maximize_or_with_output(score, n, y.data());
    case Kind::AndWithOutput: return maximize_and_with_output(score, n, y.data(), scratch);
    case Kind::Reward: return maximize_reward(score, n, factor.data[0], y.data());
    case Kind::AtMost: return maximize_at_most(score, n, factor.shape[0], y.data(), scratch);
    case Kind::Exactly: return maximize_exactly(score, n, factor.shape[0], y.data(), scratch);
    case Kind::Knapsack:
      return maximize_knapsack(score, n, factor.data.data(), factor.data.back(), y.data(), scratch);
    default: return maximize_structured(factor, slot_score, y);
  }
}

bool project(const FactorView& factor, std::span<double> slots, double step, Workspace& workspace) {
  const int n = factor.degree();
  double* z = slots.data();
  double* scratch = workspace.reserve(4 * slots.size());
  switch (factor.kind) {
    case Kind::ExactlyOne: project_exactly_one(z, n, scratch); return true;
    case Kind::AtMostOne: project_at_most_one(z, n, scratch); return true;
    case Kind::AtLeastOne: project_at_least_one(z, n, scratch); return true;
    case Kind::XorWithOutput:
      negate_all(z + (n - 1), 1);
      project_exactly_one(z, n, scratch);
      negate_all(z + (n - 1), 1);
      return true;
    case Kind::OrWithOutput: project_or_with_output(z, n, scratch); return true;
    case Kind::AndWithOutput:
      negate_all(z, n);
      project_or_with_output(z, n, scratch);
      negate_all(z, n);
      return true;
    case Kind::Reward: project_reward(z, n, step * factor.data[0], scratch); return true;
    case Kind::AtMost: return project_at_most(z, n, factor.shape[0], scratch);
    case Kind::Exactly: return project_exactly(z, n, factor.shape[0], scratch);
    case Kind::Knapsack: return project_knapsack(z, n, factor.data.data(), factor.data.back(), scratch);
    default: return project_structured(factor, slots, step);
  }
}

namespace {

bool fits(std::span<const double> cost, std::span<const std::int8_t> y, double capacity) {
  double spent = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) spent += y[i] != 0 ? cost[i] : 0.0;
  return capacity >= 0.0 && spent <= capacity * (1.0 + kCapacityRounding);
}

bool allowed(const FactorView& factor, std::span<const std::int8_t> y) {
  const auto on = std::count_if(y.begin(), y.end(), [](std::int8_t v) { return v != 0; });
  const bool output = y.back() != 0;
  const auto inputs_on = on - output;
  switch (factor.kind) {
    case Kind::ExactlyOne: return on == 1;
    case Kind::AtMostOne: return on <= 1;
    case Kind::AtLeastOne: return on >= 1;
    case Kind::XorWithOutput: return inputs_on == output;
    case Kind::OrWithOutput: return output == (inputs_on > 0);
    case Kind::AndWithOutput: return output == (inputs_on + 1 == std::ssize(y));
    case Kind::AtMost: return on <= factor.shape[0];
    case Kind::Exactly: return on == factor.shape[0];
    case Kind::Knapsack: return fits(factor.data.first(y.size()), y, factor.data.back());
    default: return true;
  }
}

}  // namespace

double evaluate(const FactorView& factor, std::span<const std::int8_t> y) {
  if (is_structured(factor.kind)) {
    std::vector<std::int32_t> on;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (y[i] != 0) on.push_back(static_cast<std::int32_t>(i));
    return make_oracle(factor)->evaluate(on);
  }
  if (!allowed(factor, y)) return -kInfinity;
  const bool rewarded = factor.kind == Kind::Reward && std::find(y.begin(), y.end(), 0) == y.end();
  return rewarded ? factor.data[0] : 0.0;
}

}  // namespace treaty::graph
