// The modifiers of a head on one side, from the head outwards, together with the head's own incoming arc:
// a grand-sibling head automaton (Martins, Almeida & Smith 2013, §3).
//
// shape = {grandparents G, modifiers M, 1 if there are grand-sibling scores}; literals = incoming arcs of the head (one
// is on, unless G = 0), then modifiers from the head outwards; data = scores of grandparent and modifier (G x M), of
// consecutive modifiers a < b in 0..M+1 (0 = START, M+1 = END; a first), and of those for each grandparent.
#pragma once

#include <algorithm>

#include "graph/maximum.hpp"
#include "graph/traits.hpp"

namespace treaty::graph {

// Viterbi over pairs of consecutive modifiers, once for each grandparent: O(G M^2). Cells of the table and of the chart
// keep the values of all grandparents side by side (lanes), so that several are processed at once in registers, even if
// there are few modifiers. Ties go to the first grandparent, and then, from the outermost modifier inwards, to the
// neighbor nearest to the head (START before all).
class HeadAutomatonOracle final : public Oracle {
 public:
  HeadAutomatonOracle(std::span<const double> data, std::span<const std::int32_t> shape)
      : grandparents_(static_cast<std::size_t>(shape[0])),
        end_(static_cast<std::size_t>(shape[1]) + 1),
        lanes_(std::max<std::size_t>(grandparents_, 1)),
        table_(first_cell(end_ + 1) * lanes_),
        chart_((end_ + 1) * lanes_) {
    const auto grandparent = data.first(grandparents_ * (end_ - 1));
    const auto sibling = data.subspan(grandparent.size(), first_cell(end_ + 1));
    const auto grand_sibling = data.subspan(grandparent.size() + sibling.size());
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      sum_scores(lane, grandparent.data(), sibling.data(), shape[2] ? grand_sibling.data() : nullptr);
  }

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    const double* const modifier_score = slot_score.data() + grandparents_;
    std::size_t lane = 0;
    for (; lane + 4 <= lanes_; lane += 4) advance<4>(lane, modifier_score);
    for (; lane + 2 <= lanes_; lane += 2) advance<2>(lane, modifier_score);
    if (lane < lanes_) advance<1>(lane, modifier_score);

    const double* const reached = &chart_[end_ * lanes_];
    double top = -kInfinity;
    std::size_t grandparent = 0;
    for (std::size_t g = 0; g < lanes_; ++g) {
      const double value = reached[g] + (grandparents_ ? slot_score[g] : 0.0);
      if (value > top) top = value, grandparent = g;
    }
    if (top == -kInfinity) return set_infeasible(best);
    trace_back(grandparent, best.on);
    best.score = evaluate(best.on);
  }

  double evaluate(std::span<const std::int32_t> on) override {
    std::size_t lane = 0, before = 0;
    if (grandparents_) {
      if (on.empty() || !is_incoming(on[0]) || (on.size() > 1 && is_incoming(on[1]))) return -kInfinity;
      lane = static_cast<std::size_t>(on[0]);
      on = on.subspan(1);
    }
    double score = 0.0;
    for (const auto slot : on) {
      const std::size_t modifier = static_cast<std::size_t>(slot) - grandparents_ + 1;
      score += table_[(first_cell(modifier) + before) * lanes_ + lane];
      before = modifier;
    }
    return score + table_[(first_cell(end_) + before) * lanes_ + lane];
  }

 private:
  // Cell (a, b), a < b, of the table is the one number first_cell(b) + a, so that all a lie together.
  static std::size_t first_cell(std::size_t b) { return b * (b - 1) / 2; }
  bool is_incoming(std::int32_t slot) const { return static_cast<std::size_t>(slot) < grandparents_; }

  // The sum of all scores of a step from a to b under one grandparent; the data have a first, the table b.
  void sum_scores(std::size_t lane, const double* grandparent, const double* sibling, const double* grand_sibling) {
    const std::size_t modifiers = end_ - 1;
    if (grand_sibling) grand_sibling += lane * first_cell(end_ + 1);
    for (std::size_t a = 0; a < end_; ++a) {
      std::size_t cell = first_cell(a + 1) + a;
      for (std::size_t b = a + 1; b <= end_; cell += b++) {
        double score = *sibling++;
        if (grand_sibling) score += *grand_sibling++;
        if (grandparents_ && b < end_) score += grandparent[lane * modifiers + b - 1];
        table_[cell * lanes_ + lane] = score;
      }
    }
  }

