#include "graph/arborescence.hpp"

#include <algorithm>
#include <string>

#include "graph/incoming_arcs.hpp"
#include "graph/stop.hpp"

namespace treaty::graph {
namespace {

std::vector<Arc> arcs_of(std::span<const std::int32_t> shape) {
  std::vector<Arc> arcs;
  for (std::size_t i = 2; i + 1 < shape.size(); i += 2) arcs.push_back({shape[i], shape[i + 1]});
  return arcs;
}

// Chu-Liu-Edmonds in Tarjan's order: a path is grown backwards along best entering arcs; a cycle on it is contracted to
// a new component; the path ends at the root or at an earlier path.
//
// The single root is exact, with no large constant. Trees are ordered by (fewest root arcs, score): arcs carry pairs,
// (-1, score) from the root and (0, score) otherwise, that the same algorithm compares lexicographically. No cycle goes
// through the root, so all prices are (0, price) and the first number of an arc never changes: a component is entered
// from the root only if nothing else enters it. If a best tree has two root arcs, no tree has a single one.
template <class IncomingArcs>
class ArborescenceOracle final : public Oracle {
 public:
  explicit ArborescenceOracle(std::span<const std::int32_t> shape)
      : nodes_(shape[0]),
        single_root_(shape[1] != 0),
        arcs_(arcs_of(shape)),
        components_(numbers()),
        incoming_(nodes_, arcs_, components_),
        from_root_(numbers()),
        entering_(numbers()),
        above_(numbers()),
        state_(numbers()),
        entered_(numbers()),
        head_(at(nodes_)) {
    for (std::size_t a = 0; a < arcs_.size(); ++a)
      if (arcs_[a].head == 0) arcs_of_root_.push_back(static_cast<std::int32_t>(a));
    path_.reserve(numbers());
    price_.reserve(numbers());
  }

  void maximize(std::span<const double> slot_score, Configuration& best) override {
    load(slot_score);
    for (std::int32_t node = 1; node < nodes_; ++node) {
      poll(nodes_);
      if (!grow_path(components_.find(node)) || (single_root_ && root_arcs_ > 1)) return set_infeasible(best);
    }
    expand(best.on);
    best.score = 0.0;
  }

  double evaluate(std::span<const std::int32_t> on) override {
    if (on.size() + 1 != static_cast<std::size_t>(nodes_)) return -kInfinity;
    std::ranges::fill(head_, -1);
    int root_arcs = 0;
    for (const auto slot : on) {
      const auto [head, modifier] = arcs_[at(slot)];
      if (head_[at(modifier)] >= 0) return -kInfinity;
      head_[at(modifier)] = head;
      root_arcs += head == 0;
    }
    if (single_root_ && root_arcs > 1) return -kInfinity;
    return every_node_hangs_on_root() ? 0.0 : -kInfinity;
  }

 private:
  enum State : std::uint8_t { kFresh, kOnPath, kDone };

  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  // Nodes are the first components; each contraction adds one.
  std::size_t numbers() const { return 2 * at(nodes_); }

  void load(std::span<const double> slot_score) {
    components_.reset();
    incoming_.load(slot_score);
    std::ranges::fill(from_root_, Entering{});
    for (const auto arc : arcs_of_root_) {
      auto& from_root = from_root_[at(arcs_[at(arc)].modifier)];
      if (slot_score[at(arc)] > from_root.score) from_root = {0, arc, slot_score[at(arc)]};
    }
    std::ranges::fill(state_, kFresh);
    state_[0] = kDone;
    next_component_ = nodes_;
    root_arcs_ = 0;
  }

  // Returns false if no arc enters some component: there is no arborescence.
  bool grow_path(std::int32_t component) {
    path_.clear();
    while (state_[at(component)] != kDone) {
      if (state_[at(component)] == kOnPath) component = contract_back_to(component);
      const auto entering = best_entering(component);
      if (entering.head < 0) return false;
      entering_[at(component)] = entering;
      state_[at(component)] = kOnPath;
      path_.push_back(component);
      component = components_.find(entering.head);
      root_arcs_ += component == 0;
    }
    for (const auto done : path_) state_[at(done)] = kDone;
    return true;
  }

  Entering best_entering(std::int32_t component) {
    const auto best = incoming_.best(component);
    const auto& from_root = from_root_[at(component)];
    const bool root_wins = best.head < 0 || (!single_root_ && from_root.score >= best.score);
    return root_wins ? from_root : best;
  }

