#include "solve/patterns/label_dual.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "solve/judge.hpp"

namespace treaty::solve {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Scores {
  Unit unit;           // of the tolerances
  double mean = 0.0;   // of the absolute values that are not zero
  double least = 0.0;  // no labeling that is allowed scores less
  double size = 0.0;   // of what a labeling's score is a sum of, at most
};

Scores measure(const PatternProblem& problem) {
  Scores scores;
  double sum = 0.0, count = 0.0;
  for (const auto* values : {&problem.state_score, &problem.cells, &problem.pattern_weight})
    for (double value : *values) {
      if (value == -kInfinity || value == 0.0) continue;
      sum += std::abs(value), count += 1.0;
    }
  const auto lowest = [](std::span<const double> values) {
    double low = 0.0;
    for (double value : values)
      if (value != -kInfinity) low = std::min(low, value);
    return low;
  };
  const auto see = [&](std::span<const double> values) {
    scores.least += lowest(values);
    double largest = 0.0;
    for (double value : values)
      if (value != -kInfinity) largest = std::max(largest, std::abs(value));
    scores.size += largest;
  };
  for (std::int32_t v = 0; v < problem.vertices(); ++v)
    see(std::span(problem.state_score).subspan(problem.first[v], problem.labels(v)));
  for (const auto& edge : problem.edges) see(problem.table(edge));
  for (const double& weight : problem.pattern_weight) see({&weight, 1});
  scores.mean = count > 0.0 ? sum / count : 1.0;
  scores.unit = range_of(problem).unit();
  return scores;
}

// How the multipliers move.
class Step {
 public:
  virtual ~Step() = default;
  // Moves them, given the bound there, its subgradient and the best answer; returns how far.
  virtual double move(std::span<double> multiplier, double bound, std::span<const double> subgradient,
                      double objective) = 0;
  // How much lower the bound may still come, as far as the rule can tell.
  virtual double hope() const { return kInfinity; }
  virtual void hope_for(double) {}
};

class RushStep final : public Step {
 public:
  explicit RushStep(double first) : first_(first) {}

  double move(std::span<double> multiplier, double bound, std::span<const double> subgradient, double) override {
    if (bound > last_) ++rises_;
    last_ = bound;
    const double step = first_ / (1.0 + static_cast<double>(rises_));
    for (std::size_t m = 0; m < multiplier.size(); ++m) multiplier[m] -= step * subgradient[m];
    return step * std::sqrt(dot(subgradient, subgradient));
  }

 private:
  double first_, last_ = kInfinity;
  std::int64_t rises_ = 0;
};

// Polyak's step towards a level below the best bound. The level sinks further after a success and rises towards the
// best bound after a series of failures. The direction is deflected so that it does not turn back on itself
// (Camerini, Fratta & Maffioli 1975): plain subgradients zigzag between the faces of the dual.
class LevelStep final : public Step {
 public:
  LevelStep(std::size_t multipliers, double size) : direction_(multipliers, 0.0), size_(size) {}

  double move(std::span<double> multiplier, double bound, std::span<const double> subgradient,
              double objective) override {
    judge(bound, objective);
    deflect(subgradient);
    const double norm = dot(direction_, direction_);
    const double level = std::max(best_ - depth_, objective);
    const double step = (bound - level) / norm;
    for (std::size_t m = 0; m < multiplier.size(); ++m) multiplier[m] -= step * direction_[m];
    return step * std::sqrt(norm);
  }

  double hope() const override { return depth_; }
  void hope_for(double depth) override {
    depth_ = depth;
    mark_ = best_;
    failures_ = 0.0;
  }

 private:
  // Chosen on the problems of research/benchmarks/patterns.py: within 1% of the optimum after some hundred iterations, and
  // close to it in the end.
  static constexpr double kFirstDepth = 0.25, kSuccess = 0.2, kDeepen = 1.2, kRaise = 0.5, kPatience = 15.0;
  static constexpr double kDeflection = 1.5;

