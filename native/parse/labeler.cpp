#include "parse/labeler.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "graph/oracle.hpp"
#include "parse/extract.hpp"

namespace treaty::parse {

using features::combine, features::hash_of, features::value_of;
using graph::kInfinity, learn::mira_rate;

Labeler::Labeler(const LabelModel& model) : model_(model) {
  for (int l = 0; l < model.labels; ++l) all_.push_back(l);
  none_block_.assign(static_cast<std::size_t>(model.width) * (2 * Sequences::kPadding + 1), hash_of("<none>"));
  none_ = none_block_.data() + model.width * Sequences::kPadding;
  hashes_.resize(model.templates->most_features(0));
}

std::uint64_t Labeler::key(const Sequences& sentences, int sentence, int head, int modifier, int coarse) {
  const auto kinds = combine(sentences.row(sentence, head)[coarse], sentences.row(sentence, modifier)[coarse]);
  return combine(kinds, value_of(head < modifier));
}

void LabelModel::see(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                     std::span<const std::int32_t> label) {
  for (int m = 1; m < static_cast<int>(head.size()); ++m) {
    auto& labels = seen[Labeler::key(sentences, sentence, head[m], m, coarse)];
    const auto at = std::ranges::lower_bound(labels, label[m]);
    if (at == labels.end() || *at != label[m]) labels.insert(at, label[m]);
  }
}

std::vector<std::pair<std::uint64_t, std::int32_t>> LabelModel::pairs() const {
  std::vector<std::pair<std::uint64_t, std::int32_t>> all;
  for (const auto& [key, values] : seen)
    for (auto label : values) all.emplace_back(key, label);
  std::ranges::sort(all);
  return all;
}

void LabelModel::set_pairs(std::span<const std::uint64_t> keys, std::span<const std::int32_t> values) {
  if (keys.size() != values.size()) throw std::invalid_argument("expected a label for each key");
  seen.clear();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (values[i] < 0 || values[i] >= labels) throw std::invalid_argument("a label that is not there");
    seen[keys[i]].push_back(values[i]);
  }
}

// Children and neighbors among the siblings of every word.
void Labeler::look_around(std::span<const std::int32_t> head) {
  const int n = static_cast<int>(head.size());
  for (auto* list : {&first_child_, &last_child_, &before_, &after_, &children_}) list->assign(n, 0);
  for (int m = 1; m < n; ++m) {
    const int h = head[m];
    ++children_[h];
    if (last_child_[h]) {
      before_[m] = last_child_[h];
      after_[last_child_[h]] = m;
    } else {
      first_child_[h] = m;
    }
    last_child_[h] = m;
  }
}

// Roles: h, m, g, the siblings before and after m, m's first and last child, h's first and last child.
void Labeler::extract(const Sequences& sentences, int sentence, std::span<const std::int32_t> head, int m) {
  const int h = head[m], g = h == 0 ? 0 : head[h];
  const auto row = [&](int node) { return node == 0 ? none_ : sentences.row(sentence, node); };
  Row rows[] = {sentences.row(sentence, h), row(m), h == 0 ? none_ : sentences.row(sentence, g), row(before_[m]), row(after_[m]),
                row(first_child_[m]), row(last_child_[m]), row(first_child_[h]), row(last_child_[h])};
  const int side = (before_[m] == 0 || (before_[m] < h && h < m)) + 2 * (after_[m] == 0 || (m < h && h < after_[m]));
  const std::uint64_t values[] = {direction_value(h, m), distance_value(h, m), value_of(50 + side),
                                  value_of(60 + std::min(children_[m], 3))};
  features_ = static_cast<std::size_t>(model_.templates->extract(rows, values, hashes_.data()) - hashes_.data());
}

std::span<const std::int32_t> Labeler::allowed(const Sequences& sentences, int sentence, int h, int m) const {
  const auto found = model_.seen.find(key(sentences, sentence, h, m, model_.coarse));
  return found == model_.seen.end() ? all_ : found->second;
}

double Labeler::score(std::int32_t label) const {
  float total = 0.0f;
  for (std::size_t i = 0; i < features_; ++i)
    total += model_.weights[model_.weights.bucket(hashes_[i], label)];
  return total;
}

// The labels that each word may have, best first.
void Labeler::score_all(const Sequences& sentences, int sentence, std::span<const std::int32_t> head) {
  const int n = static_cast<int>(head.size());
  choices_.clear();
  begin_.assign(1, 0);
  for (int m = 0; m < n; ++m) {
    if (m > 0) {
      const auto candidates = allowed(sentences, sentence, head[m], m);
      if (candidates.size() > 1) extract(sentences, sentence, head, m);
      for (auto l : candidates) choices_.push_back({l, candidates.size() > 1 ? score(l) : 0.0});
    }
    const auto better = [](const ScoredLabel& a, const ScoredLabel& b) { return a.score > b.score; };
    std::stable_sort(choices_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), choices_.end(), better);
    begin_.push_back(choices_.size());
  }
}

namespace {

// By how much a label is better than the best of the others, given the rest of the tree.
double margin_of(std::span<const ScoredLabel> choices, std::int32_t label) {
  double own = 0.0, other = -kInfinity;
  for (const auto& choice : choices)
    if (choice.label == label) own = choice.score;
    else other = std::max(other, choice.score);
  return std::clamp(own - other, 0.0, Labeler::kSure);
}

}  // namespace

