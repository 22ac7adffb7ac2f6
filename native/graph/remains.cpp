#include "graph/remains.hpp"

#include <algorithm>

#include "graph/factors.hpp"
#include "graph/literals.hpp"

namespace treaty::graph {

void Remains::add_score(std::int32_t literal, double score) {
  if (literal & 1) {
    constant += score;
    score = -score;
  }
  graph.score[literal >> 1] += score;
}

void Remains::add(Kind kind, std::span<const std::int32_t> literals, std::span<const double> data,
                  std::span<const std::int32_t> shape) {
  graph.add(kind, literals, data, shape);
  origin.push_back(current);
}

void Remains::add_exactly(std::int32_t k, const Literals& open) {
  if (open.empty()) return;
  if (k == 1 && open.size() == 2 && open[0] == (open[1] ^ 1)) return;  // became one variable
  if (k == 1) return add(kind_of<ExactlyOne>, open);
  add(kind_of<Exactly>, open, {}, {{k}});
}

void Remains::add_at_most(std::int32_t k, const Literals& open) {
  if (k >= static_cast<std::int32_t>(open.size())) return;
  if (k == 1) return add(kind_of<AtMostOne>, open);
  add(kind_of<AtMost>, open, {}, {{k}});
}

void Remains::add_at_least_one(const Literals& open) {
  if (!open.empty()) add(kind_of<AtLeastOne>, open);
}

void Remains::add_or_with_output(Literals open) {
  if (open.size() == 2 && open[0] == open[1]) return;  // became one variable
  if (has_complements(std::span(open).first(open.size() - 1))) return add_at_least_one({open.back()});
  add(kind_of<OrWithOutput>, open);
}

void Remains::add_reward(Literals open, double score) {
  if (open.empty()) {
    constant += score;
    return;
  }
  std::ranges::sort(open);
  open.erase(std::unique(open.begin(), open.end()), open.end());
  if (has_complements(open)) return;
  if (open.size() == 1) return add_score(open[0], score);
  add(kind_of<Reward>, open, {{score}});
}

void Remains::copy(const FactorView& factor) {
  Literals literals;
  for (auto literal : factor.literals) literals.push_back(map(literal));
  add(factor.kind, literals, factor.data, factor.shape);
}

}  // namespace treaty::graph
