#include "parse/tag_parts.hpp"

#include <span>
#include <stdexcept>

namespace treaty::parse {

using features::combine, features::mix;
namespace {

using Tags = std::span<const std::int32_t>;

class Lister {
 public:
  Lister(const TagModel& model, const Sequences& sequences, int sequence, const TagChoices& choices)
      : model_(model), sequences_(sequences), choices_(choices), sequence_(sequence) {}

  void list(int order) {
    hashes_.resize(static_cast<std::size_t>(model_.templates[order]->most_features(0)));
    joined_.resize(hashes_.size());
    for (int item = 0; item < sequences_.length(sequence_); ++item) {
      const std::uint64_t* rows[] = {sequences_.row(sequence_, item)};
      const auto* end = model_.templates[order]->extract(rows, nullptr, hashes_.data());
      const std::span features(hashes_.data(), static_cast<std::size_t>(end - hashes_.data()));
      const auto two_before = at(order == 2 ? item - 2 : -1), before = at(order >= 1 ? item - 1 : -1);
      for (auto z : two_before)
        for (auto a : before) {
          for (std::size_t f = 0; f < features.size(); ++f) {
            joined_[f] = features[f];
            if (order == 2) joined_[f] = combine(joined_[f], hash(z));
            if (order >= 1) joined_[f] = combine(joined_[f], hash(a));
          }
          add(at(item), features.size());
        }
    }
  }

  TagPartFeatures all;

 private:
  Tags at(int item) const { return item < 0 ? Tags(&model_.start, 1) : choices_.of(sequence_, item); }
  static std::uint64_t hash(std::int32_t tag) { return mix(static_cast<std::uint64_t>(tag) + 1); }
  void add(Tags current, std::size_t features) {
    for (auto tag : current) {
      for (std::size_t f = 0; f < features; ++f)
        all.places.push_back(static_cast<std::int32_t>(model_.weights.bucket(joined_[f], tag)));
      all.begin.push_back(static_cast<std::int64_t>(all.places.size()));
    }
  }

  const TagModel& model_;
  const Sequences& sequences_;
  const TagChoices& choices_;
  int sequence_;
  std::vector<std::uint64_t> hashes_, joined_;
};

}  // namespace

TagPartFeatures tag_part_features(const TagModel& model, const Sequences& sequences, int sequence,
                                  const TagChoices& choices) {
  if (choices.sequences() != sequences.size()) throw std::invalid_argument("choices of other sequences");
  if (choices.most_tag() >= model.tags) throw std::invalid_argument("a tag that is not there");
  if (sequence < 0 || sequence >= sequences.size()) throw std::invalid_argument("a sequence that is not there");
  Lister lister(model, sequences, sequence, choices);
  for (int order = 0; order < kTagOrders; ++order) lister.list(order);
  return std::move(lister.all);
}

}  // namespace treaty::parse
