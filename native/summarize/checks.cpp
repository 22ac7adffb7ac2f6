#include <stdexcept>
#include <vector>

#include "summarize/coverage.hpp"
#include "summarize/pruning.hpp"

namespace treaty::summarize {
namespace {

void require(bool holds, const char* message) {
  if (!holds) throw std::invalid_argument(message);
}

// Subtrees must be nested.
void check_preorder(std::span<const std::int32_t> size) {
  std::vector<std::size_t> ends{size.size()};
  for (std::size_t i = 0; i < size.size(); ++i) {
    while (ends.size() > 1 && ends.back() == i) ends.pop_back();
    const bool fits = size[i] >= 1 && i + static_cast<std::size_t>(size[i]) <= ends.back();
    require(fits, "the sizes are not those of trees in preorder");
    ends.push_back(i + static_cast<std::size_t>(size[i]));
  }
}

}  // namespace

void check(const Trees& trees, std::int32_t budget, std::int32_t most_trees) {
  const auto n = trees.size.size();
  require(trees.cost.size() == n && trees.gain.size() == n && trees.cut_score.size() == n && trees.hollow.size() == n,
          "the arrays of nodes are not equally long");
  require(budget >= 0 && most_trees >= 0, "a limit is below 0");
  check_preorder(trees.size);
  for (const auto cost : trees.cost) require(cost >= 0, "a cost is below 0");
  for (std::size_t i = 0, root = 0; i < n; ++i) {
    if (i == root)
      root += static_cast<std::size_t>(trees.size[i]);
    else
      require(!trees.hollow[i], "only a root may be hollow");
  }
}

void check(const ConceptTokens& tokens, std::span<const std::int32_t> size, std::size_t concepts) {
  const auto n = tokens.concept_of.size();
  require(tokens.first.size() == n && tokens.last.size() == n, "the arrays of concepts are not equally long");
  check_preorder(size);
  const auto is_within = [](std::int32_t index, std::size_t end) {
    return index >= 0 && static_cast<std::size_t>(index) < end;
  };
  for (const auto node : tokens.node) require(node == -1 || is_within(node, size.size()), "there is no such node");
  for (std::size_t o = 0; o < n; ++o) {
    require(is_within(tokens.concept_of[o], concepts), "there is no such concept");
    require(is_within(tokens.first[o], tokens.node.size()) && is_within(tokens.last[o], tokens.node.size()),
            "there is no such token");
    bool has_word = false;
    for (auto t = tokens.first[o]; t <= tokens.last[o]; ++t) has_word |= tokens.node[static_cast<std::size_t>(t)] >= 0;
    require(has_word, "a concept stands on no word");
  }
}

}  // namespace treaty::summarize
