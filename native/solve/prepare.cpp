#include "solve/prepare.hpp"

#include <algorithm>
#include <cmath>

#include "graph/factor.hpp"
#include "solve/equal_literals.hpp"
#include "solve/propagate.hpp"

namespace treaty::solve {

using Literals = std::vector<std::int32_t>;

// Builds a Prepared in two passes: substitution of fixed and equal variables into canonical factors, then
// folding of outputs that only one factor sees.
class Preparation {
 public:
  Preparation(const Graph& source, Prepared& result)
      : source_(source), out_(result), facts_(source), equal_(source.variables()) {}

  void run() {
    if (!facts_.start() || !find_equal_literals()) {
      out_.infeasible = true;
      return;
    }
    number_variables();
    add_uncovered_categoricals();
    for (std::int32_t f = 0; f < source_.factors() && !out_.infeasible; ++f) rewrite(f);
    if (out_.infeasible) return;
    fold_outputs();
    scale_scores();
  }

 private:
  bool fixed(std::int32_t literal) const { return facts_.value(literal >> 1) >= 0; }
  bool is_on(std::int32_t literal) const { return facts_.value(literal >> 1) == ((literal & 1) ^ 1); }

  bool equal_if_two(Literals literals) {  // exactly one of two is on
    std::erase_if(literals, [&](auto l) { return fixed(l); });
    return literals.size() != 2 || equal_.merge(literals[0], literals[1] ^ 1);
  }

  bool find_equal_literals() {
    for (std::size_t c = 0; c < source_.categorical_first.size(); ++c)
      if (!equal_if_two(states_of(c))) return false;
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      const auto factor = source_.factor(f);
      Literals literals(factor.literals.begin(), factor.literals.end());
      const bool exclusive = factor.kind == Kind::ExactlyOne || factor.kind == Kind::XorWithOutput;
      const bool output = factor.kind == Kind::OrWithOutput || factor.kind == Kind::AndWithOutput;
      // A satisfied factor has every literal settled by the facts, or says no more about the open ones.
      if (factor.kind == Kind::XorWithOutput || output) literals.back() ^= 1;
      if (exclusive && std::ranges::none_of(literals, [&](auto l) { return is_on(l); })) {
        if (!equal_if_two(literals)) return false;
      } else if (output && !fixed(literals.back())) {  // open output: no input decides it yet
        if (!equal_if_two(literals)) return false;
      } else if (factor.kind == Kind::Table || factor.kind == Kind::Sequence) {
        std::size_t first = 0;
        for (auto card : factor.shape) {
          const auto group = factor.literals.subspan(first, card);
          if (!equal_if_two({group.begin(), group.end()})) return false;
          first += card;
        }
      } else if (factor.kind == Kind::HeadAutomaton) {
        const auto incoming = factor.literals.first(factor.shape[0]);
        if (!equal_if_two({incoming.begin(), incoming.end()})) return false;
      }
    }
    return true;
  }

  // --- numbering of what remains -------------------------------------------------------------------------
  Literals states_of(std::size_t c) const {
    Literals states(source_.categorical_size[c]);
    for (std::size_t k = 0; k < states.size(); ++k)
      states[k] = 2 * (source_.categorical_first[c] + static_cast<std::int32_t>(k));
    return states;
  }

