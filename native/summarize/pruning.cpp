#include "summarize/pruning.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "learn/host.hpp"

namespace treaty::summarize {
namespace {

using Choice = std::vector<std::uint8_t>;

Choice roots_of(std::span<const std::int32_t> size) {
  Choice is_root(size.size(), 0);
  for (std::size_t i = 0; i < size.size(); i += static_cast<std::size_t>(size[i])) is_root[i] = 1;
  return is_root;
}

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// The children of hollow roots.
Choice children_of_hollow(const Trees& trees) {
  Choice is_child(trees.size.size(), 0);
  for (std::size_t i = 0; i < trees.hollow.size(); ++i) {
    if (!trees.hollow[i]) continue;
    const auto end = i + static_cast<std::size_t>(trees.size[i]);
    for (auto c = i + 1; c < end; c += static_cast<std::size_t>(trees.size[c])) is_child[c] = 1;
  }
  return is_child;
}

// The dynamic program. State s = (t, b): t trees and a budget of b are left.
class Pruning {
 public:
  // If `is_root` is all 0, trees are not counted: one layer is enough.
  Pruning(const Trees& trees, std::size_t width, std::size_t layers, const Choice& is_root)
      : trees_(trees),
        is_root_(is_root),
        needs_child_(children_of_hollow(trees)),
        has_hollow_(std::ranges::count(trees.hollow, 1) > 0),
        width_(width),
        states_(layers * width),
        best_(std::make_unique_for_overwrite<double[]>((trees.size.size() + 1) * states_)),  // touched row by row
        childless_(has_hollow_ ? states_ : 0, kImpossible),
        next_(childless_.size()),
        keeps_(trees.size.size() * states_, 0),
        first_(has_hollow_ ? keeps_.size() : 0, 0) {}

  Choice run() {
    std::fill_n(&best_[trees_.size.size() * states_], states_, 0.0);
    for (auto i = trees_.size.size(); i-- > 0;) {
      learn::check_interrupt();
      const double* const after = &best_[(i + size(i)) * states_];
      const double* const inside = is_hollow(i) ? childless_.data() : &best_[(i + 1) * states_];
      if (has_hollow_ && needs_child_[i]) {
        decide(i, childless_.data(), &best_[(i + 1) * states_], next_.data(), &first_[i * states_]);
        std::swap(childless_, next_);
      }
      decide(i, after, inside, &best_[i * states_], &keeps_[i * states_]);
      if (is_hollow(i)) std::ranges::fill(childless_, kImpossible);
    }
    return traced();
  }

 private:
  std::size_t size(std::size_t i) const { return static_cast<std::size_t>(trees_.size[i]); }
  bool is_hollow(std::size_t i) const { return has_hollow_ && trees_.hollow[i]; }

  // The best of cutting node i, with its subtree, and of keeping it.
  void decide(std::size_t i, const double* after, const double* inside, double* here, std::uint8_t* keeps) const {
    for (std::size_t s = 0; s < states_; ++s) here[s] = after[s] + trees_.cut_score[i];
    const auto cost = static_cast<std::size_t>(trees_.cost[i]);
    const auto tree = is_root_[i] ? width_ : std::size_t{0};
    for (auto row = tree; row < states_; row += width_)
      for (auto b = cost; b < width_; ++b) {
        const double kept = inside[row - tree + b - cost] + trees_.gain[i];
        if (kept > here[row + b]) {
          here[row + b] = kept;
          keeps[row + b] = 1;
        }
      }
  }

  Choice traced() const {
    Choice chosen(trees_.size.size(), 0);
    auto left = states_ - 1;
    bool is_childless = false;
    for (std::size_t i = 0; i < chosen.size();) {
      const auto& keeps = is_childless && needs_child_[i] ? first_ : keeps_;
      if (keeps[i * states_ + left]) {
        chosen[i] = 1;
        left -= static_cast<std::size_t>(trees_.cost[i]) + (is_root_[i] ? width_ : 0);
        is_childless = is_hollow(i);
        ++i;
      } else {
        i += size(i);
      }
    }
    return chosen;
  }

  const Trees& trees_;
  const Choice& is_root_;
  const Choice needs_child_;
  const bool has_hollow_;
  const std::size_t width_;
  const std::size_t states_;
  // best[i, s]: the best score of nodes i, i + 1, ..., if i's parent is kept.
  std::unique_ptr<double[]> best_;
  // The same for the last child seen of a hollow root none of whose earlier children is kept.
  std::vector<double> childless_;
  std::vector<double> next_;
  Choice keeps_;
  Choice first_;  // as `keeps`, for such children
};

}  // namespace

std::vector<std::uint8_t> best_pruning(const Trees& trees, std::int32_t budget, std::int32_t most_trees) {
  // If everything fits, nothing needs to be counted.
  const auto all = std::accumulate(trees.cost.begin(), trees.cost.end(), std::int64_t{0});
  if (all <= budget && all > 0) {
    const std::vector<std::int32_t> free(trees.cost.size(), 0);
    return best_pruning({trees.size, free, trees.gain, trees.cut_score, trees.hollow}, 0, most_trees);
  }
  const auto width = static_cast<std::size_t>(budget) + 1;
  auto is_root = roots_of(trees.size);
  auto layers = static_cast<std::size_t>(most_trees) + 1;
  if (layers > static_cast<std::size_t>(std::ranges::count(is_root, 1))) {
    layers = 1;
    std::ranges::fill(is_root, 0);
  }
  return Pruning(trees, width, layers, is_root).run();
}

}  // namespace treaty::summarize
