#include "diff/marginals.hpp"

#include <algorithm>
#include <string>

#include "graph/categoricals.hpp"
#include "graph/factor.hpp"
#include "graph/factors.hpp"
#include "solve/search/bucket_forest.hpp"

namespace treaty::diff {

using graph::GraphError, graph::kind_of, graph::visit;

namespace {

constexpr std::size_t kMostEnumerated = std::size_t{1} << 16;

[[noreturn]] void refuse_size(const std::string& what, std::size_t most) {
  throw GraphError("exact sums over all assignments need a table of more than " + std::to_string(most) + " cells for " + what +
                   "; use lp_sparsemap, which has no such limit, or raise most_cells");
}

template <class T>
T log_sum(std::span<const T> terms) {
  double top = -kInfinity;
  for (const auto& term : terms) top = std::max(top, value_of(term));
  if (top == -kInfinity) return T(-kInfinity);
  T total(0.0);
  for (const auto& term : terms)
    if (value_of(term) != -kInfinity) total += exp(term - T(top));
  return T(top) + log(total);
}

}  // namespace

Marginals::Marginals(const Graph& graph, std::size_t most_cells)
    : parameters_(graph), most_cells_(most_cells), home_(graph.score.size(), -1), state_(graph.score.size(), 0),
      uses_(graph.score.size(), 0), in_tree_(graph.score.size(), 0) {
  for (auto literal : graph.literals) ++uses_[static_cast<std::size_t>(literal >> 1)];
  group_states(graph);
  std::vector<std::uint8_t> done(static_cast<std::size_t>(graph.factors()), 0);
  for (std::int32_t f = 0; f < graph.factors(); ++f) done[f] = add_tree(graph, f);
  add_unaries(graph);
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (!done[f]) add_factor(graph, f);
  make_buckets();
}

bool Marginals::make_group(std::span<const std::int32_t> literals, bool may_be_none) {
  std::vector<std::int32_t> sorted(literals.begin(), literals.end());
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
  for (auto literal : literals)
    if ((literal & 1) || home_[literal >> 1] >= 0) return false;
  const auto home = static_cast<std::int32_t>(size_.size());
  auto& members = members_.emplace_back();
  for (auto literal : literals) {
    home_[literal >> 1] = home;
    state_[literal >> 1] = static_cast<std::int32_t>(members.size());
    members.push_back(literal >> 1);
  }
  if (may_be_none) members.push_back(-1);
  size_.push_back(static_cast<std::int32_t>(members.size()));
  return true;
}

void Marginals::group_states(const Graph& graph) {
  for (std::size_t c = 0; c < graph.categorical_first.size(); ++c)
    make_group(graph::states_of(graph, static_cast<std::int32_t>(c)), false);
  for (std::int32_t f = 0; f < graph.factors(); ++f) {
    const auto view = graph.factor(f);
    if (view.kind == kind_of<graph::ExactlyOne>) make_group(view.literals, false);
    visit(view.kind, [&](auto factor) {
      using Kind = decltype(factor);
      if constexpr (Kind::holds_states) graph::for_each_variable(view, [&](auto states) { make_group(states, false); });
      if constexpr (std::is_same_v<Kind, graph::SequenceBudget>)
        graph::for_each_node(view.literals, view.shape.subspan(1), [&](auto states) { make_group(states, false); });
      if constexpr (std::is_same_v<Kind, graph::GeneralTree> || std::is_same_v<Kind, graph::GeneralTreeCounts>)
        graph::for_each_node(view.literals, graph::tree_shape(view.shape).states, [&](auto states) { make_group(states, false); });
    });
  }
  for (std::int32_t f = 0; f < graph.factors(); ++f)
    if (graph.kind[f] == kind_of<graph::AtMostOne>) make_group(graph.factor(f).literals, true);
}

// Of one state each, and single binary variables.
void Marginals::add_unaries(const Graph& graph) {
  for (std::size_t v = 0; v < home_.size(); ++v) {
    if (home_[v] >= 0 || in_tree_[v]) continue;
    home_[v] = static_cast<std::int32_t>(size_.size());
    state_[v] = 1;
    members_.push_back({-1, static_cast<std::int32_t>(v)});
    size_.push_back(2);
  }
  for (std::size_t home = 0; home < size_.size(); ++home) {
    Table table{{static_cast<std::int32_t>(home)}, {}, {0}, {}};
    const auto& members = members_[home];
    bool forced = false;
    for (auto v : members) forced = forced || (v >= 0 && graph.evidence[v] == 1);
    for (auto v : members) {
      bool allowed = v < 0 ? !forced : graph.evidence[v] != 0;
      if (v >= 0 && forced) allowed = graph.evidence[v] == 1;
      if (v >= 0) table.use.push_back(v);
      table.base.push_back(allowed ? 0.0 : -kInfinity);
      table.begin.push_back(static_cast<std::int32_t>(table.use.size()));
    }
    int on = 0;
    for (auto v : members) on += v >= 0 && graph.evidence[v] == 1;
    if (on > 1) std::ranges::fill(table.base, -kInfinity);
    tables_.push_back(std::move(table));
  }
}

// A spanning tree whose arcs are its own.
bool Marginals::add_tree(const Graph& graph, std::int32_t f) {
  const auto view = graph.factor(f);
  if (view.kind != kind_of<graph::Arborescence>) return false;
  for (auto literal : view.literals)
    if ((literal & 1) || uses_[literal >> 1] != 1 || home_[literal >> 1] >= 0) return false;
  Tree tree{{view.shape.begin(), view.shape.end()}, {}, {}};
  std::vector<std::uint8_t> forced(static_cast<std::size_t>(view.shape[0]), 0);
  for (std::size_t a = 0; a < view.literals.size(); ++a)
    if (graph.evidence[view.literals[a] >> 1] == 1) forced[view.shape[3 + 2 * a]] = 1;
  for (std::size_t a = 0; a < view.literals.size(); ++a) {
    const auto v = view.literals[a] >> 1;
    in_tree_[v] = 1;
    tree.variables.push_back(v);
    tree.excluded.push_back(graph.evidence[v] == 0 || (forced[view.shape[3 + 2 * a]] && graph.evidence[v] != 1));
  }
  trees_.push_back(std::move(tree));
  return true;
}

void Marginals::add_factor(const Graph& graph, std::int32_t f) {
  if (!add_edges(graph, f)) enumerate(graph, f);
}

// The variable of which these literals are the states in order, -1 if there is none.
std::int32_t Marginals::whole_variable(std::span<const std::int32_t> literals) const {
  const auto home = home_[literals[0] >> 1];
  if (home < 0 || size_[home] != static_cast<std::int32_t>(literals.size())) return -1;
  for (std::size_t k = 0; k < literals.size(); ++k) {
    const auto v = literals[k] >> 1;
    if (home_[v] != home) return -1;
    const bool fits = literals[k] & 1 ? size_[home] == 2 && state_[v] == 1 - static_cast<std::int32_t>(k)
                                      : state_[v] == static_cast<std::int32_t>(k);
    if (!fits) return -1;
  }
  return home;
}

// A table whose cells use the parameters from `cells` on, and with a state of either side some more.
void Marginals::add_edge(std::int32_t left, std::int32_t right, std::int32_t cells,
                         const std::vector<std::vector<std::int32_t>>& of_left,
                         const std::vector<std::vector<std::int32_t>>& of_right) {
  Table table{{left, right}, {}, {0}, {}};
  for (std::int32_t a = 0; a < size_[left]; ++a)
    for (std::int32_t b = 0; b < size_[right]; ++b) {
      table.use.push_back(cells++);
      for (const auto* more : {of_left.empty() ? nullptr : &of_left[a], of_right.empty() ? nullptr : &of_right[b]})
        if (more) table.use.insert(table.use.end(), more->begin(), more->end());
      table.base.push_back(0.0);
      table.begin.push_back(static_cast<std::int32_t>(table.use.size()));
    }
  tables_.push_back(std::move(table));
}

// Sequences and trees of tables have a table for each edge.
bool Marginals::add_edges(const Graph& graph, std::int32_t f) {
  const auto view = graph.factor(f);
  auto parameter = static_cast<std::int32_t>(parameters_.begin()[f]);
  std::vector<std::int32_t> homes;
  const auto see = [&](auto states) { homes.push_back(whole_variable(states)); };
  if (view.kind == kind_of<graph::Sequence>) graph::for_each_variable(view, see);
  else if (view.kind == kind_of<graph::GeneralTree>) graph::for_each_node(view.literals, graph::tree_shape(view.shape).states, see);
  else return false;
  auto sorted = homes;
  std::ranges::sort(sorted);
  if (homes.size() < 2 || sorted[0] < 0 || std::ranges::adjacent_find(sorted) != sorted.end()) return false;
  if (view.kind == kind_of<graph::GeneralTree>) {
    const auto shape = graph::tree_shape(view.shape);
    for (std::size_t i = 1; i < homes.size(); ++i) {
      add_edge(homes[shape.parents[i]], homes[i], parameter, {}, {});
      parameter += size_[homes[shape.parents[i]]] * size_[homes[i]];
    }
    return true;
  }
  std::vector<std::vector<std::int32_t>> start, stop;
  for (std::int32_t a = 0; a < size_[homes[0]]; ++a) start.push_back({parameter++});
  const auto last = static_cast<std::int32_t>(parameters_.begin()[f + 1]) - size_[homes.back()];
  for (std::int32_t a = 0; a < size_[homes.back()]; ++a) stop.push_back({last + a});
  const std::vector<std::vector<std::int32_t>> none;
  for (std::size_t i = 1; i < homes.size(); ++i) {
    add_edge(homes[i - 1], homes[i], parameter, i == 1 ? start : none, i + 1 == homes.size() ? stop : none);
    parameter += size_[homes[i - 1]] * size_[homes[i]];
  }
  return true;
}

// Every joint state of a factor's variables.
void Marginals::enumerate(const Graph& graph, std::int32_t f) {
  const auto given = graph.factor(f);
  const auto parameter = static_cast<std::int32_t>(parameters_.begin()[f]);
  Table table{{}, {}, {0}, {}};
  for (auto literal : given.literals) {
    if (in_tree_[literal >> 1]) continue;  // cannot be: its arcs are its own
    table.scope.push_back(home_[literal >> 1]);
  }
  std::ranges::sort(table.scope);
  const auto [first, last] = std::ranges::unique(table.scope);
  table.scope.erase(first, last);
  std::size_t cells = 1;
  for (auto home : table.scope) {
    cells *= static_cast<std::size_t>(size_[home]);
    if (cells > std::min(kMostEnumerated, most_cells_))
      refuse_size(std::string("the ") + graph::name_of(given.kind) + " factor " + std::to_string(f), std::min(kMostEnumerated, most_cells_));
  }
  // Without its scores, a factor says what is allowed.
  std::vector<double> no_scores(given.data.size(), 0.0);
  FactorView view = given;
  visit(given.kind, [&](auto factor) {
    if (factor.data_are_scores) view.data = no_scores;
  });
  const auto oracle = graph::is_structured(view.kind) ? graph::make_oracle(view) : nullptr;
  std::vector<std::int32_t> state(size_.size(), 0), on;
  std::vector<std::int8_t> y(view.literals.size());
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t rest = cell;
    for (std::size_t i = table.scope.size(); i-- > 0;) {
      const auto states = static_cast<std::size_t>(size_[table.scope[i]]);
      state[table.scope[i]] = static_cast<std::int32_t>(rest % states);
      rest /= states;
    }
    on.clear();
    for (std::size_t i = 0; i < y.size(); ++i) {
      const auto v = view.literals[i] >> 1;
      y[i] = (state[home_[v]] == state_[v]) != ((view.literals[i] & 1) != 0);
      if (y[i]) on.push_back(static_cast<std::int32_t>(i));
    }
    const double own = oracle ? oracle->evaluate(on) : graph::evaluate(view, y);
    table.base.push_back(own);
    if (own != -kInfinity)
      visit(view.kind, [&](auto factor) {
        using Kind = decltype(factor);
        if constexpr (Kind::structured) factor.use(view, on, [&](std::size_t i) { table.use.push_back(parameter + static_cast<std::int32_t>(i)); });
        if constexpr (std::is_same_v<Kind, graph::Reward>)
          if (on.size() == y.size()) table.use.push_back(parameter);
      });
    table.begin.push_back(static_cast<std::int32_t>(table.use.size()));
  }
  tables_.push_back(std::move(table));
}

