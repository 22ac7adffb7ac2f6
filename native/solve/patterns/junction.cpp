#include "solve/patterns/junction.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "solve/dual/bundle.hpp"
#include "solve/search/frontier.hpp"
#include "solve/search/primal_search.hpp"
#include "solve/search/slices.hpp"

namespace treaty::solve {
namespace {

struct Decision {
  std::int32_t vertex, label;
  bool taken;
};

struct Node {
  double bound;
  std::int64_t number;
  std::vector<Decision> decisions;
  std::shared_ptr<const std::vector<double>> prices;
};

std::vector<std::int32_t> label_counts(const PatternProblem& problem) {
  std::vector<std::int32_t> counts;
  for (std::int32_t v = 0; v < problem.vertices(); ++v) counts.push_back(problem.labels(v));
  return counts;
}

class Junction {
 public:
  Junction(const PatternProblem& problem, const JunctionOptions& options, const Limits& limits)
      : problem_(problem),
        gap_(limits.gap),
        frontier_(limits),
        labels_(label_counts(problem)),
        potentials_(potentials_of(problem, options.table_cells)),
        slices_(slices_of(labels_, potentials_, options.table_cells)),
        forest_(labels_, potentials_, slices_.parts, slices_.table_cells),
        copies_of_(labels_.size()),
        search_(problem),
        unit_(range_of(problem).unit()),
        doubt_(labels_.size(), 0.0),
        label_(static_cast<std::size_t>(forest_.copies())),
        scores_(forest_.scores()) {
    for (int c = 0; c < forest_.copies(); ++c) copies_of_[forest_.vertex(c)].push_back(c);
    allow({});
    const auto see = [&](std::span<const double> scores) {
      double largest = 0.0;
      for (double score : scores)
        if (score != -kInfinity) largest = std::max(largest, std::abs(score));
      size_ += largest;
    };
    for (std::int32_t v = 0; v < problem.vertices(); ++v)
      see(std::span(problem.state_score).subspan(problem.first[v], problem.labels(v)));
    for (const auto& potential : potentials_) see(potential.cells);
  }

  Outcome run();
  const std::vector<std::int32_t>& best() const { return best_; }

 private:
  bool shared(std::int32_t vertex) const { return copies_of_[vertex].size() > 1; }

  void allow(std::span<const Decision> decisions);
  std::vector<double> first_prices() const;
  double maximize(std::span<const double> prices);
  void write_scores(std::span<const double> prices);
  double drift(std::span<const double> prices);
  bool subgradient(std::vector<double>& gradient);
  void round();
  void offer(const std::vector<std::int32_t>& label);
  void take_answer();
  void search_on();

  void visit(Node node);
  bool bound_node(Node& node);
  std::int32_t choose_vertex() const;
  // A bound that exceeds the answer by no more than this proves it.
  double slack() const { return tolerance_of(objective_, unit_); }
  double cutoff() const { return objective_ == -kInfinity ? -kInfinity : objective_ + std::max(gap_, slack()); }

  const PatternProblem& problem_;
  double gap_;
  Frontier<Node> frontier_;
  std::vector<std::int32_t> labels_;
  std::vector<Potential> potentials_;
  Slices slices_;
  BucketForest forest_;
  std::vector<std::vector<int>> copies_of_;
  PrimalSearch search_;
  Unit unit_;  // of the tolerances
  std::vector<bool> allowed_;  // states, by the decisions of the node
  std::vector<double> doubt_;  // how much the copies of a vertex disagreed of late
  std::vector<std::int32_t> label_, best_;
  std::vector<double> scores_, gradient_;

