// The arcs that may enter a component of a growing arborescence, in two stores with one interface:
//   load(slot_score)              every node is a component of its own;
//   best(component)               its best arc from another component and what it is worth by now;
//   contract(cycle, price, into)  each member's arcs lose its price, then the members become one;
//   arc_of(component, entering)   which arc an answer of best(component) is, even after contractions.
// Arcs from the root are not stored here: only one counts for each component, and the oracle keeps it.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/maximum.hpp"

namespace treaty::graph {

struct Arc {
  std::int32_t head, modifier;
};

struct Entering {
  std::int32_t head = -1;  // -1: nothing enters
  std::int32_t arc = -1;   // -1: ask arc_of
  double score = -kInfinity;
};

// Which component a node belongs to, by union and find. Contracted components have numbers of their own.
class Components {
 public:
  explicit Components(std::size_t numbers) : up_(numbers) {}
  void reset() { std::iota(up_.begin(), up_.end(), 0); }
  void join(std::int32_t member, std::int32_t into) { up_[static_cast<std::size_t>(member)] = into; }
  std::int32_t find(std::int32_t node) {
    auto up = [this](std::int32_t i) -> std::int32_t& { return up_[static_cast<std::size_t>(i)]; };
    while (up(node) != node) node = up(node) = up(up(node));
    return node;
  }

 private:
  std::vector<std::int32_t> up_;
};

// A matrix with a row per component and a column per head: O(n) to search or to merge a row, O(n^2) in total (Tarjan
// 1977). The columns of a component's own nodes are -inf in its row. Rows hold only scores, which keeps the loops fast;
// the arc of a score is looked up once per arc of the tree. Ties go to the lowest head.
class DenseArcs {
 public:
  DenseArcs(std::int32_t nodes, std::span<const Arc> arcs, Components&)
      : n_(static_cast<std::size_t>(nodes)),
        score_(2 * n_ * n_, -kInfinity),
        arc_(n_ * n_, -1),
        first_member_(2 * n_ + 1),
        some_node_(2 * n_),
        next_(n_) {
    members_.reserve(2 * n_);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      if (arcs[a].head == 0) continue;
      const Place place{cell(arcs[a].modifier, arcs[a].head), static_cast<std::int32_t>(a)};
      (arc_[place.cell] < 0 ? places_ : parallel_places_).push_back(place);
      arc_[place.cell] = place.arc;
    }
  }

  void load(std::span<const double> slot_score) {
    for (const auto [cell, arc] : places_) {  // cells without an arc stay at -inf
      score_[cell] = slot_score[static_cast<std::size_t>(arc)];
      arc_[cell] = arc;
    }
    for (const auto [cell, arc] : parallel_places_) {
      if (!(slot_score[static_cast<std::size_t>(arc)] > score_[cell])) continue;
      score_[cell] = slot_score[static_cast<std::size_t>(arc)];
      arc_[cell] = arc;
    }
    std::iota(some_node_.begin(), some_node_.end(), 0);
    std::iota(next_.begin(), next_.end(), 0);
    members_.clear();
  }

  Entering best(std::int32_t component) const {
    const auto row = std::span(score_).subspan(cell(component, 0), n_);
    const double top = largest(row);
    if (top == -kInfinity) return {};
    const auto head = place_of(top, n_, [row](std::size_t u) { return row[u]; });
    return {static_cast<std::int32_t>(head), -1, top};
  }

  void contract(std::span<const std::int32_t> cycle, std::span<const double> price, std::int32_t into) {
    const auto row = std::span(score_).subspan(cell(into, 0), n_);
    const auto node = some_node_[static_cast<std::size_t>(cycle[0])];
    std::ranges::fill(row, -kInfinity);
    first_member_[static_cast<std::size_t>(into)] = members_.size();
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      raise_to(row, &score_[cell(cycle[i], 0)], -price[i]);
      members_.push_back({cycle[i], price[i]});
      const auto other = some_node_[static_cast<std::size_t>(cycle[i])];
      if (i > 0) std::swap(next_[node], next_[other]);  // makes one ring of two
    }
    first_member_[static_cast<std::size_t>(into) + 1] = members_.size();
    some_node_[static_cast<std::size_t>(into)] = node;
    row[node] = -kInfinity;
    for (auto other = next_[node]; other != node; other = next_[other]) row[other] = -kInfinity;
  }

  // Goes down through the members, each time to the one whose score is the component's.
  std::int32_t arc_of(std::int32_t component, const Entering& entering) const {
    while (static_cast<std::size_t>(component) >= n_) {
      const double score = score_[cell(component, entering.head)];
      const auto first = first_member_[static_cast<std::size_t>(component)];
      const auto size = first_member_[static_cast<std::size_t>(component) + 1] - first;
      component = members_[first + place_of(score, size, [&](std::size_t i) {
        const auto& member = members_[first + i];
        return -member.price + score_[cell(member.component, entering.head)];
      })].component;
    }
    return arc_[cell(component, entering.head)];
  }

 private:
  struct Place {
    std::size_t cell;
    std::int32_t arc;
  };
  struct Member {
    std::int32_t component;
    double price;
  };

  std::size_t cell(std::int32_t component, std::int32_t head) const {
    return static_cast<std::size_t>(component) * n_ + static_cast<std::size_t>(head);
  }

  std::size_t n_;
  std::vector<double> score_;
  std::vector<std::int32_t> arc_;  // only of the nodes' rows
  std::vector<Place> places_, parallel_places_;
  std::vector<Member> members_;
  std::vector<std::size_t> first_member_;
  std::vector<std::size_t> some_node_, next_;  // a ring of the nodes of each component
};

