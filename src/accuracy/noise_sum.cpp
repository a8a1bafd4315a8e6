#include "accuracy/noise_sum.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

#include "numerics/mills.h"
#include "renyi/error.h"
#include "renyi/mechanisms.h"

namespace renyi::noise_error {

namespace noise_sum_file {
namespace {

constexpr Real pi = std::numbers::pi_v<Real>;
constexpr Real infinity = std::numeric_limits<Real>::infinity();

// From this standard deviation on, the discrete Gaussian is summed over the frequencies instead of the integers.
constexpr Real dual_from = 1;
// The integers and the frequencies that are summed: what is omitted is below exp(-90) of the sum at scales below and
// above dual_from, respectively, which counts as one rounding.
constexpr int reach = 15;
constexpr int frequencies = 3;

// ln(1 + w), accurate relative to w for |w| <= 1/4.
Complex log1p(Complex w) { return {std::log1p(2 * w.real() + std::norm(w)) / 2, std::atan2(w.imag(), 1 + w.real())}; }

// -ln(1 - x^2), the logarithm of a Laplace factor with x = b z, |Re x| < 1, or of a discrete one. x has a relative
// error of 32 roundings.
LogMgf log_laplace(Complex x) {
  const Complex square = x * x;
  if (std::abs(square) <= 0.25L) return {-log1p(-square), 128 * std::abs(square)};
  const Complex below = Real{1} - x, above = Real{1} + x;
  const Real norm = std::norm(below) * std::norm(above);
  const Complex value(-std::log(norm) / 2, -std::arg(below * above));
  const Real size = std::abs(x);
  return {value, 64 * (2 + std::abs(value) + size / std::abs(below) + size / std::abs(above))};
}

// sum over x of exp(-x^2/(2 s^2) + z x), divided by exp of its largest exponent, which is returned in `peak`.
Complex sum_over_integers(Real s, Complex z, Real& peak) {
  const Real centre = std::round(s * s * z.real());
  const auto exponent = [&](Real x) { return x * (z.real() - x / (2 * s * s)); };
  peak = exponent(centre);
  Complex sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    const Real x = centre + static_cast<Real>(i);
    sum += std::polar(std::exp(exponent(x) - peak), z.imag() * x);
  }
  return sum;
}

// sum over m <> 0 of exp(s^2 (z + 2 pi i m)^2/2 - s^2 z^2/2), by Poisson summation the part of M that is not that of a
// normal law. |Im z| <= pi.
Complex beside_normal(Real s, Complex z) {
  Complex sum = 0;
  for (int m = 1; m <= frequencies; ++m) {
    const Real turn = 2 * pi * static_cast<Real>(m);
    for (const Real w : {turn, -turn}) {
      const Real log_size = -s * s * w * (z.imag() + w / 2);
      if (log_size < -100) continue;  // below a rounding of the sum, even for as many noises as there can be
      sum += std::polar(std::exp(log_size), s * s * w * z.real());
    }
  }
  return sum;
}

// A sum of terms of modulus at most 1, which may vanish where Im z is near pi, and a bound on the relative error of its
// computation, in roundings. What is nearly 0 is replaced by a small number, at a relative error of 3.
struct Nonzero {
  Complex value;
  Real roundings;
};
Nonzero nonzero(Complex sum, Real roundings) {
  constexpr Real least = 1e-15L;
  const Real size = std::abs(sum);
  if (size >= least) return {sum, roundings / size};
  return {least, roundings / least + 3 / numerics::extended_roundoff};
}

// For |Im z| <= pi, because M has the period 2 pi i. Im z has an absolute error of `height` roundings.
LogMgf log_discrete_gaussian(Real s, Complex z, Real height) {
  if (s < dual_from) {
    Real peak = 0, none = 0;
    const Complex total = sum_over_integers(s, 0, none);
    const Real furthest = std::abs(std::round(s * s * z.real())) + reach;
    const Nonzero sum = nonzero(sum_over_integers(s, z, peak), 64 * (2 * reach + 1) * (1 + furthest * height));
    return {Complex(peak) + std::log(sum.value) - std::log(total), sum.roundings + 64 * (4 + std::abs(peak))};
  }
  const Complex normal = s * s * z * z / Real{2}, beside = beside_normal(s, z), usual = beside_normal(s, 0);
  const Real turned = 1 + 2 * pi * frequencies * s * s * (std::abs(z) + height + 2 * pi * frequencies);
  const Real own = 64 * (std::abs(normal) + s * s * std::abs(z) * height + std::abs(usual) * turned);
  if (std::abs(beside) <= 0.25L) return {normal + log1p(beside) - log1p(usual), own + 64 * std::abs(beside) * turned};
  const Nonzero sum = nonzero(Real{1} + beside, 64 * (1 + std::abs(beside)) * turned);
  return {normal + std::log(sum.value) - log1p(usual), own + sum.roundings};
}

// Variance of one discrete Gaussian: s^2 - 4 pi^2 s^4 sum m^2 exp(-2 pi^2 s^2 m^2) / sum exp(-2 pi^2 s^2 m^2).
Real discrete_gaussian_variance(Real s) {
  Real mass = 1, second = 0;
  const Real rate = s < dual_from ? 1 / (2 * s * s) : 2 * pi * pi * s * s;
  for (int x = 1; x <= reach; ++x) {
    const Real squared = static_cast<Real>(x) * static_cast<Real>(x), weight = 2 * std::exp(-rate * squared);
    mass += weight;
    second += weight * squared;
  }
  return s < dual_from ? second / mass : s * s - 4 * pi * pi * s * s * s * s * second / mass;
}

std::string why_not(const Mechanism& mechanism) {
  if (mechanism.get_if<Parallel>() != nullptr) return "a parallel step has no single error";
  if (mechanism.sampling()) return "on a sample the error also depends on which records were drawn";
  if (mechanism.get_if<SampledGaussian>()) return "on a sample the error also depends on which records were drawn";
  return fmt::format("the step {} does not state which noise is added to a number", mechanism.kind());
}

void add_continuous(NoiseSum& sum, std::int64_t times) {
  if (__builtin_add_overflow(sum.continuous_count, times, &sum.continuous_count)) {
    throw InvalidArgument("steps", "more noises", "at most 2^63-1 noises in all");
  }
}

void add_noise(NoiseSum& sum, const Mechanism& mechanism, std::int64_t times) {
  const auto count = static_cast<Real>(times);
  if (const auto gaussian = mechanism.get_if<Gaussian>()) {
    const Real s = gaussian->stddev;
    sum.gaussian_variance += count * s * s;
    sum.gaussian.push_back({s, count});
    add_continuous(sum, times);
  } else if (const auto laplace = mechanism.get_if<Laplace>()) {
    sum.laplace.push_back({laplace->scale, count});
    add_continuous(sum, times);
  } else if (const auto on_integers = mechanism.get_if<DiscreteGaussian>()) {
    sum.discrete_gaussian.push_back({on_integers->stddev, count});
  } else if (const auto geometric = mechanism.get_if<DiscreteLaplace>()) {
    sum.discrete_laplace.push_back({geometric->scale, count});
  } else if (const auto skellam = mechanism.get_if<Skellam>()) {
    sum.skellam_variance += count * static_cast<Real>(skellam->variance);
  } else {
    throw Unsupported("steps", why_not(mechanism),
                      "use gaussian, laplace, discrete-gaussian, discrete-laplace or skellam, unsampled");
  }
}

// Goes through the steps as they were specified: a parallel step of equal parts costs as much as one of them, but its
// errors are several. The products of nested counts were checked by the plan.
void add_steps(NoiseSum& sum, const Steps& steps, std::int64_t times) {
  for (const Step& step : steps) {
    if (const auto* group = std::get_if<Steps>(&step.what)) {
      add_steps(sum, *group, times * step.count);
    } else {
      add_noise(sum, std::get<Mechanism>(step.what), times * step.count);
    }
  }
}

// Adds the noises of one scale together, because a step may differ from another one in its sensitivity alone.
void merge(std::vector<Noises>& all) {
  std::sort(all.begin(), all.end(), [](const Noises& a, const Noises& b) { return a.scale < b.scale; });
  std::vector<Noises> merged;
  for (const Noises& each : all) {
    if (!merged.empty() && merged.back().scale == each.scale) {
      merged.back().count += each.count;
    } else {
      merged.push_back(each);
    }
  }
  all = std::move(merged);
}

Real count_of(const std::vector<Noises>& all) {
  Real count = 0;
  for (const Noises& each : all) count += each.count;
  return count;
}

void add(LogMgf& sum, const Real count, const LogMgf& one) {
  sum.value += count * one.value;
  sum.roundings += count * (one.roundings + 4 * std::abs(one.value));
}

}  // namespace
}  // namespace noise_sum_file