  // chart[b] = modifier_score[b] + max_{a < b} chart[a] + table[a, b], for kLanes grandparents.
  template <std::size_t kLanes>
  void advance(std::size_t lane, const double* modifier_score) {
    double* const chart = &chart_[lane];
    const double* cell = &table_[lane];
    std::fill_n(chart, kLanes, 0.0);
    for (std::size_t b = 1; b <= end_; ++b) {
      double best[kLanes];
      std::fill_n(best, kLanes, -kInfinity);
      const double* before = chart;
      for (std::size_t a = 0; a < b; ++a, before += lanes_, cell += lanes_)
        for (std::size_t k = 0; k < kLanes; ++k) {
          const double value = before[k] + cell[k];
          best[k] = value > best[k] ? value : best[k];
        }
      const double own = b < end_ ? modifier_score[b - 1] : 0.0;
      for (std::size_t k = 0; k < kLanes; ++k) chart[b * lanes_ + k] = best[k] + own;
    }
  }

  void trace_back(std::size_t lane, std::vector<std::int32_t>& on) const {
    on.clear();
    for (std::size_t b = end_; (b = best_before(b, lane)) > 0;)
      on.push_back(static_cast<std::int32_t>(grandparents_ + b - 1));
    if (grandparents_) on.push_back(static_cast<std::int32_t>(lane));
    std::ranges::reverse(on);
  }

  std::size_t best_before(std::size_t b, std::size_t lane) const {
    const double* const cell = &table_[first_cell(b) * lanes_ + lane];
    double top = -kInfinity;
    std::size_t best = 0;
    for (std::size_t a = 0; a < b; ++a) {
      const double value = chart_[a * lanes_ + lane] + cell[a * lanes_];
      if (value > top) top = value, best = a;
    }
    return best;
  }

  std::size_t grandparents_;
  std::size_t end_;            // positions: 0 = START, the modifiers, end_ = END
  std::size_t lanes_;          // one per grandparent; a single one when there are none
  std::vector<double> table_;  // all that a pair of consecutive modifiers scores: by b, a, lane
  std::vector<double> chart_;  // the best start of a configuration up to a position: by position, lane
};

struct HeadAutomaton : Structured {
  static constexpr const char* name = "head_automaton";
  static constexpr bool may_forbid = true;
  static void check(const Arguments& arguments) {
    const auto& shape = arguments.shape;
    arguments.require_length("sizes (incoming arcs, modifiers, flag)", shape.size(), 3);
    if (shape[0] < 0 || shape[1] < 0)
      arguments.refuse("the numbers of incoming arcs and of modifiers must not be negative");
    if (shape[2] != 0 && shape[2] != 1) arguments.refuse("the flag for grand-sibling scores is 0 or 1");
    const auto grandparents = static_cast<std::size_t>(shape[0]), modifiers = static_cast<std::size_t>(shape[1]);
    if (shape[2] && !grandparents) arguments.refuse("grand-sibling scores need grandparents");
    arguments.require_few();
    arguments.require_length("literals (incoming arcs, then modifiers)", arguments.literals.size(),
                             grandparents + modifiers);
    const auto pairs = (modifiers + 1) * (modifiers + 2) / 2;
    arguments.require_length("scores (grandparents, siblings, grand-siblings)", arguments.data.size(),
                             grandparents * modifiers + pairs + (shape[2] ? grandparents * pairs : 0));
    arguments.require_scores();
  }
  static std::unique_ptr<Oracle> oracle(const FactorView& factor) {
    return std::make_unique<HeadAutomatonOracle>(factor.data, factor.shape);
  }
  template <class See>
  static void use(const FactorView& factor, std::span<const std::int32_t> on, See see) {
    const auto grandparents = static_cast<std::size_t>(factor.shape[0]), modifiers = static_cast<std::size_t>(factor.shape[1]);
    const std::size_t pairs = (modifiers + 1) * (modifiers + 2) / 2, siblings = grandparents * modifiers;
    const std::size_t grandparent = grandparents ? static_cast<std::size_t>(on[0]) : 0;
    std::size_t before = 0;
    const auto step = [&](std::size_t to) {
      const std::size_t pair = before * (modifiers + 1) - before * (before - 1) / 2 - before + to - 1;
      see(siblings + pair);
      if (grandparents && to <= modifiers) see(grandparent * modifiers + to - 1);
      if (factor.shape[2]) see(siblings + (1 + grandparent) * pairs + pair);
      before = to;
    };
    for (auto slot : on.subspan(grandparents ? 1 : 0)) step(static_cast<std::size_t>(slot) - grandparents + 1);
    step(modifiers + 1);
  }
  static void imply(const FactorView& factor, Rows& rows) {
    if (factor.shape[0] > 0) rows.add(incoming(factor), 1, 1);
  }
  static bool equate(const FactorView& factor, Facts& facts) { return facts.last_two_differ(incoming(factor)); }

 private:
  static std::span<const std::int32_t> incoming(const FactorView& factor) {
    return factor.literals.first(static_cast<std::size_t>(factor.shape[0]));
  }
};

}  // namespace treaty::graph
