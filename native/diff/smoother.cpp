#include "diff/smoother.hpp"

#include <algorithm>
#include <cmath>

#include "graph/categoricals.hpp"
#include "graph/factors.hpp"
#include "learn/host.hpp"

namespace treaty::diff {

using graph::Face, graph::kInfinity, graph::kind_of, graph::Reward, graph::visit;

namespace {

constexpr double kRelaxation = 1.6;  // over-relaxation of the copies
constexpr double kBalance = 4.0, kMostAdapt = 10.0;
constexpr std::int64_t kFirstNewton = 6, kMostNewton = 30;
constexpr double kExact = 4e-15;  // copies that differ by no more, relative to the size of prices, agree
constexpr double kMostExact = 1e-8;
constexpr double kHuge = 1e2;  // prices of this size, relative to the strength, cost the consensus digits

// That one state is on becomes a factor where no other implies it.
Graph with_categoricals(Graph graph) {
  for (auto c : graph::uncovered_categoricals(graph)) graph.add(kind_of<graph::ExactlyOne>, graph::states_of(graph, c), {}, {});
  return graph;
}

double largest_in(std::span<const double> values) {
  double top = 0.0;
  for (double v : values)
    if (v != -kInfinity) top = std::max(top, std::abs(v));
  return top;
}

}  // namespace

Smoother::Smoother(const Graph& graph, const SmoothOptions& options)
    : graph_(with_categoricals(graph)), parameters_(graph_), layout_(graph_), options_(options) {
  std::size_t widest = 1;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    const auto& view = layout_.view[f];
    widest = std::max(widest, view.literals.size());
    has_structured_ |= graph::is_structured(view.kind);
    has_rewards_ |= view.kind == kind_of<Reward>;
  }
  for (std::int32_t v = 0; v < layout_.variables(); ++v) has_loose_ |= layout_.slot_count[v] == 0;
  const auto slots = static_cast<std::size_t>(layout_.slots());
  u_.resize(graph_.score.size());
  sum_.resize(u_.size());
  for (auto* values : {&price_, &copy_, &attractor_, &b_, &q_, &r_, &d_, &kd_, &spread_}) values->resize(slots);
  for (auto* values : {&a_, &z_}) values->resize(widest);
  face_.resize(3 * widest);
  workspace_.reserve(4 * widest);
  active_.resize(static_cast<std::size_t>(layout_.factors()));
  scale_ = std::max(largest_in(graph_.score), largest_in(parameters_.read(graph_)));
}

void Smoother::set_scores(std::span<const double> scores) {
  parameters_.write(scores, graph_);
  const bool all = scores.size() > parameters_.variables();
  if (all && has_structured_)  // an oracle may hold sums of its scores
    for (std::int32_t f = 0; f < layout_.factors(); ++f)
      if (layout_.oracle[f] && layout_.view[f].kind != kind_of<graph::Custom>)
        layout_.oracle[f] = graph::make_oracle(layout_.view[f]);
  scale_ = largest_in(all ? scores : parameters_.read(graph_));
}

// The consensus that prices imply: where score - sum of prices - strength u is zero.
void Smoother::recover(std::span<const double> price, std::span<double> u) const {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    double left = graph_.score[v];
    const auto [first, last] = layout_.slots_of_variable(v);
    if (graph_.evidence[v] >= 0) {
      u[v] = graph_.evidence[v];
      continue;
    }
    for (auto s = first; s < last; ++s) left -= price[s];
    u[v] = left / options_.strength;
    if (first == last) u[v] = graph::clip(u[v]);
  }
}

void Smoother::begin(const SmoothStart* start) {
  iteration_ = 0;
  next_adapting_ = 10;
  next_newton_ = kFirstNewton;
  const bool warm = start && start->price.size() == price_.size() && start->penalty > 0.0;
  if (warm) {
    price_ = start->price;
    rho_ = start->penalty;
    active_ = start->active;
    active_.resize(static_cast<std::size_t>(layout_.factors()));
    for (std::int32_t f = 0; f < layout_.factors(); ++f)
      if (layout_.oracle[f]) active_[f].refresh(*layout_.oracle[f]);
    next_newton_ = 1;
  } else {
    for (auto& set : active_) set.clear();
    rho_ = std::max(options_.strength, 0.1 * scale_);
    for (std::int32_t v = 0; v < layout_.variables(); ++v) {
      const auto [first, last] = layout_.slots_of_variable(v);
      const double u = graph::clip(graph_.score[v] / options_.strength);
      for (auto s = first; s < last; ++s) price_[s] = (graph_.score[v] - options_.strength * u) / (last - first);
    }
  }
  recover(price_, u_);
}

