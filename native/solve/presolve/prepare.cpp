#include "solve/presolve/prepare.hpp"

#include <algorithm>
#include <cmath>

#include "graph/categoricals.hpp"
#include "graph/factors.hpp"
#include "graph/stop.hpp"
#include "solve/presolve/propagate.hpp"

namespace treaty::solve {

using graph::Facts, graph::poll, graph::Remains;
using Literals = std::vector<std::int32_t>;

// Builds a Prepared in two passes: substitution of fixed and equal variables into canonical factors, then
// folding of outputs that only one factor sees.
class Preparation {
 public:
  Preparation(const Graph& source, Facts facts, Prepared& result)
      : source_(source), out_(result), remains_(std::move(facts)) {}

  bool run() {
    if (!find_equal_literals()) return false;
    remains_.graph.largest_score = kSums;
    number_variables();
    add_uncovered_categoricals();
    remains_.graph.oracles = source_.oracles;
    for (std::int32_t f = 0; f < source_.factors() && !remains_.infeasible; ++f) {
      remains_.current = f;
      const auto view = source_.factor(f);
      poll(32 + view.degree() + static_cast<std::int64_t>(view.data.size()));
      visit(view.kind, [&](auto factor) { factor.leave(view, remains_); });
    }
    if (remains_.infeasible) return false;
    fold_outputs();
    out_.graph = std::move(remains_.graph);
    out_.origin = std::move(remains_.origin);
    out_.literal_of_ = std::move(remains_.literal_of);
    out_.constant = remains_.constant;
    scale_scores();
    return true;
  }

 private:
  static constexpr double kSums = 1e120;  // sums of a user's scores

  bool find_equal_literals() {
    auto& facts = remains_.facts;
    for (std::size_t c = 0; c < source_.categorical_first.size(); ++c)
      if (!facts.last_two_differ(graph::states_of(source_, static_cast<std::int32_t>(c)))) return false;
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      const auto view = source_.factor(f);
      poll(8 + view.degree());
      if (!visit(view.kind, [&](auto factor) { return factor.equate(view, facts); })) return false;
    }
    return true;
  }

