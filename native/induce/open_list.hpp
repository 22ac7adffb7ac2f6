// The open nodes of a search, best bound first, stored compactly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "induce/bounder.hpp"

namespace treaty::induce {

class OpenList {
 public:
  explicit OpenList(int choices) : width_(2 * static_cast<std::size_t>(choices)) {}

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  // The highest bound of all nodes.
  double best() const;
  // Bytes used by the nodes, including the memory that a list needs temporarily when it grows.
  std::size_t memory() const {
    return size() * (width_ * sizeof(Point) + 3 * sizeof(Entry) + 3 * sizeof(std::uint32_t));
  }

  // Nodes with equal bounds leave in order of insertion: the order does not depend on where they are stored.
  void push(const Part& part);
  Part pop() { return deep_ ? take_last() : take_best(); }

  // In depth-first mode, the node inserted last leaves first, and the list hardly grows: first come the nodes with the
  // lowest bounds, whose subtrees are the smallest, each followed by its descendants.
  void go_deep();
  void go_best_first();
  bool deep() const { return deep_; }

  // Nodes that were pushed since a mark can be dropped again.
  std::uint64_t mark() const { return next_; }
  void drop_since(std::uint64_t mark);

  // All nodes and the counter, in a form that does not depend on where they are kept.
  template <class Archive>
  void visit(Archive& archive);
  // Whether every node is a box within this one, with a bound.
  bool within(ConstBox whole) const;

 private:
  struct Entry {
    double bound;
    std::uint64_t number;  // nodes are numbered in order of insertion
    std::uint32_t slot;
    float price;
  };
  static constexpr std::size_t kPage = 1024;  // number of boxes per page

  static bool worse(const Entry& a, const Entry& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.number > b.number;
  }
  Point* box(std::uint32_t slot) const { return &pages_[slot / kPage][slot % kPage * width_]; }
  std::uint32_t new_slot();
  Part take_best();
  Part take_last();
  Part release(const Entry& entry);

  std::size_t width_;
  bool deep_ = false;
  std::uint64_t next_ = 0;
  std::vector<Entry> entries_;  // a heap, or a stack in depth-first mode
  std::vector<std::unique_ptr<Point[]>> pages_;
  std::vector<std::uint32_t> free_;
};

inline double OpenList::best() const {
  if (!deep_) return entries_.front().bound;
  double best = entries_.front().bound;
  for (const auto& entry : entries_) best = std::max(best, entry.bound);
  return best;
}

inline std::uint32_t OpenList::new_slot() {
  if (free_.empty()) {
    const auto first = static_cast<std::uint32_t>(pages_.size() * kPage);
    pages_.push_back(std::make_unique<Point[]>(kPage * width_));
    for (std::uint32_t i = kPage; i-- > 0;) free_.push_back(first + i);
  }
  const auto slot = free_.back();
  free_.pop_back();
  return slot;
}

inline void OpenList::push(const Part& part) {
  const auto slot = new_slot();
  std::copy(part.box.begin(), part.box.end(), box(slot));
  entries_.push_back({part.bound, next_++, slot, static_cast<float>(part.price)});
  if (!deep_) std::push_heap(entries_.begin(), entries_.end(), worse);
}

inline Part OpenList::release(const Entry& entry) {
  free_.push_back(entry.slot);
  const Point* points = box(entry.slot);
  return {entry.bound, entry.price, {points, points + width_}};
}

inline Part OpenList::take_best() {
  std::pop_heap(entries_.begin(), entries_.end(), worse);
  const auto entry = entries_.back();
  entries_.pop_back();
  return release(entry);
}

inline Part OpenList::take_last() {
  const auto entry = entries_.back();
  entries_.pop_back();
  return release(entry);
}

inline void OpenList::go_deep() {
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return worse(b, a); });
  deep_ = true;
}

inline void OpenList::go_best_first() {
  std::make_heap(entries_.begin(), entries_.end(), worse);
  deep_ = false;
}

inline void OpenList::drop_since(std::uint64_t mark) {
  const auto kept = std::partition(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.number < mark; });
  for (auto entry = kept; entry != entries_.end(); ++entry) free_.push_back(entry->slot);
  entries_.erase(kept, entries_.end());
  next_ = mark;
  if (deep_) go_deep();
  else std::make_heap(entries_.begin(), entries_.end(), worse);
}

inline bool OpenList::within(ConstBox whole) const {
  for (const auto& entry : entries_) {
    if (!std::isfinite(entry.bound) || !std::isfinite(entry.price)) return false;
    const Point* own = box(entry.slot);
    for (std::size_t i = 0; i < width_; i += 2)
      if (own[i] < whole[i] || own[i] > own[i + 1] || own[i + 1] > whole[i + 1]) return false;
  }
  return true;
}

template <class Archive>
void OpenList::visit(Archive& archive) {
  auto deep = static_cast<std::uint64_t>(deep_), nodes = static_cast<std::uint64_t>(entries_.size());
  archive.value(next_);
  archive.value(deep);
  archive.value(nodes);
  if (archive.reading()) {
    deep_ = deep != 0;
    entries_.clear();
    for (std::uint64_t i = 0; i < nodes; ++i) {
      Entry entry{};
      archive.value(entry.bound);
      archive.value(entry.number);
      archive.value(entry.price);
      entry.slot = new_slot();
      archive.array(box(entry.slot), width_);
      entries_.push_back(entry);
    }
    if (!deep_) std::make_heap(entries_.begin(), entries_.end(), worse);
    return;
  }
  for (auto& entry : entries_) {
    archive.value(entry.bound);
    archive.value(entry.number);
    archive.value(entry.price);
    archive.array(box(entry.slot), width_);
  }
}

}  // namespace treaty::induce