  double objective_ = -kInfinity;
  double size_ = 0.0;   // of what a labeling's score is a sum of, at most
  double error_ = 0.0;  // by which bounds were raised, at most
};

void Junction::allow(std::span<const Decision> decisions) {
  allowed_.clear();
  for (auto score : problem_.state_score) allowed_.push_back(score > -kInfinity);
  for (const auto& [vertex, label, taken] : decisions)
    for (std::int32_t x = 0; x < labels_[vertex]; ++x)
      if ((x == label) != taken) allowed_[problem_.first[vertex] + x] = false;
}

// The labels' own scores, dealt out evenly to the copies.
std::vector<double> Junction::first_prices() const {
  std::vector<double> prices;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (!shared(v)) continue;
    for (std::size_t c = 0; c < copies_of_[v].size(); ++c)
      for (auto state = problem_.first[v]; state < problem_.first[v + 1]; ++state)
        prices.push_back(allowed_[state] ? problem_.state_score[state] / static_cast<double>(copies_of_[v].size()) : 0.0);
  }
  return prices;
}

void Junction::write_scores(std::span<const double> prices) {
  const double* price = prices.data();
  for (std::int32_t v = 0; v < problem_.vertices(); ++v)
    for (auto copy : copies_of_[v]) {
      double* score = scores_.data() + forest_.first(copy);
      for (auto state = problem_.first[v]; state < problem_.first[v + 1]; ++state, ++score) {
        *score = shared(v) ? *price++ : problem_.state_score[state];
        if (!allowed_[state]) *score = -kInfinity;
      }
    }
}

double Junction::maximize(std::span<const double> prices) {
  write_scores(prices);
  Sum total;
  for (int component = 0; component < forest_.components(); ++component) {
    const double value = forest_.maximize(component, scores_, label_);
    if (value == -kInfinity) return value;
    total.add(value);
  }
  return total.value() + drift(prices);
}

// What the prices of a vertex's copies miss of its scores, as every step is rounded, and what sums of them are rounded
// by: a labeling may gain as much.
double Junction::drift(std::span<const double> prices) {
  double most = 0.0, size = size_;
  const double* price = prices.data();
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (!shared(v)) continue;
    const auto labels = static_cast<std::size_t>(labels_[v]), copies = copies_of_[v].size();
    double gain = 0.0, largest = 0.0;
    for (std::size_t x = 0; x < labels; ++x) {
      const auto state = problem_.first[v] + static_cast<std::int32_t>(x);
      if (!allowed_[state]) continue;
      double missing = problem_.state_score[state], sum = 0.0;
      for (std::size_t c = 0; c < copies; ++c) {
        missing -= price[c * labels + x];
        sum += std::abs(price[c * labels + x]);
      }
      gain = std::max(gain, missing);
      largest = std::max(largest, sum);
    }
    most += gain;
    size += largest;
    price += copies * labels;
  }
  error_ = std::max(error_, rounding_of(size));
  return most + rounding_of(size);
}

// Of the dual: how often each copy takes a label, beyond what copies of its vertex do on average. True when all agree.
bool Junction::subgradient(std::vector<double>& gradient) {
  constexpr double kMemory = 0.8;
  gradient.clear();
  bool agreed = true;
  std::vector<double> mean;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    if (!shared(v)) continue;
    const auto& copies = copies_of_[v];
    mean.assign(static_cast<std::size_t>(labels_[v]), 0.0);
    for (auto copy : copies) mean[label_[copy]] += 1.0 / static_cast<double>(copies.size());
    const double most = std::ranges::max(mean);
    agreed = agreed && most > 1.0 - 1e-9;
    doubt_[v] = kMemory * doubt_[v] + (1.0 - most);
    for (auto copy : copies)
      for (std::int32_t x = 0; x < labels_[v]; ++x) gradient.push_back((label_[copy] == x ? 1.0 : 0.0) - mean[x]);
  }
  return agreed;
}

// Slice after slice, each bound to what the ones before it chose.
void Junction::round() {
  std::vector<std::int32_t> label(labels_.size(), -1);
  for (int component = 0; component < forest_.components(); ++component) {
    const int begin = forest_.begin(component), end = forest_.begin(component + 1);
    for (int copy = begin; copy < end; ++copy)
      if (const auto chosen = label[forest_.vertex(copy)]; chosen >= 0)
        for (std::int32_t x = 0; x < labels_[forest_.vertex(copy)]; ++x)
          if (x != chosen) scores_[forest_.first(copy) + static_cast<std::size_t>(x)] = -kInfinity;
    if (forest_.maximize(component, scores_, label_) == -kInfinity) return;
    for (int copy = begin; copy < end; ++copy)
      if (auto& chosen = label[forest_.vertex(copy)]; chosen < 0) chosen = label_[copy];
  }
  offer(label);
}

void Junction::offer(const std::vector<std::int32_t>& label) {
  search_.offer(label);
  take_answer();
}

void Junction::take_answer() {
  if (search_.objective() <= objective_) return;
  objective_ = search_.objective();
  best_ = search_.best();
}

