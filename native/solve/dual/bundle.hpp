// Minimizes a convex function of which values and subgradients can be had: the proximal bundle method
// (Kiwiel 1990). What was learned at earlier points, a cut each, is a model of the function from below; the next
// point minimizes the model plus a quadratic term that keeps it near the best point so far, the center.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace treaty::solve {

class Bundle {
 public:
  explicit Bundle(std::vector<double> start, std::size_t most_cuts = 50);

  // What the minimum is hoped to be; sets the length of the first step when told before it.
  void aim(double target) { target_ = target; }

  std::span<const double> point() const { return point_; }
  // The function's value and a subgradient at point(); moves on to the next one.
  void tell(double value, std::span<const double> subgradient);

  std::span<const double> center() const { return center_; }
  double value() const { return value_; }  // at the center
  // The decrease the model promises for the next point: small when the minimum is near.
  double promise() const { return promise_; }

 private:
  void add_cut(std::span<const double> subgradient, double error);
  void make_room();
  void move_center(double value);
  void next_point();
  void weigh_cuts();
  std::span<double> cut(std::size_t i) { return {cuts_.data() + i * center_.size(), center_.size()}; }

  std::size_t most_cuts_;
  double target_ = -std::numeric_limits<double>::infinity(), step_ = 0.0;
  std::vector<double> center_, point_, direction_;
  double value_ = 0.0, promise_ = 0.0;
  bool started_ = false;
  int serious_in_a_row_ = 0, null_in_a_row_ = 0;
  // Cuts: subgradients, how far below the function each lies at the center, the weights of the model's minimizer.
  std::vector<double> cuts_, error_, weight_, gram_, slope_;
};

}  // namespace treaty::solve
