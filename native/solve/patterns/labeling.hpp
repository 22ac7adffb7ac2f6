// A labeling of a pattern problem under change: what every label of every vertex would be worth is known at all times.
//
// A move costs as much as the scores that it touches; gains of all other moves cost nothing. Forbidden combinations
// are counted apart from scores, so that a search may pass through them at a price of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

class Labeling {
 public:
  explicit Labeling(const PatternProblem& problem);

  std::int32_t vertices() const { return problem_.vertices(); }
  std::int32_t labels(std::int32_t v) const { return problem_.labels(v); }
  std::int32_t first(std::int32_t v) const { return problem_.first[v]; }
  bool has_labels() const { return has_labels_; }  // every vertex has a label that is not forbidden
  bool allowed(std::int32_t state) const { return problem_.state_score[state] != -kInfinity; }
  // Vertices with a choice.
  std::span<const std::int32_t> open() const { return open_; }

  void set(std::span<const std::int32_t> label);
  std::span<const std::int32_t> label() const { return label_; }
  std::int32_t label(std::int32_t v) const { return label_[v]; }
  double score() const { return score_; }                   // without what is forbidden
  std::int64_t breaches() const { return breaches_; }       // how often something forbidden is taken
  double exact_score() const;                               // summed anew; -inf with a breach

  // What a state is worth and what it breaches, if its vertex takes it and all others stay.
  double value(std::int32_t state) const { return value_[state]; }
  std::int32_t breach(std::int32_t state) const { return breach_[state]; }
  const std::vector<double>& values() const { return value_; }
  const std::vector<std::int32_t>& all_breaches() const { return breach_; }
  double gain(std::int32_t v, std::int32_t to, double price) const {
    const auto here = first(v) + label_[v], there = first(v) + to;
    return value_[there] - value_[here] - price * (breach_[there] - breach_[here]);
  }
  void move(std::int32_t v, std::int32_t to);
  std::int64_t cost(std::int32_t v) const { return cost_[v]; }  // of a move, in states looked at

  std::span<const std::int32_t> neighbors(std::int32_t v) const {
    return {neighbor_of_.data() + neighbor_begin_[v], static_cast<std::size_t>(neighbor_begin_[v + 1] - neighbor_begin_[v])};
  }
  // Adds the scores that the labels of two neighbors have together while all others stay, a row per label of u.
  // Without patterns that is their table.
  void add_pair(std::int32_t u, std::int32_t v, double price, std::span<double> cells) const;

  double least() const { return least_; }              // a smaller gain may be rounding
  double prohibitive() const { return prohibitive_; }  // more than any labeling gains by one breach
  double typical() const { return typical_; }          // mean size of the scores that are not zero

 private:
  struct Arc {
    std::int32_t to;
    std::int64_t cells;  // a row per label of the tail
  };

  void add_arcs();
  void index_patterns();
  void find_neighbors();
  void recompute();
  void add_row(const Arc& arc, std::int32_t label, int sign);
  void count_pattern(std::int32_t p, std::int32_t state, int sign);
  void add_to(std::int32_t state, std::int32_t p, int sign);
  const Arc* find_arc(std::int32_t u, std::int32_t v) const;

  const PatternProblem& problem_;
  std::vector<std::int32_t> vertex_of_;
  std::vector<std::int64_t> arc_begin_;
  std::vector<Arc> arcs_;             // by tail, then head
  std::vector<double> cells_;         // 0 where forbidden
  std::vector<std::uint8_t> forbids_;  // by cell; empty if nothing is
  std::vector<std::int64_t> pattern_begin_;
  std::vector<std::int32_t> pattern_of_, missing_;
  std::vector<std::int32_t> neighbor_begin_, neighbor_of_, open_;
  std::vector<std::int32_t> label_, breach_;
  std::vector<double> value_;
  std::vector<std::int64_t> cost_;
  double score_ = 0.0, prohibitive_, least_, typical_ = 1.0;
  std::int64_t breaches_ = 0, moves_ = 0;
  bool has_labels_ = true;
};

}  // namespace treaty::solve