SmoothAnswer Smoother::solve(std::span<double> values, Faces& faces, SmoothStart* start) {
  SmoothAnswer answer;
  begin(start);
  std::int64_t next_check = 50;
  bool exact = false;
  for (; iteration_ < options_.iterations; ++iteration_) {
    if (iteration_ % 32 == 31) learn::check_interrupt();
    if (!sweep()) return answer.status = SmoothStatus::Infeasible, answer;
    if (iteration_ + 1 >= next_newton_) {
      if ((exact = take_newton_steps())) break;
      next_newton_ = iteration_ + 1 + std::max<std::int64_t>(4, (iteration_ + 1) / 2);
      const double scale = std::max(options_.strength, std::abs(answer.objective));
      if (cheap_gap() <= 1e-4 * options_.tolerance * scale) break;
    }
    agree();
    if (iteration_ + 1 >= next_check) {
      next_check *= 2;
      if (is_infeasible()) return answer.status = SmoothStatus::Infeasible, answer;
    }
    if (iteration_ + 1 >= next_adapting_) {
      adapt_penalty();
      next_adapting_ = iteration_ + 1 + std::max<std::int64_t>(10, iteration_ / 4);
    }
  }
  if (!exact && !sweep()) return answer.status = SmoothStatus::Infeasible, answer;
  const double penalty = rho_;
  if (exact && largest_in(price_) > kHuge * options_.strength) refine();
  else settle_prices();
  answer.iterations = std::min(iteration_ + 1, options_.iterations);
  span_faces();
  certify(answer, values);
  find_faces(faces);
  if (start) {
    start->price = price_;
    start->active = has_structured_ ? active_ : std::vector<ActiveSet>();
    start->penalty = penalty;
  }
  if (has_structured_) faces.active.swap(active_), active_.assign(static_cast<std::size_t>(layout_.factors()), {});
  return answer;
}

// Every factor projects consensus and prices. False if one has no configuration.
bool Smoother::sweep() {
  const double inverse = 1.0 / rho_;
  for (std::int32_t s = 0; s < layout_.slots(); ++s) attractor_[s] = u_[layout_.slot_variable[s]] + price_[s] * inverse;
  return std::ranges::all_of(layout_.groups, [&](const Layout::Group& group) {
    return visit(group.kind, [&](auto factor) { return sweep_group<graph::Solved<decltype(factor)>>(group); });
  });
}

template <class Factor>
bool Smoother::sweep_group(const Layout::Group& group) {
  for (auto f = group.first; f < group.last; ++f) {
    layout_.gather(f, attractor_, z_.data());
    const auto n = static_cast<std::size_t>(layout_.degree(f));
    if constexpr (Factor::structured) {
      std::copy_n(z_.begin(), n, a_.begin());
      if (!active_[f].project({a_.data(), n}, 1.0 / rho_, *layout_.oracle[f], {z_.data(), n}, active_workspace_)) return false;
    } else {
      if (!Factor::project(layout_.view[f], z_.data(), static_cast<int>(n), rho_, workspace_.doubles.data())) return false;
    }
    layout_.scatter(f, z_.data(), copy_);
  }
  return true;
}

// The consensus and the prices for given copies.
void Smoother::agree() {
  double primal = 0.0, dual = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [first, last] = layout_.slots_of_variable(v);
    if (first == last) continue;
    const double before = u_[v];
    double left = graph_.score[v];
    for (auto s = first; s < last; ++s) {
      copy_[s] = kRelaxation * copy_[s] + (1.0 - kRelaxation) * before;
      left += rho_ * copy_[s] - price_[s];
    }
    const double u = graph_.evidence[v] >= 0 ? before : left / (options_.strength + rho_ * (last - first));
    for (auto s = first; s < last; ++s) {
      const double excess = copy_[s] - u;
      primal += excess * excess;
      price_[s] -= rho_ * excess;
    }
    dual += (last - first) * (u - before) * (u - before);
    u_[v] = u;
  }
  primal_ = primal;
  dual_ = dual;
}

