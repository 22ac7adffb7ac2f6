// The best projective tree of a sentence of tags under weights of the DMV's features, in cubic time: the split-head
// algorithm of Eisner & Satta (1999), with decisions to stop or continue as part of its items.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/halves.hpp"

namespace treaty::induce {

// Breaks ties between trees by amounts far below any real difference of scores.
inline constexpr double kTieBreak = 1e-9;

class Chart {
 public:
  explicit Chart(Layout layout) : layout_(layout) {}

  // The score of the best tree, -inf if there is none. Weights may be -inf, never +inf. With a `seed` other than 0
  // each arc gets a random share of kTieBreak.
  double fill(std::span<const std::int32_t> sentence, std::span<const double> weights, std::uint64_t seed = 0);

  // The heads of the tree whose score `fill` found. `fill` stores no back pointers: the few that are needed are
  // recomputed from the same sums.
  void read(std::span<std::int32_t> heads);

 private:
  void attach(int i, int j);
  void extend(int i, int j);
  int best_split(int head, int child) const;
  int best_last_child(int head, int end) const;

  Layout layout_;
  Halves halves_;
  int root_ = 0;
  struct Item {
    int head, end;
    bool is_arc;
  };
  std::vector<Item> agenda_;
};

// The best trees of the sentences of a corpus, one after the other, with what is needed for it.
class Parser {
 public:
  explicit Parser(const Corpus& corpus);

  // Adds the features of the best trees to `counts` and writes `heads` (of the whole corpus), either of which may be
  // empty. Returns the sum of the scores.
  double parse(int from, int to, std::span<const double> weights, std::uint64_t seed, std::span<double> counts,
               std::span<std::int32_t> heads);
  double parse(std::span<const double> weights, std::span<double> counts, std::span<std::int32_t> heads = {},
               std::uint64_t seed = 0) {
    return parse(0, corpus_->size(), weights, seed, counts, heads);
  }

 private:
  const Corpus* corpus_;
  Chart chart_;
  std::vector<std::int32_t> tree_, children_;
};

}  // namespace treaty::induce
