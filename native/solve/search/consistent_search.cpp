#include "solve/search/consistent_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "solve/search/consistency.hpp"
#include "solve/search/frontier.hpp"
#include "solve/judge.hpp"
#include "solve/search/primal_search.hpp"
#include "solve/presolve/simplify.hpp"
#include "solve/search/slices.hpp"

namespace treaty::solve {
namespace {

constexpr std::int64_t kFirst = 8;  // looks at everything by the first search for answers
constexpr auto kNothing = Consistency::kNothing;

struct Step {  // a label is taken, or removed
  std::shared_ptr<const Step> before;
  std::int32_t state;
  bool taken;
};

struct Node {
  double bound;
  std::int64_t number;
  std::shared_ptr<const Step> path;
};

class ConsistentSearch {
 public:
  ConsistentSearch(const PatternProblem& problem, std::span<const Potential> potentials, const Unit& unit, const Limits& limits, double patience)
      : problem_(problem),
        potentials_(potentials),
        limits_(limits),
        patience_(patience),
        frontier_(limits),
        dual_(problem, potentials),
        search_(problem),
        unit_(unit),
        vertex_of_(problem.vertex_of_states()),
        weight_(problem.vertices(), 1.0),
        neighbors_(problem.vertices()),
        degree_(problem.vertices()) {
    find_neighbors();
  }

  Outcome run();
  const std::vector<std::int32_t>& best() const { return search_.best(); }

 private:
  struct Open {  // a label that was taken, and is removed next
    std::size_t mark;
    std::shared_ptr<const Step> before;
    std::int32_t state;
    double bound;
  };

  double objective() const { return search_.objective(); }
  double slack() const { return tolerance_of(objective(), unit_); }
  double cutoff() const { return objective() == -kInfinity ? -kInfinity : objective() + std::max(limits_.gap, slack()); }
  double bound() const { return dual_.score(dual_.floor()) + dual_.error(); }

  void start();
  bool begin();
  void visit(Node node);
  void dive(std::shared_ptr<const Step> path, double bound);
  bool is_hopeless();
  void find_neighbors();
  void peel();
  bool eliminate_rest();
  std::int32_t choose_vertex();
  std::int32_t choose_state(std::int32_t v) const;
  void search_on();
  // Half of the slack is left for rounding.
  void set_top() { dual_.set_top(dual_.cost_of(objective() + std::max(limits_.gap, 0.5 * slack()))); }

