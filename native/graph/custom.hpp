// A user's own factor, given by its maximizer. shape = {index of the oracle}.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "graph/maximum.hpp"
#include "graph/stop.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// Own scores are finite, or -inf for a factor (or configuration) that is not feasible.
inline double checked_own_score(double score, const std::string& who) {
  if (std::isnan(score) || score == kInfinity)
    throw GraphError(who + ": the own score of a configuration must be a number (-inf: not allowed); got " +
                     (std::isnan(score) ? "nan" : "inf"));
  return score;
}

// Evaluates by maximizing: with score +M for every slot that is to be on and -M for every other one, each slot that
// differs costs M, so the configuration itself is returned if it is allowed and its own score is less than M below the
// best one. A configuration that is not allowed is never returned. M starts small, where a maximizer that computes its
// own score by subtraction loses no digits, and grows until the configuration is returned or M = 2^100, which is still
// finite in single precision; a configuration that much below the others is treated as forbidden.
class MaximizerOracle : public Oracle {
 public:
  explicit MaximizerOracle(std::int32_t degree) : membership_score_(static_cast<std::size_t>(degree)) {}

  double evaluate(std::span<const std::int32_t> on) override {
    for (const int exponent : {20, 50, 100}) {
      const double m = std::ldexp(1.0, exponent);
      std::ranges::fill(membership_score_, -m);
      for (const auto slot : on) membership_score_[static_cast<std::size_t>(slot)] = m;
      maximize(membership_score_, answer_);
      if (answer_.score == -kInfinity || std::ranges::equal(answer_.on, on)) return answer_.score;
    }
    return -kInfinity;
  }

 private:
  std::vector<double> membership_score_;
  Configuration answer_;
};

// Writes a best configuration as `degree` bytes of 0 or 1 (all 0 before the call) and returns its own score, without
// the slots' scores; -inf if there is no configuration. A solver with several threads calls it from all of them, with
// the same user data.
using MaximizeFunction = double (*)(const double* scores, std::int64_t degree, std::uint8_t* configuration,
                                    void* user_data);

class CompiledOracle final : public MaximizerOracle {
 public:
  CompiledOracle(MaximizeFunction function, void* user_data, std::int32_t degree)
      : MaximizerOracle(degree),
        function_(function),
        user_data_(user_data),
        bytes_(static_cast<std::size_t>(degree)) {}

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    std::ranges::fill(bytes_, 0);
    poll(1024 + 64 * std::ssize(bytes_));
    const auto degree = static_cast<std::int64_t>(bytes_.size());
    const double own = function_(slot_score.data(), degree, bytes_.data(), user_data_);
    best.score = checked_own_score(own, "compiled oracle");
    if (own == -kInfinity) return set_infeasible(best);
    best.on.clear();
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      if (bytes_[i] > 1)
        throw GraphError("compiled oracle: a configuration is made of bytes 0 and 1; got " +
                         std::to_string(bytes_[i]) + " in slot " + std::to_string(i));
      if (bytes_[i]) best.on.push_back(static_cast<std::int32_t>(i));
    }
  }

 private:
  MaximizeFunction function_;
  void* user_data_;
  std::vector<std::uint8_t> bytes_;
};

class CompiledFactory final : public OracleFactory {
 public:
  // `owner` keeps the function and its data alive.
  CompiledFactory(MaximizeFunction function, void* user_data, std::shared_ptr<const void> owner)
      : function_(function), user_data_(user_data), owner_(std::move(owner)) {}

  std::unique_ptr<Oracle> make(std::int32_t degree) const override {
    return std::make_unique<CompiledOracle>(function_, user_data_, degree);
  }

 private:
  MaximizeFunction function_;
  void* user_data_;
  std::shared_ptr<const void> owner_;
};

struct Custom : Structured {
  static constexpr const char* name = "custom";
  static constexpr bool hides_scores = true;
  static constexpr bool rounded_whole = true;
  static void check(const Arguments& arguments) { arguments.require_degree(1); }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) { return factor.custom->make(factor.degree()); }
  static double least_score(const FactorView&) { return -kInfinity; }
};

}  // namespace treaty::graph
