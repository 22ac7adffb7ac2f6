#include "parse/sibling_labels.hpp"

#include <limits>
#include <stdexcept>

namespace treaty::parse {

namespace {
constexpr int kMostSteps = 20000;  // a head with dozens of dependents must not take for ever
}

LabelExclusions::LabelExclusions(int labels, std::span<const std::int32_t> first, std::span<const std::int32_t> second)
    : labels_(labels) {
  if (first.size() != second.size()) throw std::invalid_argument("expected pairs of labels");
  if (!first.empty()) table_.assign(static_cast<std::size_t>(labels) * labels, 0);
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto a = first[i], b = second[i];
    if (a < 0 || b < 0 || a >= labels || b >= labels) throw std::invalid_argument("a label that is not there");
    table_[a * labels + b] = table_[b * labels + a] = 1;
  }
}

void LabelExclusions::list(std::vector<std::int32_t>& first, std::vector<std::int32_t>& second) const {
  for (std::int32_t a = 0; a < labels_ && !table_.empty(); ++a)
    for (std::int32_t b = a; b < labels_; ++b)
      if (excludes(a, b)) first.push_back(a), second.push_back(b);
}

bool SiblingLabels::fits(const LabelExclusions& exclusions, std::int32_t label, std::size_t before) const {
  for (std::size_t i = 0; i < before; ++i)
    if (exclusions.excludes(current_[i], label)) return false;
  return true;
}

// Depth first, best labels first; what cannot beat the best answer is left out.
void SiblingLabels::search(const LabelExclusions& exclusions, Choices choices, std::size_t at, double score) {
  if (at == choices.size()) {
    best_score_ = score;
    best_ = current_;
    return;
  }
  for (const auto& choice : choices[at]) {
    if (++steps_ > kMostSteps || !(score + choice.score + rest_[at + 1] > best_score_)) return;
    if (!fits(exclusions, choice.label, at)) continue;
    current_[at] = choice.label;
    search(exclusions, choices, at + 1, score + choice.score);
  }
}

bool SiblingLabels::choose(const LabelExclusions& exclusions, Choices choices, std::vector<std::int32_t>& labels) {
  const auto n = choices.size();
  current_.resize(n);
  bool clear = true;
  for (std::size_t i = 0; i < n; ++i) {
    current_[i] = choices[i].front().label;
    clear = clear && fits(exclusions, current_[i], i);
  }
  labels = current_;
  if (clear) return true;
  rest_.assign(n + 1, 0.0);
  for (auto i = n; i-- > 0;) rest_[i] = rest_[i + 1] + choices[i].front().score;
  best_.clear();
  best_score_ = -std::numeric_limits<double>::infinity();
  steps_ = 0;
  search(exclusions, choices, 0, 0.0);
  if (!best_.empty()) labels = best_;
  return steps_ <= kMostSteps;
}

}  // namespace treaty::parse
