// Soft arc consistency: a bound that follows every decision of a search at little cost.
//
// Scores become costs, in integers, so that moving them about loses nothing. Tables give what all their cells of a
// label cost to that label, labels give what all of a vertex cost to the floor, which no labeling is below; and a label
// may lend its cost to a table so that another vertex can collect it (Larrosa & Schiex 2003: full directional
// consistency; de Givry et al. 2005: existential). A label that would cost the top or more is removed. All changes stand
// on a trail and can be undone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/search/bucket_forest.hpp"
#include "solve/patterns/pattern_problem.hpp"

namespace treaty::solve {

// A set of small numbers that gives its least or its greatest member.
class NumberSet {
 public:
  explicit NumberSet(std::int32_t size) : words_(static_cast<std::size_t>(size) / 64 + 1, 0) {}
  bool empty() const { return count_ == 0; }
  void insert(std::int32_t number);
  std::int32_t pop_least();
  std::int32_t pop_greatest();
  void clear();

 private:
  std::int32_t take(std::size_t word, int bit);
  std::vector<std::uint64_t> words_;
  std::int64_t count_ = 0;
};

class Consistency {
 public:
  using Cost = std::int64_t;

  // The potentials of the problem must hold all its tables and patterns.
  Consistency(const PatternProblem& problem, std::span<const Potential> potentials);

  // Costs as scores: `score(floor())` may be too low by `error()`, as costs are rounded.
  double score(Cost cost) const { return offset_ - static_cast<double>(cost) / scale_; }
  double error() const { return error_; }
  // The least cost that is no better than a score.
  Cost cost_of(double score) const;

  Cost floor() const { return floor_; }
  bool alive(std::int32_t state) const { return alive_[state]; }
  std::span<const std::uint8_t> alive() const { return alive_; }
  Cost cost(std::int32_t state) const { return cost_[state]; }
  std::int32_t choices(std::int32_t v) const { return choices_[v]; }
  // The least cost of what was removed because of the top; kNothing if nothing was.
  static constexpr Cost kNothing = Cost{1} << 60;
  Cost least_removed() const { return least_removed_; }
  // Where the last contradiction was met, and from where it came.
  std::int32_t conflict() const { return conflict_; }
  std::int32_t cause() const { return cause_; }
  // Cells looked at so far.
  std::int64_t work() const { return work_; }

  // Labelings must cost less than this; it never rises.
  void set_top(Cost top);
  // Tightens the floor by a sweep over all vertices (Kolmogorov 2015), for good; false if no labeling is left.
  bool sweep(bool forward);
  // Removes a label, or all others of its vertex. Follow by propagate().
  void remove(std::int32_t state);
  void take(std::int32_t state);
  // Draws all conclusions; false if no labeling is left.
  bool propagate();

  // What has changed so far is not undone any more.
  void commit() { trail_.clear(); }
  std::size_t mark() const { return trail_.size(); }
  void undo(std::size_t mark);

 private:
  struct Arc {  // a table of a pair, seen from one end
    std::int32_t to, back;     // the other end; the same table seen from there
    std::int64_t cells;        // a row per label here
    std::int64_t here, there;  // what it gave to the labels of the two ends
  };
  struct Large {  // a table of three or more
    std::vector<std::int32_t> vertices;
    std::vector<std::int64_t> given;  // by vertex, where that begins
    std::int64_t cells;
  };
  struct Old {
    Cost* place;  // or null: a label was removed
    Cost value;
  };

  void add_costs(std::span<const double> scores);
  void add_pair(const Potential& potential);
  void add_large(const Potential& potential);
  void set(Cost& place, Cost value) {
    trail_.push_back({&place, place});
    place = value;
  }
  Cost* given(std::int64_t begin) { return given_.data() + begin; }
  void raise(std::int32_t state, Cost& given, Cost by);
  bool lift_floor(std::int32_t v);
  bool prune(std::int32_t v);
  bool collect_all(std::int32_t v);
  void lend(std::int32_t v, bool forward);

  bool collect(const Arc& arc, std::int32_t v);
  bool collect_fully(const Arc& arc, std::int32_t v);
  void minima(const Arc& arc, std::int32_t v, bool with_costs);
  bool collect(const Large& table, std::size_t axis);
  bool collect_fully(const Large& table, std::size_t axis);
  std::size_t stride(const Large& table, std::size_t axis) const;
  void axis_minima(const Large& table, std::size_t axis);
  void shift(const Large& table, std::size_t axis, std::span<const Cost> by);
  void reduce(const Large& table);
  Cost missing_support(std::int32_t v);
  void changed(std::int32_t v);
  void wake(std::int32_t v);
  void wake_all();
  bool settle();
  bool visit_removed(std::int32_t v);
  bool visit_raised(std::int32_t v);
  bool visit_unsure(std::int32_t v);
  bool visit_large(const Large& table);
  void forget();

  const PatternProblem& problem_;
  std::vector<std::int64_t> arc_begin_;
  std::vector<Arc> arcs_;
  std::vector<Large> large_;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> large_of_;  // by vertex: table and axis
  std::vector<Cost> cells_, given_, cost_;
  std::vector<std::uint8_t> alive_;
  std::vector<std::int32_t> choices_, vertex_of_;
  Cost floor_ = 0, top_ = 0, least_removed_ = 0;
  double offset_ = 0.0, scale_ = 1.0, error_ = 0.0;
  std::vector<Old> trail_;
  NumberSet removed_, raised_, unsure_, dirty_;  // vertices with fewer labels, higher costs; to look at; large tables
  bool all_to_prune_ = true;
  std::int32_t conflict_ = 0, cause_ = 0;
  std::int64_t work_ = 0, polled_ = 0;  // cells looked at; those of them that polls know of
  std::vector<Cost> row_, most_, reduced_;  // scratch
  std::vector<std::int64_t> place_, next_place_;
  std::vector<std::vector<std::int32_t>> axes_;
  std::vector<std::vector<Cost>> lent_;
};

}  // namespace treaty::solve