  void number_variables() {
    const auto n = source_.variables();
    std::vector<std::uint8_t> kept(n, 0);  // fixed, but a structured factor needs a variable to speak of
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      poll(4);
      if (visit(source_.kind[f], [](auto factor) { return factor.keeps_fixed; }))
        for (auto literal : source_.factor(f).literals) kept[literal >> 1] = 1;
    }
    auto& map = remains_.literal_of;
    map.assign(n, Remains::kOff);
    for (std::int32_t v = 0; v < n; ++v) {
      if (v % 256 == 0) poll(16 * 256);
      const auto value = remains_.facts.value(v);
      const auto root = value < 0 ? remains_.facts.representative(2 * v) : 2 * v;
      if (value >= 0 && !kept[v]) {
        map[v] = value ? Remains::kOn : Remains::kOff;
        remains_.constant += value ? source_.score[v] : 0.0;
        continue;
      }
      if (root != 2 * v) {  // parents come first: smaller numbers are the roots
        map[v] = map[root >> 1] ^ (root & 1);
      } else {
        const double zero = 0.0;
        map[v] = 2 * remains_.graph.add_variables({&zero, 1});
        if (value >= 0) remains_.graph.fix(map[v] >> 1, value);
      }
      remains_.add_score(map[v], source_.score[v]);
    }
  }

  void add_uncovered_categoricals() {
    for (auto c : graph::uncovered_categoricals(source_)) {
      remains_.current = Prepared::kCategorical + c;
      const auto open = remains_.open_of(graph::states_of(source_, c));
      if (open.on == 0) remains_.add_exactly(1, open.literals);
    }
  }

  // An output seen by its own factor alone is a function of the inputs: score * OR(inputs) =
  // score - score * AND(negated inputs).
  void fold_outputs() {
    Graph& graph = remains_.graph;
    std::vector<std::int32_t> uses(graph.variables(), 0);
    for (auto literal : graph.literals) ++uses[literal >> 1];
    Graph folded;
    folded.largest_score = kSums;
    folded.add_variables(graph.score);
    folded.evidence = graph.evidence;
    folded.oracles = graph.oracles;
    std::vector<std::int32_t> origin;
    std::swap(graph, folded);
    std::swap(origin, remains_.origin);
    for (std::int32_t f = 0; f < folded.factors(); ++f) {
      const auto factor = folded.factor(f);
      poll(32 + factor.degree() + static_cast<std::int64_t>(factor.data.size()));
      remains_.current = origin[f];
      if (factor.kind != graph::kind_of<graph::OrWithOutput> || uses[factor.literals.back() >> 1] != 1) {
        remains_.add(factor.kind, factor.literals, factor.data, factor.shape);
        continue;
      }
      Literals inputs(factor.literals.begin(), factor.literals.end() - 1);
      const auto output = factor.literals.back();
      double score = graph.score[output >> 1];
      graph.score[output >> 1] = 0.0;
      if (output & 1) {
        remains_.constant += score;
        score = -score;
      }
      out_.folded_.push_back({output, inputs, score});
      remains_.constant += score;
      for (auto& literal : inputs) literal ^= 1;
      remains_.add_reward(std::move(inputs), -score);
    }
  }

  void scale_scores() {
    if (!out_.graph.oracles.empty()) return;
    double largest = 0.0;
    for_each_score([&](double& score) { largest = std::max(largest, std::abs(score)); });
    if (largest == 0.0) return;
    out_.scale = std::ldexp(1.0, std::min(512, -std::ilogb(largest)));  // 1 / denormal is infinite
    for_each_score([&](double& score) { score *= out_.scale; });
  }

  template <class See>
  void for_each_score(See see) {
    Graph& graph = out_.graph;
    for (double& score : graph.score) see(score);
    for (std::int32_t f = 0; f < graph.factors(); ++f) {
      poll(4 + graph.data_begin[f + 1] - graph.data_begin[f]);
      if (!visit(graph.kind[f], [](auto factor) { return factor.data_are_scores; })) continue;
      for (auto i = graph.data_begin[f]; i < graph.data_begin[f + 1]; ++i)
        if (graph.data[i] != -kInfinity) see(graph.data[i]);
    }
  }

  const Graph& source_;
  Prepared& out_;
  Remains remains_;
};

Prepared::Prepared(const Graph& source) {
  Propagator propagator(source);
  infeasible = !propagator.start() || !Preparation(source, Facts(propagator.values()), *this).run();
}

std::vector<double> Prepared::expand(std::span<const double> values) const {
  std::vector<double> all(values.begin(), values.end());
  auto value = [&](std::int32_t literal) { return (literal & 1) ? 1.0 - all[literal >> 1] : all[literal >> 1]; };
  for (const auto& folded : folded_) {
    double most = 0.0, total = 0.0;
    for (auto literal : folded.inputs) {
      most = std::max(most, value(literal));
      total += value(literal);
    }
    // Between max and sum the output is free in the relaxation: it takes the end its score likes.
    const double out = folded.score > 0.0 ? std::min(1.0, total) : most;
    all[folded.variable >> 1] = (folded.variable & 1) ? 1.0 - out : out;
  }
  std::vector<double> expanded(literal_of_.size());
  for (std::size_t v = 0; v < expanded.size(); ++v)
    expanded[v] = literal_of_[v] < 0 ? (literal_of_[v] == Remains::kOn ? 1.0 : 0.0) : value(literal_of_[v]);
  return expanded;
}

std::vector<double> Prepared::reduce(std::span<const double> values) const {
  std::vector<double> reduced(graph.variables(), 0.0);
  for (std::size_t v = 0; v < literal_of_.size(); ++v)
    if (literal_of_[v] >= 0) reduced[literal_of_[v] >> 1] = (literal_of_[v] & 1) ? 1.0 - values[v] : values[v];
  return reduced;
}

}  // namespace treaty::solve
