// Labels of the arcs of a tree, scored by features of the arc and its context in the tree. Those of the dependents of
// one head are chosen together, because some exclude each other (two subjects).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "features/attributes.hpp"
#include "features/templates.hpp"
#include "features/weights.hpp"
#include "learn/update.hpp"
#include "parse/sibling_labels.hpp"

namespace treaty::parse {

using features::Sequences, features::Templates, features::Weights, learn::Update;

struct LabelModel {
  std::shared_ptr<const Templates> templates;
  Weights weights;
  int coarse, width;
  int labels;
  // Labels observed between two kinds of words in one direction; any label if none was observed.
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> seen;
  LabelExclusions exclusions;

  // Records the labels of a tree.
  void see(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
           std::span<const std::int32_t> label);
  // The observations as sorted pairs, and the inverse.
  std::vector<std::pair<std::uint64_t, std::int32_t>> pairs() const;
  void set_pairs(std::span<const std::uint64_t> keys, std::span<const std::int32_t> values);
};

struct LabelChoices {
  std::vector<std::int64_t> begin{0, 0};  // of each word; the root has none
  std::vector<std::int32_t> label;
};
struct LabelFeatures {
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> places;
};

// The best choices under any scores, of which those of the dependents of a head obey its exclusions where they can.
struct ChosenLabels {
  std::vector<std::int64_t> choice;  // of each word, the root's entry included: -1
  double objective = 0.0, bound = 0.0;
};
ChosenLabels choose_labels(const LabelExclusions& exclusions, std::span<const std::int32_t> head,
                           const LabelChoices& choices, std::span<const double> scores);

class Labeler {
 public:
  static constexpr double kSure = 30.0;

  explicit Labeler(const LabelModel& model);

  // With `margin`, also by how much each label scores better than the next best; kSure if there is no other.
  void label(const Sequences& sentences, int sentence, std::span<const std::int32_t> head, std::span<std::int32_t> label,
             std::vector<double>* margin = nullptr);
  // One MIRA update per wrong word of a gold tree, all into `update`; returns how many words were right.
  int learn(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
            std::span<const std::int32_t> gold, double aggressiveness, std::vector<Update>& updates);
  // The labels an arc may have and their scores, given the rest of the tree.
  void score_arc(const Sequences& sentences, int sentence, std::span<const std::int32_t> tree, int head, int modifier,
                 std::vector<std::int32_t>& labels, std::vector<double>& scores);
  // The labels that each word of a tree may have, and the one that is wanted for it if that is another; -1 wants none.
  LabelChoices choices(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                       std::span<const std::int32_t> wanted) const;
  // The weights that the score of each choice is the sum of; a word without a choice has none.
  LabelFeatures features(const Sequences& sentences, int sentence, std::span<const std::int32_t> head,
                         const LabelChoices& choices);
  // The key of `seen`.
  static std::uint64_t key(const Sequences& sentences, int sentence, int head, int modifier, int coarse);

 private:
  using Row = const std::uint64_t*;
  void look_around(std::span<const std::int32_t> head);
  void extract(const Sequences& sentences, int sentence, std::span<const std::int32_t> head, int m);
  std::span<const std::int32_t> allowed(const Sequences& sentences, int sentence, int h, int m) const;
  double score(std::int32_t label) const;
  void score_all(const Sequences& sentences, int sentence, std::span<const std::int32_t> head);

  const LabelModel& model_;
  std::vector<std::int32_t> all_;
  std::vector<std::uint64_t> none_block_;
  Row none_;
  std::vector<std::uint64_t> hashes_;
  std::size_t features_ = 0;
  std::vector<std::int32_t> first_child_, last_child_, before_, after_, children_;  // of each word; siblings; 0: none
  std::vector<ScoredLabel> choices_;  // of all words
  std::vector<std::size_t> begin_;    // of each word
  std::vector<std::span<const ScoredLabel>> of_siblings_;
  std::vector<std::int32_t> chosen_;
  SiblingLabels siblings_;
};

}  // namespace treaty::parse
