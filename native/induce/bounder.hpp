// Bounds of boxes and how to cut them: the work of one thread on the nodes of the search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/chart.hpp"
#include "induce/choices.hpp"
#include "induce/lanes.hpp"
#include "induce/local_search.hpp"

namespace treaty::induce {

// The data shared by all boxes.
struct Problem {
  const Corpus& corpus;
  const Choices& choices;
  double smoothing;
  const Posterior& posterior;
};

// A box with its bound: an upper bound on all trees with ratios in it. `price` is the price of the posterior constraint
// that gave the bound; the parts of the box start from it.
struct Part {
  double bound;
  double price;
  std::vector<Point> box;
};

// The result of expanding a node.
struct Expansion {
  std::vector<Part> parts;  // the two parts of the node that are not closed, or fewer
  double closed;            // the highest bound of the parts that were closed because it is not above the threshold
  double seen;              // the objective of the best trees found, -inf if they violate the constraint
  std::vector<double> counts;  // of these trees
};

class Bounder {
 public:
  explicit Bounder(const Problem& problem);
  explicit Bounder(Problem&&) = delete;  // the problem must outlive it

  // The bound of a box; the trees that gave it are in `counts`. The price of the constraint is improved as long as the
  // bound stays above the threshold.
  double bound(ConstBox box, double& price, double threshold);
  std::span<const double> counts() const { return counts_; }

  // Bounds a node again, cuts it where its bound is loosest, and closes parts that are not above the threshold.
  void expand(const Part& node, double threshold, Expansion& expansion);

 private:
  struct Candidate {
    int choice;
    Cut cut;
    double low, high;  // bounds of the parts
  };
  double bound_at(double price);
  void see(Expansion& expansion) const;
  void find_candidates(ConstBox box);
  void bound_candidates(Box box, double price, double parent);
  void set_lane(int lane, int choice, Box box, double price);

  const Problem* problem_;
  std::vector<Distribution> distributions_;
  Parser parser_;
  LaneChart chart_;
  std::vector<double> weights_, charged_, counts_, x_, n_;
  std::vector<Lanes> lanes_;
  std::vector<std::pair<double, int>> ranked_;
  std::vector<Candidate> candidates_;
};

}  // namespace treaty::induce