// Better answers are searched for during a share of the time.
void Junction::search_on() {
  const std::int64_t share = frontier_.nodes() <= 1 ? 1 : 16;  // later nodes are for the proof
  search_.run(static_cast<std::int64_t>(forest_.cells()) / share, [&] { return frontier_.keep_going(); });
  take_answer();
}

// Tightens the node's bound; false when it falls to the cutoff.
bool Junction::bound_node(Node& node) {
  constexpr int kRoundEvery = 8, kLeast = 12;
  constexpr double kHopeless = 0.05;  // a promised decrease, as a share of what is missing to the cutoff
  allow(node.decisions);
  std::ranges::fill(doubt_, 0.0);
  Bundle bundle(*node.prices);
  for (int i = 0;; ++i) {
    const double value = maximize(bundle.point());
    if (std::isfinite(error_)) node.bound = std::min(node.bound, value);
    frontier_.visiting(node.bound);
    if (value == -kInfinity) return false;  // the decisions contradict each other
    const bool agreed = subgradient(gradient_);
    if (agreed || i % kRoundEvery == 0) round();
    if (i > 0) search_on();
    if (i == 0) bundle.aim(objective_);
    bundle.tell(value, gradient_);
    if (node.bound <= cutoff()) return false;
    if (!frontier_.may_go_on(objective_) || bundle.promise() < 1e-10 * std::max(unit_.least, std::abs(value))) break;
    if (i >= kLeast && bundle.promise() < kHopeless * (node.bound - cutoff())) break;
  }
  round();
  node.prices = std::make_shared<const std::vector<double>>(bundle.center().begin(), bundle.center().end());
  return node.bound > cutoff();
}

// The vertex whose copies disagreed most; any that is not decided yet if none did.
std::int32_t Junction::choose_vertex() const {
  std::int32_t choice = -1;
  double most = -1.0;
  for (std::int32_t v = 0; v < problem_.vertices(); ++v) {
    const auto first = allowed_.begin() + problem_.first[v];
    if (std::count(first, first + labels_[v], true) < 2) continue;
    if (doubt_[v] > most) most = doubt_[v], choice = v;
  }
  return choice;
}

void Junction::visit(Node node) {
  const bool open = bound_node(node);
  const auto vertex = open && !frontier_.stopped() ? choose_vertex() : -1;
  if (vertex < 0) return frontier_.prune(node.bound);  // done with it, or out of time: its bound stays in the account
  std::vector<double> votes(static_cast<std::size_t>(labels_[vertex]), 0.0);
  for (auto copy : copies_of_[vertex]) votes[label_[copy]] += 1.0;
  for (std::int32_t x = 0; x < labels_[vertex]; ++x)
    if (!allowed_[problem_.first[vertex] + x]) votes[x] = -1.0;
  const auto likely = static_cast<std::int32_t>(std::ranges::max_element(votes) - votes.begin());
  for (bool taken : {false, true}) {
    Node child{node.bound, 0, node.decisions, node.prices};
    child.decisions.push_back({vertex, likely, taken});
    if (taken) frontier_.plunge(std::move(child));
    else frontier_.add(std::move(child));
  }
}

Outcome Junction::run() {
  frontier_.plunge({kInfinity, 0, {}, std::make_shared<const std::vector<double>>(first_prices())});
  frontier_.run([&] { return objective_; }, [&] { return cutoff(); }, [&](Node node) { visit(std::move(node)); });
  Outcome outcome;
  outcome.objective = objective_;
  outcome.bound = frontier_.bound(objective_);
  frontier_.finish(outcome);
  judge(outcome, slack(), false, error_);
  return outcome;
}

}  // namespace

Outcome solve_junction(const Graph& graph, const JunctionOptions& options, const Limits& limits) {
  const Stopwatch watch;
  const PatternGraph pattern(graph);
  const auto problem = tidy(pattern.problem);
  Junction solver(problem, options, limits);
  auto outcome = solver.run();
  if (outcome.objective > -kInfinity) outcome.values = pattern.values(solver.best());
  outcome.seconds = watch.seconds();
  return outcome;
}

bool has_narrow_slices(const Graph& graph, const JunctionOptions& options) {
  try {
    const auto problem = tidy(from_graph(graph));
    return are_slices_affordable(label_counts(problem), potentials_of(problem, options.table_cells), options.table_cells);
  } catch (const GraphError&) {
    return false;
  }
}

}  // namespace treaty::solve
