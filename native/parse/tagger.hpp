// A second-order (trigram) sequence tagger: exact Viterbi over pairs of candidate tags, trained by MIRA.
//
// The score of a tagging is a sum over the items i of w·f(i, y_i) + w·f(i, y_{i-1}, y_i) + w·f(i, y_{i-2}, y_{i-1}, y_i):
// one set of templates for each, whose features are joined with the tags. The items may be words or characters.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "features/attributes.hpp"
#include "features/templates.hpp"
#include "features/weights.hpp"
#include "learn/update.hpp"

namespace treaty::parse {

using features::Sequences, features::Templates, features::Weights, learn::Update;

constexpr int kTagOrders = 3;

struct TagTraining {
  double aggressiveness = 0.1;  // of MIRA
  double dropout = 0.0;         // share of features left out of a sequence, drawn again each time
  double last_cost = 1.0;       // cost of missing the last tag; that of missing another is 1
};

struct TagModel {
  std::shared_ptr<const Templates> templates[kTagOrders];  // of a tag, a pair, a triple
  Weights weights;
  std::int32_t tags;
  std::int32_t start = tags;  // stands for the tag before the first; less than `tags` if some were added later
};

// The tags allowed for every item. Items have a class; classes list tags.
class TagChoices {
 public:
  TagChoices(const Sequences& sequences, std::vector<std::int32_t> class_of, std::vector<std::int32_t> tags,
             std::vector<std::int32_t> class_begin);

  std::span<const std::int32_t> of(int sequence, int item) const {
    const auto c = class_of_[first_[sequence] + item];
    return {tags_.data() + class_begin_[c], tags_.data() + class_begin_[c + 1]};
  }
  // Where a sequence's items begin in flat arrays over all items.
  std::int64_t first(int sequence) const { return first_[sequence]; }
  int sequences() const { return static_cast<int>(first_.size()) - 1; }
  std::int64_t items() const { return first_.back(); }
  std::int32_t most_tag() const { return most_tag_; }

 private:
  std::vector<std::int32_t> class_of_, tags_, class_begin_;
  std::vector<std::int64_t> first_;
  std::int32_t most_tag_ = -1;
};

// Works on one sequence at a time; reused from sequence to sequence, one per thread.
class Tagger {
 public:
  explicit Tagger(const TagModel& model);

  void tag(const Sequences& sequences, int sequence, const TagChoices& choices, std::span<std::int32_t> tags);
  // Also the probability of each of these tags, where p(tagging) ~ exp(score): forward-backward over pairs of tags.
  void tag(const Sequences& sequences, int sequence, const TagChoices& choices, std::span<std::int32_t> tags,
           std::span<double> probability);
  // The step of cost-augmented MIRA, where the cost is that of the wrong tags, into `update`; returns how many were
  // right.
  int learn(const Sequences& sequences, int sequence, const TagChoices& choices, std::span<const std::int32_t> gold,
            const TagTraining& options, Update& update);

 private:
  using Tags = std::span<const std::int32_t>;
  void decode(const Sequences& sequences, int sequence, const TagChoices& choices, Tags gold);
  void extract(const Sequences& sequences, int sequence, int item, std::size_t at);
  std::uint64_t* drop(std::uint64_t* begin, std::uint64_t* end);
  void score_tags(Tags current, std::size_t at, bool augmented, std::int32_t gold);
  void extend(Tags two_before, Tags before, Tags current, std::size_t at);
  void follow_back(const TagChoices& choices, int sequence, int length);
  double cost(std::int32_t gold) const { return gold == model_.tags - 1 ? last_cost_ : 1.0; }
  double collect(Tags tags, Tags other, float count, Update& update) const;
  void forward(const Sequences& sequences, int sequence, const TagChoices& choices);
  void backward(int sequence, const TagChoices& choices, int length, std::span<const std::int32_t> tags,
                std::span<double> probability);
  template <class Use>
  void score_triples(Tags two_before, Tags before, Tags current, std::size_t at, Use use);

  std::span<const std::uint64_t> features(int order, std::size_t at) const {
    return {hashes_.data() + at + begin_[order], kept_[at / begin_[kTagOrders] * kTagOrders + order]};
  }

  const TagModel& model_;
  std::int32_t start_;  // the tag before the first
  std::vector<std::uint64_t> tag_hash_;
  std::size_t begin_[kTagOrders + 1] = {};  // features of each order among an item's
  std::vector<std::uint64_t> hashes_, joined_;
  std::vector<std::size_t> kept_;  // features of every item and order
  std::uint64_t noise_ = 0, dropped_below_ = 0;
  double last_cost_ = 1.0;
  std::vector<float> total_;                     // by current tag
  std::vector<double> local_, reach_, reached_;  // best score of a path to (the tag before, the tag)
  std::vector<std::int32_t> back_;               // the tag two before, by its place among the candidates
  std::vector<std::size_t> back_begin_;
  std::vector<std::int32_t> best_;
  // For probabilities: of all items, the scores of triples of tags, and the sums over paths to a pair of tags.
  std::vector<float> triples_;
  std::vector<double> alpha_, beta_, beta_before_;
  std::vector<std::size_t> triples_begin_, alpha_begin_;
};

// The best tag of every item, in one list.
std::vector<std::int32_t> tag_all(const TagModel& model, const Sequences& sequences, const TagChoices& choices,
                                  int threads);
// The same, with the probability of each.
std::pair<std::vector<std::int32_t>, std::vector<double>> tag_all_with_probabilities(
    const TagModel& model, const Sequences& sequences, const TagChoices& choices, int threads);

// Learns from these sequences in this order; returns how many tags were right before the updates.
std::int64_t train_tagger(TagModel& model, const Sequences& sequences, const TagChoices& choices,
                          std::span<const std::int32_t> gold, std::span<const std::int32_t> ids,
                          const TagTraining& options, int batch, int threads);

}  // namespace treaty::parse
