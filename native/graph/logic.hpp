// Logic factors: which literals may be on together.
#pragma once

#include "graph/closed_form.hpp"
#include "graph/literals.hpp"

namespace treaty::graph {

struct Logic : ClosedForm {
  static void check(const Arguments& arguments) {
    if (!arguments.data.empty() || !arguments.shape.empty()) arguments.refuse("takes literals only");
    arguments.require_degree(1);
  }
};

// XOR.
struct ExactlyOne : Logic {
  static constexpr const char* name = "exactly_one";
  static double best(const FactorView&, const double* score, int n) { return largest(score, n); }
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double*) {
    turn_on_first_largest(score, n, y);
    return best(factor, score, n);
  }
  static bool project(const FactorView&, double* z, int n, double, double* scratch) {
    project_onto_simplex(z, n, scratch);
    return true;
  }
  static void face(const FactorView&, const double*, const double* z, int n, double, Face& face) {
    face_of_plane(z, n, nullptr, face);
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) { return allowed_if(count_on(y) == 1); }
  static void imply(const FactorView& factor, Rows& rows) { rows.add(factor.literals, 1, 1); }
  static bool equate(const FactorView& factor, Facts& facts) { return facts.last_two_differ(factor.literals); }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    remains.add_exactly(1 - open.on, open.literals);
  }
};

struct AtMostOne : Logic {
  static constexpr const char* name = "at_most_one";
  static double best(const FactorView&, const double* score, int n) { return std::max(0.0, largest(score, n)); }
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double*) {
    const double value = best(factor, score, n);
    if (value > 0.0) turn_on_first_largest(score, n, y);
    else std::fill_n(y, n, 0.0);
    return value;
  }
  // Appendix, Lemma 1: the constraint is tight unless clipping alone satisfies it.
  static bool project(const FactorView&, double* z, int n, double, double* scratch) {
    if (sum_of_clipped(z, n) <= 1.0) clip_all(z, n);
    else project_onto_simplex(z, n, scratch);
    return true;
  }
  static void face(const FactorView&, const double* a, const double* z, int n, double, Face& face) {
    if (sum_of_clipped(a, n) <= 1.0) face_of_box(z, n, face);
    else face_of_plane(z, n, nullptr, face);
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) { return allowed_if(count_on(y) <= 1); }
  static void imply(const FactorView& factor, Rows& rows) { rows.add(factor.literals, 0, 1); }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    remains.add_at_most(1 - open.on, open.literals);
  }
};

// OR.
struct AtLeastOne : Logic {
  static constexpr const char* name = "at_least_one";
  static double best(const FactorView&, const double* score, int n) {
    const double top = largest(score, n);
    return top > 0.0 ? sum_of_positive(score, n) : top;
  }
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double*) {
    const double value = best(factor, score, n);
    if (value > 0.0) turn_on_positive(score, n, y);
    else turn_on_first_largest(score, n, y);
    return value;
  }
  static bool project(const FactorView&, double* z, int n, double, double* scratch) {
    if (sum_of_clipped(z, n) >= 1.0) clip_all(z, n);
    else project_onto_simplex(z, n, scratch);
    return true;
  }
  static void face(const FactorView&, const double* a, const double* z, int n, double, Face& face) {
    if (sum_of_clipped(a, n) >= 1.0) face_of_box(z, n, face);
    else face_of_plane(z, n, nullptr, face);
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) { return allowed_if(count_on(y) >= 1); }
  static void imply(const FactorView& factor, Rows& rows) { rows.at_least_one(factor.literals); }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(factor.literals);
    if (open.on == 0) remains.add_at_least_one(open.literals);
  }
};

// Appendix, Algorithm 3: the cap tau with tau - a_0 = sum_i (a_i - tau)_+ , relative to a_0 (the output).
inline double find_cap(const double* a, int inputs, double output, double* scratch) {
  int count = 0;
  double sum = 0.0, cap = 0.0;
  for (int i = 0; i < inputs; ++i) {
    const double b = a[i] - output;
    if (!(b > cap)) continue;
    scratch[count++] = b;
    sum += b;
    cap = sum / (count + 1);
  }
  for (int before = 0; count != before && count > 0;) {
    before = count;
    count = 0;
    double rest = 0.0;
    for (int i = 0; i < before; ++i) {
      if (!(scratch[i] > cap)) continue;
      rest += scratch[i];
      scratch[count++] = scratch[i];
    }
    cap = rest / (count + 1);
  }
  return cap;
}

