// The published methods for one step's Renyi divergence, direction remove (Mironov, Talwar, Zhang 2019,
// arXiv:1908.10530v1), and the quadrature in addition to them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "numerics/extended.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/papers/sampled_gaussian.h"

namespace renyi {

namespace methods_file {
namespace {

constexpr double largest_order = 1e6;

// ln(exp(e) - 1) for e > 0.
long double log_expm1(long double e) { return e > 1 ? e + std::log1p(-std::exp(-e)) : std::log(std::expm1(e)); }

// Whole orders from 2 on, by the binomial sum (section 3.3): A - 1 = sum_{k>=2} C(a,k) (1-q)^(a-k) q^k (exp((k^2-k)/(2
// s^2)) - 1). This is the published sum with the binomial theorem subtracted, so that all terms are >= 0.
Bounded by_integer_sum(const SampledGaussian& mechanism, double order) {
  if (!(order >= 2 && order <= largest_order && order == std::floor(order))) {
    throw Unsupported("order",
                      fmt::format("the integer method needs a whole order from 2 to {}, got {}", largest_order, order),
                      "use method quadrature");
  }
  const long double a = order, q = mechanism.sampling_rate, s = mechanism.noise_multiplier;
  const long double log_q = std::log(q), log_1mq = std::log1p(-q);
  long double log_choose = std::log(a);  // ln C(a, k)
  std::vector<long double> logs;
  logs.reserve(static_cast<std::size_t>(order));
  long double largest = -std::numeric_limits<long double>::infinity(), size = 0;
  for (long double k = 2; k <= a; ++k) {
    log_choose += std::log((a - k + 1) / k);
    const long double growth = (k * k - k) / (2 * s * s);
    logs.push_back(log_choose + (a - k) * log_1mq + k * log_q + log_expm1(growth));
    largest = std::max(largest, logs.back());
    size = std::max(size, log_choose + a * -std::min(log_q, log_1mq));
  }
  long double sum = 0;
  for (const long double log_term : logs) sum += std::exp(log_term - largest);
  const long double log_s = largest + std::log(sum);
  const long double k = log_s > 40 ? log_s + std::log1p(std::exp(-log_s)) : std::log1p(std::exp(log_s));
  // The running sum of log C(a,k) rounds once per term; exponents round by their own size.
  const long double rounding = numerics::extended_epsilon * (a + 16) * (1 + size);
  const long double relative = std::min<long double>(1, rounding * -std::expm1(-k) / k) + 4 * numerics::unit_roundoff;
  const auto value = static_cast<double>(k / (a - 1));
  return {value, static_cast<double>(relative) * value};
}

constexpr long double pi = 3.14159265358979323846264338327950288L;
constexpr int most_terms = 100'000;
constexpr long double wanted = 1e-12L;      // relative to A - 1
constexpr long double acceptable = 1e-10L;  // accepted when the terms run out

// Returns ln erfc(x); it uses the asymptotic series where erfc itself would underflow, with a relative error of erfc
// below 105/(16 x^8) < 1e-15 from there on.
long double log_erfc(long double x) {
  if (x < 100) return std::log(std::erfc(x));
  const long double y = 1 / (2 * x * x);
  return -x * x - std::log(x * std::sqrt(pi)) + std::log1p(-y * (1 - 3 * y * (1 - 5 * y)));
}

// A sum of signed exponentials, scaled by the largest seen.
class SignedSum {
 public:
  // `size` is the size of the terms from which the exponent is added up: it determines the rounding error.
  void add(long double log_term, int sign, long double size) {
    if (log_term > scale_) {
      const long double shrink = std::exp(scale_ - log_term);
      sum_ *= shrink;
      modulus_ *= shrink;
      rounding_ *= shrink;
      scale_ = log_term;
    }
    const long double term = std::exp(log_term - scale_);
    sum_ += static_cast<long double>(sign) * term;
    modulus_ += term;
    rounding_ += term * (8 + size);
  }
  long double log() const { return scale_ + std::log(sum_); }
  long double share(long double log_term) const { return std::exp(log_term - scale_) / sum_; }
  // Returns the relative error of the sum by rounding: of each exponent, and once for each addition.
  long double rounding(long double additions) const {
    return (2 * rounding_ + additions * modulus_) / sum_ * numerics::extended_epsilon;
  }

