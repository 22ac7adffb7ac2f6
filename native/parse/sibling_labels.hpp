// Labels of the dependents of one head, chosen together: no two of them may exclude each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::parse {

// Pairs of labels that no head has among its dependents; a pair of equal labels means at most one.
class LabelExclusions {
 public:
  LabelExclusions() = default;
  LabelExclusions(int labels, std::span<const std::int32_t> first, std::span<const std::int32_t> second);

  bool excludes(std::int32_t a, std::int32_t b) const { return !table_.empty() && table_[a * labels_ + b]; }
  bool empty() const { return table_.empty(); }
  // The pairs with first <= second, in order.
  void list(std::vector<std::int32_t>& first, std::vector<std::int32_t>& second) const;

 private:
  int labels_ = 0;
  std::vector<char> table_;
};

struct ScoredLabel {
  std::int32_t label;
  double score;
};

// Chooses a label for each dependent, with the largest sum of scores among choices without exclusions; `choices` are
// those of each dependent, best first. Without any such choice, or after too many steps, the best of each or the best
// found is chosen. Returns whether no choice without exclusions, if there is any, has a larger sum.
class SiblingLabels {
 public:
  bool choose(const LabelExclusions& exclusions, std::span<const std::span<const ScoredLabel>> choices,
              std::vector<std::int32_t>& labels);

 private:
  using Choices = std::span<const std::span<const ScoredLabel>>;
  bool fits(const LabelExclusions& exclusions, std::int32_t label, std::size_t before) const;
  void search(const LabelExclusions& exclusions, Choices choices, std::size_t at, double score);

  std::vector<std::int32_t> current_, best_;
  std::vector<double> rest_;  // the largest possible score from here on
  double best_score_ = 0.0;
  int steps_ = 0;
};

}  // namespace treaty::parse