void Smoother::adapt_penalty() {
  const auto [least, most] = std::minmax(primal_, dual_);
  if (most == 0.0) return;
  const double ratio = least == 0.0 ? kMostAdapt * kMostAdapt : std::sqrt(most / least);
  if (ratio < kBalance) return;
  const double factor = std::min(kMostAdapt, std::sqrt(ratio));
  rho_ *= primal_ > dual_ ? factor : 1.0 / factor;
}

double Smoother::disagreement() const {
  double most = 0.0;
  for (std::int32_t s = 0; s < layout_.slots(); ++s)
    most = std::max(most, std::abs(copy_[s] - u_[layout_.slot_variable[s]]));
  return most;
}

double Smoother::cheap_gap() const {
  double gap = 0.0;
  for (std::int32_t s = 0; s < layout_.slots(); ++s)
    gap += (std::abs(price_[s]) + options_.strength) * std::abs(copy_[s] - u_[layout_.slot_variable[s]]);
  return gap;
}

// After a sweep: prices at which the copies are the factors' best points, and the consensus that they imply.
void Smoother::settle_prices() {
  for (std::int32_t s = 0; s < layout_.slots(); ++s)
    price_[s] += rho_ * (u_[layout_.slot_variable[s]] - copy_[s]);
  recover(price_, u_);
}

// After a sweep. True if the copies agree exactly; otherwise the state is as before, or at a better point, swept.
bool Smoother::take_newton_steps() {
  double before = disagreement();
  for (std::int64_t step = 0; step < kMostNewton; ++step) {
    const double exact = std::min(kMostExact, kExact * (1.0 + largest_in(price_) / options_.strength));
    if (before <= exact) return true;
    saved_u_ = u_;
    saved_price_ = price_;
    find_faces(faces_);
    settle_prices();
    for (std::int32_t s = 0; s < layout_.slots(); ++s) r_[s] = u_[layout_.slot_variable[s]] - copy_[s];
    normal_part(faces_, active_, r_.data(), b_.data());
    for (auto& b : b_) b *= options_.strength;
    solve_on_faces(faces_, active_, b_, 1e-16 * (options_.strength + largest_in(price_)), q_);
    for (std::int32_t s = 0; s < layout_.slots(); ++s) price_[s] += q_[s];
    recover(price_, u_);
    if (!std::ranges::all_of(price_, [](double p) { return std::isfinite(p); }) || !sweep()) {
      u_ = saved_u_, price_ = saved_price_;
      sweep();
      return false;
    }
    const double after = disagreement();
    if (after <= exact) return true;
    if (after > 0.7 * before) {
      if (after <= std::min(kMostExact, 4.0 * exact)) return true;  // rounding
      u_ = saved_u_, price_ = saved_price_;
      sweep();
      return false;
    }
    before = after;
  }
  return false;
}

// Where prices are huge, the consensus that they imply has lost digits: the mean of the copies is moved onto the faces,
// and the copies are computed again around it.
void Smoother::refine() {
  find_faces(faces_);
  settle_prices();
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [first, last] = layout_.slots_of_variable(v);
    if (first == last || graph_.evidence[v] >= 0) continue;
    u_[v] = 0.0;
    for (auto s = first; s < last; ++s) u_[v] += copy_[s] / (last - first);
  }
  for (std::int32_t s = 0; s < layout_.slots(); ++s) spread_[s] = u_[layout_.slot_variable[s]] - copy_[s];
  normal_part(faces_, active_, spread_.data(), b_.data());
  solve_on_faces(faces_, active_, b_, 4e-16, q_);
  add_up(q_, sum_);
  for (std::size_t v = 0; v < u_.size(); ++v) u_[v] -= sum_[v];
  rho_ = std::max(rho_, largest_in(price_));
  sweep();
  recover(price_, u_);
}

void Smoother::find_faces(Faces& faces) {
  const auto slots = static_cast<std::size_t>(layout_.slots());
  faces.free.assign(slots, 0.0);
  faces.direction.assign(slots, 0.0);
  if (has_rewards_) faces.slope.assign(slots, 0.0);
  faces.sign.assign(static_cast<std::size_t>(layout_.factors()), 0.0);
  for (std::int32_t f = 0; f < layout_.factors(); ++f) set_face(f, faces);
  if (!has_loose_) return;
  faces.loose.assign(u_.size(), 0);
  for (std::int32_t v = 0; v < layout_.variables(); ++v)
    faces.loose[v] = layout_.slot_count[v] == 0 && graph_.evidence[v] < 0 && graph::is_inside(u_[v]);
}

