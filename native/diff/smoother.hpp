// LP-SparseMAP (Niculae & Martins 2020): the best point of the local polytope with a quadratic term,
//   max  scores . u + sum_f score_f(z_f) - strength / 2 |u|^2,   z_f in the polytope of factor f, z_f = u on its literals,
// and its derivatives. The quadratic term is on the variables alone; the factors' own scores stay linear.
//
// Forwards it is AD3 with one more term in the consensus, over-relaxed, and Newton's method on the faces in which the
// projections lie: the solution on given faces is a projection onto an intersection of planes, found by conjugate
// gradients. As soon as the faces are the right ones, a step is exact.
//
// Backwards, the Jacobian is the orthogonal projection onto the directions that all those faces have in common, divided
// by the strength: symmetric, with eigenvalues 0 and 1 / strength. It is multiplied with a vector by the same conjugate
// gradients. At kinks, it is the Jacobian of the faces that the solution was found on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/active_set.hpp"
#include "graph/parameters.hpp"
#include "solve/dual/layout.hpp"

namespace treaty::diff {

using graph::ActiveSet, graph::ActiveSetWorkspace, graph::FactorView, graph::Graph, graph::Parameters;
using solve::Layout;

struct SmoothOptions {
  double strength = 1.0;
  double tolerance = 1e-8;  // of the duality gap, relative to the larger of strength and objective
  std::int64_t iterations = 10000;
};

enum class SmoothStatus : std::uint8_t { Converged, Stopped, Infeasible };

struct SmoothAnswer {
  SmoothStatus status = SmoothStatus::Stopped;
  double objective = 0.0;
  double gap = 0.0;       // |values - best|^2 <= 2 gap / strength
  double residual = 0.0;  // the largest difference between a factor's copy of a variable and its value
  std::int64_t iterations = 0;
};

// The face in which each factor's projection lies: its Jacobian is J = diag(free) + sign d d', by slot and in terms of
// the variables; that of structured factors is given by their active sets.
struct Faces {
  std::vector<double> free, direction, slope;  // slope of the own score: empty without rewards
  std::vector<double> sign;                    // by factor
  std::vector<ActiveSet> active;               // by factor, empty without structured ones
  std::vector<std::uint8_t> loose;             // by variable: it moves with its own score; empty unless some is in no factor
};

// What a later run on the same graph can start from.
struct SmoothStart {
  std::vector<double> price;
  std::vector<ActiveSet> active;
  double penalty = 0.0;
};

class Smoother {
 public:
  Smoother(const Graph& graph, const SmoothOptions& options);
  Smoother(const Smoother&) = delete;

  // Scores of the variables, or all parameters.
  void set_scores(std::span<const double> scores);
  SmoothAnswer solve(std::span<double> values, Faces& faces, SmoothStart* start);
  // The gradient by all parameters of cotangent . values. Returns by how much it leaves the faces, relative to the
  // cotangent: an error of conjugate gradients.
  double pull_back(const Faces& faces, std::span<const double> cotangent, std::span<double> gradient);
  // The gradient of the objective by all parameters: how often each counts in the answer. Scores are those it was found for.
  void expect(const Faces& faces, std::span<const double> scores, std::span<const double> values, std::span<double> counts) const;

 private:
  void begin(const SmoothStart* start);
  bool sweep();
  template <class Factor>
  bool sweep_group(const Layout::Group& group);
  void agree();
  void adapt_penalty();
  bool take_newton_steps();
  void settle_prices();
  void find_faces(Faces& faces);
  void set_face(std::int32_t f, Faces& faces);
  void span_faces();
  double disagreement() const;
  double cheap_gap() const;
  double bound(const std::vector<double>& price, const std::vector<double>& u);
  double best_at(std::int32_t f, const std::vector<double>& price);
  bool is_infeasible();
  void refine();
  double least_objective() const;
  void certify(SmoothAnswer& answer, std::span<double> values);
  void recover(std::span<const double> price, std::span<double> u) const;

  void normal_part(const Faces& faces, const std::vector<ActiveSet>& active, const double* x, double* y);
  double solve_on_faces(const Faces& faces, const std::vector<ActiveSet>& active, const std::vector<double>& b,
                        double noise, std::vector<double>& q);
  void add_up(const std::vector<double>& by_slot, std::vector<double>& by_variable) const;

  Graph graph_;  // before what refers to it
  Parameters parameters_;
  Layout layout_;
  SmoothOptions options_;
  bool has_structured_ = false, has_rewards_ = false, has_loose_ = false;
  double scale_ = 0.0;  // the largest score
  double rho_ = 1.0;
  std::int64_t iteration_ = 0, next_adapting_ = 0, next_newton_ = 0;
  double primal_ = 0.0, dual_ = 0.0;

  std::vector<double> u_;                             // by variable
  std::vector<double> price_, copy_, attractor_;      // by slot
  std::vector<double> saved_u_, saved_price_;         // before Newton's steps
  std::vector<double> b_, q_, r_, d_, kd_, best_, spread_, sum_;  // of conjugate gradients
  std::vector<ActiveSet> active_;
  Faces faces_;
  ActiveSetWorkspace active_workspace_;
  graph::Workspace workspace_;
  std::vector<double> a_, z_, face_, rate_;
};

// A convex combination of a factor's configurations: the point of its polytope that maximizes
// scores . z + own score(z) - strength / 2 |z|^2, in the terms of its literals. At most degree + 1 configurations.
struct Mixture {
  std::vector<std::int8_t> configurations;  // a row each
  std::vector<double> weights;
};
Mixture mix(const FactorView& factor, std::span<const double> scores, double strength);

// How often each parameter counts in the score of an assignment, and what oracles of users add to it.
struct Counted {
  std::int32_t refused = -1;  // the first factor that forbids the assignment
  double hidden = 0.0;
};
Counted count(const Graph& graph, const Parameters& parameters, std::span<const std::int8_t> y, std::span<double> counts);

// The factor alone, with a variable of score 0 for each of its literals.
Graph alone(const Graph& graph, std::int32_t factor);

}  // namespace treaty::diff