  // A success may take several iterations: near the optimum each gains little.
  void judge(double bound, double objective) {
    if (best_ == kInfinity) {
      depth_ = kFirstDepth * (objective == -kInfinity ? size_ + std::abs(bound) : bound - objective);
      mark_ = bound;
    }
    failures_ += bound < best_ ? 0.5 : 1.0;
    best_ = std::min(best_, bound);
    const bool success = best_ < mark_ - kSuccess * depth_;
    if (!success && failures_ < kPatience) return;
    depth_ *= success ? kDeepen : kRaise;
    mark_ = best_;
    failures_ = 0.0;
  }

  void deflect(std::span<const double> subgradient) {
    const double norm = dot(direction_, direction_);
    const double back = norm > 0.0 ? std::max(0.0, -kDeflection * dot(direction_, subgradient) / norm) : 0.0;
    for (std::size_t m = 0; m < direction_.size(); ++m) direction_[m] = subgradient[m] + back * direction_[m];
    if (dot(direction_, direction_) <= 1e-12 * dot(subgradient, subgradient))
      std::ranges::copy(subgradient, direction_.begin());
  }

  std::vector<double> direction_;
  double size_, best_ = kInfinity, depth_ = kInfinity;
  double mark_ = kInfinity;  // the best bound when the depth changed last
  double failures_ = 0.0;    // since then
};

class Minimizer {
 public:
  Minimizer(const PatternProblem& problem, LabelDual& dual, const LabelOptions& options, const Limits& limits)
      : problem_(problem),
        dual_(dual),
        options_(options),
        limits_(limits),
        scores_(measure(problem)),
        search_(problem),
        multiplier_(dual.start()),
        subgradient_(multiplier_.size()),
        label_(problem.vertices()) {
    if (options.rule == LabelStep::Rush)
      step_ = std::make_unique<RushStep>(options.step * scores_.mean);
    else
      step_ = std::make_unique<LevelStep>(multiplier_.size(), scores_.mean);
  }

  LabelOutcome run() {
    bool solved = false;
    try {
      solved = iterate();
      if (best_.status != Status::Infeasible) polish();
    } catch (const Stopped&) {  // in the middle of an evaluation: what was known before it counts
    }
    if (best_.status != Status::Infeasible && best_.bound == -kInfinity) best_.bound = kInfinity;  // no proof
    best_.seconds = watch_.seconds();
    if (best_.status != Status::Infeasible) judge(best_, slack(best_.objective), solved);
    return std::move(best_);
  }

 private:
  static constexpr double kShare = 0.8;  // of the time; the rest is for the search

  double slack(double objective) const {
    return tolerance_of(objective, scores_.unit);
  }
  // By how much a bound may be too low because numbers are rounded: a step rule whose target is out of reach may
  // drive the multipliers far away, where they cancel badly.
  double rounding() const {
    double size = scores_.size;
    for (double value : multiplier_) size += std::abs(value);
    return 2e-15 * size;
  }
  // Whether the bound proves that there is no labeling: it is below the least that one can score, by more than both may
  // be wrong.
  bool is_below_all(double error) const {
    return std::isfinite(error) && best_.objective == -kInfinity &&
           best_.bound < scores_.least - slack(scores_.least) - 2e-15 * scores_.size - error;
  }
  // Whether no more than a small share of the gap is hoped for. A relaxation that is nearly tight may well be tight:
  // then the rule is told to hope for the whole gap, some times over.
  bool is_hopeless() {
    constexpr double kNearlyTight = 1e-4;
    const double size = std::max(std::abs(best_.bound), scores_.unit.least), gap = best_.bound - best_.objective;
    if (step_->hope() > std::max(options_.tolerance * std::min(gap, size), 1e-10 * size)) return false;
    if (gap > kNearlyTight * size || chances_ == 0) return true;
    --chances_;
    step_->hope_for(gap);
    return false;
  }
  double root_mean(double sum) const {
    return std::sqrt(sum / std::max<double>(1.0, static_cast<double>(multiplier_.size())));
  }

