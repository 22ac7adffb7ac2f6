// The weight table of a model: 2^bits buckets, features fall into them by the high bits of their hash.
//
// In training a second table sums the updates weighted by when they came, which gives the average of all weight
// vectors seen (the averaged perceptron's trick) at the price of one more addition per update.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "features/hash.hpp"
#include "features/huge_pages.hpp"

namespace treaty::features {

class Weights {
 public:
  using Table = std::vector<float, HugePages<float>>;

  explicit Weights(int bits) : shift_(64 - bits) {
    if (bits < 1 || bits > 30) throw std::invalid_argument("a weight table has 2^1 to 2^30 buckets");
  }

  std::uint32_t bucket(std::uint64_t feature) const { return static_cast<std::uint32_t>(feature >> shift_); }
  // The same feature with each of a few labels: side by side, so that to try them all touches few lines of memory.
  std::uint32_t bucket(std::uint64_t feature, std::int32_t label) const {
    return static_cast<std::uint32_t>((bucket(feature) + static_cast<std::size_t>(label)) & (size() - 1));
  }
  float operator[](std::uint32_t bucket) const {
    if (frozen()) return level_[code_[bucket]];
    return value_.empty() ? 0.0f : value_[bucket];
  }
  // The sum of the weights of features.
  float sum(const std::uint64_t* feature, const std::uint64_t* end) const {
    float total = 0.0f;
    if (frozen())
      for (; feature != end; ++feature) total += level_[code_[bucket(*feature)]];
    else if (!value_.empty())
      for (; feature != end; ++feature) total += value_[bucket(*feature)];
    return total;
  }

  // Adds to each label's total the weights that features have with it.
  void add_labels(std::span<const std::uint64_t> features, std::span<const std::int32_t> labels, float* total) const {
    const auto add = [&](const auto& weight_at) {
      for (auto feature : features)
        for (std::size_t i = 0; i < labels.size(); ++i) total[i] += weight_at(bucket(feature, labels[i]));
    };
    if (frozen())
      add([&](auto at) { return level_[code_[at]]; });
    else if (!value_.empty())
      add([&](auto at) { return value_[at]; });
  }

  // From now on weights are read from one byte each, the number of a level: a quarter of the memory to look up in.
  void freeze(std::span<const std::uint8_t> codes, std::span<const float> levels) {
    if (codes.size() != size()) throw std::invalid_argument("one code for each bucket is needed");
    if (levels.size() > level_.size()) throw std::invalid_argument("there are at most 256 levels");
    for (auto code : codes)
      if (code >= levels.size()) throw std::invalid_argument("a code without a level");
    level_.fill(0.0f);
    std::ranges::copy(levels, level_.begin());
    code_.assign(codes.begin(), codes.end());
    value_ = {};
    late_ = {};
  }
  bool frozen() const { return !code_.empty(); }
  std::vector<float> thawed() const {
    std::vector<float> values;
    values.reserve(code_.size());
    for (auto code : code_) values.push_back(level_[code]);
    return values;
  }

  void add(std::uint32_t bucket, float delta) {
    value_[bucket] += delta;
    if (!late_.empty()) late_[bucket] += delta * static_cast<float>(step_);
  }
  void start_averaging() { late_.assign(values().size(), 0.0f); }
  void next_step() { ++step_; }
  // The mean of the weights after each step so far.
  std::vector<float> average() const {
    std::vector<float> mean(value_.begin(), value_.end());
    if (!late_.empty() && step_ > 0)
      for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = static_cast<float>(value_[i] - static_cast<double>(late_[i]) / static_cast<double>(step_));
    return mean;
  }

  int bits() const { return 64 - shift_; }
  std::size_t size() const { return std::size_t{1} << bits(); }
  // The weights, zero at first; made when they are first asked for, so that a model that is read from a file has none.
  Table& values() {
    if (value_.empty() && !frozen()) value_.assign(size(), 0.0f);
    return value_;
  }
  Table& late() { return late_; }
  std::int64_t step() const { return step_; }
  void set_step(std::int64_t step) { step_ = step; }

 private:
  int shift_;
  Table value_, late_;  // nothing late where not training
  std::vector<std::uint8_t, HugePages<std::uint8_t>> code_;
  std::array<float, 256> level_{};
  std::int64_t step_ = 0;
};

}  // namespace treaty::features
