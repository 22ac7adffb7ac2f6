// What solvers kept of examples to start from when they see them again, by key; bounded in number.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "graph/graph.hpp"

namespace treaty::solve {

// A number that is the same for graphs that differ in scores only.
inline std::uint64_t structure_of(const graph::Graph& graph) {
  std::uint64_t hash = 1469598103934665603u;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211u; };
  mix(graph.score.size());
  for (auto value : graph.evidence) mix(static_cast<std::uint64_t>(value + 1));
  for (auto kind : graph.kind) mix(static_cast<std::uint64_t>(kind));
  for (auto begin : graph.literal_begin) mix(static_cast<std::uint64_t>(begin));
  for (auto literal : graph.literals) mix(static_cast<std::uint64_t>(literal));
  for (auto value : graph.shape) mix(static_cast<std::uint64_t>(value));
  return hash;
}

template <class Start>
class WarmStarts {
 public:
  explicit WarmStarts(std::size_t most) : most_(most) {}

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return used_.size();
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    used_.clear(), place_.clear();
  }
  // An empty start if there is none of that key, or of another graph.
  Start take(std::uint64_t structure, std::int64_t key) {
    const std::lock_guard lock(mutex_);
    const auto found = place_.find(key);
    if (found == place_.end()) return {};
    Entry entry = std::move(*found->second);
    used_.erase(found->second), place_.erase(found);
    return entry.structure == structure ? std::move(entry.start) : Start{};
  }
  void put(std::uint64_t structure, std::int64_t key, Start start) {
    const std::lock_guard lock(mutex_);
    if (most_ == 0) return;
    if (const auto found = place_.find(key); found != place_.end()) used_.erase(found->second), place_.erase(found);
    if (used_.size() >= most_) place_.erase(used_.back().key), used_.pop_back();
    used_.push_front({structure, key, std::move(start)});
    place_[key] = used_.begin();
  }

 private:
  struct Entry {
    std::uint64_t structure;
    std::int64_t key;
    Start start;
  };
  std::size_t most_;
  mutable std::mutex mutex_;
  std::list<Entry> used_;  // most recently first
  std::unordered_map<std::int64_t, typename std::list<Entry>::iterator> place_;
};

}  // namespace treaty::solve