  void number_variables() {
    const auto n = source_.variables();
    std::vector<std::uint8_t> kept(n, 0);  // fixed, but a structured factor needs a variable to speak of
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      const auto factor = source_.factor(f);
      if (is_structured(factor.kind) && factor.kind != Kind::Table)
        for (auto literal : factor.literals) kept[literal >> 1] = 1;
    }
    auto& map = out_.literal_of_;
    map.assign(n, Prepared::kOff);
    for (std::int32_t v = 0; v < n; ++v) {
      const auto value = facts_.value(v);
      const auto root = value < 0 ? equal_.representative(2 * v) : 2 * v;
      if (value >= 0 && !kept[v]) {
        map[v] = value ? Prepared::kOn : Prepared::kOff;
        out_.constant += value ? source_.score[v] : 0.0;
        continue;
      }
      if (root != 2 * v) {  // parents come first: smaller numbers are the roots
        map[v] = map[root >> 1] ^ (root & 1);
      } else {
        const double zero = 0.0;
        map[v] = 2 * out_.graph.add_variables({&zero, 1});
        if (value >= 0) out_.graph.fix(map[v] >> 1, value);
      }
      add_score(map[v], source_.score[v]);
    }
  }

  void add_score(std::int32_t literal, double score) {  // of a literal of the prepared graph
    if (literal & 1) {
      out_.constant += score;
      score = -score;
    }
    out_.graph.score[literal >> 1] += score;
  }

  std::int32_t map(std::int32_t literal) const {
    const auto to = out_.literal_of_[literal >> 1];
    return to ^ (literal & 1);
  }

  // --- rewriting factors ---------------------------------------------------------------------------------
  void emit(Kind kind, const Literals& literals, std::span<const double> data = {},
            std::span<const std::int32_t> shape = {}) {
    out_.graph.add(kind, literals, data, shape);
    out_.origin.push_back(current_);
  }

  void rewrite(std::int32_t f) {
    current_ = f;
    const auto factor = source_.factor(f);
    if (factor.kind == Kind::Table) return rewrite_table(factor);
    if (is_structured(factor.kind)) return copy_structured(factor);

    // Open literals, mapped; how many of the others are on.
    Literals open;
    std::vector<double> cost;
    int on = 0;
    double used = 0.0;
    for (int i = 0; i < factor.degree(); ++i) {
      const auto literal = factor.literals[i];
      if (!fixed(literal)) {
        open.push_back(map(literal));
        if (factor.kind == Kind::Knapsack) cost.push_back(factor.data[i]);
      } else if (is_on(literal)) {
        ++on;
        if (factor.kind == Kind::Knapsack) used += factor.data[i];
      }
    }
    const auto n = static_cast<std::int32_t>(open.size());
    if (n == 0) {
      if (factor.kind == Kind::Reward && on == factor.degree()) out_.constant += factor.data[0];
      return;
    }
    const bool output_open = !fixed(factor.literals.back());
    switch (factor.kind) {
      case Kind::ExactlyOne:
        return exactly(open, 1 - on);
      case Kind::AtMostOne:
        return at_most(open, 1 - on);
      case Kind::AtLeastOne:
        if (on == 0) emit(Kind::AtLeastOne, open);
        return;
      case Kind::XorWithOutput:
        if (output_open) open.back() ^= 1;
        return exactly(open, 1 - (on - (!output_open && is_on(factor.literals.back())))
                             - (!output_open && !is_on(factor.literals.back())));
      case Kind::OrWithOutput:
      case Kind::AndWithOutput:
        return with_output(factor, open, output_open);
      case Kind::Reward:
        if (on + n == factor.degree()) reward(open, factor.data[0]);
        return;
      case Kind::AtMost:
        return at_most(open, factor.shape[0] - on);
      case Kind::Exactly:
        return exactly(open, factor.shape[0] - on);
      case Kind::Knapsack:
        // Propagation found that what is on fits; 0.1 + 0.2 may exceed 0.3 all the same.
        cost.push_back(std::max(0.0, factor.data.back() - used));
        return emit(Kind::Knapsack, open, cost);
      default:
        return;
    }
  }

  void exactly(const Literals& open, std::int32_t k) {
    if (k == 1 && open.size() == 2 && open[0] == (open[1] ^ 1)) return;  // became one variable
    if (k == 1) return emit(Kind::ExactlyOne, open);
    emit(Kind::Exactly, open, {}, {{k}});
  }

  void at_most(const Literals& open, std::int32_t k) {
    if (k >= static_cast<std::int32_t>(open.size())) return;
    if (k == 1) return emit(Kind::AtMostOne, open);
    emit(Kind::AtMost, open, {}, {{k}});
  }

  // OR (AND: of the negations) with its output; propagation has dealt with inputs that decide it.
  void with_output(const FactorView& factor, Literals open, bool output_open) {
    if (factor.kind == Kind::AndWithOutput)
      for (auto& literal : open) literal ^= 1;
    if (!output_open) {  // the output is on, or else no input would be open; an input that is on settles it
      const auto inputs = factor.literals.first(factor.literals.size() - 1);
      const bool decided = std::ranges::any_of(inputs, [&](auto l) {
        return fixed(l) && is_on(l) == (factor.kind == Kind::OrWithOutput);
      });
      if (!decided) emit(Kind::AtLeastOne, open);
      return;
    }
    if (open.size() == 2 && open[0] == open[1]) return;  // became one variable
    auto inputs = open;
    inputs.pop_back();
    if (has_complements(inputs)) return emit(Kind::AtLeastOne, {open.back()});
    emit(Kind::OrWithOutput, open);
  }

  void reward(Literals open, double score) {
    std::ranges::sort(open);
    open.erase(std::unique(open.begin(), open.end()), open.end());
    if (has_complements(open)) return;
    if (open.size() == 1) return add_score(open[0], score);
    emit(Kind::Reward, open, {{score}});
  }

  // Sequences and the like keep their shape; fixed variables stay as evidence.
  void copy_structured(const FactorView& factor) {
    Literals literals;
    for (auto literal : factor.literals) literals.push_back(map(literal));
    if (factor.kind == Kind::Custom) {
      out_.graph.add_custom(literals, source_.oracles[factor.shape[0]]);
      out_.origin.push_back(current_);
    } else {
      emit(factor.kind, literals, factor.data, factor.shape);
    }
  }

  void rewrite_table(const FactorView& factor);
  void rewrite_binary_pair(std::int32_t x, std::int32_t y, const std::vector<double>& cells);

  // --- categoricals and outputs ----------------------------------------------------------------------------
  // A table or sequence over all states of a categorical variable implies that one of them is on.
  void add_uncovered_categoricals() {
    std::vector<std::int32_t> size_at(source_.variables(), 0);
    for (std::size_t c = 0; c < source_.categorical_first.size(); ++c)
      size_at[source_.categorical_first[c]] = source_.categorical_size[c];
    for (std::int32_t f = 0; f < source_.factors(); ++f) {
      const auto factor = source_.factor(f);
      if (factor.kind != Kind::Table && factor.kind != Kind::Sequence) continue;
      std::size_t first = 0;
      for (auto card : factor.shape) {
        const auto group = factor.literals.subspan(first, card);
        bool whole = size_at[group[0] >> 1] == card;
        for (int k = 0; k < card && whole; ++k) whole = group[k] == group[0] + 2 * k && !(group[0] & 1);
        if (whole) size_at[group[0] >> 1] = 0;
        first += card;
      }
    }
    for (std::size_t c = 0; c < source_.categorical_first.size(); ++c) {
      if (size_at[source_.categorical_first[c]] == 0) continue;
      current_ = Prepared::kCategorical + static_cast<std::int32_t>(c);
      Literals open;
      bool decided = false;
      for (auto state : states_of(c)) {
        decided |= fixed(state) && is_on(state);
        if (!fixed(state)) open.push_back(map(state));
      }
      if (!decided) exactly(open, 1);
    }
  }

  // An output seen by its own factor alone is a function of the inputs: score * OR(inputs) =
  // score - score * AND(negated inputs).
  void fold_outputs() {
    Graph& graph = out_.graph;
    std::vector<std::int32_t> uses(graph.variables(), 0);
    for (auto literal : graph.literals) ++uses[literal >> 1];
    Graph folded;
    folded.add_variables(graph.score);
    folded.evidence = graph.evidence;
    folded.oracles = graph.oracles;
    std::vector<std::int32_t> origin;
    std::swap(graph, folded);
    std::swap(origin, out_.origin);
    for (std::int32_t f = 0; f < folded.factors(); ++f) {
      const auto factor = folded.factor(f);
      current_ = origin[f];
      Literals literals(factor.literals.begin(), factor.literals.end());
      // A tree without arcs has no literal to look at.
      if (factor.kind != Kind::OrWithOutput || uses[literals.back() >> 1] != 1) {
        emit(factor.kind, literals, factor.data, factor.shape);
        continue;
      }
      const auto output = literals.back();
      literals.pop_back();
      double score = graph.score[output >> 1];
      graph.score[output >> 1] = 0.0;
      if (output & 1) {
        out_.constant += score;
        score = -score;
      }
      out_.folded_.push_back({output, literals, score});
      out_.constant += score;
      for (auto& literal : literals) literal ^= 1;
      reward(std::move(literals), -score);
    }
  }

  void scale_scores() {
    Graph& graph = out_.graph;
    if (!graph.oracles.empty()) return;
    double largest = 0.0;
    for_each_score([&](double& score) { largest = std::max(largest, std::abs(score)); });
    if (largest == 0.0) return;
    out_.scale = std::ldexp(1.0, std::min(512, -std::ilogb(largest)));  // 1 / denormal is infinite
    for_each_score([&](double& score) { score *= out_.scale; });
  }

  template <class Visit>
  void for_each_score(Visit visit) {
    Graph& graph = out_.graph;
    for (double& score : graph.score) visit(score);
    for (std::int32_t f = 0; f < graph.factors(); ++f) {
      if (graph.kind[f] == Kind::Knapsack) continue;  // its data are costs
      for (auto i = graph.data_begin[f]; i < graph.data_begin[f + 1]; ++i)
        if (graph.data[i] != -kInfinity) visit(graph.data[i]);
    }
  }

  const Graph& source_;
  Prepared& out_;
  Propagator facts_;
  EqualLiterals equal_;
  std::int32_t current_ = -1;
};