 private:
  long double scale_ = -std::numeric_limits<long double>::infinity();
  long double sum_ = 0;
  long double modulus_ = 0;
  long double rounding_ = 0;
};

struct SeriesSum {
  long double log_a;
  long double relative_error;  // relative error of A
};

SeriesSum sum_series(long double a, long double q, long double s) {
  const long double log_q = std::log(q), log_1mq = std::log1p(-q), root = std::sqrt(2.0L) * s;
  const long double z1 = 0.5L + s * s * (log_1mq - log_q);
  const auto growth = [&](long double j) { return (j * j - j) / (2 * s * s); };
  SignedSum sum;
  long double log_choose = 0;
  int sign = 1;
  for (int n = 0; n < most_terms; ++n) {
    const long double k = n, j = a - k;
    const long double low_tail = log_erfc((k - z1) / root), high_tail = log_erfc((z1 - j) / root);
    const long double low = log_choose + j * log_1mq + k * log_q + growth(k) + low_tail;
    const long double high = log_choose + j * log_q + k * log_1mq + growth(j) + high_tail;
    const long double size = std::abs(log_choose) - (std::abs(j) + k) * (log_q + log_1mq);
    sum.add(low - std::log(2.0L), sign, size + growth(k) + std::abs(low_tail));
    sum.add(high - std::log(2.0L), sign, size + std::abs(growth(j)) + std::abs(high_tail));
    const long double factor = (a - k) / (k + 1);  // C(a,k+1) / C(a,k)
    if (factor == 0) return {sum.log(), sum.rounding(2 * k)};
    if (factor < 0) sign = -sign;
    log_choose += std::log(std::abs(factor));
    const long double next = sum.share(low) + sum.share(high);
    const long double rounding = sum.rounding(2 * k);
    const long double excess = std::abs(std::expm1(sum.log()));
    if (k > a && (next < wanted * excess || n + 1 == most_terms || next < rounding)) {
      return {sum.log(), next + rounding};
    }
  }
  return {sum.log(), 1};
}

// Real orders above 1, by the published fractional series (Mironov, Talwar, Zhang 2019, section 3.3): with
// z1 = 1/2 + s^2 ln(1/q - 1),
//   A = sum_k C(a,k) (1-q)^(a-k) q^k     exp((k^2-k)/(2 s^2))     erfc((k-z1)/(sqrt2 s))/2
//     + sum_k C(a,k) q^(a-k) (1-q)^k     exp((j^2-j)/(2 s^2))     erfc((z1-j)/(sqrt2 s))/2,   j = a-k.
// C(a,k) changes sign from k > a on, and the terms then fall like k^(-a-2): an alternating tail, whose error is at most
// its next term. It is kept as the published method and as a cross-check; accounting uses the quadrature. Throws
// NotConverged.
Bounded by_series(const SampledGaussian& mechanism, double order) {
  if (!(order > 1) || std::isinf(order)) {
    throw Unsupported("order", fmt::format("the series needs a finite order above 1, got {}", order),
                      "use method quadrature");
  }
  const SeriesSum a = sum_series(order, mechanism.sampling_rate, mechanism.noise_multiplier);
  const long double relative = a.relative_error / std::abs(a.log_a);
  if (!(a.log_a > 0) || !(relative < acceptable)) {
    throw NotConverged(
        fmt::format("the fractional series at order {}, sampling_rate {}, noise_multiplier {} (A - 1 is "
                    "known to {:.1e} of itself); method quadrature serves every order",
                    order, mechanism.sampling_rate, mechanism.noise_multiplier, static_cast<double>(relative)));
  }
  const auto value = static_cast<double>(a.log_a / (static_cast<long double>(order) - 1));
  return {value, value * (static_cast<double>(relative) + 4 * numerics::unit_roundoff)};
}

// A condition of Theorem 11 that does not hold, as text with numbers.
struct Failure {
  std::string condition;
  std::string numbers;
};

// Checks the conditions in the order of the theorem; returns std::nullopt if all hold.
std::optional<Failure> first_failure(const SampledGaussian& mechanism, double order) {
  const double q = mechanism.sampling_rate, s = mechanism.noise_multiplier, a = order;
  if (!(a > 1) || std::isinf(a)) return Failure{"1 < order < inf", fmt::format("order = {}", a)};
  if (!(q <= 0.2)) return Failure{"sampling_rate <= 1/5", fmt::format("sampling_rate = {}", q)};
  if (!(s >= 4)) return Failure{"noise_multiplier >= 4", fmt::format("noise_multiplier = {}", s)};
  if (q == 0) return std::nullopt;
  const double big_l = std::log1p(1 / (q * (a - 1)));
  // The limits are rounded down, so that a condition is never granted by rounding.
  const double shrink = 1 - 16 * numerics::unit_roundoff;
  const double first = (s * s * big_l / 2 - 2 * std::log(s)) * shrink;
  if (!(a <= first)) {
    return Failure{"order <= s^2 L/2 - 2 ln s", fmt::format("order = {}, s^2 L/2 - 2 ln s = {}", a, first)};
  }
  // L + ln(q a) >= ln(a/(a-1)) > 0, so the divisor is positive.
  const double numerator = s * s * big_l * big_l / 2 - std::log(5.0) - 2 * std::log(s);
  const double divisor = big_l + std::log(q * a) + 1 / (2 * s * s);
  const double second = numerator / divisor * shrink;
  if (!(a <= second)) {
    return Failure{"order <= (s^2 L^2/2 - ln 5 - 2 ln s)/(L + ln(q order) + 1/(2 s^2))",
                   fmt::format("order = {}, the right side = {}", a, second)};
  }
  return std::nullopt;
}

}  // namespace
}  // namespace methods_file

std::string closed_form_obstacle(const SampledGaussian& mechanism, double order) {
  const auto failure = methods_file::first_failure(mechanism, order);
  return failure ? fmt::format("{} fails: {}", failure->condition, failure->numbers) : "";
}

// The orders to which the closed form applies are an interval (1, end]: docs/math/sampled-gaussian.md, "Closed form".
ClosedFormEnd closed_form_end(const SampledGaussian& mechanism) {
  const Mechanism checked = mechanism;  // throws on parameters out of range
  if (mechanism.sampling_rate == 0) return {std::numeric_limits<double>::infinity(), "none: nothing is sampled"};
  double good = std::nextafter(1.0, 2.0), bad = 2;
  if (const auto failure = methods_file::first_failure(mechanism, good)) return {1, failure->condition};
  while (!methods_file::first_failure(mechanism, bad)) {
    good = bad;
    bad *= 2;
  }
  for (double middle = good + (bad - good) / 2; good < middle && middle < bad; middle = good + (bad - good) / 2) {
    (methods_file::first_failure(mechanism, middle) ? bad : good) = middle;
  }
  return {good, methods_file::first_failure(mechanism, bad)->condition};
}

namespace methods_file {
namespace {

// RDP <= 2 q^2 a / s^2 under the conditions of Theorem 11 (Mironov, Talwar, Zhang
// 2019, arXiv:1908.10530v1), with L = ln(1 + 1/(q (a-1))).
// Throws Unsupported with the condition that fails.
Bounded by_closed_form(const SampledGaussian& mechanism, double order) {
  const std::string obstacle = closed_form_obstacle(mechanism, order);
  if (!obstacle.empty()) {
    throw Unsupported("order", "the closed-form bound of Theorem 11 does not apply: " + obstacle,
                      "use method quadrature, which has no conditions");
  }
  const double ratio = mechanism.sampling_rate / mechanism.noise_multiplier;
  const double value = 2 * ratio * ratio * order;
  return {value, 4 * numerics::unit_roundoff * value};
}

Bounded by_quadrature(const SampledGaussian& mechanism, double order, Direction direction) {
  return divergence(*Mechanism(mechanism).curve(), order, direction);
}

void require_remove(Direction direction, SampledGaussianMethod method) {
  if (direction == Direction::remove) return;
  throw Unsupported("direction", fmt::format("the {} method covers direction remove only", to_string(method)),
                    "use method quadrature, which covers both");
}

}  // namespace
}  // namespace methods_file

std::string_view to_string(SampledGaussianMethod method) noexcept {
  switch (method) {
    case SampledGaussianMethod::quadrature: return "quadrature";
    case SampledGaussianMethod::integer: return "integer";
    case SampledGaussianMethod::series: return "series";
    case SampledGaussianMethod::closed_form: return "closed-form";
  }
  return "unknown";
}

Bounded sampled_gaussian_divergence(const SampledGaussian& mechanism, double order, Direction direction,
                                    SampledGaussianMethod method) {
  const Mechanism checked = mechanism;  // throws on parameters out of range
  check_order(order);
  if (method == SampledGaussianMethod::quadrature) return methods_file::by_quadrature(mechanism, order, direction);
  methods_file::require_remove(direction, method);
  if (method == SampledGaussianMethod::closed_form) return methods_file::by_closed_form(mechanism, order);
  // With a sampling rate of 1 or 0 there is nothing to sum.
  if (mechanism.sampling_rate == 0 || mechanism.sampling_rate == 1)
    return methods_file::by_quadrature(mechanism, order, direction);
  return method == SampledGaussianMethod::integer ? methods_file::by_integer_sum(mechanism, order)
                                                  : methods_file::by_series(mechanism, order);
}

}  // namespace renyi
