#include "solve/presolve/harden.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "graph/factors.hpp"
#include "graph/stop.hpp"
#include "solve/judge.hpp"

namespace treaty::solve {
namespace {

using graph::FactorView, graph::kind_of;

constexpr double kBreak = 1e3;     // between the smallest loss of a level and the next one
constexpr double kDominance = 16;  // of the smallest loss over the sum of all that remain
constexpr std::size_t kMostLevels = 4;

// What an assignment may lose at one place, and what forbids it.
struct Loss {
  enum class Where : std::uint8_t { Variable, Reward, Datum, Nowhere };
  double size;
  Where where;
  bool value;          // of the variable, when it loses nothing
  std::int64_t index;  // of the variable, the reward's factor or the datum
};

class Losses {
 public:
  // Custom factors are asked for their best score, which takes time, or left out.
  Losses(const Graph& graph, bool with_custom) : graph_(graph), with_custom_(with_custom) {}

  // Calls see(loss) for each loss; returns the sum of the maxima, an upper bound on every assignment's score.
  template <class See>
  double for_each(See see) const {
    Sum most;
    variables(see, most);
    for (std::int32_t f = 0; f < graph_.factors(); ++f) most.add(factor(f, see));
    return most.value();
  }

 private:
  template <class See>
  void variables(See see, Sum& most) const {
    std::vector<std::uint8_t> lone(graph_.score.size(), 1);
    for (std::size_t c = 0; c < graph_.categorical_first.size(); ++c) {
      const auto first = graph_.categorical_first[c], last = first + graph_.categorical_size[c];
      std::fill(lone.begin() + first, lone.begin() + last, 0);
      most.add(categorical(first, last, see));
    }
    for (std::int32_t v = 0; v < graph_.variables(); ++v) {
      if (!lone[v]) continue;
      const double score = graph_.score[v];
      if (graph_.evidence[v] >= 0) {
        most.add(graph_.evidence[v] * score);
      } else {
        most.add(std::max(0.0, score));
        see(Loss{std::abs(score), Loss::Where::Variable, score > 0.0, v});
      }
    }
  }

  template <class See>
  double categorical(std::int32_t first, std::int32_t last, See see) const {
    double most = -kInfinity;
    for (auto v = first; v < last; ++v) {
      if (graph_.evidence[v] == 1) return graph_.score[v];
      if (graph_.evidence[v] < 0) most = std::max(most, graph_.score[v]);
    }
    if (most == -kInfinity) return 0.0;  // no state is left: infeasible
    for (auto v = first; v < last; ++v)
      if (graph_.evidence[v] < 0) see(Loss{most - graph_.score[v], Loss::Where::Variable, false, v});
    return most;
  }

  template <class See>
  double factor(std::int32_t f, See see) const {
    const auto view = graph_.factor(f);
    poll(16 + static_cast<std::int64_t>(view.data.size()));
    if (view.kind == kind_of<graph::Reward>) return reward(f, view, see);
    if (view.kind == kind_of<graph::Table>) return table(f, view, see);
    return visit(view.kind, [&](auto kind) {
      if constexpr (kind.hides_scores) return with_custom_ ? custom(view, see) : 0.0;
      else return kind.data_are_scores ? sum(f, view, kind.may_forbid, see) : 0.0;
    });
  }

  template <class See>
  double reward(std::int32_t f, const FactorView& view, See see) const {
    bool fixed = true;
    for (auto literal : view.literals) {
      const auto evidence = graph_.evidence[literal >> 1];
      if (evidence >= 0 && evidence == (literal & 1)) return 0.0;  // the literal is off
      fixed = fixed && evidence >= 0;
    }
    const double weight = view.data[0];
    if (fixed) return weight;
    see(Loss{std::abs(weight), Loss::Where::Reward, weight > 0.0, f});
    return std::max(0.0, weight);
  }

  template <class See>
  double table(std::int32_t f, const FactorView& view, See see) const {
    const double most = std::ranges::max(view.data);
    if (most == -kInfinity) return 0.0;  // infeasible
    for (std::size_t i = 0; i < view.data.size(); ++i)
      if (view.data[i] != -kInfinity) see(Loss{most - view.data[i], Loss::Where::Datum, false, datum(f, i)});
    return most;
  }

  // A configuration's score is a sum of some of the data.
  template <class See>
  double sum(std::int32_t f, const FactorView& view, bool may_forbid, See see) const {
    Sum most;
    for (std::size_t i = 0; i < view.data.size(); ++i) {
      const double score = view.data[i];
      if (score == -kInfinity) continue;
      most.add(std::max(0.0, score));
      const bool can = may_forbid && score < 0.0;
      see(Loss{std::abs(score), can ? Loss::Where::Datum : Loss::Where::Nowhere, false, datum(f, i)});
    }
    return most.value();
  }

  // Its scores are hidden; the best one is known.
  template <class See>
  double custom(const FactorView& view, See see) const {
    graph::Configuration best;
    const std::vector<double> zeros(view.literals.size(), 0.0);
    graph::Custom::oracle(view)->maximize(zeros, best);
    if (best.score == -kInfinity) return 0.0;
    see(Loss{std::abs(best.score), Loss::Where::Nowhere, false, 0});
    return best.score;
  }

