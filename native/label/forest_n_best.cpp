// The n best labelings: every label of every vertex keeps the n best labelings of its subtree. The lists of its
// children are merged into it, one after the other.
#include <algorithm>
#include <functional>
#include <queue>

#include "label/forest.hpp"

namespace treaty::label {
namespace {

constexpr std::int32_t kNothing = -1;

// A labeling of a part of a tree: a labeling without the last child, and one of that child's part.
struct Node {
  double score;
  std::int32_t rest, child;     // nodes
  std::int32_t position, label;  // of the part's root
};

struct Ranked {
  double score;
  std::int32_t one, other;
  bool operator<(const Ranked& r) const { return score < r.score; }
};

// The best sums of an element of each of two descending lists; `take(one, other, sum)` is called for them in order.
template <class First, class Second, class Take>
void best_sums(std::int32_t firsts, First first, std::int32_t seconds, Second second, std::size_t n, Take take) {
  std::priority_queue<Ranked> next;
  // Sums with the first element of `second` are in the queue from the start, others are added once the one before is
  // taken.
  for (std::int32_t i = 0; i < firsts && seconds > 0; ++i) next.push({first(i) + second(0), i, 0});
  for (; n > 0 && !next.empty(); --n) {
    const auto [score, i, j] = next.top();
    next.pop();
    if (score == kForbidden) return;
    take(i, j, score);
    if (j + 1 < seconds) next.push({first(i) + second(j + 1), i, j + 1});
  }
}

class NBest {
 public:
  NBest(const Scores& scores, std::size_t n) : labels_(scores.labels), n_(n), lists_(scores.state.size() + 1) {}

  std::vector<std::int32_t>& list(std::int32_t position, std::int32_t label) {
    return lists_[static_cast<std::size_t>(position) * labels_ + label];
  }
  void begin(std::int32_t position, std::int32_t label, double score) {
    if (score != kForbidden) list(position, label).push_back(add({score, kNothing, kNothing, position, label}));
  }

  // Merges a child's lists into its parent's; `cells` is the table of (child's label, parent's label).
  void hang(std::int32_t child, std::int32_t parent, const double* cells) {
    for (std::int32_t b = 0; b < labels_; ++b) {
      std::vector<Ranked> below;  // the best of the child's subtree, over all labels of the child
      for (std::int32_t a = 0; a < labels_; ++a)
        for (auto node : list(child, a)) below.push_back({nodes_[node].score + cells[a * labels_ + b], node, 0});
      std::ranges::stable_sort(below, std::greater{}, &Ranked::score);
      join(list(parent, b), below);
    }
  }

  // Merges the trees of a forest: nodes that combine a tree's root and the trees before it.
  void add_root(std::int32_t position) {
    std::vector<Ranked> trees;
    for (std::int32_t a = 0; a < labels_; ++a)
      for (auto node : list(position, a)) trees.push_back({nodes_[node].score, node, 0});
    std::ranges::stable_sort(trees, std::greater{}, &Ranked::score);
    join(whole(), trees);
  }
  std::vector<std::int32_t>& whole() { return lists_.back(); }
  void begin_whole() { whole().push_back(add({0.0, kNothing, kNothing, kNothing, 0})); }

  double score(std::int32_t node) const { return nodes_[node].score; }
  void read(std::int32_t node, std::span<const std::int32_t> order, std::int32_t* labeling) const {
    std::vector<std::int32_t> open{node};
    while (!open.empty()) {
      const auto [score, rest, child, position, label] = nodes_[open.back()];
      open.pop_back();
      if (position != kNothing) labeling[order[position]] = label;
      if (rest != kNothing) open.push_back(rest);
      if (child != kNothing) open.push_back(child);
    }
  }

 private:
  std::int32_t add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<std::int32_t>(nodes_.size()) - 1;
  }
  void join(std::vector<std::int32_t>& list, std::span<const Ranked> below) {
    std::vector<std::int32_t> joined;
    best_sums(
        static_cast<std::int32_t>(list.size()), [&](std::int32_t i) { return nodes_[list[i]].score; },
        static_cast<std::int32_t>(below.size()), [&](std::int32_t j) { return below[j].score; }, n_,
        [&](std::int32_t i, std::int32_t j, double score) {
          const auto [unused, rest, child, position, label] = nodes_[list[i]];
          joined.push_back(add({score, list[i], below[j].one, position, label}));
        });
    list.swap(joined);
  }

  std::int32_t labels_;
  std::size_t n_;
  std::vector<Node> nodes_;
  std::vector<std::vector<std::int32_t>> lists_;  // by position and label, then of the whole
};

}  // namespace

std::vector<double> Forest::n_best(std::size_t n, std::vector<std::int32_t>& labelings) {
  const auto vertices = scores_->vertices, labels = scores_->labels;
  NBest best(*scores_, n);
  for (std::int32_t k = 0; k < vertices; ++k)
    for (std::int32_t a = 0; a < labels; ++a) best.begin(k, a, state(k)[a]);
  best.begin_whole();
  for (std::int32_t k = 0; k < vertices; ++k)
    parent_[k] == kRoot ? best.add_root(k) : best.hang(k, parent_[k], table(k));

  std::vector<double> found;
  labelings.assign(best.whole().size() * vertices, 0);
  for (auto node : best.whole()) {
    best.read(node, order_, labelings.data() + found.size() * vertices);
    found.push_back(best.score(node));
  }
  return found;
}

}  // namespace treaty::label
