// Probabilities of tags by forward-backward over pairs of adjacent tags.
#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/host.hpp"
#include "parse/tagger.hpp"

namespace treaty::parse {
namespace {

using features::combine;

constexpr double kNever = -std::numeric_limits<double>::infinity();

// The logarithm of a sum of exponentials, given one by one.
class LogSum {
 public:
  void add(double value) {
    if (value == kNever) return;
    if (value > most_) sum_ = sum_ * std::exp(most_ - value) + 1.0, most_ = value;
    else sum_ += std::exp(value - most_);
  }
  double value() const { return most_ == kNever ? kNever : most_ + std::log(sum_); }

 private:
  double most_ = kNever, sum_ = 0.0;
};

}  // namespace

// Fills `triples_` of an item: its score for each (two before, before, current), the local score and that of the pair
// included.
template <class Use>
void Tagger::score_triples(Tags two_before, Tags before, Tags current, std::size_t at, Use use) {
  const auto score = [&](std::span<const std::uint64_t> features, auto... path) {
    for (std::size_t t = 0; t < features.size(); ++t) {
      joined_[t] = features[t];
      ((joined_[t] = combine(joined_[t], path)), ...);
    }
    total_.assign(current.size(), 0.0f);
    model_.weights.add_labels({joined_.data(), features.size()}, current, total_.data());
  };
  std::vector<double>& pair = reached_;
  for (std::size_t a = 0; a < before.size(); ++a) {
    const auto tag_a = tag_hash_[before[a]];
    score(features(1, at), tag_a);
    pair.assign(local_.begin(), local_.end());
    for (std::size_t b = 0; b < current.size(); ++b) pair[b] += total_[b];
    for (std::size_t z = 0; z < two_before.size(); ++z) {
      score(features(2, at), tag_hash_[two_before[z]], tag_a);
      for (std::size_t b = 0; b < current.size(); ++b) use(z, a, b, pair[b] + total_[b]);
    }
  }
}

// Fills `alpha_`: for each item and pair (tag before, tag), the sum over all paths that end there.
void Tagger::forward(const Sequences& sequences, int sequence, const TagChoices& choices) {
  const int length = sequences.length(sequence);
  hashes_.resize(begin_[kTagOrders]);
  kept_.resize(kTagOrders);
  triples_.clear();
  alpha_.assign(1, 0.0);
  triples_begin_.clear();
  alpha_begin_.assign(1, 0);
  const Tags none(&start_, 1);
  Tags two_before = none, before = none;
  std::vector<LogSum> sums;
  for (int i = 0; i < length; ++i) {
    learn::check_interrupt(i);
    const auto current = choices.of(sequence, i);
    extract(sequences, sequence, i, 0);
    score_tags(current, 0, false, 0);
    const auto first = triples_.size(), reached = alpha_begin_.back();
    triples_begin_.push_back(first);
    triples_.resize(first + two_before.size() * before.size() * current.size());
    sums.assign(before.size() * current.size(), {});
    score_triples(two_before, before, current, 0, [&](std::size_t z, std::size_t a, std::size_t b, double value) {
      triples_[first + (z * before.size() + a) * current.size() + b] = static_cast<float>(value);
      sums[a * current.size() + b].add(alpha_[reached + z * before.size() + a] + static_cast<float>(value));
    });
    alpha_begin_.push_back(alpha_.size());
    for (const auto& sum : sums) alpha_.push_back(sum.value());
    two_before = before;
    before = current;
  }
}

void Tagger::backward(int sequence, const TagChoices& choices, int length, std::span<const std::int32_t> tags,
                      std::span<double> probability) {
  const Tags none(&start_, 1);
  const auto tags_at = [&](int i) { return i < 0 ? none : choices.of(sequence, i); };
  beta_.assign(tags_at(length - 2).size() * tags_at(length - 1).size(), 0.0);
  for (int i = length - 1; i >= 0; --i) {
    learn::check_interrupt(i);
    const auto before = tags_at(i - 1), current = tags_at(i), two_before = tags_at(i - 2);
    LogSum chosen, every;
    for (std::size_t a = 0; a < before.size(); ++a)
      for (std::size_t b = 0; b < current.size(); ++b) {
        const auto pair = a * current.size() + b;
        const double value = alpha_[alpha_begin_[i + 1] + pair] + beta_[pair];
        every.add(value);
        if (current[b] == tags[i]) chosen.add(value);
      }
    probability[i] = std::min(1.0, std::exp(chosen.value() - every.value()));
    if (i == 0) break;
    beta_before_.resize(two_before.size() * before.size());
    for (std::size_t z = 0; z < two_before.size(); ++z)
      for (std::size_t a = 0; a < before.size(); ++a) {
        LogSum sum;
        const auto* triple = triples_.data() + triples_begin_[i] + (z * before.size() + a) * current.size();
        for (std::size_t b = 0; b < current.size(); ++b) sum.add(triple[b] + beta_[a * current.size() + b]);
        beta_before_[z * before.size() + a] = sum.value();
      }
    beta_.swap(beta_before_);
  }
}

void Tagger::tag(const Sequences& sequences, int sequence, const TagChoices& choices, std::span<std::int32_t> tags,
                 std::span<double> probability) {
  tag(sequences, sequence, choices, tags);
  const int length = sequences.length(sequence);
  if (length == 0) return;
  forward(sequences, sequence, choices);
  backward(sequence, choices, length, tags, probability);
}

}  // namespace treaty::parse
