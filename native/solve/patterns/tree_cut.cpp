#include "solve/patterns/tree_cut.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "graph/stop.hpp"
#include "solve/patterns/tree_slave.hpp"

namespace treaty::solve {
namespace {

struct Range {
  double low = kInfinity, high = -kInfinity;  // of the finite cells
  bool forbids = false;
  explicit Range(std::span<const double> cells) {
    for (double cell : cells) {
      if (cell == -kInfinity) forbids = true;
      else low = std::min(low, cell), high = std::max(high, cell);
    }
    if (low > high) low = high = 0.0;
  }
};

}  // namespace

// Gathers links and quadratic terms; each style says what becomes of the edges outside the forest and of the patterns.
class TreeCutBuilder {
 public:
  TreeCutBuilder(const PatternProblem& problem, TreeCut& out)
      : problem_(problem), out_(out), prohibitive_(prohibitive_score(problem)), node_(2 * problem.states(), kNone) {
    out_.forest.first = problem.first;
    out_.forest.state_score = problem.state_score;
  }
  virtual ~TreeCutBuilder() = default;

  void run() {
    const auto in_forest = choose_forest();
    for (std::size_t e = 0; e < problem_.edges.size(); ++e) {
      const auto& edge = problem_.edges[e];
      graph::poll(64 + 16 * static_cast<std::int64_t>(problem_.table(edge).size()));
      in_forest[e] ? out_.forest.add_edge(edge.u, edge.v, problem_.table(edge)) : add_edge(edge);
    }
    for (std::int32_t p = 0; p < problem_.patterns(); ++p) {
      const double weight = finite(problem_.pattern_weight[p]);
      graph::poll(256);
      weight > 0.0 ? add_positive(problem_.states_of(p), weight) : add_negative(problem_.states_of(p), -weight);
    }
    finish();
    write_out();
  }

 protected:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::size_t kMostPairs = std::size_t{1} << 27;  // more fill the memory

  virtual void add_edge(const PatternProblem::Edge& edge) = 0;
  virtual void add_negative(std::span<const std::int32_t> states, double weight) = 0;  // its size
  virtual void finish() {}

  // Eq. 7:  prod z = max_u (sum z - n + 1) u.
  void add_positive(std::span<const std::int32_t> states, double weight) {
    nodes_.clear();
    for (auto state : states) nodes_.push_back(node_of(state));
    add_auxiliary(nodes_, weight, static_cast<double>(states.size()) - 1.0);
  }

  // weight * max_u (sum z - threshold) u, for a new node u.
  void add_auxiliary(std::span<const std::int32_t> nodes, double weight, double threshold) {
    const auto u = add_node();
    linear_[u] -= weight * threshold;
    const double share = weight * (1.0 - threshold / static_cast<double>(nodes.size()));
    for (auto node : nodes) {
      add_pair(node, u, weight);
      start_[node] -= share;
    }
  }

  double finite(double score) const { return score == -kInfinity ? -prohibitive_ : score; }

  // The node that is tied to a state, or to its complement.
  std::int32_t node_of(std::int32_t state, bool complement = false) {
    const auto key = 2 * static_cast<std::size_t>(state) + complement;
    if (key >= node_.size()) node_.resize(2 * static_cast<std::size_t>(out_.forest.states()), kNone);
    if (node_[key] == kNone) {
      node_[key] = add_node();
      link_[node_[key]] = {state, complement};
    }
    return node_[key];
  }

  void add_pair(std::int32_t i, std::int32_t j, double weight) {
    if (weight <= 0.0) return;
    if (pairs_.size() == kMostPairs)
      throw GraphError("the cut needs more than 2^27 pairs of labels; the style 'tight' needs fewer");
    pairs_.push_back({i, j, weight});
  }
  // A pair of linked nodes: the forest starts with `share` of its weight on i and the rest on j.
  void add_shared_pair(std::int32_t i, std::int32_t j, double weight, double share) {
    add_pair(i, j, weight);
    start_[i] -= share * weight;
    start_[j] -= (1.0 - share) * weight;
  }

