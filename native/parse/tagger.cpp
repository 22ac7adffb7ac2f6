#include "parse/tagger.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "learn/host.hpp"

namespace treaty::parse {

using features::combine, features::mix, learn::mira_rate;

TagChoices::TagChoices(const Sequences& sequences, std::vector<std::int32_t> class_of, std::vector<std::int32_t> tags,
                       std::vector<std::int32_t> class_begin)
    : class_of_(std::move(class_of)), tags_(std::move(tags)), class_begin_(std::move(class_begin)) {
  first_.push_back(0);
  for (int s = 0; s < sequences.size(); ++s) first_.push_back(first_.back() + sequences.length(s));
  if (items() != static_cast<std::int64_t>(class_of_.size())) throw std::invalid_argument("expected a class for every item");
  const auto classes = static_cast<std::int32_t>(class_begin_.size()) - 1;
  if (classes < 0 || class_begin_.front() != 0 || class_begin_.back() != static_cast<std::int32_t>(tags_.size()))
    throw std::invalid_argument("the classes do not cover the tags");
  for (std::int32_t c = 0; c < classes; ++c)
    if (class_begin_[c] >= class_begin_[c + 1]) throw std::invalid_argument("a class has no tags");
  for (auto c : class_of_)
    if (c < 0 || c >= classes) throw std::invalid_argument("the index of a class is out of range");
  for (auto tag : tags_) {
    if (tag < 0) throw std::invalid_argument("the index of a tag is out of range");
    most_tag_ = std::max(most_tag_, tag);
  }
}

Tagger::Tagger(const TagModel& model) : model_(model), start_(model.start) {
  for (std::int32_t tag = 0; tag <= model.tags; ++tag) tag_hash_.push_back(mix(static_cast<std::uint64_t>(tag) + 1));
  for (int order = 0; order < kTagOrders; ++order)
    begin_[order + 1] = begin_[order] + static_cast<std::size_t>(model.templates[order]->most_features(0));
  begin_[kTagOrders] = std::max<std::size_t>(begin_[kTagOrders], 1);  // an item has a place even without templates
  joined_.resize(begin_[kTagOrders]);
}

void Tagger::extract(const Sequences& sequences, int sequence, int item, std::size_t at) {
  const std::uint64_t* rows[] = {sequences.row(sequence, item)};
  for (int order = 0; order < kTagOrders; ++order) {
    auto* begin = hashes_.data() + at + begin_[order];
    auto* end = model_.templates[order]->extract(rows, nullptr, begin);
    if (dropped_below_ > 0) end = drop(begin, end);
    kept_[at / begin_[kTagOrders] * kTagOrders + order] = static_cast<std::size_t>(end - begin);
  }
}

std::uint64_t* Tagger::drop(std::uint64_t* begin, std::uint64_t* end) {
  return std::remove_if(begin, end, [&](std::uint64_t) {
    noise_ = mix(noise_);
    return (noise_ >> 32) < dropped_below_;
  });
}

void Tagger::score_tags(Tags current, std::size_t at, bool augmented, std::int32_t gold) {
  total_.assign(current.size(), 0.0f);
  model_.weights.add_labels(features(0, at), current, total_.data());
  local_.assign(total_.begin(), total_.end());
  if (!augmented) return;
  for (std::size_t b = 0; b < current.size(); ++b) local_[b] += current[b] != gold ? cost(gold) : 0.0;
}

// From the best paths to (z, a) to the best paths to (a, b).
void Tagger::extend(Tags two_before, Tags before, Tags current, std::size_t at) {
  reached_.swap(reach_);
  reach_.assign(before.size() * current.size(), -std::numeric_limits<double>::infinity());
  auto* back = back_.data() + back_begin_.back();
  // The weights of features joined with the tags of one path, for each current tag.
  const auto score = [&](std::span<const std::uint64_t> features, auto... path) {
    for (std::size_t t = 0; t < features.size(); ++t) {
      joined_[t] = features[t];
      ((joined_[t] = combine(joined_[t], path)), ...);
    }
    total_.assign(current.size(), 0.0f);
    model_.weights.add_labels({joined_.data(), features.size()}, current, total_.data());
  };
  for (std::size_t a = 0; a < before.size(); ++a) {
    auto* reach = reach_.data() + a * current.size();
    const auto tag_a = tag_hash_[before[a]];
    for (std::size_t z = 0; z < two_before.size(); ++z) {
      score(features(2, at), tag_hash_[two_before[z]], tag_a);
      for (std::size_t b = 0; b < current.size(); ++b) {
        const double value = reached_[z * before.size() + a] + total_[b];
        if (value > reach[b]) {
          reach[b] = value;
          back[a * current.size() + b] = static_cast<std::int32_t>(z);
        }
      }
    }
    score(features(1, at), tag_a);
    for (std::size_t b = 0; b < current.size(); ++b) reach[b] += local_[b] + total_[b];
  }
}

// Fills `best_`. With gold tags, wrong tags score their cost more, and the features of all items are kept.
void Tagger::decode(const Sequences& sequences, int sequence, const TagChoices& choices, Tags gold) {
  const int length = sequences.length(sequence);
  const bool learning = !gold.empty();
  const auto stride = begin_[kTagOrders];
  hashes_.resize(stride * static_cast<std::size_t>(learning ? length : 1));
  kept_.resize(kTagOrders * static_cast<std::size_t>(learning ? length : 1));
  back_.clear();
  back_begin_.clear();
  reach_.assign(1, 0.0);
  const Tags none(&start_, 1);
  Tags two_before = none, before = none;
  for (int i = 0; i < length; ++i) {
    const auto current = choices.of(sequence, i);
    back_begin_.push_back(back_.size());
    back_.resize(back_.size() + before.size() * current.size(), 0);
    const std::size_t at = learning ? stride * static_cast<std::size_t>(i) : 0;
    // With a single candidate all paths have the same score.
    const bool choice = two_before.size() * before.size() * current.size() > 1;
    if (learning || choice) {
      learn::check_interrupt(i);
      extract(sequences, sequence, i, at);
      if (current.size() > 1) score_tags(current, at, learning, learning ? gold[i] : 0);
      else local_.assign(1, 0.0);
      extend(two_before, before, current, at);
    }
    two_before = before;
    before = current;
  }
  follow_back(choices, sequence, length);
}

void Tagger::follow_back(const TagChoices& choices, int sequence, int length) {
  best_.assign(length, 0);
  if (length == 0) return;
  const auto last = static_cast<std::size_t>(std::ranges::max_element(reach_) - reach_.begin());
  auto width = choices.of(sequence, length - 1).size();
  std::size_t a = last / width, b = last % width;
  for (int i = length - 1; i >= 0; --i) {
    const auto current = choices.of(sequence, i);
    best_[i] = current[b];
    const auto z = static_cast<std::size_t>(back_[back_begin_[i] + a * current.size() + b]);
    b = a;
    a = z;
  }
}

void Tagger::tag(const Sequences& sequences, int sequence, const TagChoices& choices, std::span<std::int32_t> tags) {
  decode(sequences, sequence, choices, {});
  std::ranges::copy(best_, tags.begin());
}

// Adds the features of `tags` that `other` does not have at the same item; returns the sum of their weights.
double Tagger::collect(Tags tags, Tags other, float count, Update& update) const {
  const auto& weights = model_.weights;
  double total = 0.0;
  const auto tag_at = [&](Tags list, std::ptrdiff_t i) { return i < 0 ? start_ : list[static_cast<std::size_t>(i)]; };
  for (std::size_t i = 0; i < tags.size(); ++i) {
    bool differs = false;
    for (int order = 0; order < kTagOrders; ++order) {
      const auto at = static_cast<std::ptrdiff_t>(i) - order;
      differs = differs || tag_at(tags, at) != tag_at(other, at);
      if (!differs) continue;
      for (auto h : features(order, begin_[kTagOrders] * i)) {
        for (auto k = at; k < static_cast<std::ptrdiff_t>(i); ++k) h = combine(h, tag_hash_[tag_at(tags, k)]);
        const auto bucket = weights.bucket(h, tags[i]);
        total += weights[bucket];
        update.add(bucket, count);
      }
    }
  }
  return total;
}

int Tagger::learn(const Sequences& sequences, int sequence, const TagChoices& choices, Tags gold,
                  const TagTraining& options, Update& update) {
  update.clear();
  if (gold.empty()) return 0;
  // The noise depends only on the sequence and on when it is seen, not on the thread.
  noise_ = mix(mix(static_cast<std::uint64_t>(model_.weights.step)) ^ static_cast<std::uint64_t>(sequence));
  dropped_below_ = static_cast<std::uint64_t>(options.dropout * 4294967296.0);
  last_cost_ = options.last_cost;
  decode(sequences, sequence, choices, gold);
  dropped_below_ = 0;
  int wrong = 0;
  double loss = 0.0;
  for (std::size_t i = 0; i < gold.size(); ++i) {
    wrong += best_[i] != gold[i];
    loss += best_[i] != gold[i] ? cost(gold[i]) : 0.0;
  }
  if (wrong > 0) {
    const double score = collect(best_, gold, -1.0f, update);
    const double wanted = collect(gold, best_, 1.0f, update);
    update.rate = static_cast<float>(mira_rate(loss + score - wanted, update.merge(), options.aggressiveness));
  }
  return static_cast<int>(gold.size()) - wrong;
}

}  // namespace treaty::parse