// A skew heap per component with lazy additions, so that a price costs O(1): O(m log n) in total (Tarjan 1977; Gabow,
// Galil, Spencer & Tarjan 1986) in O(m) memory. Ties go to the lowest arc that the heap has compared.
class HeapArcs {
 public:
  HeapArcs(std::int32_t nodes, std::span<const Arc> arcs, Components& components)
      : arcs_(arcs),
        components_(components),
        heap_(arcs.size()),
        top_(2 * static_cast<std::size_t>(nodes)) {
    for (std::size_t a = 0; a < arcs.size(); ++a)
      if (arcs[a].head != 0) by_modifier_.push_back(static_cast<std::int32_t>(a));
    std::ranges::stable_sort(by_modifier_, {}, [&](std::int32_t a) {
      return std::pair(arc(a).modifier, arc(a).head);
    });
    round_.reserve(by_modifier_.size());
  }

  void load(std::span<const double> slot_score) {
    std::ranges::fill(top_, -1);
    for (std::size_t i = 0; i < by_modifier_.size();) {
      const auto modifier = arc(by_modifier_[i]).modifier;
      round_.clear();
      for (; i < by_modifier_.size() && arc(by_modifier_[i]).modifier == modifier; ++i) {
        const auto a = by_modifier_[i];
        at(a) = {slot_score[static_cast<std::size_t>(a)], 0.0, -1, -1};
        const bool parallel = !round_.empty() && arc(round_.back()).head == arc(a).head;
        if (!parallel) round_.push_back(a);
        else if (at(a).key > at(round_.back()).key) round_.back() = a;
      }
      for (std::size_t step = 1; step < round_.size(); step *= 2)
        for (std::size_t k = 0; k + step < round_.size(); k += 2 * step)
          round_[k] = meld(round_[k], round_[k + step]);
      top_[static_cast<std::size_t>(modifier)] = round_.front();
    }
  }

  Entering best(std::int32_t component) {
    auto& top = top_[static_cast<std::size_t>(component)];
    while (top >= 0 && components_.find(arc(top).head) == component) {  // an arc inside the component
      settle(top);
      top = meld(at(top).left, at(top).right);
    }
    return top < 0 ? Entering{} : Entering{arc(top).head, top, at(top).key};
  }

  void contract(std::span<const std::int32_t> cycle, std::span<const double> price, std::int32_t into) {
    std::int32_t all = -1;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const auto top = top_[static_cast<std::size_t>(cycle[i])];
      add(top, -price[i]);
      all = meld(all, top);
    }
    top_[static_cast<std::size_t>(into)] = all;
  }

  std::int32_t arc_of(std::int32_t, const Entering& entering) const { return entering.arc; }

 private:
  struct Node {
    double key, pending;  // pending: still to be added to everything below
    std::int32_t left, right;
  };

  const Arc& arc(std::int32_t a) const { return arcs_[static_cast<std::size_t>(a)]; }
  Node& at(std::int32_t a) { return heap_[static_cast<std::size_t>(a)]; }

  void add(std::int32_t a, double amount) {
    if (a < 0) return;
    at(a).key += amount;
    at(a).pending += amount;
  }

  void settle(std::int32_t a) {
    const double amount = std::exchange(at(a).pending, 0.0);
    if (amount == 0.0) return;
    add(at(a).left, amount);
    add(at(a).right, amount);
  }

  // Merges top down: the better top stays, its children are swapped, and the other heap is merged into the left one.
  std::int32_t meld(std::int32_t a, std::int32_t b) {
    std::int32_t result = -1;
    std::int32_t* place = &result;
    while (a >= 0 && b >= 0) {
      if (at(b).key > at(a).key || (at(b).key == at(a).key && b < a)) std::swap(a, b);
      settle(a);
      *place = a;
      std::swap(at(a).left, at(a).right);
      place = &at(a).left;
      a = *place;
    }
    *place = a >= 0 ? a : b;
    return result;
  }

  std::span<const Arc> arcs_;
  Components& components_;
  std::vector<Node> heap_;  // a node per arc
  std::vector<std::int32_t> top_;
  std::vector<std::int32_t> by_modifier_, round_;
};

}  // namespace treaty::graph
