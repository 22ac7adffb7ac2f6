// Anytime search for good labelings.
//
// A region of the graph is kicked out of place, and settles again by single labels, by forests that are solved exactly
// (solve/patterns/tree_move.hpp) and by tabu search (Glover 1989); it is taken back if nothing is gained. When that stops
// paying, the labeling is crossed with earlier good ones, component by component of where they differ, and the search
// starts anew from somewhere else. The same budget gives the same answer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "solve/patterns/cut_move.hpp"
#include "solve/patterns/labeling.hpp"
#include "solve/patterns/tree_move.hpp"

namespace treaty::solve {

class PrimalSearch {
 public:
  explicit PrimalSearch(const PatternProblem& problem, std::uint64_t seed = 1);

  // Climbs from a labeling; true if it leads to the best so far.
  bool offer(std::span<const std::int32_t> label);
  // Searches on for about `budget` states looked at, or until told to stop; true if the best was bettered.
  bool run(std::int64_t budget, const std::function<bool()>& keep_going = nullptr);

  // The best labeling and its score; -inf while none breaks no rule.
  double objective() const { return objective_; }
  const std::vector<std::int32_t>& best() const { return best_; }
  // States looked at so far.
  std::int64_t spent() const { return spent_; }

 private:
  using Move = TreeMove::Move;
  struct Elite {
    double merit;
    std::vector<std::int32_t> label;
  };

  // A breach costs more than can be gained by it.
  double merit() const { return labeling_.score() - labeling_.prohibitive() * static_cast<double>(labeling_.breaches()); }
  double gain(std::int32_t v, std::int32_t to) const { return labeling_.gain(v, to, labeling_.prohibitive()); }
  void move(std::int32_t v, std::int32_t to);
  void take_back(std::size_t journal_length);
  void note();

  void round();
  void choose_region();
  void kick();
  void settle();
  void descend(std::span<const std::int32_t> from);
  void grow_trees(std::span<const std::int32_t> region, int patience);
  void tabu(std::int64_t iterations);
  struct Candidate {
    std::int32_t vertex = -1, label = 0;
    double gain = -kInfinity;
  };
  Candidate best_candidate(std::int64_t now, double merit, double aspired);

  void stagnate();
  void keep_elite();
  bool cross(std::span<const std::int32_t> other);
  bool mix(std::span<const std::int32_t> other);
  void expand();
  void relink(std::span<const std::int32_t> other);
  void restart();
  void start_greedily();
  std::int32_t random_label(std::int32_t v);

  Labeling labeling_;
  TreeMove trees_;
  CutMove cuts_;
  std::int32_t most_labels_ = 0, expanded_ = 0, refused_;  // the next label to expand; how many did not help in a row
  bool is_cut_useful_;
  SplitMix random_;
  std::vector<std::int32_t> best_;
  double objective_ = -kInfinity;
  std::vector<Elite> elites_;
  std::vector<Move> journal_;
  std::vector<std::int32_t> region_, queue_, component_;
  std::vector<std::uint8_t> queued_;
  std::vector<std::int64_t> tabu_until_;  // by state
  std::vector<std::int64_t> seen_;        // by vertex, when it was met last
  std::int64_t time_ = 0;                 // of tabu moves
  std::int64_t visits_ = 0;
  std::int64_t budget_ = 0, spent_ = 0, idle_ = 0;
  double price_;
  bool improved_ = false, started_ = false;
};

}  // namespace treaty::solve