// For each joint state of `cells`, that of a scope within it.
std::vector<std::int32_t> Marginals::places(const std::vector<std::int32_t>& cells, const std::vector<std::int32_t>& scope) const {
  std::vector<std::int32_t> stride(cells.size(), 0);
  std::int32_t step = 1;
  for (std::size_t i = scope.size(); i-- > 0;) {
    stride[static_cast<std::size_t>(std::ranges::find(cells, scope[i]) - cells.begin())] = step;
    step *= size_[scope[i]];
  }
  std::vector<std::int32_t> all{0};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<std::int32_t> next;
    next.reserve(all.size() * static_cast<std::size_t>(size_[cells[i]]));
    for (auto before : all)
      for (std::int32_t s = 0; s < size_[cells[i]]; ++s) next.push_back(before + s * stride[i]);
    all = std::move(next);
  }
  return all;
}

void Marginals::make_buckets() {
  std::vector<std::vector<std::int32_t>> scopes;
  for (const auto& table : tables_) scopes.push_back(table.scope);
  const auto elimination = solve::eliminate(size_, scopes);
  if (elimination.largest > static_cast<double>(most_cells_)) refuse_size("the graph", most_cells_);
  struct Waiting {
    bool is_message;
    std::int32_t from;
    std::vector<std::int32_t> scope;
  };
  std::vector<Waiting> waiting;
  std::vector<std::vector<std::size_t>> at(size_.size());  // what waits, by variable
  std::vector<std::uint8_t> gone;
  const auto put = [&](Waiting one) {
    for (auto v : one.scope) at[v].push_back(waiting.size());
    waiting.push_back(std::move(one));
    gone.push_back(0);
  };
  for (std::size_t t = 0; t < tables_.size(); ++t) put({false, static_cast<std::int32_t>(t), tables_[t].scope});
  for (auto v : elimination.order) {
    Bucket bucket;
    std::vector<std::size_t> mine;
    for (auto i : at[v])
      if (!gone[i]) mine.push_back(i);
    for (auto i : mine) {
      gone[i] = 1;
      for (auto u : waiting[i].scope)
        if (u != v && std::ranges::find(bucket.scope, u) == bucket.scope.end()) bucket.scope.push_back(u);
    }
    std::ranges::sort(bucket.scope);
    const auto others = bucket.scope;
    bucket.scope.push_back(v);
    bucket.states = static_cast<std::size_t>(size_[v]);
    bucket.separator = 1;
    for (auto u : others) bucket.separator *= static_cast<std::size_t>(size_[u]);
    for (auto i : mine) bucket.entries.push_back({waiting[i].is_message, waiting[i].from, places(bucket.scope, waiting[i].scope)});
    buckets_.push_back(std::move(bucket));
    if (!others.empty()) put({true, static_cast<std::int32_t>(buckets_.size()) - 1, others});
  }
}

