#include "mechanism/sampled_gaussian/lattice.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numerics/exponentials.h"

namespace renyi::sampled_gaussian {

namespace {

using numerics::exp_remainder;

// Where N(1, s^2) outweighs N(0, s^2) by more than exp of this, P is the former.
constexpr double far_odds = 40;
// exp of less than this is 0.
constexpr double smallest_exponent = -746;
// Roundings in one node besides those of exp(t): weights exp(-40), products.
constexpr double base_noise = 48;
// |t| that enters the noise of a node; beyond it the loss is linear in t.
constexpr double most_tilt = 600;

double exp_or_zero(double e) { return e < smallest_exponent ? 0 : std::exp(e); }

// exp and expm1, each to its own relative accuracy; the faster exp where it serves both.
struct Grown {
  double factor, excess;
};
Grown grown(double t) {
  if (std::abs(t) < 0.5) {
    const double excess = std::expm1(t);
    return {1 + excess, excess};
  }
  const double factor = std::exp(t);
  return {factor, factor - 1};
}

// ln r with u = r - 1.
double log_of(double r, double u) { return std::abs(u) < 0.5 ? std::log1p(u) : std::log(r); }

// R(w) = exp(w) - 1 - w and R(-w), given r = exp(w) and u = r - 1.
numerics::BothRemainders remainders(double w, double r, double u) {
  if (std::abs(w) < 0.5) return numerics::small_remainders(w);
  return {u - w, w - u / r};
}

}  // namespace

Params::Params(double sampling_rate, double noise_multiplier)
    : q(sampling_rate),
      s(noise_multiplier),
      inv_2s2(0.5 / noise_multiplier / noise_multiplier),
      log_q(std::log(sampling_rate)),
      log_1mq(std::log1p(-sampling_rate)),
      crossing(0.5 + noise_multiplier * noise_multiplier * (log_1mq - log_q)),
      log_q_l(std::log(static_cast<long double>(sampling_rate))) {}

double Params::membership(double x) const { return 1 / (1 + std::exp((crossing - x) * 2 * inv_2s2)); }

Lattice::Lattice(const Params& params, double step)
    : params_(params), step_(step), log_weight_(std::log(step / params.s / std::sqrt(2 * std::numbers::pi))) {}

Lattice::~Lattice() {
  for (auto& slot : kept_) delete slot.load();
}

const Chunk& Lattice::chunk(long c, Chunk& scratch) const {
  if (c < first_kept || c >= end_kept) {
    fill(c, scratch);
    return scratch;
  }
  auto& slot = kept_[static_cast<std::size_t>(c - first_kept)];
  if (const Chunk* ready = slot.load(std::memory_order_acquire)) return *ready;
  // Two threads may fill the same chunk; both get the same numbers, one is kept.
  auto made = std::make_unique<Chunk>();
  fill(c, *made);
  const Chunk* expected = nullptr;
  if (slot.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

void Lattice::fill(long c, Chunk& chunk) const {
  for (long i = 0; i < Chunk::size; ++i) {
    fill_node(static_cast<double>(c * Chunk::size + i) * step_, static_cast<std::size_t>(i), chunk);
  }
}

void Lattice::fill_node(double x, std::size_t i, Chunk& chunk) const {
  const Params& k = params_;
  const double t = (2 * x - 1) * k.inv_2s2;
  chunk.x[i] = x;
  chunk.log_q[i] = log_weight_ - x * x * k.inv_2s2;
  chunk.q[i] = exp_or_zero(chunk.log_q[i]);
  chunk.noise[i] = base_noise + 4 * std::min(std::abs(t), most_tilt);
  if (t > far_odds + k.log_1mq - k.log_q) {
    fill_far(t, i, chunk);
  } else {
    fill_near(t, i, chunk);
  }
}

// r = q exp(t) to below rounding: no exponential of t is needed, nor could it
// overflow. ln P = ln Q + loss would cancel: taken from N(1, s^2) directly.
void Lattice::fill_far(double t, std::size_t i, Chunk& chunk) const {
  const Params& k = params_;
  const double off = chunk.x[i] - 1, loss = t + k.log_q;
  chunk.loss[i] = loss;
  chunk.rho[i] = 0;
  chunk.p[i] = exp_or_zero(log_weight_ + k.log_q - off * off * k.inv_2s2);
  chunk.centred_p[i] = chunk.p[i] * exp_remainder(-loss);
  chunk.centred_q[i] = chunk.p[i] - chunk.q[i] * (1 + loss);
}

// r = 1 + u = (1-q) + q e^t and loss = ln r, in the form that does not cancel.
void Lattice::fill_near(double t, std::size_t i, Chunk& chunk) const {
  const Params& k = params_;
  const Grown e = grown(t);
  const double u = k.q * e.excess;
  const double r = u > -0.5 ? 1 + u : (1 - k.q) + k.q * e.factor;
  const double loss = log_of(r, u);
  const numerics::BothRemainders rest = remainders(loss, r, u);
  chunk.loss[i] = loss;
  chunk.rho[i] = chunk.x[i] > k.crossing ? std::log1p((1 - k.q) / (k.q * e.factor)) : 0;
  chunk.p[i] = chunk.q[i] * r;
  chunk.centred_p[i] = chunk.p[i] * rest.down;
  chunk.centred_q[i] = chunk.q[i] * rest.up;
}

}  // namespace renyi::sampled_gaussian