  std::int64_t datum(std::int32_t f, std::size_t i) const { return graph_.data_begin[f] + static_cast<std::int64_t>(i); }

  const Graph& graph_;
  bool with_custom_;
};

// Whether some sizes are far from all larger ones: a gap in their binary exponents, found without sorting them.
bool has_break(const Losses& losses) {
  constexpr int kExponents = 1 << 11, kGap = 9;  // 2^9 < kBreak
  std::bitset<kExponents> seen;
  losses.for_each([&](const Loss& loss) { seen.set((std::bit_cast<std::uint64_t>(loss.size) >> 52) & (kExponents - 1)); });
  seen.reset(0);  // zeros
  for (int exponent = 1, last = kExponents; exponent < kExponents; ++exponent) {
    if (!seen[exponent]) continue;
    if (exponent - last > kGap) return true;
    last = exponent;
  }
  return false;
}

// Makes the graph of a level; nothing when its constraints contradict each other.
class Hardening {
 public:
  explicit Hardening(const Graph& source) : source_(source), data_(source.data), forbidden_(source.factors(), 0) {
    out_.graph.evidence = source.evidence;
    out_.graph.score = source.score;
  }

  std::optional<Hardened> run(std::span<const Loss> level, double most) {
    for (const auto& loss : level)
      if (!forbid(loss)) return std::nullopt;
    copy_factors();
    out_.limit = most - level.back().size;
    return std::move(out_);
  }

 private:
  bool forbid(const Loss& loss) {
    if (loss.where == Loss::Where::Datum) {
      data_[loss.index] = -kInfinity;
      return true;
    }
    if (loss.where == Loss::Where::Variable) return fix(static_cast<std::int32_t>(loss.index), loss.value);
    if (!loss.value) {
      forbidden_[loss.index] = 1;
      return true;
    }
    const auto f = static_cast<std::int32_t>(loss.index);
    double& weight = data_[source_.data_begin[f]];
    out_.constant += weight;
    weight = 0.0;
    return std::ranges::all_of(source_.factor(f).literals, [&](auto literal) { return fix(literal >> 1, !(literal & 1)); });
  }

  // The score of a fixed variable is a constant.
  bool fix(std::int32_t v, bool value) {
    auto& evidence = out_.graph.evidence[v];
    if (evidence >= 0) return evidence == value;
    evidence = value;
    if (value) out_.constant += out_.graph.score[v];
    out_.graph.score[v] = 0.0;
    return true;
  }

  void copy_factors() {
    Graph& graph = out_.graph;
    graph.categorical_first = source_.categorical_first;
    graph.categorical_size = source_.categorical_size;
    graph.oracles = source_.oracles;
    std::vector<std::int32_t> negated;
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      const auto view = source_.factor(f);
      poll(32 + view.degree() + static_cast<std::int64_t>(view.data.size()));
      if (forbidden_[f]) {
        negated.assign(view.literals.begin(), view.literals.end());
        for (auto& literal : negated) literal ^= 1;
        graph.add(kind_of<graph::AtLeastOne>, negated, {}, {});
      } else {
        graph.add(view.kind, view.literals, std::span(data_).subspan(source_.data_begin[f], view.data.size()), view.shape);
      }
    }
  }

  const Graph& source_;
  std::vector<double> data_;
  std::vector<std::uint8_t> forbidden_;  // rewards that no answer may pay
  Hardened out_;
};

}  // namespace

double sum_of_maxima(const Graph& graph) {
  constexpr double kSeconds = 0.1;
  double most = kInfinity, size = 0.0;
  try {
    Stop stop(graph.oracles.empty() ? kInfinity : kSeconds);
    const StopScope scope(graph.oracles.empty() ? nullptr : &stop);
    most = Losses(graph, true).for_each([&](const Loss& loss) { size += loss.size; });
  } catch (const Stopped&) {
  }
  return most + rounding_of(size + std::abs(most));
}

std::vector<Hardened> harden(const Graph& graph) {
  if (!has_break(Losses(graph, false))) return {};
  std::vector<Loss> all;
  const double most = Losses(graph, true).for_each([&](const Loss& loss) {
    if (loss.size > 0.0) all.push_back(loss);
  });
  std::ranges::stable_sort(all, std::ranges::greater(), &Loss::size);
  std::vector<double> rest(all.size() + 1, 0.0);  // the sum of the losses from here on, small ones first
  for (std::size_t i = all.size(); i-- > 0;) rest[i] = rest[i + 1] + all[i].size;

  std::vector<Hardened> levels;
  for (std::size_t i = all.size(); i-- > 1 && levels.size() < kMostLevels;) {
    const bool ends = all[i - 1].size > kBreak * all[i].size && all[i - 1].size > kDominance * rest[i];
    const std::span level(all.data(), i);
    if (!ends || std::ranges::find(level, Loss::Where::Nowhere, &Loss::where) != level.end()) continue;
    if (auto hardened = Hardening(graph).run(level, most)) levels.push_back(std::move(*hardened));
  }
  return levels;
}

}  // namespace treaty::solve
