// Stochastic gradient ascent on the regularized likelihood (Bottou 2010).
#pragma once

#include "label/likelihood.hpp"

namespace treaty::label {

struct Ascent {
  double rate;            // of the first step; after t examples it is rate / (1 + rate * regularization * t)
  double regularization;  // lambda, per example
  double dropout;
  int batch, threads;
};

// Learns from these instances in this order; returns the sum of log P(gold) before each update.
double ascend(Model& model, const Bound& bound, const Truth& gold, std::span<const std::int32_t> ids,
              const Ascent& options);

}  // namespace treaty::label
