// The weights of a model in training, with a second table that sums the updates weighted by when they came: it gives
// the average of all weight vectors seen at the price of one more addition per update.
#pragma once

#include <cstdint>
#include <vector>

#include "features/huge_pages.hpp"

namespace treaty::label {

class AveragedWeights {
 public:
  using Table = std::vector<float, HugePages<float>>;

  void resize(std::size_t size) { values.assign(size, 0.0f); }
  void add(std::size_t at, float delta) {
    values[at] += delta;
    if (!late.empty()) late[at] += delta * static_cast<float>(step);
  }
  void start_averaging() { late.assign(values.size(), 0.0f); }
  // The mean of the weights after each step so far.
  std::vector<float> average() const {
    std::vector<float> mean(values.begin(), values.end());
    if (!late.empty() && step > 0)
      for (std::size_t i = 0; i < mean.size(); ++i)
        mean[i] = static_cast<float>(values[i] - static_cast<double>(late[i]) / static_cast<double>(step));
    return mean;
  }

  Table values, late;  // nothing late where not training
  std::int64_t step = 0;
};

}  // namespace treaty::label
