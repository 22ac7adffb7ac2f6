// Anderson acceleration of a fixed-point iteration x <- G(x).
//
// Near the end the iterates of AD3 spiral slowly into the solution under a map that is almost affine. From the last
// few steps the point is extrapolated at which the residual G(x) - x would be smallest in least squares
// (Walker & Ni 2011, type II). A step that makes the residual grow is taken back.
#pragma once

#include <cstddef>
#include <vector>

namespace treaty::solve {

class Anderson {
 public:
  // Forgets everything: the map has changed.
  void reset();

  // Takes x and G(x) and replaces the latter by the next point to go on from.
  void step(const std::vector<double>& x, std::vector<double>& gx);

 private:
  static constexpr std::size_t kMemory = 6;

  void remember(const std::vector<double>& residual, const std::vector<double>& gx);
  void extrapolate(const std::vector<double>& residual, std::vector<double>& gx);

  std::vector<double> last_residual_, last_image_, residual_;
  std::vector<double> residual_steps_[kMemory], image_steps_[kMemory];  // differences between successive ones
  double gram_[kMemory][kMemory] = {};                                  // of the residual steps
  std::size_t count_ = 0, next_ = 0;
  std::vector<double> plain_;  // G(x) where the last extrapolation started
  double plain_norm_ = 0.0;    // and its residual
  bool extrapolated_ = false;
};

}  // namespace treaty::solve