// Drops the states that are off; a variable with one state left drops out of the table.
void Preparation::rewrite_table(const FactorView& factor) {
  const auto variables = factor.shape.size();
  std::vector<Literals> open(variables);             // states still possible, as positions in the variable
  std::size_t first = 0;
  std::vector<std::int32_t> offset(variables);
  for (std::size_t k = 0; k < variables; ++k) {
    offset[k] = static_cast<std::int32_t>(first);
    for (std::int32_t s = 0; s < factor.shape[k]; ++s) {
      const auto literal = factor.literals[first + s];
      if (!fixed(literal) || is_on(literal)) open[k].push_back(s);
    }
    if (open[k].empty()) {
      out_.infeasible = true;
      return;
    }
    first += factor.shape[k];
  }
  std::vector<double> cells;
  std::vector<std::size_t> pick(variables, 0);
  for (bool more = true; more;) {
    std::size_t cell = 0;
    for (std::size_t k = 0; k < variables; ++k) cell = cell * factor.shape[k] + open[k][pick[k]];
    cells.push_back(factor.data[cell]);
    auto k = variables;
    while (k > 0 && ++pick[k - 1] == open[k - 1].size()) pick[--k] = 0;
    more = k > 0;
  }
  Literals literals, shape;
  for (std::size_t k = 0; k < variables; ++k) {
    if (open[k].size() == 1) continue;
    for (auto s : open[k]) literals.push_back(map(factor.literals[offset[k] + s]));
    shape.push_back(static_cast<std::int32_t>(open[k].size()));
  }
  if (std::ranges::all_of(cells, [](double c) { return c == -kInfinity; })) {
    out_.infeasible = true;
  } else if (shape.empty()) {
    out_.constant += cells[0];
  } else if (shape.size() == 1 && std::ranges::find(cells, -kInfinity) == cells.end()) {
    for (std::size_t s = 0; s < cells.size(); ++s) add_score(literals[s], cells[s]);
    exactly(literals, 1);
  } else if (shape.size() == 2 && literals.size() == 4 && literals[0] == (literals[1] ^ 1) &&
             literals[2] == (literals[3] ^ 1) && (literals[0] >> 1) != (literals[2] >> 1)) {
    rewrite_binary_pair(literals[1], literals[3], cells);
  } else {
    emit(Kind::Table, literals, cells, shape);
  }
}