  const PatternProblem& problem_;
  std::span<const Potential> potentials_;
  const Limits& limits_;
  double patience_, root_ = kInfinity;
  Frontier<Node> frontier_;
  Consistency dual_;
  PrimalSearch search_;
  Unit unit_;
  std::vector<std::int32_t> vertex_of_;
  std::vector<double> weight_;  // of vertices: conflicts met there
  std::vector<std::vector<std::int32_t>> neighbors_;
  std::vector<std::int32_t> degree_, peeled_;  // scratch: undecided neighbors; vertices that need no decision
  std::vector<Open> open_;
  std::int32_t last_ = -1;  // the vertex of the last conflict's decision
  std::int64_t nodes_ = 0, replayed_ = 0, failures_ = 0, burst_ = 1, searched_ = 0;
};

// Better answers are searched for during a share of the work.
void ConsistentSearch::search_on() {
  constexpr std::int64_t kShare = 4, kLeast = 1 << 16;
  const auto budget = (dual_.work() - searched_) / kShare;
  if (budget < kLeast) return;
  searched_ = dual_.work();
  search_.run(budget, [&] { return frontier_.keep_going(); });
  set_top();
}

// Sweeps as long as they pay, and then all conclusions.
bool ConsistentSearch::begin() {
  constexpr int kSweeps = 100;
  constexpr double kWorthwhile = 2e-3;  // of what separates the bound from the answer
  double last = kInfinity;
  for (int i = 0; i < kSweeps; ++i) {
    if (!dual_.sweep(true) || !dual_.sweep(false)) return false;
    search_on();
    const double now = bound(), missing = std::isfinite(objective()) ? now - objective() : std::abs(now);
    if (now <= cutoff()) break;
    if (last - now < kWorthwhile * missing || !frontier_.keep_going()) break;
    last = now;
  }
  if (!dual_.propagate()) return false;
  dual_.commit();
  return true;
}

// Whether a share of the limits is spent, and next to nothing of the gap is closed.
bool ConsistentSearch::is_hopeless() {
  constexpr double kLittle = 0.1;
  const bool early = frontier_.seconds() < patience_ * limits_.seconds &&
                     static_cast<double>(nodes_) < patience_ * static_cast<double>(limits_.iterations);
  if (early) return false;
  const double left = frontier_.bound(objective()) - objective();
  return left > (1.0 - kLittle) * (root_ - objective());
}

void ConsistentSearch::visit(Node node) {
  if (is_hopeless() || nodes_ >= limits_.iterations) {
    frontier_.stop();
    return frontier_.add(std::move(node));
  }
  dual_.undo(0);
  std::vector<const Step*> steps;
  for (const auto* step = node.path.get(); step; step = step->before.get()) steps.push_back(step);
  replayed_ += static_cast<std::int64_t>(steps.size());
  nodes_ += static_cast<std::int64_t>(steps.size());
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if ((*step)->taken) dual_.take((*step)->state);
    else dual_.remove((*step)->state);
  }
  dive(std::move(node.path), node.bound);
  search_on();
  // Bursts grow when too many nodes are visited again, and shrink when few are.
  if (replayed_ > nodes_ / 10) burst_ = std::min<std::int64_t>(2 * burst_, 1 << 14);
  else if (replayed_ < nodes_ / 20) burst_ = std::max<std::int64_t>(burst_ / 2, 1);
}

void ConsistentSearch::dive(std::shared_ptr<const Step> path, double bound) {
  constexpr std::int64_t kAsk = 64;
  const auto end = failures_ + burst_;
  bool stop = false;
  for (;;) {
    ++nodes_;
    if (dual_.propagate() && !eliminate_rest()) {
      const auto s = choose_state(choose_vertex());
      open_.push_back({dual_.mark(), path, s, std::min(bound, this->bound())});
      path = std::make_shared<const Step>(Step{std::move(path), s, true});
      dual_.take(s);
      continue;
    }
    ++failures_;
    weight_[dual_.conflict()] += 1.0;
    weight_[dual_.cause()] += 1.0;
    stop = stop || (nodes_ % kAsk == 0 && !frontier_.keep_going()) || nodes_ > limits_.iterations;
    if (open_.empty()) return;
    if (failures_ >= end || stop) break;
    const auto next = std::move(open_.back());
    open_.pop_back();
    last_ = vertex_of_[next.state];
    dual_.undo(next.mark);
    dual_.remove(next.state);
    path = std::make_shared<const Step>(Step{next.before, next.state, false});
  }
  for (auto& left : open_)
    frontier_.add({left.bound, 0, std::make_shared<const Step>(Step{std::move(left.before), left.state, false})});
  open_.clear();
}

void ConsistentSearch::find_neighbors() {
  for (const auto& potential : potentials_)
    for (auto v : potential.vertices)
      for (auto u : potential.vertices)
        if (u != v) neighbors_[v].push_back(u);
  for (auto& all : neighbors_) {
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

// Finds vertices that can be eliminated one after the other, each with two undecided neighbors at most: they need no
// decision. Their degree becomes 0.
void ConsistentSearch::peel() {
  peeled_.clear();
  poll(8 * problem_.vertices());
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    degree_[v] = -1;
    if (dual_.choices(v) <= 1) continue;
    degree_[v] = 0;
    for (auto u : neighbors_[v]) degree_[v] += dual_.choices(u) > 1;
    if (degree_[v] <= 2) peeled_.push_back(v);
  }
  for (std::size_t i = 0; i < peeled_.size(); ++i) {
    const auto v = peeled_[i];
    const bool is_end = degree_[v] == 1;  // one with two neighbors leaves them joined
    degree_[v] = 0;
    if (!is_end) continue;
    for (auto u : neighbors_[v])
      if (dual_.choices(u) > 1 && --degree_[u] == 2) peeled_.push_back(u);
  }
}

// Whether nothing is left to decide: the best of what is left is found by elimination.
bool ConsistentSearch::eliminate_rest() {
  constexpr double kMostCells = 1 << 16;
  peel();
  double cells = 0.0;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (degree_[v] > 0) return false;
    if (degree_[v] == 0) cells += std::pow(dual_.choices(v), 3.0);
  }
  if (cells > kMostCells) {
    for (auto v : peeled_) degree_[v] = 1;
    return false;
  }
  const Simplified rest(problem_, potentials_, dual_.alive());
  if (rest.problem().vertices() > 1 || rest.problem().states() > 1) {
    for (auto v : peeled_) degree_[v] = 1;
    return false;
  }
  const auto label = rest.expand(std::vector{0});
  frontier_.prune(problem_.score(label));
  search_.offer(label);
  set_top();
  return true;
}

// The vertex of the last failure while it is undecided; else one with few labels and many conflicts (Boussemart et al.
// 2004, Lecoutre et al. 2009).
std::int32_t ConsistentSearch::choose_vertex() {
  if (last_ >= 0 && degree_[last_] > 0) return last_;
  last_ = -1;
  std::int32_t choice = -1;
  double least = kInfinity;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (degree_[v] <= 0) continue;
    const double rank = dual_.choices(v) / (weight_[v] + static_cast<double>(neighbors_[v].size()));
    if (rank < least) least = rank, choice = v;
  }
  return choice;
}

