#include "summarize/coverage.hpp"

#include <algorithm>
#include <numeric>

#include "learn/host.hpp"

namespace treaty::summarize {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

}  // namespace

Coverage::Coverage(const ConceptTokens& tokens, std::span<const std::int32_t> size,
                   std::span<const double> concept_score)
    : score(size.size(), 0.0),
      concept_variable(concept_score.size(), -1),
      size_(size.begin(), size.end()),
      and_of_(size.size(), -1) {
  std::vector<std::size_t> order(tokens.concept_of.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t o) { return tokens.concept_of[o]; });

  std::vector<Literal> literals;
  for (std::size_t from = 0; from < order.size();) {
    const auto name = at(tokens.concept_of[order[from]]);
    literals.clear();
    learn::check_interrupt();
    for (; from < order.size() && at(tokens.concept_of[order[from]]) == name; ++from)
      if (concept_score[name] != 0.0) literals.push_back(lowest(tokens, order[from]));
    if (literals.empty()) continue;
    drop_implied(literals);
    concept_variable[name] = variable_of(literals);
    score[at(concept_variable[name])] += concept_score[name];
  }
}

// A node is on whenever one below it is: only the lowest nodes of a concept token matter.
Coverage::Literal Coverage::lowest(const ConceptTokens& tokens, std::size_t occurrence) const {
  Literal found;
  for (auto t = tokens.first[occurrence]; t <= tokens.last[occurrence]; ++t)
    if (tokens.node[at(t)] >= 0) found.push_back(tokens.node[at(t)]);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  // In preorder, the descendants of a node follow it directly.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (i + 1 == found.size() || !is_below(found[i + 1], found[i])) found[kept++] = found[i];
  found.resize(kept);
  return found;
}

// A literal that implies another adds nothing to their disjunction. It implies it if the other is a single node, at or
// above one of its own.
void Coverage::drop_implied(std::vector<Literal>& literals) const {
  std::ranges::sort(literals);
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  if (literals.size() == 1) return;
  const auto all = literals;
  std::erase_if(literals, [&](const Literal& literal) {
    return std::ranges::any_of(all, [&](const Literal& other) {
      return other.size() == 1 && other != literal &&
             std::ranges::any_of(literal, [&](std::int32_t node) { return is_below(node, other[0]); });
    });
  });
}

std::int32_t Coverage::variable_of(const Literal& literal) {
  if (literal.size() == 1) return literal[0];
  const auto [place, is_new] = known_all_.try_emplace(literal, -1);
  if (is_new) place->second = add(false, literal);
  return place->second;
}

std::int32_t Coverage::variable_of(const std::vector<Literal>& literals) {
  if (literals.size() == 1) return variable_of(literals[0]);
  const auto [place, is_new] = known_some_.try_emplace(literals, -1);
  if (is_new) {
    std::vector<std::int32_t> inputs;
    for (const auto& literal : literals) inputs.push_back(variable_of(literal));
    place->second = add(true, inputs);
  }
  return place->second;
}

std::int32_t Coverage::add(bool with_or, std::span<const std::int32_t> inputs) {
  const auto output = static_cast<std::int32_t>(score.size());
  score.push_back(0.0);
  and_of_.push_back(with_or ? -1 : static_cast<std::int32_t>(factors()));
  member.insert(member.end(), inputs.begin(), inputs.end());
  member.push_back(output);
  begin.push_back(static_cast<std::int32_t>(member.size()));
  is_or.push_back(with_or);
  return output;
}

std::vector<double> Coverage::gains(std::span<const std::uint8_t> chosen, std::span<const double> value) const {
  std::vector<double> gain(score.begin(), score.begin() + static_cast<std::ptrdiff_t>(nodes()));
  const auto needs = [&](const std::int32_t& variable) {  // the nodes that must be on for a variable to be on
    const auto factor = and_of_[at(variable)];
    return factor < 0 ? std::span(&variable, 1) : members(at(factor)).first(members(at(factor)).size() - 1);
  };
  const auto is_missing = [&](std::int32_t node) { return !chosen[at(node)]; };
  const auto credit = [&](const std::int32_t& variable, double worth) {
    const auto all = needs(variable);
    const auto missing = std::ranges::count_if(all, is_missing);
    for (const auto node : all)
      if (missing != 1) gain[at(node)] += worth / static_cast<double>(all.size());
      else if (is_missing(node)) gain[at(node)] += worth;
  };

  for (std::size_t f = 0; f < factors(); ++f) {
    const auto& output = members(f).back();
    const auto worth = score[at(output)];
    if (worth == 0.0) continue;
    if (!is_or[f]) {
      credit(output, worth);
      continue;
    }
    const auto inputs = members(f).first(members(f).size() - 1);
    auto best = std::ranges::find_if(
        inputs, [&](const std::int32_t& v) { return std::ranges::none_of(needs(v), is_missing); });
    if (best == inputs.end()) best = std::ranges::max_element(inputs, {}, [&](std::int32_t v) { return value[at(v)]; });
    credit(*best, worth);
  }
  return gain;
}

}  // namespace treaty::summarize