NoiseSum::NoiseSum(const Plan& plan) {
  noise_sum_file::add_steps(*this, plan.steps(), 1);
  for (auto* noises : {&gaussian, &laplace, &discrete_laplace, &discrete_gaussian}) noise_sum_file::merge(*noises);
}

std::size_t NoiseSum::size() const {
  std::size_t size = 1 + laplace.size() + 2 * discrete_laplace.size();
  for (const Noises& each : discrete_gaussian) size += each.scale < noise_sum_file::dual_from ? 24 : 6;
  return size;
}

Real NoiseSum::laplace_count() const { return noise_sum_file::count_of(laplace); }
Real NoiseSum::discrete_laplace_count() const { return noise_sum_file::count_of(discrete_laplace); }

Real NoiseSum::variance() const {
  Real sum = gaussian_variance + skellam_variance;
  for (const auto& [b, count] : laplace) sum += 2 * count * b * b;
  for (const auto& [b, count] : discrete_laplace) {
    const Real half = std::sinh(1 / (2 * b));
    sum += count / (2 * half * half);
  }
  for (const auto& [s, count] : discrete_gaussian) sum += count * noise_sum_file::discrete_gaussian_variance(s);
  return sum;
}

Real NoiseSum::pole() const {
  Real nearest = noise_sum_file::infinity;
  for (const auto* noises : {&laplace, &discrete_laplace}) {
    for (const Noises& each : *noises) nearest = std::min(nearest, 1 / each.scale);
  }
  return nearest;
}

