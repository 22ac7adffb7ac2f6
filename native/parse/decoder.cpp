#include "parse/decoder.hpp"

#include "graph/factors.hpp"
#include "learn/host.hpp"
#include "solve/dual/ad3.hpp"

namespace treaty::parse {

using graph::Configuration, graph::kind_of, graph::kInfinity, graph::make_arborescence;
using solve::Ad3, solve::Ad3Options, solve::Limits;
namespace {

// Literals are variables that are not negated.
std::int32_t literal(std::int32_t arc) { return 2 * arc; }

class GraphBuilder {
 public:
  GraphBuilder(const Parts& parts, std::span<const double> score, Graph& graph) : parts_(parts), score_(score), graph_(graph) {}

  double add_sides(std::vector<double>& arc_score) {
    double constant = 0.0;
    for (const auto& side : parts_.sides()) {
      if (side.modifiers() > 0) continue;
      if (side.sibling >= 0) constant += score_[side.sibling];
      if (side.grand_sibling < 0) continue;
      for (int i = 0; i < side.grandparents; ++i) arc_score[side.incoming + i] += score_[side.grand_sibling + i];
    }
    return constant;
  }

  void add_automata() {
    for (const auto& side : parts_.sides()) {
      const int m = side.modifiers();
      if (m == 0) continue;
      modifiers_.clear();
      for (auto a : parts_.outward(side)) modifiers_.push_back(literal(a));
      if (side.tri_sibling >= 0) {
        const std::int32_t shape[] = {m};
        graph_.add(kind_of<graph::TriSiblingAutomaton>, modifiers_, score_.subspan(side.tri_sibling, side.triples()), shape);
      }
      if (side.sibling < 0) continue;
      literals_.clear();
      for (int i = 0; i < side.grandparents; ++i) literals_.push_back(literal(side.incoming + i));
      literals_.insert(literals_.end(), modifiers_.begin(), modifiers_.end());
      const bool grand = side.grand_sibling >= 0 && side.grandparents > 0;
      const std::int32_t shape[] = {side.grandparents, m, grand};
      const auto data = side.grandparents * m + side.pairs() + (grand ? side.grandparents * side.pairs() : 0);
      graph_.add(kind_of<graph::HeadAutomaton>, literals_, score_.subspan(side.grandparent, data), shape);
    }
  }

  void add_arbitrary_siblings() {
    for (int h = 0; h <= parts_.arcs().words; ++h) {
      const auto leaving = parts_.leaving(h);
      auto part = parts_.arbitrary_siblings(h);
      for (std::size_t i = 0; i < leaving.size(); ++i)
        for (std::size_t j = i + 1; j < leaving.size(); ++j, ++part) {
          const std::int32_t pair[] = {literal(leaving[i]), literal(leaving[j])};
          if (score_[part] != 0.0) graph_.add(kind_of<graph::Reward>, pair, score_.subspan(part, 1), {});
        }
    }
  }

  void add_head_bigrams() {
    const auto& arcs = parts_.arcs();
    literals_.resize(arcs.size());
    for (int a = 0; a < arcs.size(); ++a) literals_[a] = literal(a);
    std::vector<std::int32_t> heads;
    for (int m = 1; m <= arcs.words; ++m) heads.push_back(arcs.heads_of(m));
    graph_.add(kind_of<graph::Sequence>, literals_,
               score_.subspan(parts_.sequence_begin(), parts_.sequence_end() - parts_.sequence_begin()), heads);
  }