// The last literal is the OR of the others.
struct OrWithOutput : Logic {
  static constexpr const char* name = "or_with_output";
  static double best(const FactorView& factor, const double* score, int n) {
    return n == 1 ? 0.0 : std::max(0.0, score[n - 1] + AtLeastOne::best(factor, score, n - 1));
  }
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    const double value = best(factor, score, n);
    if (value > 0.0) {
      AtLeastOne::maximize(factor, score, n - 1, y, scratch);
      y[n - 1] = 1.0;
    } else {
      std::fill_n(y, n, 0.0);
    }
    return value;
  }
  // The polytope is z_i <= z_0 <= sum_i z_i (Appendix E, with corrected signs), z_0 the output: project onto the first
  // half and clip; if that violates the second, z_0 = sum_i z_i, which is the exactly-one of the inputs and the negated
  // output.
  static bool project(const FactorView&, double* z, int n, double, double* scratch) {
    double& output = z[n - 1];
    if (n == 1) {
      output = 0.0;
      return true;
    }
    if (n == 2) {
      z[0] = z[1] = clip(0.5 * z[0] + 0.5 * z[1]);
      return true;
    }
    const double cap = clip(output + find_cap(z, n - 1, output, scratch));
    double sum = 0.0;
    for (int i = 0; i < n - 1; ++i) sum += std::min(clip(z[i]), cap);
    if (cap <= sum) {
      for (int i = 0; i < n - 1; ++i) z[i] = std::min(clip(z[i]), cap);
      output = cap;
      return true;
    }
    output = 1.0 - output;
    project_onto_simplex(z, n, scratch);
    output = 1.0 - output;
    return true;
  }
  // Either inputs are capped by the output and move with it, or the output is the sum of the inputs.
  static void face(const FactorView&, const double*, const double* z, int n, double, Face& face) {
    const double output = z[n - 1];
    double sum = 0.0;
    int positive = 0;
    for (int i = 0; i < n - 1; ++i) sum += z[i], positive += z[i] > kAtBound;
    if (positive > 1 && sum <= output + kAtBound * n) {
      face_of_plane(z, n, nullptr, face);
      for (int i = 0; i < n - 1; ++i) face.direction[i] = -face.direction[i];
      return;
    }
    face_of_ties(z, n, [&](int i) { return z[i] >= output - kAtBound; }, face);
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) {
    return allowed_if((y.back() != 0) == (count_on(y.first(y.size() - 1)) > 0));
  }

  static void imply(const FactorView& factor, Rows& rows) { imply(factor.literals, rows); }
  static bool equate(const FactorView& factor, Facts& facts) {  // open output: no input decides it yet
    return facts.is_fixed(factor.literals.back()) || facts.last_two_differ(with_last_negated(factor.literals));
  }
  static void leave(const FactorView& factor, Remains& remains) { leave(factor.literals, remains); }

  static void imply(std::span<const std::int32_t> literals, Rows& rows) {
    const auto inputs = literals.first(literals.size() - 1);
    if (has_complements(inputs)) rows.add(literals.last(1), 1, 1);
    for (auto input : inputs) rows.either(input ^ 1, literals.back());
    rows.at_least_one(with_last_negated(literals));
  }
  static void leave(std::span<const std::int32_t> literals, Remains& remains) {
    auto open = remains.open_of(literals);
    if (open.literals.empty()) return;
    if (!remains.facts.is_fixed(literals.back())) return remains.add_or_with_output(std::move(open.literals));
    // The output is on, since an input is still open; an input that is on settles it.
    if (open.on == 1) remains.add_at_least_one(open.literals);
  }
};

// The next two factors are reduced to others. XOR with output is exactly one of the inputs and the negated output: the
// last literal is on if and only if exactly one of the others is, and no two of them are on.
struct XorWithOutput : Logic {
  static constexpr const char* name = "xor_with_output";
  // A literal's complement turns score * y into score - score * (1 - y).
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    std::copy_n(score, n, scratch);
    scratch[n - 1] = -score[n - 1];
    const double value = ExactlyOne::maximize(factor, scratch, n, y, nullptr);
    y[n - 1] = 1.0 - y[n - 1];
    return value + score[n - 1];
  }
  static bool project(const FactorView& factor, double* z, int n, double penalty, double* scratch) {
    z[n - 1] = 1.0 - z[n - 1];
    ExactlyOne::project(factor, z, n, penalty, scratch);
    z[n - 1] = 1.0 - z[n - 1];
    return true;
  }
  static void face(const FactorView&, const double*, const double* z, int n, double, Face& face) {
    face_of_plane(z, n, nullptr, face);
    face.direction[n - 1] = -face.direction[n - 1];
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) {
    return allowed_if(count_on(y.first(y.size() - 1)) == (y.back() != 0));
  }
  static void imply(const FactorView& factor, Rows& rows) { rows.add(with_last_negated(factor.literals), 1, 1); }
  static bool equate(const FactorView& factor, Facts& facts) {
    return facts.last_two_differ(with_last_negated(factor.literals));
  }
  static void leave(const FactorView& factor, Remains& remains) {
    const auto open = remains.open_of(with_last_negated(factor.literals));
    remains.add_exactly(1 - open.on, open.literals);
  }
};

// AND with output, the last literal is the AND of the others: an OR with output of negated literals.
struct AndWithOutput : Logic {
  static constexpr const char* name = "and_with_output";
  static double maximize(const FactorView& factor, const double* score, int n, double* y, double* scratch) {
    double all_on = 0.0;
    for (int i = 0; i < n; ++i) {
      scratch[i] = -score[i];
      all_on += score[i];
    }
    const double value = OrWithOutput::maximize(factor, scratch, n, y, scratch + n);
    negate(y, n);
    return value + all_on;
  }
  static bool project(const FactorView& factor, double* z, int n, double penalty, double* scratch) {
    negate(z, n);
    OrWithOutput::project(factor, z, n, penalty, scratch);
    negate(z, n);
    return true;
  }
  static void face(const FactorView& factor, const double* a, const double* z, int n, double penalty, Face& face) {
    for (int i = 0; i < n; ++i) face.slope[i] = 1.0 - z[i];
    OrWithOutput::face(factor, a, face.slope, n, penalty, face);
    std::fill_n(face.slope, n, 0.0);
  }
  static double evaluate(const FactorView&, std::span<const std::int8_t> y) {
    return allowed_if((y.back() != 0) == (count_on(y.first(y.size() - 1)) + 1 == std::ssize(y)));
  }
  static void imply(const FactorView& factor, Rows& rows) { OrWithOutput::imply(negated(factor.literals), rows); }
  static bool equate(const FactorView& factor, Facts& facts) { return OrWithOutput::equate(factor, facts); }
  static void leave(const FactorView& factor, Remains& remains) {
    OrWithOutput::leave(negated(factor.literals), remains);
  }

 private:
  static void negate(double* z, int n) {
    for (int i = 0; i < n; ++i) z[i] = 1.0 - z[i];
  }
};

}  // namespace treaty::graph