// A label that costs least: that of the best answer, or the one with the best score.
std::int32_t ConsistentSearch::choose_state(std::int32_t v) const {
  const auto first = problem_.first[v];
  if (!search_.best().empty())
    if (const auto s = first + search_.best()[v]; dual_.alive(s) && dual_.cost(s) == 0) return s;
  std::int32_t choice = -1;
  for (auto s = first; s < problem_.first[v + 1]; ++s) {
    if (!dual_.alive(s)) continue;
    const bool better = choice < 0 || dual_.cost(s) < dual_.cost(choice) ||
                        (dual_.cost(s) == dual_.cost(choice) && problem_.state_score[s] > problem_.state_score[choice]);
    if (better) choice = s;
  }
  return choice;
}

void ConsistentSearch::start() {
  search_.run(kFirst * static_cast<std::int64_t>(problem_.states() + problem_.cells.size() + problem_.pattern_states.size()),
              [&] { return frontier_.keep_going(); });
  set_top();
  if (begin()) frontier_.plunge({root_ = bound(), 0, nullptr});
}

Outcome ConsistentSearch::run() {
  try {
    start();
  } catch (const Stopped&) {  // between two steps: the costs are those of the problem still
    frontier_.stop();
    frontier_.add({bound(), 0, nullptr});
  }
  frontier_.run([&] { return objective(); }, [&] { return cutoff(); }, [&](Node node) { visit(std::move(node)); });
  if (objective() > -kInfinity && dual_.least_removed() < kNothing)
    frontier_.prune(dual_.score(dual_.least_removed()) + dual_.error());
  Outcome outcome;
  outcome.objective = objective();
  outcome.bound = frontier_.bound(objective());
  frontier_.finish(outcome);
  outcome.iterations = std::max<std::int64_t>(outcome.iterations, 1);
  judge(outcome, slack(), false, dual_.error());
  return outcome;
}

Outcome infeasible(const Stopwatch& watch) {
  Outcome outcome;
  outcome.status = Status::Infeasible;
  outcome.bound = -kInfinity;
  outcome.seconds = watch.seconds();
  return outcome;
}

}  // namespace

std::optional<Outcome> solve_consistently(const graph::Graph& graph, const Limits& limits, double patience) {
  constexpr std::size_t kMostOfTable = 1 << 16, kMost = std::size_t{1} << 24;  // cells
  const Stopwatch watch;
  try {
    const PatternGraph pattern(graph);
    const auto tidied = tidy(pattern.problem);
    const auto potentials = potentials_of(tidied, kMostOfTable);
    std::size_t cells = 0;
    for (const auto& potential : potentials) cells += potential.cells.size();
    if (cells > kMost) return std::nullopt;
    Consistency dual(tidied, potentials);
    if (!dual.propagate()) return infeasible(watch);
    const Simplified simple(tidied, potentials, dual.alive());
    Limits rest = limits;
    rest.seconds -= watch.seconds();
    ConsistentSearch search(simple.problem(), simple.potentials(), range_of(tidied).unit(), rest, patience);
    auto outcome = search.run();
    if (outcome.objective > -kInfinity) outcome.values = pattern.values(simple.expand(search.best()));
    outcome.seconds = watch.seconds();
    return outcome;
  } catch (const GraphError&) {
    return std::nullopt;
  }
}

}  // namespace treaty::solve
