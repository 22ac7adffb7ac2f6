// Branch and bound for the best trees of a corpus under the DMV, and thus for the best grammar: the global optimum of
// Viterbi EM. Boxes of ratios are bounded by chords (choices.hpp) and cut in two; boxes that cannot contain anything
// better than the best known trees are closed (Gormley & Eisner 2013, section 3).
//
// The search proceeds in rounds. In a round, the nodes with the highest bounds are expanded and some runs of local
// search are made, independently and with what was known at the start of the round; then the results are combined in a
// fixed order. So the result does not depend on the number of threads, and a resumed search gives the same result as an
// uninterrupted run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "induce/archive.hpp"
#include "induce/bounder.hpp"
#include "induce/open_list.hpp"

namespace treaty::induce {

struct SearchOptions {
  double smoothing = 0.0;
  double relative_gap = 0.01;  // a node is closed if the gap of its bound is at most this share of the objective
  std::uint64_t seed = 0;
  int restarts = 100;           // of Viterbi EM, before the first node
  std::size_t memory = 1 << 30;  // bytes for the open list; when it is full, the search continues depth-first
};

class Search {
 public:
  Search(Corpus corpus, Posterior posterior, const SearchOptions& options);
  Search(const Search&) = delete;  // its workers refer to it
  Search& operator=(const Search&) = delete;

  // Runs until nothing is open, or until this many seconds or nodes have passed; the restarts come first. A round is
  // always completed. Returns whether the search is done.
  bool run(double seconds, std::uint64_t nodes, int threads);

  bool feasible() const { return feasible_; }
  bool done() const { return !feasible_ || (started_ == options_.restarts && open_.empty()); }
  const Local& best() const { return best_; }
  double bound() const;
  std::uint64_t nodes() const { return nodes_; }
  std::size_t open() const { return open_.size(); }
  std::size_t memory() const { return open_.memory(); }

  // Descends the tree at random: Knuth's (1975) estimate of its number of nodes, and how many were expanded.
  std::pair<double, int> descend(std::uint64_t seed, std::uint64_t number);

  // Searches on several machines hold shares of one frontier. A share begins with no nodes and nothing closed; `number`
  // tells shares apart, whose runs of local search are then different ones.
  void start_share(std::uint64_t number);
  // Hands over open nodes, those with the highest bounds first: they are no longer counted here.
  std::vector<Part> hand_over(std::size_t most);
  // Takes over open nodes from elsewhere, and what was done there; throws if they are no boxes of this search.
  void take_over(std::span<const Part> parts, double closed, std::uint64_t nodes);
  // Takes over trees from elsewhere if they are better; throws if they are no answer.
  bool adopt(std::vector<std::int32_t> heads);
  double closed() const { return closed_; }
  int choices() const { return choices_.size(); }
  // Saves a state in which these nodes, which are searched elsewhere, are open, too.
  void save_with(int file, std::uint64_t identity, std::span<const Part> parts);

  void save(int file, std::uint64_t identity) { visit(file, Archive::kWrite, identity); }
  void load(int file, std::uint64_t identity) { visit(file, Archive::kRead, identity); }

 private:
  struct Worker {
    Bounder bounder;
    LocalSearch local;
  };
  Local first_trees() const;
  double threshold() const;
  void restart(int threads);
  void round(int threads);
  void take();
  void climb(int climber, Worker& worker);
  bool gather(int nodes, Worker& worker);
  bool offer(const Local& found);
  void close(double bound);
  void keep_within_memory();
  void visit(int file, Archive::Mode mode, std::uint64_t identity);
  void check() const;

  Corpus corpus_;
  Posterior posterior_;
  SearchOptions options_;
  Local best_;  // from the start the trees that the choices were made for: a search broken off early has an answer
  Choices choices_;
  Problem problem_;
  OpenList open_;
  std::vector<Worker> workers_;

  bool feasible_ = true;
  int started_ = 0;  // restarts so far
  std::uint64_t nodes_ = 0, rounds_ = 0;
  int climbers_, idle_ = 0;  // climbs per round, and rounds without improvement of the best
  double closed_;            // the highest bound of all closed boxes
  Local current_;   // the trees that local search perturbs; it starts again after too many runs without improvement
  int failed_ = 0;  // runs without improvement

  // State of the current round.
  std::vector<Part> taken_;
  std::vector<Expansion> expansions_;
  std::vector<Local> found_;
};

}  // namespace treaty::induce