void Smoother::set_face(std::int32_t f, Faces& faces) {
  const auto& view = layout_.view[f];
  const auto n = static_cast<std::size_t>(view.degree());
  if (layout_.oracle[f]) return active_[f].prepare();
  layout_.gather(f, attractor_, a_.data());
  layout_.gather(f, copy_, z_.data());
  std::fill_n(face_.begin(), 3 * n, 0.0);
  Face face{face_.data(), face_.data() + n, face_.data() + 2 * n};
  visit(view.kind, [&](auto factor) {
    if constexpr (!factor.structured) factor.face(view, a_.data(), z_.data(), view.degree(), rho_, face);
  });
  faces.sign[f] = face.sign;
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = layout_.factor_begin[f] + static_cast<std::int32_t>(i);
    const auto s = layout_.factor_slots[place];
    const double flip = layout_.factor_negated[place] ? -1.0 : 1.0;
    faces.free[s] = face.free[i];
    faces.direction[s] = flip * face.direction[i];
    if (has_rewards_) faces.slope[s] = flip * face.slope[i];
  }
}

void Smoother::span_faces() {
  if (!has_structured_) return;
  const double slack = 1e-10 * options_.strength + 1e-12 * scale_;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    if (!layout_.oracle[f]) continue;
    layout_.gather_prices(f, price_, a_.data());
    const auto n = static_cast<std::size_t>(layout_.degree(f));
    active_[f].span_face({a_.data(), n}, slack, *layout_.oracle[f], active_workspace_);
  }
}

// y <- (I - J) x, by slot: what leads off the faces.
void Smoother::normal_part(const Faces& faces, const std::vector<ActiveSet>& active, const double* x, double* y) {
  for (std::int32_t s = 0; s < layout_.slots(); ++s) y[s] = (1.0 - faces.free[s]) * x[s];
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    if (layout_.oracle[f]) {
      const auto n = static_cast<std::size_t>(layout_.degree(f));
      const auto begin = layout_.factor_begin[f];
      const auto flip = [&](std::size_t i) { return layout_.factor_negated[begin + i] ? -1.0 : 1.0; };
      for (std::size_t i = 0; i < n; ++i) a_[i] = flip(i) * x[layout_.factor_slots[begin + i]];
      active[f].move({a_.data(), n}, rate_, {z_.data(), n});
      for (std::size_t i = 0; i < n; ++i) {
        const auto s = layout_.factor_slots[begin + i];
        y[s] = x[s] - flip(i) * z_[i];
      }
    } else if (faces.sign[f] != 0.0) {
      double dot = 0.0;
      for (auto s : layout_.slots_of(f)) dot += faces.direction[s] * x[s];
      dot *= faces.sign[f];
      for (auto s : layout_.slots_of(f)) y[s] -= dot * faces.direction[s];
    }
  }
}

void Smoother::add_up(const std::vector<double>& by_slot, std::vector<double>& by_variable) const {
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [first, last] = layout_.slots_of_variable(v);
    double sum = 0.0;
    for (auto s = first; s < last; ++s) sum += by_slot[s];
    by_variable[v] = graph_.evidence[v] >= 0 ? 0.0 : sum;
  }
}

// Conjugate gradients on (I - J) E E' (I - J) q = b, where E copies variables to their slots. The matrix is singular: what
// is below the noise in an entry of b must not be amplified, so the iterate with the smallest residual is taken. Returns
// that residual.
double Smoother::solve_on_faces(const Faces& faces, const std::vector<ActiveSet>& active, const std::vector<double>& b,
                                double noise, std::vector<double>& q) {
  const auto slots = b.size();
  std::ranges::fill(q, 0.0);
  best_ = q;
  r_ = b;
  d_ = r_;
  double square = 0.0;
  for (double r : r_) square += r * r;
  const double goal = std::max(1e-32 * square, noise * noise * static_cast<double>(slots));
  constexpr double kSingular = 1e-12;
  double least = square;
  std::int64_t stalled = 0;
  const auto most = static_cast<std::int64_t>(2 * slots + 50);
  for (std::int64_t step = 0; step < most && square > goal && square > 0.0; ++step) {
    add_up(d_, sum_);
    for (std::size_t s = 0; s < slots; ++s) spread_[s] = sum_[layout_.slot_variable[s]];
    normal_part(faces, active, spread_.data(), kd_.data());
    double curvature = 0.0, size = 0.0;
    for (std::size_t s = 0; s < slots; ++s) curvature += d_[s] * kd_[s], size += d_[s] * d_[s];
    if (!(curvature > kSingular * size)) break;
    const double length = square / curvature;
    double next = 0.0;
    for (std::size_t s = 0; s < slots; ++s) {
      q[s] += length * d_[s];
      r_[s] -= length * kd_[s];
      next += r_[s] * r_[s];
    }
    const double turn = next / square;
    for (std::size_t s = 0; s < slots; ++s) d_[s] = r_[s] + turn * d_[s];
    square = next;
    stalled = square < 0.5 * least ? 0 : stalled + 1;
    if (square < least) least = square, best_ = q;
    if (stalled > 40) break;
  }
  q = best_;
  return std::sqrt(least);
}

