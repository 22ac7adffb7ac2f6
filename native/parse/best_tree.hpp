// The best tree, projective or not, from dense arc scores.
#pragma once

#include <cstdint>
#include <span>

namespace treaty::parse {

// Scores as in MatrixTree, a row and a column for each node. Throws GraphError unless the matrix is square, not too
// large, and every score is a number or -inf.
void check_arc_scores(std::span<const double> score, std::size_t rows, std::size_t columns);

// Sets heads like Eisner and returns the tree's score; -inf, and -1 for all heads, if there is no tree.
double best_tree(int words, std::span<const double> score, bool single_root, std::span<std::int32_t> head);

}  // namespace treaty::parse