  // True when the dual is solved.
  bool iterate() {
    bool solved = false, stopped = false;
    for (std::int64_t t = 1; t <= limits_.iterations && !solved && !stopped; ++t) {
      best_.iterations = t;
      const double bound = dual_.evaluate(multiplier_, subgradient_, label_);
      const double error = rounding();
      best_.bound = std::min(best_.bound, bound + error);
      if (is_below_all(error)) {
        refute();
        return false;
      }
      const double disagreement = dot(subgradient_, subgradient_);
      look_at_labels(t);
      const bool agreed = disagreement == 0.0;  // nothing moves any more
      const double moved =
          agreed ? 0.0 : step_->move(multiplier_, bound, subgradient_, best_.objective);
      solved = agreed || is_hopeless();
      const Progress now{t, watch_.seconds(), best_.objective, best_.bound, root_mean(disagreement),
                         root_mean(moved * moved)};
      if (limits_.trace) best_.trace.push_back(now);
      if (best_.bound - best_.objective <= std::max(limits_.gap, slack(best_.objective))) break;
      stopped = now.seconds > kShare * limits_.seconds || !goes_on(now);
    }
    if (best_.iterations == 0) best_.bound = dual_.evaluate(multiplier_, subgradient_, label_) + rounding();
    return solved;
  }

  // Every labeling is scored; a climb, which costs more, follows a new best one and at times another.
  void look_at_labels(std::int64_t t) {
    constexpr std::int64_t kClimbEvery = 5;
    if (problem_.score(label_) > best_.objective || t % kClimbEvery == 1) search_.offer(label_);
    take_answer();
  }

  void take_answer() {
    if (search_.objective() <= best_.objective) return;
    best_.objective = search_.objective();
    best_.label = search_.best();
  }

  // What is not proved is worth a longer search: for a share of the work that was done, or for the time that is left.
  void polish() {
    constexpr std::int64_t kLeast = 50, kUnlimited = std::int64_t{1} << 50;
    if (best_.iterations == 0 || best_.bound - best_.objective <= slack(best_.objective)) return;
    const auto size = problem_.state_score.size() + problem_.cells.size() + problem_.pattern_states.size();
    const bool out_of_time = watch_.seconds() > kShare * limits_.seconds;
    const auto budget = static_cast<std::int64_t>(size) * (kLeast + best_.iterations / 4);
    search_.run(out_of_time ? kUnlimited : budget, [&] {
      return watch_.seconds() < limits_.seconds && (!limits_.keep_going || limits_.keep_going());
    });
    take_answer();
    if (!best_.trace.empty()) best_.trace.back().objective = best_.objective;
  }

  bool goes_on(const Progress& now) const {
    if (limits_.report && now.iteration % limits_.report_every == 0 && !limits_.report(now)) return false;
    return !limits_.keep_going || limits_.keep_going();
  }

  void refute() {
    best_.status = Status::Infeasible;
    best_.bound = best_.objective = -kInfinity;
    best_.label.clear();
  }

  const Stopwatch watch_;
  const PatternProblem& problem_;
  LabelDual& dual_;
  const LabelOptions& options_;
  const Limits& limits_;
  const Scores scores_;
  PrimalSearch search_;
  std::unique_ptr<Step> step_;
  std::vector<double> multiplier_, subgradient_;
  std::vector<std::int32_t> label_;
  std::int32_t chances_ = 3;
  LabelOutcome best_;
};

}  // namespace

LabelOutcome minimize(const PatternProblem& problem, LabelDual& dual, const LabelOptions& options,
                      const Limits& limits) {
  return Minimizer(problem, dual, options, limits).run();
}

}  // namespace treaty::solve
