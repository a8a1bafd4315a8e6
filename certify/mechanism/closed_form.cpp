#include "certify/mechanism/closed_form.h"

#include "renyi/error.h"

namespace renyi::certify {
namespace mechanism_closed_form_file {
namespace {

// Parameters are doubles and taken as exact; everything computed from them is rounded outwards.

// The product of two 53-bit numbers is exact.
Ball times_chance(const RandomizedResponse& response) {
  const Precision exact(128);
  return Ball(response.truth_probability) * Ball(response.categories);
}

// The response is the true category with probability p, each other one with (1-p)/(k-1); the likelier of the two has
// the larger loss.
TwoSided response_law(const RandomizedResponse& response) {
  const Ball p = response.truth_probability, k = response.categories;
  const Ball other = (1 - p) / (k - 1);
  const bool truthful = surely_less(1, times_chance(response));
  const Ball low = truthful ? other : p;
  return {.loss = log1p(abs(p * k - 1) / ((k - 1) * low)),
          .high = truthful ? p : other,
          .low = low,
          .rest = (k - 2) * other};
}

// Lemma C2: no epsilon-DP step has larger moments than binary randomized response with this loss.
TwoSided pure_law(const PureDp& pure) {
  const Ball epsilon(pure.epsilon);
  const Ball low = 1 / (exp(epsilon) + 1);
  return {.loss = epsilon, .high = 1 / (exp(-epsilon) + 1), .low = low, .rest = 0};
}

}  // namespace
}  // namespace mechanism_closed_form_file

bool is_trivial(const Mechanism& mechanism) {
  if (const auto step = mechanism.get_if<RandomizedResponse>())
    return arb_is_one(mechanism_closed_form_file::times_chance(*step).raw()) != 0;
  if (const auto step = mechanism.get_if<PureDp>()) return step->epsilon == 0;
  if (const auto step = mechanism.get_if<Gdp>()) return step->mu == 0;
  if (const auto step = mechanism.get_if<SampledGaussian>()) return step->sampling_rate == 0;
  return false;
}

std::optional<Ball> gaussian_rate(const Mechanism& mechanism) {
  if (const auto step = mechanism.get_if<Gaussian>()) {
    return square(Ball(step->l2_sensitivity) / step->stddev) / 2;
  }
  if (const auto step = mechanism.get_if<Gdp>()) return square(Ball(step->mu)) / 2;
  if (const auto step = mechanism.get_if<SampledGaussian>(); step && step->sampling_rate == 1) {
    return 1 / (2 * square(Ball(step->noise_multiplier)));
  }
  return std::nullopt;
}

Ball largest_loss(const Laplace& laplace) { return Ball(laplace.l1_sensitivity) / laplace.scale; }

std::optional<TwoSided> two_sided(const Mechanism& mechanism) {
  if (const auto step = mechanism.get_if<RandomizedResponse>()) return mechanism_closed_form_file::response_law(*step);
  if (const auto step = mechanism.get_if<PureDp>()) return mechanism_closed_form_file::pure_law(*step);
  return std::nullopt;
}

namespace mechanism_closed_form_file {
namespace {

// K, D_1 and D_inf in closed form (docs/math/closed-form-curves.md). Each form is scaled so that nothing overflows.
// Cancellation is handled by the precision, which the caller raises.

// K = z e + ln( ((z+1) + z exp(-(2z+1) e)) / (2z+1) )
Ball laplace_log_moment(const Ball& e, const Ball& z) {
  const Ball w = 2 * z + 1;
  return z * e + log((z + 1 + z * exp(-w * e)) / w);
}

// K = z l + ln( P(l) + P(-l) exp(-2 z l) + P(0) exp(-z l) )
Ball atoms_log_moment(const TwoSided& law, const Ball& z) {
  const Ball fall = z * law.loss;
  return fall + log(law.high + law.low * exp(-2 * fall) + law.rest * exp(-fall));
}

}  // namespace
}  // namespace mechanism_closed_form_file

std::optional<Ball> closed_log_moment(const Mechanism& mechanism, const Ball& z) {
  if (is_trivial(mechanism)) return Ball(0);
  if (const auto rate = gaussian_rate(mechanism)) return *rate * z * (z + 1);
  if (const auto laplace = mechanism.get_if<Laplace>())
    return mechanism_closed_form_file::laplace_log_moment(largest_loss(*laplace), z);
  if (const auto law = two_sided(mechanism)) return mechanism_closed_form_file::atoms_log_moment(*law, z);
  return std::nullopt;
}

std::optional<Ball> closed_mean_loss(const Mechanism& mechanism) {
  if (is_trivial(mechanism)) return Ball(0);
  if (auto rate = gaussian_rate(mechanism)) return rate;
  if (const auto laplace = mechanism.get_if<Laplace>()) {
    const Ball e = largest_loss(*laplace);
    return e + expm1(-e);
  }
  if (const auto law = two_sided(mechanism)) return (law->high - law->low) * law->loss;
  return std::nullopt;
}

std::optional<Ball> closed_max_loss(const Mechanism& mechanism) {
  if (is_trivial(mechanism)) return Ball(0);
  if (gaussian_rate(mechanism)) return Ball::infinity();
  if (const auto laplace = mechanism.get_if<Laplace>()) return largest_loss(*laplace);
  if (const auto law = two_sided(mechanism)) return law->loss;
  return std::nullopt;
}

namespace mechanism_closed_form_file {
namespace {

// exp(z (z+1) rate): the loss is N(rate, 2 rate).
Complex gaussian_moment(const Ball& rate, const Complex& z) { return exp(z * (z + Complex(1)) * Complex(rate)); }

Complex laplace_moment(const Ball& largest, const Complex& z) {
  const Complex up = (z + Complex(1)) * exp(z * Complex(largest));
  const Complex down = z * exp((z + Complex(1)) * Complex(-largest));
  return (up + down) / (z + z + Complex(1));
}

// Lemma C1: the loss is +-e or 0, with the weights of `law`.
Complex atoms_moment(const TwoSided& law, const Complex& z) {
  const Complex up = exp(z * Complex(law.loss));
  return Complex(law.high) * up + Complex(law.low) / up + Complex(law.rest);
}

std::optional<Complex> moment_if_closed(const Mechanism& mechanism, const Complex& z) {
  if (is_trivial(mechanism)) return Complex(1);
  if (const auto rate = gaussian_rate(mechanism)) return gaussian_moment(*rate, z);
  if (const auto laplace = mechanism.get_if<Laplace>()) return laplace_moment(largest_loss(*laplace), z);
  if (const auto law = two_sided(mechanism)) return atoms_moment(*law, z);
  return std::nullopt;
}

}  // namespace
}  // namespace mechanism_closed_form_file

bool has_closed_moment(const Mechanism& mechanism) {
  return mechanism_closed_form_file::moment_if_closed(mechanism, Complex(1)).has_value();
}

Complex moment(const Mechanism& mechanism, Direction, const Complex& z) {
  if (auto closed = mechanism_closed_form_file::moment_if_closed(mechanism, z)) return *closed;
  throw Unsupported("mechanism", "complex moments of " + std::string(mechanism.kind()) + " have no closed form",
                    "use gaussian, laplace, randomized-response, pure-dp or gdp");
}

}  // namespace renyi::certify