LogMgf NoiseSum::continuous(Complex z) const {
  LogMgf sum;
  if (gaussian_variance > 0) {
    const Complex value = gaussian_variance * z * z / Real{2};
    sum = {value, 256 * std::abs(value)};
  }
  for (const auto& [b, count] : laplace) noise_sum_file::add(sum, count, noise_sum_file::log_laplace(b * z));
  return sum;
}

LogMgf NoiseSum::discrete(Complex z) const {
  // All discrete laws have the period 2 pi i.
  const Real turn = 2 * noise_sum_file::pi, height = std::abs(z.imag());
  z = {z.real(), z.imag() - turn * std::round(z.imag() / turn)};
  LogMgf sum;
  if (skellam_variance > 0) {
    // cosh z - 1 = 2 sinh^2(z/2).
    const Complex half = std::sinh(z / Real{2});
    const Complex value = 2 * skellam_variance * half * half;
    sum = {value, 256 * (std::abs(value) + skellam_variance * std::abs(std::sinh(z)) * height)};
  }
  for (const auto& [b, count] : discrete_laplace) {
    // (1-q)^2 / ((1 - q exp(z)) (1 - q exp(-z))) = 1/(1 - x^2) with x = sinh(z/2)/sinh(1/(2b)), q = exp(-1/b).
    const Real unit = std::sinh(1 / (2 * b));
    const Complex x = std::sinh(z / Real{2}) / unit;
    LogMgf one = noise_sum_file::log_laplace(x);
    // The derivative is x cosh(z/2)/(unit (1 - x^2)).
    one.roundings += 8 * height * std::abs(x * std::cosh(z / Real{2}) / (unit * (Real{1} - x) * (Real{1} + x)));
    noise_sum_file::add(sum, count, one);
  }
  for (const auto& [s, count] : discrete_gaussian) {
    noise_sum_file::add(sum, count, noise_sum_file::log_discrete_gaussian(s, z, height));
  }
  return sum;
}

}  // namespace renyi::noise_error