// cells = {00, 01, 10, 11}. Finite ones: an affine function plus a Reward. A forbidden one is a clause, and what
// remains is affine; a forbidden row or column was fixed by propagation before.
void Preparation::rewrite_binary_pair(std::int32_t x, std::int32_t y, const std::vector<double>& cells) {
  std::vector<double> c = cells;
  const auto forbidden = std::ranges::count(cells, -kInfinity);
  for (int i = 0; i < 4; ++i)
    if (cells[i] == -kInfinity) emit(Kind::AtLeastOne, {x ^ (i >> 1), y ^ (i & 1)});
  // Invent values for forbidden cells so that no interaction is left: c11 - c10 - c01 + c00 = 0.
  for (int i = 0; i < 4; ++i)
    if (c[i] == -kInfinity) {
      const double other = c[i ^ 1], beside = c[i ^ 2], across = c[i ^ 3];
      const bool known = other != -kInfinity && beside != -kInfinity && across != -kInfinity;
      c[i] = known ? other + beside - across : (other != -kInfinity ? other : beside);
    }
  out_.constant += c[0];
  add_score(x, c[2] - c[0]);
  add_score(y, c[1] - c[0]);
  if (forbidden == 0) reward({x, y}, c[3] - c[2] - c[1] + c[0]);
}

Prepared::Prepared(const Graph& source) { Preparation(source, *this).run(); }

std::vector<double> Prepared::expand(std::span<const double> values) const {
  std::vector<double> all(values.begin(), values.end());
  auto value = [&](std::int32_t literal) { return (literal & 1) ? 1.0 - all[literal >> 1] : all[literal >> 1]; };
  for (const auto& folded : folded_) {
    double most = 0.0, total = 0.0;
    for (auto literal : folded.inputs) {
      most = std::max(most, value(literal));
      total += value(literal);
    }
    // Between max and sum the output is free in the relaxation: it takes the end its score likes.
    const double out = folded.score > 0.0 ? std::min(1.0, total) : most;
    all[folded.variable >> 1] = (folded.variable & 1) ? 1.0 - out : out;
  }
  std::vector<double> expanded(literal_of_.size());
  for (std::size_t v = 0; v < expanded.size(); ++v)
    expanded[v] = literal_of_[v] < 0 ? (literal_of_[v] == kOn ? 1.0 : 0.0) : value(literal_of_[v]);
  return expanded;
}

std::vector<double> Prepared::reduce(std::span<const double> values) const {
  std::vector<double> reduced(graph.variables(), 0.0);
  for (std::size_t v = 0; v < literal_of_.size(); ++v)
    if (literal_of_[v] >= 0) reduced[literal_of_[v] >> 1] = (literal_of_[v] & 1) ? 1.0 - values[v] : values[v];
  return reduced;
}

}  // namespace treaty::solve