template <class T>
T Marginals::sum(std::span<const T> score, std::span<T> expected) const {
  std::ranges::fill(expected, T(0.0));
  std::vector<std::vector<T>> cells(tables_.size()), messages(buckets_.size()), tables(buckets_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const auto& table = tables_[t];
    cells[t].resize(table.base.size());
    for (std::size_t c = 0; c < table.base.size(); ++c) {
      T total(table.base[c]);
      for (auto i = table.begin[c]; i < table.begin[c + 1] && value_of(total) != -kInfinity; ++i) total += score[table.use[i]];
      cells[t][c] = total;
    }
  }
  T total(0.0);
  for (std::size_t b = 0; b < buckets_.size(); ++b) {  // upwards
    const auto& bucket = buckets_[b];
    auto& joint = tables[b];
    joint.assign(bucket.separator * bucket.states, T(0.0));
    for (const auto& entry : bucket.entries) {
      const auto& from = entry.is_message ? messages[entry.from] : cells[entry.from];
      for (std::size_t c = 0; c < joint.size(); ++c) {
        if (value_of(joint[c]) == -kInfinity) continue;
        const T& more = from[entry.place[c]];
        joint[c] = value_of(more) == -kInfinity ? T(-kInfinity) : joint[c] + more;
      }
    }
    messages[b].resize(bucket.separator);
    for (std::size_t s = 0; s < bucket.separator; ++s)
      messages[b][s] = log_sum(std::span<const T>(joint).subspan(s * bucket.states, bucket.states));
    if (bucket.scope.size() == 1) total += messages[b][0];
  }
  for (std::size_t t = 0; t < tables_.size(); ++t)  // of no variable: constants
    if (tables_[t].scope.empty()) total += cells[t][0];
  if (value_of(total) == -kInfinity) return T(-kInfinity);
  SpanningTrees<T> spanning;
  for (const auto& tree : trees_) {
    std::vector<T> arc(tree.variables.size()), chosen(tree.variables.size(), T(0.0));
    for (std::size_t a = 0; a < arc.size(); ++a) arc[a] = tree.excluded[a] ? T(-kInfinity) : score[tree.variables[a]];
    total += spanning.sum(tree.shape, std::span<const T>(arc), std::span<T>(chosen));
    for (std::size_t a = 0; a < arc.size(); ++a) expected[tree.variables[a]] += chosen[a];
  }
  if (value_of(total) == -kInfinity) return T(-kInfinity);
  std::vector<std::vector<T>> belief(buckets_.size());  // of each bucket's message
  std::vector<std::vector<T>> seen(tables_.size());
  for (std::size_t t = 0; t < tables_.size(); ++t) seen[t].assign(cells[t].size(), T(tables_[t].scope.empty() ? 1.0 : 0.0));
  for (std::size_t b = 0; b < buckets_.size(); ++b) belief[b].assign(messages[b].size(), T(0.0));
  for (std::size_t b = buckets_.size(); b-- > 0;) {  // downwards
    const auto& bucket = buckets_[b];
    if (bucket.scope.size() == 1) belief[b][0] = T(1.0);
    for (std::size_t c = 0; c < tables[b].size(); ++c) {
      const auto s = c / bucket.states;
      if (value_of(tables[b][c]) == -kInfinity) continue;
      const T here = belief[b][s] * exp(tables[b][c] - messages[b][s]);
      for (const auto& entry : bucket.entries)
        (entry.is_message ? belief[entry.from] : seen[entry.from])[entry.place[c]] += here;
    }
  }
  for (std::size_t t = 0; t < tables_.size(); ++t)
    for (std::size_t c = 0; c < tables_[t].base.size(); ++c)
      for (auto i = tables_[t].begin[c]; i < tables_[t].begin[c + 1]; ++i) expected[tables_[t].use[i]] += seen[t][c];
  return total;
}

template double Marginals::sum(std::span<const double>, std::span<double>) const;
template Dual Marginals::sum(std::span<const Dual>, std::span<Dual>) const;

}  // namespace treaty::diff
