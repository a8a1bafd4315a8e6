#include "matrix_design/error_of_prefix_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "renyi/error.h"

namespace renyi {

namespace matrix_design {

namespace error_of_prefix_sums_file {
namespace {

// The coefficients w_j of 1 / ((1 - x) c(x)), which are the entries of A C^-1: the first ones, and the constant that
// all later ones are.
struct Weights {
  Series first{};
  double later = 0;
};

// Relative to the constant, later weights may differ by this: in figures that are reported, and in a search.
constexpr double settled = 1e-11;
constexpr double nearly_settled = 1e-6;
// Multiplications that a recurrence may take.
constexpr double most_multiplications = 2e9;
// Up to this many bands the recurrence is faster than the Fourier transform.
constexpr std::size_t few_bands = 48;

bool falls(std::span<const double> c) { return c.back() >= 0 && std::is_sorted(c.rbegin(), c.rend()); }

// c_0 w_j = 1 - sum_{k >= 1} c_k w_{j-k}.
Series by_recurrence(std::span<const double> c, std::size_t length) {
  Series w(length);
  Series reversed(c.rbegin(), c.rend());
  for (std::size_t j = 0; j < length; ++j) {
    const std::size_t terms = std::min(j, c.size() - 1);
    const double* coefficients = reversed.data() + (c.size() - 1 - terms);
    const double* before = w.data() + (j - terms);
    w[j] = (1 - std::inner_product(coefficients, coefficients + terms, before, 0.0)) / c[0];
  }
  return w;
}

Series by_newton(std::span<const double> c, std::size_t length) {
  Series w = inverse(c, length);
  std::partial_sum(w.begin(), w.end(), w.begin());
  return w;
}

bool has_settled(const Series& w, double later, std::size_t bands, double tolerance) {
  const auto is_near = [&](double x) { return std::abs(x - later) <= tolerance * std::abs(later); };
  return w.size() > bands && std::all_of(w.end() - static_cast<std::ptrdiff_t>(bands), w.end(), is_near);
}

// If the coefficients fall, no zero of c lies within the unit circle (Enestroem, Kakeya), and the weights approach
// 1 / c(1) unless a zero lies on it: as many weights are computed as are needed.
Weights settling_weights(std::span<const double> c, std::size_t rounds, double tolerance) {
  const double later = 1 / std::accumulate(c.begin(), c.end(), 0.0);
  for (std::size_t length = std::min(rounds, 64 * c.size());; length = std::min(rounds, 2 * length)) {
    Series w = c.size() <= few_bands ? by_recurrence(c, length) : by_newton(c, length);
    if (length == rounds || has_settled(w, later, c.size(), tolerance)) return {std::move(w), later};
  }
}

Weights weights_of(std::span<const double> c, std::size_t rounds) {
  if (falls(c)) return settling_weights(c, rounds, settled);
  if (static_cast<double>(rounds) * static_cast<double>(c.size()) > most_multiplications) {
    throw Unsupported("coefficients", "the error of so many rounds is computed for coefficients that do not rise",
                      "use coefficients that are not negative and do not rise, or fewer rounds");
  }
  return {by_recurrence(c, rounds), 0};
}

// The sum of rounds - j over the rounds j from `from` on.
double rounds_after(std::size_t rounds, std::size_t from) {
  const auto rest = static_cast<double>(rounds - from);
  return rest * (rest + 1) / 2;
}

// Round i adds the squares of the weights 0 to i, so weight j counts in rounds - j of them.
PrefixSumError error_of(const Weights& weights, std::size_t rounds) {
  double mean = 0, largest = 0;
  const Series& w = weights.first;
  for (std::size_t j = 0; j < w.size(); ++j) {
    mean += static_cast<double>(rounds - j) * w[j] * w[j];
    largest += w[j] * w[j];
  }
  const double square = weights.later * weights.later;
  mean += rounds_after(rounds, w.size()) * square;
  largest += static_cast<double>(rounds - w.size()) * square;
  return {mean / static_cast<double>(rounds), largest};
}

void check(std::span<const double> c, std::int64_t rounds) {
  if (rounds < 1 || rounds > most_designed_rounds) {
    throw InvalidArgument("rounds", fmt::format("{}", rounds),
                          fmt::format("a whole number in [1, {}]", most_designed_rounds));
  }
  const auto allowed = fmt::format("1 to {} finite numbers, the first of which is not 0", most_designed_bands);
  if (c.empty() || c.size() > static_cast<std::size_t>(most_designed_bands)) {
    throw InvalidArgument("coefficients", fmt::format("{} numbers", c.size()), allowed);
  }
  if (c[0] == 0 || !std::all_of(c.begin(), c.end(), [](double x) { return std::isfinite(x); })) {
    throw InvalidArgument("coefficients", c[0] == 0 ? "0 first" : "a number that is not finite", allowed);
  }
}

}  // namespace
}  // namespace error_of_prefix_sums_file

// With w = 1 / ((1 - x) c), a change of c_k changes w by -x^k w / c, so the derivative of the sum of (n - j) w_j^2 is
// -2 sum_j (n - j) w_j v_{j-k} for v = w / c, whose later coefficients are 1 / c(1)^2.
MeanErrorGradient mean_error_gradient(std::span<const double> coefficients, std::int64_t rounds) {
  using namespace error_of_prefix_sums_file;
  const auto n = static_cast<std::size_t>(rounds);
  const auto c = coefficients.first(std::min(coefficients.size(), n));
  const Weights weights = settling_weights(c, n, nearly_settled);
  const Series& w = weights.first;
  const std::size_t length = w.size();
  Series inverse_of_c = w;
  for (std::size_t j = length; j-- > 1;) inverse_of_c[j] -= inverse_of_c[j - 1];
  const Series v = product(w, inverse_of_c, length);
  Series weighted(length);
  for (std::size_t j = 0; j < length; ++j) weighted[j] = static_cast<double>(n - j) * w[j];
  Series gradient = correlation(weighted, v, c.size());
  const double tail = rounds_after(n, length) * weights.later * weights.later * weights.later;
  for (double& g : gradient) g = -2 * (g + tail) / static_cast<double>(n);
  gradient.resize(coefficients.size(), 0);
  return {error_of(weights, n).mean_squared, std::move(gradient)};
}

}  // namespace matrix_design

PrefixSumError prefix_sum_error(std::span<const double> coefficients, std::int64_t rounds) {
  using namespace matrix_design::error_of_prefix_sums_file;
  check(coefficients, rounds);
  const auto n = static_cast<std::size_t>(rounds);
  auto c = coefficients.first(std::min(coefficients.size(), n));
  while (c.size() > 1 && c.back() == 0) c = c.first(c.size() - 1);
  const PrefixSumError error = error_of(weights_of(c, n), n);
  if (std::isfinite(error.mean_squared) && std::isfinite(error.largest_squared)) return error;
  throw Unsupported("coefficients", "the error of the prefix sums overflows, because C^-1 grows without bound",
                    "use coefficients that are not negative and do not rise");
}

}  // namespace renyi
