// The likelihood of counts as a sum over binary choices, and its linear bounds on boxes.
//
// Every distribution is factored by stick-breaking: its first value against all others, the second against the rest of
// them, and so on. A choice between x and y out of n = x + y contributes n h(p), where p = x / n and h(p) = p log p +
// (1 - p) log(1 - p), which is convex. If l <= p <= u, the chord of h from l to u lies above it, and n h(p) is at most
// a linear function of the counts: the best trees under these weights bound the likelihood of all trees with ratios in
// the box. All such weights are zero or less: h is, and a chord lies below h outside of its box.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "induce/grammar.hpp"

namespace treaty::induce {

// Ends of boxes lie on a grid, so that a node of the search is small. They are rounded outwards: 0 and 1 are exact, and
// the chord between neighbors on the grid is above h by less than 1e-9.
using Point = std::uint16_t;
inline constexpr int kGrid = 65535;
inline double ratio(Point point) { return static_cast<double>(point) / kGrid; }

// For each choice, its lower and upper end.
using Box = std::span<Point>;
using ConstBox = std::span<const Point>;

struct Choice {
  int distribution;
  int place;            // in the order of its distribution
  double least, most;   // minimum and maximum of n over all trees
  double least_x, most_x;
  double added_x, added_y;  // by smoothing
};

// A cut of a box in two: lower ratios end at `low`, higher ones begin at `high`.
struct Cut {
  Point low, high;
};

class Choices {
 public:
  // Values of a distribution are ordered by their frequency in good trees: the first choices are then the most
  // informative.
  Choices(const Corpus& corpus, double smoothing, std::span<const double> frequent);

  int size() const { return static_cast<int>(choices_.size()); }
  const Choice& operator[](int choice) const { return choices_[choice]; }
  std::vector<Point> whole() const;  // the box of all possible ratios

  // The weights of the chords, of all features or of those of one choice's distribution.
  void weigh(ConstBox box, std::span<double> weights) const;
  void weigh(int distribution, ConstBox box, std::span<double> weights) const;
  std::span<const int> values(int distribution) const { return values_[distribution]; }
  // How much the counts that smoothing adds raise the score.
  double added(std::span<const double> weights) const;

  // x and n of each choice, including the counts that smoothing adds.
  void totals(std::span<const double> counts, std::span<double> x, std::span<double> n) const;
  // Cuts near `at`, between possible ratios of counts: every possible ratio is in one of the parts.
  Cut cut(int choice, ConstBox box, double at) const;

 private:
  void find_ranges(const Corpus& corpus, std::span<const double> least, std::span<const double> most);

  double smoothing_;
  std::vector<Choice> choices_;
  std::vector<std::vector<int>> values_;  // of each distribution, in the order of its choices
  std::vector<int> first_;                // the first choice of each distribution
};

// The height of the chord over the box above h at p, which is clipped to the box; and h itself.
double slack(Point low, Point high, double p);
double entropy(double p);

}  // namespace treaty::induce
