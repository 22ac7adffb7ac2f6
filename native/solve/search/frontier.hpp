// Best-first search with plunging: the nodes that are open, the bound that they leave, and when to stop.
//
// All searches share it, so that limits, progress and traces mean the same everywhere. A node has a `bound`, which no
// assignment below it exceeds, and a `number` that the frontier gives it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "solve/solver.hpp"

namespace treaty::solve {

template <class Node>
class Frontier {
 public:
  explicit Frontier(const Limits& limits) : limits_(limits) {}

  std::int64_t nodes() const { return nodes_; }  // visited so far
  double seconds() const { return watch_.seconds(); }
  double seconds_left() const { return limits_.seconds - watch_.seconds(); }
  // Whether all nodes were visited to their end.
  bool complete() const { return is_empty() && !lost_; }
  bool stopped() const { return stopped_; }
  // No further node is visited.
  void stop() { stopped_ = true; }
  // Whether time is left and nobody interrupted.
  bool keep_going() const { return seconds_left() >= 0.0 && (!limits_.keep_going || limits_.keep_going()); }

  void add(Node node) {
    node.number = numbers_++;
    open_.push(std::move(node));
  }
  // Adds the node that is visited next.
  void plunge(Node node) {
    node.number = numbers_++;
    next_ = std::move(node);
  }
  // What is left behind promises no more than this.
  void prune(double bound) { pruned_ = std::max(pruned_, bound); }
  // The bound of the node that is being visited; it counts until the visit ends.
  void visiting(double bound) { visiting_ = bound; }

  // No assignment scores more than this, if the best known one has this objective.
  double bound(double objective) const {
    double most = std::max({pruned_, objective, visiting_});
    if (next_) most = std::max(most, next_->bound);
    return open_.empty() ? most : std::max(most, open_.top().bound);
  }

  // Gives away an open node, best bound first; what was pruned stays known.
  std::optional<Node> hand_over() {
    if (is_empty()) return std::nullopt;
    return take();
  }
  double pruned() const { return pruned_; }

  // Records how the search is going, reports it, and says whether to go on. Once told to stop, it stays stopped.
  bool may_go_on(double objective) {
    if (stopped_) return false;
    const Progress now{nodes_, watch_.seconds(), objective, bound(objective), 0.0, 0.0};
    if (limits_.trace) trace_.push_back(now);
    const bool due = limits_.report && limits_.report_every > 0 && nodes_ % limits_.report_every == 0;
    stopped_ = !keep_going() || (due && !limits_.report(now));
    return !stopped_;
  }

  // Visits nodes, the best bound first, while they may hold more than the cutoff.
  template <class Objective, class Cutoff, class Visit>
  void run(Objective objective, Cutoff cutoff, Visit visit) {
    while (!is_empty() && bound(objective()) > cutoff() && nodes_ < limits_.iterations && may_go_on(objective())) {
      Node node = take();
      ++nodes_;
      if (node.bound > cutoff()) {
        visiting_ = node.bound;
        try {
          visit(std::move(node));
        } catch (const Stopped&) {  // what the node promises stays in the account
          prune(visiting_);
          lost_ = true;
          stop();
        }
        visiting_ = -kInfinity;
      } else {
        prune(node.bound);
      }
    }
  }

  // Writes what all searches report.
  void finish(Outcome& outcome) {
    outcome.iterations = nodes_;
    outcome.seconds = watch_.seconds();
    outcome.trace = std::move(trace_);
  }

 private:
  struct WorseBound {
    bool operator()(const Node& a, const Node& b) const {  // older first among equals: the search is deterministic
      return a.bound != b.bound ? a.bound < b.bound : a.number > b.number;
    }
  };

  bool is_empty() const { return !next_ && open_.empty(); }

  Node take() {
    Node node = next_ ? std::move(*next_) : open_.top();
    if (next_) next_.reset();
    else open_.pop();
    return node;
  }

  const Limits& limits_;
  std::priority_queue<Node, std::vector<Node>, WorseBound> open_;
  std::optional<Node> next_;
  double pruned_ = -kInfinity, visiting_ = -kInfinity;
  std::int64_t nodes_ = 0, numbers_ = 0;
  bool stopped_ = false, lost_ = false;
  Stopwatch watch_;
  std::vector<Progress> trace_;
};

}  // namespace treaty::solve
