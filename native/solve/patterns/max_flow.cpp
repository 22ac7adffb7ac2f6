#include "solve/patterns/max_flow.hpp"

#include <algorithm>
#include <limits>

#include "graph/stop.hpp"

namespace treaty::solve {

MaxFlow::MaxFlow(std::int32_t nodes, std::span<const Arc> arcs)
    : nodes_(nodes), terminal_(nodes, 0.0), begin_(nodes + 1, 0) {
  for (const Arc& arc : arcs) ++begin_[arc.tail + 1], ++begin_[arc.head + 1];
  for (std::int32_t i = 0; i < nodes; ++i) begin_[i + 1] += begin_[i];
  head_.resize(begin_[nodes]);
  reverse_.resize(begin_[nodes]);
  capacity_.resize(begin_[nodes]);
  std::vector<std::int32_t> place(begin_.begin(), begin_.end() - 1);
  for (const Arc& arc : arcs) {
    const auto there = place[arc.tail]++, back = place[arc.head]++;
    head_[there] = arc.head, capacity_[there] = arc.forward, reverse_[there] = back;
    head_[back] = arc.tail, capacity_[back] = arc.backward, reverse_[back] = there;
  }
  residual_.resize(capacity_.size());
  changed_.reserve(nodes);
  orphans_.reserve(nodes);
}

void MaxFlow::set_terminal(std::int32_t node, double terminal) {
  Node& n = nodes_[node];
  n.left += terminal - terminal_[node];
  terminal_[node] = terminal;
  if (n.changed) return;
  n.changed = true;
  changed_.push_back(node);
}

double MaxFlow::solve(bool cold) {
  cold || fresh_ ? start_cold() : start_warm();
  fresh_ = false;
  for (auto node = next_active(); node != kLast; node = next_active()) {
    // A node stays active until it finds nothing more; it may lose its tree on the way.
    while (nodes_[node].side != Side::Free) {
      graph::poll(32 + 2 * (begin_[node + 1] - begin_[node]));
      const auto meeting = grow(node);
      if (meeting == kNone) break;
      augment(meeting);
    }
  }
  double value = 0.0;
  for (const Node& n : nodes_) value += std::max(0.0, n.left);
  return value;
}

void MaxFlow::start_cold() {
  residual_ = capacity_;
  changed_.clear();
  first_active_ = last_active_ = kLast;
  for (std::int32_t i = 0; i < nodes(); ++i) {
    nodes_[i] = {};
    nodes_[i].left = terminal_[i];
    plant(i);
  }
}

void MaxFlow::start_warm() {
  ++time_;
  for (auto node : changed_) {
    nodes_[node].changed = false;
    plant(node);
  }
  changed_.clear();
  for (std::size_t i = 0; i < orphans_.size(); ++i)
    if (nodes_[orphans_[i]].parent == kOrphan) adopt(orphans_[i]);
  orphans_.clear();
}

// Makes a node with something left a root of its tree; one with nothing left is none.
void MaxFlow::plant(std::int32_t node) {
  Node& n = nodes_[node];
  if (n.left == 0.0) {
    if (n.parent == kRoot) orphan(node);
    return;
  }
  const Side side = n.left > 0.0 ? Side::Source : Side::Sink;
  if (n.side != side) {
    if (n.side != Side::Free) leave_tree(node);
    n.side = side;
    activate(node);
  }
  n.parent = kRoot;
  n.depth = 1;
  n.seen = time_;
}

void MaxFlow::orphan(std::int32_t node) {
  nodes_[node].parent = kOrphan;
  orphans_.push_back(node);
}

void MaxFlow::activate(std::int32_t node) {
  if (nodes_[node].next_active != kPassive) return;
  nodes_[node].next_active = kLast;
  if (first_active_ == kLast) {
    first_active_ = node;
  } else {
    nodes_[last_active_].next_active = node;
  }
  last_active_ = node;
}

std::int32_t MaxFlow::next_active() {
  const auto node = first_active_;
  if (node == kLast) return kLast;
  first_active_ = nodes_[node].next_active;
  nodes_[node].next_active = kPassive;
  return node;
}

// Takes free neighbors into the node's tree; stops at an arc to the other tree and returns it, from source to sink.
std::int32_t MaxFlow::grow(std::int32_t node) {
  const Node& n = nodes_[node];
  for (auto arc = begin_[node]; arc < begin_[node + 1]; ++arc) {
    if (!(room(arc, n.side) > 0.0)) continue;
    Node& other = nodes_[head_[arc]];
    if (other.side == Side::Free) {
      other.side = n.side;
      activate(head_[arc]);
    } else if (other.side != n.side) {
      return n.side == Side::Source ? arc : reverse_[arc];
    } else if (!(other.seen <= n.seen && other.depth > n.depth)) {
      continue;  // only a shorter way to the root makes it change its parent
    }
    other.parent = reverse_[arc];
    other.seen = n.seen;
    other.depth = n.depth + 1;
  }
  return kNone;
}

double MaxFlow::bottleneck(std::int32_t meeting) const {
  double flow = residual_[meeting];
  auto node = head_[reverse_[meeting]];
  for (; nodes_[node].parent != kRoot; node = head_[nodes_[node].parent])
    flow = std::min(flow, residual_[reverse_[nodes_[node].parent]]);
  flow = std::min(flow, nodes_[node].left);
  node = head_[meeting];
  for (; nodes_[node].parent != kRoot; node = head_[nodes_[node].parent])
    flow = std::min(flow, residual_[nodes_[node].parent]);
  return std::min(flow, -nodes_[node].left);
}

// Takes flow off the way from a node's root to the node, or on to it in the sink's tree.
void MaxFlow::push(std::int32_t node, double flow) {
  const bool source = nodes_[node].side == Side::Source;
  while (nodes_[node].parent != kRoot) {
    const auto up = nodes_[node].parent, along = source ? reverse_[up] : up;
    residual_[along] -= flow;
    residual_[reverse_[along]] += flow;
    if (residual_[along] == 0.0) orphan(node);
    node = head_[up];
  }
  nodes_[node].left -= source ? flow : -flow;
  if (nodes_[node].left == 0.0) orphan(node);
}

void MaxFlow::augment(std::int32_t meeting) {
  const double flow = bottleneck(meeting);
  residual_[meeting] -= flow;
  residual_[reverse_[meeting]] += flow;
  push(head_[reverse_[meeting]], flow);
  push(head_[meeting], flow);
  ++time_;
  for (std::size_t i = 0; i < orphans_.size(); ++i) adopt(orphans_[i]);  // which may orphan more
  orphans_.clear();
}

// Finds a new parent, nearest to a root, in the orphan's own tree; otherwise the orphan leaves the tree.
void MaxFlow::adopt(std::int32_t node) {
  Node& n = nodes_[node];
  graph::poll(16 + 4 * (begin_[node + 1] - begin_[node]));
  std::int32_t best = kNone, least = std::numeric_limits<std::int32_t>::max();
  for (auto arc = begin_[node]; arc < begin_[node + 1]; ++arc) {
    if (nodes_[head_[arc]].side != n.side || !(room(reverse_[arc], n.side) > 0.0)) continue;
    const auto distance = distance_to_root(head_[arc]);
    if (distance < least) least = distance, best = arc;
  }
  if (best == kNone) return leave_tree(node);
  n.parent = best;
  n.seen = time_;
  n.depth = least + 1;
}

// Of a node whose way up may end at an orphan: then there is none. Nodes on the way remember what was found.
std::int32_t MaxFlow::distance_to_root(std::int32_t node) {
  constexpr auto kNowhere = std::numeric_limits<std::int32_t>::max();
  std::int32_t distance = 0;
  for (auto up = node;; up = head_[nodes_[up].parent]) {
    if (nodes_[up].seen == time_) {
      distance += nodes_[up].depth;
      break;
    }
    ++distance;
    if (nodes_[up].parent == kRoot) {
      nodes_[up].seen = time_;
      nodes_[up].depth = 1;
      break;
    }
    if (nodes_[up].parent == kOrphan || nodes_[up].parent == kNone) return kNowhere;
  }
  auto depth = distance;
  for (auto up = node; nodes_[up].seen != time_; up = head_[nodes_[up].parent]) {
    nodes_[up].seen = time_;
    nodes_[up].depth = depth--;
  }
  return distance;
}

void MaxFlow::leave_tree(std::int32_t node) {
  Node& n = nodes_[node];
  for (auto arc = begin_[node]; arc < begin_[node + 1]; ++arc) {
    Node& other = nodes_[head_[arc]];
    if (other.side != n.side) continue;
    if (room(reverse_[arc], n.side) > 0.0) activate(head_[arc]);  // there is a way on again
    if (other.parent == reverse_[arc]) orphan(head_[arc]);
  }
  n.side = Side::Free;
  n.parent = kNone;
}

}  // namespace treaty::solve