void Labeler::label(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                     std::span<std::int32_t> label, std::vector<double>* margin) {
  look_around(head);
  score_all(sentences, sentence, head);
  if (margin) margin->assign(head.size(), kSure);
  const int n = static_cast<int>(head.size());
  for (int h = 0; h < n; ++h) {
    of_siblings_.clear();
    for (int m = first_child_[h]; m > 0; m = after_[m])
      of_siblings_.emplace_back(choices_.data() + begin_[m], choices_.data() + begin_[m + 1]);
    siblings_.choose(model_.exclusions, of_siblings_, chosen_);
    for (int m = first_child_[h], i = 0; m > 0; m = after_[m], ++i) {
      label[m] = chosen_[i];
      if (margin) (*margin)[m] = margin_of(of_siblings_[i], chosen_[i]);
    }
  }
}

void Labeler::score_arc(const Sequences& sentences, int sentence, std::span<const std::int32_t> tree, int head,
                         int modifier, std::vector<std::int32_t>& labels, std::vector<double>& scores) {
  std::vector<std::int32_t> changed(tree.begin(), tree.end());
  changed[modifier] = head;
  look_around(changed);
  extract(sentences, sentence, changed, modifier);
  const auto candidates = allowed(sentences, sentence, head, modifier);
  labels.assign(candidates.begin(), candidates.end());
  scores.clear();
  for (auto label : labels) scores.push_back(score(label));
}

LabelChoices Labeler::choices(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                              std::span<const std::int32_t> wanted) const {
  LabelChoices all;
  for (std::size_t m = 1; m < head.size(); ++m) {
    const auto candidates = allowed(sentences, sentence, head[m], static_cast<int>(m));
    all.label.insert(all.label.end(), candidates.begin(), candidates.end());
    if (wanted[m] >= 0 && std::ranges::find(candidates, wanted[m]) == candidates.end()) all.label.push_back(wanted[m]);
    all.begin.push_back(static_cast<std::int64_t>(all.label.size()));
  }
  return all;
}

LabelFeatures Labeler::features(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                                const LabelChoices& choices) {
  look_around(head);
  LabelFeatures all;
  for (std::size_t m = 1; m < head.size(); ++m) {
    const auto begin = choices.begin[m], end = choices.begin[m + 1];
    if (end - begin > 1) extract(sentences, sentence, head, static_cast<int>(m));
    for (auto at = begin; at < end; ++at) {
      for (std::size_t i = 0; end - begin > 1 && i < features_; ++i)
        all.places.push_back(static_cast<std::int32_t>(model_.weights.bucket(hashes_[i], choices.label[at])));
      all.begin.push_back(static_cast<std::int64_t>(all.places.size()));
    }
  }
  return all;
}

ChosenLabels choose_labels(const LabelExclusions& exclusions, std::span<const std::int32_t> head,
                           const LabelChoices& choices, std::span<const double> scores) {
  const auto n = head.size();
  if (scores.size() != choices.label.size() || choices.begin.size() != n + 1)
    throw std::invalid_argument("expected a score for every label of a word");
  std::vector<ScoredLabel> sorted;
  std::vector<std::vector<std::size_t>> dependents(n);
  for (std::size_t m = 1; m < n; ++m) {
    const auto begin = choices.begin[m], end = choices.begin[m + 1];
    if (begin == end) throw std::invalid_argument("a word has no labels to choose from");
    for (auto at = begin; at < end; ++at) {
      if (!std::isfinite(scores[at])) throw std::invalid_argument("the score of a label is not finite");
      sorted.push_back({choices.label[at], scores[at]});
    }
    std::stable_sort(sorted.begin() + begin, sorted.end(),
                     [](const ScoredLabel& a, const ScoredLabel& b) { return a.score > b.score; });
    dependents[head[m]].push_back(m);
  }
  ChosenLabels all{std::vector<std::int64_t>(n, -1)};
  SiblingLabels siblings;
  std::vector<std::span<const ScoredLabel>> lists;
  std::vector<std::int32_t> chosen;
  for (const auto& words : dependents) {
    lists.clear();
    double free = 0.0, total = 0.0;
    for (auto m : words) {
      lists.emplace_back(sorted.data() + choices.begin[m], sorted.data() + choices.begin[m + 1]);
      free += lists.back().front().score;
    }
    const bool exact = siblings.choose(exclusions, lists, chosen);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto begin = choices.begin[words[i]];
      const auto first = choices.label.begin() + begin, last = choices.label.begin() + choices.begin[words[i] + 1];
      all.choice[words[i]] = begin + (std::find(first, last, chosen[i]) - first);
      total += scores[all.choice[words[i]]];
    }
    all.objective += total;
    all.bound += exact ? total : free;
  }
  return all;
}

int Labeler::learn(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                    std::span<const std::int32_t> gold, double aggressiveness, std::vector<Update>& updates) {
  look_around(head);
  updates.clear();
  int right = 0;
  for (int m = 1; m < static_cast<int>(head.size()); ++m) {
    extract(sentences, sentence, head, m);
    const double wanted = score(gold[m]);
    double best = -kInfinity;
    int rival = -1;
    for (auto l : allowed(sentences, sentence, head[m], m))
      if (l != gold[m])
        if (const double value = score(l); value > best) best = value, rival = l;
    right += best < wanted;
    if (rival < 0) continue;
    const double rate = mira_rate(1.0 + best - wanted, 2.0 * static_cast<double>(features_), aggressiveness);
    if (rate == 0.0) continue;
    auto& update = updates.emplace_back();
    update.rate = static_cast<float>(rate);
    for (std::size_t i = 0; i < features_; ++i) {
      update.add(model_.weights.bucket(hashes_[i], gold[m]), 1.0f);
      update.add(model_.weights.bucket(hashes_[i], rival), -1.0f);
    }
  }
  return right;
}

}  // namespace treaty::parse
