#include "solve/search/bucket_forest.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "graph/stop.hpp"

namespace treaty::solve {

using graph::poll;

Elimination eliminate(std::span<const std::int32_t> labels, std::span<const std::vector<std::int32_t>> scopes) {
  std::map<std::int32_t, std::set<std::int32_t>> neighbors;
  for (const auto& scope : scopes)
    for (auto u : scope) {
      poll(64 * static_cast<std::int64_t>(scope.size()));
      auto& others = neighbors[u];
      for (auto v : scope)
        if (v != u) others.insert(v);
    }
  const auto cells = [&](std::int32_t v, const std::set<std::int32_t>& others) {
    double product = labels[v];
    for (auto u : others) product *= labels[u];
    return product;
  };
  std::map<std::int32_t, double> size;
  for (const auto& [v, others] : neighbors) size[v] = cells(v, others);

  Elimination result;
  while (!neighbors.empty()) {
    poll(8 * static_cast<std::int64_t>(size.size()));
    const auto next = std::ranges::min_element(size, {}, [](const auto& entry) { return entry.second; });
    const auto v = next->first;
    result.order.push_back(v);
    result.largest = std::max(result.largest, next->second);
    result.total += next->second;
    const auto others = std::move(neighbors[v]);
    neighbors.erase(v);
    size.erase(v);
    for (auto u : others) {
      poll(64 * static_cast<std::int64_t>(others.size()));
      auto& of_u = neighbors[u];
      of_u.erase(v);
      for (auto w : others)
        if (w != u) of_u.insert(w);
      size[u] = cells(u, of_u);
    }
  }
  return result;
}

// Turns one component after the other into buckets.
class BucketForest::Builder {
 public:
  Builder(BucketForest& forest, std::span<const Potential> potentials, std::size_t most_cells)
      : forest_(forest), potentials_(potentials), most_cells_(most_cells), position_(forest.labels_.size(), -1) {}

  void add(std::span<const Part> parts) {
    std::vector<std::vector<std::int32_t>> scopes;
    for (const auto& part : parts) scopes.push_back(potentials_[part.potential].vertices);
    const auto order = eliminate(forest_.labels_, scopes).order;
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = static_cast<int>(i);
    waiting_.assign(order.size(), {});
    for (const auto& part : parts) wait({potentials_[part.potential].vertices, &part, -1});
    const auto begin = forest_.buckets_.size();
    for (std::size_t i = 0; i < order.size(); ++i) fill_buckets(order[i], std::move(waiting_[i]));
    find_owners(begin);
    forest_.component_begin_.push_back(static_cast<int>(forest_.buckets_.size()));
  }

 private:
  using Scope = std::vector<std::int32_t>;

  void wait(Item item) {
    // From the last to be eliminated to the first.
    std::ranges::sort(item.scope, std::greater<>(), [&](auto v) { return position_[v]; });
    waiting_[position_[item.scope.back()]].push_back(std::move(item));
  }
  double cells(const Scope& scope) const {
    double product = 1.0;
    for (auto v : scope) product *= forest_.labels_[v];
    return product;
  }
  Scope joined(const Scope& a, const Scope& b) const {
    Scope both;
    std::ranges::set_union(a, b, std::back_inserter(both), std::greater<>(), [&](auto v) { return position_[v]; },
                           [&](auto v) { return position_[v]; });
    return both;
  }

  // The items that meet at a vertex go into as few buckets as fit, the largest first.
  void fill_buckets(std::int32_t vertex, std::vector<Item> items) {
    std::ranges::stable_sort(items, std::greater<>(), [](const Item& item) { return item.scope.size(); });
    std::vector<std::pair<Scope, std::vector<const Item*>>> minis;
    for (const auto& item : items) {
      poll(512);
      auto home = std::ranges::find_if(minis, [&](const auto& mini) {
        return cells(joined(mini.first, item.scope)) <= static_cast<double>(most_cells_);
      });
      if (home == minis.end()) home = minis.insert(minis.end(), {item.scope, {}});
      home->first = joined(home->first, item.scope);
      home->second.push_back(&item);
    }
    for (const auto& [scope, members] : minis) add_bucket(vertex, scope, members);
  }

  void add_bucket(std::int32_t vertex, const Scope& scope, const std::vector<const Item*>& members) {
    const int number = static_cast<int>(forest_.buckets_.size());
    Bucket bucket;
    bucket.vertex = vertex;
    bucket.labels = forest_.labels_[vertex];
    bucket.first = forest_.scores_;
    bucket.table = forest_.fixed_.size();
    bucket.message = forest_.messages_;
    bucket.scope.assign(scope.begin(), scope.end() - 1);
    bucket.separator = static_cast<std::size_t>(cells(bucket.scope));
    bucket.stride = strides(bucket.scope);
    forest_.scores_ += static_cast<std::size_t>(bucket.labels);
    forest_.messages_ += bucket.separator;
    forest_.fixed_.resize(bucket.table + bucket.separator * static_cast<std::size_t>(bucket.labels), 0.0);
    for (const auto* item : members) {
      if (item->part) {
        const auto& potential = potentials_[item->part->potential];
        const auto where = lookup(scope, potential.vertices);
        for (std::size_t i = 0; i < where.size(); ++i)
          forest_.fixed_[bucket.table + i] += item->part->share * potential.cells[where[i]];
      } else {
        bucket.children.emplace_back(item->bucket, lookup(scope, item->scope));
        parent_[item->bucket] = number;
      }
    }
    parent_.push_back(-1);
    forest_.buckets_.push_back(std::move(bucket));
    if (scope.size() > 1) wait({Scope(scope.begin(), scope.end() - 1), nullptr, number});
  }

