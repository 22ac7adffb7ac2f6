// Weights in training, and the mean of all weight vectors so far, for one more addition per update.
//
// The weights are `values` times one scale, which a regularizer shrinks for all at once. Time advances by the scale
// after each step, so an update d at time T adds d (now - T) to the sum of all weight vectors so far. That sum is past
// + time * values - late, where `late` is the sum of all d T. Before a small scale would cost digits of the difference,
// it is folded into `past`, and time starts at zero again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "features/huge_pages.hpp"

namespace treaty::learn {

template <class Number>
class Averaged {
 public:
  using Table = std::vector<Number, features::HugePages<Number>>;

  // The contribution of a change to the two tables.
  struct Rate {
    Number now, late;
    Rate operator*(Number times) const { return {now * times, late * times}; }
  };
  Rate rate_of(double change) const {
    return {static_cast<Number>(change / scale), static_cast<Number>(change / scale * time)};
  }
  // Adds numbers, times the rate, to as many weights starting at `at`.
  void add(std::size_t at, std::span<const Number> numbers, Rate rate) {
    Number* const value = values.data() + at;
    for (std::size_t i = 0; i < numbers.size(); ++i) value[i] += rate.now * numbers[i];
    if (late.empty()) return;
    Number* const sum = late.data() + at;
    for (std::size_t i = 0; i < numbers.size(); ++i) sum[i] += rate.late * numbers[i];
  }
  void shrink(double factor) {
    if (scale < kLeastScale) fold();
    scale *= factor;
  }
  // Multiplies the weights by the scale and resets it.
  void fold() {
    if (scale == 1.0) return;
    if (!late.empty()) past.resize(values.size());
    for (std::size_t i = 0; i < past.size(); ++i) past[i] += static_cast<Number>(time * values[i] - late[i]);
    std::ranges::fill(late, Number{0});
    for (auto& value : values) value *= static_cast<Number>(scale);
    time = 0.0;
    scale = 1.0;
  }

  void start_averaging() {
    late.assign(values.size(), Number{0});
    past.clear();
    time = 0.0;
    step = 0;
  }
  void next_step() {
    ++step;
    time += scale;
  }
  // The mean of the weights after each step since averaging began; the weights themselves before that.
  std::vector<Number> average() const {
    std::vector<Number> mean(values.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = mean_of(i);
    return mean;
  }
  // Replaces the weights by the mean; averaging ends.
  void keep_average() {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = mean_of(i);
    late = {};
    past = {};
    scale = 1.0;
  }

  // Makes other weights, all zero, without averaging.
  void renew(std::size_t size) {
    release();
    values.assign(size, Number{0});
    late = {};
    past = {};
    scale = 1.0;
    time = 0.0;
    step = 0;
  }
  // The weights, for readers and writers whom a later release() must leave with valid memory.
  Number* show() {
    shown_ = true;
    return values.data();
  }
  // Leaves the table empty. Its memory is kept as long as this object if it was shown.
  void release() {
    if (shown_) left_.push_back(std::move(values));
    values = {};
    shown_ = false;
  }

  Table values;
  Table late, past;       // late is empty without averaging, past before a fold
  double scale = 1.0;
  double time = 0.0;      // since averaging began, or the last fold
  std::int64_t step = 0;  // since averaging began

 private:
  Number mean_of(std::size_t i) const {
    if (late.empty() || step == 0) return static_cast<Number>(scale * values[i]);
    const double before = past.empty() ? 0.0 : past[i];
    return static_cast<Number>((before + time * values[i] - late[i]) / static_cast<double>(step));
  }

  static constexpr double kLeastScale = 1e-3;

  bool shown_ = false;
  std::vector<Table> left_;
};

}  // namespace treaty::learn