// The dual function, an upper bound on the objective, at prices and the consensus that they imply.
double Smoother::bound(const std::vector<double>& price, const std::vector<double>& u) {
  double total = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    double left = graph_.score[v];
    const auto [first, last] = layout_.slots_of_variable(v);
    for (auto s = first; s < last; ++s) left -= price[s];
    total += left * u[v] - 0.5 * options_.strength * u[v] * u[v];
  }
  for (std::int32_t f = 0; f < layout_.factors(); ++f) total += best_at(f, price);
  return total;
}

// Whether the dual function is below all values of the objective, or falls without end along the prices.
bool Smoother::is_infeasible() {
  const double least = least_objective();
  if (bound(price_, u_) < least - 1e-9 * (std::abs(least) + scale_ + options_.strength)) return true;
  const double largest = largest_in(price_);
  if (!(largest > 1e4 * (scale_ + options_.strength))) return false;
  const double unit = std::ldexp(1.0, 60) / largest * (1.0 + scale_);  // own scores are nothing beside such prices
  double total = 0.0, size = 0.0;
  for (std::int32_t s = 0; s < layout_.slots(); ++s) attractor_[s] = unit * price_[s], size += std::abs(attractor_[s]);
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    double left = 0.0;
    const auto [first, last] = layout_.slots_of_variable(v);
    for (auto s = first; s < last; ++s) left -= attractor_[s];
    total += graph_.evidence[v] >= 0 ? graph_.evidence[v] * left : std::max(0.0, left);
  }
  for (std::int32_t f = 0; f < layout_.factors(); ++f) total += best_at(f, attractor_);
  return total < -1e-6 * size;
}

// The best value of a factor at prices in the variables' terms: a negated literal is 1 - x, and pays for x.
double Smoother::best_at(std::int32_t f, const std::vector<double>& price) {
  const auto n = static_cast<std::size_t>(layout_.degree(f));
  layout_.gather_prices(f, price, a_.data());
  double total = 0.0;
  for (auto p = layout_.factor_begin[f]; p < layout_.factor_begin[f + 1]; ++p)
    if (layout_.factor_negated[p]) total += price[layout_.factor_slots[p]];
  if (!layout_.oracle[f]) return total + graph::maximize(layout_.view[f], {a_.data(), n}, {z_.data(), n}, workspace_);
  auto& best = active_workspace_.candidate;
  layout_.oracle[f]->maximize({a_.data(), n}, best);
  total += best.score;
  for (auto slot : best.on) total += a_[slot];
  return total;
}

double Smoother::least_objective() const {
  double total = 0.0;
  for (std::size_t v = 0; v < u_.size(); ++v) total += std::min(0.0, graph_.score[v] - 0.5 * options_.strength);
  for (std::int32_t f = 0; f < layout_.factors(); ++f)
    total += visit(layout_.view[f].kind, [&](auto factor) { return factor.least_score(layout_.view[f]); });
  return total;
}

