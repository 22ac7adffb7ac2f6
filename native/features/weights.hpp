// The weight table of a model: 2^bits buckets, indexed by the high bits of a feature's hash. It is averaged in
// training, and may be frozen afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "features/hash.hpp"
#include "learn/averaged.hpp"

namespace treaty::features {

class Weights : public learn::Averaged<float> {
 public:
  explicit Weights(int bits) : shift_(64 - bits) {
    if (bits < 1 || bits > 30) throw std::invalid_argument("a weight table has 2^1 to 2^30 buckets");
  }

  std::uint32_t bucket(std::uint64_t feature) const { return static_cast<std::uint32_t>(feature >> shift_); }
  // The same feature with each of a few labels: the weights are adjacent, so that trying all labels touches few cache
  // lines.
  std::uint32_t bucket(std::uint64_t feature, std::int32_t label) const {
    return static_cast<std::uint32_t>((bucket(feature) + static_cast<std::size_t>(label)) & (size() - 1));
  }
  float operator[](std::uint32_t bucket) const {
    if (frozen()) return level_[code_[bucket]];
    return values.empty() ? 0.0f : values[bucket];
  }
  // The sum of the weights of features.
  float sum(const std::uint64_t* feature, const std::uint64_t* end) const {
    float total = 0.0f;
    if (frozen())
      for (; feature != end; ++feature) total += level_[code_[bucket(*feature)]];
    else if (!values.empty())
      for (; feature != end; ++feature) total += values[bucket(*feature)];
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
    else if (!values.empty())
      add([&](auto at) { return values[at]; });
  }

  // From now on, each weight is read as one byte, the number of a level: a quarter of the memory.
  void freeze(std::span<const std::uint8_t> codes, std::span<const float> levels) {
    if (codes.size() != size()) throw std::invalid_argument("one code for each bucket is needed");
    if (levels.size() > level_.size()) throw std::invalid_argument("there are at most 256 levels");
    for (auto code : codes)
      if (code >= levels.size()) throw std::invalid_argument("a code without a level");
    level_.fill(0.0f);
    std::ranges::copy(levels, level_.begin());
    code_.assign(codes.begin(), codes.end());
    release();
    late = {};
  }
  bool frozen() const { return !code_.empty(); }
  std::vector<float> thawed() const {
    std::vector<float> all;
    all.reserve(code_.size());
    for (auto code : code_) all.push_back(level_[code]);
    return all;
  }

  // Weights are zero at first, and allocated on first use: a model that is read from a file needs none.
  void make() {
    if (values.empty() && !frozen()) values.assign(size(), 0.0f);
  }
  void start_averaging() {
    make();
    Averaged::start_averaging();
  }
  int bits() const { return 64 - shift_; }
  std::size_t size() const { return std::size_t{1} << bits(); }

 private:
  int shift_;
  std::vector<std::uint8_t, HugePages<std::uint8_t>> code_;
  std::array<float, 256> level_{};
};

}  // namespace treaty::features