  std::vector<std::size_t> strides(const Scope& scope) const {
    std::vector<std::size_t> result(scope.size());
    std::size_t stride = 1;
    for (auto i = scope.size(); i-- > 0;) {
      result[i] = stride;
      stride *= static_cast<std::size_t>(forest_.labels_[scope[i]]);
    }
    return result;
  }

  // For each joint label of `scope` the one of `inner`, a part of it in an order of its own.
  std::vector<std::int32_t> lookup(const Scope& scope, const Scope& inner) const {
    const auto inner_stride = strides(inner);
    std::vector<std::int32_t> step(scope.size(), 0), digit(scope.size(), 0);
    for (std::size_t i = 0; i < scope.size(); ++i)
      if (const auto at = std::ranges::find(inner, scope[i]); at != inner.end())
        step[i] = static_cast<std::int32_t>(inner_stride[static_cast<std::size_t>(at - inner.begin())]);
    std::vector<std::int32_t> where(static_cast<std::size_t>(cells(scope)));
    std::int32_t at = 0;
    poll(4 * std::ssize(where));
    for (auto& place : where) {
      place = at;
      for (auto i = scope.size(); i-- > 0;) {
        at += step[i];
        if (++digit[i] < forest_.labels_[scope[i]]) break;
        at -= step[i] * digit[i];
        digit[i] = 0;
      }
    }
    return where;
  }

  // The other vertices of a bucket are eliminated by its ancestors.
  void find_owners(std::size_t begin) {
    for (auto i = begin; i < forest_.buckets_.size(); ++i)
      for (auto v : forest_.buckets_[i].scope) {
        int ancestor = parent_[i];
        while (forest_.buckets_[ancestor].vertex != v) ancestor = parent_[ancestor];
        forest_.buckets_[i].owner.push_back(ancestor);
      }
  }

  BucketForest& forest_;
  std::span<const Potential> potentials_;
  std::size_t most_cells_;
  std::vector<int> position_;
  std::vector<std::vector<Item>> waiting_;  // by the position of their first vertex
  std::vector<int> parent_;
};

BucketForest::BucketForest(std::span<const std::int32_t> labels, std::span<const Potential> potentials,
                           std::span<const std::vector<Part>> components, std::size_t most_cells)
    : labels_(labels.begin(), labels.end()) {
  Builder builder(*this, potentials, most_cells);
  for (const auto& parts : components) builder.add(parts);
  table_.resize(fixed_.size());
  message_.resize(messages_);
}

double BucketForest::maximize(int component, std::span<const double> scores, std::span<std::int32_t> label) {
  const int begin = component_begin_[component], end = component_begin_[component + 1];
  double total = 0.0;
  for (int b = begin; b < end; ++b) {
    const auto& bucket = buckets_[b];
    const auto labels = static_cast<std::size_t>(bucket.labels), size = bucket.separator * labels;
    poll(64 + 2 * static_cast<std::int64_t>(size));
    double* const table = table_.data() + bucket.table;
    std::copy_n(fixed_.data() + bucket.table, size, table);
    for (const auto& [child, where] : bucket.children) {
      const double* const message = message_.data() + buckets_[child].message;
      for (std::size_t i = 0; i < size; ++i) table[i] += message[where[i]];
    }
    const double* const score = scores.data() + bucket.first;
    double* const message = message_.data() + bucket.message;
    for (std::size_t s = 0; s < bucket.separator; ++s) {
      double best = -std::numeric_limits<double>::infinity();
      for (std::size_t x = 0; x < labels; ++x) best = std::max(best, table[s * labels + x] += score[x]);
      message[s] = best;
    }
    if (bucket.separator == 1 && bucket.scope.empty()) total += message[0];
  }
  for (int b = end; b-- > begin;) {
    const auto& bucket = buckets_[b];
    std::size_t separator = 0;
    for (std::size_t i = 0; i < bucket.owner.size(); ++i)
      separator += bucket.stride[i] * static_cast<std::size_t>(label[bucket.owner[i]]);
    const double* const row = table_.data() + bucket.table + separator * static_cast<std::size_t>(bucket.labels);
    label[b] = static_cast<std::int32_t>(std::max_element(row, row + bucket.labels) - row);
  }
  return total;
}

}  // namespace treaty::solve
