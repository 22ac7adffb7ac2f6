// Maps a feature's hash to its row of weights: exact, and only for features that were seen in training.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::label {

class RowIndex {
 public:
  static constexpr std::int32_t kNone = -1;

  // The row of a feature; a new one gets the next.
  std::int32_t insert(std::uint64_t feature) {
    if (3 * (static_cast<std::size_t>(rows_) + 1) > 2 * slots_.size()) grow();
    auto& slot = slots_[place_of(feature)];
    if (slot.row == kNone) slot = {feature, rows_++};
    return slot.row;
  }
  std::int32_t find(std::uint64_t feature) const {
    return slots_.empty() ? kNone : slots_[place_of(feature)].row;
  }
  std::int32_t rows() const { return rows_; }
  // The features in the order of their rows.
  std::vector<std::uint64_t> features() const {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(rows_));
    for (const auto& slot : slots_)
      if (slot.row != kNone) all[slot.row] = slot.feature;
    return all;
  }

 private:
  struct Slot {
    std::uint64_t feature = 0;
    std::int32_t row = kNone;
  };

  // The slot of a feature, or the slot where it would be inserted. Linear probing: hashes are well mixed in their high
  // bits.
  std::size_t place_of(std::uint64_t feature) const {
    const auto mask = slots_.size() - 1;
    auto place = static_cast<std::size_t>((feature * 0x9e3779b97f4a7c15u) >> shift_);
    while (slots_[place].row != kNone && slots_[place].feature != feature) place = (place + 1) & mask;
    return place;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 16 : 2 * slots_.size());
    old.swap(slots_);
    shift_ = 64;
    for (auto size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const auto& slot : old)
      if (slot.row != kNone) slots_[place_of(slot.feature)] = slot;
  }

  std::vector<Slot> slots_;  // a power of two of them, at most two thirds taken
  std::int32_t rows_ = 0;
  int shift_ = 64;
};

}  // namespace treaty::label
