// Branch and bound on the bounds of DenseDual.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <queue>

#include "solve/dense.hpp"
#include "solve/judge.hpp"
#include "solve/primal_search.hpp"

namespace treaty::solve {
namespace {

struct Node {
  double bound;
  std::int64_t number;  // older first among equals: the search is deterministic
  std::shared_ptr<const std::vector<double>> message;
  std::vector<std::uint8_t> alive;
};

struct WorseBound {
  bool operator()(const Node& a, const Node& b) const {
    return a.bound != b.bound ? a.bound < b.bound : a.number > b.number;
  }
};

class DenseSearch {
 public:
  DenseSearch(const PatternProblem& problem, const Limits& limits)
      : problem_(problem), limits_(limits), dual_(problem), search_(problem), unit_(range_of(problem).unit()) {}

  Outcome run();
  const std::vector<std::int32_t>& best() const { return search_.best(); }

 private:
  double objective() const { return search_.objective(); }
  double slack() const { return tolerance_of(objective(), unit_); }
  double cutoff() const { return objective() == -kInfinity ? -kInfinity : objective() + std::max(limits_.gap, slack()); }
  double bound() const;
  bool out_of_time() const { return watch_.seconds() > limits_.seconds || (limits_.keep_going && !limits_.keep_going()); }
  bool may_go_on();
  void visit(Node node);
  bool bound_node(Node& node);
  void remove_by_costs(double bound);
  void offer();
  void branch(const Node& node);

  const PatternProblem& problem_;
  const Limits& limits_;
  DenseDual dual_;
  PrimalSearch search_;
  double unit_, error_ = 0.0;
  std::priority_queue<Node, std::vector<Node>, WorseBound> open_;
  std::optional<Node> next_;
  double pruned_ = -kInfinity, visiting_ = -kInfinity;
  std::int64_t nodes_ = 0, numbers_ = 0;
  bool stopped_ = false;
  Stopwatch watch_;
  Outcome outcome_;
};

double DenseSearch::bound() const {
  double most = std::max({pruned_, objective(), visiting_});
  if (next_) most = std::max(most, next_->bound);
  return open_.empty() ? most : std::max(most, open_.top().bound);
}

bool DenseSearch::may_go_on() {
  if (stopped_) return false;
  const Progress now{nodes_, watch_.seconds(), objective(), bound(), 0.0, 0.0};
  if (limits_.trace) outcome_.trace.push_back(now);
  const bool due = limits_.report && limits_.report_every > 0 && nodes_ % limits_.report_every == 0;
  stopped_ = out_of_time() || (due && !limits_.report(now));
  return !stopped_;
}

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
      pruned_ = std::max(pruned_, most);
    }
}

// Tightens the bound by sweeps as long as they pay; false when the node can be pruned.
bool DenseSearch::bound_node(Node& node) {
  constexpr int kMost = 2000, kLooks = 4;  // of the search at as many states as there are cells
  // Of what separates the bound from the answer; the root's bound is where all others start.
  const double worthwhile = nodes_ == 1 ? 5e-4 : 2e-2;
  dual_.message = *node.message;
  dual_.alive = node.alive;
  for (int i = 0; i < kMost; ++i) {
    if (!dual_.sweep(true) || !dual_.sweep(false)) {
      node.bound = -kInfinity;
      return false;
    }
    const double value = dual_.bound();
    error_ = std::max(error_, dual_.error());
    if (value == -kInfinity) {
      node.bound = -kInfinity;
      return false;
    }
    const double before = node.bound;
    node.bound = visiting_ = std::min(node.bound, value + dual_.error());
    if (i == 0) offer();
    search_.run(kLooks * static_cast<std::int64_t>(problem_.cells.size()), [&] { return !out_of_time(); });
    if (node.bound <= cutoff()) return false;
    remove_by_costs(value + dual_.error());
    if (!may_go_on()) break;
    const double missing = std::isfinite(objective()) ? node.bound - cutoff() : std::abs(node.bound);
    if (i > 0 && before - node.bound < worthwhile * missing) break;
  }
  return true;
}

void DenseSearch::visit(Node node) {
  visiting_ = node.bound;
  const bool open = bound_node(node);
  visiting_ = -kInfinity;
  if (!open || stopped_) {
    pruned_ = std::max(pruned_, node.bound);
    return;
  }
  branch(node);
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
    pruned_ = std::max(pruned_, std::min(node.bound, problem_.score(label)));
    return;
  }
  const auto message = std::make_shared<const std::vector<double>>(dual_.message);
  for (bool taken : {false, true}) {
    Node child{node.bound, numbers_++, message, dual_.alive};
    for (auto s = problem_.first[choice]; s < problem_.first[choice + 1]; ++s)
      if ((s == likely) != taken) child.alive[s] = 0;
    if (taken) next_ = std::move(child);
    else open_.push(std::move(child));
  }
}

Outcome DenseSearch::run() {
  while (dual_.remove_dead_ends() > 0 && !out_of_time()) continue;
  next_ = Node{kInfinity, numbers_++, std::make_shared<const std::vector<double>>(dual_.message), dual_.alive};
  while ((next_ || !open_.empty()) && bound() > cutoff() && nodes_ < limits_.iterations && may_go_on()) {
    if (!next_) {
      next_ = open_.top();
      open_.pop();
    }
    Node node = std::move(*next_);
    next_.reset();
    ++nodes_;
    if (node.bound > cutoff()) visit(std::move(node));
    else pruned_ = std::max(pruned_, node.bound);
  }
  outcome_.objective = objective();
  outcome_.bound = bound();
  if (std::isfinite(outcome_.bound)) outcome_.bound += error_;
  outcome_.iterations = nodes_;
  outcome_.seconds = watch_.seconds();
  judge(outcome_, slack(), false, error_);
  return std::move(outcome_);
}

}  // namespace

Outcome solve_dense(const PatternProblem& problem, const Limits& limits, std::vector<std::int32_t>& label) {
  DenseSearch search(problem, limits);
  auto outcome = search.run();
  label = search.best();
  return outcome;
}

}  // namespace treaty::solve