  const PatternProblem& problem_;
  TreeCut& out_;

 private:
  std::int32_t add_node() {
    linear_.push_back(0.0);
    start_.push_back(0.0);
    link_.push_back({kNone, false});
    return static_cast<std::int32_t>(linear_.size()) - 1;
  }

  // Rules belong into the forest, where they are exact; then chains, whose tables are the fullest; then what scores.
  std::vector<std::uint8_t> choose_forest() const {
    std::vector<double> worth;
    for (const auto& edge : problem_.edges) {
      const auto table = problem_.table(edge);
      graph::poll(8 + 2 * static_cast<std::int64_t>(table.size()));
      const Range range(table);
      const auto full = std::ranges::count_if(table, [](double cell) { return cell != 0.0; });
      worth.push_back(range.forbids * 4.0 + (full > 0 && edge.v == edge.u + 1) * 2.0 +
                      static_cast<double>(full) / static_cast<double>(table.size()));
    }
    return spanning_forest(problem_.vertices(), problem_.edges, worth);
  }

  // Linked nodes first.
  void write_out() {
    std::vector<std::int32_t> order(linear_.size()), rank(linear_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_partition(order, [&](auto node) { return link_[node].state != kNone; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = static_cast<std::int32_t>(i);
      out_.linear.push_back(linear_[order[i]]);
      if (link_[order[i]].state == kNone) continue;
      out_.links.push_back(link_[order[i]]);
      out_.start.push_back(start_[order[i]]);
    }
    for (auto& pair : pairs_) {
      const auto [low, high] = std::minmax(rank[pair.i], rank[pair.j]);
      pair.i = low, pair.j = high;
    }
    const auto ends = [](const TreeCut::Pair& pair) { return std::pair(pair.i, pair.j); };
    std::ranges::stable_sort(pairs_, {}, ends);
    graph::poll(4 * std::ssize(pairs_));
    for (const auto& pair : pairs_) {
      if (!out_.pairs.empty() && ends(out_.pairs.back()) == ends(pair))
        out_.pairs.back().weight += pair.weight;
      else
        out_.pairs.push_back(pair);
    }
  }

  double prohibitive_;
  std::vector<std::int32_t> node_;  // of each state and of its complement
  std::vector<double> linear_, start_;
  std::vector<TreeCut::Link> link_;
  std::vector<TreeCut::Pair> pairs_;
  std::vector<std::int32_t> nodes_;
};

namespace {

// Every two vertices that share a negative pattern are an edge of the graph (section 3.3), if only with psi on it.
PatternProblem with_pairs_of_negative_patterns(const PatternProblem& tidied) {
  PatternProblem graph = tidied;
  std::set<std::pair<std::int32_t, std::int32_t>> known;
  for (const auto& edge : tidied.edges) known.insert({edge.u, edge.v});
  const auto vertex = tidied.vertex_of_states();
  std::vector<double> zeros;
  for (std::int32_t p = 0; p < tidied.patterns(); ++p) {
    if (tidied.pattern_weight[p] >= 0.0) continue;
    const auto states = tidied.states_of(p);
    for (std::size_t j = 1; j < states.size(); ++j)
      for (std::size_t i = 0; i < j; ++i) {
        graph::poll(128);
        const auto u = vertex[states[i]], v = vertex[states[j]];
        if (!known.insert({u, v}).second) continue;
        zeros.assign(static_cast<std::size_t>(tidied.labels(u)) * tidied.labels(v), 0.0);
        graph.add_edge(u, v, zeros);
      }
  }
  return graph;
}

// Section 3.3 and appendix A. What is negative in the cut is made good by psi, a constant for all pairs of labels of
// two vertices; on the tree nothing needs it. `tree_takes_pairs`: the tree has those of a negative pattern that lie on
// it; otherwise the cut has them all.
class PaperBuilder final : public TreeCutBuilder {
 public:
  PaperBuilder(const PatternProblem& problem, TreeCut& out, bool tree_takes_pairs)
      : TreeCutBuilder(problem, out), tree_takes_pairs_(tree_takes_pairs), vertex_(problem.vertex_of_states()) {}

 private:
  using Ends = std::pair<std::int32_t, std::int32_t>;

  // The scores of two vertices' labels in the cut.
  std::vector<double>& table(std::int32_t u, std::int32_t v) {
    auto& cells = tables_[{u, v}];
    cells.resize(static_cast<std::size_t>(problem_.labels(u)) * problem_.labels(v), 0.0);
    return cells;
  }

  void add_edge(const PatternProblem::Edge& edge) override {
    auto& cells = table(edge.u, edge.v);
    const auto scores = problem_.table(edge);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += finite(scores[i]);
  }

  // Where the score of two states stands: in the tree's subproblem, or in the cut's.
  double& cell(std::int32_t a, std::int32_t b) {
    const auto u = vertex_[a], v = vertex_[b];
    const auto place = std::int64_t{a - problem_.first[u]} * problem_.labels(v) + b - problem_.first[v];
    if (tree_takes_pairs_ && on_tree_.empty())
      for (const auto& edge : out_.forest.edges) on_tree_[{edge.u, edge.v}] = edge.cells;
    const auto found = on_tree_.find({u, v});
    return found == on_tree_.end() ? table(u, v)[place] : out_.forest.cells[found->second + place];
  }

  // Proposition 1 (Zivny & Jeavons 2010):  -prod z = p(z) - sum_{i<j} z_i z_j,  p by eqs. 8 and 9.
  void add_negative(std::span<const std::int32_t> states, double weight) override {
    const auto size = static_cast<std::int32_t>(states.size());
    nodes_.clear();
    for (auto state : states) nodes_.push_back(node_of(state));
    if (size == 3) {
      add_auxiliary(nodes_, weight, 1.0);
    } else {
      add_auxiliary(nodes_, 2.0 * weight, 1.5);
      for (std::int32_t j = 1; j <= size - 4; ++j) add_auxiliary(nodes_, weight, j + 2.0);
    }
    for (std::int32_t i = 0; i < size; ++i)
      for (std::int32_t j = i + 1; j < size; ++j) cell(states[i], states[j]) -= weight;
  }

  void finish() override {
    for (const auto& [ends, cells] : tables_) {
      const auto [u, v] = ends;
      const double psi = -std::ranges::min(cells);
      out_.constant -= psi;
      std::size_t i = 0;
      for (auto a = problem_.first[u]; a < problem_.first[u + 1]; ++a)
        for (auto b = problem_.first[v]; b < problem_.first[v + 1]; ++b, ++i)
          if (cells[i] + psi > 0.0) add_shared_pair(node_of(a), node_of(b), cells[i] + psi, 0.5);
    }
  }

  bool tree_takes_pairs_;
  std::vector<std::int32_t> vertex_, nodes_;
  std::map<Ends, std::vector<double>> tables_;
  std::map<Ends, std::int64_t> on_tree_;  // edges of the tree -> where their cells begin there
};

// Nothing negative comes to the cut, so its relaxation is as tight as the local polytope:
// - -w prod_k z_k = -w + w max_k (1 - z_k): a new vertex chooses the k that breaks the pattern, and a positive pair
//   rewards the choice if k really is in another state;
// - a table outside the forest gets a copy of one of its ends inside it, rewarded for being in the same state.
class TightBuilder final : public TreeCutBuilder {
 public:
  using TreeCutBuilder::TreeCutBuilder;

 private:
  void add_negative(std::span<const std::int32_t> states, double weight) override {
    zeros_.assign(states.size(), 0.0);
    const auto choice = out_.forest.add_vertex(zeros_);
    for (std::size_t k = 0; k < states.size(); ++k)
      add_shared_pair(node_of(out_.forest.first[choice] + static_cast<std::int32_t>(k)), node_of(states[k], true),
                      weight, 1.0);
    out_.constant -= weight;
  }

  void add_edge(const PatternProblem::Edge& edge) override {
    if (is_disjoint(edge)) return add_cells(edge);
    if (problem_.labels(edge.u) == 2 && problem_.labels(edge.v) == 2 && !Range(problem_.table(edge)).forbids)
      return add_binary(edge);
    add_copy(edge);
  }

  // Positive cells no two of which share a row or a column are as good as their pairs.
  bool is_disjoint(const PatternProblem::Edge& edge) {
    const auto rows = problem_.labels(edge.u), columns = problem_.labels(edge.v);
    const auto table = problem_.table(edge);
    used_.assign(rows + columns, 0);
    for (std::int32_t a = 0; a < rows; ++a)
      for (std::int32_t b = 0; b < columns; ++b) {
        const double cell = table[a * columns + b];
        if (cell == 0.0) continue;
        if (cell < 0.0 || used_[a] || used_[rows + b]) return false;
        used_[a] = used_[rows + b] = 1;
      }
    return true;
  }

  void add_cells(const PatternProblem::Edge& edge) {
    const auto table = problem_.table(edge);
    const auto columns = problem_.labels(edge.v);
    for (std::size_t i = 0; i < table.size(); ++i)
      if (table[i] > 0.0) {
        const auto a = static_cast<std::int32_t>(i) / columns, b = static_cast<std::int32_t>(i) % columns;
        add_shared_pair(node_of(problem_.first[edge.u] + a), node_of(problem_.first[edge.v] + b), table[i], 0.5);
      }
  }

  // Four numbers are two labels' scores and one positive pair: of equal labels, or of different ones.
  void add_binary(const PatternProblem::Edge& edge) {
    const auto t = problem_.table(edge);
    const double excess = t[0] + t[3] - t[1] - t[2];
    const auto u = problem_.first[edge.u], v = problem_.first[edge.v];
    const std::int32_t b = excess >= 0.0 ? 1 : 0;  // the pair is u[1], v[b]
    auto& score = out_.forest.state_score;
    score[u + 1] += t[2 + 1 - b] - t[1 - b];
    score[v + b] += t[b];
    score[v + 1 - b] += t[1 - b];
    add_shared_pair(node_of(u + 1), node_of(v + b), std::abs(excess), 0.5);
  }

  void add_copy(const PatternProblem::Edge& edge) {
    const auto table = problem_.table(edge);
    const auto labels = problem_.labels(edge.v);
    zeros_.assign(labels, 0.0);
    const auto copy = out_.forest.add_vertex(zeros_);
    out_.forest.add_edge(edge.u, copy, table);
    double most = 0.0;  // what a copy in a state of its own can gain
    for (std::int32_t a = 0; a < problem_.labels(edge.u); ++a) {
      const Range row(table.subspan(static_cast<std::size_t>(a) * labels, labels));
      most = std::max(most, row.forbids ? -finite(-kInfinity) : row.high - row.low);
    }
    for (std::int32_t b = 0; b < labels; ++b)
      add_shared_pair(node_of(out_.forest.first[copy] + b), node_of(problem_.first[edge.v] + b), most, 1.0);
    out_.constant -= most;
  }

  std::vector<double> zeros_;
  std::vector<std::uint8_t> used_;
};

}  // namespace

TreeCut::TreeCut(const PatternProblem& tidied, CutStyle style) {
  switch (style) {
    case CutStyle::Paper: PaperBuilder(with_pairs_of_negative_patterns(tidied), *this, true).run(); break;
    case CutStyle::Released: PaperBuilder(tidied, *this, false).run(); break;
    case CutStyle::Tight: TightBuilder(tidied, *this).run(); break;
  }
}

}  // namespace treaty::solve
