// Branch and bound on the bounds of DenseDual.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "solve/search/dense.hpp"
#include "solve/search/frontier.hpp"
#include "solve/judge.hpp"
#include "solve/search/primal_search.hpp"
#include "solve/search/triplets.hpp"

namespace treaty::solve {
namespace {

struct Node {
  double bound;
  std::int64_t number;
  std::shared_ptr<const std::vector<double>> message;
  std::vector<std::uint8_t> alive;
};

class DenseSearch {
 public:
  DenseSearch(const PatternProblem& problem, const Limits& limits)
      : problem_(problem),
        gap_(limits.gap),
        frontier_(limits),
        dual_(problem),
        triplets_(problem, dual_),
        search_(problem),
        unit_(range_of(problem).unit()) {}

  Outcome run();
  const std::vector<std::int32_t>& best() const { return search_.best(); }

 private:
  double objective() const { return search_.objective(); }
  double slack() const { return tolerance_of(objective(), unit_); }
  double cutoff() const { return objective() == -kInfinity ? -kInfinity : objective() + std::max(gap_, slack()); }
  void visit(Node node);
  bool bound_node(Node& node);
  bool tighten(Node& node, bool with_triplets);
  void search_on();
  void remove_by_costs(double bound);
  void offer();
  void branch(const Node& node);

  const PatternProblem& problem_;
  double gap_;
  Frontier<Node> frontier_;
  DenseDual dual_;
  Triplets triplets_;
  PrimalSearch search_;
  Unit unit_;
  double error_ = 0.0;
  double triplet_bound_ = 0.0;  // over the labels of this node
};

// The labels that are best beside the messages.
void DenseSearch::offer() {
  std::vector<std::int32_t> label(static_cast<std::size_t>(problem_.vertices()), 0);
  for (std::int32_t v = 0; v < problem_.vertices(); ++v)
    for (std::int32_t x = 0; x < problem_.labels(v); ++x)
      if (const auto s = problem_.first[v] + x; dual_.alive[s] && dual_.value(s) == dual_.best(v)) label[v] = x;
  search_.offer(label);
}

// A label that loses more than the bound exceeds the answer by is in no better answer.
void DenseSearch::remove_by_costs(double bound) {
  if (objective() == -kInfinity) return;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v)
    for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s) {
      if (!dual_.alive[s]) continue;
      const double most = bound - (dual_.best(v) - dual_.value(s));
      if (most > cutoff()) continue;
      dual_.alive[s] = 0;
      frontier_.prune(most);
    }
}

// Better answers are searched for during a share of the time.
void DenseSearch::search_on() {
  constexpr std::int64_t kLooks = 4, kShare = 16;
  const auto cells = static_cast<std::int64_t>(problem_.cells.size());
  search_.run(kLooks * cells + triplets_.work() / kShare, [&] { return frontier_.keep_going(); });
}

// Sweeps forward and backward, and takes the bound that they leave; false when the node can be pruned.
bool DenseSearch::tighten(Node& node, bool with_triplets) {
  const std::function<bool()> keep_going = [&] { return frontier_.keep_going(); };
  if (with_triplets)
    for (bool forward : {true, false}) triplets_.sweep(forward, keep_going);
  if (!dual_.sweep(true) || !dual_.sweep(false)) {
    node.bound = -kInfinity;
    return false;
  }
  double value = dual_.bound(), error = dual_.error();
  if (with_triplets) triplet_bound_ = triplets_.bound();
  if (!triplets_.empty()) {
    value += triplet_bound_;
    error += triplets_.error();
  }
  error_ = std::max(error_, error);
  if (value == -kInfinity) {
    node.bound = -kInfinity;
    return false;
  }
  node.bound = std::min(node.bound, value + error);
  frontier_.visiting(node.bound);
  search_on();
  if (node.bound <= cutoff()) return false;
  remove_by_costs(value + error);
  return true;
}

