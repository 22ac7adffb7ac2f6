// The pruner: a first-order log-linear model whose exact marginals select the candidate arcs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/oracle.hpp"
#include "learn/update.hpp"
#include "parse/eisner.hpp"
#include "parse/matrix_tree.hpp"
#include "parse/model.hpp"

namespace treaty::parse {

using learn::Update;

struct PrunerOptions {
  int heads = 10;            // maximum number of candidate heads per word (K)
  double threshold = 1e-4;   // minimum probability, relative to the word's best head
  int modifiers = 40;        // maximum number of candidate modifiers per head and side (J)
  bool single_root = true;
  bool projective = false;   // keep a projective tree among the candidates
};

class Pruner {
 public:
  // Above this number of words, the heads of the words are treated as independent: the cubic matrix-tree step would
  // take most of the time.
  static constexpr int kLongest = 600;
  // With more modifiers than this on one side of a head, the best first-order tree is not kept: its number of
  // third-order parts would grow with the cube of that number.
  static constexpr int kMostInTree = 100;

  explicit Pruner(const ScoringModel& model) : scored_(model) {}

  // Marginals of all arcs, dense: head * (words + 1) + modifier.
  const std::vector<double>& marginals(const Sequences& sentences, int sentence, bool single_root, bool keep = false);
  // The arcs that are kept, always with a tree among them: the best first-order tree, unless it is very flat.
  void candidates(const Sequences& sentences, int sentence, const PrunerOptions& options, Arcs& kept);
  // One step of log-likelihood: observed minus expected features, into `update`.
  void gradient(const Sequences& sentences, int sentence, std::span<const std::int32_t> gold, bool single_root,
                Update& update);

 private:
  void list_all_arcs(int words);
  void local_marginals();
  void keep_best_tree(const PrunerOptions& options);
  bool is_flat() const;
  void keep_chain();
  void limit_modifiers(const PrunerOptions& options);

  Scored scored_;
  Arcs all_;
  MatrixTree matrix_tree_;
  Eisner eisner_;
  std::vector<double> score_, marginal_;
  std::vector<std::uint8_t> kept_;    // dense
  std::vector<std::int32_t> tree_, order_;
};

}  // namespace treaty::parse