 private:
  const Parts& parts_;
  std::span<const double> score_;
  Graph& graph_;
  std::vector<std::int32_t> literals_, modifiers_;
};

// The other variables start where the likeliest tree has them.
void start_paths(graph::Oracle& tree, const Arcs& arcs, const PathGraph& paths, std::vector<double>& start) {
  Configuration best;
  tree.maximize(start, best);
  std::vector<std::int32_t> head(arcs.words + 1, -1);
  for (auto a : best.on) head[arcs.modifier[a]] = arcs.head[a];
  std::vector<std::int8_t> values;
  paths.append_values(head, values);
  start.insert(start.end(), values.begin(), values.end());
}

}  // namespace

void build_graph(const Parts& parts, std::span<const double> score, const DecoderOptions& options, PathGraph& paths,
                 Graph& graph, double& constant) {
  const auto& arcs = parts.arcs();
  std::vector<double> arc_score(score.begin(), score.begin() + arcs.size());
  GraphBuilder builder(parts, score, graph);
  constant = builder.add_sides(arc_score);
  paths.add_to_arcs(score, arc_score);
  graph.add_variables(arc_score);
  std::vector<std::int32_t> all(arcs.size());
  for (int a = 0; a < arcs.size(); ++a) all[a] = literal(a);
  graph.add(kind_of<graph::Arborescence>, all, {}, tree_shape(arcs, options.single_root));
  builder.add_automata();
  if (parts.order().has[kArbitrarySibling]) builder.add_arbitrary_siblings();
  if (parts.order().has[kHeadBigram] && arcs.words > 0) builder.add_head_bigrams();
  paths.add(score, graph);
}

void Decoder::decode(const Parts& parts, std::span<const double> score, const DecoderOptions& options, Tree& tree) {
  const auto& arcs = parts.arcs();
  tree.head.assign(arcs.words + 1, -1);
  tree.iterations = 0;
  if (parts.order().first()) return decode_first_order(parts, score, options, tree);

  Graph graph;
  PathGraph paths(parts);
  double constant = 0.0;
  build_graph(parts, score, options, paths, graph, constant);
  const auto oracle = make_arborescence(graph.factor(0).shape);  // the tree is the first factor
  Configuration best;
  std::vector<std::int32_t> head(arcs.words + 1, -1);
  // Fractional answers are rounded to the tree that overlaps most with them (Martins et al. 2009), and improved.
  const auto round = [&](std::span<const double> u, std::vector<std::int8_t>& values) {
    oracle->maximize(u.first(arcs.size()), best);
    if (best.score == -kInfinity) return -kInfinity;
    for (auto a : best.on) head[arcs.modifier[a]] = arcs.head[a];
    const double objective = search_.improve(parts, score, options.single_root, head);
    values.assign(arcs.size(), 0);
    for (int m = 1; m <= arcs.words; ++m) values[arcs.find(head[m], m)] = 1;
    paths.append_values(head, values);
    return objective - constant;
  };
  auto start = arcs.marginal;
  if (!paths.variables().empty()) start_paths(*oracle, arcs, paths, start);
  Ad3Options ad3;
  ad3.penalty = options.penalty;
  ad3.rounds = options.rounds;
  ad3.tolerance = options.tolerance;
  Ad3 solver(graph, ad3);
  solver.set_source(constant);
  solver.set_rounding(round);
  solver.start_at(start);
  Limits limits;
  limits.iterations = options.iterations_for(arcs.words);
  limits.keep_going = [] { return learn::check_interrupt(), true; };
  auto outcome = solver.run(limits);
  if (outcome.values.empty()) {  // the candidates contain a tree: only rounding errors can hide it from the solver
    std::vector<std::int8_t> values;
    outcome.objective = round(arcs.marginal, values);
    outcome.values.assign(values.begin(), values.end());
    outcome.bound = kInfinity;
    outcome.status = Status::Feasible;
  }
  tree.status = outcome.status;
  tree.objective = outcome.objective + constant;
  tree.bound = outcome.bound + constant;
  tree.iterations = outcome.iterations;
  for (int a = 0; a < arcs.size() && !outcome.values.empty(); ++a)
    if (outcome.values[a] > 0.5) tree.head[arcs.modifier[a]] = arcs.head[a];
}

void Decoder::decode_first_order(const Parts& parts, std::span<const double> score, const DecoderOptions& options,
                                 Tree& tree) {
  const auto& arcs = parts.arcs();
  if (options.projective) {
    const int n = arcs.words + 1;
    dense_.assign(static_cast<std::size_t>(n) * n, -kInfinity);
    for (int a = 0; a < arcs.size(); ++a) dense_[arcs.head[a] * n + arcs.modifier[a]] = score[a];
    tree.objective = eisner_.best(arcs.words, dense_, options.single_root, tree.head);
  } else {
    const auto shape = tree_shape(arcs, options.single_root);
    Configuration best;
    make_arborescence(shape)->maximize(score.first(arcs.size()), best);
    tree.objective = best.score;
    for (auto a : best.on) {
      tree.head[arcs.modifier[a]] = arcs.head[a];
      tree.objective += score[a];
    }
  }
  tree.bound = tree.objective;
  tree.status = tree.objective == -kInfinity ? Status::Infeasible : Status::Optimal;
}

}  // namespace treaty::parse