// Values are the mean of the copies. The gap is that of each factor at the prices, that of the quadratic term, and what
// the copies still disagree on, at the prices.
void Smoother::certify(SmoothAnswer& answer, std::span<double> values) {
  double gap = 0.0, objective = 0.0, residual = 0.0;
  for (std::int32_t v = 0; v < layout_.variables(); ++v) {
    const auto [first, last] = layout_.slots_of_variable(v);
    double mean = u_[v];
    if (graph_.evidence[v] < 0 && first < last) {
      mean = 0.0;
      for (auto s = first; s < last; ++s) mean += copy_[s];
      mean = graph::clip(mean / (last - first));
    }
    values[v] = mean;
    objective += graph_.score[v] * mean - 0.5 * options_.strength * mean * mean;
    if (first < last) gap += 0.5 * options_.strength * (mean - u_[v]) * (mean - u_[v]);
    for (auto s = first; s < last; ++s) {
      const double excess = std::abs(copy_[s] - mean);
      residual = std::max(residual, excess);
      gap += (std::abs(price_[s]) + options_.strength) * excess;
    }
  }
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    const auto n = static_cast<std::size_t>(layout_.degree(f));
    layout_.gather_prices(f, price_, a_.data());
    layout_.gather(f, copy_, z_.data());
    double own = 0.0, at = 0.0;
    for (std::size_t i = 0; i < n; ++i) at += a_[i] * z_[i];
    for (auto p = layout_.factor_begin[f]; p < layout_.factor_begin[f + 1]; ++p)
      if (layout_.factor_negated[p]) at += price_[layout_.factor_slots[p]];
    visit(layout_.view[f].kind, [&](auto factor) {
      if constexpr (factor.structured) own = active_[f].own_score();
      else if constexpr (requires { factor.relaxed_score(layout_.view[f], z_.data(), 0); })
        own = factor.relaxed_score(layout_.view[f], z_.data(), static_cast<int>(n));
    });
    objective += own;
    gap += std::max(0.0, best_at(f, price_) - at - own);
  }
  answer.objective = objective;
  answer.gap = gap;
  answer.residual = residual;
  const bool converged = gap <= options_.tolerance * std::max(options_.strength, std::abs(objective));
  answer.status = converged ? SmoothStatus::Converged : SmoothStatus::Stopped;
}

double Smoother::pull_back(const Faces& faces, std::span<const double> cotangent, std::span<double> gradient) {
  const auto slots = static_cast<std::size_t>(layout_.slots());
  const auto n = parameters_.variables();
  auto& moved = u_;  // how the values move: the cotangent, projected onto the directions common to all faces
  for (std::size_t v = 0; v < n; ++v) moved[v] = graph_.evidence[v] >= 0 ? 0.0 : cotangent[v];
  for (std::size_t v = 0; has_loose_ && v < n; ++v)
    if (layout_.slot_count[v] == 0 && !faces.loose[v]) moved[v] = 0.0;
  const double unit = largest_in(moved);
  double left = 0.0;
  for (int round = 0; round < 9; ++round) {  // those after the first correct rounding
    for (std::size_t s = 0; s < slots; ++s) spread_[s] = moved[layout_.slot_variable[s]];
    normal_part(faces, faces.active, spread_.data(), b_.data());
    left = unit > 0.0 ? largest_in(b_) / unit : 0.0;
    if (round == 8 || left <= 1e-15 || (round > 1 && left <= 1e-12)) break;
    solve_on_faces(faces, faces.active, b_, 4e-16 * unit, q_);
    add_up(q_, sum_);
    for (std::size_t v = 0; v < n; ++v) moved[v] -= sum_[v];
  }
  std::ranges::fill(gradient, 0.0);
  for (std::size_t v = 0; v < n; ++v) gradient[v] = moved[v] / options_.strength;
  for (std::int32_t f = 0; f < layout_.factors(); ++f) {
    const auto origin = layout_.index[f];
    const auto first = parameters_.begin()[origin], last = parameters_.begin()[origin + 1];
    if (first == last) continue;
    const auto begin = layout_.factor_begin[f];
    const auto degree = static_cast<std::size_t>(layout_.degree(f));
    if (!layout_.oracle[f]) {
      for (auto s : layout_.slots_of(f))
        gradient[first] += faces.slope[s] * gradient[layout_.slot_variable[s]];
      continue;
    }
    for (std::size_t i = 0; i < degree; ++i) {
      const double value = gradient[layout_.slot_variable[layout_.factor_slots[begin + i]]];
      a_[i] = layout_.factor_negated[begin + i] ? -value : value;
    }
    faces.active[f].move({a_.data(), degree}, rate_, {z_.data(), degree});
    visit(layout_.view[f].kind, [&](auto factor) {
      if constexpr (factor.structured)
        for (std::size_t k = 0; k < faces.active[f].size(); ++k)
          factor.use(layout_.view[f], faces.active[f].on(k), [&](std::size_t i) { gradient[first + i] += rate_[k]; });
    });
  }
  return left;
}

}  // namespace treaty::diff