  // The end of the path, from `first` on, is a cycle: an arc that enters it at a member replaces that member's own
  // entering arc, whose score is the price.
  std::int32_t contract_back_to(std::int32_t first) {
    const auto begin = std::find(path_.rbegin(), path_.rend(), first).base() - 1;
    const std::span<const std::int32_t> cycle(begin, path_.end());
    const auto into = next_component_++;
    price_.clear();
    for (const auto member : cycle) {
      const double price = entering_[at(member)].score;
      price_.push_back(price);
      components_.join(member, into);
      above_[at(member)] = into;
      auto& from_root = from_root_[at(into)];
      const auto& candidate = from_root_[at(member)];
      if (candidate.score - price > from_root.score)
        from_root = {0, candidate.arc, candidate.score - price};
    }
    incoming_.contract(cycle, price_, into);
    path_.erase(begin, path_.end());
    return into;
  }

  // From the last component to the first: the arc that enters one at some node also enters every
  // component around that node inside of it; the others there keep their own arcs.
  void expand(std::vector<std::int32_t>& on) {
    on.clear();
    std::ranges::fill(entered_, 0);
    for (auto component = next_component_ - 1; component > 0; --component) {
      if (entered_[at(component)]) continue;
      const auto& entering = entering_[at(component)];
      const auto arc = entering.head == 0 ? entering.arc : incoming_.arc_of(component, entering);
      on.push_back(arc);
      for (auto inner = arcs_[at(arc)].modifier; inner != component; inner = above_[at(inner)])
        entered_[at(inner)] = 1;
    }
    std::ranges::sort(on);
  }

  bool every_node_hangs_on_root() {
    std::fill_n(state_.begin(), nodes_, kFresh);
    state_[0] = kDone;
    for (std::int32_t start = 1; start < nodes_; ++start) {
      auto node = start;
      for (; state_[at(node)] == kFresh; node = head_[at(node)]) state_[at(node)] = kOnPath;
      if (state_[at(node)] == kOnPath) return false;  // a node that is already on the path
      for (node = start; state_[at(node)] == kOnPath; node = head_[at(node)]) state_[at(node)] = kDone;
    }
    return true;
  }

  std::int32_t nodes_;
  bool single_root_;
  std::vector<Arc> arcs_;
  std::vector<std::int32_t> arcs_of_root_;
  Components components_;
  IncomingArcs incoming_;
  std::vector<Entering> from_root_;  // the best root arc into each component
  std::vector<Entering> entering_;   // the arc by which it is entered
  std::vector<std::int32_t> above_;  // the component it was contracted into
  std::vector<State> state_;
  std::vector<std::uint8_t> entered_;
  std::vector<std::int32_t> head_;  // of each node, for evaluate
  std::vector<std::int32_t> path_;
  std::vector<double> price_;
  std::int32_t next_component_ = 0, root_arcs_ = 0;
};

}  // namespace

std::unique_ptr<Oracle> make_arborescence(std::span<const std::int32_t> shape) {
  const auto nodes = static_cast<std::size_t>(shape[0]);
  const auto arcs = (shape.size() - 2) / 2;
  // A matrix is faster while it fits the cache, and beyond that while little of it is empty.
  const bool dense = nodes <= 200 || nodes * nodes <= 4 * arcs;
  if (dense) return std::make_unique<ArborescenceOracle<DenseArcs>>(shape);
  return std::make_unique<ArborescenceOracle<HeapArcs>>(shape);
}

void Arborescence::check(const Arguments& arguments) {
  const auto& shape = arguments.shape;
  if (shape.size() < 2) arguments.refuse("shape starts with the number of nodes and the single-root flag");
  arguments.require_length("arcs", (shape.size() - 2) / 2, arguments.literals.size());
  if (shape.size() % 2 != 0) arguments.refuse("every arc has a head and a modifier");
  const auto nodes = shape[0];
  if (nodes < 1) arguments.refuse("needs at least the root node");
  if (shape[1] != 0 && shape[1] != 1) arguments.refuse("the single-root flag is 0 or 1");
  for (const auto& [head, modifier] : arcs_of(shape))
    if (head < 0 || head >= nodes || modifier < 1 || modifier >= nodes || head == modifier)
      arguments.refuse("arc " + std::to_string(head) + " -> " + std::to_string(modifier) +
                       " is not between two nodes of 0.." + std::to_string(nodes - 1) +
                       " (0 is the root and has no head)");
}

void Arborescence::imply(const FactorView& factor, Rows& rows) {
  std::vector<std::vector<std::int32_t>> into(factor.shape[0]);  // by modifier; those out of the root at 0
  const auto arcs = arcs_of(factor.shape);
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    into[arcs[a].modifier].push_back(factor.literals[a]);
    if (arcs[a].head == 0) into[0].push_back(factor.literals[a]);
  }
  for (std::size_t m = 1; m < into.size(); ++m) rows.add(into[m], 1, 1);
  if (into.size() > 1) rows.add(into[0], 1, factor.shape[1] ? 1 : static_cast<std::int32_t>(into[0].size()));
}

}  // namespace treaty::graph
