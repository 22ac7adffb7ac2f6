// Minimum cuts by two search trees (Boykov & Kolmogorov 2004) that outlive a change of the terminals' capacities
// (Kohli & Torr 2007): flow and trees of one call are where the next one starts.
//
// Maximizes  sum_i t_i x_i - sum_ij c_ij x_i (1 - x_j)  over x in {0, 1}^n, c >= 0. A node's one signed terminal t_i is
// a capacity from the source where positive, to the sink where negative. Flow is kept as a reparameterisation: what is
// left of a terminal is t_i minus the flow that leaves i for other nodes, whatever t_i is. So a new t_i needs no repair
// of the flow at all, and sum_i max(0, left_i) bounds the maximum from above at any time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace treaty::solve {

class MaxFlow {
 public:
  enum class Side : std::uint8_t { Free, Source, Sink };  // x = anything (but see sides), 1, 0

  struct Arc {
    std::int32_t tail, head;
    double forward, backward;  // capacities
  };
  MaxFlow(std::int32_t nodes, std::span<const Arc> arcs);

  std::int32_t nodes() const { return static_cast<std::int32_t>(nodes_.size()); }
  void set_terminal(std::int32_t node, double terminal);
  double terminal(std::int32_t node) const { return terminal_[node]; }

  // The maximum. Starts from the last call's flow and trees, or, when `cold`, from nothing.
  double solve(bool cold = false);

  // Nodes on the source's side in every maximizer that solve() knows, on the sink's, or free: all free ones on either
  // side make a maximizer too.
  Side side(std::int32_t node) const { return nodes_[node].side; }

 private:
  // Instead of an arc to the parent: a root, an orphan, a node in no tree.
  static constexpr std::int32_t kRoot = -1, kOrphan = -2, kNone = -3;
  static constexpr std::int32_t kPassive = -1, kLast = -2;  // instead of the next active node

  struct Node {
    double left;  // of the terminal
    std::int64_t seen = 0;  // when `depth` was known to be right
    std::int32_t parent = kNone;
    std::int32_t next_active = kPassive;
    std::int32_t depth = 0;
    Side side = Side::Free;
    bool changed = false;
  };

  void start_cold();
  void start_warm();
  void plant(std::int32_t node);
  void orphan(std::int32_t node);
  void activate(std::int32_t node);
  std::int32_t next_active();
  std::int32_t grow(std::int32_t node);
  void augment(std::int32_t meeting);
  double bottleneck(std::int32_t meeting) const;
  void push(std::int32_t node, double flow);
  void adopt(std::int32_t node);
  std::int32_t distance_to_root(std::int32_t node);
  void leave_tree(std::int32_t node);

  // What can still flow along an arc away from the root of a tree: in the sink's tree flow runs towards the root.
  double room(std::int32_t arc, Side side) const { return residual_[side == Side::Source ? arc : reverse_[arc]]; }

  std::vector<Node> nodes_;
  std::vector<double> terminal_;
  std::vector<std::int32_t> begin_, head_, reverse_;  // arcs by tail; both directions
  std::vector<double> capacity_, residual_;
  std::vector<std::int32_t> changed_, orphans_;
  std::int32_t first_active_ = kLast, last_active_ = kLast;
  std::int64_t time_ = 0;
  bool fresh_ = true;
};

}  // namespace treaty::solve
