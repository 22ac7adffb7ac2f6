#include "solve/search/branch.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "solve/search/frontier.hpp"
#include "solve/presolve/propagate.hpp"

namespace treaty::solve {
namespace {

struct Snapshot {  // where a node's parent left AD3
  std::vector<float> prices, consensus;
  double penalty;
};

struct Decision {
  std::int32_t variable;
  bool value;
};

struct Node {
  double bound;
  std::int64_t number;
  std::vector<Decision> decisions;
  std::shared_ptr<const Snapshot> from;
};

class Search {
 public:
  Search(const Graph& graph, Ad3& solver, const Limits& limits, const DualSolver::Search& search)
      : graph_(graph),
        solver_(solver),
        limits_(limits),
        frontier_(limits),
        search_(search),
        facts_(graph),
        fixed_(graph.variables()) {}

  Outcome run(Share* share);

 private:
  void begin(const Share& share);
  void visit(Node node);
  bool bound_node(Node& node);
  void search_on();
  std::int32_t choose_variable() const;
  void branch(const Node& node, std::int32_t variable);
  // What a node must promise to be worth a visit.
  double cutoff() const { return best_.objective + std::max(limits_.gap, solver_.slack(best_.objective)); }
  Outcome finish();

  const Graph& graph_;
  Ad3& solver_;
  const Limits& limits_;
  Frontier<Node> frontier_;
  const DualSolver::Search& search_;
  Propagator facts_;
  std::size_t root_ = 0;  // length of the facts' trail before any decision
  std::vector<std::int8_t> fixed_;
  Outcome best_;
  std::int64_t work_ = 0;
};

Outcome Search::run(Share* share) {
  const bool feasible = facts_.start();
  root_ = facts_.trail().size();
  if (feasible && share) begin(*share);
  else if (feasible) frontier_.plunge({kInfinity, 0, {}, nullptr});
  frontier_.run([&] { return best_.objective; }, [&] { return cutoff(); }, [&](Node node) { visit(std::move(node)); });
  if (!share) return finish();
  auto outcome = finish();
  share->boxes.clear();
  while (auto node = frontier_.hand_over()) {
    if (node->bound <= cutoff()) {
      frontier_.prune(node->bound);
      continue;
    }
    Box box{node->bound, {}};
    for (const auto& decision : node->decisions) box.decisions.push_back(2 * decision.variable + decision.value);
    share->boxes.push_back(std::move(box));
  }
  share->pruned = frontier_.pruned();
  return outcome;
}

// Begins with the boxes of a share; AD3 starts anew in each of them.
void Search::begin(const Share& share) {
  for (const auto& box : share.boxes) {
    Node node{box.bound, 0, {}, nullptr};
    for (auto decision : box.decisions) {
      if (decision < 0 || decision / 2 >= graph_.variables()) throw std::invalid_argument("this is no box of the graph");
      node.decisions.push_back({decision / 2, decision % 2 == 1});
    }
    frontier_.add(std::move(node));
  }
  if (share.known.empty()) return;
  const double objective = solver_.rounder().adopt(share.known);
  if (objective == -kInfinity) throw std::invalid_argument("this is no answer of the graph");
  best_.objective = objective;
  best_.values.assign(solver_.rounder().values().begin(), solver_.rounder().values().end());
}

void Search::visit(Node node) {
  facts_.undo(root_);
  for (const auto& decision : node.decisions)
    if (!facts_.fix(decision.variable, decision.value)) return;  // no assignment at all: nothing to bound
  for (std::int32_t v = 0; v < graph_.variables(); ++v) fixed_[v] = facts_.value(v);
  if (!bound_node(node)) return frontier_.prune(node.bound);
  search_on();
  if (node.bound <= cutoff()) return frontier_.prune(node.bound);
  const auto variable = choose_variable();
  if (variable >= 0) return branch(node, variable);
  // Every variable is fixed: the bound may still be loose, but the one assignment is known.
  const double objective = solver_.rounder().round(solver_.consensus(), fixed_);
  if (objective > best_.objective) {
    best_.objective = objective;
    best_.values.assign(solver_.rounder().values().begin(), solver_.rounder().values().end());
  }
}

// Tightens the node's bound by AD3, in chunks as long as they pay. False when the node can be pruned.
bool Search::bound_node(Node& node) {
  constexpr int kChunk = 50, kMost = 20;
  constexpr double kWorthwhile = 0.1;  // of what separates the bound from the incumbent
  solver_.fix(fixed_);
  if (node.from) solver_.load(node.from->prices, node.from->consensus, node.from->penalty);
  Limits chunk;
  chunk.iterations = kChunk;
  chunk.keep_going = limits_.keep_going;
  for (int i = 0; i < kMost; ++i) {
    solver_.set_cutoff(cutoff());
    chunk.seconds = frontier_.seconds_left();
    auto outcome = solver_.run(chunk);
    work_ += outcome.iterations * solver_.work();
    if (outcome.status == Status::Infeasible) {
      node.bound = -kInfinity;
      return false;
    }
    if (outcome.objective > best_.objective) {
      best_.objective = outcome.objective;
      best_.values = std::move(outcome.values);
    }
    const double gained = node.bound - outcome.bound;
    node.bound = std::min(node.bound, outcome.bound);
    if (node.bound <= cutoff()) return false;
    if (outcome.status == Status::Fractional || outcome.seconds > chunk.seconds) break;
    const double missing = std::isfinite(best_.objective) ? node.bound - best_.objective : std::abs(node.bound);
    if (i > 0 && gained < kWorthwhile * missing) break;
  }
  return true;
}

// Better answers are searched for as long as the bounds take, give or take.
void Search::search_on() {
  const auto found = search_(best_.values, std::exchange(work_, 0), [&] { return frontier_.keep_going(); });
  if (found.empty()) return;
  const double objective = solver_.rounder().adopt(found);
  if (objective <= best_.objective) return;
  best_.objective = objective;
  best_.values.assign(solver_.rounder().values().begin(), solver_.rounder().values().end());
}

// The variable AD3 is least sure of; those in many factors first.
std::int32_t Search::choose_variable() const {
  std::int32_t choice = -1;
  double most = -1.0;
  for (std::int32_t v = 0; v < graph_.variables(); ++v) {
    if (fixed_[v] >= 0) continue;
    const double u = solver_.consensus()[v];
    const double doubt = std::min(u, 1.0 - u) * (1.0 + 0.1 * std::min(10, solver_.degree(v)));
    if (doubt > most) most = doubt, choice = v;
  }
  return choice;
}

void Search::branch(const Node& node, std::int32_t variable) {
  auto snapshot = std::make_shared<Snapshot>();
  solver_.save(snapshot->prices, snapshot->consensus, snapshot->penalty);
  const bool likely = solver_.consensus()[variable] > 0.5;
  for (bool value : {!likely, likely}) {
    Node child{node.bound, 0, node.decisions, snapshot};
    child.decisions.push_back({variable, value});
    if (value == likely) frontier_.plunge(std::move(child));
    else frontier_.add(std::move(child));
  }
}

Outcome Search::finish() {
  best_.bound = frontier_.bound(best_.objective) + solver_.error();
  best_.relaxed = solver_.consensus();
  frontier_.finish(best_);
  if (frontier_.complete() && best_.objective == -kInfinity) best_.bound = -kInfinity;
  judge(best_, solver_.slack(best_.objective), false, solver_.forgiven());
  return std::move(best_);
}

}  // namespace

Outcome branch_and_bound(const Graph& graph, Ad3& solver, const Limits& limits, const DualSolver::Search& search,
                         Share* share) {
  return Search(graph, solver, limits, search).run(share);
}

}  // namespace treaty::solve