// Tightens the bound by sweeps as long as they pay, first over vertices and then over triplets, too; false when the
// node can be pruned. Triplets are added at the root, which all other nodes start from.
bool DenseSearch::bound_node(Node& node) {
  constexpr double kAdd = 1e-2, kRoot = 3e-3, kLater = 2e-2;  // of what separates the bound from the answer
  constexpr std::int64_t kTriplets = 3;  // for each table, at once
  const bool is_root = frontier_.nodes() == 1;
  dual_.message = *node.message;
  dual_.alive = node.alive;
  if (!triplets_.empty()) triplet_bound_ = triplets_.bound();
  bool with_triplets = false, all_added = !is_root;
  for (bool first = true;; first = false) {
    const double before = node.bound;
    if (!tighten(node, with_triplets)) return false;
    if (first) offer();
    if (!frontier_.may_go_on(objective())) return true;
    const double missing = std::isfinite(objective()) ? node.bound - cutoff() : std::abs(node.bound);
    const double gained = before - node.bound;
    if (first || gained >= (with_triplets && !all_added ? kAdd : is_root ? kRoot : kLater) * missing) continue;
    if (!all_added) {
      all_added = triplets_.add(kTriplets * static_cast<std::int64_t>(problem_.edges.size())) == 0;
      if (all_added && !with_triplets) return true;
    } else if (with_triplets || triplets_.empty()) {
      return true;
    }
    with_triplets = true;
  }
}

void DenseSearch::visit(Node node) {
  const bool open = bound_node(node);
  if (open && !frontier_.stopped()) branch(node);
  else frontier_.prune(node.bound);
}

// Of a vertex whose two best labels are worth nearly the same, the best one is taken or removed.
void DenseSearch::branch(const Node& node) {
  std::int32_t choice = -1, likely = -1;
  double least = kInfinity;
  std::vector<std::int32_t> label(static_cast<std::size_t>(problem_.vertices()), 0);
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    double second = -kInfinity, most = -kInfinity;
    std::int32_t count = 0, top = -1;
    for (auto s = problem_.first[v]; s < problem_.first[v + 1]; ++s) {
      if (!dual_.alive[s]) continue;
      ++count;
      if (dual_.value(s) > most) second = most, most = dual_.value(s), top = s;
      else second = std::max(second, dual_.value(s));
    }
    if (count == 0) return;  // removed by their costs
    label[v] = top - problem_.first[v];
    if (count > 1 && (most - second) / count < least) least = (most - second) / count, choice = v, likely = top;
  }
  if (choice < 0) {  // one labeling is left
    search_.offer(label);
    return frontier_.prune(std::min(node.bound, problem_.score(label)));
  }
  const auto message = std::make_shared<const std::vector<double>>(dual_.message);
  for (bool taken : {false, true}) {
    Node child{node.bound, 0, message, dual_.alive};
    for (auto s = problem_.first[choice]; s < problem_.first[choice + 1]; ++s)
      if ((s == likely) != taken) child.alive[s] = 0;
    if (taken) frontier_.plunge(std::move(child));
    else frontier_.add(std::move(child));
  }
}

Outcome DenseSearch::run() {
  while (frontier_.keep_going() && dual_.remove_dead_ends() > 0) continue;
  frontier_.plunge({kInfinity, 0, std::make_shared<const std::vector<double>>(dual_.message), dual_.alive});
  frontier_.run([&] { return objective(); }, [&] { return cutoff(); }, [&](Node node) { visit(std::move(node)); });
  Outcome outcome;
  outcome.objective = objective();
  outcome.bound = frontier_.bound(objective());
  if (std::isfinite(outcome.bound)) outcome.bound += error_;
  frontier_.finish(outcome);
  judge(outcome, slack(), false, error_);
  return outcome;
}

}  // namespace

Outcome solve_dense(const PatternProblem& problem, const Limits& limits, std::vector<std::int32_t>& label) {
  const auto tidied = tidy(problem);
  DenseSearch search(tidied, limits);
  auto outcome = search.run();
  label = search.best();
  return outcome;
}

}  // namespace treaty::solve
